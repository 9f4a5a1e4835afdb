/*
 * convolve: a filter of taps x taps numbers over an image, with zeroes beyond its border. The image is one item.
 *
 * Operations: a product for each tap that lies on the image, and a sum for each of a point but its first; of a separable
 * filter those of one pass down the columns and one across the rows. A large full filter needs fewer by Fourier transforms: then
 * those of `fourier` count, with 5 n log2 n for a transform of n complex numbers (Cooley and Tukey 1965; the usual count). Bytes: image and filter read once, the result
 * written once.
 */
#include "workload/convolve/convolve.h"

#include <math.h>

#include "base/error.h"
#include "workload/convolve/fourier.h"
#include "workload/numbers.h"

static size_t weights_of(const struct be_convolve_sizes *s) {
    return s->separable ? 2 * s->taps : s->taps * s->taps;
}

/* Taps that lie within n, of all n places together. */
static double within(size_t n, const struct be_convolve_sizes *s) {
    double all = 0;
    for (size_t tap = 0; tap < s->taps; tap++) {
        const size_t away = tap < s->before ? s->before - tap : tap - s->before;
        all += away < n ? (double)(n - away) : 0;
    }
    return all;
}

/* A point's, by transforms down the columns: two points lie in one complex number, which goes there and back, and has a
 * complex product and sum for each column of the filter. */
static double fourier_operations(const struct be_convolve_sizes *s) {
    const double rows = BE_FOURIER_ROWS;
    return rows / (double)be_fourier_step(s) * (2 * 5 * log2(rows) + 8 * (double)s->taps) / 2;
}

static double operations_of(const struct be_convolve_sizes *s) {
    const double points = (double)s->height * (double)s->width;
    const double down = within(s->height, s);
    const double across = within(s->width, s);
    return s->separable ? 2 * (down * (double)s->width + across * (double)s->height) - 2 * points
                        : fmin(2 * down * across - points, points * fourier_operations(s));
}

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const struct be_convolve_sizes s = be_convolve_sizes_of(problem);
    const size_t image = s.height * s.width * sizeof(float);
    const size_t filter = weights_of(&s) * sizeof(float);
    *shape = (struct be_shape){
        .items = 1,
        .item_bytes = {image, filter, image},
        .reference = s.height * s.width,
        .operations = operations_of(&s),
        .bytes = 2 * (double)image + (double)filter,
        /* A sum of taps^2 products of either sign: its roundings add up about as the root of their number. */
        .tolerance = (double)(8 + s.taps) * be_number_unit(BE_REAL32),
    };
}

/* The image in [0, 1), the filter in (-1, 1). */
static void fill(const struct be_work *work, uint64_t seed) {
    const struct be_convolve_sizes s = be_convolve_sizes_of(work->problem);
    float *x = be_work_array(work, BE_CONVOLVE_X);
    float *w = be_work_array(work, BE_CONVOLVE_W);
    const uint64_t image = (uint64_t)work->first * s.height * s.width;
    size_t first;
    size_t rows;
    be_work_rows(work, s.height, 1, &first, &rows);
    for (size_t i = first * s.width; i < (first + rows) * s.width; i++) {
        x[i] = be_random_float(seed, image + i);
    }
    for (size_t i = 0; work->member == 0 && i < weights_of(&s); i++) {
        w[i] = 2 * be_random_float(seed + 1, i) - 1;
    }
}

/* ---- the plain reference -------------------------------------------------------------------- */

static double weight_at(const struct be_convolve_sizes *s, const float *w, size_t a, size_t b) {
    return s->separable ? (double)w[a] * (double)w[s->taps + b] : (double)w[a * s->taps + b];
}

/* Numbers beyond the image add nothing: numbers below 0 become large ones. */
static double point(const struct be_convolve_sizes *s, const float *x, const float *w, size_t i,
                    size_t j) {
    double sum = 0;
    for (size_t a = 0; a < s->taps; a++) {
        for (size_t b = 0; b < s->taps; b++) {
            const size_t row = i + a - s->before;
            const size_t column = j + b - s->before;
            if (row < s->height && column < s->width) {
                sum += weight_at(s, w, a, b) * (double)x[row * s->width + column];
            }
        }
    }
    return sum;
}

static void reference(const struct be_work *work, double *reference) {
    const struct be_convolve_sizes s = be_convolve_sizes_of(work->problem);
    size_t first;
    size_t rows;
    be_work_rows(work, s.height, 1, &first, &rows);
    for (size_t i = first; i < first + rows; i++) {
        for (size_t j = 0; j < s.width; j++) {
            reference[i * s.width + j] = point(&s, be_work_array(work, BE_CONVOLVE_X),
                                               be_work_array(work, BE_CONVOLVE_W), i, j);
        }
    }
}

static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    const struct be_convolve_sizes s = be_convolve_sizes_of(work->problem);
    const float *z = be_work_array(work, BE_CONVOLVE_Z);
    size_t first;
    size_t rows;
    be_work_rows(work, s.height, 1, &first, &rows);
    for (size_t i = first * s.width; i < (first + rows) * s.width; i++) {
        be_number_compare((double)z[i], reference[i], difference, norm);
    }
}

