/*
 * matmul: C = A B, row after row: squares, any m x k times k x n, and batches of such.
 */
#include "workload/matmul/matmul.h"

#include <math.h>

#include "base/error.h"
#include "workload/numbers.h"

/* ---- the problem ---------------------------------------------------------------------------- */

/* Up to here all of C is computed again; from there on its product with a vector. */
static bool is_whole(const struct be_matmul_sizes *s) {
    enum { WHOLE = 256, NUMBERS = 1 << 20 };
    return s->m <= WHOLE && s->n <= WHOLE && s->k <= WHOLE &&
           (s->batch == 1 || s->batch <= NUMBERS / (s->m * s->n));
}

/* One product alone has room between it and its copies, so that they lie aligned. */
static size_t matrix_bytes(const struct be_problem *problem, size_t batch, size_t numbers) {
    const size_t bytes = numbers * be_real_bytes(problem->real);
    return batch > 1 ? bytes : (bytes + BE_WHOLE_ALIGN - 1) / BE_WHOLE_ALIGN * BE_WHOLE_ALIGN;
}

/* So many products at a time fill a device. */
static size_t together(const struct be_matmul_sizes *s) {
    enum { SUMS = 1 << 20 };
    const size_t count = (SUMS + s->m * s->n - 1) / (s->m * s->n);
    return count < s->batch ? count : s->batch;
}

/*
 * Operations: m n sums of k products, each product one operation and each addition one: m n (2 k - 1).
 * (Strassen's method needs fewer from some size on; no BLAS uses it unasked, for it is less
 * accurate.)
 */
static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(problem);
    const double m = (double)s.m;
    const double n = (double)s.n;
    const double k = (double)s.k;
    const double batch = (double)s.batch;
    *shape = (struct be_shape){
        .items = s.batch,
        .item_bytes = {matrix_bytes(problem, s.batch, s.m * s.k),
                       matrix_bytes(problem, s.batch, s.k * s.n),
                       matrix_bytes(problem, s.batch, s.m * s.n)},
        .reference = is_whole(&s) ? s.m * s.n : s.m + s.k + s.n,
        .together = together(&s),
        .operations = batch * m * n * (2 * k - 1),
        .bytes = batch * (m * k + k * n + m * n) * (double)be_real_bytes(problem->real),
        /* The largest error of a row over the typical result: roundings of a sum of k terms of
         * either sign add up like its root. */
        .tolerance = 8 * (4 + sqrt(k)) * be_number_unit(problem->real),
    };
}

/* ---- rows of all products of a range -------------------------------------------------------- */

/* A member's rows of `rows` in each product: [at, end) of all of them. */
struct rows {
    size_t at, end;
};

static struct rows rows_of(const struct be_work *work, size_t rows) {
    size_t first;
    size_t count;
    be_work_rows(work, work->items * rows, 1, &first, &count);
    return (struct rows){first, first + count};
}

/* Uniform in [-1, 1). */
static void fill_matrix(const struct be_work *work, int array, size_t rows, size_t columns,
                        uint64_t seed) {
    const enum be_real real = work->problem->real;
    const struct rows mine = rows_of(work, rows);
    for (size_t r = mine.at; r < mine.end; r++) {
        void *matrix = be_matmul_at(work, array, r / rows);
        const uint64_t stream = (uint64_t)(work->first * rows + r) * columns;
        for (size_t j = 0; j < columns; j++) {
            const uint64_t index = 2 * (stream + j) + (array == BE_MATMUL_B ? 1 : 0);
            be_number_set(real, matrix, r % rows * columns + j,
                          2 * be_number_random(real, seed, index) - 1);
        }
    }
}

static void fill(const struct be_work *work, uint64_t seed) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(work->problem);
    fill_matrix(work, BE_MATMUL_A, s.m, s.k, seed);
    fill_matrix(work, BE_MATMUL_B, s.k, s.n, seed);
}

/* ---- the plain reference -------------------------------------------------------------------- */

/* The product of row i of a matrix with so many columns and a vector. */
static double row_times(enum be_real real, const void *matrix, size_t columns, size_t i,
                        const double *vector) {
    double sum = 0;
    for (size_t j = 0; j < columns; j++) {
        sum += be_number(real, matrix, i * columns + j) * vector[j];
    }
    return sum;
}

