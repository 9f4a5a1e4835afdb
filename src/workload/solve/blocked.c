/*
 * solve, large systems one after the other, on a device whose groups see each other's shared memory:
 * the columns are halved until few are left (Toledo 1997), so that most of the work is in large
 * products of the vendor's library; those few are factored in panels (tall.cl, solve_halves.cl).
 * b goes along as a column of its own.
 */
#include <stdio.h>

#include "base/error.h"
#include "kernel_programs.h"
#include "workload/solve/solve.h"

enum { START, PANEL, PANEL_2, PANEL_3, PANEL_4, TOP, UPDATE, FOLLOW, FOUND, REST, KERNELS };
/* As the kernels have it. */
enum {
    CLUSTER = 16,
    DEPTH = 16,
    COLUMN_LANES = 64,
    TILE_ROWS = 128,
    TILE_COLUMNS = 64,
    LANES = 256,
    STRIP = 32,
    STRIP_LANES = 512,
    BACK = 64,
    WARPS = 8,
};
/* Columns that are factored by panels, and rows that go through their triangle in one launch. */
enum { FEW = 128, FEW_ROWS = 256 };
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
        [START] = "k_large_start",
        [PANEL] = "k_tall_panel",
        [PANEL_2] = "k_tall_panel_2",
        [PANEL_3] = "k_tall_panel_3",
        [PANEL_4] = "k_tall_panel_4",
        [TOP] = "k_tall_top",
        [UPDATE] = "k_large_update",
        [FOLLOW] = "k_tall_follow",
        [FOUND] = "k_tall_found",
        [REST] = "k_tall_rest",
        [KERNELS] = NULL,
    };
    const size_t order = solve_order(problem);
    char defines[256];
    *prepared = (struct be_prepared){0};
    if (!device->ops->extras->neighbours || device->ops->extras->neighbours(device) < CLUSTER) {
        return be_fail(error, BE_ABSENT,
                       "%s: its groups do not see each other's shared memory (CUDA: from compute "
                       "capability 9.0 on)",
                       device->info.id);
    }
    snprintf(defines, sizeof defines,
             "#define ORDER %zu\n#define STRIDE %zu\n#define PANEL_LANES %d\n#define ROWS 1\n",
             order, stride_of(order), LANES);
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
    const size_t apiece = (t->order - k + SOLVE_BLOCKED_ROWS - 1) / SOLVE_BLOCKED_ROWS;
    const struct be_argument argument[] = {
        t->work, t->pivots, t->info, BE_LONG(t->system), BE_INT(k), BE_INT(columns),
    };
    return be_launch_kernel(t->launch, PANEL - 1 + (int)apiece, CLUSTER, LANES, argument, 6, error);
}

/* All columns but the panel's own: the swaps of its pivots, and in those between it and `solved` its
 * triangle. */
static enum be_status top(const struct tall *t, size_t k, size_t depth, size_t solved,
                          struct be_error *error) {
    const struct be_argument argument[] = {
        t->work, t->pivots, BE_INT(k), BE_INT(depth), BE_INT(solved),
    };
    return be_launch_kernel(t->launch, TOP, t->order / COLUMN_LANES + 1, COLUMN_LANES, argument, 5,
                            error);
}

/* Rows from k + depth on, columns [k + depth, to): less the product of what is left and above. */
static enum be_status update(const struct tall *t, size_t k, size_t depth, size_t to,
                             struct be_error *error) {
    const size_t from = k + depth;
    if (to <= from) {
        return BE_OK;
    }
    const size_t down = (t->order - from + TILE_ROWS - 1) / TILE_ROWS;
    const size_t across = (to - from + TILE_COLUMNS - 1) / TILE_COLUMNS;
    const struct be_argument argument[] = {
        t->work, BE_INT(k), BE_INT(depth), BE_INT(from), BE_INT(to), BE_INT(down), BE_INT(across),
    };
    return be_launch_kernel(t->launch, UPDATE, down * across, LANES, argument, 7, error);
}

