/* A filter over an image on a device: launches of convolve.cl. */
#include <stdio.h>

#include "base/error.h"
#include "kernel_programs.h"
#include "workload/convolve/convolve.h"

enum { PLAIN, DOWN, ACROSS, TILES }; /* kernels */
enum { LANES = 256 };                /* of those without tiles */
enum {
    WIDE = 64,
    ROW = 32,
    ROWS = 8
}; /* of a tile, as convolve.cl has them: points, lanes, points of a lane */

static size_t over(size_t n, size_t each) {
    return (n + each - 1) / each;
}

/* Rows of lanes. Tiles that large filters reach beyond are lower: they stay below 24 KiB of shared memory, which every
 * device has. */
static size_t lane_rows(const struct be_convolve_sizes *s) {
    enum { SMALL = 15 };
    return s->taps <= SMALL ? 8 : 4;
}

enum be_status be_convolve_prepare(struct be_device *device, const struct be_problem *problem,
                                   struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_plain", "k_down", "k_across", "k_tiles", NULL};
    const struct be_convolve_sizes s = be_convolve_sizes_of(problem);
    char defines[128];
    snprintf(defines, sizeof defines, "#define TAPS %zu\n#define SEPARABLE %d\n#define DOWN %zu\n",
             s.taps, s.separable, lane_rows(&s));
    return be_prepare_kernels(device, problem, &be_program_convolve, defines, names, prepared,
                              error);
}

/* The image between the passes. */
size_t be_convolve_plain_scratch(const struct be_problem *problem) {
    const struct be_convolve_sizes s = be_convolve_sizes_of(problem);
    return s.separable ? s.height * s.width * sizeof(float) : 0;
}

static enum be_status put(const struct be_launch *launch, int kernel, struct be_argument from,
                          struct be_argument to, struct be_error *error) {
    const struct be_convolve_sizes s = be_convolve_sizes_of(launch->problem);
    const struct be_argument argument[] = {from, be_launch_array(launch, BE_CONVOLVE_W), to,
                                           BE_LONG(s.height), BE_LONG(s.width)};
    return be_launch_kernel(launch, kernel, over(s.height * s.width, LANES), LANES, argument,
                            BE_COUNT(argument), error);
}

enum be_status be_convolve_enqueue_plain(const struct be_launch *launch, struct be_error *error) {
    const struct be_argument x = be_launch_array(launch, BE_CONVOLVE_X);
    const struct be_argument z = be_launch_array(launch, BE_CONVOLVE_Z);
    const struct be_argument between = BE_BUFFER(launch->scratch);
    if (!be_convolve_sizes_of(launch->problem).separable) {
        return put(launch, PLAIN, x, z, error);
    }
    const enum be_status status = put(launch, DOWN, x, between, error);
    return status == BE_OK ? put(launch, ACROSS, between, z, error) : status;
}

enum be_status be_convolve_enqueue_tiles(const struct be_launch *launch, struct be_error *error) {
    const struct be_convolve_sizes s = be_convolve_sizes_of(launch->problem);
    const size_t across = over(s.width, WIDE);
    const struct be_argument argument[] = {be_launch_array(launch, BE_CONVOLVE_X),
                                           be_launch_array(launch, BE_CONVOLVE_W),
                                           be_launch_array(launch, BE_CONVOLVE_Z),
                                           BE_LONG(s.height),
                                           BE_LONG(s.width),
                                           BE_LONG(across)};
    return be_launch_kernel(launch, TILES, across * over(s.height, lane_rows(&s) * ROWS),
                            ROW * lane_rows(&s), argument, BE_COUNT(argument), error);
}
