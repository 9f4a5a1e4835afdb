/*
 * solve, large systems one after the other, on a device: no exchanges of rows, which take most of the
 * time where the factors have them, but between rows of a block. Random butterflies come before, and
 * corrections after (butterfly.cl says more). The columns are halved as in blocked.c.
 */
#include <stdio.h>

#include "base/error.h"
#include "kernel_programs.h"
#include "workload/solve/solve.h"

enum {
    START,
    REST,
    SCALE,
    MIX,
    EDGE,
    INVERT,
    COPY,
    PRODUCT,
    RIGHT,
    LESS,
    FOUND,
    CORRECT,
    JUDGE,
    END,
    KERNELS
};
/* As the kernels have it. */
enum { BLOCK = 128, TILE = 64, ROWS = 8, LANES = 256, INVERT_LANES = 512 };
/* A solution, a correction without which it is not known how good that was, and four more: two or three
 * rounds are usual, and what is not done by then is left to exchanges of rows. */
enum { ROUNDS = 6 };
enum { ALIGN = 4096, LINE = 16 }; /* parts of buffers begin where any device lets them */

static size_t padded(size_t order) {
    return (order + BLOCK - 1) / BLOCK * BLOCK;
}

static size_t stride_of(size_t order) {
    return padded(order) + LINE; /* powers of 2 are slow */
}

/* Bytes from the start of the scratch: W; the inverses of its diagonal's blocks; a block's columns; and
 * vectors. */
struct capacity {
    size_t w, inverse, columns, y, z, rest, step, squares, scale, done, end;
};

static size_t take(size_t *end, size_t bytes) {
    const size_t start = *end;
    *end = (start + bytes + ALIGN - 1) / ALIGN * ALIGN;
    return start;
}

static struct capacity lay_out(const struct be_problem *problem) {
    const size_t order = solve_order(problem);
    const size_t vector = padded(order) * sizeof(double);
    struct capacity capacity = {0};
    capacity.w = take(&capacity.end, stride_of(order) * vector);
    capacity.inverse = take(&capacity.end, BLOCK * vector);
    capacity.columns = take(&capacity.end, BLOCK * vector);
    size_t *const vectors[] = {&capacity.y,    &capacity.z,       &capacity.rest,
                               &capacity.step, &capacity.squares, &capacity.scale};
    for (size_t i = 0; i < BE_COUNT(vectors); i++) {
        *vectors[i] = take(&capacity.end, vector);
    }
    capacity.done = take(&capacity.end, sizeof(int32_t));
    return capacity;
}

size_t be_solve_butterfly_scratch(const struct be_problem *problem) {
    return lay_out(problem).end;
}

/* Some devices have a library of products. */
static bool has_library(const struct be_device *device) {
    return device->ops->blas && device->ops->blas->gemm;
}

enum be_status be_solve_butterfly_prepare(struct be_device *device,
                                          const struct be_problem *problem,
                                          struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {
        [START] = "k_refine_start", [REST] = "k_refine_rest",    [SCALE] = "k_fly_scale",
        [MIX] = "k_fly_mix",        [EDGE] = "k_fly_edge",       [INVERT] = "k_fly_invert",
        [COPY] = "k_fly_copy",      [PRODUCT] = "k_fly_product", [RIGHT] = "k_fly_right",
        [LESS] = "k_fly_less",      [FOUND] = "k_fly_found",     [CORRECT] = "k_fly_correct",
        [JUDGE] = "k_fly_judge",    [END] = "k_fly_end",         [KERNELS] = NULL,
    };
    const size_t order = solve_order(problem);
    char defines[256];
    *prepared = (struct be_prepared){0};
    snprintf(defines, sizeof defines,
             "#define TO REAL\n#define ORDER %zu\n#define PADDED %zu\n#define STRIDE %zu\n", order,
             padded(order), stride_of(order));
    enum be_status status = be_prepare_kernels(device, problem, &be_program_solve_butterfly,
                                               defines, names, prepared, error);
    if (status == BE_OK && has_library(device)) {
        status = device->ops->blas->open(device, &prepared->blas, error);
    }
    if (status != BE_OK) {
        be_solve_blocked_discard(device, prepared);
    }
    return status;
}

