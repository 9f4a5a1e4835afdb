/* A fake cuSOLVER: plain elimination, put into the fake driver's stream. It wants scratch on the
 * device and on the host, and writes into both when it is run. */
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "dense.h"
#include "driver.h"
#include "dyn/nvidia/cusolver.h"

enum { HOST_BYTES = 24 };

struct cusolverDnContext {
    cudaStream_t stream;
};
struct cusolverDnParams {
    int none;
};

static cusolverStatus_t begin(int at, cusolverDnHandle_t handle) {
    cusolverStatus_t code = fake_call(at);
    return code == 0 && !handle
               ? fake_misuse(CUSOLVER_STATUS_NOT_INITIALIZED, "cuSOLVER without a handle")
               : code;
}

cusolverStatus_t cusolverGetVersion(int *version) {
    cusolverStatus_t code = fake_call(AT_cusolverGetVersion);
    *version = code == 0 ? 12004 : 0;
    return code;
}

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle) {
    cusolverStatus_t code = fake_call(AT_cusolverDnCreate);
    *handle = code == 0 ? calloc(1, sizeof **handle) : NULL;
    fake.live[FAKE_SOLVER] += *handle != NULL;
    return code;
}

cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
    cusolverStatus_t code = begin(AT_cusolverDnDestroy, handle);
    fake.live[FAKE_SOLVER] -= handle != NULL;
    free(handle);
    return code;
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
    cusolverStatus_t code = begin(AT_cusolverDnSetStream, handle);
    if (code == 0) {
        handle->stream = stream;
    }
    return code;
}

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params) {
    cusolverStatus_t code = fake_call(AT_cusolverDnCreateParams);
    *params = code == 0 ? calloc(1, sizeof **params) : NULL;
    fake.live[FAKE_PARAMS] += *params != NULL;
    return code;
}

cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) {
    cusolverStatus_t code = fake_call(AT_cusolverDnDestroyParams);
    fake.live[FAKE_PARAMS] -= params != NULL;
    free(params);
    return code;
}

static size_t size_of(cudaDataType type) {
    return type == CUDA_R_64F ? sizeof(double) : sizeof(float);
}

/* One square kind of system, all in one type. */
static bool fits(cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType type, int64_t stride,
                 cudaDataType other) {
    return params && m == n && n > 0 && stride >= n && type == other &&
           (type == CUDA_R_64F || type == CUDA_R_32F);
}

cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             int64_t m, int64_t n, cudaDataType a_type,
                                             const void *a, int64_t a_stride, cudaDataType compute,
                                             size_t *device_bytes, size_t *host_bytes) {
    cusolverStatus_t code = begin(AT_cusolverDnXgetrf_bufferSize, handle);
    (void)a;
    if (code == 0 && !fits(params, m, n, a_type, a_stride, compute)) {
        return fake_misuse(CUSOLVER_STATUS_INVALID_VALUE, "cusolverDnXgetrf_bufferSize");
    }
    *device_bytes = (size_t)n * size_of(a_type);
    *host_bytes = HOST_BYTES + (size_t)n;
    return code;
}

struct work {
    void *a, *b, *device, *host;
    int64_t *pivot;
    int *info;
    int64_t n, right_sides, a_stride, b_stride;
    bool is_double;
};

static void run_factor(const void *context) {
    struct work w;
    memcpy(&w, context, sizeof w);
    const struct dense a = {w.a, (size_t)w.a_stride, w.is_double};
    memset(w.device, 0xdd, (size_t)w.n * (w.is_double ? sizeof(double) : sizeof(float)));
    memset(w.host, 0xdd, HOST_BYTES + (size_t)w.n);
    *w.info = dense_factor(&a, (size_t)w.n, w.pivot);
}

static void run_solve(const void *context) {
    struct work w;
    memcpy(&w, context, sizeof w);
    const struct dense a = {w.a, (size_t)w.a_stride, w.is_double};
    const struct dense b = {w.b, (size_t)w.b_stride, w.is_double};
    dense_solve(&a, (size_t)w.n, w.pivot, &b, (size_t)w.right_sides);
    *w.info = 0;
}

static bool there(const struct work *w) {
    size_t each = w->is_double ? sizeof(double) : sizeof(float);
    size_t n = (size_t)w->n;
    size_t wide = (n - 1) * (size_t)w->a_stride + n;
    size_t right = w->b ? (size_t)((w->right_sides - 1) * w->b_stride) + n : 0;
    return driver_holds(w->a, wide * each) && driver_holds(w->pivot, n * sizeof *w->pivot) &&
           driver_holds(w->info, sizeof *w->info) && (!w->b || driver_holds(w->b, right * each)) &&
           (!w->device || driver_holds(w->device, n * each));
}

static cusolverStatus_t put(int at, cusolverDnHandle_t handle, bool good, const struct work *w,
                            void (*run)(const void *context)) {
    cusolverStatus_t code = begin(at, handle);
    if (code == 0 && (!good || !there(w))) {
        return fake_misuse(CUSOLVER_STATUS_INVALID_VALUE, "%s of order %lld",
                           fake.function[at].name, (long long)w->n);
    }
    if (code == 0 && !driver_put(handle->stream, run, w, sizeof *w)) {
        return fake_misuse(CUSOLVER_STATUS_EXECUTION_FAILED, "%s without a stream",
                           fake.function[at].name);
    }
    return code;
}

cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                  int64_t n, cudaDataType a_type, void *a, int64_t a_stride,
                                  int64_t *pivot, cudaDataType compute, void *device,
                                  size_t device_bytes, void *host, size_t host_bytes, int *info) {
    const struct work w = {.a = a,
                           .device = device,
                           .host = host,
                           .pivot = pivot,
                           .info = info,
                           .n = n,
                           .a_stride = a_stride,
                           .is_double = a_type == CUDA_R_64F};
    bool good = fits(params, m, n, a_type, a_stride, compute) && device && host &&
                device_bytes >= (size_t)n * size_of(a_type) &&
                host_bytes >= HOST_BYTES + (size_t)n && !driver_holds(host, 1);
    return put(AT_cusolverDnXgetrf, handle, good, &w, run_factor);
}

cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasOperation_t turn, int64_t n, int64_t right_sides,
                                  cudaDataType a_type, const void *a, int64_t a_stride,
                                  const int64_t *pivot, cudaDataType b_type, void *b,
                                  int64_t b_stride, int *info) {
    struct work w = {.b = b,
                     .info = info,
                     .n = n,
                     .right_sides = right_sides,
                     .a_stride = a_stride,
                     .b_stride = b_stride,
                     .is_double = a_type == CUDA_R_64F};
    memcpy(&w.a, &a, sizeof w.a);
    memcpy(&w.pivot, &pivot, sizeof w.pivot);
    bool good = fits(params, n, n, a_type, a_stride, b_type) && turn == CUBLAS_OP_N && b &&
                right_sides > 0 && b_stride >= n;
    return put(AT_cusolverDnXgetrs, handle, good, &w, run_solve);
}
