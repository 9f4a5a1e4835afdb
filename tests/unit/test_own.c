/* The door: computations of a user's own become workloads; what is wrong with a description, or with a result, is said. */
#include "breakeven_workload.h"

#include "pretend_ceilings.h" /* before names that it uses too */

#include "bench.h"
#include "own/own.h"

/* ---- descriptions --------------------------------------------------------------------------- */

static const struct be_own_parameter size_parameter[] = {
    {.name = "size", .what = "elements", .min = 1, .max = 4000, .from = 1000, .to = 4000}};

static const struct be_own_array axpy_array[] = {
    {.name = "x", .element = BE_OWN_REAL, .role = BE_OWN_READ},
    {.name = "y", .element = BE_OWN_REAL, .role = BE_OWN_UPDATED}};

static void axpy(const struct be_call *call) {
    for (uint64_t i = call->first; i < call->first + call->count; i++) {
        if (call->float64) {
            ((double *)call->array[1])[i] += 2.5 * ((const double *)call->array[0])[i];
        } else {
            ((float *)call->array[1])[i] += 2.5F * ((const float *)call->array[0])[i];
        }
    }
}

static void axpy_reference(const struct be_call *call) {
    double *y = call->array[1];
    for (uint64_t i = call->first; i < call->first + call->count; i++) {
        y[i] += 2.5 * (call->float64 ? ((const double *)call->array[0])[i]
                                     : (double)((const float *)call->array[0])[i]);
    }
}

static uint64_t part_each(const void *self, const uint64_t *value, int threads) {
    (void)self, (void)value;
    return (uint64_t)threads;
}

static struct be_computation described(void) {
    return (struct be_computation){.name = "mine",
                                   .parameter = size_parameter,
                                   .parameters = 1,
                                   .array = axpy_array,
                                   .arrays = 2,
                                   .float32 = true,
                                   .float64 = true,
                                   .elementwise = true,
                                   .cpu = axpy,
                                   .reference = axpy_reference};
}

static void refuse(const struct be_computation *c, const char *word) {
    struct be_own *own = NULL;
    expect_failure(be_own_open(c, &own, &error), BE_USAGE, word);
    assert_null(own);
}

static void test_descriptions(void **state) {
    (void)state;
    static const struct be_own_array nine[9] = {{.name = "a", .role = BE_OWN_WRITTEN}};
    struct be_own_array five[5] = {{.name = "a", .role = BE_OWN_UPDATED}};
    struct be_own_parameter seven[7] = {{.name = "size"}};
    struct be_computation c = described();
    struct be_own *own = NULL;
    CHECK(be_own_open(&c, &own, &error));
    be_own_close(own);
    refuse(NULL, "without a name: its name is to be one word");
    c.name = "two words";
    refuse(&c, "two words: its name is to be one word");
    c = described();
    c.cpu = NULL;
    refuse(&c, "mine: no CPU code");
    c = described();
    c.parameters = 0;
    refuse(&c, "mine: no parameter");
    c.parameter = seven;
    c.parameters = 7;
    refuse(&c, "mine: 7 parameters: at most 6 (BE_OWN_PARAMETERS_MAX)");
    c = described();
    c.array = nine;
    c.arrays = 9;
    refuse(&c, "array 1 has no name");
    for (int i = 0; i < 5; i++) {
        five[i] = (struct be_own_array){.name = "a", .role = BE_OWN_UPDATED};
    }
    c.array = five;
    c.arrays = 5;
    refuse(
        &c,
        "mine: 10 arrays, where one that is updated counts twice: at most 8 (BE_OWN_ARRAYS_MAX)");
    c.arrays = 1;
    five[0].role = BE_OWN_READ;
    refuse(&c, "mine: none of its arrays is written or updated");
    c = described();
    c.cpu_finish = axpy;
    refuse(&c, "mine: an elementwise computation has nothing to put together");
    c = described();
    c.cpu_scratch = part_each;
    c.reference = NULL;
    refuse(&c, "mine: CPU code with working memory (cpu_scratch) needs a reference");
    c = described();
    c.device.source = "KERNEL k_mine() {}";
    refuse(&c, "mine: device code needs the name of its kernel");
    const struct be_own_parameter back = {.name = "size", .from = 10, .to = 5};
    c = described();
    c.parameter = &back;
    refuse(&c, "mine: parameter 0 (size)");
}

