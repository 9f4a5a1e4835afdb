/*
 * Several sweeps in one pass over the grid. A member takes its band of rows strip after strip, and a strip from top to
 * bottom: as soon as a row of a sweep has its neighbours, it is computed from the last three rows of the sweep before,
 * which lie in the core's caches. Memory is read and written once a pass. Points that a strip needs beside it are
 * computed once more, so that strips and members do not wait for each other within a pass.
 */
#include "workload/stencil/stencil.h"

#include <string.h>

#include "workload/stencil/simd.h"

enum {
    RING = 3, /* rows of a sweep that are kept */
    STRIP_BYTES =
        4096, /* of a row: all rows that are kept take 96 KiB (tried on a Zen 4: docs/workloads/stencil.md) */
    SWEEPS_MAX = 8, /* a pass */
    BESIDE =
        16 /* points on either side of a strip: no fewer than sweeps a pass, and a whole line */
};

static size_t row_bytes(const struct be_problem *problem) {
    return be_stencil_side(problem) * be_real_bytes(problem->real);
}

/* A row of a strip, its points on either side, and a line on either side that these look at. */
static size_t ring_stride(const struct be_problem *problem) {
    return STRIP_BYTES + 4 * BESIDE * be_real_bytes(problem->real);
}

static size_t ring_bytes(const struct be_problem *problem) {
    return (SWEEPS_MAX - 1) * RING * ring_stride(problem);
}

static size_t grid_bytes(const struct be_problem *problem) {
    const size_t bytes = be_stencil_side(problem) * row_bytes(problem);
    return (bytes + BE_WHOLE_ALIGN - 1) / BE_WHOLE_ALIGN * BE_WHOLE_ALIGN;
}

size_t be_stencil_bands_scratch(const struct be_problem *problem, int members) {
    return grid_bytes(problem) + (size_t)members * ring_bytes(problem);
}

/* One member's pass over a strip. */
struct pass {
    const struct be_problem *problem;
    size_t n, real;     /* points a row, bytes a point */
    size_t sweeps;      /* in this pass */
    size_t first, rows; /* the band */
    size_t left, right; /* the strip: columns left .. right - 1 */
    const char *from;   /* grids */
    char *to, *ring;    /* ring: sweep after sweep of the pass but the last */
};

/* A point after sweep k of the pass. */
static char *point_at(const struct pass *p, size_t k, size_t row, size_t column) {
    if (k == p->sweeps) {
        return p->to + (row * p->n + column) * p->real;
    }
    return p->ring + ((k - 1) * RING + row % RING) * ring_stride(p->problem) +
           (column + 2 * BESIDE - p->left) * p->real;
}

static const char *point_before(const struct pass *p, size_t k, size_t row, size_t column) {
    return k == 1 ? p->from + (row * p->n + column) * p->real : point_at(p, k - 1, row, column);
}

static void compute(const struct pass *p, size_t k, size_t row, size_t column, size_t count) {
    const void *above = point_before(p, k, row - 1, column);
    const void *x = point_before(p, k, row, column);
    const void *below = point_before(p, k, row + 1, column);
    void *z = point_at(p, k, row, column);
    if (p->problem->real == BE_REAL64) {
        BE_SIMD_BEST(be_stencil64_between)(above, x, below, z, count);
    } else {
        BE_SIMD_BEST(be_stencil32_between)(above, x, below, z, count);
    }
}

static void copy(const struct pass *p, size_t k, size_t row, size_t column, size_t count) {
    memcpy(point_at(p, k, row, column), point_before(p, k, row, column), count * p->real);
}

/* Sweep k of a row of the strip, with the points beside it that later sweeps need, from the beginning of a line on. On the
 * border points are computed too, of whatever lies beside them, and then put right; so are some farther out, of whatever
 * the ring has there: what is wrong comes one point nearer to the strip with each sweep, and does not reach it. */
static void do_row(const struct pass *p, size_t k, size_t row) {
    const size_t beside = k < p->sweeps ? BESIDE : 0;
    const size_t begin = p->left > beside ? p->left - beside : 0;
    const size_t end = p->right + beside < p->n ? p->right + beside : p->n;
    if (row == 0 || row == p->n - 1) {
        copy(p, k, row, begin, end - begin);
        return;
    }
    compute(p, k, row, begin, end - begin);
    if (begin == 0) {
        copy(p, k, row, 0, 1);
    }
    if (end == p->n) {
        copy(p, k, row, p->n - 1, 1);
    }
}

/* Lines of the strip that the first sweep will read: a strip's rows are too short for a core to foresee. */
static void ask(const struct pass *p, size_t row) {
    enum { LINE = 64 };
    const char *from = p->from + (row * p->n + p->left) * p->real;
    for (size_t at = 0; row < p->n && at < (p->right - p->left) * p->real; at += LINE) {
        __builtin_prefetch(from + at, 0, 2);
    }
}

/* After the first sweep of row i comes the second sweep of row i - 1, then the third of row i - 2. */
static void do_strip(const struct pass *p) {
    enum { AHEAD = 4 };
    const size_t end = p->first + p->rows;
    const size_t beside = p->sweeps - 1;
    for (size_t i = p->first < beside ? 0 : p->first - beside; i < end + beside; i++) {
        ask(p, i + AHEAD);
        for (size_t k = 1; k <= p->sweeps && i + 1 >= k; k++) {
            const size_t row = i + 1 - k;
            const size_t need = p->sweeps - k; /* rows beside the band that later sweeps need */
            if (row + need >= p->first && row < end + need && row < p->n) {
                do_row(p, k, row);
            }
        }
    }
}

/* Passes go back and forth between the output and a grid beside it, and end in the output. */
void be_stencil_bands(const struct be_work *work) {
    const struct be_problem *problem = work->problem;
    const size_t sweeps = be_stencil_sweeps(problem);
    const size_t passes = (sweeps + SWEEPS_MAX - 1) / SWEEPS_MAX;
    char *const grid[] = {be_work_array(work, 1), work->scratch};
    struct pass pass = {.problem = problem,
                        .n = be_stencil_side(problem),
                        .real = be_real_bytes(problem->real),
                        .from = be_work_array(work, 0),
                        .ring = (char *)work->scratch + grid_bytes(problem) +
                                (size_t)work->member * ring_bytes(problem)};
    const size_t wide = STRIP_BYTES / pass.real;
    be_work_rows(work, pass.n, 1, &pass.first, &pass.rows);
    for (size_t k = 0; k < passes; k++) {
        pass.sweeps = sweeps * (k + 1) / passes - sweeps * k / passes;
        pass.to = grid[(passes - 1 - k) % 2];
        for (pass.left = 0; pass.rows > 0 && pass.left < pass.n; pass.left += wide) {
            pass.right = pass.left + wide < pass.n ? pass.left + wide : pass.n;
            do_strip(&pass);
        }
        pass.from = pass.to;
        if (k + 1 < passes) {
            be_team_barrier(work->team);
        }
    }
}
