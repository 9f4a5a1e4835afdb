/* The functions of the BLAS for tests, and what it notes of its calls. */
#ifndef TESTS_INJECT_MATH_FAKE_BLAS_H
#define TESTS_INJECT_MATH_FAKE_BLAS_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

struct fake_notes {
    int copy, calls, order;
    const void *argument[13];
    size_t length[2];
    double number[2];
};
extern struct fake_notes fake_notes;
extern jmp_buf *fake_leave;

void dgemm_(const char *ta, const char *tb, const int32_t *m, const int32_t *n, const int32_t *k,
            const double *alpha, const double *a, const int32_t *lda, const double *b,
            const int32_t *ldb, const double *beta, double *c, const int32_t *ldc, size_t la,
            size_t lb);
void dgemm_64_(const char *ta, const char *tb, const int64_t *m, const int64_t *n, const int64_t *k,
               const double *alpha, const double *a, const int64_t *lda, const double *b,
               const int64_t *ldb, const double *beta, double *c, const int64_t *ldc, size_t la,
               size_t lb);
void scipy_cblas_dgemm64_(int order, int ta, int tb, int64_t m, int64_t n, int64_t k, double alpha,
                          const double *a, int64_t lda, const double *b, int64_t ldb, double beta,
                          double *c, int64_t ldc);
void cblas_sgemm(int order, int ta, int tb, int32_t m, int32_t n, int32_t k, float alpha,
                 const float *a, int32_t lda, const float *b, int32_t ldb, float beta, float *c,
                 int32_t ldc);
void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diagonal,
            const int32_t *m, const int32_t *n, const double *alpha, const double *a,
            const int32_t *lda, double *b, const int32_t *ldb, size_t l1, size_t l2, size_t l3,
            size_t l4);

struct fake_plan {
    int n;
    double *in, *out;
};
void *fftw_plan_dft_1d(int n, double *in, double *out, int sign, unsigned flags);
void *fftw_plan_many_dft_r2c(int rank, const int *n, int many, double *in, const int *in_embed,
                             int in_stride, int in_distance, double *out, const int *out_embed,
                             int out_stride, int out_distance, unsigned flags);
void fftw_execute(void *plan);

#endif