/* ---- launching ------------------------------------------------------------------------------ */

struct fly {
    const struct be_launch *launch;
    size_t order, padded, stride, system;
    struct capacity capacity;
};

static struct be_argument from(const struct fly *f, size_t offset) {
    return (struct be_argument)BE_BUFFER_FROM(f->launch->scratch, offset);
}

static size_t w_at(const struct fly *f, size_t row, size_t column) {
    return f->capacity.w + (row * f->stride + column) * sizeof(double);
}

/* A lane a number. */
static enum be_status vector(const struct fly *f, int kernel, const struct be_argument *argument,
                             int count, struct be_error *error) {
    return be_launch_kernel(f->launch, kernel, (f->padded + LANES - 1) / LANES, LANES, argument,
                            count, error);
}

/* A matrix in rows. */
struct rows {
    size_t at, stride; /* bytes; numbers */
};

/* C (m x n) = A B, or C - A B: a row of ours is a column of the library's. */
static enum be_status product(const struct fly *f, bool less, size_t m, size_t n, size_t k,
                              struct rows a, struct rows b, struct rows c, struct be_error *error) {
    struct be_device *device = f->launch->device;
    const struct be_buffer *scratch = f->launch->scratch;
    if (!f->launch->prepared->blas.handle) {
        const struct be_argument argument[] = {
            BE_BUFFER(scratch), BE_LONG(a.at / sizeof(double)),
            BE_INT(a.stride),   BE_LONG(b.at / sizeof(double)),
            BE_INT(b.stride),   BE_LONG(c.at / sizeof(double)),
            BE_INT(c.stride),   BE_INT(n),
            BE_INT(k),          BE_INT(less),
        };
        return be_launch_kernel(f->launch, PRODUCT, m / TILE * (n / TILE), LANES, argument, 10,
                                error);
    }
    const struct be_gemm gemm = {
        .precision = BE_FLOAT64,
        .m = (int64_t)n,
        .n = (int64_t)m,
        .k = (int64_t)k,
        .alpha = less ? -1 : 1,
        .beta = less ? 1 : 0,
        .a = {scratch, b.at, (int64_t)b.stride},
        .b = {scratch, a.at, (int64_t)a.stride},
        .c = {scratch, c.at, (int64_t)c.stride},
    };
    return device->ops->blas->gemm(device, &f->launch->prepared->blas, &gemm, error);
}

/* Rows or columns of W. */
struct span {
    size_t from, to;
};

static size_t many(struct span span) {
    return span.to - span.from;
}

/* Behind the upper half of a span. */
static size_t middle(struct span span) {
    return span.from + (many(span) / 2 + BLOCK - 1) / BLOCK * BLOCK;
}

/* W less the product of what is done, its columns and its rows. */
static enum be_status multiply(const struct fly *f, struct span done, struct span rows,
                               struct span columns, struct be_error *error) {
    const struct rows a = {w_at(f, rows.from, done.from), f->stride};
    const struct rows b = {w_at(f, done.from, columns.from), f->stride};
    const struct rows c = {w_at(f, rows.from, columns.from), f->stride};
    return many(rows) == 0 || many(columns) == 0
               ? BE_OK
               : product(f, true, many(rows), many(columns), many(done), a, b, c, error);
}

/* The rows of what is done, in columns behind it. A block's own are as they have to be. */
static enum be_status follow(const struct fly *f, struct span done, struct span columns,
                             struct be_error *error) {
    if (many(done) <= BLOCK) {
        return BE_OK;
    }
    const struct span upper = {done.from, middle(done)};
    const struct span lower = {middle(done), done.to};
    enum be_status status = follow(f, upper, columns, error);
    status = status == BE_OK ? multiply(f, upper, lower, columns, error) : status;
    return status == BE_OK ? follow(f, lower, columns, error) : status;
}

