/* ceilings.cl as host C. */
#include "ceilings.cl"
#include "kernel_programs.h"

_Static_assert(PER_LANE == BE_TRIAD_PER_LANE && PER_LANE == BE_WRITE_PER_LANE &&
                   2 * CHAINS * STEPS == BE_FMA_OPERATIONS && ROW == BE_ROW_OPERATIONS,
               "launchers read host.h");

#define REAL_IN(i) (*(const float *const *)args[i])
#define REAL_OUT(i) (*(float *const *)args[i])
#define WHOLE(i) (*(const LONG *)args[i])
#define NUMBER(i) (*(const float *)args[i])

static void run_triad(const struct be_launch_point *at, const void *const *args) {
    be_here = at;
    k_triad(REAL_IN(0), REAL_IN(1), REAL_OUT(2), WHOLE(3));
}

static void run_write(const struct be_launch_point *at, const void *const *args) {
    be_here = at;
    k_write(REAL_OUT(0), WHOLE(1), NUMBER(2));
}

static void run_read(const struct be_launch_point *at, const void *const *args) {
    be_here = at;
    k_read(REAL_IN(0), REAL_OUT(1), WHOLE(2), WHOLE(3), WHOLE(4));
}

static void run_fma(const struct be_launch_point *at, const void *const *args) {
    be_here = at;
    k_fma(REAL_OUT(0), WHOLE(1));
}

static void run_row(const struct be_launch_point *at, const void *const *args) {
    be_here = at;
    k_row(REAL_OUT(0), WHOLE(1));
}

const struct be_host_kernel be_ceilings_host[] = {
    {"k_triad", run_triad}, {"k_write", run_write}, {"k_read", run_read},
    {"k_fma", run_fma},     {"k_row", run_row},     {NULL, NULL},
};
