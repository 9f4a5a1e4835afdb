/*
 * spmv: y = A x with a sparse matrix in compressed rows. Each row has as many nonzeros, one
 * somewhere in each of that many equal pieces of a band around the diagonal. The matrix is one item.
 *
 * Operations: a product a nonzero, and a sum for each but a row's first. Bytes: row pointers,
 * columns and values once, y once, and of x what some row needs: with k nonzeros a row a number of
 * x is left out by all with probability exp(-k).
 */
#include "workload/spmv/spmv.h"

#include <math.h>

#include "base/error.h"
#include "base/random.h"
#include "kernel_programs.h"
#include "workload/spmv/simd.h"

static const struct be_parameter parameter[] = {
    {.name = "rows",
     .what = "rows and columns of the matrix",
     .preset = 100000,
     .min = 100,
     .max = 10000000,
     .from = 1000,
     .to = 3000000,
     .look = {1000, 100000, 3000000}},
    {.name = "nonzeros",
     .what = "nonzeros a row",
     .preset = 32,
     .min = 1,
     .max = 512,
     .from = 4,
     .to = 256,
     .look = {8, 32, 128}},
    {.name = "band",
     .what = "columns around the diagonal that hold the nonzeros",
     .preset = 4096,
     .min = 1,
     .max = 10000000,
     .from = 512,
     .to = 1000000,
     .look = {1024, 32768, 1000000}},
};

static const char *const array[] = {"start", "column", "value", "x", "y"};

/* Row pointers are 32 bits. */
static const char *unfit(const struct be_problem *problem) {
    const struct be_spmv_size size = be_spmv_size(problem);
    return size.rows * size.nonzeros > INT32_MAX - 512 ? "takes fewer than 2^31 nonzeros" : NULL;
}

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const struct be_spmv_size size = be_spmv_size(problem);
    const size_t real = be_real_bytes(problem->real);
    const size_t all = size.rows * size.nonzeros;
    double used = (double)size.rows * (1 - exp(-(double)size.nonzeros));
    *shape = (struct be_shape){
        .items = 1,
        .item_bytes = {(size.rows + 1) * sizeof(int32_t), all * sizeof(int32_t), all * real,
                       size.rows * real, size.rows * real},
        .reference = size.rows,
        .operations = 2 * (double)all - (double)size.rows,
        .bytes = (double)(all * (real + sizeof(int32_t))) +
                 (double)size.rows * (double)(real + sizeof(int32_t)) + used * (double)real,
        .tolerance = problem->real == BE_REAL64 ? 1e-14 : 3e-6};
}

/* Uniform in [-1, 1). */
static double draw(uint64_t seed, uint64_t index) {
    return (double)(be_random_bits(seed, index) >> 11) * 0x1p-52 - 1;
}

static void put(const struct be_work *work, void *array_of, size_t i, double value) {
    if (work->problem->real == BE_REAL64) {
        ((double *)array_of)[i] = value;
    } else {
        ((float *)array_of)[i] = (float)value;
    }
}

static void fill(const struct be_work *work, uint64_t seed) {
    const struct be_spmv_size size = be_spmv_size(work->problem);
    const size_t k = size.nonzeros;
    const uint64_t columns_seed = seed + 1;
    const uint64_t x_seed = seed + 2;
    int32_t *start = be_work_array(work, BE_SPMV_START);
    int32_t *column = be_work_array(work, BE_SPMV_COLUMN);
    size_t first;
    size_t rows;
    be_work_rows(work, size.rows, 1, &first, &rows);
    for (size_t i = first; i < first + rows; i++) {
        size_t left = i > size.band / 2 ? i - size.band / 2 : 0;
        left = left < size.rows - size.band ? left : size.rows - size.band;
        for (size_t j = 0; j < k; j++) {
            uint64_t index = ((uint64_t)work->first * size.rows + i) * k + j;
            size_t from = j * size.band / k;
            size_t capacity = (j + 1) * size.band / k - from;
            column[i * k + j] =
                (int32_t)(left + from + (size_t)(be_random_bits(columns_seed, index) % capacity));
            put(work, be_work_array(work, BE_SPMV_VALUE), i * k + j, draw(seed, index));
        }
        put(work, be_work_array(work, BE_SPMV_X), i,
            draw(x_seed, (uint64_t)work->first * size.rows + i));
        start[i] = (int32_t)(i * k);
    }
    if (first + rows == size.rows && rows > 0) {
        start[size.rows] = (int32_t)(size.rows * k);
    }
}

static double at(const struct be_work *work, int k, size_t i) {
    return work->problem->real == BE_REAL64 ? ((const double *)work->array[k])[i]
                                            : (double)((const float *)work->array[k])[i];
}

