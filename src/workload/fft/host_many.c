/*
 * Own Fourier transforms on the CPU of many lines of at most 4096 complex numbers, or pairs of real ones, and of images:
 * lines in vectors, a line a lane, then columns, both in steps of small radices (workload/fft/steps.h). The first and
 * the last column of a real image's half spectrum are transforms of real numbers: meanwhile they are the real and the
 * imaginary part of the first one.
 */
#include <math.h>

#include "workload/fft/columns_simd.h"
#include "workload/fft/fft.h"
#include "workload/fft/lines_simd.h"
#include "workload/fft/steps.h"

enum { ALIGN = 128, PAGE = 4096, PART = 16 /* columns; parts are shared out */ };

struct plan {
    struct be_fft_size size;
    struct be_fft_steps line, rows; /* of complex numbers, as the code sees them */
    size_t columns, parts; /* of an image, without the one in the first one's imaginary parts */
    /* Where things begin in scratch memory, in bytes. */
    size_t line_tables, halves, rows_tables, buffers, buffer_bytes, bytes;
};

struct kept {
    size_t tables; /* are made */
};

static size_t take(size_t *bytes, size_t wanted) {
    const size_t at = *bytes;
    *bytes += (wanted + ALIGN - 1) / ALIGN * ALIGN;
    return at;
}

static struct plan plan_of(const struct be_problem *problem, int members) {
    struct plan plan = {.size = be_fft_size(problem)};
    size_t bytes = ALIGN;
    size_t floats = 0;
    plan.columns = plan.size.columns / (plan.size.real ? 2 : 1);
    plan.parts = (plan.columns + PART - 1) / PART;
    if (be_fft_steps_plan(plan.columns, &plan.line)) {
        plan.line_tables = take(&bytes, be_fft_steps_bytes(&plan.line));
        floats = be_fft_lines_floats(&plan.line);
    }
    plan.halves = take(&bytes, (plan.columns / 2 + 1) * 2 * sizeof(float));
    if (plan.size.image && be_fft_steps_plan(plan.size.rows, &plan.rows)) {
        plan.rows_tables = take(&bytes, be_fft_steps_bytes(&plan.rows));
        const size_t columns = be_fft_columns_floats(&plan.rows);
        floats = columns > floats ? columns : floats;
    }
    /* A page between members': next to each other, the second one took half as long again. */
    plan.buffer_bytes = (floats * sizeof(float) + PAGE - 1) / PAGE * PAGE + PAGE;
    plan.buffers = take(&bytes, plan.buffer_bytes * (size_t)members);
    plan.bytes = bytes;
    return plan;
}

size_t be_fft_many_scratch(const struct be_problem *problem, int members) {
    return plan_of(problem, members).bytes;
}

/* Halves of w(n)^i, i < count. */
static void make_halves(float *to, size_t n, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const double angle = -2 * 3.14159265358979323846 * (double)i / (double)n;
        to[2 * i] = (float)(0.5 * cos(angle));
        to[2 * i + 1] = (float)(0.5 * sin(angle));
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
    const struct be_fft_lines lines = {.steps = &plan->line,
                                       .x = be_work_array(work, 0),
                                       .z = be_work_array(work, 1),
                                       .x_apart = 2 * plan->columns,
                                       .z_apart = 2 * plan->size.width,
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
    const size_t end = (first + count) * PART;
    const struct be_fft_image columns = {.steps = &plan->rows,
                                         .z = (float *)be_work_array(work, 1) +
                                              image * size->rows * size->width * 2,
                                         .apart = 2 * size->width};
    BE_SIMD_BEST(be_fft_columns_run)
    (&columns, first * PART, (end < plan->columns ? end : plan->columns) - first * PART,
     buffer_of(work, plan));
    if (size->real && first == 0 && count > 0) {
        unpack(size, columns.z);
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
        transform_columns(work, plan, i, 0, plan->parts);
    }
}

/* All share lines, and then parts of columns. */
static void transform_together(const struct be_work *work, const struct plan *plan) {
    const size_t parts = plan->parts;
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

static void make_tables(const struct be_work *work, struct plan *plan) {
    be_fft_steps_make(&plan->line, part_of(work, plan->line_tables));
    make_halves(part_of(work, plan->halves), 2 * plan->columns, plan->columns / 2 + 1);
    if (plan->size.image) {
        be_fft_steps_make(&plan->rows, part_of(work, plan->rows_tables));
    }
}

void be_fft_many(const struct be_work *work) {
    struct plan plan = plan_of(work->problem, work->members);
    struct kept *kept = work->scratch;
    if (!kept->tables) { /* so for every member: it changes between two meetings only */
        be_team_barrier(work->team);
        if (work->member == 0) {
            make_tables(work, &plan);
            kept->tables = 1;
        }
        be_team_barrier(work->team);
    }
    be_fft_steps_take(&plan.line, part_of(work, plan.line_tables));
    if (plan.size.image) {
        be_fft_steps_take(&plan.rows, part_of(work, plan.rows_tables));
    }
    if (!plan.size.image || plan.size.batch >= (size_t)work->members) {
        transform_alone(work, &plan);
    } else {
        transform_together(work, &plan);
    }
}
