/*
 * Files damaged at random and read again, as many times as it is told or for so long. Every change
 * follows from a seed, so that a round can be repeated.
 * usage: fuzz_NAME ROUNDS|SECONDSs SEED FILE...
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "damage.h"

enum { FILES_MAX = 256, CHANGES_MAX = 4 };

/* When to stop: after so many rounds, or so many seconds. */
struct span {
    long rounds;
    double seconds;
};

static bool parse_span(const char *text, struct span *span) {
    char *end = NULL;
    double number = strtod(text, &end);
    bool timed = strcmp(end, "s") == 0;
    *span = timed ? (struct span){.seconds = number} : (struct span){.rounds = (long)number};
    return end != text && number > 0 && number < 1e12 && (timed || !*end);
}

static bool over(const struct span *span, long round, const struct timespec *begin) {
    struct timespec now;
    if (span->rounds) {
        return round >= span->rounds;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begin->tv_sec) + 1e-9 * (double)(now.tv_nsec - begin->tv_nsec) >=
           span->seconds;
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

static bool one_round(const struct be_fuzz *fuzz, const struct be_text *files, size_t count,
                      uint64_t seed, long *accepted) {
    struct be_dice dice = {seed, 0};
    const struct be_text *file = &files[be_throw(&dice, count)];
    struct be_text text = {0};
    be_text_add_bytes(&text, file->data, file->length);
    for (size_t left = 1 + be_throw(&dice, CHANGES_MAX); left; left--) {
        be_damage(&text, &dice, fuzz);
    }
    if (!text.length) {
        be_text_add(&text, " ");
    }
    be_fit(&text);
    const char *wrong = fuzz->check(&text, accepted);
    if (wrong) {
        fprintf(stderr, "%s: round of seed %" PRIu64 ": %s:\n%s\n", fuzz->name, seed, wrong,
                text.data);
    }
    be_text_free(&text);
    return !wrong;
}

/* As it is: a file that once broke something stays among those to begin from. */
static bool undamaged(const struct be_fuzz *fuzz, const struct be_text *file, size_t number,
                      long *accepted) {
    const char *wrong = fuzz->check(file, accepted);
    if (wrong) {
        fprintf(stderr, "%s: file %zu as it is: %s\n", fuzz->name, number + 1, wrong);
    }
    return !wrong;
}

static int run(const struct be_fuzz *fuzz, const struct be_text *files, size_t count,
               const struct span *span, uint64_t seed) {
    long accepted = 0, round = 0;
    struct timespec begin;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (size_t i = 0; i < count; i++) {
        if (!undamaged(fuzz, &files[i], i, &accepted)) {
            return 1;
        }
    }
    for (; !over(span, round, &begin); round++) {
        if (!one_round(fuzz, files, count, seed + (uint64_t)round, &accepted)) {
            return 1;
        }
    }
    printf("%s: %ld rounds from seed %" PRIu64 ": %ld accepted, %ld refused\n", fuzz->name, round,
           seed, accepted, round - accepted);
    return round >= 1000 && (accepted == 0 || accepted == round); /* then it tests nothing */
}

int main(int argc, char **argv) {
    const struct be_fuzz *fuzz = &be_fuzzed;
    struct be_text files[FILES_MAX] = {{0}};
    struct span span;
    size_t count = 0;
    int failed = 0;
    long accepted = 0;
    if (argc < 4 || argc > 3 + FILES_MAX || !parse_span(argv[1], &span)) {
        fprintf(stderr, "usage: %s ROUNDS|SECONDSs SEED FILE... (%d at most)\n", fuzz->name,
                (int)FILES_MAX);
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
        failed = run(fuzz, files, count, &span, strtoull(argv[2], NULL, 10));
    }
    while (count) {
        be_text_free(&files[--count]);
    }
    return failed;
}
