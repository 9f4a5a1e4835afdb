/* Cases that the golden files do not show: the text report of odd comparisons, and CSV quoting. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "report/comparison/notes.h"
#include "report/comparison/block.h"
#include "report/comparison/comparison.h"

enum { CASES = 600 };

static struct be_result results[CASES];
static struct be_breakeven evens[64];
static char remarks[4][BE_NOTE];

static unsigned next(unsigned *seed, unsigned below) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

static double real(unsigned *seed) {
    static const double values[] = {NAN, 0, 1e-12, 9.9996e-4, 0.257, 1e300, 1e9, 5e-324, -1};
    return values[next(seed, BE_COUNT(values))];
}

static void text(unsigned *seed, char *to, size_t capacity) {
    size_t length = next(seed, 4) ? next(seed, 12) : next(seed, (unsigned)capacity);
    for (size_t i = 0; i < length; i++) {
        to[i] = next(seed, 6) ? (char)('a' + next(seed, 26)) : (char)(1 + next(seed, 255));
    }
    to[length] = '\0';
}

static const char *const works[] = {"work0", "work1", "\x1b[2Jwork", "l'\xc3\xa9t\xc3\xa9",
                                    "a-workload-with-a-name-as-long-as-a-name-can-be:0123456789"};

static void randomize(unsigned *seed, struct be_result *result) {
    static const char *const devices[] = {
        "cuda:0", "opencl:0", "cpu",
        "\x1b[2J-device-with-a-name-as-long-as-a-name-can-be:0123456789"};
    static const char *const variants[] = {
        "plain", BE_AS_PUBLISHED,
        "\x1b[2Ja-way-with-a-name-as-long-as-a-name-can-be-in-a-file-ours"};
    memset(result, 0, sizeof *result);
    strcpy(result->workload, works[next(seed, (unsigned)BE_COUNT(works))]);
    text(seed, result->title, BE_NAME);
    strcpy(result->variant, variants[next(seed, 3)]);
    result->as_written = next(seed, 2);
    result->code = (enum be_code)next(seed, BE_CODES);
    strcpy(result->dtype, next(seed, 2) ? "float32" : "float64");
    text(seed, result->parameters, next(seed, 2) ? BE_NOTE : 2);
    strcpy(result->device, devices[next(seed, 4)]);
    text(seed, result->note, next(seed, 2) ? BE_NOTE : 2);
    if (next(seed, 2)) {
        text(seed, result->size_name, BE_NAME);
    }
    result->size = UINT64_MAX >> next(seed, 60);
    result->threads = (int)next(seed, 4) * 1000003;
    result->placement = (enum be_placement)next(seed, BE_PLACEMENTS);
    result->cache = (enum be_cache)next(seed, BE_CACHES);
    result->status = (enum be_result_status)next(seed, BE_RESULT_STATUSES);
    result->limit_by = (enum be_limit)next(seed, BE_LIMITS);
    result->limit_s = real(seed);
    result->bytes = real(seed);
    result->slow_clock = (int)next(seed, 9);
    for (int i = 0; i < BE_PHASES; i++) {
        result->phase[i] = (struct be_summary){.n = (int)next(seed, 40),
                                               .median_s = real(seed),
                                               .lo_s = real(seed),
                                               .hi_s = real(seed)};
    }
    result->passes = (int)next(seed, BE_PASSES_MAX + 1);
    for (int i = 0; i < result->passes; i++) {
        text(seed, result->pass[i].name, BE_NAME);
        result->pass[i].time.median_s = real(seed);
    }
}

static void randomize_even(unsigned *seed, struct be_breakeven *even) {
    memset(even, 0, sizeof *even);
    strcpy(even->workload, works[next(seed, (unsigned)BE_COUNT(works))]);
    even->as_written = next(seed, 2);
    even->callable = next(seed, 2);
    strcpy(even->dtype, next(seed, 2) ? "float32" : "float64");
    strcpy(even->device, next(seed, 2) ? "cuda:0" : "opencl:0");
    text(seed, even->why, BE_NOTE);
    even->placement = (enum be_placement)next(seed, BE_PLACEMENTS);
    even->cache = (enum be_cache)next(seed, BE_CACHES);
    even->status = (enum be_breakeven_status)next(seed, BE_EVEN_STATUSES);
    double *values[] = {&even->from,
                        &even->lo,
                        &even->hi,
                        &even->until,
                        &even->until_lo,
                        &even->until_hi,
                        &even->largest,
                        &even->smallest,
                        &even->calls_to_repay_copy,
                        &even->calls_to_repay_copy_lo,
                        &even->calls_to_repay_copy_hi,
                        &even->calls_to_repay_first,
                        &even->calls_to_repay_first_lo,
                        &even->calls_to_repay_first_hi};
    even->repaid = (enum be_repaid)next(seed, BE_REPAIDS);
    for (size_t i = 0; i < BE_COUNT(values); i++) {
        *values[i] = real(seed);
    }
}

static void check_lines(const char *at) {
    while (*at) {
        size_t width = strcspn(at, "\n");
        assert_in_range(width, 0, 80);
        for (size_t i = 0; i < width; i++) {
            assert_in_range(at[i], ' ', '~');
        }
        assert_true(at[width] == '\n');
        at += width + 1;
    }
}

/* Whatever the numbers and names: 80 columns of ASCII. */
static void test_any_comparison_fits(void **state) {
    (void)state;
    static struct be_comparison all;
    unsigned seed = 1;
    for (int round = 0; round < 300; round++) {
        all = (struct be_comparison){.result = results, .breakeven = evens, .remark = remarks};
        all.results = next(&seed, round % 2 ? 12 : CASES);
        all.breakevens = next(&seed, BE_COUNT(evens));
        all.remarks = next(&seed, 4);
        for (size_t i = 0; i < CASES; i++) {
            randomize(&seed, &results[i]);
        }
        for (size_t i = 0; i < BE_COUNT(evens); i++) {
            randomize_even(&seed, &evens[i]);
        }
        for (size_t i = 0; i < BE_COUNT(remarks); i++) {
            text(&seed, remarks[i], BE_NOTE);
        }
        text(&seed, all.machine.cpu, sizeof all.machine.cpu);
        all.machine.cores = 64;
        all.machine.cores_allowed = (int)next(&seed, 80);
        all.machine.devices = (int)next(&seed, 3);
        for (int i = 0; i < all.machine.devices; i++) {
            struct be_device_info *info = &all.machine.device[i];
            strcpy(info->id, i ? "opencl:0" : "cuda:0");
            text(&seed, info->name, sizeof info->name);
            text(&seed, info->driver, sizeof info->driver);
            info->kind = (enum be_kind)next(&seed, 3);
        }
        struct be_text out = {0};
        be_report_text(&all, &out);
        assert_false(out.failed);
        check_lines(out.data);
        be_text_free(&out);
    }
}