/* Row i of A B. */
static void row_of_product(enum be_real real, const struct be_matmul_sizes *s, const void *a,
                           const void *b, size_t i, double *row) {
    for (size_t j = 0; j < s->n; j++) {
        row[j] = 0;
    }
    for (size_t k = 0; k < s->k; k++) {
        const double x = be_number(real, a, i * s->k + k);
        for (size_t j = 0; j < s->n; j++) {
            row[j] += x * be_number(real, b, k * s->n + j);
        }
    }
}

static void whole_reference(const struct be_work *work, const struct be_matmul_sizes *s,
                            double *reference) {
    const struct rows mine = rows_of(work, s->m);
    for (size_t r = mine.at; r < mine.end; r++) {
        const size_t item = r / s->m;
        row_of_product(work->problem->real, s, be_matmul_at(work, BE_MATMUL_A, item),
                       be_matmul_at(work, BE_MATMUL_B, item), r % s->m, reference + r * s->n);
    }
}

/* `to` of each product = a matrix of `rows` rows times its vector `from`; both are offsets in its reference. */
static void times_vector(const struct be_work *work, int array, size_t rows, size_t columns,
                         double *reference, size_t from, size_t to) {
    const struct be_shape shape = be_problem_shape(work->problem);
    const struct rows mine = rows_of(work, rows);
    for (size_t r = mine.at; r < mine.end; r++) {
        double *own = reference + r / rows * shape.reference;
        own[to + r % rows] = row_times(work->problem->real, be_matmul_at(work, array, r / rows),
                                       columns, r % rows, own + from);
    }
}

/*
 * C itself where it is small. Else A (B v), B v and v, where v is a vector of +1 and -1: C v then
 * has every number of C in it (Freivalds 1979).
 */
static void reference(const struct be_work *work, double *reference) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(work->problem);
    const size_t middle = s.m;
    const size_t vector = s.m + s.k;
    const struct rows mine = rows_of(work, s.n);
    if (is_whole(&s)) {
        whole_reference(work, &s, reference);
        return;
    }
    for (size_t r = mine.at; r < mine.end; r++) {
        const size_t i = r % s.n;
        reference[r / s.n * (s.m + s.k + s.n) + vector + i] = be_random_bits(0, i) >> 63 ? 1 : -1;
    }
    be_team_barrier(work->team);
    times_vector(work, BE_MATMUL_B, s.k, s.n, reference, vector, middle);
    be_team_barrier(work->team);
    times_vector(work, BE_MATMUL_A, s.m, s.k, reference, middle, 0);
}

/* Few numbers may all be small by chance, whose roundings are those of their terms: uniform in [-1, 1), a product of
 * two has a mean square of 1 / 9. */
static double square_of(const struct be_matmul_sizes *s, double right, bool whole) {
    enum { FEW = 256 };
    const double usual = (double)s->k / 9 * (whole ? 1 : (double)s->n);
    return s->m * s->batch < FEW ? fmax(right * right, usual) : right * right;
}

/* A row's worst counts for all of a member's: one wrong number in a large matrix would drown in
 * the mean. */
static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    const enum be_real real = work->problem->real;
    const struct be_matmul_sizes s = be_matmul_sizes_of(work->problem);
    const struct be_shape shape = be_problem_shape(work->problem);
    const bool whole = is_whole(&s);
    const size_t width = whole ? s.n : 1; /* numbers of reference a row */
    const struct rows mine = rows_of(work, s.m);
    double worst = 0;
    for (size_t r = mine.at; r < mine.end; r++) {
        const double *own = reference + r / s.m * shape.reference;
        const void *c = be_matmul_at(work, BE_MATMUL_C, r / s.m);
        const size_t i = r % s.m;
        for (size_t j = 0; j < width; j++) {
            const double right = own[i * width + j];
            const double z = whole ? be_number(real, c, i * s.n + j)
                                   : row_times(real, c, s.n, i, own + s.m + s.k);
            const double d = (z - right) * (z - right);
            worst = d <= worst || isnan(worst) ? worst : d; /* takes what is no number, too */
            *norm += square_of(&s, right, whole);
        }
    }
    *difference += worst * (double)((mine.end - mine.at) * width);
}

/* ---- the table ------------------------------------------------------------------------------ */

static const char *unfit_small(const struct be_problem *problem) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(problem);
    const bool large = s.m > BE_MATMUL_SMALL && s.n > BE_MATMUL_SMALL;
    return be_matmul_is_square(&s) || large
               ? "takes up to 128 rows or columns of C, and one square only as \"tiled\""
               : NULL;
}

