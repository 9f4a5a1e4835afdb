/* GPUs elsewhere in one table and in words: each answer in few letters, and for how many workloads it pays. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "report/comparison/comparison.h"
#include "report/comparison/overview.h"

enum { WORKLOADS = 6 };

static struct be_result results[WORKLOADS];
static struct be_breakeven evens[2 * WORKLOADS];

/* Workloads "w0", "w1", ...: the GPU "far" is ahead in the first of them, in both placements apart. */
static struct be_comparison made(int stay, int copied) {
    struct be_comparison all = {
        .result = results, .results = WORKLOADS, .breakeven = evens, .breakevens = 2 * WORKLOADS};
    all.machine.devices = 1;
    all.machine.device[0] =
        (struct be_device_info){.kind = BE_KIND_GPU, .origin = BE_ORIGIN_PREDICTED};
    strcpy(all.machine.device[0].id, "far");
    for (int i = 0; i < WORKLOADS; i++) {
        results[i] = (struct be_result){.size = 1000, .placement = BE_HOST, .threads = 1};
        snprintf(results[i].workload, BE_NAME, "w%d", i);
        strcpy(results[i].size_name, "points");
        for (int p = 0; p < 2; p++) {
            struct be_breakeven *even = &evens[2 * i + p];
            *even = (struct be_breakeven){.placement = p ? BE_COPY : BE_RESIDENT,
                                          .status = i < (p ? copied : stay) ? BE_EVEN_ALWAYS
                                                                            : BE_EVEN_NEVER,
                                          .smallest = 100,
                                          .largest = 1000};
            strcpy(even->workload, results[i].workload);
            strcpy(even->device, "far");
        }
    }
    return all;
}

/* In one line, with one blank where several stand. */
static void join(const char *from, char *to, size_t capacity) {
    size_t used = 0;
    for (; *from && used + 1 < capacity; from++) {
        const char sign = *from == '\n' ? ' ' : *from;
        if (sign != ' ' || (used && to[used - 1] != ' ')) {
            to[used++] = sign;
        }
    }
    to[used] = '\0';
}

static void the_answer_is_said_in_words(void **state) {
    struct be_comparison all = made(5, 1);
    struct be_text text = {0};
    char words[2048];
    (void)state;
    evens[2 * 5].status = BE_EVEN_CLOSE; /* "w5" where the data stay there */
    be_overview_words(&all, &text);
    join(text.data, words, sizeof words);
    assert_non_null(
        strstr(words, "Worth a GPU? At the largest size measured here, where there is none, it is "
                      "far (, predicted): ahead in 5 of 6 where the data stay there (1 too "
                      "close to call), in 1 of 6 with copies in every call"));
    assert_non_null(strstr(words, "So a GPU pays for 5 of these 6 workloads where their data stay "
                                  "on it, and for 1 with copies in every call."));
    be_text_free(&text);
    /* Another machine of which nothing is known beside it: for none. */
    all.machine.device[all.machine.devices] = all.machine.device[0];
    strcpy(all.machine.device[all.machine.devices++].id, "further");
    be_overview_words(&all, &text);
    join(text.data, words, sizeof words);
    assert_non_null(strstr(words,
                           "for 0 to 5 of these 6 workloads where their data stay on it, and "
                           "for 0 to 1 with copies in every call."));
    be_text_free(&text);
}

/* On three machines or more an answer has seven letters; an interval may grow in them, and never shrink. */
static void an_answer_fits_its_letters(void **state) {
    static const struct {
        enum be_breakeven_status status;
        double from, lo, hi, until;
        const char *cell;
    } known[] = {{BE_EVEN_ALWAYS, NAN, NAN, NAN, NAN, "always"},
                 {BE_EVEN_NEVER, NAN, NAN, NAN, NAN, "never"},
                 {BE_EVEN_CLOSE, NAN, NAN, NAN, NAN, "close"},
                 {BE_EVEN_FROM, 5e4, 1e4, 1e6, NAN, "1e4-1e6"},
                 {BE_EVEN_FROM, 1000, 256, 2048, NAN, "200-3e3"},
                 {BE_EVEN_FROM, 7.1e4, 7.08e4, 7.3e4, NAN, "7e4-8e4"},
                 {BE_EVEN_FROM, 7e4, NAN, NAN, NAN, "7e4"},
                 {BE_EVEN_BETWEEN, 1e3, 1e3, 1e3, 3e5, "<3e5"}};
    (void)state;
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        const struct be_comparison all = made(1, 1);
        char cell[BE_NAME];
        evens[0].status = known[i].status;
        evens[0].from = known[i].from;
        evens[0].lo = known[i].lo;
        evens[0].hi = known[i].hi;
        evens[0].until = known[i].until;
        const int answer = be_overview_short(&all, &results[0], "far", BE_RESIDENT, 7, cell);
        assert_int_equal(answer, known[i].status);
        assert_string_equal(cell, known[i].cell);
        assert_int_equal(be_overview_short(&all, &results[0], "near", BE_RESIDENT, 7, cell),
                         BE_OVERVIEW_MISSING);
        assert_string_equal(cell, "-");
    }
}

static void only_machines_elsewhere_have_a_part(void **state) {
    struct be_comparison all = made(3, 3);
    struct be_text text = {0};
    (void)state;
    all.machine.device[0].origin = BE_ORIGIN_HERE;
    be_overview_elsewhere(&all, &text);
    be_overview_words(&all, &text);
    assert_int_equal(text.length, 0);
    be_text_free(&text);
    all.machine.device[0].origin = BE_ORIGIN_ELSEWHERE;
    be_overview_elsewhere(&all, &text);
    assert_non_null(strstr(text.data, "w0, points 100-1e3"));
    be_text_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_is_said_in_words),
        cmocka_unit_test(an_answer_fits_its_letters),
        cmocka_unit_test(only_machines_elsewhere_have_a_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
