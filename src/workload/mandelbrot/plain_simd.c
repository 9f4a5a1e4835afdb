/* The Mandelbrot set as a book writes it: for each pixel a loop until its orbit has left. Compiled once for each
 * instruction set, so that fma is an instruction where there is one; no compiler makes vectors of such a loop. */
#include "workload/mandelbrot/mandelbrot.h"

#include <math.h>

#define PLAIN(REAL, bits, fused)                                                                   \
    static int32_t escape##bits(REAL cr, REAL ci, int steps) {                                     \
        REAL r = cr, m = ci;                                                                       \
        int32_t count = 0;                                                                         \
        for (; count < steps && fused(r, r, m * m) < 4; count++) {                                 \
            const REAL next = fused(r, r, fused(-m, m, cr));                                       \
            m = fused(r + r, m, ci);                                                               \
            r = next;                                                                              \
        }                                                                                          \
        return count;                                                                              \
    }                                                                                              \
    static void row##bits(const struct be_mandelbrot_grid *grid, size_t row, int32_t *count) {     \
        const REAL ci = fused((REAL)row, (REAL)grid->step_y, (REAL)grid->y);                       \
        for (int i = 0; i < grid->width; i++) {                                                    \
            const REAL cr = fused((REAL)i, (REAL)grid->step_x, (REAL)grid->x);                     \
            count[i] = escape##bits(cr, ci, grid->steps);                                          \
        }                                                                                          \
    }
PLAIN(float, 32, fmaf)
PLAIN(double, 64, fma)

/* Rows differ in what they cost: members take them by turns. */
void BE_SIMD_NAME(be_mandelbrot_plain_run)(const struct be_work *work) {
    const struct be_mandelbrot_grid grid = be_mandelbrot_grid(work->problem);
    const size_t width = (size_t)grid.width;
    int32_t *count = work->array[0];
    const size_t end = work->first + work->items;
    for (size_t i = work->first + (size_t)work->member; i < end; i += (size_t)work->members) {
        if (work->problem->real == BE_REAL64) {
            row64(&grid, i % width, count + i * width);
        } else {
            row32(&grid, i % width, count + i * width);
        }
    }
}
