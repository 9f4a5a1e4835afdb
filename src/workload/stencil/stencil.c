/*
 * stencil: Jacobi sweeps on a grid of side x side points, each of the one before: a point becomes the mean of its four
 * neighbours, and stays itself on the border. The grid is one item. bands.c has the CPU's code for more than one sweep.
 *
 * Operations: of a point inside, a product and at least two sums, since the sum of two neighbours
 * that touch at a corner may serve the point on their other side too; in each sweep. Bytes: the grid read once and
 * written once: a cache may hold it in between. A sweep waits for the one before, three operations.
 */
#include "workload/stencil/stencil.h"

#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "kernel_programs.h"
#include "workload/stencil/simd.h"
#include "workload/stream_store.h"

/* Then it is not named: results of one sweep are called as they were before there were several. */
static bool one_sweep(const struct be_problem *problem) {
    return be_stencil_sweeps(problem) == 1;
}

static const struct be_parameter parameter[] = {{.name = "side",
                                                 .what = "points across and down",
                                                 .preset = 4096,
                                                 .min = 16,
                                                 .max = 40000,
                                                 .from = 64,
                                                 .to = 40000,
                                                 .look = {256, 2048, 8192}},
                                                {.name = "sweeps",
                                                 .what = "sweeps, each of the one before",
                                                 .preset = 1,
                                                 .min = 1,
                                                 .max = 1000000,
                                                 .from = 1,
                                                 .to = 10000,
                                                 .look = {1, 100, 1000},
                                                 .idle = one_sweep}};

static const char *const array[] = {"x", "z"};

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const size_t n = be_stencil_side(problem);
    const size_t bytes = n * n * be_real_bytes(problem->real);
    const double sweeps = (double)be_stencil_sweeps(problem);
    const bool several = !one_sweep(problem);
    *shape = (struct be_shape){.items = 1,
                               .item_bytes = {bytes, bytes},
                               .reference = several ? 2 * n * n : n * n,
                               .operations = sweeps * 3.0 * (double)(n - 2) * (double)(n - 2),
                               .dependent = several ? 3 * sweeps : 0,
                               .bytes = 2.0 * (double)bytes,
                               .passes = sweeps,
                               .tolerance = problem->real == BE_REAL64 ? 1e-15 : 3e-7};
}

