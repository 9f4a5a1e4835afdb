/* A fake cuSOLVER: plain elimination and plain turns, put into the fake driver's stream. It wants scratch on the
 * device and on the host, and writes into both when it is run. */
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "dense.h"
#include "driver.h"
#include "eigen.h"
#include "squares.h"
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

/* ---- eigenvalues of batches ------------------------------------------------------------------ */

enum { EIGEN_NUMBERS = 5 };

struct syevjInfo {
    int none;
};

cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *params) {
    cusolverStatus_t code = fake_call(AT_cusolverDnCreateSyevjInfo);
    *params = code == 0 ? calloc(1, sizeof **params) : NULL;
    fake.live[FAKE_PARAMS] += *params != NULL;
    return code;
}

cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t params) {
    cusolverStatus_t code = fake_call(AT_cusolverDnDestroySyevjInfo);
    fake.live[FAKE_PARAMS] -= params != NULL;
    free(params);
    return code;
}

struct matrices {
    void *a, *values, *device, *host;
    size_t device_bytes;
    int *info;
    int64_t n, count;
    bool is_double;
};

/* Scratch is written into, all that was promised. */
static void run_eigen(const void *context) {
    struct matrices m;
    memcpy(&m, context, sizeof m);
    const size_t n = (size_t)m.n;
    double *square = calloc(n * (n + 1), sizeof *square);
    memset(m.device, 0xdd, m.device_bytes);
    if (m.host) {
        memset(m.host, 0xdd, HOST_BYTES);
    }
    for (size_t s = 0; square && s < (size_t)m.count; s++) {
        for (size_t i = 0; i < n * n; i++) {
            square[i] = m.is_double ? ((double *)m.a)[s * n * n + i]
                                    : (double)((float *)m.a)[s * n * n + i];
        }
        m.info[s] = plain_eigen(square, n, square + n * n);
        for (size_t i = 0; i < n * (n + 1); i++) {
            void *to = i < n * n ? m.a : m.values;
            const size_t at = i < n * n ? s * n * n + i : s * n + i - n * n;
            if (m.is_double) {
                ((double *)to)[at] = square[i];
            } else {
                ((float *)to)[at] = (float)square[i];
            }
        }
    }
    free(square);
}

static cusolverStatus_t put_eigen(int at, cusolverDnHandle_t handle, bool good,
                                  const struct matrices *m) {
    const size_t each = m->is_double ? sizeof(double) : sizeof(float);
    const size_t n = (size_t)m->n;
    const size_t count = (size_t)m->count;
    cusolverStatus_t code = begin(at, handle);
    good = good && n > 0 && count > 0 && driver_holds(m->a, count * n * n * each) &&
           driver_holds(m->values, count * n * each) && driver_holds(m->device, m->device_bytes) &&
           driver_holds(m->info, count * sizeof *m->info);
    if (code == 0 && !good) {
        return fake_misuse(CUSOLVER_STATUS_INVALID_VALUE, "%s of order %lld",
                           fake.function[at].name, (long long)m->n);
    }
    if (code == 0 && !driver_put(handle->stream, run_eigen, m, sizeof *m)) {
        return fake_misuse(CUSOLVER_STATUS_EXECUTION_FAILED, "%s without a stream",
                           fake.function[at].name);
    }
    return code;
}

static cusolverStatus_t jacobi_size(int at, cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                    cublasFillMode_t triangle, int n, int stride, int *numbers,
                                    syevjInfo_t params, int count) {
    cusolverStatus_t code = begin(at, handle);
    if (code == 0 && (mode != CUSOLVER_EIG_MODE_VECTOR || triangle != CUBLAS_FILL_MODE_LOWER ||
                      stride < n || !params)) {
        return fake_misuse(CUSOLVER_STATUS_INVALID_VALUE, "%s", fake.function[at].name);
    }
    *numbers = EIGEN_NUMBERS * n * count;
    return code;
}

cusolverStatus_t cusolverDnDsyevjBatched_bufferSize(cusolverDnHandle_t handle,
                                                    cusolverEigMode_t mode,
                                                    cublasFillMode_t triangle, int n,
                                                    const double *a, int a_stride,
                                                    const double *values, int *numbers,
                                                    syevjInfo_t params, int count) {
    (void)a, (void)values;
    return jacobi_size(AT_cusolverDnDsyevjBatched_bufferSize, handle, mode, triangle, n, a_stride,
                       numbers, params, count);
}

cusolverStatus_t cusolverDnSsyevjBatched_bufferSize(cusolverDnHandle_t handle,
                                                    cusolverEigMode_t mode,
                                                    cublasFillMode_t triangle, int n,
                                                    const float *a, int a_stride,
                                                    const float *values, int *numbers,
                                                    syevjInfo_t params, int count) {
    (void)a, (void)values;
    return jacobi_size(AT_cusolverDnSsyevjBatched_bufferSize, handle, mode, triangle, n, a_stride,
                       numbers, params, count);
}

