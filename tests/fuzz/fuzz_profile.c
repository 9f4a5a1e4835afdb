/*
 * Damages saved profiles in every way a seed gives, and reads what is left. What is accepted must
 * come out the same when it is written and read again.
 * usage: fuzz_profile ROUNDS SEED FILE...
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "report/profile_report.h"

enum { LINES_MAX = 4096, CHANGES_MAX = 4 };

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

static void change_word(struct be_text *text, struct dice *dice) {
    static const char *const words[] = {
        "bytes",   "s",      "measured", "data sheet",       "cpu",  "value", "figures", "probe",
        "compare", "device", "",         "\\u0000",          "\\",   "\"",    "\xff",    "\\ud800",
        "dtype",   "null",   "lo",       "\xf0\x9f\x98\x80", "unit", "hi",    "remarks", "source",
    };
    replace_run(text, dice, "abcdefghijklmnopqrstuvwxyz_", words, sizeof words / sizeof *words);
}

static void (*const changes[])(struct be_text *, struct dice *) = {
    flip,          cut,         splice,        double_line, drop_line,
    change_number, change_word, change_number, change_word,
};

static enum be_status read_text(const struct be_text *text, struct be_profile *profile,
                                struct be_error *error) {
    FILE *in = fmemopen(text->data, text->length, "r");
    if (!in) {
        fprintf(stderr, "fuzz_profile: fmemopen failed\n");
        exit(2);
    }
    enum be_status status = be_profile_read(in, "fuzzed", profile, error);
    fclose(in);
    return status;
}

static bool said_why(const struct be_error *error) {
    return error->status != BE_OK && strncmp(error->text, "fuzzed", 6) == 0;
}

/* Does the summary keep to 80 columns of plain signs? */
static bool fits_screen(const struct be_text *shown) {
    int column = 0;
    for (size_t i = 0; i < shown->length; i++) {
        char sign = shown->data[i];
        column = sign == '\n' ? 0 : column + 1;
        if (column > 80 || (sign != '\n' && (sign < ' ' || sign > '~'))) {
            fprintf(stderr, "%s\n", shown->data);
            return false;
        }
    }
    return true;
}

/* What is wrong with how this text was read, or NULL; *accepted counts. */
static const char *check(const struct be_text *text, long *accepted) {
    struct be_profile first, second = {0};
    struct be_error error = {0};
    if (read_text(text, &first, &error) != BE_OK) {
        return said_why(&error) && !first.figure ? NULL : "refused without a word";
    }
    ++*accepted;
    struct be_text written = {0}, again = {0}, shown = {0};
    be_profile_json(&first, &written);
    be_profile_text(&first, &shown);
    const char *wrong = NULL;
    if (read_text(&written, &second, &error) != BE_OK) {
        fprintf(stderr, "%s\n", error.text);
        wrong = "accepted, but not what was written of it";
    } else {
        be_profile_json(&second, &again);
        wrong = strcmp(written.data, again.data) != 0 ? "comes out otherwise" : NULL;
    }
    wrong = wrong || fits_screen(&shown) ? wrong : "a summary that is no plain text of 80 columns";
    be_profile_free(&first);
    be_profile_free(&second);
    be_text_free(&written);
    be_text_free(&again);
    be_text_free(&shown);
    return wrong;
}

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

static int fuzz(const struct be_text *files, size_t count, long rounds, uint64_t seed) {
    long accepted = 0;
    for (long round = 0; round < rounds; round++) {
        struct dice dice = {seed + (uint64_t)round, 0};
        const struct be_text *file = &files[throw(&dice, count)];
        struct be_text text = {0};
        be_text_add_bytes(&text, file->data, file->length);
        for (size_t left = 1 + throw(&dice, CHANGES_MAX); left; left--) {
            changes[throw(&dice, sizeof changes / sizeof *changes)](&text, &dice);
        }
        if (!text.length) {
            be_text_add(&text, " ");
        }
        const char *wrong = check(&text, &accepted);
        if (wrong) {
            fprintf(stderr, "fuzz_profile: round of seed %" PRIu64 ": %s:\n%s\n",
                    seed + (uint64_t)round, wrong, text.data);
            be_text_free(&text);
            return 1;
        }
        be_text_free(&text);
    }
    printf("fuzz_profile: %ld rounds from seed %" PRIu64 ": %ld accepted, %ld refused\n", rounds,
           seed, accepted, rounds - accepted);
    return rounds >= 1000 && (accepted == 0 || accepted == rounds); /* then it tests nothing */
}

int main(int argc, char **argv) {
    struct be_text files[16] = {{0}};
    size_t count = 0;
    if (argc < 4 || argc > 3 + 16) {
        fprintf(stderr, "usage: fuzz_profile ROUNDS SEED FILE...\n");
        return 2;
    }
    for (int i = 3; i < argc; i++) {
        long accepted = 0;
        if (!load(argv[i], &files[count]) || check(&files[count], &accepted) || !accepted) {
            fprintf(stderr, "fuzz_profile: %s: no profile\n", argv[i]);
            return 2;
        }
        count++;
    }
    int failed = fuzz(files, count, strtol(argv[1], NULL, 10), strtoull(argv[2], NULL, 10));
    while (count) {
        be_text_free(&files[--count]);
    }
    return failed;
}
