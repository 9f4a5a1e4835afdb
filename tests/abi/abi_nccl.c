/* Compiles only where the lines of src/dyn/nvidia/nccl/nccl_list.h and the values of nccl_constants.h are those of NVIDIA's
 * own header. Its object file is not linked into anything. */
#include <nccl.h>

#define FN(need, type, name, arguments)                                                            \
    _Static_assert(__builtin_types_compatible_p(__typeof__(type(*) arguments), __typeof__(&name)), \
                   #name " has another type in nccl.h");
#include "dyn/nvidia/nccl/nccl_list.h"
#undef FN

/* Cast: an enumerator and the plain number we wrote differ in type, not in value. */
#define CONST(name, value) _Static_assert((int)(name) == (value), #name " has another value");
#include "dyn/nvidia/nccl/nccl_constants.h"
#undef CONST

/* Layouts that dyn/nvidia/cuda_types.h repeats. */
_Static_assert(sizeof(ncclResult_t) == sizeof(int) && sizeof(ncclDataType_t) == sizeof(int) &&
                   sizeof(ncclRedOp_t) == sizeof(int),
               "results, types, operations");
_Static_assert(sizeof(ncclComm_t) == sizeof(void *), "handles");