static void test_nothing(void **state) {
    (void)state;
    static struct be_comparison all;
    struct be_text out = {0};
    be_report_text(&all, &out);
    assert_string_equal(out.data, "Nothing was measured.\n");
    be_text_free(&out);
}

/* Without a device that is said once, however many workloads there are. */
static void test_no_device_is_said_once(void **state) {
    (void)state;
    static const char *const many[] = {"power", "sort", "fft"};
    static struct be_comparison all;
    static const char said[] = "No device beside the CPU was measured";
    memset(results, 0, sizeof results);
    all.result = results;
    all.results = BE_COUNT(many);
    all.quick = true;
    for (size_t i = 0; i < BE_COUNT(many); i++) {
        strcpy(results[i].workload, many[i]);
        strcpy(results[i].device, "cpu");
        results[i].size = 10;
        results[i].threads = 1;
    }
    struct be_text out = {0};
    be_report_text(&all, &out);
    const char *first = strstr(out.data, said);
    assert_non_null(first);
    assert_null(strstr(first + 1, said));
    assert_null(strstr(first, "fft")); /* after the last */
    be_text_free(&out);
}

/* One sample has no spread: the table says so, also of files in which it had one of no width. */
static void test_one_sample_is_marked(void **state) {
    (void)state;
    static struct be_comparison all;
    memset(results, 0, sizeof results);
    all.result = results;
    all.results = 1;
    strcpy(results[0].workload, "power");
    strcpy(results[0].device, "cpu");
    results[0].size = 10;
    results[0].threads = 1;
    for (int n = 1; n <= 2; n++) {
        struct be_text out = {0};
        results[0].phase[BE_TOTAL] =
            (struct be_summary){.n = n, .median_s = 2, .lo_s = 2, .hi_s = 2};
        be_report_text(&all, &out);
        assert_int_equal(strstr(out.data, "2.00s   ?") != NULL, n == 1);
        assert_int_equal(strstr(out.data, "one sample: how far") != NULL, n == 1);
        be_text_free(&out);
    }
}

