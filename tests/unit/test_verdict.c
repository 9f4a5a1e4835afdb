/* The lines below a table: from which size a device is ahead, what repays a copy, what was slowed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "report/comparison/block.h"
#include "report/comparison/comparison.h"

static const struct be_device_info gpu = {.id = "cuda:0", .kind = BE_KIND_GPU};

static struct be_breakeven nothing(enum be_placement placement, enum be_breakeven_status status) {
    return (struct be_breakeven){.workload = "power",
                                 .device = "cuda:0",
                                 .placement = placement,
                                 .status = status,
                                 .from = NAN,
                                 .lo = NAN,
                                 .hi = NAN,
                                 .until = NAN,
                                 .until_lo = NAN,
                                 .until_hi = NAN,
                                 .smallest = 1000,
                                 .largest = 1e6,
                                 .calls_to_repay_copy = NAN,
                                 .calls_to_repay_copy_lo = NAN,
                                 .calls_to_repay_copy_hi = NAN,
                                 .calls_to_repay_first = NAN,
                                 .calls_to_repay_first_lo = NAN,
                                 .calls_to_repay_first_hi = NAN};
}

static void says(void (*write)(const struct be_block *, struct be_text *),
                 const struct be_comparison *all, const char *wanted) {
    const struct be_block block = {.comparison = all,
                                   .workload = "power",
                                   .dtype = "float32",
                                   .device = "cuda:0",
                                   .info = &gpu,
                                   .alone = true};
    struct be_text out = {0};
    write(&block, &out);
    assert_non_null(out.data);
    if (!strstr(out.data, wanted)) {
        fail_msg("\"%s\" is not in\n%s", wanted, out.data);
    }
    be_text_free(&out);
}

static void verdict(struct be_breakeven *even, size_t count, const char *wanted) {
    const struct be_comparison all = {.breakeven = even, .breakevens = count};
    says(be_report_verdict, &all, wanted);
}

static void an_interval_has_two_ends(void **state) {
    (void)state;
    struct be_breakeven even = nothing(BE_COPY, BE_EVEN_FROM);
    even.from = 72000;
    even.lo = 69000;
    verdict(&even, 1, "copy  from 7.2e4\n");
    even.hi = 74000;
    verdict(&even, 1, "copy  from 7.2e4 (6.9e4 - 7.4e4)\n");
}

/* Where it was ahead from the smallest size on, it did not get ahead there: measuring began. */
static void ahead_from_where_measuring_began(void **state) {
    (void)state;
    struct be_breakeven even = nothing(BE_COPY, BE_EVEN_BETWEEN);
    even.from = even.smallest;
    even.until = 50000;
    verdict(&even, 1, "copy  ahead only up to 5e4\n");
    even.from = 2000;
    verdict(&even, 1, "copy  ahead only between 2e3 and 5e4\n");
}

static void what_repays_a_copy(void **state) {
    (void)state;
    struct be_breakeven even[] = {nothing(BE_COPY, BE_EVEN_NEVER),
                                  nothing(BE_RESIDENT, BE_EVEN_ALWAYS)};
    even[1].repaid = BE_REPAID_CALLS;
    even[1].calls_to_repay_copy = even[1].calls_to_repay_copy_lo =
        0; /* of nothing: the first call has done it */
    even[1].calls_to_repay_copy_hi = 3;
    verdict(even, 2, "1 (1 - 3) calls on the same data repay one copy (n = 1e6)");
    /* Data that stay there say it best, whatever else was measured. */
    even[0].repaid = BE_REPAID_NEVER;
    verdict(even, 2, "1 (1 - 3) calls on the same data repay one copy (n = 1e6)");
    verdict(even, 1,
            "calls on data that stay there never repay a copy or the first call (n = 1e6)");
}

/* ---- results -------------------------------------------------------------------------------- */

static struct be_result timed(double median_s) {
    return (struct be_result){.workload = "power",
                              .device = "cuda:0",
                              .dtype = "float32",
                              .size = 1000,
                              .placement = BE_RESIDENT,
                              .bytes = 1e6,
                              .limit_s = 1e-4,
                              .phase[BE_TOTAL] = {.n = 20, .median_s = median_s}};
}

static void below(struct be_result *result, size_t count, const char *wanted) {
    const struct be_comparison all = {.result = result, .results = count};
    says(be_report_below, &all, wanted);
}

/* The best CPU is all of its cores: of fewer it says how many. */
static void part_of_the_cpu(void **state) {
    (void)state;
    static const struct {
        int allowed, threads;
        const char *of_one, *of_all;
    } known[] = {
        {16, 1, "GPU first stays ahead of the best code on 1 core\n",
         "stays ahead of the best code on 1 core\n"},
        {16, 8, "GPU first stays ahead of the best code on 8 cores\n",
         "stays ahead of the best code on 8 cores\n"},
        {16, 16, "GPU first stays ahead of the best CPU\n", "stays ahead of the best CPU code\n"},
        {16, 32, "GPU first stays ahead of the best CPU\n", "stays ahead of the best CPU code\n"},
        {0, 8, "GPU first stays ahead of the best CPU\n", "stays ahead of the best CPU code\n"},
    };
    struct be_breakeven even = nothing(BE_COPY, BE_EVEN_ALWAYS);
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        struct be_result result[] = {timed(1e-3), timed(2e-3), timed(3e-3), timed(4e-3)};
        result[1].placement = result[2].placement = result[3].placement = BE_HOST;
        result[1].threads = known[i].threads;
        result[2].threads = 1;
        result[3].threads = 64; /* not a result */
        be_copy_text(result[3].variant, sizeof result[3].variant, BE_AS_PUBLISHED);
        struct be_comparison all = {.result = result,
                                    .results = BE_COUNT(result),
                                    .breakeven = &even,
                                    .breakevens = 1,
                                    .machine = {.cores_allowed = known[i].allowed}};
        says(be_report_verdict, &all, known[i].of_one);
        all.results = 3;
        all.machine.device[0] = gpu;
        all.machine.devices = 1;
        struct be_text out = {0};
        be_report_overview(&all, &out);
        assert_non_null(strstr(out.data, known[i].of_all));
        be_text_free(&out);
    }
}

