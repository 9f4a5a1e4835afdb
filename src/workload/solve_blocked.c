/*
 * solve, large systems one after the other, on a device whose groups see each other's shared memory:
 * blocks of columns, each factored in panels (solve_tall.cl), then all that is right of it and below
 * by one product of the vendor's library. b goes along as a column of its own.
 */
#include <stdio.h>

#include "base/error.h"
#include "kernels/kernels.h"
#include "workload/solve.h"

enum { START, PANEL, PANEL_ONE, TOP, UPDATE, FOUND, REST, KERNELS };
/* As the kernels have it. */
enum {
    CLUSTER = 16,
    DEPTH = 16,
    PAIR = 2 * DEPTH,
    COLUMN_LANES = 64,
    TILE_ROWS = 128,
    TILE_COLUMNS = 64,
    LANES = 256,
    BACK = 64,
    WARPS = 8,
};
/* Columns of a block: the product is the faster the deeper it is, what is before it the slower. */
enum { OUTER = 256 };
enum { ALIGN = 4096, LINE = 8 };

static size_t stride_of(size_t order) {
    return (order + 1 + LINE - 1) / LINE * LINE;
}

static size_t pivots_at(const struct be_problem *problem) {
    const size_t order = solve_order(problem);
    return (order * stride_of(order) * be_real_bytes(problem->real) + ALIGN - 1) / ALIGN * ALIGN;
}

size_t be_solve_blocked_scratch(const struct be_problem *problem) {
    return pivots_at(problem) + solve_order(problem) * sizeof(int32_t);
}

void be_solve_blocked_discard(struct be_device *device, struct be_prepared *prepared) {
    if (prepared->blas.handle) {
        device->ops->blas->close(device, &prepared->blas);
    }
    be_discard_kernels(device, prepared);
}

enum be_status be_solve_blocked_prepare(struct be_device *device, const struct be_problem *problem,
                                        struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {
        [START] = "k_large_start",        [PANEL] = "k_tall_panel",
        [PANEL_ONE] = "k_tall_panel_one", [TOP] = "k_large_top",
        [UPDATE] = "k_large_update",      [FOUND] = "k_tall_found",
        [REST] = "k_tall_rest",           [KERNELS] = NULL,
    };
    const size_t order = solve_order(problem);
    char defines[256];
    *prepared = (struct be_prepared){0};
    if (!device->ops->neighbours || device->ops->neighbours(device) < CLUSTER) {
        return be_fail(error, BE_ABSENT,
                       "%s: its groups do not see each other's shared memory (CUDA: from compute "
                       "capability 9.0 on)",
                       device->info.id);
    }
    snprintf(defines, sizeof defines,
             "#define ORDER %zu\n#define STRIDE %zu\n#define PANEL_LANES %d\n#define ROWS 1\n"
             "#define TALL_ROWS %zu\n",
             order, stride_of(order), LANES, (order + SOLVE_BLOCKED_ROWS - 1) / SOLVE_BLOCKED_ROWS);
    enum be_status status = be_prepare_kernels(device, problem, &be_program_solve_tall, defines,
                                               names, prepared, error);
    status = status == BE_OK ? device->ops->blas->open(device, &prepared->blas, error) : status;
    if (status != BE_OK) {
        be_solve_blocked_discard(device, prepared);
    }
    return status;
}

/* ---- launching ------------------------------------------------------------------------------ */

struct tall {
    const struct be_launch *launch;
    size_t order, system;
    struct be_argument work, pivots, info;
};

static enum be_status start(const struct tall *t, struct be_error *error) {
    enum { EACH = 8 };
    const size_t numbers = t->order * (t->order + 1);
    const struct be_argument argument[] = {
        BE_BUFFER(&t->launch->buffer[SOLVE_A]),
        BE_BUFFER(&t->launch->buffer[SOLVE_B]),
        t->work,
        t->info,
        BE_LONG(t->system),
        BE_LONG(1),
    };
    return be_launch_kernel(t->launch, START, numbers / (LANES * EACH) + 1, LANES, argument, 6,
                            error);
}

static enum be_status panel(const struct tall *t, size_t k, size_t columns,
                            struct be_error *error) {
    enum { MOST = SOLVE_BLOCKED_ROWS / CLUSTER, LEAST = 128 };
    const size_t rows = t->order - k;
    size_t lanes = MOST;
    while (lanes > LEAST && rows <= lanes / 2 * CLUSTER) {
        lanes /= 2;
    }
    const struct be_argument argument[] = {
        t->work, t->pivots, t->info, BE_LONG(t->system), BE_INT(k), BE_INT(columns),
    };
    return be_launch_kernel(t->launch, rows <= SOLVE_BLOCKED_ROWS ? PANEL_ONE : PANEL, CLUSTER,
                            lanes, argument, 6, error);
}

/* Columns [from, to) but the panel's own: the swaps of pivots [k, k + depth), unless `made`, and in
 * those between it and `solved` their triangle. */
static enum be_status top(const struct tall *t, size_t k, size_t depth, size_t from, size_t to,
                          size_t solved, bool made, struct be_error *error) {
    const size_t chunks = (to - from + COLUMN_LANES - 1) / COLUMN_LANES;
    const struct be_argument argument[] = {
        t->work,    t->pivots,      BE_INT(k),    BE_INT(depth),  BE_INT(from),
        BE_INT(to), BE_INT(chunks), BE_INT(made), BE_INT(solved),
    };
    return be_launch_kernel(t->launch, TOP, chunks, COLUMN_LANES, argument, 9, error);
}

