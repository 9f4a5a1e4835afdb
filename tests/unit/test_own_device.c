/* Device code of a user's own in several launches, on PoCL: their order, each one's range, what they leave for each
 * other in working memory; what is wrong with a list of launches. */
#include "breakeven_workload.h"

#include "pretend_ceilings.h" /* before names that it uses too */

#include "bench.h"
#include "own/own.h"

/* y = x / (sum of x): eight groups sum up shares, a lane an element writes 0, one group adds the shares up, a lane three
 * elements adds what it divides. Working memory may hold what the call before left: an order that is wrong shows in y. */
#define ARGUMENTS "(GLOBAL const REAL *x, GLOBAL REAL *y, GLOBAL REAL *sums, LONG count, LONG n)"
static const char source[] =
    "KERNEL k_shares" ARGUMENTS "{\n"
    "    REAL sum = 0;\n"
    "    if (LANE(0) > 0)\n"
    "        return;\n"
    "    for (LONG i = n * GROUP(0) / 8; i < n * (GROUP(0) + 1) / 8; i++)\n"
    "        sum += x[i];\n"
    "    sums[1 + GROUP(0)] = sum;\n"
    "}\n"
    "KERNEL k_zero" ARGUMENTS "{\n"
    "    const LONG i = GROUP(0) * LANES(0) + LANE(0);\n"
    "    if (i < count)\n"
    "        y[i] = 0;\n"
    "}\n"
    "KERNEL k_total" ARGUMENTS "{\n"
    "    REAL sum = 0;\n"
    "    if (GROUP(0) > 0)\n"
    "        y[0] = 1;\n" /* a second group spoils it */
    "    for (int i = 1; i <= 8; i++)\n"
    "        sum += sums[i];\n"
    "    if (LANE(0) == 0)\n"
    "        sums[0] = sum;\n"
    "}\n"
    "KERNEL k_divide" ARGUMENTS "{\n"
    "    LONG i = (GROUP(0) * LANES(0) + LANE(0)) * 3;\n"
    "    for (int k = 0; k < 3; k++, i++)\n"
    "        if (i < count)\n"
    "            y[i] += x[i] / sums[0];\n"
    "}\n";

static uint64_t eight(const void *self, const uint64_t *value) {
    (void)self, (void)value;
    return 8;
}

static uint64_t nine(const void *self, const uint64_t *value) {
    (void)self, (void)value;
    return 9;
}

static const struct be_own_launch launch[] = {
    {.kernel = "k_shares", .lanes = 4, .groups = eight},
    {.kernel = "k_zero"},
    {.kernel = "k_total", .lanes = 16, .one_group = true},
    {.kernel = "k_divide", .lanes = 64, .items_per_lane = 3}};

static double number(const struct be_call *call, uint64_t i) {
    const float *narrow = call->array[0];
    const double *wide = call->array[0];
    return call->float64 ? wide[i] : (double)narrow[i];
}

static void divide(const struct be_call *call) {
    double sum = 0;
    for (uint64_t i = 0; i < call->value[0]; i++) {
        sum += number(call, i);
    }
    for (uint64_t i = call->first; i < call->first + call->count; i++) {
        if (call->float64) {
            ((double *)call->array[1])[i] = number(call, i) / sum;
        } else {
            ((float *)call->array[1])[i] = (float)(number(call, i) / sum);
        }
    }
}

static struct be_computation described(void) {
    static const struct be_own_parameter size[] = {{.name = "size", .min = 1, .max = 5000}};
    static const struct be_own_array array[] = {
        {.name = "x", .element = BE_OWN_REAL, .role = BE_OWN_READ},
        {.name = "y", .element = BE_OWN_REAL, .role = BE_OWN_WRITTEN}};
    return (struct be_computation){
        .name = "parts",
        .parameter = size,
        .parameters = 1,
        .array = array,
        .arrays = 2,
        .float32 = true,
        .float64 = true,
        .cpu = divide,
        .device = {.source = source, .launch = launch, .launches = 4, .scratch = nine}};
}