/* The range of a few samples is no 95 % interval, and is not called so. */
static void test_few_samples_are_marked(void **state) {
    (void)state;
    static const struct {
        int n;
        double lo, hi;
        const char *cell;
    } known[] = {
        {2, 1.9, 2.1, "2.00s ~5%"}, {5, 1.5, 2.5, "2.00s~25%"}, {5, 2, 2, "2.00s~<1%"},
        {5, 1, 9, "2.00s~>99%"},    {6, 1.9, 2.1, "2.00s  5%"}, {6, 1.5, 2.5, "2.00s 25%"},
        {6, 2, 2, "2.00s <1%"},     {6, 1, 9, "2.00s >99%"},    {1, NAN, NAN, "2.00s   ?"}};
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        char cell[BE_NAME];
        const struct be_summary summary = {
            .n = known[i].n, .median_s = 2, .lo_s = known[i].lo, .hi_s = known[i].hi};
        const unsigned terms = be_time_cell(cell, sizeof cell, &summary);
        assert_string_equal(cell, known[i].cell);
        assert_int_equal((terms >> BE_TERM_FEW) & 1, known[i].n > 1 && known[i].n < 6);
        assert_int_equal((terms >> BE_TERM_ONE) & 1, known[i].n == 1);
    }
}

/* Below the table every way has its spread too. */
static void test_each_way_has_its_spread(void **state) {
    (void)state;
    static struct be_comparison all;
    memset(results, 0, sizeof results);
    all.result = results;
    all.results = 2;
    for (int i = 0; i < 2; i++) {
        strcpy(results[i].workload, "power");
        strcpy(results[i].device, "cpu");
        strcpy(results[i].variant, i ? "slow" : "quick");
        results[i].size = 10;
        results[i].threads = 1;
        results[i].phase[BE_TOTAL] = (struct be_summary){
            .n = i ? 3 : 30, .median_s = i + 1, .lo_s = 0.9 * (i + 1), .hi_s = 1.1 * (i + 1)};
    }
    struct be_text out = {0};
    be_report_text(&all, &out);
    assert_non_null(strstr(out.data, "  quick              1.00s 10%\n"));
    assert_non_null(strstr(out.data, "  slow               2.00s~10%\n"));
    assert_non_null(strstr(out.data, "half the range of 2 to 5 samples"));
    be_text_free(&out);
}

/* The uncertainty of the counters is said, and a ratio that may be 1 is none. */
static void test_energy_says_what_is_open(void **state) {
    (void)state;
    static const struct {
        double cpu, gpu, open; /* J, J, share */
        const char *said[2];
    } known[] = {
        {100, 10, 0.01, {"resident 10 J (1.0 W); resident takes 1/10 of", "1 core 100 J (10 W),"}},
        {100, 14.2, 0.2, {"takes 1/7.0 (1/11 - 1/4.7) of the CPU's", "resident 14 J +-20 % ("}},
        {100, 94, 0.2, {"too close to call whether resident takes less", "100 J +-20 %"}},
        {100, 300, 0.1, {"takes 3.0 (2.5 - 3.7) times the CPU's", "300 J +-10 %"}},
        {100, 98, 0.001, {"takes as much as the CPU, within 5 %", "resident 98 J"}},
    };
    static struct be_comparison all;
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        struct be_text out = {0};
        memset(results, 0, sizeof results);
        all = (struct be_comparison){.result = results, .results = 2};
        for (int k = 0; k < 2; k++) {
            struct be_result *r = &results[k];
            strcpy(r->workload, "power");
            strcpy(r->device, k ? "cuda:0" : "cpu");
            r->placement = k ? BE_RESIDENT : BE_HOST;
            r->threads = !k;
            r->size = 10;
            r->phase[BE_TOTAL] = (struct be_summary){.n = 9, .median_s = 10, .lo_s = 9, .hi_s = 11};
            r->joules = k ? known[i].gpu : known[i].cpu;
            r->joules_lo = r->joules * (1 - known[i].open);
            r->joules_hi = r->joules * (1 + known[i].open);
            r->host_joules = NAN;
            r->energy_s = 10;
        }
        be_report_text(&all, &out);
        for (char *end = out.data; (end = strstr(end, "\n  ")) != NULL;) { /* as one line */
            memmove(end, end + 2, strlen(end + 2) + 1);
        }
        for (int k = 0; k < 2; k++) {
            if (!strstr(out.data, known[i].said[k])) {
                fail_msg("%zu: no \"%s\" in %s", i, known[i].said[k], strstr(out.data, "energy"));
            }
        }
        be_text_free(&out);
    }
}

