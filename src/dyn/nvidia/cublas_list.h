// clang-format off
/* NVIDIA's matrix library (libcublas): FN(must|may, type, name, (arguments)). */
FN(must, cublasStatus_t, cublasCreate_v2, (cublasHandle_t * handle))
FN(must, cublasStatus_t, cublasDestroy_v2, (cublasHandle_t handle))
FN(must, cublasStatus_t, cublasGetVersion_v2, (cublasHandle_t handle, int *version))
FN(must, cublasStatus_t, cublasSetStream_v2, (cublasHandle_t handle, cudaStream_t stream))
FN(may, cublasStatus_t, cublasSetMathMode, (cublasHandle_t handle, cublasMath_t mode))
FN(must, cublasStatus_t, cublasGemmEx, (cublasHandle_t handle, cublasOperation_t turn_a, cublasOperation_t turn_b, int m, int n, int k, const void *alpha, const void *a, cudaDataType a_type, int a_stride, const void *b, cudaDataType b_type, int b_stride, const void *beta, void *c, cudaDataType c_type, int c_stride, cublasComputeType_t compute, cublasGemmAlgo_t algorithm))
FN(may, cublasStatus_t, cublasGemmEx_64, (cublasHandle_t handle, cublasOperation_t turn_a, cublasOperation_t turn_b, int64_t m, int64_t n, int64_t k, const void *alpha, const void *a, cudaDataType a_type, int64_t a_stride, const void *b, cudaDataType b_type, int64_t b_stride, const void *beta, void *c, cudaDataType c_type, int64_t c_stride, cublasComputeType_t compute, cublasGemmAlgo_t algorithm))
FN(must, cublasStatus_t, cublasSgetrfBatched, (cublasHandle_t handle, int n, float *const a[], int stride, int *pivot, int *info, int batch))
FN(must, cublasStatus_t, cublasDgetrfBatched, (cublasHandle_t handle, int n, double *const a[], int stride, int *pivot, int *info, int batch))
FN(must, cublasStatus_t, cublasSgetrsBatched, (cublasHandle_t handle, cublasOperation_t turn, int n, int right_sides, const float *const a[], int a_stride, const int *pivot, float *const b[], int b_stride, int *info, int batch))
FN(must, cublasStatus_t, cublasDgetrsBatched, (cublasHandle_t handle, cublasOperation_t turn, int n, int right_sides, const double *const a[], int a_stride, const int *pivot, double *const b[], int b_stride, int *info, int batch))
FN(may, const char *, cublasGetStatusString, (cublasStatus_t status))