static void reference(const struct be_work *work, double *y) {
    const int32_t *start = work->array[BE_SPMV_START];
    const int32_t *column = work->array[BE_SPMV_COLUMN];
    size_t first;
    size_t rows;
    be_work_rows(work, be_spmv_size(work->problem).rows, 1, &first, &rows);
    for (size_t i = first; i < first + rows; i++) {
        y[i] = 0;
        for (int32_t j = start[i]; j < start[i + 1]; j++) {
            y[i] += at(work, BE_SPMV_VALUE, (size_t)j) * at(work, BE_SPMV_X, (size_t)column[j]);
        }
    }
}

static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    double sum = 0;
    double all = 0;
    size_t first;
    size_t rows;
    be_work_rows(work, be_spmv_size(work->problem).rows, 1, &first, &rows);
    for (size_t i = first; i < first + rows; i++) {
        double d = at(work, BE_SPMV_Y, i) - reference[i];
        sum += d * d;
        all += reference[i] * reference[i];
    }
    *difference += sum;
    *norm += all;
}

/* ---- own code ------------------------------------------------------------------------------- */

static void host(const struct be_work *work) {
    enum { LINE = 16 }; /* rows whose results may share a cache line */
    const int32_t *start = be_work_array(work, BE_SPMV_START);
    const int32_t *column = be_work_array(work, BE_SPMV_COLUMN);
    const void *value = be_work_array(work, BE_SPMV_VALUE);
    const void *x = be_work_array(work, BE_SPMV_X);
    void *y = be_work_array(work, BE_SPMV_Y);
    size_t first;
    size_t rows;
    const enum be_prefetch ask = work->cold ? be_work_prefetch(work) : BE_ASK_NOT;
    be_work_rows(work, be_spmv_size(work->problem).rows, LINE, &first, &rows);
    if (work->problem->real == BE_REAL64) {
        BE_SIMD_BEST(be_spmv64_run)
        (start, column, value, x, y, first, rows, ask, work->stores);
    } else {
        BE_SIMD_BEST(be_spmv32_run)
        (start, column, value, x, y, first, rows, ask, work->stores);
    }
}

enum { LANES = 256, MAX_LANES_A_ROW = 32, EACH = 4 };

/* Each lane has about EACH nonzeros, whose loads are on their way together. */
static size_t lanes_a_row(const struct be_problem *problem) {
    size_t lanes = 1;
    while (lanes < MAX_LANES_A_ROW &&
           2 * lanes * EACH <= (size_t)problem->value[BE_SPMV_NONZEROS]) {
        lanes *= 2;
    }
    return lanes;
}

static enum be_status prepare(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_spmv", NULL};
    char defines[64];
    snprintf(defines, sizeof defines, "#define TEAM %zu\n", lanes_a_row(problem));
    return be_prepare_kernels(device, problem, &be_program_spmv, defines, names, prepared, error);
}

static enum be_status enqueue(const struct be_launch *launch, struct be_error *error) {
    const size_t rows = be_spmv_size(launch->problem).rows;
    const size_t per_group = LANES / lanes_a_row(launch->problem);
    const struct be_argument argument[] = {
        be_launch_array(launch, BE_SPMV_START), be_launch_array(launch, BE_SPMV_COLUMN),
        be_launch_array(launch, BE_SPMV_VALUE), be_launch_array(launch, BE_SPMV_X),
        be_launch_array(launch, BE_SPMV_Y),     BE_LONG(rows)};
    return be_launch_kernel(launch, 0, (rows + per_group - 1) / per_group, LANES, argument, 6,
                            error);
}

static void host_plain(const struct be_work *work) {
    BE_SIMD_BEST(be_spmv_plain_run)(work);
}

static const struct be_variant variant[] = {
    {.name = "csr",
     .summary = "own code: vectors along a row; several lanes a row",
     .device_code = BE_CODE_PLAIN,
     .unfit = unfit,
     .host = host,
     .prepare = prepare,
     .enqueue = enqueue,
     .discard = be_discard_kernels,
     .each_of = 1u << BE_SPMV_NONZEROS},
    {.name = "library",
     .summary = "on a GPU its vendor's library",
     .device_code = BE_CODE_LIBRARY,
     .unfit = unfit,
     .prepare = be_spmv_library_prepare,
     .enqueue = be_spmv_library_enqueue,
     .discard = be_spmv_library_discard,
     .each_size = true},
    {.name = "plain",
     .summary = "a loop over the rows and one over a row's nonzeros (CPU)",
     .host_code = BE_CODE_PLAIN,
     .unfit = unfit,
     .host = host_plain},
};

const struct be_workload be_workload_spmv = {
    .name = "spmv",
    .title = "y = A x, A sparse",
    .summary = "a sparse matrix in compressed rows times a vector",
    .parameter = parameter,
    .parameters = 3,
    .real = BE_REAL64,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .array = array,
    .inputs = 4,
    .outputs = 1,
    BE_WORKLOAD_FUNCTIONS,
    BE_WORKLOAD_VARIANTS,
};