/* Five full columns and a ratio of seven letters: no word is cut. */
static void test_limit_is_whole(void **state) {
    (void)state;
    static struct be_comparison all;
    memset(results, 0, sizeof results);
    all.result = results;
    all.results = 5;
    for (int i = 0; i < 5; i++) {
        struct be_result *r = &results[i];
        strcpy(r->workload, "power");
        strcpy(r->device, i < 2 ? "cpu" : "opencl:0");
        r->size = 10;
        r->threads = i < 2 ? 1 + 3 * i : 0;
        r->placement = i < 2 ? BE_HOST : (enum be_placement)(BE_COPY + i - 2);
        r->limit_s = 1e-9;
        r->limit_by = BE_BY_MEMORY;
        r->phase[BE_TOTAL] = (struct be_summary){.n = 9, .median_s = 134e-6, .hi_s = 1};
    }
    struct be_text out = {0};
    be_report_text(&all, &out);
    assert_non_null(strstr(out.data, " x1.34e5 mem\n"));
    for (int i = 0; i < 5; i++) {
        results[i].limit_s = 1e-7;
    }
    be_report_text(&all, &out);
    assert_non_null(strstr(out.data, " x1340 memory\n"));
    be_text_free(&out);
}

/* Where no variant has a time, the table says why of the one that might have had one. */
static void test_why_there_is_no_time(void **state) {
    (void)state;
    static const struct {
        enum be_result_status first, second;
        const char *said;
    } pair[] = {{BE_RESULT_ABSENT, BE_RESULT_SKIPPED, "skipped: of the second"},
                {BE_RESULT_SKIPPED, BE_RESULT_ABSENT, "skipped: of the first"},
                {BE_RESULT_SKIPPED, BE_RESULT_WRONG, "wrong: of the second"},
                {BE_RESULT_ABSENT, BE_RESULT_FAILED, "failed: of the second"},
                {BE_RESULT_SKIPPED, BE_RESULT_SKIPPED, "skipped: of the first"}};
    static struct be_comparison all;
    all.result = results;
    all.results = 2;
    for (size_t i = 0; i < BE_COUNT(pair); i++) {
        memset(results, 0, sizeof results);
        for (int k = 0; k < 2; k++) {
            strcpy(results[k].workload, "power");
            strcpy(results[k].device, "cpu");
            strcpy(results[k].variant, k ? "second" : "first");
            strcpy(results[k].note, k ? "of the second" : "of the first");
            results[k].size = 10;
            results[k].threads = 1;
            results[k].status = k ? pair[i].second : pair[i].first;
        }
        struct be_text out = {0};
        be_report_text(&all, &out);
        assert_non_null(strstr(out.data, pair[i].said));
        be_text_free(&out);
    }
}

/* A wrong variant beside a right one is in no table: a line says so, once. */
static void test_wrong_beside_right(void **state) {
    (void)state;
    static struct be_comparison all;
    static const char said[] = "wrong: power, second, size 10 on cpu: of the second\n";
    all = (struct be_comparison){.result = results, .results = 3};
    memset(results, 0, sizeof results);
    for (int k = 0; k < 3; k++) {
        strcpy(results[k].workload, "power");
        strcpy(results[k].device, "cpu");
        strcpy(results[k].variant, k ? "second" : "first");
        strcpy(results[k].note, k ? "of the second" : "");
        results[k].size = k == 2 ? 20 : 10;
        results[k].threads = 1;
        results[k].status = k ? BE_RESULT_WRONG : BE_RESULT_OK;
        results[k].phase[BE_TOTAL] = (struct be_summary){.n = 9, .median_s = k ? NAN : 1};
    }
    struct be_text out = {0};
    be_report_text(&all, &out);
    const char *first = strstr(out.data, said);
    assert_non_null(first);
    assert_null(strstr(first + 1, said));
    be_text_free(&out);
    results[0].status = BE_RESULT_WRONG; /* then the table has a note of it */
    be_report_text(&all, &out);
    assert_null(strstr(out.data, said));
    be_text_free(&out);
}

