/* Histograms on a device: launches of histogram.cl. */
#include <stdio.h>

#include "base/error.h"
#include "kernel_programs.h"
#include "workload/histogram/histogram.h"

enum { LANES = 256 };         /* as histogram.cl has them */
enum { ZERO, PLAIN, TABLES }; /* kernels */

static size_t over(size_t n, size_t each) {
    return (n + each - 1) / each;
}

static size_t bins_of(const struct be_problem *problem) {
    return (size_t)problem->value[BE_HISTOGRAM_BINS];
}

/* As many tables as fit in what every device has of shared memory, one a lane
 * of a warp at most; 0: not one. */
static size_t copies_of(size_t bins) {
    const size_t max_bytes = 16384;
    size_t copies = 32;
    while (copies > 0 && copies * (bins + 2) * sizeof(uint32_t) > max_bytes) {
        copies /= 2;
    }
    return copies;
}

enum be_status be_histogram_prepare(struct be_device *device, const struct be_problem *problem,
                                    struct be_prepared *prepared, struct be_error *error) {
    static const char *const all[] = {"k_zero", "k_plain", "k_tables", NULL};
    static const char *const wide[] = {"k_zero", "k_plain", NULL};
    const size_t bins = bins_of(problem);
    const size_t copies = copies_of(bins);
    char defines[128];
    snprintf(defines, sizeof defines, "#define TABLES %d\n#define BINS %zu\n#define COPIES %zu\n",
             copies > 0, bins, copies);
    return be_prepare_kernels(device, problem, &be_program_histogram, defines,
                              copies > 0 ? all : wide, prepared, error);
}

static enum be_status put_zeroes(const struct be_launch *launch, struct be_error *error) {
    const struct be_argument argument[] = {be_launch_array(launch, BE_HISTOGRAM_COUNTS),
                                           BE_INT(bins_of(launch->problem))};
    return be_launch_kernel(launch, ZERO, over(bins_of(launch->problem), LANES), LANES, argument, 2,
                            error);
}

static enum be_status put(const struct be_launch *launch, int kernel, size_t groups,
                          struct be_error *error) {
    const struct be_argument argument[] = {
        be_launch_array(launch, BE_HISTOGRAM_X),
        be_launch_array(launch, BE_HISTOGRAM_COUNTS),
        BE_LONG(launch->problem->value[BE_HISTOGRAM_SIZE]),
        BE_INT(bins_of(launch->problem)),
        BE_LONG(groups),
    };
    const enum be_status status = put_zeroes(launch, error);
    return status == BE_OK ? be_launch_kernel(launch, kernel, groups, LANES, argument,
                                              kernel == TABLES ? 5 : 4, error)
                           : status;
}

enum be_status be_histogram_enqueue_plain(const struct be_launch *launch, struct be_error *error) {
    return put(launch, PLAIN, over((size_t)launch->problem->value[BE_HISTOGRAM_SIZE], LANES),
               error);
}

/* Groups that fill a large GPU, but each has some elements for each of its lanes. Tables that do not fit shared memory
 * are counted in device memory. */
enum be_status be_histogram_enqueue_tables(const struct be_launch *launch, struct be_error *error) {
    enum { WANTED = 1024, EACH = 8 };
    const size_t some = over((size_t)launch->problem->value[BE_HISTOGRAM_SIZE], LANES * EACH);
    return copies_of(bins_of(launch->problem)) > 0
               ? put(launch, TABLES, some < WANTED ? some : WANTED, error)
               : be_histogram_enqueue_plain(launch, error);
}
