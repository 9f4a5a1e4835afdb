// clang-format off
/* NVIDIA's matrix library (libcublas): FN(must|may, type, name, (arguments)). */
FN(must, cublasStatus_t, cublasCreate_v2, (cublasHandle_t * handle))
FN(must, cublasStatus_t, cublasDestroy_v2, (cublasHandle_t handle))
FN(must, cublasStatus_t, cublasGetVersion_v2, (cublasHandle_t handle, int *version))
FN(must, cublasStatus_t, cublasSetStream_v2, (cublasHandle_t handle, cudaStream_t stream))
FN(may, cublasStatus_t, cublasSetMathMode, (cublasHandle_t handle, cublasMath_t mode))
FN(must, cublasStatus_t, cublasGemmEx, (cublasHandle_t handle, cublasOperation_t turn_a, cublasOperation_t turn_b, int m, int n, int k, const void *alpha, const void *a, cudaDataType a_type, int a_stride, const void *b, cudaDataType b_type, int b_stride, const void *beta, void *c, cudaDataType c_type, int c_stride, cublasComputeType_t compute, cublasGemmAlgo_t algorithm))
FN(may, const char *, cublasGetStatusString, (cublasStatus_t status))
