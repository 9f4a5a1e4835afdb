#include "predict/usual.h"

#include <math.h>
#include <stddef.h>
#include <strings.h>

const char *const be_framework_word[BE_FRAMEWORKS] = {
    [BE_FRAMEWORK_NONE] = "",   [BE_FRAMEWORK_NUMPY] = "numpy",   [BE_FRAMEWORK_TORCH] = "torch",
    [BE_FRAMEWORK_JAX] = "jax", [BE_FRAMEWORK_PANDAS] = "pandas",
};

const char *const be_factor_word[BE_FACTORS] = {
    [BE_FACTOR_NONE] = "",           [BE_FACTOR_LU] = "lu",
    [BE_FACTOR_INVERSE] = "inverse", [BE_FACTOR_CHOLESKY] = "cholesky",
    [BE_FACTOR_QR] = "qr",           [BE_FACTOR_EIGEN] = "eigen",
    [BE_FACTOR_SVD] = "svd",
};

int be_usual_word(const char *const *words, int count, const char *word) {
    int found = 0;
    for (int i = 1; i < count; i++) {
        found = strcasecmp(words[i], word) == 0 ? i : found;
    }
    return found;
}

enum be_framework be_usual_framework(const char *word) {
    static const struct {
        const char *word;
        enum be_framework of;
    } also[] = {{"cupy", BE_FRAMEWORK_NUMPY},
                {"scipy", BE_FRAMEWORK_NUMPY},
                {"pytorch", BE_FRAMEWORK_TORCH},
                {"cudf", BE_FRAMEWORK_PANDAS}};
    enum be_framework found =
        (enum be_framework)be_usual_word(be_framework_word, BE_FRAMEWORKS, word);
    for (size_t i = 0; i < sizeof also / sizeof *also; i++) {
        found = strcasecmp(also[i].word, word) == 0 ? also[i].of : found;
    }
    return found;
}

/* ---- frameworks ----------------------------------------------------------------------------- */

/* Calls on arrays of 4 numbers on an AMD EPYC with 2 cores, 28 November 2026 (bench/framework_calls.py): the quickest
 * function, the median and the slowest. NumPy and pandas go over arrays with one thread. JAX starts a compiled function
 * a call, and a method of pandas many kernels, each of which takes cuDF 48 us (in C++) to 0.5 ms, once 2 ms
 * (docs/prediction.md, "Irregular work"). */
static const struct {
    struct be_predict_time call;
    bool each_kernel, one_thread;
    struct be_predict_time kernel;
} frameworks[BE_FRAMEWORKS] = {
    [BE_FRAMEWORK_NUMPY] = {{0.14e-6, 0.71e-6, 1.6e-6}, true, true, {0}},
    [BE_FRAMEWORK_TORCH] = {{0.76e-6, 1.2e-6, 26e-6}, true, false, {0}},
    [BE_FRAMEWORK_JAX] = {{4.9e-6, 5.8e-6, 7.3e-6}, false, false, {0}},
    [BE_FRAMEWORK_PANDAS] = {{6.6e-6, 34e-6, 3.1e-3}, false, true, {50e-6, 290e-6, 2e-3}},
};

/* A method of pandas that has a hash table: a groupby 0.2 ms, a merge 0.46 ms on 10 rows. */
static const struct be_predict_time pandas_hash = {50e-6, 200e-6, 3.1e-3};

struct be_usual_calls be_usual_calls(const struct be_predict_work *work) {
    /* The kernels of a factorisation are those of one call. */
    const bool each = frameworks[work->framework].each_kernel && !work->factor;
    return (struct be_usual_calls){
        .one = work->framework == BE_FRAMEWORK_PANDAS && work->irregular == BE_IRREGULAR_HASH
                   ? pandas_hash
                   : frameworks[work->framework].call,
        .kernel = frameworks[work->framework].kernel,
        .count = work->calls * (each ? work->launches : 1),
        .each_kernel = each,
        .one_thread = frameworks[work->framework].one_thread && !work->matrix && !work->factor,
    };
}

/* ---- factorisations ------------------------------------------------------------------------- */

/* Operations of an m x n matrix, m >= n: a m n^2 + b n^3 (Golub and Van Loan, Matrix Computations, 4th edition, 3.2, 4.2,
 * 5.2, 8.3 and 8.6: eigenvalues and vectors of a symmetric matrix; of the SVD both sides, thin). Kernels a column: a
 * step of LU or Cholesky is one update; one by a reflection has its norm, its scaling, a product, an update and a copy. */
static const struct {
    double mnn, nnn, kernels;
} factors[BE_FACTORS] = {
    [BE_FACTOR_LU] = {1, -1.0 / 3, 1},      [BE_FACTOR_INVERSE] = {1, 1, 2},
    [BE_FACTOR_CHOLESKY] = {0, 1.0 / 3, 1}, [BE_FACTOR_QR] = {2, -2.0 / 3, 5},
    [BE_FACTOR_EIGEN] = {0, 9, 5},          [BE_FACTOR_SVD] = {14, 8, 5},
};

/* A matrix is read, and written twice: in between and at the end. */
static const double passes = 3;

void be_usual_factor(struct be_predict_work *work) {
    const double m = fmax(work->factor_m, work->factor_n), n = fmin(work->factor_m, work->factor_n);
    const double flops =
        factors[work->factor].mnn * m * n * n + factors[work->factor].nnn * n * n * n;
    const double bytes = passes * m * n * (work->float64 ? 8 : 4);
    work->flops = work->flops > 0 ? work->flops : flops;
    work->bytes = work->bytes > 0 ? work->bytes : bytes;
    work->launches = work->launches > 0 ? work->launches : ceil(factors[work->factor].kernels * n);
}
