#include "damage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { FILES_MAX = 64, CHANGES_MAX = 4 };

struct dice {
    uint64_t seed, thrown;
};

/* 0 .. below - 1 */
static size_t throw(struct dice * dice, size_t below) {
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

static void flip(struct be_text *text, struct dice *dice) {
    if (text->length) {
        text->data[throw(dice, text->length)] ^= (char)(1u << throw(dice, 8));
    }
}

static void cut(struct be_text *text, struct dice *dice) {
    replace(text, throw(dice, text->length + 1), 0, "", 0);
    size_t at = throw(dice, text->length + 1);
    replace(text, at, text->length - at, "", 0);
}

/* A piece of the text, put somewhere else in it. */
static void splice(struct be_text *text, struct dice *dice) {
    size_t from = throw(dice, text->length + 1), most = text->length - from;
    size_t length = throw(dice, (most < 300 ? most : 300) + 1);
    char piece[300];
    memcpy(piece, text->data + from, length);
    replace(text, throw(dice, text->length + 1), 0, piece, length);
}

/* Where a line picked at random begins, and its length with its end. */
static size_t pick_line(const struct be_text *text, struct dice *dice, size_t *length) {
    size_t begin = throw(dice, text->length + 1);
    while (begin > 0 && text->data[begin - 1] != '\n') {
        begin--;
    }
    const char *end = memchr(text->data + begin, '\n', text->length - begin);
    *length = end ? (size_t)(end + 1 - (text->data + begin)) : text->length - begin;
    return begin;
}

static void double_line(struct be_text *text, struct dice *dice) {
    size_t length = 0, at = pick_line(text, dice, &length);
    char *line = malloc(length + 1);
    if (line) {
        memcpy(line, text->data + at, length);
        replace(text, at, 0, line, length);
    }
    free(line);
}

static void drop_line(struct be_text *text, struct dice *dice) {
    size_t length = 0, at = pick_line(text, dice, &length);
    replace(text, at, length, "", 0);
}

/* The stretch of `signs` at or after a place picked at random becomes one of the words. */
static void replace_run(struct be_text *text, struct dice *dice, const char *signs,
                        const char *const *words, size_t count) {
    size_t at = throw(dice, text->length + 1);
    at += strcspn(text->data + at, signs);
    if (at < text->length) {
        const char *word = words[throw(dice, count)];
        replace(text, at, strspn(text->data + at, signs), word, strlen(word));
    }
}

static void change_number(struct be_text *text, struct dice *dice) {
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

static void change_word(struct be_text *text, struct dice *dice, const struct be_fuzz *fuzz) {
    replace_run(text, dice, "abcdefghijklmnopqrstuvwxyz_", fuzz->word, fuzz->words);
}

/* NULL: a word is changed, for which it takes the program's. */
static void (*const changes[])(struct be_text *, struct dice *) = {
    flip, cut, splice, double_line, drop_line, change_number, NULL, change_number, NULL,
};

static bool load(const char *name, struct be_text *text) {
    FILE *in = fopen(name, "re");
    char part[4096];
    size_t count = 0;
    while (in && (count = fread(part, 1, sizeof part, in)) > 0) {
        be_text_add_bytes(text, part, count);
    }
    if (in) {
        fclose(in);
    }
    return text->length > 0;
}

static void damage(struct be_text *text, struct dice *dice, const struct be_fuzz *fuzz) {
    for (size_t left = 1 + throw(dice, CHANGES_MAX); left; left--) {
        size_t which = throw(dice, sizeof changes / sizeof *changes);
        if (changes[which]) {
            changes[which](text, dice);
        } else {
            change_word(text, dice, fuzz);
        }
    }
    if (!text->length) {
        be_text_add(text, " ");
    }
}

static int run(const struct be_fuzz *fuzz, const struct be_text *files, size_t count, long rounds,
               uint64_t seed) {
    long accepted = 0;
    for (long round = 0; round < rounds; round++) {
        struct dice dice = {seed + (uint64_t)round, 0};
        const struct be_text *file = &files[throw(&dice, count)];
        struct be_text text = {0};
        be_text_add_bytes(&text, file->data, file->length);
        damage(&text, &dice, fuzz);
        const char *wrong = fuzz->check(&text, &accepted);
        if (wrong) {
            fprintf(stderr, "%s: round of seed %" PRIu64 ": %s:\n%s\n", fuzz->name,
                    seed + (uint64_t)round, wrong, text.data);
            be_text_free(&text);
            return 1;
        }
        be_text_free(&text);
    }
    printf("%s: %ld rounds from seed %" PRIu64 ": %ld accepted, %ld refused\n", fuzz->name, rounds,
           seed, accepted, rounds - accepted);
    return rounds >= 1000 && (accepted == 0 || accepted == rounds); /* then it tests nothing */
}

int be_fuzz_main(const struct be_fuzz *fuzz, int argc, char **argv) {
    struct be_text files[FILES_MAX] = {{0}};
    size_t count = 0;
    int failed = 0;
    long accepted = 0;
    if (argc < 4 || argc > 3 + FILES_MAX) {
        fprintf(stderr, "usage: %s ROUNDS SEED FILE...\n", fuzz->name);
        return 2;
    }
    for (int i = 3; i < argc && !failed; i++) {
        const char *wrong = "cannot be read, or is empty";
        if (!load(argv[i], &files[count++]) ||
            (wrong = fuzz->check(&files[count - 1], &accepted)) != NULL) {
            fprintf(stderr, "%s: %s: %s\n", fuzz->name, argv[i], wrong);
            failed = 2;
        }
    }
    if (!failed && accepted == 0) { /* some may be refused, as they are meant to be */
        fprintf(stderr, "%s: none of the files is accepted as it is\n", fuzz->name);
        failed = 2;
    }
    if (!failed) {
        failed = run(fuzz, files, count, strtol(argv[1], NULL, 10), strtoull(argv[2], NULL, 10));
    }
    while (count) {
        be_text_free(&files[--count]);
    }
    return failed;
}
