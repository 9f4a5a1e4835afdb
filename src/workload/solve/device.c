/* solve on devices, own kernels: up to order 128 cuda.cl or small.cl, large.cl
 * above. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "kernel_programs.h"
#include "workload/solve/solve.h"

/* Rows: a lane a row, the systems of a group side by side, as many as 32 KiB of shared memory hold,
 * which OpenCL promises. Block: a group a system at a time, as many groups as the largest GPUs run at once:
 * 512 rows on each of 128 multiprocessors. */
enum { ROWS_MAX = 32, ROWS_LANES = 64, BLOCK_MAX = SOLVE_SMALL_MAX };
enum { DEPTH = 16, COLUMN_LANES = 64, TILE_ROWS = 128, TILE_COLUMNS = 64, TILE_LANES = 256 };
enum { START, PANEL, TOP, UPDATE, BACK };

/* Memory of a large batch is taken for this much at a time. */
static const size_t large_bytes = (size_t)2 << 30;
enum { PIVOT_ALIGN = 4096 };

static bool is_cuda(const struct be_device *device) {
    return strcmp(device->ops->name, "cuda") == 0;
}

static size_t span_of(size_t order) {
    size_t span = 1;
    while (span < order) {
        span *= 2;
    }
    return span;
}

static size_t rows_of(size_t order) {
    return order <= 64 ? 64 : 128;
}

static size_t block_groups(size_t order, size_t systems) {
    const size_t max = (size_t)512 * 128 / rows_of(order);
    return systems < max ? systems : max;
}

/* Lanes that share a row. OpenCL devices take 256 lanes a group, not all of them more. */
static size_t parts_of(const struct be_device *device) {
    return is_cuda(device) ? 1 : 2;
}

static size_t panel_lanes(const struct be_device *device) {
    return is_cuda(device) ? 512 : 256;
}

static size_t stride_of(size_t order) {
    enum { LINE = 8 };
    return (order + 1 + LINE - 1) / LINE * LINE;
}

/* ---- memory --------------------------------------------------------------------------------- */

static size_t large_apiece(const struct be_problem *problem) {
    const size_t order = solve_order(problem);
    return order * stride_of(order) * be_real_bytes(problem->real);
}

/* How many systems are worked on at a time. */
static size_t large_batch(const struct be_problem *problem) {
    const size_t systems = (size_t)problem->value[0];
    const size_t fit = large_bytes / large_apiece(problem);
    return fit < 1 ? 1 : fit < systems ? fit : systems;
}

/* Where the pivots begin. */
static size_t large_pivots(const struct be_problem *problem) {
    const size_t bytes = large_batch(problem) * large_apiece(problem);
    return (bytes + PIVOT_ALIGN - 1) / PIVOT_ALIGN * PIVOT_ALIGN;
}

size_t be_solve_batched_scratch(const struct be_problem *problem) {
    const size_t order = solve_order(problem);
    const size_t systems = (size_t)problem->value[0];
    if (order <= ROWS_MAX) {
        return 0;
    }
    if (order <= BLOCK_MAX) {
        return block_groups(order, systems) * order * rows_of(order) * be_real_bytes(problem->real);
    }
    return large_pivots(problem) + large_batch(problem) * order * sizeof(int32_t);
}

/* ---- preparing ------------------------------------------------------------------------------ */

enum be_status be_solve_batched_prepare(struct be_device *device, const struct be_problem *problem,
                                        struct be_prepared *prepared, struct be_error *error) {
    static const char *const rows[] = {"k_solve_rows", NULL};
    static const char *const block[] = {"k_solve_block", NULL};
    static const char *const large[] = {
        [START] = "k_large_start",   [PANEL] = "k_large_panel", [TOP] = "k_large_top",
        [UPDATE] = "k_large_update", [BACK] = "k_large_back",   NULL,
    };
    const struct be_program *small =
        is_cuda(device) ? &be_program_solve_cuda : &be_program_solve_small;
    const size_t order = solve_order(problem);
    char defines[256];
    if (order <= ROWS_MAX) {
        snprintf(defines, sizeof defines,
                 "#define ORDER %zu\n#define SPAN %zu\n#define GROUP_LANES %zu\n", order,
                 span_of(order), (size_t)ROWS_LANES);
        return be_prepare_kernels(device, problem, small, defines, rows, prepared, error);
    }
    if (order <= BLOCK_MAX) {
        snprintf(defines, sizeof defines,
                 "#define ORDER %zu\n#define ROWS %zu\n#define PARTS %zu\n", order, rows_of(order),
                 parts_of(device));
        return be_prepare_kernels(device, problem, small, defines, block, prepared, error);
    }
    const size_t lanes = panel_lanes(device);
    snprintf(defines, sizeof defines,
             "#define ORDER %zu\n#define STRIDE %zu\n#define PANEL_LANES %zu\n#define ROWS %zu\n",
             order, stride_of(order), lanes, (order + lanes - 1) / lanes);
    return be_prepare_kernels(device, problem, &be_program_solve_large, defines, large, prepared,
                              error);
}

/* ---- launching ------------------------------------------------------------------------------ */

static enum be_status launch_rows(const struct be_launch *launch, struct be_error *error) {
    const size_t lanes = ROWS_LANES;
    const size_t systems = lanes / span_of(solve_order(launch->problem));
    const struct be_argument argument[] = {
        BE_BUFFER(&launch->buffer[SOLVE_A]),
        BE_BUFFER(&launch->buffer[SOLVE_B]),
        BE_BUFFER(&launch->buffer[SOLVE_X]),
        BE_BUFFER(&launch->buffer[SOLVE_INFO]),
        BE_LONG(launch->first),
        BE_LONG(launch->items),
    };
    return be_launch_kernel(launch, 0, (launch->items + systems - 1) / systems, lanes, argument, 6,
                            error);
}