/* ---- on PoCL -------------------------------------------------------------------------------- */

static struct be_comparison compared;

/* The status of every case on the device; the test is left out where there is none. */
static void expect(const struct be_computation *c, const char *type, enum be_result_status status) {
    const struct be_computation *const list[] = {c};
    const struct be_compare_options options = {.own = list,
                                               .owns = 1,
                                               .type = type,
                                               .device = {"opencl:0"},
                                               .devices = 1,
                                               .threads = {1},
                                               .thread_counts = 1,
                                               .size = {5, 193, 4001},
                                               .sizes = 3,
                                               .cache = {[BE_HOT] = true},
                                               .budget_s = 1e-3};
    const enum be_status done = be_compare(&options, &compared, &error);
    if (done == BE_ABSENT && !getenv("BREAKEVEN_REQUIRE_OPENCL")) {
        skip();
    }
    CHECK(done);
    int seen = 0;
    for (size_t i = 0; i < compared.results; i++) {
        const struct be_result *r = &compared.result[i];
        if (strcmp(r->device, "cpu") != 0) {
            seen++;
            if (r->status != status) {
                fail_msg("%s, %s, size %llu, placement %d: status %d, not %d: %s", r->device,
                         r->dtype, (unsigned long long)r->size, (int)r->placement, (int)r->status,
                         (int)status, r->note);
            }
        }
    }
    assert_true(seen >= 9); /* sizes, placements */
    be_comparison_free(&compared);
}

static void test_launches(void **state) {
    (void)state;
    const struct be_computation c = described();
    expect(&c, "float32", BE_RESULT_OK);
    expect(&c, "float64", BE_RESULT_OK);
}

/* In another order, or with another range, the result is another one: nothing of a launch is made up. */
static void test_order_and_ranges_count(void **state) {
    (void)state;
    struct be_own_launch other[4];
    struct be_computation c = described();
    c.device.launch = other;
    memcpy(other, launch, sizeof other);
    other[1] = launch[3];
    other[3] = launch[1];
    expect(&c, "float32", BE_RESULT_WRONG);
    memcpy(other, launch, sizeof other);
    other[2].one_group = false;
    other[2].groups = eight;
    expect(&c, "float32", BE_RESULT_WRONG);
    memcpy(other, launch, sizeof other);
    other[3].items_per_lane = 10; /* the kernel does three: fewer groups than elements need */
    other[3].lanes = 1;
    expect(&c, "float32", BE_RESULT_WRONG);
}

/* ---- what is wrong with a list -------------------------------------------------------------- */

static void refuse(const struct be_computation *c, const char *word) {
    struct be_own *own = NULL;
    expect_failure(be_own_open(c, &own, &error), BE_USAGE, word);
    assert_null(own);
}

static void test_lists(void **state) {
    (void)state;
    struct be_own_launch five[5] = {
        {.kernel = "a"}, {.kernel = "b"}, {.kernel = "c"}, {.kernel = "d"}, {.kernel = "e"}};
    struct be_computation c = described();
    c.device.launch = five;
    c.device.launches = 5;
    refuse(&c, "parts: 5 launches: device code takes a list of at most 4 (BE_OWN_LAUNCHES_MAX)");
    c.device.launches = 4;
    five[3].kernel = NULL;
    refuse(&c, "parts: device code needs the name of its kernel: launch 3 has none");
    five[3] = (struct be_own_launch){.kernel = "d", .one_group = true, .groups = eight};
    refuse(&c, "parts: launch 3 (d) is one group, and has a number of groups");
    c = described();
    c.device.kernel = "k_divide";
    refuse(&c, "parts: device code has a list of launches, and kernel, lanes");
    c = described();
    c.device.launch = NULL;
    refuse(&c, "parts: 4 launches: device code takes a list");
    c = described();
    c.device.scalars = 5;
    refuse(&c, "parts: device code takes at most 4 scalars (BE_OWN_SCALARS_MAX)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_order_and_ranges_count),
        cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