/* ---- comparisons ---------------------------------------------------------------------------- */

static struct be_comparison compared;

static enum be_status compare(const struct be_computation *c, const char *type) {
    const struct be_computation *const list[] = {c};
    struct be_compare_options options = {.own = list,
                                         .owns = 1,
                                         .type = type,
                                         .device = {"cpu"},
                                         .devices = 1,
                                         .threads = {1, 2},
                                         .thread_counts = 2,
                                         .size = {999},
                                         .sizes = 1,
                                         .cache = {[BE_HOT] = true},
                                         .budget_s = 1e-3};
    return be_compare(&options, &compared, &error);
}

static void expect_all(enum be_result_status status) {
    assert_true(compared.results > 0);
    for (size_t i = 0; i < compared.results; i++) {
        if (compared.result[i].status != status) {
            fail_msg("%s x %d: status %d: %s", compared.result[i].device,
                     compared.result[i].threads, (int)compared.result[i].status,
                     compared.result[i].note);
        }
    }
    be_comparison_free(&compared);
}

static void test_right_in_both_types(void **state) {
    (void)state;
    const struct be_computation c = described();
    CHECK(compare(&c, "float32"));
    assert_string_equal(compared.result[0].workload, "mine");
    assert_string_equal(compared.result[0].dtype, "float32");
    /* x is read, y is read and written: three times 4 bytes. */
    assert_float_equal(compared.result[0].bytes, 3 * 4 * 999, 0);
    expect_all(BE_RESULT_OK);
    CHECK(compare(&c, "float64"));
    assert_float_equal(compared.result[0].bytes, 3 * 8 * 999, 0);
    expect_all(BE_RESULT_OK);
}

static void forgets_the_last(const struct be_call *call) {
    struct be_call less = *call;
    less.count -= less.count > 0;
    axpy(&less);
}

static void test_wrong_is_wrong(void **state) {
    (void)state;
    struct be_computation c = described();
    c.cpu = forgets_the_last;
    CHECK(compare(&c, NULL));
    expect_all(BE_RESULT_WRONG);
}

/* Without a reference the CPU's code is what devices are held against: by itself it is right. */
static void test_without_reference(void **state) {
    (void)state;
    struct be_computation c = described();
    c.reference = NULL;
    CHECK(compare(&c, NULL));
    bool told = false;
    for (size_t i = 0; i < compared.remarks; i++) {
        told |= strstr(compared.remark[i], "mine: its description has no reference") != NULL;
    }
    assert_true(told);
    expect_all(BE_RESULT_OK);
}

/* Row sums of an n x n matrix, whole: large numbers in one output, small ones in the other. */
static uint64_t square(const void *self, const uint64_t *value) {
    (void)self;
    return value[0] * value[0];
}

static const struct be_own_array row_array[] = {
    {.name = "a", .element = BE_OWN_INT32, .role = BE_OWN_READ, .count = square},
    {.name = "sum", .element = BE_OWN_INT64, .role = BE_OWN_WRITTEN},
    {.name = "share", .element = BE_OWN_FLOAT64, .role = BE_OWN_WRITTEN}};

static const struct be_own_parameter row_parameter[] = {{.name = "size", .min = 1, .max = 60}};

static double share_of(const struct be_call *call, double sum) {
    return sum * *(const double *)call->self;
}

static void rows(const struct be_call *call) {
    const int32_t *a = call->array[0];
    for (uint64_t i = call->first; i < call->first + call->count; i++) {
        int64_t sum = 0;
        for (uint64_t k = 0; k < call->value[0]; k++) {
            sum += a[i * call->value[0] + k];
        }
        ((int64_t *)call->array[1])[i] = sum;
        ((double *)call->array[2])[i] = share_of(call, (double)sum);
    }
}

