// clang-format off
/* NVIDIA's Fourier transforms (libcufft): FN(must|may, type, name, (arguments)). */
FN(must, cufftResult, cufftGetVersion, (int *version))
FN(must, cufftResult, cufftCreate, (cufftHandle * plan))
FN(must, cufftResult, cufftDestroy, (cufftHandle plan))
FN(must, cufftResult, cufftSetStream, (cufftHandle plan, cudaStream_t stream))
FN(must, cufftResult, cufftMakePlanMany64, (cufftHandle plan, int rank, long long *n, long long *in_embed, long long in_stride, long long in_distance, long long *out_embed, long long out_stride, long long out_distance, cufftType type, long long batch, size_t *work_bytes))
FN(must, cufftResult, cufftExecC2C, (cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction))
FN(must, cufftResult, cufftExecR2C, (cufftHandle plan, cufftReal *in, cufftComplex *out))
