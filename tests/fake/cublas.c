/* A fake cuBLAS: three loops, put into the fake driver's stream and so run when someone waits. */
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "dyn/cublas.h"
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
    int n;
    cudaDataType type;
    cublasComputeType_t compute;
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

static void run(const void *context) {
    struct product p;
    memcpy(&p, context, sizeof p);
    size_t n = (size_t)p.n;
    for (size_t column = 0; column < n; column++) {
        for (size_t row = 0; row < n; row++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++) {
                sum += load(&p, p.a, k * n + row) * load(&p, p.b, column * n + k);
            }
            store(&p, column * n + row, sum);
        }
    }
}

/* The fake driver that is loaded, and no other. */
static be_fake_put_function *find_driver(void) {
    be_fake_put_function *put = NULL;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    void *symbol = driver ? dlsym(driver, "be_fake_put") : NULL;
    memcpy(&put, &symbol, sizeof put);
    if (driver) {
        dlclose(driver);
    }
    return put;
}

/* The scalars are of the type that is computed in. */
static bool is_one_and_zero(cublasComputeType_t compute, const void *alpha, const void *beta) {
    const double one = 1;
    const double zero = 0;
    const float one32 = 1;
    const float zero32 = 0;
    return compute == CUBLAS_COMPUTE_64F
               ? !memcmp(alpha, &one, sizeof one) && !memcmp(beta, &zero, sizeof zero)
               : !memcmp(alpha, &one32, sizeof one32) && !memcmp(beta, &zero32, sizeof zero32);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t turn_a,
                            cublasOperation_t turn_b, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType a_type, int a_stride, const void *b,
                            cudaDataType b_type, int b_stride, const void *beta, void *c,
                            cudaDataType c_type, int c_stride, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm) {
    cublasStatus_t code = begin(AT_cublasGemmEx, handle);
    if (code != 0) {
        return code;
    }
    bool square = m == n && k == n && a_stride == n && b_stride == n && c_stride == n && n > 0;
    bool plain = turn_a == CUBLAS_OP_N && turn_b == CUBLAS_OP_N && algorithm == CUBLAS_GEMM_DEFAULT;
    bool fits = a_type == b_type && a_type == c_type &&
                (a_type == CUDA_R_64F) == (compute == CUBLAS_COMPUTE_64F) &&
                (a_type == CUDA_R_32F || compute != CUBLAS_COMPUTE_32F_FAST_TF32);
    if (!square || !plain || !fits || !is_one_and_zero(compute, alpha, beta)) {
        return fake_misuse(INVALID_VALUE, "cublasGemmEx of %d x %d x %d", m, n, k);
    }
    const struct product p = {a, b, c, n, a_type, compute};
    be_fake_put_function *put = find_driver();
    return put && put(handle->stream, run, &p, sizeof p) == 0
               ? CUBLAS_STATUS_SUCCESS
               : fake_misuse(EXECUTION_FAILED, "cublasGemmEx without a stream");
}
