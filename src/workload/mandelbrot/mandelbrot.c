/*
 * mandelbrot: how many of the steps z <- z^2 + c, from z = c, begin with |z| < 2, for the points c
 * of a grid over a window of the plane. An item is a row of the image; there are no inputs.
 *
 * Operations a pixel: what its orbit takes, which only computing it tells: three fused multiply-adds
 * a step, but for the last of all steps, whose result nobody looks at. Certain before that is one look at
 * |z|^2: two products and a sum.
 */
#include "workload/mandelbrot/mandelbrot.h"

#include <math.h>

#include "base/error.h"
#include "kernel_programs.h"
#include "workload/mandelbrot/simd.h"

static const char *const kind_of_window[] = {"all", "near", "nearer", "deep"};

static const struct be_parameter parameter[] = {
    {.name = "width",
     .what = "pixels across and down",
     .preset = 1024,
     .min = 16,
     .max = 16384,
     .from = 16,
     .to = 16384,
     .look = {128, 1024, 4096}},
    {.name = "steps",
     .what = "maximum steps of a pixel",
     .preset = 200,
     .min = 1,
     .max = 100000,
     .from = 10,
     .to = 10000,
     .look = {50, 200, 1000}},
    {.name = "window",
     .what = "part of the plane: all of the set, near, nearer, deep",
     .preset = 0,
     .min = 0,
     .max = 3,
     .kind = kind_of_window},
};

static const char *const array[] = {"count"};

static bool wide(const struct be_problem *problem) {
    return problem->real == BE_REAL64;
}

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    double pixels =
        (double)problem->value[BE_MANDELBROT_WIDTH] * (double)problem->value[BE_MANDELBROT_WIDTH];
    *shape = (struct be_shape){
        .items = (size_t)problem->value[BE_MANDELBROT_WIDTH],
        .item_bytes = {(size_t)problem->value[BE_MANDELBROT_WIDTH] * sizeof(int32_t)},
        .reference = (size_t)problem->value[BE_MANDELBROT_WIDTH],
        .operations = 3 * pixels,
        .bytes = sizeof(int32_t) * pixels,
        /* One pixel in a million may be counted differently: an orbit may
                                * pass |z| = 2 within rounding. */
        .tolerance = 1e-3};
}

/* Six for each step that an orbit must make: three fused multiply-adds. */
static double operations(const struct be_work *work, const double *reference) {
    const size_t pixels = work->items * (size_t)work->problem->value[BE_MANDELBROT_WIDTH];
    const double max = (double)(work->problem->value[BE_MANDELBROT_STEPS] - 1);
    double steps = 0;
    for (size_t i = 0; i < pixels; i++) {
        steps += reference[i] < max ? reference[i] : max;
    }
    return 3 * (double)pixels + 6 * steps;
}

static void fill(const struct be_work *work, uint64_t seed) {
    (void)work;
    (void)seed;
}

static void reference(const struct be_work *work, double *count) {
    const struct be_mandelbrot_grid grid = be_mandelbrot_grid(work->problem);
    const size_t width = (size_t)grid.width;
    be_mandelbrot_row *row =
        wide(work->problem) ? BE_SIMD_BEST(be_mandelbrot64_row) : BE_SIMD_BEST(be_mandelbrot32_row);
    for (size_t i = (size_t)work->member; i < work->items; i += (size_t)work->members) {
        row(&grid, i % width, count + i * width);
    }
}

/* Not distances but pixels: those that differ, and all. */
static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    const size_t width = (size_t)work->problem->value[BE_MANDELBROT_WIDTH];
    const int32_t *count = work->array[0];
    size_t first;
    size_t rows;
    be_work_share(work, 1, &first, &rows);
    size_t differ = 0;
    for (size_t i = first * width; i < (first + rows) * width; i++) {
        differ += (double)count[i] != reference[i];
    }
    *difference += (double)differ;
    *norm += (double)(rows * width);
}

/* ---- on the CPU ----------------------------------------------------------------------------- */

