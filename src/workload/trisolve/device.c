/* A sparse triangular system on a device: a launch of trisolve.cl for each
 * level, all put into the queue at once. */
#include "base/error.h"
#include "kernel_programs.h"
#include "workload/trisolve/trisolve.h"

enum { LANES = 128 };

enum be_status be_trisolve_prepare(struct be_device *device, const struct be_problem *problem,
                                   struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_level", NULL};
    return be_prepare_kernels(device, problem, &be_program_trisolve, NULL, names, prepared, error);
}

enum be_status be_trisolve_enqueue(const struct be_launch *launch, struct be_error *error) {
    const struct be_trisolve_sizes s = be_trisolve_sizes_of(launch->problem);
    enum be_status status = BE_OK;
    size_t from = 0;
    for (size_t level = 0; status == BE_OK && level < s.levels; level++) {
        const size_t count = be_trisolve_level(&s, level);
        const struct be_argument argument[] = {be_launch_array(launch, BE_TRISOLVE_START),
                                               be_launch_array(launch, BE_TRISOLVE_COLUMN),
                                               be_launch_array(launch, BE_TRISOLVE_VALUE),
                                               be_launch_array(launch, BE_TRISOLVE_ORDER),
                                               be_launch_array(launch, BE_TRISOLVE_B),
                                               be_launch_array(launch, BE_TRISOLVE_Y),
                                               BE_LONG(from),
                                               BE_LONG(count)};
        if (count > 0) {
            status = be_launch_kernel(launch, 0, (count + LANES - 1) / LANES, LANES, argument,
                                      BE_COUNT(argument), error);
        }
        from += count;
    }
    return status;
}
