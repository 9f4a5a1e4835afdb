/* Is my computation worth a GPU? y = a x + y, described once; breakeven compares it on the CPU and on every device. */
#include <breakeven_workload.h>
#include <stdio.h>

static const double a = 2.5;

static void axpy(const struct be_call *call) {
    const float *x = call->array[0];
    float *y = call->array[1];
    for (uint64_t i = call->first; i < call->first + call->count; i++)
        y[i] = (float)a * x[i] + y[i];
}

static double operations(const void *self, const uint64_t *value) {
    (void)self;
    return 2.0 * (double)value[0];
}

static const char source[] =
    "KERNEL k_axpy(GLOBAL const REAL *x, GLOBAL REAL *y, LONG count, LONG n, REAL a) {\n"
    "    const LONG i = GROUP(0) * LANES(0) + LANE(0);\n"
    "    if (i < count)\n"
    "        y[i] = a * x[i] + y[i];\n"
    "}\n";

int main(void) {
    static const struct be_own_parameter parameter[] = {
        {.name = "size", .what = "elements", .min = 1, .from = 1000, .to = 1000000}};
    static const struct be_own_array array[] = {
        {.name = "x", .element = BE_OWN_REAL, .role = BE_OWN_READ},
        {.name = "y", .element = BE_OWN_REAL, .role = BE_OWN_UPDATED}};
    const struct be_computation mine = {
        .name = "my-axpy",
        .title = "y = a x + y",
        .parameter = parameter,
        .parameters = 1,
        .array = array,
        .arrays = 2,
        .elementwise = true,
        .operations = operations,
        .cpu = axpy,
        .device = {.source = source, .kernel = "k_axpy", .scalar = {a}, .scalars = 1}};
    const struct be_computation *const computations[] = {&mine};
    struct be_compare_options options = {.own = computations, .owns = 1, .quick = true};
    struct be_comparison comparison;
    struct be_error error;
    enum be_status status = be_compare(&options, &comparison, &error);
    if (status == BE_OK)
        status = be_comparison_write(&comparison, BE_TEXT, stdout, &error);
    if (status != BE_OK)
        fprintf(stderr, "%s\n", error.text);
    be_comparison_free(&comparison);
    return status == BE_OK ? 0 : 1;
}
