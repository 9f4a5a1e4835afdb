// clang-format off
/* NVIDIA's solvers (libcusolver), dense systems in 64-bit sizes: FN(must|may, type, name, (arguments)). */
FN(must, cusolverStatus_t, cusolverGetVersion, (int *version))
FN(must, cusolverStatus_t, cusolverDnCreate, (cusolverDnHandle_t * handle))
FN(must, cusolverStatus_t, cusolverDnDestroy, (cusolverDnHandle_t handle))
FN(must, cusolverStatus_t, cusolverDnSetStream, (cusolverDnHandle_t handle, cudaStream_t stream))
FN(must, cusolverStatus_t, cusolverDnCreateParams, (cusolverDnParams_t * params))
FN(must, cusolverStatus_t, cusolverDnDestroyParams, (cusolverDnParams_t params))
FN(must, cusolverStatus_t, cusolverDnXgetrf_bufferSize, (cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType a_type, const void *a, int64_t a_stride, cudaDataType compute, size_t *device_bytes, size_t *host_bytes))
FN(must, cusolverStatus_t, cusolverDnXgetrf, (cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType a_type, void *a, int64_t a_stride, int64_t *pivot, cudaDataType compute, void *device, size_t device_bytes, void *host, size_t host_bytes, int *info))
FN(must, cusolverStatus_t, cusolverDnXgetrs, (cusolverDnHandle_t handle, cusolverDnParams_t params, cublasOperation_t turn, int64_t n, int64_t right_sides, cudaDataType a_type, const void *a, int64_t a_stride, const int64_t *pivot, cudaDataType b_type, void *b, int64_t b_stride, int *info))