/* A part of the system; `to` may be one more than its order, b. */
struct span {
    size_t from, to;
};

/* Rows and columns of A less the product of what `done`, of both, says: a row of ours is a column of
 * the library's. */
static enum be_status multiply(const struct tall *t, struct span done, struct span rows,
                               struct span columns, struct be_error *error) {
    const size_t each = be_real_bytes(t->launch->problem->real);
    const size_t stride = stride_of(t->order);
    const struct be_buffer *work = t->work.buffer;
    const int64_t lead = (int64_t)stride;
    const struct be_gemm gemm = {
        .precision = t->launch->problem->real == BE_REAL64 ? BE_FLOAT64 : BE_FLOAT32,
        .m = (int64_t)(columns.to - columns.from),
        .n = (int64_t)(rows.to - rows.from),
        .k = (int64_t)(done.to - done.from),
        .alpha = -1,
        .beta = 1,
        .a = {work, (done.from * stride + columns.from) * each, lead},
        .b = {work, (rows.from * stride + done.from) * each, lead},
        .c = {work, (rows.from * stride + columns.from) * each, lead},
    };
    return t->launch->device->ops->blas->gemm(t->launch->device, &t->launch->prepared->blas, &gemm,
                                              error);
}

/* The rows of what is `done`, in columns behind it, through its triangle: halves of it, each of which
 * has all of the other's products taken from it at once. */
static enum be_status follow(const struct tall *t, struct span done, struct span columns,
                             struct be_error *error) {
    const size_t many = done.to - done.from;
    if (many <= FEW_ROWS) {
        const struct be_argument argument[] = {
            t->work, BE_INT(done.from), BE_INT(done.to), BE_INT(columns.from), BE_INT(columns.to),
        };
        return be_launch_kernel(t->launch, FOLLOW, (columns.to - columns.from + STRIP - 1) / STRIP,
                                STRIP_LANES, argument, 5, error);
    }
    const size_t half = done.from + (many / 2 + FEW_ROWS - 1) / FEW_ROWS * FEW_ROWS;
    const struct span upper = {done.from, half};
    const struct span lower = {half, done.to};
    enum be_status status = follow(t, upper, columns, error);
    status = status == BE_OK ? multiply(t, upper, lower, columns, error) : status;
    return status == BE_OK ? follow(t, lower, columns, error) : status;
}

/* Few columns, by panels; the others take no more than their swaps. b comes behind the last ones. */
static enum be_status factor_few(const struct tall *t, struct span own, struct be_error *error) {
    const struct span right = {t->order, t->order + 1};
    enum be_status status = BE_OK;
    for (size_t k = own.from; status == BE_OK && k < own.to; k += DEPTH) {
        const size_t depth = own.to - k < DEPTH ? own.to - k : DEPTH;
        status = panel(t, k, depth, error);
        status = status == BE_OK ? top(t, k, depth, own.to, error) : status;
        status = status == BE_OK ? update(t, k, depth, own.to, error) : status;
    }
    return status == BE_OK && own.to == t->order ? follow(t, own, right, error) : status;
}

static enum be_status factor(const struct tall *t, struct span own, struct be_error *error) {
    const size_t many = own.to - own.from;
    if (many <= FEW) {
        return factor_few(t, own, error);
    }
    const size_t half = own.from + (many / 2 + FEW - 1) / FEW * FEW;
    const struct span left = {own.from, half};
    const struct span right = {half, own.to};
    const struct span columns = {half, own.to == t->order ? own.to + 1 : own.to};
    const struct span below = {half, t->order};
    enum be_status status = factor(t, left, error);
    status = status == BE_OK ? follow(t, left, columns, error) : status;
    status = status == BE_OK ? multiply(t, left, below, columns, error) : status;
    return status == BE_OK ? factor(t, right, error) : status;
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
    const struct span all = {0, t->order};
    enum be_status status = start(t, error);
    status = status == BE_OK ? factor(t, all, error) : status;
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
