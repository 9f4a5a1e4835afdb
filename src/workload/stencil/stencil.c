/*
 * stencil: one Jacobi sweep on a grid of side x side points: z is the mean of the four neighbours,
 * and x itself on the border. The grid is one item.
 *
 * Operations: of a point inside, a product and at least two sums, since the sum of two neighbours
 * that touch at a corner may serve the point on their other side too. Bytes: the grid read once and
 * written once.
 */
#include "workload/stencil/stencil.h"

#include <string.h>

#include "base/random.h"
#include "kernel_programs.h"
#include "workload/stencil/simd.h"
#include "workload/stream_store.h"

static const struct be_parameter parameter[] = {{.name = "side",
                                                 .what = "points across and down",
                                                 .preset = 4096,
                                                 .min = 16,
                                                 .max = 40000,
                                                 .from = 64,
                                                 .to = 40000,
                                                 .look = {256, 2048, 8192}}};

static const char *const array[] = {"x", "z"};

static size_t side_of(const struct be_problem *problem) {
    return (size_t)problem->value[0];
}

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const size_t n = side_of(problem);
    const size_t bytes = n * n * be_real_bytes(problem->real);
    *shape = (struct be_shape){.items = 1,
                               .item_bytes = {bytes, bytes},
                               .reference = n * n,
                               .operations = 3.0 * (double)(n - 2) * (double)(n - 2),
                               .bytes = 2.0 * (double)bytes,
                               .tolerance = problem->real == BE_REAL64 ? 1e-15 : 3e-7};
}

static void fill(const struct be_work *work, uint64_t seed) {
    const size_t n = side_of(work->problem);
    const bool wide = work->problem->real == BE_REAL64;
    float *x32 = be_work_array(work, 0);
    double *x64 = be_work_array(work, 0);
    size_t first;
    size_t rows;
    be_work_rows(work, n, 1, &first, &rows);
    for (size_t i = first * n; i < (first + rows) * n; i++) {
        float random = be_random_float(seed, (uint64_t)work->first * n * n + i);
        if (wide) {
            x64[i] = (double)random;
        } else {
            x32[i] = random;
        }
    }
}

static double at(const struct be_work *work, int k, size_t i) {
    return work->problem->real == BE_REAL64 ? ((const double *)work->array[k])[i]
                                            : (double)((const float *)work->array[k])[i];
}

static void reference(const struct be_work *work, double *z) {
    const size_t n = side_of(work->problem);
    size_t first;
    size_t rows;
    be_work_rows(work, n, 1, &first, &rows);
    for (size_t row = first; row < first + rows; row++) {
        for (size_t column = 0; column < n; column++) {
            size_t i = row * n + column;
            bool border = row == 0 || row == n - 1 || column == 0 || column == n - 1;
            z[i] = border ? at(work, 0, i)
                          : 0.25 * (at(work, 0, i - n) + at(work, 0, i + n) + at(work, 0, i - 1) +
                                    at(work, 0, i + 1));
        }
    }
}

static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    const size_t n = side_of(work->problem);
    double sum = 0;
    double all = 0;
    size_t first;
    size_t rows;
    be_work_rows(work, n, 1, &first, &rows);
    for (size_t i = first * n; i < (first + rows) * n; i++) {
        double d = at(work, 1, i) - reference[i];
        sum += d * d;
        all += reference[i] * reference[i];
    }
    *difference += sum;
    *norm += all;
}

/* ---- on the CPU ----------------------------------------------------------------------------- */

/* Points of a row that are done before the next row. Through the caches three rows' stay in a core's second
 * one. Past them, the row after the next one is asked for meanwhile: four rows' stay in the cache that it
 * comes into. */
static size_t piece_of(const struct be_work *work) {
    static const size_t bytes[] = {[BE_PREFETCH_L1] = 8192, [BE_PREFETCH_L2] = 65536};
    return work->stores == BE_STORES_NONTEMPORAL
               ? bytes[be_work_prefetch(work)] / be_real_bytes(work->problem->real)
               : 8192;
}

