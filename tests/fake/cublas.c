/* A fake cuBLAS: the plain loops, put into the fake driver's stream and so run when someone waits. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "dense.h"
#include "driver.h"
#include "dyn/nvidia/cublas.h"
#include "../contract/half.h"

enum { NOT_INITIALIZED = 1, INVALID_VALUE = 7, EXECUTION_FAILED = 13 };

struct cublasContext {
    cudaStream_t stream;
};

static cublasStatus_t begin(int at, cublasHandle_t handle) {
    cublasStatus_t code = fake_call(at);
    return code == 0 && !handle ? fake_misuse(NOT_INITIALIZED, "cuBLAS without a handle") : code;
}

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
    cublasStatus_t code = fake_call(AT_cublasCreate_v2);
    if (code != 0) {
        return code;
    }
    *handle = calloc(1, sizeof **handle);
    if (!*handle) {
        return CUBLAS_STATUS_ALLOC_FAILED;
    }
    fake.live[FAKE_BLAS]++;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
    cublasStatus_t code = begin(AT_cublasDestroy_v2, handle);
    fake.live[FAKE_BLAS] -= handle != NULL;
    free(handle);
    return code;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version) {
    cublasStatus_t code = begin(AT_cublasGetVersion_v2, handle);
    if (code == 0) {
        *version = 130002;
    }
    return code;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
    cublasStatus_t code = begin(AT_cublasSetStream_v2, handle);
    if (code == 0) {
        handle->stream = stream;
    }
    return code;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
    cublasStatus_t code = begin(AT_cublasSetMathMode, handle);
    return code == 0 && mode != CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION
               ? fake_misuse(INVALID_VALUE, "cublasSetMathMode to %d", mode)
               : code;
}

const char *cublasGetStatusString(cublasStatus_t status) {
    (void)fake_call(AT_cublasGetStatusString);
    return status == EXECUTION_FAILED ? "the GPU program failed to execute" : "an error";
}

struct product {
    const void *a, *b;
    void *c;
    int64_t m, n, k, a_stride, b_stride, c_stride;
    int64_t batch, a_step, b_step, c_step;
    double alpha, beta;
    cudaDataType type;
    cublasComputeType_t compute;
    bool turn_a, turn_b;
};

/* TF32: 10 bits of the fraction. */
static double cut(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= 0xffffe000;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static double load(const struct product *p, const void *from, size_t at) {
    float single = 0;
    switch (p->type) {
    case CUDA_R_64F:
        return ((const double *)from)[at];
    case CUDA_R_16F:
        return (double)float_of_float16(((const uint16_t *)from)[at]);
    case CUDA_R_16BF:
        return (double)float_of_bfloat16(((const uint16_t *)from)[at]);
    default:
        single = ((const float *)from)[at];
        return p->compute == CUBLAS_COMPUTE_32F_FAST_TF32 ? cut(single) : (double)single;
    }
}

static void store(const struct product *p, size_t at, double value) {
    switch (p->type) {
    case CUDA_R_64F:
        ((double *)p->c)[at] = value;
        break;
    case CUDA_R_16F:
        ((uint16_t *)p->c)[at] = float16_from((float)value);
        break;
    case CUDA_R_16BF:
        ((uint16_t *)p->c)[at] = bfloat16_from((float)value);
        break;
    default:
        ((float *)p->c)[at] = (float)value;
    }
}

static size_t each_of(cudaDataType type) {
    return type == CUDA_R_64F ? 8 : type == CUDA_R_32F ? 4 : 2;
}

/* C is not read where beta is 0. */
static void run_one(struct product p, int64_t i) {
    p.a = (const char *)p.a + (size_t)(i * p.a_step) * each_of(p.type);
    p.b = (const char *)p.b + (size_t)(i * p.b_step) * each_of(p.type);
    p.c = (char *)p.c + (size_t)(i * p.c_step) * each_of(p.type);
    for (int64_t column = 0; column < p.n; column++) {
        for (int64_t row = 0; row < p.m; row++) {
            size_t at = (size_t)(row + column * p.c_stride);
            double sum = 0;
            for (int64_t k = 0; k < p.k; k++) {
                int64_t left = p.turn_a ? k + row * p.a_stride : row + k * p.a_stride;
                int64_t right = p.turn_b ? column + k * p.b_stride : k + column * p.b_stride;
                sum += load(&p, p.a, (size_t)left) * load(&p, p.b, (size_t)right);
            }
            store(&p, at, p.alpha * sum + (p.beta == 0 ? 0 : p.beta * load(&p, p.c, at)));
        }
    }
}

static void run(const void *context) {
    struct product p;
    memcpy(&p, context, sizeof p);
    for (int64_t i = 0; i < p.batch; i++) {
        run_one(p, i);
    }
}

/* The scalars are of the type that is computed in. */
static double scalar(cublasComputeType_t compute, const void *from) {
    float single;
    double value;
    if (compute == CUBLAS_COMPUTE_64F) {
        memcpy(&value, from, sizeof value);
        return value;
    }
    memcpy(&single, from, sizeof single);
    return (double)single;
}

static size_t bytes_of(cudaDataType type, int64_t rows, int64_t columns, int64_t stride,
                       int64_t ahead) {
    return (size_t)((columns - 1) * stride + rows + ahead) * each_of(type);
}

static bool there(const struct product *p) {
    const int64_t before = p->batch - 1;
    return p->m > 0 && p->n > 0 && p->k > 0 && p->batch > 0 &&
           p->a_stride >= (p->turn_a ? p->k : p->m) && p->b_stride >= (p->turn_b ? p->n : p->k) &&
           p->c_stride >= p->m &&
           driver_holds(p->a, bytes_of(p->type, p->turn_a ? p->k : p->m, p->turn_a ? p->m : p->k,
                                       p->a_stride, before * p->a_step)) &&
           driver_holds(p->b, bytes_of(p->type, p->turn_b ? p->n : p->k, p->turn_b ? p->k : p->n,
                                       p->b_stride, before * p->b_step)) &&
           driver_holds(p->c, bytes_of(p->type, p->m, p->n, p->c_stride, before * p->c_step));
}

/* Puts a product, which is whole but for its scalars, into the stream. */
static cublasStatus_t multiply(int at, cublasHandle_t handle, cublasOperation_t turn_a,
                               cublasOperation_t turn_b, const void *alpha, const void *beta,
                               const cudaDataType type[3], cublasGemmAlgo_t algorithm,
                               struct product p) {
    cublasStatus_t code = begin(at, handle);
    if (code != 0) {
        return code;
    }
    p.alpha = scalar(p.compute, alpha);
    p.beta = scalar(p.compute, beta);
    p.type = type[0];
    p.turn_a = turn_a == CUBLAS_OP_T;
    p.turn_b = turn_b == CUBLAS_OP_T;
    bool plain = (turn_a == CUBLAS_OP_N || p.turn_a) && (turn_b == CUBLAS_OP_N || p.turn_b) &&
                 algorithm == CUBLAS_GEMM_DEFAULT;
    bool fits = type[0] == type[1] && type[0] == type[2] &&
                (type[0] == CUDA_R_64F) == (p.compute == CUBLAS_COMPUTE_64F) &&
                (type[0] == CUDA_R_32F || p.compute != CUBLAS_COMPUTE_32F_FAST_TF32);
    if (!plain || !fits || !there(&p)) {
        return fake_misuse(INVALID_VALUE, "cublasGemmEx of %lld x %lld x %lld", (long long)p.m,
                           (long long)p.n, (long long)p.k);
    }
    return driver_put(handle->stream, run, &p, sizeof p)
               ? CUBLAS_STATUS_SUCCESS
               : fake_misuse(EXECUTION_FAILED, "cublasGemmEx without a stream");
}

/* The arguments that all three functions have. */
#define PRODUCT                                                                                    \
    .a = a, .b = b, .c = c, .m = m, .n = n, .k = k, .a_stride = a_stride, .b_stride = b_stride,    \
    .c_stride = c_stride, .compute = compute

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t turn_a,
                            cublasOperation_t turn_b, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType a_type, int a_stride, const void *b,
                            cudaDataType b_type, int b_stride, const void *beta, void *c,
                            cudaDataType c_type, int c_stride, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm) {
    const cudaDataType type[] = {a_type, b_type, c_type};
    return multiply(AT_cublasGemmEx, handle, turn_a, turn_b, alpha, beta, type, algorithm,
                    (struct product){PRODUCT, .batch = 1});
}