cusolverStatus_t cusolverDnDsyevjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                         cublasFillMode_t triangle, int n, double *a, int a_stride,
                                         double *values, double *device, int numbers, int *info,
                                         syevjInfo_t params, int count) {
    const struct matrices m = {.a = a,
                               .values = values,
                               .device = device,
                               .device_bytes = (size_t)numbers * sizeof *device,
                               .info = info,
                               .n = n,
                               .count = count,
                               .is_double = true};
    const bool good = mode == CUSOLVER_EIG_MODE_VECTOR && triangle == CUBLAS_FILL_MODE_LOWER &&
                      a_stride == n && params && numbers >= EIGEN_NUMBERS * n * count;
    return put_eigen(AT_cusolverDnDsyevjBatched, handle, good, &m);
}

cusolverStatus_t cusolverDnSsyevjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                         cublasFillMode_t triangle, int n, float *a, int a_stride,
                                         float *values, float *device, int numbers, int *info,
                                         syevjInfo_t params, int count) {
    const struct matrices m = {.a = a,
                               .values = values,
                               .device = device,
                               .device_bytes = (size_t)numbers * sizeof *device,
                               .info = info,
                               .n = n,
                               .count = count};
    const bool good = mode == CUSOLVER_EIG_MODE_VECTOR && triangle == CUBLAS_FILL_MODE_LOWER &&
                      a_stride == n && params && numbers >= EIGEN_NUMBERS * n * count;
    return put_eigen(AT_cusolverDnSsyevjBatched, handle, good, &m);
}

cusolverStatus_t cusolverDnXsyevBatched_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t mode,
    cublasFillMode_t triangle, int64_t n, cudaDataType a_type, const void *a, int64_t a_stride,
    cudaDataType values_type, const void *values, cudaDataType compute, size_t *device_bytes,
    size_t *host_bytes, int64_t count) {
    cusolverStatus_t code = begin(AT_cusolverDnXsyevBatched_bufferSize, handle);
    (void)a, (void)values;
    if (code == 0 && (!fits(params, n, n, a_type, a_stride, compute) || values_type != a_type ||
                      mode != CUSOLVER_EIG_MODE_VECTOR || triangle != CUBLAS_FILL_MODE_LOWER)) {
        return fake_misuse(CUSOLVER_STATUS_INVALID_VALUE, "cusolverDnXsyevBatched_bufferSize");
    }
    *device_bytes = EIGEN_NUMBERS * (size_t)(n * count) * size_of(a_type);
    *host_bytes = HOST_BYTES;
    return code;
}

/* More matrices than the vendor's takes are an error here, too. */
cusolverStatus_t cusolverDnXsyevBatched(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                        cusolverEigMode_t mode, cublasFillMode_t triangle,
                                        int64_t n, cudaDataType a_type, void *a, int64_t a_stride,
                                        cudaDataType values_type, void *values,
                                        cudaDataType compute, void *device, size_t device_bytes,
                                        void *host, size_t host_bytes, int *info, int64_t count) {
    enum { COUNT_MAX = 32767 };
    const struct matrices m = {.a = a,
                               .values = values,
                               .device = device,
                               .device_bytes = device_bytes,
                               .host = host,
                               .info = info,
                               .n = n,
                               .count = count,
                               .is_double = a_type == CUDA_R_64F};
    const bool good = fits(params, n, n, a_type, a_stride, compute) && values_type == a_type &&
                      mode == CUSOLVER_EIG_MODE_VECTOR && triangle == CUBLAS_FILL_MODE_LOWER &&
                      a_stride == n && count <= COUNT_MAX && host && host_bytes >= HOST_BYTES &&
                      !driver_holds(host, 1) &&
                      device_bytes >= EIGEN_NUMBERS * (size_t)(n * count) * size_of(a_type);
    return put_eigen(AT_cusolverDnXsyevBatched, handle, good, &m);
}

/* ---- singular values of batches -------------------------------------------------------------- */

enum { SVD_ORDER_MAX = 32 };

struct gesvdjInfo {
    int none;
};

cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t *params) {
    cusolverStatus_t code = fake_call(AT_cusolverDnCreateGesvdjInfo);
    *params = code == 0 ? calloc(1, sizeof **params) : NULL;
    fake.live[FAKE_PARAMS] += *params != NULL;
    return code;
}

cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t params) {
    cusolverStatus_t code = fake_call(AT_cusolverDnDestroyGesvdjInfo);
    fake.live[FAKE_PARAMS] -= params != NULL;
    free(params);
    return code;
}

