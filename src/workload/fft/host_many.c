/*
 * Own Fourier transforms on the CPU of many lines of at most 4096 complex numbers, or pairs of real ones, and of images:
 * lines in vectors, a line a lane, then columns as the last pass of one long transform would do them
 * (workload/fft/simd.h). The first and the last column of a real image's half spectrum are transforms of real numbers:
 * meanwhile they are the real and the imaginary part of the first one.
 */
#include <math.h>
#include <stdlib.h>

#include "workload/fft/fft.h"
#include "workload/fft/lines_simd.h"
#include "workload/fft/simd.h"

enum {
    ALIGN = 128,
    NARROW_FROM =
        2048 /* rows of which fewer columns are done side by side: their block is in the second cache */
};

struct plan {
    struct be_fft_size size;
    size_t line; /* complex numbers of a line, as the code sees it */
    /* Where things begin in scratch memory, in bytes. */
    size_t roots, halves, row_roots, buffers, buffer_bytes, bytes;
};

struct kept {
    size_t tables; /* are made */
};

static size_t take(size_t *bytes, size_t wanted) {
    const size_t at = *bytes;
    *bytes += (wanted + ALIGN - 1) / ALIGN * ALIGN;
    return at;
}

static size_t side_by_side(size_t rows) {
    return rows >= NARROW_FROM ? BE_FFT_PART : BE_FFT_COLUMNS;
}

static struct plan plan_of(const struct be_problem *problem, int members) {
    struct plan plan = {.size = be_fft_size(problem)};
    const size_t complex_bytes = 2 * sizeof(float);
    size_t bytes = ALIGN;
    plan.line = plan.size.columns / (plan.size.real ? 2 : 1);
    plan.roots = take(&bytes, plan.line * complex_bytes);
    plan.halves = take(&bytes, (plan.line / 2 + 1) * complex_bytes);
    plan.row_roots = take(&bytes, plan.size.rows * complex_bytes);
    const size_t lines = plan.line * BE_FFT_LINES;
    const size_t columns = plan.size.rows * side_by_side(plan.size.rows);
    /* A little more, so that members' do not lie whole pages apart. */
    plan.buffer_bytes = (lines > columns ? lines : columns) * complex_bytes + ALIGN;
    plan.buffers = take(&bytes, plan.buffer_bytes * (size_t)members);
    plan.bytes = bytes;
    return plan;
}

size_t be_fft_many_scratch(const struct be_problem *problem, int members) {
    return plan_of(problem, members).bytes;
}

/* w(n)^i, i < count. */
static void make_roots(float *to, size_t n, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const double angle = -2 * 3.14159265358979323846 * (double)i / (double)n;
        to[2 * i] = (float)cos(angle);
        to[2 * i + 1] = (float)sin(angle);
    }
}

static float *part_of(const struct be_work *work, size_t at) {
    return (float *)(void *)((char *)work->scratch + at);
}

static float *buffer_of(const struct be_work *work, const struct plan *plan) {
    return part_of(work, plan->buffers + plan->buffer_bytes * (size_t)work->member);
}

static void transform_lines(const struct be_work *work, const struct plan *plan, size_t first,
                            size_t count) {
    const struct be_fft_lines lines = {.radix = plan->line,
                                       .x = be_work_array(work, 0),
                                       .z = be_work_array(work, 1),
                                       .x_apart = 2 * plan->line,
                                       .z_apart = 2 * plan->size.width,
                                       .roots = part_of(work, plan->roots),
                                       .halves =
                                           plan->size.real ? part_of(work, plan->halves) : NULL,
                                       .packed = plan->size.image};
    BE_SIMD_BEST(be_fft_lines_run)(&lines, first, count, buffer_of(work, plan));
}

/* The first column's imaginary part becomes the last column. z: an image. */
static void unpack(const struct be_fft_size *size, float *z) {
    const size_t last = 2 * (size->width - 1);
    for (size_t k = 0; k <= size->rows / 2; k++) {
        float *a = z + k * 2 * size->width;
        float *b = z + (size->rows - k) % size->rows * 2 * size->width;
        const float even[] = {0.5F * (a[0] + b[0]), 0.5F * (a[1] - b[1])};
        const float odd[] = {0.5F * (a[1] + b[1]), 0.5F * (b[0] - a[0])};
        a[0] = b[0] = even[0];
        b[1] = -even[1];
        a[1] = even[1];
        a[last] = b[last] = odd[0];
        b[last + 1] = -odd[1];
        a[last + 1] = odd[1];
    }
}

/* Parts first .. first + count - 1 of the columns of one image. */
static void transform_columns(const struct be_work *work, const struct plan *plan, size_t image,
                              size_t first, size_t count) {
    const struct be_fft_size *size = &plan->size;
    float *z = (float *)be_work_array(work, 1) + image * size->rows * size->width * 2;
    const struct be_fft_pass pass = {.n = size->rows * size->width,
                                     .radix = size->rows,
                                     .s = size->width,
                                     .inner = 1,
                                     .outer = 1,
                                     .z = z,
                                     .roots = part_of(work, plan->row_roots)};
    const size_t end = (first + count) * BE_FFT_PART;
    const size_t beside = side_by_side(size->rows);
    for (size_t f = first * BE_FFT_PART; f < end; f += beside) {
        BE_SIMD_BEST(be_fft_run)
        (&pass, f, beside < end - f ? beside : end - f, buffer_of(work, plan));
    }
    if (size->real && first == 0 && count > 0) {
        unpack(size, z);
    }
}

/* Each member has images of its own. */
static void transform_alone(const struct be_work *work, const struct plan *plan) {
    const size_t rows = plan->size.rows;
    size_t first;
    size_t count;
    be_work_rows(work, plan->size.batch, 1, &first, &count);
    if (!plan->size.image) {
        transform_lines(work, plan, first, count);
        return;
    }
    for (size_t i = first; i < first + count; i++) {
        transform_lines(work, plan, i * rows, rows);
        transform_columns(work, plan, i, 0, plan->line / BE_FFT_PART);
    }
}

/* All share lines, and then parts of columns. */
static void transform_together(const struct be_work *work, const struct plan *plan) {
    const size_t parts = plan->line / BE_FFT_PART;
    size_t first;
    size_t count;
    be_work_rows(work, plan->size.lines, BE_FFT_LINES, &first, &count);
    transform_lines(work, plan, first, count);
    be_team_barrier(work->team);
    be_work_rows(work, plan->size.batch * parts, 1, &first, &count);
    while (count > 0) {
        const size_t left = parts - first % parts;
        const size_t now = count < left ? count : left;
        transform_columns(work, plan, first / parts, first % parts, now);
        first += now;
        count -= now;
    }
}

void be_fft_many(const struct be_work *work) {
    const struct plan plan = plan_of(work->problem, work->members);
    struct kept *kept = work->scratch;
    if (!kept->tables) { /* so for every member: it changes between two meetings only */
        be_team_barrier(work->team);
        if (work->member == 0) {
            make_roots(part_of(work, plan.roots), plan.line, plan.line);
            make_roots(part_of(work, plan.halves), 2 * plan.line, plan.line / 2 + 1);
            make_roots(part_of(work, plan.row_roots), plan.size.rows, plan.size.rows);
            kept->tables = 1;
        }
        be_team_barrier(work->team);
    }
    if (!plan.size.image || plan.size.batch >= (size_t)work->members) {
        transform_alone(work, &plan);
    } else {
        transform_together(work, &plan);
    }
}
