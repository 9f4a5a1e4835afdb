/* Compiles only where the lines of src/dyn/nvidia/cusolver_list.h and the values of cusolver_constants.h are
 * those of NVIDIA's own header. Its object file is not linked into anything. */
#include <cusolverDn.h>

#define FN(need, type, name, arguments)                                                            \
    _Static_assert(__builtin_types_compatible_p(__typeof__(type(*) arguments), __typeof__(&name)), \
                   #name " has another type in cusolverDn.h");
#include "dyn/nvidia/cusolver_list.h"
#undef FN

/* Cast: an enumerator and the plain number we wrote differ in type, not in value. */
#define CONST(name, value) _Static_assert((int)(name) == (value), #name " has another value");
#include "dyn/nvidia/cusolver_constants.h"
#undef CONST

/* Layouts that dyn/nvidia/cuda_types.h repeats. */
_Static_assert(sizeof(cusolverStatus_t) == sizeof(int), "results");
_Static_assert(sizeof(cusolverDnHandle_t) == sizeof(void *) &&
                   sizeof(cusolverDnParams_t) == sizeof(void *),
               "handles");
