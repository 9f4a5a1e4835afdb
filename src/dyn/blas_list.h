// clang-format off
/*
 * The matrix product of any BLAS, LAPACK's LU where it comes with it, and what some of them say and take of threads:
 * FN(must|may, type, name, (arguments)).
 *
 * Integers are pointers to 64 bits: a library with 32-bit integers reads the lower half, which on a
 * little-endian machine is the same number.
 */
FN(must, void, dgemm_, (const char *transa, const char *transb, const int64_t *m, const int64_t *n, const int64_t *k, const double *alpha, const double *a, const int64_t *lda, const double *b, const int64_t *ldb, const double *beta, double *c, const int64_t *ldc))
FN(must, void, sgemm_, (const char *transa, const char *transb, const int64_t *m, const int64_t *n, const int64_t *k, const float *alpha, const float *a, const int64_t *lda, const float *b, const int64_t *ldb, const float *beta, float *c, const int64_t *ldc))
FN(may, void, dgetrf_, (const int64_t *m, const int64_t *n, double *a, const int64_t *lda, int64_t *pivots, int64_t *info))
FN(may, void, sgetrf_, (const int64_t *m, const int64_t *n, float *a, const int64_t *lda, int64_t *pivots, int64_t *info))
FN(may, void, dgetrs_, (const char *trans, const int64_t *n, const int64_t *right_sides, const double *a, const int64_t *lda, const int64_t *pivots, double *b, const int64_t *ldb, int64_t *info))
FN(may, void, sgetrs_, (const char *trans, const int64_t *n, const int64_t *right_sides, const float *a, const int64_t *lda, const int64_t *pivots, float *b, const int64_t *ldb, int64_t *info))
FN(may, void, openblas_set_num_threads, (int threads))
FN(may, char *, openblas_get_config, (void))
FN(may, void, MKL_Set_Num_Threads, (int threads))
FN(may, void, mkl_get_version_string, (char *text, int room))
FN(may, void, bli_thread_set_num_threads, (int64_t threads))
FN(may, char *, bli_info_get_version_str, (void))
