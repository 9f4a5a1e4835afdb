// clang-format off
/* NVIDIA's sparse matrices (libcusparse): FN(must|may, type, name, (arguments)). */
FN(must, cusparseStatus_t, cusparseCreate, (cusparseHandle_t * handle))
FN(must, cusparseStatus_t, cusparseDestroy, (cusparseHandle_t handle))
FN(must, cusparseStatus_t, cusparseGetVersion, (cusparseHandle_t handle, int *version))
FN(must, cusparseStatus_t, cusparseSetStream, (cusparseHandle_t handle, cudaStream_t stream))
FN(must, cusparseStatus_t, cusparseCreateCsr, (cusparseSpMatDescr_t * matrix, int64_t rows, int64_t columns, int64_t nonzeros, void *offsets, void *indices, void *values, cusparseIndexType_t offset_type, cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType value_type))
FN(must, cusparseStatus_t, cusparseDestroySpMat, (cusparseConstSpMatDescr_t matrix))
FN(must, cusparseStatus_t, cusparseCreateDnVec, (cusparseDnVecDescr_t * vector, int64_t length, void *values, cudaDataType type))
FN(must, cusparseStatus_t, cusparseDestroyDnVec, (cusparseConstDnVecDescr_t vector))
FN(must, cusparseStatus_t, cusparseSpMV_bufferSize, (cusparseHandle_t handle, cusparseOperation_t turn, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm, size_t *bytes))
FN(may, cusparseStatus_t, cusparseSpMV_preprocess, (cusparseHandle_t handle, cusparseOperation_t turn, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm, void *scratch))
FN(must, cusparseStatus_t, cusparseSpMV, (cusparseHandle_t handle, cusparseOperation_t turn, const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm, void *scratch))
FN(may, const char *, cusparseGetErrorString, (cusparseStatus_t status))