/* Cases without a time, and those that are not as written, lend no cores. */
static void part_of_the_cpu_as_written(void **state) {
    (void)state;
    static const struct {
        int threads, max; /* of a case as written, of one that was left out */
        bool written;     /* so is the latter */
        enum be_result_status status;
        const char *best, *written_words;
    } known[] = {
        {16, 16, true, BE_RESULT_OK, "ahead of the best CPU\n",
         "ahead of the CPU, both as written\n"},
        {8, 16, false, BE_RESULT_OK, "ahead of the best CPU\n",
         "ahead of the code on 8 cores, both as written\n"},
        {1, 16, true, BE_RESULT_SKIPPED, "ahead of the best code on 1 core\n",
         "ahead of the code on 1 core, both as written\n"},
    };
    struct be_breakeven even[] = {nothing(BE_COPY, BE_EVEN_ALWAYS),
                                  nothing(BE_COPY, BE_EVEN_ALWAYS)};
    even[1].as_written = true;
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        struct be_result result[] = {timed(1e-3), timed(2e-3), timed(3e-3)};
        result[1].placement = result[2].placement = BE_HOST;
        result[1].threads = known[i].threads;
        result[1].as_written = true;
        result[2].threads = known[i].max;
        result[2].as_written = known[i].written;
        result[2].status = known[i].status;
        const struct be_comparison all = {.result = result,
                                          .results = BE_COUNT(result),
                                          .breakeven = even,
                                          .breakevens = 2,
                                          .machine = {.cores_allowed = 16}};
        says(be_report_verdict, &all, known[i].best);
        says(be_report_verdict, &all, known[i].written_words);
    }
}

/* Code that anybody can have has lines of its own below those of the best, where there are any. */
static void callable_code(void **state) {
    (void)state;
    struct be_breakeven even[] = {nothing(BE_COPY, BE_EVEN_NEVER), nothing(BE_COPY, BE_EVEN_ALWAYS),
                                  nothing(BE_COPY, BE_EVEN_CLOSE)};
    even[1].callable = true;
    even[2].as_written = true;
    verdict(even, 3,
            "GPU first stays ahead of the best CPU\n  copy  never up to 1e6\n\n"
            "GPU first stays ahead of the CPU, both by code that can be called or written in\n"
            "  an hour\n  copy  always (from 1e3, the smallest size measured)\n\n"
            "GPU first stays ahead of the CPU, both as written\n");
    verdict(even, 1, "never up to 1e6\n");
    struct be_result result[] = {timed(1e-3), timed(2e-3), timed(3e-3)};
    result[1].placement = result[2].placement = BE_HOST;
    result[1].threads = 16;
    result[2].threads = 4;
    result[2].code = BE_CODE_LIBRARY;
    const struct be_comparison all = {.result = result,
                                      .results = BE_COUNT(result),
                                      .breakeven = even,
                                      .breakevens = 2,
                                      .machine = {.cores_allowed = 16}};
    says(be_report_verdict, &all, "ahead of the code on 4 cores, both by code that can be called");
}

/* A clock that stopped early is told from one that was lucky by more than a twentieth. */
static void what_was_published(void **state) {
    (void)state;
    struct be_result result[] = {timed(1e-3), timed(0.97e-3)};
    be_copy_text(result[1].variant, sizeof result[1].variant, BE_AS_PUBLISHED);
    result[1].status = BE_RESULT_SKIPPED;
    below(result, 2, "not a result: nothing was waited for");
    result[1].phase[BE_TOTAL].median_s = 0.9e-3;
    below(result, 2, "not a result: the clock stopped before the work did");
}

static void max_samples_were_slowed(void **state) {
    (void)state;
    struct be_result result[] = {timed(1e-3), timed(2e-3), timed(3e-3)};
    for (int i = 0; i < 3; i++) {
        result[i].size = (uint64_t)1000 << i;
        result[i].slow_clock = 9 + i; /* of 20 */
    }
    below(result, 3, "1 of 3 times are sustained ones");
}

/* The CPU has one a thread count and size: they are not counted as the device's. */
static void added_sizes_are_counted(void **state) {
    (void)state;
    struct be_result result[] = {timed(1e-3), timed(2e-3), timed(3e-3)};
    result[1].refines = result[2].refines = true;
    result[2].threads = 4;
    below(result, 3, "1 more case was measured to narrow the break-even; JSON and CSV have it");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interval_has_two_ends),
        cmocka_unit_test(ahead_from_where_measuring_began),
        cmocka_unit_test(what_repays_a_copy),
        cmocka_unit_test(part_of_the_cpu),
        cmocka_unit_test(part_of_the_cpu_as_written),
        cmocka_unit_test(callable_code),
        cmocka_unit_test(what_was_published),
        cmocka_unit_test(max_samples_were_slowed),
        cmocka_unit_test(added_sizes_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
