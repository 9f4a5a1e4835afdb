/* For tests of readers: a good text with one place changed, and what is said of it. */
#ifndef TESTS_UNIT_DAMAGE_H
#define TESTS_UNIT_DAMAGE_H

#include <string.h>

#include "base/text.h"

struct damage {
    const char *from, *to; /* the first `from` in a good text becomes `to` */
    const char *message;
};

/* `good` with the first `from` changed `to`; be_text_free gives it back. */
static inline struct be_text damaged_text(const char *good, const char *from, const char *to) {
    const char *at = strstr(good, from);
    struct be_text text = {0};
    assert_non_null(at);
    be_text_add_bytes(&text, good, (size_t)(at - good));
    be_text_add(&text, "%s%s", to, at + strlen(from));
    return text;
}

#endif
