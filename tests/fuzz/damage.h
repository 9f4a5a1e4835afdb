/*
 * Text damaged as a seed says: bytes flipped, ends cut off, pieces and lines moved, numbers and words
 * put in the place of others.
 */
#ifndef BE_TESTS_FUZZ_DAMAGE_H
#define BE_TESTS_FUZZ_DAMAGE_H

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"

struct dice {
    uint64_t seed, thrown;
};

/* 0 .. below - 1 */
static inline size_t throw(struct dice * dice, size_t below) {
    return below ? (size_t)(be_random_bits(dice->seed, dice->thrown++) % below) : 0;
}

/* Puts `with` in the place of `count` bytes at `at`. */
static inline void replace(struct be_text *text, size_t at, size_t count, const char *with,
                           size_t length) {
    struct be_text made = {0};
    be_text_add_bytes(&made, text->data, at);
    be_text_add_bytes(&made, with, length);
    be_text_add_bytes(&made, text->data + at + count, text->length - at - count);
    be_text_free(text);
    *text = made;
}

static inline void flip(struct be_text *text, struct dice *dice) {
    if (text->length) {
        text->data[throw(dice, text->length)] ^= (char)(1u << throw(dice, 8));
    }
}

static inline void cut(struct be_text *text, struct dice *dice) {
    size_t at = throw(dice, text->length + 1);
    replace(text, at, text->length - at, "", 0);
}

/* A piece of the text, put somewhere else in it. */
static inline void splice(struct be_text *text, struct dice *dice) {
    char piece[300];
    size_t from = throw(dice, text->length + 1), most = text->length - from;
    size_t length = throw(dice, (most < sizeof piece ? most : sizeof piece) + 1);
    memcpy(piece, text->data + from, length);
    replace(text, throw(dice, text->length + 1), 0, piece, length);
}

/* A line again, somewhere else, where there is no line that is split by it. */
static inline void repeat_line(struct be_text *text, struct dice *dice) {
    size_t begin = throw(dice, text->length + 1);
    while (begin > 0 && text->data[begin - 1] != '\n') {
        begin--;
    }
    const char *end = memchr(text->data + begin, '\n', text->length - begin);
    size_t length = end ? (size_t)(end + 1 - (text->data + begin)) : text->length - begin;
    char *line = malloc(length + 1);
    if (line) {
        memcpy(line, text->data + begin, length);
        replace(text, begin, 0, line, length);
    }
    free(line);
}

/* The stretch of `signs` at or after a place picked at random becomes one of the words. */
static inline void replace_run(struct be_text *text, struct dice *dice, const char *signs,
                               const char *const *words, size_t count) {
    size_t at = throw(dice, text->length + 1);
    at += strcspn(text->data + at, signs);
    if (at < text->length) {
        const char *word = words[throw(dice, count)];
        replace(text, at, strspn(text->data + at, signs), word, strlen(word));
    }
}

#endif
