// clang-format off
/*
 * The matrix product of any BLAS, other products and solvers of BLAS and of LAPACK where the library
 * has them, and what some say and take of threads: FN(must|may, type, name, (arguments)).
 *
 * Integers are pointers to 64 bits: a library with 32-bit integers reads the lower half, which on a little-endian
 * machine is the same number. Such a library also writes there: info must be 0 before a call, and is read by be_host_blas_info;
 * pivots have room for 64 bits each, and only the library reads them.
 */
FN(must, void, dgemm_, (const char *transa, const char *transb, const int64_t *m, const int64_t *n, const int64_t *k, const double *alpha, const double *a, const int64_t *lda, const double *b, const int64_t *ldb, const double *beta, double *c, const int64_t *ldc))
FN(must, void, sgemm_, (const char *transa, const char *transb, const int64_t *m, const int64_t *n, const int64_t *k, const float *alpha, const float *a, const int64_t *lda, const float *b, const int64_t *ldb, const float *beta, float *c, const int64_t *ldc))
FN(may, void, dgemv_, (const char *trans, const int64_t *m, const int64_t *n, const double *alpha, const double *a, const int64_t *lda, const double *x, const int64_t *incx, const double *beta, double *y, const int64_t *incy))
FN(may, void, sgemv_, (const char *trans, const int64_t *m, const int64_t *n, const float *alpha, const float *a, const int64_t *lda, const float *x, const int64_t *incx, const float *beta, float *y, const int64_t *incy))
FN(may, void, dsyrk_, (const char *uplo, const char *trans, const int64_t *n, const int64_t *k, const double *alpha, const double *a, const int64_t *lda, const double *beta, double *c, const int64_t *ldc))
FN(may, void, ssyrk_, (const char *uplo, const char *trans, const int64_t *n, const int64_t *k, const float *alpha, const float *a, const int64_t *lda, const float *beta, float *c, const int64_t *ldc))
FN(may, void, dtrsm_, (const char *side, const char *uplo, const char *trans, const char *diag, const int64_t *m, const int64_t *n, const double *alpha, const double *a, const int64_t *lda, double *b, const int64_t *ldb))
FN(may, void, strsm_, (const char *side, const char *uplo, const char *trans, const char *diag, const int64_t *m, const int64_t *n, const float *alpha, const float *a, const int64_t *lda, float *b, const int64_t *ldb))
FN(may, void, dgesv_, (const int64_t *n, const int64_t *nrhs, double *a, const int64_t *lda, int64_t *ipiv, double *b, const int64_t *ldb, int64_t *info))
FN(may, void, sgesv_, (const int64_t *n, const int64_t *nrhs, float *a, const int64_t *lda, int64_t *ipiv, float *b, const int64_t *ldb, int64_t *info))
FN(may, void, dgetrf_, (const int64_t *m, const int64_t *n, double *a, const int64_t *lda, int64_t *ipiv, int64_t *info))
FN(may, void, sgetrf_, (const int64_t *m, const int64_t *n, float *a, const int64_t *lda, int64_t *ipiv, int64_t *info))
FN(may, void, dgetrs_, (const char *trans, const int64_t *n, const int64_t *nrhs, const double *a, const int64_t *lda, const int64_t *ipiv, double *b, const int64_t *ldb, int64_t *info))
FN(may, void, sgetrs_, (const char *trans, const int64_t *n, const int64_t *nrhs, const float *a, const int64_t *lda, const int64_t *ipiv, float *b, const int64_t *ldb, int64_t *info))
FN(may, void, dsyevd_, (const char *jobz, const char *uplo, const int64_t *n, double *a, const int64_t *lda, double *w, double *work, const int64_t *lwork, int64_t *iwork, const int64_t *liwork, int64_t *info))
FN(may, void, ssyevd_, (const char *jobz, const char *uplo, const int64_t *n, float *a, const int64_t *lda, float *w, float *work, const int64_t *lwork, int64_t *iwork, const int64_t *liwork, int64_t *info))
FN(may, void, dgesdd_, (const char *jobz, const int64_t *m, const int64_t *n, double *a, const int64_t *lda, double *s, double *u, const int64_t *ldu, double *vt, const int64_t *ldvt, double *work, const int64_t *lwork, int64_t *iwork, int64_t *info))
FN(may, void, sgesdd_, (const char *jobz, const int64_t *m, const int64_t *n, float *a, const int64_t *lda, float *s, float *u, const int64_t *ldu, float *vt, const int64_t *ldvt, float *work, const int64_t *lwork, int64_t *iwork, int64_t *info))
FN(may, void, dgeqrf_, (const int64_t *m, const int64_t *n, double *a, const int64_t *lda, double *tau, double *work, const int64_t *lwork, int64_t *info))
FN(may, void, sgeqrf_, (const int64_t *m, const int64_t *n, float *a, const int64_t *lda, float *tau, float *work, const int64_t *lwork, int64_t *info))
FN(may, void, dorgqr_, (const int64_t *m, const int64_t *n, const int64_t *k, double *a, const int64_t *lda, const double *tau, double *work, const int64_t *lwork, int64_t *info))
FN(may, void, sorgqr_, (const int64_t *m, const int64_t *n, const int64_t *k, float *a, const int64_t *lda, const float *tau, float *work, const int64_t *lwork, int64_t *info))
FN(may, void, openblas_set_num_threads, (int threads))
FN(may, char *, openblas_get_config, (void))
FN(may, char *, openblas_get_corename, (void))
FN(may, void, MKL_Set_Num_Threads, (int threads))
FN(may, void, mkl_get_version_string, (char *text, int capacity))
FN(may, void, bli_thread_set_num_threads, (int64_t threads))
FN(may, char *, bli_info_get_version_str, (void))
FN(may, void, nvpl_blas_set_num_threads, (int threads))
FN(may, void, flexiblas_set_num_threads, (int threads))