static const char *unfit_plain(const struct be_problem *problem) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(problem);
    return be_matmul_is_square(&s) ? "takes m, n or k of their own, or a batch" : NULL;
}

static const struct be_variant variant[] = {
    {
        .name = "tiled",
        .summary = "our own code: tiles in shared memory, sums in registers; packed on the CPU",
        .host = be_matmul_host_tiled,
        .host_scratch = be_matmul_host_scratch,
        .prepare = be_matmul_tiled_prepare,
        .enqueue = be_matmul_tiled_enqueue,
        .discard = be_discard_kernels,
    },
    {
        .name = "library",
        .summary = "the BLAS of the system, the vendor's on a GPU",
        .host_code = BE_CODE_LIBRARY,
        .device_code = BE_CODE_LIBRARY,
        .host = be_matmul_host_library,
        .host_ready = be_matmul_host_ready,
        .prepare = be_matmul_library_prepare,
        .enqueue = be_matmul_library_enqueue,
        .discard = be_matmul_library_discard,
    },
    {
        .name = "small",
        .summary =
            "our own code for small and narrow matrices: nothing is packed, tiles of 32 x 32",
        .unfit = unfit_small,
        .host = be_matmul_host_small,
        .host_scratch = be_matmul_small_scratch,
        .prepare = be_matmul_small_prepare,
        .enqueue = be_matmul_small_enqueue,
        .discard = be_discard_kernels,
    },
    {
        .name = "plain",
        .summary = "three loops; a lane a number on a GPU. Not of one square",
        .unfit = unfit_plain,
        .host_code = BE_CODE_PLAIN,
        .device_code = BE_CODE_PLAIN,
        .host = be_matmul_host_plain,
        .prepare = be_matmul_plain_prepare,
        .enqueue = be_matmul_plain_enqueue,
        .discard = be_discard_kernels,
    },
};

/* Each of m, n and k is the order where it is not given: 0. */
static bool order_idle(const struct be_problem *problem) {
    return problem->value[BE_MATMUL_M] && problem->value[BE_MATMUL_N] &&
           problem->value[BE_MATMUL_K];
}

static bool m_idle(const struct be_problem *problem) {
    return problem->value[BE_MATMUL_M] == 0;
}

static bool n_idle(const struct be_problem *problem) {
    return problem->value[BE_MATMUL_N] == 0;
}

static bool k_idle(const struct be_problem *problem) {
    return problem->value[BE_MATMUL_K] == 0;
}

static bool batch_idle(const struct be_problem *problem) {
    return problem->value[BE_MATMUL_BATCH] == 1;
}

enum { SIDE_MAX = 10000000 };

static const struct be_parameter parameter[] = {
    {.name = "order",
     .what = "rows and columns of each matrix",
     .preset = 1024,
     .min = 1,
     .max = 100000,
     .from = 32,
     .to = 8192,
     .look = {128, 512, 2048, 4096},
     .idle = order_idle},
    {.name = "m",
     .what = "rows of A and C; 0: the order",
     .preset = 0,
     .max = SIDE_MAX,
     .from = 1,
     .to = 8192,
     .look = {1, 32, 1024},
     .idle = m_idle},
    {.name = "n",
     .what = "columns of B and C; 0: the order",
     .preset = 0,
     .max = SIDE_MAX,
     .from = 1,
     .to = 8192,
     .look = {1, 32, 1024},
     .idle = n_idle},
    {.name = "k",
     .what = "columns of A, rows of B; 0: the order",
     .preset = 0,
     .max = SIDE_MAX,
     .from = 1,
     .to = 8192,
     .look = {1, 32, 1024},
     .idle = k_idle},
    {.name = "batch",
     .what = "products, each of its own A and B",
     .preset = 1,
     .min = 1,
     .max = 10000000,
     .from = 1,
     .to = 100000,
     .look = {1, 100, 10000},
     .idle = batch_idle},
};

static const char *const array[] = {"a", "b", "c"};

const struct be_workload be_workload_matmul = {
    .name = "matmul",
    .title = "C = A B",
    .summary = "products of matrices: squares, any m x k times k x n, batches",
    .parameter = parameter,
    .parameters = BE_COUNT(parameter),
    .real = BE_REAL32,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .matrix = true,
    .array = array,
    .inputs = 2,
    .outputs = 1,
    .grain = 1,
    .host_grain = 1,
    .wants_blas = true,
    BE_WORKLOAD_FUNCTIONS,
    BE_WORKLOAD_VARIANTS,
};