/* A block's columns: its inverse, and what is below it times that. */
static enum be_status factor_block(const struct fly *f, size_t k, struct be_error *error) {
    const size_t below = f->padded - k - BLOCK;
    const struct be_argument invert[] = {from(f, f->capacity.w), from(f, f->capacity.inverse),
                                         BE_INT(k)};
    const struct be_argument copy[] = {from(f, f->capacity.w), from(f, f->capacity.columns),
                                       BE_INT(k + BLOCK), BE_INT(k)};
    const struct rows a = {f->capacity.columns, BLOCK};
    const struct rows b = {f->capacity.inverse + k * BLOCK * sizeof(double), BLOCK};
    const struct rows c = {w_at(f, k + BLOCK, k), f->stride};
    enum be_status status = be_launch_kernel(f->launch, INVERT, 1, INVERT_LANES, invert, 3, error);
    if (status == BE_OK && below > 0) {
        status =
            be_launch_kernel(f->launch, COPY, below * BLOCK / 2 / LANES, LANES, copy, 4, error);
        status = status == BE_OK ? product(f, false, below, BLOCK, BLOCK, a, b, c, error) : status;
    }
    return status;
}

static enum be_status factor(const struct fly *f, struct span own, struct be_error *error) {
    if (many(own) <= BLOCK) {
        return factor_block(f, own.from, error);
    }
    const struct span left = {own.from, middle(own)};
    const struct span right = {middle(own), own.to};
    const struct span below = {middle(own), f->padded};
    enum be_status status = factor(f, left, error);
    status = status == BE_OK ? follow(f, left, right, error) : status;
    status = status == BE_OK ? multiply(f, left, below, right, error) : status;
    return status == BE_OK ? factor(f, right, error) : status;
}

/* W of this system. */
static enum be_status mix(const struct fly *f, struct be_error *error) {
    const size_t quarter = (f->order + 3) / 4;
    const size_t across = (quarter + LANES - 1) / LANES;
    const struct be_argument scale[] = {from(f, f->capacity.squares), from(f, f->capacity.scale)};
    const struct be_argument mixed[] = {BE_BUFFER(&f->launch->buffer[SOLVE_A]),
                                        from(f, f->capacity.scale), from(f, f->capacity.w),
                                        BE_LONG(f->system), BE_INT(across)};
    const struct be_argument edge[] = {from(f, f->capacity.w)};
    enum be_status status = vector(f, SCALE, scale, 2, error);
    if (status == BE_OK) {
        status = be_launch_kernel(f->launch, MIX, quarter * across, LANES, mixed, 5, error);
    }
    return status == BE_OK ? vector(f, EDGE, edge, 1, error) : status;
}

/* y, and x's, through W: downwards by L, upwards by D. */
static enum be_status through(const struct fly *f, struct be_error *error) {
    const struct be_argument w = from(f, f->capacity.w);
    const struct be_argument inverse = from(f, f->capacity.inverse);
    const struct be_argument y = from(f, f->capacity.y);
    const struct be_argument z = from(f, f->capacity.z);
    const struct be_argument done = from(f, f->capacity.done);
    enum be_status status = BE_OK;
    for (size_t k = 0; status == BE_OK && k + BLOCK < f->padded; k += BLOCK) {
        const struct be_argument less[] = {w, y, done, y, BE_INT(k), BE_INT(k + BLOCK)};
        status = be_launch_kernel(f->launch, LESS, (f->padded - k - BLOCK) / ROWS, LANES, less, 6,
                                  error);
    }
    for (size_t k = f->padded; status == BE_OK && k > 0; k -= BLOCK) {
        const size_t begin = k - BLOCK;
        const struct be_argument found[] = {inverse, y, done, z, BE_INT(begin)};
        const struct be_argument less[] = {w, z, done, y, BE_INT(begin), BE_INT(0)};
        status = be_launch_kernel(f->launch, FOUND, BLOCK / ROWS, LANES, found, 5, error);
        if (status == BE_OK && begin > 0) {
            status = be_launch_kernel(f->launch, LESS, begin / ROWS, LANES, less, 6, error);
        }
    }
    return status;
}

