/*
 * A piece of a text that somebody else holds. Knows nothing of what it says.
 */
#ifndef BE_BASE_SLICE_H
#define BE_BASE_SLICE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Bytes of a line, say: gone when the next one is read. Never terminated. */
struct be_slice {
    const char *text;
    uint32_t length;
};

static inline bool be_slice_is(struct be_slice slice, const char *word) {
    return slice.length == strlen(word) && memcmp(slice.text, word, slice.length) == 0;
}

#endif
