#include "damage.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

size_t be_throw(struct be_dice *dice, size_t below) {
    return below ? (size_t)(be_random_bits(dice->seed, dice->thrown++) % below) : 0;
}

/* Puts `with` in the place of `count` bytes at `at`. */
static void replace(struct be_text *text, size_t at, size_t count, const char *with,
                    size_t length) {
    struct be_text made = {0};
    be_text_add_bytes(&made, text->data, at);
    be_text_add_bytes(&made, with, length);
    be_text_add_bytes(&made, text->data + at + count, text->length - at - count);
    be_text_free(text);
    *text = made;
}

static void flip(struct be_text *text, struct be_dice *dice) {
    if (text->length) {
        text->data[be_throw(dice, text->length)] ^= (char)(1u << be_throw(dice, 8));
    }
}

static void cut(struct be_text *text, struct be_dice *dice) {
    replace(text, be_throw(dice, text->length + 1), 0, "", 0);
    size_t at = be_throw(dice, text->length + 1);
    replace(text, at, text->length - at, "", 0);
}

/* A piece of the text, put somewhere else in it. */
static void splice(struct be_text *text, struct be_dice *dice) {
    size_t from = be_throw(dice, text->length + 1), max = text->length - from;
    size_t length = be_throw(dice, (max < 300 ? max : 300) + 1);
    char piece[300];
    memcpy(piece, text->data + from, length);
    replace(text, be_throw(dice, text->length + 1), 0, piece, length);
}

/* Where a line picked at random begins, and its length with its end. */
static size_t pick_line(const struct be_text *text, struct be_dice *dice, size_t *length) {
    size_t begin = be_throw(dice, text->length + 1);
    while (begin > 0 && text->data[begin - 1] != '\n') {
        begin--;
    }
    const char *end = memchr(text->data + begin, '\n', text->length - begin);
    *length = end ? (size_t)(end + 1 - (text->data + begin)) : text->length - begin;
    return begin;
}

static void double_line(struct be_text *text, struct be_dice *dice) {
    size_t length = 0, at = pick_line(text, dice, &length);
    char *line = malloc(length + 1);
    if (line) {
        memcpy(line, text->data + at, length);
        replace(text, at, 0, line, length);
    }
    free(line);
}

static void drop_line(struct be_text *text, struct be_dice *dice) {
    size_t length = 0, at = pick_line(text, dice, &length);
    replace(text, at, length, "", 0);
}

/* The stretch of `signs` at or after a place picked at random becomes one of the words. */
static void replace_run(struct be_text *text, struct be_dice *dice, const char *signs,
                        const char *const *words, size_t count) {
    size_t at = be_throw(dice, text->length + 1);
    at += strcspn(text->data + at, signs);
    if (at < text->length) {
        const char *word = words[be_throw(dice, count)];
        replace(text, at, strspn(text->data + at, signs), word, strlen(word));
    }
}

static void change_number(struct be_text *text, struct be_dice *dice) {
    static const char *const numbers[] = {
        "0",
        "-1",
        "1e999",
        "-0",
        "1e-320",
        "4294967296",
        "9007199254740993",
        "1e24",
        "1e308",
        "null",
        "true",
        "\"7\"",
        "NaN",
        "1e-400",
        "00012",
        "1.0000001",
        "{}",
        "[]",
        "1e",
        "123456789012345678901234567890",
    };
    replace_run(text, dice, "0123456789.", numbers, sizeof numbers / sizeof *numbers);
}

static void change_word(struct be_text *text, struct be_dice *dice, const struct be_fuzz *fuzz) {
    replace_run(text, dice, "abcdefghijklmnopqrstuvwxyz_", fuzz->word, fuzz->words);
}

/* NULL: a word is changed, for which it takes the program's. */
static void (*const changes[])(struct be_text *, struct be_dice *) = {
    flip, cut, splice, double_line, drop_line, change_number, NULL, change_number, NULL,
};

void be_fit(struct be_text *text) {
    char *fitted = text->data ? realloc(text->data, text->length + 1) : NULL;
    if (fitted) {
        text->data = fitted;
        text->capacity = text->length + 1;
    }
}

void be_damage(struct be_text *text, struct be_dice *dice, const struct be_fuzz *fuzz) {
    size_t which = be_throw(dice, sizeof changes / sizeof *changes);
    if (changes[which]) {
        changes[which](text, dice);
    } else {
        change_word(text, dice, fuzz);
    }
}