/* ---- on the CPU ----------------------------------------------------------------------------- */

static void host(const struct be_work *work, be_convolve_run *full, be_convolve_run *separable) {
    enum { GROUP = 8 }; /* rows that share what they read */
    const struct be_convolve_sizes s = be_convolve_sizes_of(work->problem);
    struct be_convolve_part part = {.size = &s,
                                    .x = be_work_array(work, BE_CONVOLVE_X),
                                    .w = be_work_array(work, BE_CONVOLVE_W),
                                    .z = be_work_array(work, BE_CONVOLVE_Z),
                                    .past = work->stores == BE_STORES_NONTEMPORAL,
                                    .row = (float *)work->scratch +
                                           (work->scratch ? (size_t)work->member * s.width : 0)};
    be_work_rows(work, s.height, GROUP, &part.first, &part.rows);
    (s.separable ? separable : full)(&part);
}

static void host_plain(const struct be_work *work) {
    host(work, BE_SIMD_BEST(be_convolve_plain), BE_SIMD_BEST(be_convolve_plain_separable));
}

static size_t plain_scratch(const struct be_problem *problem, int members) {
    const struct be_convolve_sizes s = be_convolve_sizes_of(problem);
    return s.separable ? (size_t)members * s.width * sizeof(float) : 0;
}

static void host_tiles(const struct be_work *work) {
    host(work, BE_SIMD_BEST(be_convolve_tiles), BE_SIMD_BEST(be_convolve_tiles_separable));
}

/* ---- the table ------------------------------------------------------------------------------ */

static bool width_idle(const struct be_problem *problem) {
    return problem->value[BE_CONVOLVE_WIDTH] == 0;
}

static const char *const filters[] = {"full", "separable", NULL};

enum { SIDE_MAX = 100000 };

static const struct be_parameter parameter[] = {
    {.name = "height",
     .what = "rows of the image",
     .preset = 2048,
     .min = 1,
     .max = SIDE_MAX,
     .from = 64,
     .to = 16384,
     .look = {256, 2048, 8192}},
    {.name = "width",
     .what = "columns of the image; 0: as many as rows",
     .preset = 0,
     .max = SIDE_MAX,
     .from = 64,
     .to = 16384,
     .look = {256, 2048, 8192},
     .idle = width_idle},
    {.name = "taps",
     .what = "rows and columns of the filter",
     .preset = 5,
     .min = BE_CONVOLVE_TAPS_MIN,
     .max = BE_CONVOLVE_TAPS_MAX,
     .from = BE_CONVOLVE_TAPS_MIN,
     .to = BE_CONVOLVE_TAPS_MAX,
     .look = {3, 9, 31}},
    {.name = "filter",
     .what = "any filter (full), or one that is a column times a row (separable)",
     .preset = BE_CONVOLVE_FULL,
     .min = 0,
     .max = BE_CONVOLVE_FILTERS - 1,
     .kind = filters},
};

static const char *const array[] = {"x", "w", "z"};

/* With fewer taps the sums as they stand are faster. */
static const char *unfit_fourier(const struct be_problem *problem) {
    enum { LEAST = 7 };
    const struct be_convolve_sizes s = be_convolve_sizes_of(problem);
    return s.separable || s.taps < LEAST ? "takes full filters of 7 and more taps" : NULL;
}

static const struct be_variant variant[] = {
    {
        .name = "plain",
        .summary = "a tap after the other over a row; on a device a point a lane",
        .host_code = BE_CODE_PLAIN,
        .device_code = BE_CODE_PLAIN,
        .host = host_plain,
        .host_scratch = plain_scratch,
        .prepare = be_convolve_prepare,
        .enqueue = be_convolve_enqueue_plain,
        .discard = be_discard_kernels,
        .device_scratch = be_convolve_plain_scratch,
        .each_of = 1U << BE_CONVOLVE_TAPS,
    },
    {
        .name = "tiles",
        .summary =
            "sums of several rows in registers; on a device a part of the image in shared memory",
        .host = host_tiles,
        .prepare = be_convolve_prepare,
        .enqueue = be_convolve_enqueue_tiles,
        .discard = be_discard_kernels,
        .each_of = 1U << BE_CONVOLVE_TAPS,
    },
    {
        .name = "fourier",
        .summary =
            "Fourier transforms down the columns, sums across; on the CPU, for large filters",
        .unfit = unfit_fourier,
        .host = be_convolve_host_fourier,
        .host_scratch = be_convolve_fourier_scratch,
    },
};

const struct be_workload be_workload_convolve = {
    .name = "convolve",
    .title = "z = w * x, w a filter",
    .summary = "a filter of some taps, separable or not, over an image",
    .parameter = parameter,
    .parameters = BE_COUNT(parameter),
    .real = BE_REAL32,
    .reals = BE_TAKES(BE_REAL32),
    .array = array,
    .inputs = 2,
    .outputs = 1,
    .host_grain = 1,
    BE_WORKLOAD_FUNCTIONS,
    BE_WORKLOAD_VARIANTS,
};
