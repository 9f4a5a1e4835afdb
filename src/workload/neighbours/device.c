/* Nearest points on a device: launches of neighbours.cl. */
#include <stdio.h>

#include "base/error.h"
#include "kernel_programs.h"
#include "workload/neighbours/neighbours.h"

enum { NEAREST, MERGE }; /* kernels */
enum { LANES = 128 };    /* as neighbours.cl has them */

/* Parts of the scratch lie on multiples of this: any device can begin there. */
enum { PART_ALIGN = 4096 };

static size_t over(size_t n, size_t each) {
    return (n + each - 1) / each;
}

/* Points in shared memory at a time: in 16 KiB of float64, which every device has. */
static size_t tile_of(const struct be_problem *problem) {
    enum { NUMBERS = 2048, MOST = 128 };
    const size_t fit = NUMBERS / be_neighbours_of(problem, BE_NEIGHBOURS_DIMENSION);
    return fit < MOST ? fit : MOST;
}

/* Few queries alone do not fill a device: the points are cut, as long as a part has some tiles. */
static size_t parts_of(const struct be_problem *problem) {
    enum { WANTED = 640, TILES = 4 }; /* groups: four for each of a large GPU's 150 processors */
    const size_t groups = over(be_neighbours_of(problem, BE_NEIGHBOURS_QUERIES), LANES);
    const size_t tiles = over(be_neighbours_of(problem, BE_NEIGHBOURS_POINTS), tile_of(problem));
    const size_t wanted = over(WANTED, groups);
    const size_t most = over(tiles, TILES);
    return wanted < most ? wanted : most;
}

/* Squares, then numbers. */
static size_t squares_bytes(const struct be_problem *problem) {
    const size_t results = parts_of(problem) * be_neighbours_of(problem, BE_NEIGHBOURS_K) *
                           be_neighbours_of(problem, BE_NEIGHBOURS_QUERIES);
    return over(results * be_real_bytes(problem->real), PART_ALIGN) * PART_ALIGN;
}

size_t be_neighbours_device_scratch(const struct be_problem *problem) {
    return squares_bytes(problem) + parts_of(problem) * be_neighbours_of(problem, BE_NEIGHBOURS_K) *
                                        be_neighbours_of(problem, BE_NEIGHBOURS_QUERIES) *
                                        sizeof(uint32_t);
}

enum be_status be_neighbours_prepare(struct be_device *device, const struct be_problem *problem,
                                     struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_nearest", "k_merge", NULL};
    char defines[128];
    snprintf(defines, sizeof defines, "#define K %zu\n#define DIMENSION %zu\n#define TILE %zu\n",
             be_neighbours_of(problem, BE_NEIGHBOURS_K),
             be_neighbours_of(problem, BE_NEIGHBOURS_DIMENSION), tile_of(problem));
    return be_prepare_kernels(device, problem, &be_program_neighbours, defines, names, prepared,
                              error);
}

enum be_status be_neighbours_enqueue(const struct be_launch *launch, struct be_error *error) {
    const struct be_problem *problem = launch->problem;
    const size_t queries = be_neighbours_of(problem, BE_NEIGHBOURS_QUERIES);
    const struct be_argument n = BE_LONG(be_neighbours_of(problem, BE_NEIGHBOURS_POINTS));
    const struct be_argument count = BE_LONG(queries);
    const struct be_argument parts = BE_LONG(parts_of(problem));
    const struct be_argument squares = BE_BUFFER(launch->scratch);
    const struct be_argument numbers = BE_BUFFER_FROM(launch->scratch, squares_bytes(problem));
    const struct be_argument nearest[] = {be_launch_array(launch, BE_NEIGHBOURS_X),
                                          be_launch_array(launch, BE_NEIGHBOURS_Q),
                                          squares,
                                          numbers,
                                          n,
                                          count,
                                          parts};
    const struct be_argument merge[] = {squares,
                                        numbers,
                                        be_launch_array(launch, BE_NEIGHBOURS_SQUARES),
                                        be_launch_array(launch, BE_NEIGHBOURS_WHICH),
                                        n,
                                        count,
                                        parts};
    const enum be_status status =
        be_launch_kernel(launch, NEAREST, over(queries, LANES) * parts_of(problem), LANES, nearest,
                         BE_COUNT(nearest), error);
    return status == BE_OK ? be_launch_kernel(launch, MERGE, over(queries, LANES), LANES, merge,
                                              BE_COUNT(merge), error)
                           : status;
}