static void rows_reference(const struct be_call *call) {
    const int32_t *a = call->array[0];
    for (uint64_t i = 0; i < call->value[0]; i++) {
        double sum = 0;
        for (uint64_t k = 0; k < call->value[0]; k++) {
            sum += a[i * call->value[0] + k];
        }
        ((double *)call->array[1])[i] = sum;
        ((double *)call->array[2])[i] = share_of(call, sum);
    }
}

/* Right in the sums, which are a million times as large, and not in the shares. */
static void rows_without_shares(const struct be_call *call) {
    rows(call);
    for (uint64_t i = call->first; i < call->first + call->count; i++) {
        ((double *)call->array[2])[i] *= 1.001;
    }
}

static enum be_status compare_rows(const struct be_computation *c) {
    const struct be_computation *const list[] = {c};
    const struct be_compare_options options = {.own = list,
                                               .owns = 1,
                                               .device = {"cpu"},
                                               .devices = 1,
                                               .threads = {1, 2},
                                               .thread_counts = 2,
                                               .size = {7, 51},
                                               .sizes = 2,
                                               .cache = {[BE_HOT] = true},
                                               .budget_s = 1e-3};
    return be_compare(&options, &compared, &error);
}

static void test_small_numbers_count(void **state) {
    (void)state;
    static const double part = 1e-9;
    struct be_computation c = {.name = "rows",
                               .self = &part,
                               .parameter = row_parameter,
                               .parameters = 1,
                               .array = row_array,
                               .arrays = 3,
                               .cpu = rows,
                               .reference = rows_reference};
    CHECK(compare_rows(&c));
    expect_all(BE_RESULT_OK);
    c.cpu = rows_without_shares;
    CHECK(compare_rows(&c));
    expect_all(BE_RESULT_WRONG);
}

static void test_one_thread(void **state) {
    (void)state;
    struct be_computation c = described();
    c.one_thread = true;
    CHECK(compare(&c, NULL));
    for (size_t i = 0; i < compared.results; i++) {
        const struct be_result *r = &compared.result[i];
        assert_int_equal(r->status, r->threads == 1 ? BE_RESULT_OK : BE_RESULT_ABSENT);
    }
    be_comparison_free(&compared);
}

static void test_names(void **state) {
    (void)state;
    struct be_computation c = described();
    c.name = "solve";
    expect_failure(compare(&c, NULL), BE_USAGE, "solve: there is one of that name already");
    c.name = "mine";
    const struct be_computation *const list[] = {&c};
    struct be_compare_options options = {
        .own = list, .owns = 1, .workload = {"elsewhere"}, .workloads = 1};
    expect_failure(be_compare(&options, &compared, &error), BE_USAGE,
                   "elsewhere: no such one; there are: mine, add");
}

/* ---- be_measure ----------------------------------------------------------------------------- */

static void counts(void *payload) {
    ++*(volatile long *)payload;
}

static void test_measure(void **state) {
    (void)state;
    volatile long calls = 0;
    struct be_summary time;
    struct be_measure_options options = {.budget_s = 5e-3};
    CHECK(be_measure(counts, (void *)&calls, &options, &time, &error));
    assert_true(time.n >= 10 && calls > time.n);
    assert_true(time.median_s > 0 && time.lo_s <= time.median_s && time.median_s <= time.hi_s);
    options.limit_s = 1; /* no machine takes so long */
    expect_failure(be_measure(counts, (void *)&calls, &options, &time, &error), BE_WRONG,
                   "faster than the hardware allows");
    expect_failure(be_measure(NULL, NULL, NULL, &time, &error), BE_USAGE, "no function");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_descriptions),
        cmocka_unit_test(test_right_in_both_types),
        cmocka_unit_test(test_wrong_is_wrong),
        cmocka_unit_test(test_without_reference),
        cmocka_unit_test(test_small_numbers_count),
        cmocka_unit_test(test_one_thread),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_measure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
