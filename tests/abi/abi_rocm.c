/* Compiles only where the lines of src/dyn/amd/rocm_list.h and the values of rocm_constants.h are those of
 * AMD's own header. Its object file is not linked into anything. */
#include <stddef.h>

#include <rocm_smi/rocm_smi.h>

#define FN(need, type, name, arguments)                                                            \
    _Static_assert(__builtin_types_compatible_p(__typeof__(type(*) arguments), __typeof__(&name)), \
                   #name " has another type in rocm_smi.h");
#include "dyn/amd/rocm_list.h"
#undef FN

#define CONST(name, value) _Static_assert((int)(name) == (value), #name " has another value");
#include "dyn/amd/rocm_constants.h"
#undef CONST

/* Layouts that dyn/amd/rocm.h repeats. */
_Static_assert(sizeof(rsmi_status_t) == sizeof(int) && sizeof(rsmi_memory_type_t) == sizeof(int) &&
                   sizeof(rsmi_temperature_metric_t) == sizeof(int),
               "results and selectors");
_Static_assert(sizeof(rsmi_process_info_t) == 32 && offsetof(rsmi_process_info_t, vram_usage) == 8,
               "processes");