cublasStatus_t cublasGemmEx_64(cublasHandle_t handle, cublasOperation_t turn_a,
                               cublasOperation_t turn_b, int64_t m, int64_t n, int64_t k,
                               const void *alpha, const void *a, cudaDataType a_type,
                               int64_t a_stride, const void *b, cudaDataType b_type,
                               int64_t b_stride, const void *beta, void *c, cudaDataType c_type,
                               int64_t c_stride, cublasComputeType_t compute,
                               cublasGemmAlgo_t algorithm) {
    const cudaDataType type[] = {a_type, b_type, c_type};
    return multiply(AT_cublasGemmEx_64, handle, turn_a, turn_b, alpha, beta, type, algorithm,
                    (struct product){PRODUCT, .batch = 1});
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t turn_a,
                                          cublasOperation_t turn_b, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType a_type,
                                          int a_stride, long long a_step, const void *b,
                                          cudaDataType b_type, int b_stride, long long b_step,
                                          const void *beta, void *c, cudaDataType c_type,
                                          int c_stride, long long c_step, int batch,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
    const cudaDataType type[] = {a_type, b_type, c_type};
    return multiply(AT_cublasGemmStridedBatchedEx, handle, turn_a, turn_b, alpha, beta, type,
                    algorithm,
                    (struct product){PRODUCT, .batch = batch, .a_step = a_step, .b_step = b_step,
                                     .c_step = c_step});
}