/* The residual; it is b in the beginning. */
static enum be_status rest(const struct fly *f, struct be_error *error) {
    const struct be_argument argument[] = {
        BE_BUFFER(&f->launch->buffer[SOLVE_A]),
        BE_BUFFER(&f->launch->buffer[SOLVE_B]),
        BE_BUFFER(&f->launch->buffer[SOLVE_X]),
        from(f, f->capacity.rest),
        from(f, f->capacity.squares),
        from(f, f->capacity.step),
        from(f, f->capacity.done),
        BE_LONG(f->system),
    };
    return be_launch_kernel(f->launch, REST, f->order, LANES, argument, 8, error);
}

/* A correction of x, and what is left. A device that is done does nothing in what follows: the host
 * does not wait to see. */
static enum be_status correct(const struct fly *f, struct be_error *error) {
    const struct be_argument x = BE_BUFFER(&f->launch->buffer[SOLVE_X]);
    const struct be_argument done = from(f, f->capacity.done);
    const struct be_argument z = from(f, f->capacity.z);
    const struct be_argument system = BE_LONG(f->system);
    const struct be_argument right[] = {from(f, f->capacity.step), from(f, f->capacity.scale), done,
                                        from(f, f->capacity.y)};
    const struct be_argument more[] = {z, done, x, system};
    const struct be_argument judge[] = {
        BE_BUFFER(&f->launch->buffer[SOLVE_B]),
        x,
        from(f, f->capacity.rest),
        from(f, f->capacity.squares),
        z,
        done,
        system,
        be_launch_real(f->launch, solve_refined_enough(f->order)),
    };
    enum be_status status = vector(f, RIGHT, right, 4, error);
    status = status == BE_OK ? through(f, error) : status;
    status = status == BE_OK ? vector(f, CORRECT, more, 4, error) : status;
    status = status == BE_OK ? rest(f, error) : status;
    return status == BE_OK ? be_launch_kernel(f->launch, JUDGE, 1, LANES, judge, 8, error) : status;
}

static enum be_status solve_one(const struct fly *f, struct be_error *error) {
    const struct span all = {0, f->padded};
    const struct be_argument x = BE_BUFFER(&f->launch->buffer[SOLVE_X]);
    const struct be_argument done = from(f, f->capacity.done);
    const struct be_argument system = BE_LONG(f->system);
    const struct be_argument start[] = {BE_BUFFER(&f->launch->buffer[SOLVE_B]), x,
                                        from(f, f->capacity.step), done, system};
    const struct be_argument end[] = {done, x, BE_BUFFER(&f->launch->buffer[SOLVE_INFO]), system,
                                      BE_INT(SOLVE_VAGUE)};
    enum be_status status = vector(f, START, start, 5, error);
    status = status == BE_OK ? rest(f, error) : status;
    status = status == BE_OK ? mix(f, error) : status;
    status = status == BE_OK ? factor(f, all, error) : status;
    for (int i = 0; status == BE_OK && i < ROUNDS; i++) {
        status = correct(f, error);
    }
    return status == BE_OK ? vector(f, END, end, 5, error) : status;
}

enum be_status be_solve_butterfly_enqueue(const struct be_launch *launch, struct be_error *error) {
    const size_t order = solve_order(launch->problem);
    struct fly f = {.launch = launch,
                    .order = order,
                    .padded = padded(order),
                    .stride = stride_of(order),
                    .capacity = lay_out(launch->problem)};
    enum be_status status = BE_OK;
    for (size_t i = 0; status == BE_OK && i < launch->items; i++) {
        f.system = launch->first + i;
        status = solve_one(&f, error);
    }
    return status;
}