static cusolverStatus_t put_svd(int at, cusolverDnHandle_t handle, bool good,
                                const struct squares *m) {
    const size_t each = m->is_double ? sizeof(double) : sizeof(float);
    const size_t n = (size_t)m->n;
    const size_t count = (size_t)m->count;
    const size_t bytes = count * n * n * each;
    cusolverStatus_t code = begin(at, handle);
    good = good && n > 0 && n <= SVD_ORDER_MAX && count > 0 && driver_holds(m->a, bytes) &&
           driver_holds(m->u, bytes) && driver_holds(m->v, bytes) &&
           driver_holds(m->values, count * n * each) &&
           driver_holds(m->device, SVD_NUMBERS * n * count * each) &&
           driver_holds(m->info, count * sizeof *m->info);
    if (code == 0 && !good) {
        return fake_misuse(CUSOLVER_STATUS_INVALID_VALUE, "%s of order %lld",
                           fake.function[at].name, (long long)m->n);
    }
    if (code == 0 && !driver_put(handle->stream, run_svd, m, sizeof *m)) {
        return fake_misuse(CUSOLVER_STATUS_EXECUTION_FAILED, "%s without a stream",
                           fake.function[at].name);
    }
    return code;
}

static cusolverStatus_t svd_size(int at, cusolverDnHandle_t handle, bool good, int n, int *numbers,
                                 int count) {
    cusolverStatus_t code = begin(at, handle);
    if (code == 0 && (!good || n > SVD_ORDER_MAX)) {
        return fake_misuse(CUSOLVER_STATUS_INVALID_VALUE, "%s", fake.function[at].name);
    }
    *numbers = SVD_NUMBERS * n * count;
    return code;
}

cusolverStatus_t cusolverDnDgesvdjBatched_bufferSize(cusolverDnHandle_t handle,
                                                     cusolverEigMode_t mode, int m, int n,
                                                     const double *a, int a_stride,
                                                     const double *values, const double *u,
                                                     int u_stride, const double *v, int v_stride,
                                                     int *numbers, gesvdjInfo_t params, int count) {
    (void)a, (void)values, (void)u, (void)v;
    return svd_size(AT_cusolverDnDgesvdjBatched_bufferSize, handle,
                    mode == CUSOLVER_EIG_MODE_VECTOR && m == n && a_stride == n && u_stride == n &&
                        v_stride == n && params,
                    n, numbers, count);
}

cusolverStatus_t cusolverDnDgesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m,
                                          int n, double *a, int a_stride, double *values, double *u,
                                          int u_stride, double *v, int v_stride, double *device,
                                          int numbers, int *info, gesvdjInfo_t params, int count) {
    const struct squares squares = {.a = a,
                                    .values = values,
                                    .u = u,
                                    .v = v,
                                    .device = device,
                                    .info = info,
                                    .n = n,
                                    .count = count,
                                    .is_double = true};
    return put_svd(AT_cusolverDnDgesvdjBatched, handle,
                   mode == CUSOLVER_EIG_MODE_VECTOR && m == n && a_stride == n && u_stride == n &&
                       v_stride == n && params && numbers >= SVD_NUMBERS * n * count,
                   &squares);
}

cusolverStatus_t cusolverDnSgesvdjBatched_bufferSize(cusolverDnHandle_t handle,
                                                     cusolverEigMode_t mode, int m, int n,
                                                     const float *a, int a_stride,
                                                     const float *values, const float *u,
                                                     int u_stride, const float *v, int v_stride,
                                                     int *numbers, gesvdjInfo_t params, int count) {
    (void)a, (void)values, (void)u, (void)v;
    return svd_size(AT_cusolverDnSgesvdjBatched_bufferSize, handle,
                    mode == CUSOLVER_EIG_MODE_VECTOR && m == n && a_stride == n && u_stride == n &&
                        v_stride == n && params,
                    n, numbers, count);
}

cusolverStatus_t cusolverDnSgesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode, int m,
                                          int n, float *a, int a_stride, float *values, float *u,
                                          int u_stride, float *v, int v_stride, float *device,
                                          int numbers, int *info, gesvdjInfo_t params, int count) {
    const struct squares squares = {.a = a,
                                    .values = values,
                                    .u = u,
                                    .v = v,
                                    .device = device,
                                    .info = info,
                                    .n = n,
                                    .count = count,
                                    .is_double = false};
    return put_svd(AT_cusolverDnSgesvdjBatched, handle,
                   mode == CUSOLVER_EIG_MODE_VECTOR && m == n && a_stride == n && u_stride == n &&
                       v_stride == n && params && numbers >= SVD_NUMBERS * n * count,
                   &squares);
}
