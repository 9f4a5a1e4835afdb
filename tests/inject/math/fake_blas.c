/*
 * A BLAS for tests: plain loops, and notes of what it was given. It is built more than once; COPY tells which one was
 * called.
 */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "fake_blas.h"

struct fake_notes fake_notes;
jmp_buf *fake_leave; /* not NULL: a call ends there */

static void multiply(int64_t m, int64_t n, int64_t k, double alpha, const double *a, int64_t lda,
                     const double *b, int64_t ldb, double beta, double *c, int64_t ldc) {
    fake_notes.copy = COPY;
    fake_notes.calls++;
    if (fake_leave) {
        longjmp(*fake_leave, 1);
    }
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < m; i++) {
            double sum = 0;
            for (int64_t l = 0; l < k; l++) {
                sum += a[i + l * lda] * b[l + j * ldb];
            }
            c[i + j * ldc] = alpha * sum + (beta == 0 ? 0 : beta * c[i + j * ldc]);
        }
    }
}

void dgemm_(const char *ta, const char *tb, const int32_t *m, const int32_t *n, const int32_t *k,
            const double *alpha, const double *a, const int32_t *lda, const double *b,
            const int32_t *ldb, const double *beta, double *c, const int32_t *ldc, size_t la,
            size_t lb) {
    const void *argument[] = {ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc};
    for (int i = 0; i < 13; i++) {
        fake_notes.argument[i] = argument[i];
    }
    fake_notes.length[0] = la;
    fake_notes.length[1] = lb;
    multiply(*m, *n, *k, *alpha, a, *lda, b, *ldb, *beta, c, *ldc);
}

void dgemm_64_(const char *ta, const char *tb, const int64_t *m, const int64_t *n, const int64_t *k,
               const double *alpha, const double *a, const int64_t *lda, const double *b,
               const int64_t *ldb, const double *beta, double *c, const int64_t *ldc, size_t la,
               size_t lb) {
    (void)ta, (void)tb, (void)la, (void)lb;
    multiply(*m, *n, *k, *alpha, a, *lda, b, *ldb, *beta, c, *ldc);
}

/* Column-major and not transposed, as all tests call it. */
void scipy_cblas_dgemm64_(int order, int ta, int tb, int64_t m, int64_t n, int64_t k, double alpha,
                          const double *a, int64_t lda, const double *b, int64_t ldb, double beta,
                          double *c, int64_t ldc) {
    fake_notes.number[0] = alpha;
    fake_notes.number[1] = beta;
    fake_notes.order = order * 1000000 + ta * 1000 + tb;
    multiply(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void cblas_sgemm(int order, int ta, int tb, int32_t m, int32_t n, int32_t k, float alpha,
                 const float *a, int32_t lda, const float *b, int32_t ldb, float beta, float *c,
                 int32_t ldc) {
    (void)order, (void)ta, (void)tb, (void)lda, (void)ldb, (void)ldc;
    fake_notes.number[0] = (double)alpha;
    fake_notes.number[1] = (double)beta;
    fake_notes.copy = COPY;
    c[0] = a[0] * b[0] * (float)(m + n + k);
}

/* Calls another by its name, as LAPACK does. */
void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diagonal,
            const int32_t *m, const int32_t *n, const double *alpha, const double *a,
            const int32_t *lda, double *b, const int32_t *ldb, size_t l1, size_t l2, size_t l3,
            size_t l4) {
    (void)uplo, (void)diagonal, (void)l2, (void)l3, (void)l4;
    const double zero = 0;
    const int32_t *order = *side == 'L' ? m : n;
    dgemm_(trans, trans, m, n, order, alpha, a, lda, b, ldb, &zero, b, ldb, l1, l1);
}

/* A plan is the number of doubles that it writes. */
void *fftw_plan_dft_1d(int n, double *in, double *out, int sign, unsigned flags) {
    static struct fake_plan plan;
    (void)sign;
    plan = (struct fake_plan){n, in, out};
    return flags == 64 ? &plan : NULL;
}

void *fftw_plan_many_dft_r2c(int rank, const int *n, int many, double *in, const int *in_embed,
                             int in_stride, int in_distance, double *out, const int *out_embed,
                             int out_stride, int out_distance, unsigned flags) {
    static struct fake_plan plan;
    (void)in_embed, (void)out_embed, (void)in_stride, (void)out_stride, (void)out_distance;
    plan = (struct fake_plan){rank * n[0] * n[1] * many + in_distance, in, out};
    return flags == 64 ? &plan : NULL;
}

void fftw_execute(void *plan) {
    const struct fake_plan *of = plan;
    of->out[0] = of->in[0] + of->n;
}
