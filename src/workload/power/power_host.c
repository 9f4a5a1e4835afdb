/* power.cl as host C. */
#include "power.cl"
#include "kernel_programs.h"

_Static_assert(ELEMENTS_PER_LANE == BE_ELEMENTWISE_PER_LANE, "launchers read host.h");

static void run(const struct be_launch_point *at, const void *const *args) {
    be_here = at;
    k_power(*(const float *const *)args[0], *(const float *const *)args[1],
            *(float *const *)args[2], *(const LONG *)args[3], *(const LONG *)args[4]);
}

static void run_libm(const struct be_launch_point *at, const void *const *args) {
    be_here = at;
    k_power_libm(*(const float *const *)args[0], *(const float *const *)args[1],
                 *(float *const *)args[2], *(const LONG *)args[3], *(const LONG *)args[4]);
}

const struct be_host_kernel be_power_host[] = {
    {"k_power", run}, {"k_power_libm", run_libm}, {NULL, NULL}};
