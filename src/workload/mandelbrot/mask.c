/*
 * mandelbrot, variant mask: as NumPy and CuPy users write it. z, c, |z|^2, the mask and the counts
 * are whole arrays, and each step is a few passes over them; all steps are made, also when no pixel
 * is left inside.
 */
#include "workload/mandelbrot/mask_simd.h"

#include <math.h>

#include "kernel_programs.h"
#include "workload/mandelbrot/mandelbrot.h"

/* Where the arrays of `pixels` pixels begin in scratch memory. */
struct layout {
    size_t z, c, square, mask, bytes;
};

static struct layout layout_of(const struct be_problem *problem) {
    const size_t real = be_real_bytes(problem->real);
    const size_t pixels = (size_t)(problem->value[0] * problem->value[0]);
    const size_t part = (pixels * real + BE_WHOLE_ALIGN - 1) / BE_WHOLE_ALIGN * BE_WHOLE_ALIGN;
    return (struct layout){
        .z = 0, .c = 2 * part, .square = 4 * part, .mask = 5 * part, .bytes = 5 * part + pixels};
}

size_t be_mandelbrot_mask_scratch(const struct be_problem *problem) {
    return layout_of(problem).bytes;
}

size_t be_mandelbrot_mask_host_scratch(const struct be_problem *problem, int members) {
    (void)members;
    return layout_of(problem).bytes;
}

/* ---- on the CPU ----------------------------------------------------------------------------- */

static void start32(const struct be_mandelbrot_grid *grid, size_t row,
                    const struct be_mandelbrot_arrays *a) {
    float *z = a->z;
    float *c = a->c;
    for (size_t i = 0; i < a->n; i++) {
        size_t x = i % (size_t)grid->width;
        size_t y = (row + i / (size_t)grid->width) % (size_t)grid->width;
        z[2 * i] = c[2 * i] = fmaf((float)x, (float)grid->step_x, (float)grid->x);
        z[2 * i + 1] = c[2 * i + 1] = fmaf((float)y, (float)grid->step_y, (float)grid->y);
        a->count[i] = 0;
    }
}

static void start64(const struct be_mandelbrot_grid *grid, size_t row,
                    const struct be_mandelbrot_arrays *a) {
    double *z = a->z;
    double *c = a->c;
    for (size_t i = 0; i < a->n; i++) {
        size_t x = i % (size_t)grid->width;
        size_t y = (row + i / (size_t)grid->width) % (size_t)grid->width;
        z[2 * i] = c[2 * i] = fma((double)x, grid->step_x, grid->x);
        z[2 * i + 1] = c[2 * i + 1] = fma((double)y, grid->step_y, grid->y);
        a->count[i] = 0;
    }
}

void be_mandelbrot_mask_host(const struct be_work *work) {
    const struct be_mandelbrot_grid grid = be_mandelbrot_grid(work->problem);
    const struct layout at = layout_of(work->problem);
    const size_t real = be_real_bytes(work->problem->real);
    const size_t width = (size_t)grid.width;
    char *scratch = work->scratch;
    size_t first;
    size_t rows;
    be_work_share(work, 1, &first, &rows);
    size_t begin = (first - work->first) * width;
    const struct be_mandelbrot_arrays arrays = {.z = scratch + at.z + 2 * begin * real,
                                                .c = scratch + at.c + 2 * begin * real,
                                                .square = scratch + at.square + begin * real,
                                                .mask = (unsigned char *)scratch + at.mask + begin,
                                                .count = (int32_t *)work->array[0] + first * width,
                                                .n = rows * width};
    if (work->problem->real == BE_REAL64) {
        start64(&grid, first, &arrays);
        BE_SIMD_BEST(be_mandelbrot64_passes)(&arrays, grid.steps);
    } else {
        start32(&grid, first, &arrays);
        BE_SIMD_BEST(be_mandelbrot32_passes)(&arrays, grid.steps);
    }
}

/* ---- on a device ---------------------------------------------------------------------------- */

enum { START, ABSOLUTE, COMPARE, SQUARE_ADD, INCREMENT };

enum be_status be_mandelbrot_mask_prepare(struct be_device *device,
                                          const struct be_problem *problem,
                                          struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_start",      "k_absolute",  "k_compare",
                                        "k_square_add", "k_increment", NULL};
    return be_prepare_kernels(device, problem, &be_program_mandelbrot, NULL, names, prepared,
                              error);
}

enum { LANES = 256 };

static enum be_status start(const struct be_launch *launch, size_t n, struct be_error *error) {
    const struct be_mandelbrot_grid grid = be_mandelbrot_grid(launch->problem);
    const struct layout at = layout_of(launch->problem);
    const struct be_argument argument[] = {
        BE_BUFFER(&launch->buffer[0]),
        BE_BUFFER_FROM(launch->scratch, at.z),
        BE_BUFFER_FROM(launch->scratch, at.c),
        be_launch_real(launch, grid.x),
        be_launch_real(launch, grid.y),
        be_launch_real(launch, grid.step_x),
        be_launch_real(launch, grid.step_y),
        BE_INT(grid.width),
        BE_LONG(launch->first),
        BE_LONG(n),
    };
    return be_launch_kernel(launch, START, (n + LANES - 1) / LANES, LANES, argument, 10, error);
}

enum be_status be_mandelbrot_mask_enqueue(const struct be_launch *launch, struct be_error *error) {
    const struct layout at = layout_of(launch->problem);
    const size_t width = (size_t)launch->problem->value[0];
    const size_t n = launch->items * width;
    const struct be_argument z = BE_BUFFER_FROM(launch->scratch, at.z);
    const struct be_argument c = BE_BUFFER_FROM(launch->scratch, at.c);
    const struct be_argument square = BE_BUFFER_FROM(launch->scratch, at.square);
    const struct be_argument mask = BE_BUFFER_FROM(launch->scratch, at.mask);
    const struct be_argument count = BE_BUFFER(&launch->buffer[0]);
    const struct be_argument all = BE_LONG(n);
    const struct be_argument absolute[] = {z, square, all};
    const struct be_argument compare[] = {square, mask, all};
    const struct be_argument square_add[] = {z, c, mask, all};
    const struct be_argument increment[] = {count, mask, BE_INT(width), BE_LONG(launch->first),
                                            all};
    const struct {
        const struct be_argument *argument;
        int count;
    } pass[] = {[ABSOLUTE] = {absolute, 3},
                [COMPARE] = {compare, 3},
                [SQUARE_ADD] = {square_add, 4},
                [INCREMENT] = {increment, 5}};
    enum be_status status = start(launch, n, error);
    for (uint64_t k = 0; k < launch->problem->value[1]; k++) {
        for (int p = ABSOLUTE; status == BE_OK && p <= INCREMENT; p++) {
            status = be_launch_kernel(launch, p, (n + LANES - 1) / LANES, LANES, pass[p].argument,
                                      pass[p].count, error);
        }
    }
    return status;
}
