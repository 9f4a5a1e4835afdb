/* elementwise.cl as host C. */
#include "elementwise.cl"
#include "kernel_programs.h"

_Static_assert(ELEMENTS_PER_LANE == BE_ELEMENTWISE_PER_LANE, "launchers read host.h");

typedef void elementwise(const float *x, const float *y, float *z, LONG first, LONG n);

static void run(elementwise *kernel, const struct be_launch_point *at, const void *const *args) {
    be_here = at;
    kernel(*(const float *const *)args[0], *(const float *const *)args[1], *(float *const *)args[2],
           *(const LONG *)args[3], *(const LONG *)args[4]);
}

static void run_power(const struct be_launch_point *at, const void *const *args) {
    run(k_power, at, args);
}

static void run_multiply(const struct be_launch_point *at, const void *const *args) {
    run(k_multiply, at, args);
}

const struct be_host_kernel be_elementwise_host[] = {
    {"k_power", run_power},
    {"k_multiply", run_multiply},
    {NULL, NULL},
};