static void border_row(const struct be_work *work, size_t row) {
    const size_t bytes = side_of(work->problem) * be_real_bytes(work->problem->real);
    memcpy((char *)be_work_array(work, 1) + row * bytes,
           (const char *)be_work_array(work, 0) + row * bytes, bytes);
}

#define INSIDE(bits, type)                                                                         \
    static void inside##bits(const struct be_work *work, size_t first, size_t rows) {              \
        const size_t n = side_of(work->problem);                                                   \
        const size_t max = piece_of(work);                                                         \
        const enum be_prefetch ask = be_work_prefetch(work);                                       \
        be_stencil##bits##_row *run = BE_SIMD_BEST(be_stencil##bits##_run);                        \
        for (size_t from = 0; from < n; from += max) {                                             \
            const size_t begin = from ? from : 1;                                                  \
            const size_t end = n - 1 - from < max ? n - 1 : from + max;                            \
            for (size_t row = first; row < first + rows && begin < end; row++) {                   \
                const type *x = (const type *)be_work_array(work, 0) + row * n;                    \
                type *z = (type *)be_work_array(work, 1) + row * n;                                \
                if (from == 0) {                                                                   \
                    z[0] = x[0];                                                                   \
                }                                                                                  \
                run(x + begin, z + begin, end - begin, n, work->stores, ask);                      \
                if (end == n - 1) {                                                                \
                    z[n - 1] = x[n - 1];                                                           \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        stream_end();                                                                              \
    }

INSIDE(32, float)
INSIDE(64, double)

static void host(const struct be_work *work) {
    const size_t n = side_of(work->problem);
    size_t first;
    size_t rows;
    be_work_rows(work, n, 1, &first, &rows);
    size_t end = first + rows;
    if (rows > 0 && first == 0) {
        border_row(work, first++);
    }
    if (rows > 0 && end == n) {
        border_row(work, --end);
    }
    if (first < end) {
        (work->problem->real == BE_REAL64 ? inside64 : inside32)(work, first, end - first);
    }
}

/* ---- on a device ---------------------------------------------------------------------------- */

enum { VECTOR, POINT };
enum { LANES = 256, DEPTH = 8 }; /* as in stencil.cl */

static enum be_status prepare(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_stencil_vector", "k_stencil_point", NULL};
    return be_prepare_kernels(device, problem, &be_program_stencil, NULL, names, prepared, error);
}

static enum be_status enqueue(const struct be_launch *launch, struct be_error *error) {
    const size_t n = side_of(launch->problem);
    const size_t wide = 16 / be_real_bytes(launch->problem->real);
    const size_t across = (n / wide + 31) / 32;
    const struct be_argument argument[] = {be_launch_array(launch, 0), be_launch_array(launch, 1),
                                           BE_LONG(n), BE_INT(across)};
    if (n % wide != 0) {
        return be_launch_kernel(launch, POINT, (n * n + LANES - 1) / LANES, LANES, argument, 3,
                                error);
    }
    size_t warps = across * ((n + DEPTH - 1) / DEPTH);
    return be_launch_kernel(launch, VECTOR, (warps * 32 + LANES - 1) / LANES, LANES, argument, 4,
                            error);
}

static const struct be_variant variant[] = {{
    .name = "plain",
    .summary = "one pass over the grid",
    .host_code = BE_CODE_PLAIN,
    .device_code = BE_CODE_PLAIN,
    .host = host,
    .prepare = prepare,
    .enqueue = enqueue,
    .discard = be_discard_kernels,
}};

const struct be_workload be_workload_stencil = {
    .name = "stencil",
    .title = "z = mean of 4 neighbours",
    .summary = "one Jacobi sweep with five points on a square grid",
    .parameter = parameter,
    .parameters = 1,
    .real = BE_REAL32,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .array = array,
    .inputs = 1,
    .outputs = 1,
    BE_WORKLOAD_FUNCTIONS,
    BE_WORKLOAD_VARIANTS,
};
