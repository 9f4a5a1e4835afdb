/* Device code of several kernels: the mean of each column is taken from the column. A column is few numbers long for a
 * GPU, so shares of the rows are summed up side by side, in working memory; the shares are added up; the means are taken
 * away. */
#include <breakeven_workload.h>
#include <stdio.h>

enum { COLUMNS = 512, SHARES = 64, LANES = 256 };

/* A thread's columns. */
static void centre(const struct be_call *call) {
    const float *x = call->array[0];
    float *y = call->array[1];
    const uint64_t end = call->first + call->count;
    double mean[COLUMNS] = {0};
    for (uint64_t i = 0; i < call->value[0]; i++)
        for (uint64_t j = call->first; j < end; j++)
            mean[j] += x[i * COLUMNS + j];
    for (uint64_t i = 0; i < call->value[0]; i++)
        for (uint64_t j = call->first; j < end; j++)
            y[i * COLUMNS + j] = x[i * COLUMNS + j] - (float)(mean[j] / (double)call->value[0]);
}

/* Every kernel has the arrays, the working memory, the items and the parameter. */
#define ARGUMENTS                                                                                  \
    "(GLOBAL const REAL *x, GLOBAL REAL *y, GLOBAL REAL *sums, LONG columns, LONG rows)"
static const char source[] =
    "KERNEL k_sums" ARGUMENTS "{\n"
    "    const LONG j = GROUP(0) % (columns / LANES(0)) * LANES(0) + LANE(0);\n"
    "    const LONG share = GROUP(0) / (columns / LANES(0));\n"
    "    REAL sum = 0;\n"
    "    for (LONG i = rows * share / SHARES; i < rows * (share + 1) / SHARES; i++)\n"
    "        sum += x[i * columns + j];\n"
    "    sums[share * columns + j] = sum;\n"
    "}\n"
    "KERNEL k_means" ARGUMENTS "{\n" /* the first share's sum becomes the mean */
    "    const LONG j = GROUP(0) * LANES(0) + LANE(0);\n"
    "    REAL sum = 0;\n"
    "    for (LONG share = 0; share < SHARES; share++)\n"
    "        sum += sums[share * columns + j];\n"
    "    sums[j] = sum / rows;\n"
    "}\n"
    "KERNEL k_centre" ARGUMENTS "{\n"
    "    const LONG i = GROUP(0) * LANES(0) + LANE(0);\n"
    "    y[i] = x[i] - sums[i % columns];\n"
    "}\n";

static uint64_t numbers(const void *self, const uint64_t *value) {
    (void)self;
    return value[0] * COLUMNS;
}
static uint64_t columns(const void *self, const uint64_t *value) {
    (void)self, (void)value;
    return COLUMNS;
}
static uint64_t scratch(const void *self, const uint64_t *value) {
    (void)self, (void)value;
    return (uint64_t)SHARES * COLUMNS;
}
static uint64_t groups_of_sums(const void *self, const uint64_t *value) {
    (void)self, (void)value;
    return SHARES * COLUMNS / LANES;
}
static uint64_t groups_of_numbers(const void *self, const uint64_t *value) {
    return numbers(self, value) / LANES;
}
static double operations(const void *self, const uint64_t *value) {
    return 2.0 * (double)numbers(self, value);
}

int main(void) {
    static const struct be_own_parameter parameter[] = {
        {.name = "rows", .what = "rows of 512 columns", .min = 1, .from = 100, .to = 10000}};
    static const struct be_own_array array[] = {
        {.name = "x", .element = BE_OWN_REAL, .role = BE_OWN_READ, .count = numbers},
        {.name = "y", .element = BE_OWN_REAL, .role = BE_OWN_WRITTEN, .count = numbers}};
    static const struct be_own_launch launch[] = {
        {.kernel = "k_sums", .groups = groups_of_sums},
        {.kernel = "k_means"}, /* a lane an item: a column */
        {.kernel = "k_centre", .groups = groups_of_numbers}};
    const struct be_computation mine = {.name = "centre",
                                        .title = "y = x - mean of its column",
                                        .parameter = parameter,
                                        .parameters = 1,
                                        .array = array,
                                        .arrays = 2,
                                        .items = columns,
                                        .operations = operations,
                                        .cpu = centre,
                                        .device = {.source = source,
                                                   .defines = "#define SHARES 64\n",
                                                   .launch = launch,
                                                   .launches = 3,
                                                   .scratch = scratch}};
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
