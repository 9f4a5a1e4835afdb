/*
 * Floating-point operations of a call: additions and multiplications of real numbers, terms of the highest order.
 * Products and solves are from LAPACK Working Note 41 (tables 3 and 4), eigenvalues and singular values from Golub and
 * Van Loan, Matrix Computations, 4th edition (sections 5.2, 7.5, 8.3 and 8.6): those follow from how often an iteration
 * runs, and are estimates.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "observe/calls/call_list.h"
#include "observe/calls/call_words.h"

#define OPERATIONS(name, formula)                                                                  \
    static double name(double m, double n, double k) {                                             \
        (void)m, (void)n, (void)k;                                                                 \
        return formula;                                                                            \
    }

/* ---- products --------------------------------------------------------------------------------- */

OPERATIONS(mnk, 2 * m * n * k)
OPERATIONS(nnk, n *n *k)
OPERATIONS(twice_nnk, 2 * n * n * k)
OPERATIONS(half_mnk, m *n *k) /* k: the order of the triangular matrix */
OPERATIONS(mn, 2 * m * n)
OPERATIONS(nn, n *n)
OPERATIONS(twice_nn, 2 * n * n)

/* ---- solves; k: right-hand sides, or reflections -------------------------------------------------- */

OPERATIONS(lu_solve, 2 * n * n * n / 3 + 2 * n * n * k)
OPERATIONS(lu_invert, 4 * n * n * n / 3)
OPERATIONS(lu_half, 2 * n * n * n / 3)
OPERATIONS(cholesky, n *n *n / 3)
OPERATIONS(cholesky_solve, n *n *n / 3 + 2 * n * n * k)
OPERATIONS(tridiagonal, (5 * k + 3) * n)

static double lu(double m, double n, double k) {
    double s = fmin(m, n);
    (void)k;
    return 2 * m * n * s - (m + n) * s * s + 2 * s * s * s / 3;
}

static double qr(double m, double n, double k) {
    double s = fmin(m, n);
    (void)k;
    return 2 * s * s * (fmax(m, n) - s / 3);
}

OPERATIONS(qr_form, 4 * m * n * k - 2 * (m + n) * k * k + 4 * k * k * k / 3)
OPERATIONS(qr_apply, 4 * m * n * k - 2 * n * k * k) /* from the left */
OPERATIONS(least_squares, qr(m, n, 0) + 4 * m * n * k - n * n * k)
OPERATIONS(singular_solve, 2 * fmax(m, n) * pow(fmin(m, n), 2) + 11 * pow(fmin(m, n), 3))

/* ---- eigenvalues and singular values; k: 1 with vectors, 0 without ------------------------------ */

OPERATIONS(symmetric, (k > 0 ? 9.0 : 4.0 / 3) * n * n * n)
OPERATIONS(generalized, symmetric(m, n, k) + 7 * n * n * n / 3)
OPERATIONS(general, (k > 0 ? 25.0 : 10.0) * n * n * n)
OPERATIONS(hessenberg, 10 * n * n * n / 3)

static double singular(double m, double n, double k) {
    double s = fmin(m, n), l = fmax(m, n);
    return k > 0 ? 6 * l * s * s + 20 * s * s * s : 4 * l * s * s - 4 * s * s * s / 3;
}

/* ---- transforms; k: how many in a call ---------------------------------------------------------- */

/* 5 n log2 n of a complex one, as FFTW's own benchmark counts, and half of that of a real one. */
OPERATIONS(transform, (n > 1 ? 5.0 / 4 * n * log2(n) : 0) * k)
OPERATIONS(real_transform, 2 * transform(m, n, k))

