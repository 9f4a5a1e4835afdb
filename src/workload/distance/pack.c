/* Points in the order that simd.h has them, for all that is computed of them on the CPU. */
#include "workload/distance/distance.h"
#include "workload/distance/simd.h"
#include "host/simd.h"

#define PACK(real)                                                                                 \
    ((real) == BE_REAL64 ? BE_SIMD_BEST(be_distance_pack64) : BE_SIMD_BEST(be_distance_pack32))

static size_t tiles(const struct be_problem *problem) {
    const size_t tile = BE_DISTANCE_TILE(be_real_bytes(problem->real));
    return (be_distance_points(problem) + tile - 1) / tile;
}

/* Two cache lines a coordinate and tile. */
size_t be_distance_packed_bytes(const struct be_problem *problem) {
    return tiles(problem) * be_distance_dimension(problem) * 128;
}

void be_distance_pack_points(const struct be_work *work, void *packed) {
    const struct be_problem *problem = work->problem;
    size_t first;
    size_t count;
    be_work_rows(work, tiles(problem), 1, &first, &count);
    PACK(problem->real)
    (be_work_array(work, BE_DISTANCE_X), be_distance_points(problem),
     be_distance_dimension(problem), first, count, packed);
    be_team_barrier(work->team);
}
