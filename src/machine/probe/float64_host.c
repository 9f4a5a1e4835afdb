/* float64.cl as host C. */
#include "float64.cl"
#include "kernel_programs.h"

_Static_assert(PER_LANE == BE_RANDOM_PER_LANE, "launchers read host.h");

#define OUT(type, i) (*(type *const *)args[i])
#define WHOLE(i) (*(const LONG *)args[i])

static void run_fma64(const struct be_launch_point *at, const void *const *args) {
    be_here = at;
    k_fma64(OUT(double, 0), WHOLE(1));
}

static void run_float64(const struct be_launch_point *at, const void *const *args) {
    be_here = at;
    k_random_float64(OUT(double, 0), WHOLE(1), WHOLE(2));
}

const struct be_host_kernel be_probe_float64_host[] = {
    {"k_fma64", run_fma64},
    {"k_random_float64", run_float64},
    {NULL, NULL},
};
