/* gather by bins on CUDA: three launches, see binned.cl. */
#include "base/error.h"
#include "kernel_programs.h"
#include "workload/elementwise.h"
#include "workload/gather/gather.h"

enum {
    LANES = 256, /* as in binned.cl */
    TILE = 4096,
    BINS_MAX = 128,
    FETCH_LANES = 256,
    FETCH_TILES = FETCH_LANES / 32, /* of a group */
    /* Fewer leave some of the device idle, where all of x fits its cache. */
    BINS_MIN = 16,
    /* The bin in work has this part of the cache: indices and elements go through it as well, and the next
     * bin is begun before it is done. */
    CACHE_PART = 3
};

enum { DEAL, FETCH, PUT };

static size_t tiles_of(const struct be_problem *problem) {
    return ((size_t)problem->value[0] + TILE - 1) / TILE;
}

/* Where bins begin in each tile. */
size_t be_gather_binned_device_scratch(const struct be_problem *problem) {
    return tiles_of(problem) * BINS_MAX * sizeof(uint16_t);
}

/* Index i is in bin i >> shift. */
static int shift_of(size_t n, double cache_bytes) {
    const double part = cache_bytes > 0 ? cache_bytes / CACHE_PART : 0;
    int shift = 0;
    while ((n - 1) >> (shift + 1) >= BINS_MIN - 1) {
        shift++;
    }
    while (shift > 0 && (double)((size_t)sizeof(float) << shift) > part &&
           (n - 1) >> (shift - 1) < BINS_MAX) {
        shift--;
    }
    return shift;
}

enum be_status be_gather_binned_prepare(struct be_device *device, const struct be_problem *problem,
                                        struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_gather_deal", "k_gather_fetch", "k_gather_put", NULL};
    if (!be_stream_on_cuda(device)) {
        return be_fail(error, BE_ABSENT, "lanes that count for each other: only CUDA has them");
    }
    return be_prepare_kernels(device, problem, &be_program_gather_binned, NULL, names, prepared,
                              error);
}

enum be_status be_gather_binned_enqueue(const struct be_launch *launch, struct be_error *error) {
    const struct be_problem *problem = launch->problem;
    const size_t n = (size_t)problem->value[0];
    const int shift = shift_of(n, (double)launch->device->info.cache_bytes);
    const size_t tiles = tiles_of(problem);
    const size_t groups = (tiles + FETCH_TILES - 1) / FETCH_TILES; /* of a bin */
    const struct be_argument x = be_launch_array(launch, 0), index = be_launch_array(launch, 1);
    const struct be_argument z = be_launch_array(launch, 2), starts = BE_BUFFER(launch->scratch);
    const struct be_argument deal[] = {index, z, starts, BE_LONG(n), BE_INT(shift)};
    const struct be_argument fetch[] = {x, z, starts, BE_LONG(n), BE_INT(groups)};
    const struct be_argument put[] = {index, z, BE_LONG(n), BE_INT(shift)};
    enum be_status status = be_launch_kernel(launch, DEAL, tiles, LANES, deal, 5, error);
    if (status == BE_OK) {
        const size_t bins = ((n - 1) >> shift) + 1;
        status = be_launch_kernel(launch, FETCH, bins * groups, FETCH_LANES, fetch, 5, error);
    }
    return status == BE_OK ? be_launch_kernel(launch, PUT, tiles, LANES, put, 4, error) : status;
}