const struct be_call_words be_call_words[BE_CALL_FUNCTIONS] = {
    [BE_CALL_gemm] = {"gemm", BE_CALLS_PRODUCT, mnk},
    [BE_CALL_symm] = {"symm", BE_CALLS_PRODUCT, mnk},
    [BE_CALL_hemm] = {"hemm", BE_CALLS_PRODUCT, mnk},
    [BE_CALL_syrk] = {"syrk", BE_CALLS_PRODUCT, nnk},
    [BE_CALL_herk] = {"herk", BE_CALLS_PRODUCT, nnk},
    [BE_CALL_syr2k] = {"syr2k", BE_CALLS_PRODUCT, twice_nnk},
    [BE_CALL_her2k] = {"her2k", BE_CALLS_PRODUCT, twice_nnk},
    [BE_CALL_trmm] = {"trmm", BE_CALLS_PRODUCT, half_mnk},
    [BE_CALL_trsm] = {"trsm", BE_CALLS_PRODUCT, half_mnk},
    [BE_CALL_gemv] = {"gemv", BE_CALLS_VECTOR, mn},
    [BE_CALL_ger] = {"ger", BE_CALLS_VECTOR, mn},
    [BE_CALL_geru] = {"geru", BE_CALLS_VECTOR, mn},
    [BE_CALL_gerc] = {"gerc", BE_CALLS_VECTOR, mn},
    [BE_CALL_symv] = {"symv", BE_CALLS_VECTOR, twice_nn},
    [BE_CALL_hemv] = {"hemv", BE_CALLS_VECTOR, twice_nn},
    [BE_CALL_trmv] = {"trmv", BE_CALLS_VECTOR, nn},
    [BE_CALL_trsv] = {"trsv", BE_CALLS_VECTOR, nn},
    [BE_CALL_gesv] = {"gesv", BE_CALLS_SOLVE, lu_solve},
    [BE_CALL_getrf] = {"getrf", BE_CALLS_SOLVE, lu},
    [BE_CALL_getrs] = {"getrs", BE_CALLS_SOLVE, twice_nnk},
    [BE_CALL_getri] = {"getri", BE_CALLS_SOLVE, lu_invert},
    [BE_CALL_potrf] = {"potrf", BE_CALLS_SOLVE, cholesky},
    [BE_CALL_potrs] = {"potrs", BE_CALLS_SOLVE, twice_nnk},
    [BE_CALL_potri] = {"potri", BE_CALLS_SOLVE, lu_half},
    [BE_CALL_posv] = {"posv", BE_CALLS_SOLVE, cholesky_solve},
    [BE_CALL_sytrf] = {"sytrf", BE_CALLS_SOLVE, cholesky},
    [BE_CALL_hetrf] = {"hetrf", BE_CALLS_SOLVE, cholesky},
    [BE_CALL_sysv] = {"sysv", BE_CALLS_SOLVE, cholesky_solve},
    [BE_CALL_hesv] = {"hesv", BE_CALLS_SOLVE, cholesky_solve},
    [BE_CALL_gtsv] = {"gtsv", BE_CALLS_SOLVE, tridiagonal},
    [BE_CALL_trtrs] = {"trtrs", BE_CALLS_SOLVE, nnk},
    [BE_CALL_trtri] = {"trtri", BE_CALLS_SOLVE, cholesky},
    [BE_CALL_geqrf] = {"geqrf", BE_CALLS_SOLVE, qr},
    [BE_CALL_geqp3] = {"geqp3", BE_CALLS_SOLVE, qr},
    [BE_CALL_geqp3_complex] = {"geqp3", BE_CALLS_SOLVE, qr},
    [BE_CALL_orgqr] = {"orgqr", BE_CALLS_SOLVE, qr_form},
    [BE_CALL_ungqr] = {"ungqr", BE_CALLS_SOLVE, qr_form},
    [BE_CALL_ormqr] = {"ormqr", BE_CALLS_SOLVE, qr_apply},
    [BE_CALL_unmqr] = {"unmqr", BE_CALLS_SOLVE, qr_apply},
    [BE_CALL_gels] = {"gels", BE_CALLS_SOLVE, least_squares},
    [BE_CALL_gelsd] = {"gelsd", BE_CALLS_EIGEN, singular_solve},
    [BE_CALL_gelsd_complex] = {"gelsd", BE_CALLS_EIGEN, singular_solve},
    [BE_CALL_gesdd] = {"gesdd", BE_CALLS_EIGEN, singular},
    [BE_CALL_gesdd_complex] = {"gesdd", BE_CALLS_EIGEN, singular},
    [BE_CALL_gesvd] = {"gesvd", BE_CALLS_EIGEN, singular},
    [BE_CALL_gesvd_complex] = {"gesvd", BE_CALLS_EIGEN, singular},
    [BE_CALL_syev] = {"syev", BE_CALLS_EIGEN, symmetric},
    [BE_CALL_heev] = {"heev", BE_CALLS_EIGEN, symmetric},
    [BE_CALL_syevd] = {"syevd", BE_CALLS_EIGEN, symmetric},
    [BE_CALL_heevd] = {"heevd", BE_CALLS_EIGEN, symmetric},
    [BE_CALL_syevr] = {"syevr", BE_CALLS_EIGEN, symmetric},
    [BE_CALL_heevr] = {"heevr", BE_CALLS_EIGEN, symmetric},
    [BE_CALL_sygvd] = {"sygvd", BE_CALLS_EIGEN, generalized},
    [BE_CALL_hegvd] = {"hegvd", BE_CALLS_EIGEN, generalized},
    [BE_CALL_geev] = {"geev", BE_CALLS_EIGEN, general},
    [BE_CALL_geev_complex] = {"geev", BE_CALLS_EIGEN, general},
    [BE_CALL_gees] = {"gees", BE_CALLS_EIGEN, general},
    [BE_CALL_gees_complex] = {"gees", BE_CALLS_EIGEN, general},
    [BE_CALL_gehrd] = {"gehrd", BE_CALLS_EIGEN, hessenberg},
    [BE_CALL_fft] = {"fft", BE_CALLS_FFT, transform},
    [BE_CALL_rfft] = {"rfft", BE_CALLS_FFT, real_transform},
};

double be_call_flops(const struct be_call_row *row) {
    double complex_factor = row->type == 'c' || row->type == 'z' ? 4 : 1;
    for (size_t i = 0; i < BE_CALL_FUNCTIONS; i++) {
        if (strcmp(be_call_words[i].name, row->function) == 0) {
            return complex_factor * be_call_words[i].flops(row->m, row->n, row->k);
        }
    }
    return 0;
}