/* Rows differ in what they cost, so each member takes a few here and there, as many as a tile is
 * high. Where one image ends and the next begins a strip is cut. */
static void host_kernel(const struct be_work *work) {
    enum { STRIP = 4 };
    const struct be_mandelbrot_grid grid = be_mandelbrot_grid(work->problem);
    const size_t width = (size_t)grid.width;
    be_mandelbrot_run *run =
        wide(work->problem) ? BE_SIMD_BEST(be_mandelbrot64_run) : BE_SIMD_BEST(be_mandelbrot32_run);
    const size_t end = work->first + work->items;
    for (size_t i = work->first + STRIP * (size_t)work->member; i < end;
         i += STRIP * (size_t)work->members) {
        for (size_t row = i; row < end && row < i + STRIP;) {
            size_t rows = i + STRIP < end ? i + STRIP - row : end - row;
            size_t left = width - row % width;
            rows = rows < left ? rows : left;
            run(&grid, row % width, rows, (int32_t *)work->array[0] + row * width);
            row += rows;
        }
    }
}

static void host_plain(const struct be_work *work) {
    BE_SIMD_BEST(be_mandelbrot_plain_run)(work);
}

/* ---- on a device ---------------------------------------------------------------------------- */

static enum be_status prepare_kernel(struct be_device *device, const struct be_problem *problem,
                                     struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_mandelbrot", NULL};
    return be_prepare_kernels(device, problem, &be_program_mandelbrot, NULL, names, prepared,
                              error);
}

static enum be_status enqueue_kernel(const struct be_launch *launch, struct be_error *error) {
    enum { ACROSS = 32, DOWN = 8, LANES = 256 };
    const struct be_mandelbrot_grid grid = be_mandelbrot_grid(launch->problem);
    const size_t across = ((size_t)grid.width + ACROSS - 1) / ACROSS;
    const struct be_argument argument[] = {
        BE_BUFFER(&launch->buffer[0]),
        be_launch_real(launch, grid.x),
        be_launch_real(launch, grid.y),
        be_launch_real(launch, grid.step_x),
        be_launch_real(launch, grid.step_y),
        BE_INT(grid.width),
        BE_INT(grid.steps),
        BE_LONG(launch->first),
        BE_LONG(launch->items),
        BE_INT(across),
    };
    return be_launch_kernel(launch, 0, across * ((launch->items + DOWN - 1) / DOWN), LANES,
                            argument, 10, error);
}

static const struct be_variant variant[] = {
    {.name = "kernel",
     .summary = "each pixel until it has left, in one pass",
     .device_code = BE_CODE_PLAIN,
     .host = host_kernel,
     .prepare = prepare_kernel,
     .enqueue = enqueue_kernel,
     .discard = be_discard_kernels},
    {.name = "mask",
     .summary = "each step over whole arrays in memory, for pixels that a mask picks",
     .host_code = BE_CODE_PLAIN,
     .device_code = BE_CODE_PLAIN,
     .as_written = true,
     .host = be_mandelbrot_mask_host,
     .host_scratch = be_mandelbrot_mask_host_scratch,
     .prepare = be_mandelbrot_mask_prepare,
     .enqueue = be_mandelbrot_mask_enqueue,
     .discard = be_discard_kernels,
     .device_scratch = be_mandelbrot_mask_scratch},
    {.name = "plain",
     .summary = "a loop for each pixel until it has left (CPU)",
     .host_code = BE_CODE_PLAIN,
     .host = host_plain},
};

const struct be_workload be_workload_mandelbrot = {
    .name = "mandelbrot",
    .title = "z <- z^2 + c until |z| >= 2",
    .summary = "escape counts of an image of the Mandelbrot set",
    .parameter = parameter,
    .parameters = 3,
    .real = BE_REAL64,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .array = array,
    .outputs = 1,
    .grain = 1,
    .host_grain = 1,
    .shape = shape,
    .operations = operations,
    .fill = fill,
    .reference = reference,
    .residual = residual,
    .picture = be_mandelbrot_picture,
    BE_WORKLOAD_VARIANTS,
};
