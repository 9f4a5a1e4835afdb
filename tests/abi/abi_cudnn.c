/* Compiles only where the lines of src/dyn/nvidia/cudnn/cudnn_list.h and the values of cudnn_constants.h are
 * those of NVIDIA's own header. Its object file is not linked into anything. */
#pragma GCC diagnostic ignored                                                                     \
    "-Wdeprecated-declarations" /* version 9 has them, and names others */
#include <cudnn.h>

#define FN(need, type, name, arguments)                                                            \
    _Static_assert(__builtin_types_compatible_p(__typeof__(type(*) arguments), __typeof__(&name)), \
                   #name " has another type in cudnn.h");
#include "dyn/nvidia/cudnn/cudnn_list.h"
#undef FN

/* Cast: an enumerator and the plain number we wrote differ in type, not in value. */
#define CONST(name, value) _Static_assert((int)(name) == (value), #name " has another value");
#include "dyn/nvidia/cudnn/cudnn_constants.h"
#undef CONST

/* Layouts that dyn/nvidia/cuda_types.h repeats. */
_Static_assert(sizeof(cudnnStatus_t) == sizeof(int) && sizeof(cudnnMathType_t) == sizeof(int),
               "results and selectors");
struct be_result {
    int algo, status;
    float time;
    size_t memory;
    int determinism, math, reserved[3];
};
#define SAME(type)                                                                                 \
    _Static_assert(sizeof(type) == sizeof(struct be_result) &&                                     \
                       offsetof(type, memory) == offsetof(struct be_result, memory) &&             \
                       offsetof(type, mathType) == offsetof(struct be_result, math),               \
                   #type);
SAME(cudnnConvolutionFwdAlgoPerf_t)
SAME(cudnnConvolutionBwdDataAlgoPerf_t)
SAME(cudnnConvolutionBwdFilterAlgoPerf_t)
