/* Compiles only where the lines of src/dyn/nvidia/cusparse_list.h and the values of cusparse_constants.h are
 * those of NVIDIA's own header. Its object file is not linked into anything. */
#include <cusparse.h>

#define FN(need, type, name, arguments)                                                            \
    _Static_assert(__builtin_types_compatible_p(__typeof__(type(*) arguments), __typeof__(&name)), \
                   #name " has another type in cusparse.h");
#include "dyn/nvidia/cusparse_list.h"
#undef FN

/* Cast: an enumerator and the plain number we wrote differ in type, not in value. */
#define CONST(name, value) _Static_assert((int)(name) == (value), #name " has another value");
#include "dyn/nvidia/cusparse_constants.h"
#undef CONST

/* Layouts that dyn/nvidia/cuda_types.h repeats. */
_Static_assert(sizeof(cusparseStatus_t) == sizeof(int) &&
                   sizeof(cusparseOperation_t) == sizeof(int) &&
                   sizeof(cusparseIndexType_t) == sizeof(int) &&
                   sizeof(cusparseIndexBase_t) == sizeof(int) &&
                   sizeof(cusparseSpMVAlg_t) == sizeof(int),
               "results and selectors");
_Static_assert(sizeof(cusparseHandle_t) == sizeof(void *) &&
                   sizeof(cusparseSpMatDescr_t) == sizeof(void *) &&
                   sizeof(cusparseConstDnVecDescr_t) == sizeof(void *),
               "handles");