/* Rows [k + depth, bottom) of columns [from, to), less the product of what is left and above. */
static enum be_status update(const struct tall *t, size_t k, size_t depth, size_t from, size_t to,
                             size_t bottom, struct be_error *error) {
    if (bottom <= k + depth || to <= from) {
        return BE_OK;
    }
    const size_t down = (bottom - k - depth + TILE_ROWS - 1) / TILE_ROWS;
    const size_t across = (to - from + TILE_COLUMNS - 1) / TILE_COLUMNS;
    const struct be_argument argument[] = {
        t->work,    BE_INT(k),    BE_INT(depth),  BE_INT(from),
        BE_INT(to), BE_INT(down), BE_INT(across), BE_INT(bottom),
    };
    return be_launch_kernel(t->launch, UPDATE, down * across, LANES, argument, 8, error);
}

/* Columns [begin, end), by panels; the others take no more than their swaps. */
static enum be_status factor_block(const struct tall *t, size_t begin, size_t end,
                                   struct be_error *error) {
    enum be_status status = BE_OK;
    for (size_t k = begin; status == BE_OK && k < end; k += DEPTH) {
        const size_t depth = end - k < DEPTH ? end - k : DEPTH;
        status = panel(t, k, depth, error);
        status =
            status == BE_OK ? top(t, k, depth, begin, t->order + 1, end, false, error) : status;
        status = status == BE_OK ? update(t, k, depth, k + depth, end, t->order, error) : status;
    }
    return status;
}

/* The product that makes up for a block in the rows and columns behind it. A row of ours is a column
 * of the library's. */
static enum be_status multiply(const struct tall *t, size_t begin, size_t end,
                               struct be_error *error) {
    const size_t each = be_real_bytes(t->launch->problem->real);
    const size_t stride = stride_of(t->order);
    const struct be_buffer *work = t->work.buffer;
    const int64_t lead = (int64_t)stride;
    const struct be_gemm gemm = {
        .precision = t->launch->problem->real == BE_REAL64 ? BE_FLOAT64 : BE_FLOAT32,
        .m = (int64_t)(t->order + 1 - end),
        .n = (int64_t)(t->order - end),
        .k = (int64_t)(end - begin),
        .alpha = -1,
        .beta = 1,
        .a = {work, (begin * stride + end) * each, lead},
        .b = {work, (end * stride + begin) * each, lead},
        .c = {work, (end * stride + end) * each, lead},
    };
    return gemm.n == 0 ? BE_OK
                       : t->launch->device->ops->blas->gemm(
                             t->launch->device, &t->launch->prepared->blas, &gemm, error);
}

/* What lies right of the block [begin, end): its rows, all below. */
static enum be_status follow_block(const struct tall *t, size_t begin, size_t end,
                                   struct be_error *error) {
    const size_t to = t->order + 1;
    enum be_status status = BE_OK;
    for (size_t k = begin; status == BE_OK && k < end; k += PAIR) {
        const size_t depth = end - k < PAIR ? end - k : PAIR;
        status = top(t, k, depth, end, to, to, true, error);
        status = status == BE_OK ? update(t, k, depth, end, to, end, error) : status;
    }
    return status == BE_OK ? multiply(t, begin, end, error) : status;
}

static enum be_status back(const struct tall *t, struct be_error *error) {
    const struct be_argument x = BE_BUFFER(&t->launch->buffer[SOLVE_X]);
    enum be_status status = BE_OK;
    for (size_t i = (t->order + BACK - 1) / BACK; status == BE_OK && i-- > 0;) {
        const size_t begin = i * BACK;
        const struct be_argument found[] = {t->work, x, t->info, BE_LONG(t->system), BE_INT(begin)};
        const struct be_argument rest[] = {t->work, x, BE_LONG(t->system), BE_INT(begin)};
        status = be_launch_kernel(t->launch, FOUND, 1, LANES, found, 5, error);
        if (status == BE_OK && begin > 0) {
            status = be_launch_kernel(t->launch, REST, (begin + WARPS - 1) / WARPS, LANES, rest, 4,
                                      error);
        }
    }
    return status;
}

static enum be_status solve_one(const struct tall *t, struct be_error *error) {
    enum be_status status = start(t, error);
    for (size_t begin = 0; status == BE_OK && begin < t->order; begin += OUTER) {
        const size_t end = t->order - begin < OUTER ? t->order : begin + OUTER;
        status = factor_block(t, begin, end, error);
        status = status == BE_OK ? follow_block(t, begin, end, error) : status;
    }
    return status == BE_OK ? back(t, error) : status;
}

enum be_status be_solve_blocked_enqueue(const struct be_launch *launch, struct be_error *error) {
    struct tall t = {.launch = launch,
                     .order = solve_order(launch->problem),
                     .work = BE_BUFFER(launch->scratch),
                     .pivots = BE_BUFFER_FROM(launch->scratch, pivots_at(launch->problem)),
                     .info = BE_BUFFER(&launch->buffer[SOLVE_INFO])};
    enum be_status status = BE_OK;
    for (size_t i = 0; status == BE_OK && i < launch->items; i++) {
        t.system = launch->first + i;
        status = solve_one(&t, error);
    }
    return status;
}
