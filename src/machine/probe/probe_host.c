/* probe.cl as host C. */
#include "probe.cl"
#include "kernel_programs.h"
#include "machine/probe/probe.h"

_Static_assert(PER_LANE == BE_RANDOM_PER_LANE, "launchers read host.h");

#define OUT(type, i) (*(type *const *)args[i])
#define WHOLE(i) (*(const LONG *)args[i])

static void run_nothing(const struct be_launch_point *at, const void *const *args) {
    be_here = at;
    k_nothing(OUT(float, 0), WHOLE(1));
}

static void run_float32(const struct be_launch_point *at, const void *const *args) {
    be_here = at;
    k_random_float32(OUT(float, 0), WHOLE(1), WHOLE(2));
}

static void run_bfloat16(const struct be_launch_point *at, const void *const *args) {
    be_here = at;
    k_random_bfloat16(OUT(unsigned short, 0), WHOLE(1), WHOLE(2));
}

static void run_float16(const struct be_launch_point *at, const void *const *args) {
    be_here = at;
    k_random_float16(OUT(unsigned short, 0), WHOLE(1), WHOLE(2));
}

const struct be_host_kernel be_probe_host[] = {
    {"k_nothing", run_nothing},
    {"k_random_float32", run_float32},
    {"k_random_bfloat16", run_bfloat16},
    {"k_random_float16", run_float16},
    {NULL, NULL},
};

/* The same numbers for who checks a product on the host. */
float be_probe_random(unsigned int i, int bits) {
    return be_random(i, bits);
}
