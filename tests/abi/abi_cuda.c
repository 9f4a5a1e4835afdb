/* Compiles only where the lines of src/dyn/nvidia/cuda_list.h and the values of cuda_constants.h are those
 * of NVIDIA's own header. Its object file is not linked into anything. Some names are macros there
 * (cuEventElapsedTime is cuEventElapsedTime_v2 since CUDA 13): then the successor is compared,
 * which has the same type. */
#include <cuda.h>

#define FN(need, type, name, arguments)                                                            \
    _Static_assert(__builtin_types_compatible_p(__typeof__(type(*) arguments), __typeof__(&name)), \
                   #name " has another type in cuda.h");
#include "dyn/nvidia/cuda_list.h"
#undef FN

/* Cast: an enumerator and the plain number we wrote differ in type, not in value. */
#define CONST(name, value) _Static_assert((int)(name) == (value), #name " has another value");
#include "dyn/nvidia/cuda_constants.h"
#undef CONST

/* Layouts that dyn/nvidia/cuda_types.h repeats. */
_Static_assert(sizeof(CUresult) == sizeof(int) && sizeof(CUdevice) == sizeof(int), "results");
_Static_assert(sizeof(CUdevice_attribute) == sizeof(int), "attributes");
_Static_assert(sizeof(CUdeviceptr) == sizeof(unsigned long long), "device pointers");
_Static_assert(sizeof(CUstreamCaptureMode) == sizeof(int), "capture modes");
_Static_assert(sizeof(CUuuid) == 16, "device UUIDs");
_Static_assert(sizeof(CUgraph) == sizeof(void *) && sizeof(CUgraphExec) == sizeof(void *),
               "graphs");
