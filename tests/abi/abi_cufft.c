/* Compiles only where the lines of src/dyn/nvidia/cufft_list.h and the values of cufft_constants.h are
 * those of NVIDIA's own header. Its object file is not linked into anything. */
#include <cufft.h>

#define FN(need, type, name, arguments)                                                            \
    _Static_assert(__builtin_types_compatible_p(__typeof__(type(*) arguments), __typeof__(&name)), \
                   #name " has another type in cufft.h");
#include "dyn/nvidia/cufft_list.h"
#undef FN

/* Cast: an enumerator and the plain number we wrote differ in type, not in value. */
#define CONST(name, value) _Static_assert((int)(name) == (value), #name " has another value");
#include "dyn/nvidia/cufft_constants.h"
#undef CONST

/* Layouts that dyn/nvidia/cuda_types.h repeats. */
_Static_assert(sizeof(cufftResult) == sizeof(int) && sizeof(cufftType) == sizeof(int),
               "results and selectors");
_Static_assert(sizeof(cufftHandle) == sizeof(int) && (cufftHandle)-1 < 0, "plans are numbers");
_Static_assert(sizeof(cufftReal) == sizeof(float), "real numbers");
_Static_assert(sizeof(cufftComplex) == 2 * sizeof(float), "complex numbers");
