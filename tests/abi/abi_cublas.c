/* Compiles only where the lines of src/dyn/nvidia/cublas_list.h and the values of cublas_constants.h are
 * those of NVIDIA's own header. Its object file is not linked into anything. */
#include <cublas_v2.h>

#define FN(need, type, name, arguments)                                                            \
    _Static_assert(__builtin_types_compatible_p(__typeof__(type(*) arguments), __typeof__(&name)), \
                   #name " has another type in cublas_api.h");
#include "dyn/nvidia/cublas_list.h"
#undef FN

/* Cast: an enumerator and the plain number we wrote differ in type, not in value. */
#define CONST(name, value) _Static_assert((int)(name) == (value), #name " has another value");
#include "dyn/nvidia/cublas_constants.h"
#undef CONST

/* Layouts that dyn/nvidia/cuda_types.h repeats. */
_Static_assert(sizeof(cublasStatus_t) == sizeof(int) && sizeof(cublasOperation_t) == sizeof(int) &&
                   sizeof(cudaDataType) == sizeof(int) && sizeof(cublasMath_t) == sizeof(int) &&
                   sizeof(cublasComputeType_t) == sizeof(int) &&
                   sizeof(cublasGemmAlgo_t) == sizeof(int),
               "results and selectors");
_Static_assert(sizeof(cublasHandle_t) == sizeof(void *) && sizeof(cudaStream_t) == sizeof(void *),
               "handles");
