// clang-format off
/* NVIDIA's collectives (libnccl), sums across the GPUs of one process: FN(must|may, type, name, (arguments)). */
FN(must, ncclResult_t, ncclGetVersion, (int *version))
FN(must, const char *, ncclGetErrorString, (ncclResult_t result))
FN(must, ncclResult_t, ncclCommInitAll, (ncclComm_t * comm, int count, const int *device))
FN(must, ncclResult_t, ncclCommDestroy, (ncclComm_t comm))
FN(must, ncclResult_t, ncclCommAbort, (ncclComm_t comm))
FN(must, ncclResult_t, ncclGroupStart, (void))
FN(must, ncclResult_t, ncclGroupEnd, (void))
FN(must, ncclResult_t, ncclAllReduce, (const void *from, void *to, size_t count, ncclDataType_t type, ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream))
FN(may, const char *, ncclGetLastError, (ncclComm_t comm))
