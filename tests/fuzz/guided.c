/*
 * Files as libFuzzer changes them, which keeps what reaches new code. Half of the changes are those of
 * damage.h, which know lines and words.
 * usage: libFuzzer's; fuzz_NAME FILE reads one file again
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "damage.h"

/* The functions that libFuzzer calls, and those of it that are called, by its documentation. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct be_text text = {0};
    long accepted = 0;
    be_text_add_bytes(&text, (const char *)data, size);
    be_fit(&text);
    const char *wrong = size && !text.failed ? be_fuzzed.check(&text, &accepted) : NULL;
    if (wrong) {
        fprintf(stderr, "%s: %s\n", be_fuzzed.name, wrong);
        abort();
    }
    be_text_free(&text);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed) {
    struct be_dice dice = {seed, 0};
    struct be_text text = {0};
    if (!size || be_throw(&dice, 2)) {
        return LLVMFuzzerMutate(data, size, capacity);
    }
    be_text_add_bytes(&text, (const char *)data, size);
    be_damage(&text, &dice, &be_fuzzed);
    size = text.length < capacity ? text.length : capacity;
    memcpy(data, text.data, size);
    be_text_free(&text);
    return size;
}
