/*
 * Declarations that the files of the workload convolve share: the image, the filter, and their code.
 *
 * z[i][j] is the sum of w[a][b] x[i + a - before][j + b - before] over the filter's rows a and columns b, with zeroes
 * beyond the image; before is half of the taps, rounded down. Filters are not turned around, as in image libraries and
 * networks. A separable filter is w[a][b] = down[a] across[b], and its array has down, then across.
 */
#ifndef BE_WORKLOAD_CONVOLVE_CONVOLVE_H
#define BE_WORKLOAD_CONVOLVE_CONVOLVE_H

#include "host/simd.h"
#include "workload/workload.h"

enum { BE_CONVOLVE_HEIGHT, BE_CONVOLVE_WIDTH, BE_CONVOLVE_TAPS, BE_CONVOLVE_FILTER };
enum { BE_CONVOLVE_X, BE_CONVOLVE_W, BE_CONVOLVE_Z }; /* arrays */
enum { BE_CONVOLVE_FULL, BE_CONVOLVE_SEPARABLE, BE_CONVOLVE_FILTERS };

enum { BE_CONVOLVE_TAPS_MIN = 3, BE_CONVOLVE_TAPS_MAX = 31 };

struct be_convolve_sizes {
    size_t height, width, taps, before; /* before: taps above and left of the point */
    bool separable;
};
struct be_convolve_sizes be_convolve_sizes_of(const struct be_problem *problem);

/* Rows first .. first + rows - 1 of z. past: they are long, and go past the caches where rows are whole lines. */
struct be_convolve_part {
    const struct be_convolve_sizes *size;
    const float *x, *w;
    float *z;
    size_t first, rows;
    size_t left, columns; /* tiles of a full filter, fourier: of these columns; 0: all */
    bool past;
    float *row; /* plain, separable: a row of the image */
};
typedef void be_convolve_run(const struct be_convolve_part *part);

/* simd.c: sums of several rows and vectors in registers. plain_simd.c: a tap after the other over a row. */
BE_SIMD_DECLARE(be_convolve_run, be_convolve_tiles);
BE_SIMD_DECLARE(be_convolve_run, be_convolve_tiles_separable);
BE_SIMD_DECLARE(be_convolve_run, be_convolve_plain);
BE_SIMD_DECLARE(be_convolve_run, be_convolve_plain_separable);

/* device.c */
enum be_status be_convolve_prepare(struct be_device *device, const struct be_problem *problem,
                                   struct be_prepared *prepared, struct be_error *error);
enum be_status be_convolve_enqueue_plain(const struct be_launch *launch, struct be_error *error);
enum be_status be_convolve_enqueue_tiles(const struct be_launch *launch, struct be_error *error);
size_t be_convolve_plain_scratch(const struct be_problem *problem);

#endif