/* ---- batches of systems: the lists of pointers are on the device, and read when it is run ---- */

enum { ORDER_MAX = 64 };

struct batch {
    void *const *a, *const *b;
    int *pivot, *info;
    int n, count;
    bool is_double;
};

static void run_factor(const void *context) {
    struct batch c;
    memcpy(&c, context, sizeof c);
    for (int i = 0; i < c.count; i++) {
        const struct dense a = {c.a[i], (size_t)c.n, c.is_double};
        int64_t pivot[ORDER_MAX];
        c.info[i] = dense_factor(&a, (size_t)c.n, pivot);
        for (int k = 0; k < c.n; k++) {
            c.pivot[i * c.n + k] = (int)pivot[k];
        }
    }
}

static void run_solve(const void *context) {
    struct batch c;
    memcpy(&c, context, sizeof c);
    for (int i = 0; i < c.count; i++) {
        const struct dense a = {c.a[i], (size_t)c.n, c.is_double};
        const struct dense b = {c.b[i], (size_t)c.n, c.is_double};
        int64_t pivot[ORDER_MAX];
        for (int k = 0; k < c.n; k++) {
            pivot[k] = c.pivot[i * c.n + k];
        }
        dense_solve(&a, (size_t)c.n, pivot, &b, 1);
    }
}

static cublasStatus_t put_batch(int at, cublasHandle_t handle, const struct batch *c, bool sizes,
                                void (*work)(const void *context)) {
    cublasStatus_t code = begin(at, handle);
    if (code != 0) {
        return code;
    }
    size_t list = (size_t)c->count * sizeof(void *);
    bool here = sizes && c->n > 0 && c->n <= ORDER_MAX && c->count > 0 &&
                driver_holds(c->a, list) && (!c->b || driver_holds(c->b, list)) &&
                driver_holds(c->pivot, (size_t)c->n * (size_t)c->count * sizeof(int)) &&
                (!c->info || driver_holds(c->info, (size_t)c->count * sizeof(int)));
    if (!here) {
        return fake_misuse(INVALID_VALUE, "%s of %d systems of order %d", fake.function[at].name,
                           c->count, c->n);
    }
    return driver_put(handle->stream, work, c, sizeof *c)
               ? CUBLAS_STATUS_SUCCESS
               : fake_misuse(EXECUTION_FAILED, "%s without a stream", fake.function[at].name);
}

#define FACTOR(name, type, is_double)                                                              \
    cublasStatus_t name(cublasHandle_t handle, int n, type *const a[], int stride, int *pivot,     \
                        int *info, int batch) {                                                    \
        const struct batch c = {(void *const *)a, NULL, pivot, info, n, batch, is_double};         \
        return put_batch(AT_##name, handle, &c, info && stride == n, run_factor);                  \
    }
FACTOR(cublasSgetrfBatched, float, false)
FACTOR(cublasDgetrfBatched, double, true)

/* info is one number, on the host. */
#define SOLVE(name, type, is_double)                                                               \
    cublasStatus_t name(cublasHandle_t handle, cublasOperation_t turn, int n, int right_sides,     \
                        const type *const a[], int a_stride, const int *pivot, type *const b[],    \
                        int b_stride, int *info, int batch) {                                      \
        bool plain = turn == CUBLAS_OP_N && right_sides == 1 && a_stride == n && b_stride == n &&  \
                     info && !driver_holds(info, sizeof *info);                                    \
        int *pivots = NULL;                                                                        \
        void *const *matrix = NULL;                                                                \
        memcpy(&pivots, &pivot, sizeof pivots);                                                    \
        memcpy(&matrix, &a, sizeof matrix);                                                        \
        const struct batch c = {matrix, (void *const *)b, pivots, NULL, n, batch, is_double};      \
        *info = 0;                                                                                 \
        return put_batch(AT_##name, handle, &c, plain, run_solve);                                 \
    }
SOLVE(cublasSgetrsBatched, float, false)
SOLVE(cublasDgetrsBatched, double, true)
