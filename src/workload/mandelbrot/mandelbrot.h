/*
 * The two ways to compute the Mandelbrot set: mandelbrot.c has the table and the kernel,
 * mask.c the whole-array passes. picture.c draws it.
 */
#ifndef BE_WORKLOAD_MANDELBROT_MANDELBROT_H
#define BE_WORKLOAD_MANDELBROT_MANDELBROT_H

#include "workload/mandelbrot/simd.h"
#include "workload/workload.h"

enum { BE_MANDELBROT_WIDTH, BE_MANDELBROT_STEPS, BE_MANDELBROT_WINDOW }; /* parameters */

struct be_mandelbrot_grid be_mandelbrot_grid(const struct be_problem *problem);

/* plain_simd.c: the CPU's code of `plain`. */
typedef void be_mandelbrot_plain(const struct be_work *work);
BE_SIMD_DECLARE(be_mandelbrot_plain, be_mandelbrot_plain_run);

enum be_status be_mandelbrot_picture(const struct be_work *work, struct be_picture *picture,
                                     struct be_error *error);

void be_mandelbrot_mask_host(const struct be_work *work);
size_t be_mandelbrot_mask_host_scratch(const struct be_problem *problem, int members);
size_t be_mandelbrot_mask_scratch(const struct be_problem *problem);
enum be_status be_mandelbrot_mask_prepare(struct be_device *device,
                                          const struct be_problem *problem,
                                          struct be_prepared *prepared, struct be_error *error);
enum be_status be_mandelbrot_mask_enqueue(const struct be_launch *launch, struct be_error *error);

#endif