/* A CPU behind OpenCL is never called a GPU, and a device not listed goes by its id. */
static void test_labels(void **state) {
    (void)state;
    static const struct be_device_info cpu = {.kind = BE_KIND_CPU}, gpu = {.kind = BE_KIND_GPU},
                                       other = {.kind = BE_KIND_OTHER};
    static const struct {
        struct be_block block;
        const char *label;
    } known[] = {
        {{.device = "opencl:0", .info = &cpu}, "OpenCL on the CPU"},
        {{.device = "opencl:0", .info = &gpu}, "GPU"},
        {{.device = "cuda:0", .info = &gpu}, "GPU"},
        {{.device = "opencl:1", .info = &other}, "opencl:1"},
        {{.device = "null:0", .info = &cpu}, "null:0"},
        {{.device = "cuda:0", .info = NULL}, "cuda:0"},
    };
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        assert_string_equal(be_block_label(&known[i].block), known[i].label);
    }
}

/* The report calls impossible what the results do, and not what is a little below a limit. */
static void test_as_published(void **state) {
    (void)state;
    static struct be_comparison all;
    static const struct {
        enum be_result_status status;
        const char *words;
    } known[] = {{BE_RESULT_SKIPPED, "not a result: nothing was waited for"},
                 {BE_RESULT_IMPOSSIBLE, "impossible: the memory does 1 GB/s"}};
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        struct be_text out = {0};
        results[0] = (struct be_result){.size = 1000,
                                        .placement = BE_RESIDENT,
                                        .status = known[i].status,
                                        .bytes = 1e6,
                                        .limit_s = 1e-3,
                                        .limit_by = BE_BY_MEMORY,
                                        .phase[BE_TOTAL] = {.n = 11, .median_s = 0.98e-3}};
        strcpy(results[0].workload, "power");
        strcpy(results[0].variant, BE_AS_PUBLISHED);
        strcpy(results[0].device, "cuda:0");
        all.result = results;
        all.results = 1;
        be_report_text(&all, &out);
        assert_non_null(strstr(out.data, known[i].words));
        be_text_free(&out);
    }
}

static void test_csv_quotes(void **state) {
    (void)state;
    static struct be_comparison all;
    unsigned seed = 1;
    all.result = results;
    all.results = 1;
    randomize(&seed, &results[0]);
    strcpy(results[0].workload, "a,b");
    strcpy(results[0].title, "say \"x\"");
    strcpy(results[0].variant, "two\nlines");
    results[0].as_written = true;
    results[0].code = BE_CODE_LIBRARY;
    strcpy(results[0].dtype, "plain text");
    strcpy(results[0].parameters, "order 32, steps 100");
    struct be_text out = {0};
    be_report_csv(&all, &out);
    const char *head = "workload,title,variant,as_written,code,dtype,parameters,size,size_name,";
    assert_int_equal(strncmp(out.data, head, strlen(head)), 0);
    const char *row = strstr(out.data, "\r\n");
    assert_non_null(row);
    assert_non_null(strstr(row,
                           "\r\n\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",true,library,plain text,"
                           "\"order 32, steps 100\","));
    assert_string_equal(out.data + out.length - 2, "\r\n");
    be_text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_comparison_fits),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_no_device_is_said_once),
        cmocka_unit_test(test_one_sample_is_marked),
        cmocka_unit_test(test_few_samples_are_marked),
        cmocka_unit_test(test_each_way_has_its_spread),
        cmocka_unit_test(test_energy_says_what_is_open),
        cmocka_unit_test(test_limit_is_whole),
        cmocka_unit_test(test_why_there_is_no_time),
        cmocka_unit_test(test_wrong_beside_right),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_as_published),
        cmocka_unit_test(test_csv_quotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