static enum be_status launch_block(const struct be_launch *launch, struct be_error *error) {
    const size_t order = solve_order(launch->problem);
    const size_t groups = block_groups(order, launch->items);
    const size_t lanes = rows_of(order) * parts_of(launch->device);
    const struct be_argument argument[] = {
        BE_BUFFER(&launch->buffer[SOLVE_A]),
        BE_BUFFER(&launch->buffer[SOLVE_B]),
        BE_BUFFER(&launch->buffer[SOLVE_X]),
        BE_BUFFER(&launch->buffer[SOLVE_INFO]),
        BE_BUFFER(launch->scratch),
        BE_LONG(launch->first),
        BE_LONG(launch->items),
        BE_LONG(groups),
    };
    return be_launch_kernel(launch, 0, groups, lanes, argument, 8, error);
}

/* A batch of large systems: [first, first + systems) in scratch. */
struct large {
    const struct be_launch *launch;
    size_t order, first, systems;
    struct be_argument work, pivots;
};

static enum be_status start(const struct large *b, struct be_error *error) {
    enum { LANES = 256, EACH = 8 };
    const struct be_launch *launch = b->launch;
    const size_t numbers = b->systems * b->order * (b->order + 1);
    const struct be_argument argument[] = {
        BE_BUFFER(&launch->buffer[SOLVE_A]),
        BE_BUFFER(&launch->buffer[SOLVE_B]),
        b->work,
        BE_BUFFER(&launch->buffer[SOLVE_INFO]),
        BE_LONG(b->first),
        BE_LONG(b->systems),
    };
    return be_launch_kernel(launch, START, numbers / (LANES * EACH) + 1, LANES, argument, 6, error);
}

static enum be_status panel(const struct large *b, size_t k, size_t columns, size_t left,
                            struct be_error *error) {
    const struct be_argument argument[] = {
        b->work,           b->pivots, BE_BUFFER(&b->launch->buffer[SOLVE_INFO]),
        BE_LONG(b->first), BE_INT(k), BE_INT(columns),
        BE_INT(left),
    };
    return be_launch_kernel(b->launch, PANEL, b->systems, panel_lanes(b->launch->device), argument,
                            7, error);
}

/* The columns [from, to) take the pivots [k, k + depth). */
static enum be_status take(const struct large *b, size_t k, size_t depth, size_t from, size_t to,
                           struct be_error *error) {
    const size_t chunks = (to - from + COLUMN_LANES - 1) / COLUMN_LANES;
    const struct be_argument top[] = {
        b->work, b->pivots, BE_INT(k), BE_INT(depth), BE_INT(from), BE_INT(to), BE_INT(chunks),
    };
    enum be_status status =
        be_launch_kernel(b->launch, TOP, b->systems * chunks, COLUMN_LANES, top, 7, error);
    const size_t rows = b->order - k - depth;
    const size_t down = (rows + TILE_ROWS - 1) / TILE_ROWS;
    const size_t across = (to - from + TILE_COLUMNS - 1) / TILE_COLUMNS;
    if (status != BE_OK || rows == 0) {
        return status;
    }
    const struct be_argument update[] = {
        b->work, BE_INT(k), BE_INT(depth), BE_INT(from), BE_INT(to), BE_INT(down), BE_INT(across),
    };
    return be_launch_kernel(b->launch, UPDATE, b->systems * down * across, TILE_LANES, update, 7,
                            error);
}

/* A pair of panels from column k on. */
static enum be_status factor_pair(const struct large *b, size_t k, struct be_error *error) {
    const size_t left = b->order - k;
    const size_t one = left < DEPTH ? left : DEPTH;
    const size_t two = left - one < DEPTH ? left - one : DEPTH;
    enum be_status status = panel(b, k, one, 0, error);
    if (status == BE_OK && two > 0) {
        status = take(b, k, one, k + one, k + one + two, error);
        status = status == BE_OK ? panel(b, k + one, two, one, error) : status;
    }
    return status == BE_OK ? take(b, k, one + two, k + one + two, b->order + 1, error) : status;
}

static enum be_status launch_batch(const struct large *b, struct be_error *error) {
    enum be_status status = start(b, error);
    for (size_t k = 0; status == BE_OK && k < b->order; k += (size_t)2 * DEPTH) {
        status = factor_pair(b, k, error);
    }
    const struct be_argument back[] = {
        b->work,
        BE_BUFFER(&b->launch->buffer[SOLVE_X]),
        BE_BUFFER(&b->launch->buffer[SOLVE_INFO]),
        BE_LONG(b->first),
    };
    return status == BE_OK
               ? be_launch_kernel(b->launch, BACK, b->systems, TILE_LANES, back, 4, error)
               : status;
}

static enum be_status launch_large(const struct be_launch *launch, struct be_error *error) {
    const size_t batch = large_batch(launch->problem);
    struct large b = {.launch = launch,
                      .order = solve_order(launch->problem),
                      .work = BE_BUFFER(launch->scratch),
                      .pivots = BE_BUFFER_FROM(launch->scratch, large_pivots(launch->problem))};
    enum be_status status = BE_OK;
    for (size_t i = 0; status == BE_OK && i < launch->items; i += batch) {
        b.first = launch->first + i;
        b.systems = launch->items - i < batch ? launch->items - i : batch;
        status = launch_batch(&b, error);
    }
    return status;
}

enum be_status be_solve_batched_enqueue(const struct be_launch *launch, struct be_error *error) {
    const size_t order = solve_order(launch->problem);
    return order <= ROWS_MAX    ? launch_rows(launch, error)
           : order <= BLOCK_MAX ? launch_block(launch, error)
                                : launch_large(launch, error);
}
