/*
 * Linear algebra on the CPU, as tables of functions: the BLAS libraries that are here. Several may be found; a caller
 * measures them and takes the fastest. It knows no workload.
 */
#ifndef BE_DYN_HOST_BLAS_H
#define BE_DYN_HOST_BLAS_H

#include "dyn/dyn.h"

/* OpenBLAS takes its code by the model of the processor. A release that is older than that may take what runs on
 * any x86-64, a tenth as fast. */
struct be_blas_code {
    char own[BE_NAME];   /* what it takes by itself: "Prescott"; empty: that was not asked */
    char asked[BE_NAME]; /* what it was told to take, being faster here; empty: nothing */
    double gain;         /* how many times as fast */
};

#define FN(need, type, name, arguments) type(*name) arguments;
struct be_host_blas {
#include "dyn/host/blas_list.h"
    void *handle;
    struct be_blas_code code;
};
#undef FN

enum { BE_BLAS_MAX = 8 };

/* The kinds of BLAS that are looked for, each with a word for it: "openblas, mkl, ..". blas_places.c says where. */
void be_host_blas_words(char *text, size_t capacity);

/* All that are here, one of each kind: table[0 .. *count - 1]. The system's default (libblas.so.3) counts only where
 * there is no other. asked: a word or a file, and only that is opened; NULL: BREAKEVEN_BLAS, which says the same; empty:
 * all. BE_ABSENT: there is none, and how to get one.
 *
 * Their threads are started here, as many as there are cores: they inherit the caller's affinity, and some libraries count
 * cores by it when they are loaded, so the caller must not be pinned. An OpenBLAS that does not take the code of this
 * processor's instructions is loaded once more with OPENBLAS_CORETYPE, and what is faster stays; where the caller has set
 * that, it is left alone. Intel's threads wait busily for 1 ms after a call, not for 200, unless KMP_BLOCKTIME is set: what
 * is timed next would share its cores with them. */
enum be_status be_host_blas_find(const char *asked, struct be_host_blas table[BE_BLAS_MAX],
                                 int *count, struct be_error *error);

/* The one of them with the fastest product of 256 x 256 numbers (float64, one thread). */
enum be_status be_host_blas_open(struct be_host_blas *table, struct be_error *error);

/* Sets how many threads it uses; false: it has no function for that. */
bool be_host_blas_set_threads(const struct be_host_blas *blas, int threads);

/* C = alpha op(A) op(B) + beta C in the host's memory, column after column: op(A) is m x k, op(B) k x n,
 * C m x n, and op transposes where that is said. With beta 0 C is not read. */
struct be_host_gemm {
    bool wide; /* float64, else float32 */
    bool transpose_a, transpose_b;
    int64_t m, n, k;
    double alpha, beta;
    const void *a, *b;
    void *c;
    int64_t a_stride, b_stride, c_stride; /* elements from column to column: leading dimensions */
};

void be_host_blas_gemm(const struct be_host_blas *blas, const struct be_host_gemm *gemm);

/* The same by gemv where C is one column or one row, as NumPy does it, if the library has that. */
void be_host_blas_product(const struct be_host_blas *blas, const struct be_host_gemm *gemm);

/* C = A B, or A^T B where `transposed`, side by side as they are: C of n x n, B of k x n; double where
 * wide, else float. */
void be_host_blas_multiply(const struct be_host_blas *blas, bool wide, bool transposed, int64_t n,
                           int64_t k, const void *a, const void *b, void *c);

/* The meaning of an info that was 0 before LAPACK wrote to it: 0 right, below 0 a wrong argument, above 0 what the
 * function documents; whether the library writes 32 bits or 64. */
int be_host_blas_info(const int64_t *info);

/* "OpenBLAS 0.3.21 (SkylakeX)", "oneMKL 2026.2": library, version and code, as far as it says; "BLAS" where it does not. */
void be_host_blas_name(const struct be_host_blas *blas, char *name, size_t capacity);

/* A note on the library's code that its user should know; false: there is none. */
bool be_host_blas_note(const struct be_host_blas *blas, char *text, size_t capacity);

#endif