static void fill(const struct be_work *work, uint64_t seed) {
    const size_t n = be_stencil_side(work->problem);
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

/* One sweep, of the input as it is. */
static void one_reference(const struct be_work *work, double *z, size_t first, size_t rows) {
    const size_t n = be_stencil_side(work->problem);
    for (size_t row = first; row < first + rows; row++) {
        for (size_t column = 0; column < n; column++) {
            const size_t i = row * n + column;
            const bool border = row == 0 || row == n - 1 || column == 0 || column == n - 1;
            z[i] = border ? at(work, 0, i)
                          : 0.25 * (at(work, 0, i - n) + at(work, 0, i + n) + at(work, 0, i - 1) +
                                    at(work, 0, i + 1));
        }
    }
}

static void sweep_rows(const double *x, double *z, size_t n, size_t first, size_t rows) {
    for (size_t row = first; row < first + rows; row++) {
        for (size_t column = 0; column < n; column++) {
            const size_t i = row * n + column;
            const bool border = row == 0 || row == n - 1 || column == 0 || column == n - 1;
            z[i] = border ? x[i] : 0.25 * (x[i - n] + x[i + n] + x[i - 1] + x[i + 1]);
        }
    }
}

/* Several sweeps go back and forth between the halves of the memory. */
static void reference(const struct be_work *work, double *z) {
    const size_t n = be_stencil_side(work->problem);
    const size_t sweeps = be_stencil_sweeps(work->problem);
    double *const grid[] = {z, z + n * n}; /* grid[k % 2]: with k sweeps to go */
    size_t first;
    size_t rows;
    be_work_rows(work, n, 1, &first, &rows);
    if (sweeps == 1) {
        one_reference(work, z, first, rows);
        return;
    }
    for (size_t i = first * n; i < (first + rows) * n; i++) {
        grid[sweeps % 2][i] = at(work, 0, i);
    }
    for (size_t k = sweeps; k-- > 0;) {
        be_team_barrier(work->team);
        sweep_rows(grid[(k + 1) % 2], grid[k % 2], n, first, rows);
    }
}

static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    const size_t n = be_stencil_side(work->problem);
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

#define INSIDE(bits, type)                                                                         \
    static void inside##bits(const struct be_work *work, const void *from, void *to, size_t first, \
                             size_t rows) {                                                        \
        const size_t n = be_stencil_side(work->problem);                                           \
        const size_t max = piece_of(work);                                                         \
        const enum be_prefetch ask = be_work_prefetch(work);                                       \
        be_stencil##bits##_row *run = BE_SIMD_BEST(be_stencil##bits##_run);                        \
        for (size_t left = 0; left < n; left += max) {                                             \
            const size_t begin = left ? left : 1;                                                  \
            const size_t end = n - 1 - left < max ? n - 1 : left + max;                            \
            for (size_t row = first; row < first + rows && begin < end; row++) {                   \
                const type *x = (const type *)from + row * n;                                      \
                type *z = (type *)to + row * n;                                                    \
                if (left == 0) {                                                                   \
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

static void sweep(const struct be_work *work, const void *from, void *to) {
    const size_t n = be_stencil_side(work->problem);
    const size_t bytes = n * be_real_bytes(work->problem->real);
    size_t first;
    size_t rows;
    be_work_rows(work, n, 1, &first, &rows);
    size_t end = first + rows;
    if (rows > 0 && first == 0) {
        memcpy(to, from, bytes);
        first++;
    }
    if (rows > 0 && end == n) {
        end--;
        memcpy((char *)to + end * bytes, (const char *)from + end * bytes, bytes);
    }
    if (first < end) {
        (work->problem->real == BE_REAL64 ? inside64 : inside32)(work, from, to, first,
                                                                 end - first);
    }
}

/* Sweeps go back and forth between the output and a grid beside it, and end in the output. */
static void host(const struct be_work *work) {
    void *const grid[] = {be_work_array(work, 1), work->scratch};
    const void *from = be_work_array(work, 0);
    for (size_t k = be_stencil_sweeps(work->problem); k-- > 0;) {
        sweep(work, from, grid[k % 2]);
        from = grid[k % 2];
        if (k > 0) {
            be_team_barrier(work->team);
        }
    }
}

static size_t beside_bytes(const struct be_problem *problem) {
    const size_t n = be_stencil_side(problem);
    return one_sweep(problem) ? 0 : n * n * be_real_bytes(problem->real);
}

static size_t host_scratch(const struct be_problem *problem, int members) {
    (void)members;
    return beside_bytes(problem);
}

/* ---- on a device ---------------------------------------------------------------------------- */

enum { VECTOR, POINT };
enum { LANES = 256, DEPTH = 8 }; /* as in stencil.cl */

static enum be_status prepare(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_stencil_vector", "k_stencil_point", NULL};
    return be_prepare_kernels(device, problem, &be_program_stencil, NULL, names, prepared, error);
}

static enum be_status put_sweep(const struct be_launch *launch, struct be_argument from,
                                struct be_argument to, struct be_error *error) {
    const size_t n = be_stencil_side(launch->problem);
    const size_t wide = 16 / be_real_bytes(launch->problem->real);
    const size_t across = (n / wide + 31) / 32;
    const struct be_argument argument[] = {from, to, BE_LONG(n), BE_INT(across)};
    if (n % wide != 0) {
        return be_launch_kernel(launch, POINT, (n * n + LANES - 1) / LANES, LANES, argument, 3,
                                error);
    }
    size_t warps = across * ((n + DEPTH - 1) / DEPTH);
    return be_launch_kernel(launch, VECTOR, (warps * 32 + LANES - 1) / LANES, LANES, argument, 4,
                            error);
}

static enum be_status enqueue(const struct be_launch *launch, struct be_error *error) {
    const struct be_argument beside = BE_BUFFER(launch->scratch);
    const struct be_argument grid[] = {be_launch_array(launch, 1), beside};
    struct be_argument from = be_launch_array(launch, 0);
    enum be_status status = BE_OK;
    for (size_t k = be_stencil_sweeps(launch->problem); status == BE_OK && k-- > 0;) {
        status = put_sweep(launch, from, grid[k % 2], error);
        from = grid[k % 2];
    }
    return status;
}

static const char *unfit_bands(const struct be_problem *problem) {
    return one_sweep(problem) ? "takes more than one sweep" : NULL;
}

static const struct be_variant variant[] = {
    {
        .name = "plain",
        .summary = "a pass over the grid for each sweep",
        .host_code = BE_CODE_PLAIN,
        .device_code = BE_CODE_PLAIN,
        .host = host,
        .host_scratch = host_scratch,
        .prepare = prepare,
        .enqueue = enqueue,
        .discard = be_discard_kernels,
        .device_scratch = beside_bytes,
    },
    {
        .name = "bands",
        .summary = "several sweeps in one pass over the grid, a few rows of each at a time (CPU)",
        .unfit = unfit_bands,
        .host = be_stencil_bands,
        .host_scratch = be_stencil_bands_scratch,
    },
};

const struct be_workload be_workload_stencil = {
    .name = "stencil",
    .title = "z = mean of 4 neighbours",
    .summary = "Jacobi sweeps with five points on a square grid",
    .parameter = parameter,
    .parameters = BE_COUNT(parameter),
    .real = BE_REAL32,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .array = array,
    .inputs = 1,
    .outputs = 1,
    BE_WORKLOAD_FUNCTIONS,
    BE_WORKLOAD_VARIANTS,
};
