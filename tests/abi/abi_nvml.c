/* Compiles only where the lines of src/dyn/nvml_list.h and the values of nvml_constants.h are those
 * of NVIDIA's own header. Its object file is not linked into anything. */
#include <nvml.h>

#include <stddef.h>

#define FN(need, type, name, arguments)                                                            \
    _Static_assert(__builtin_types_compatible_p(__typeof__(type(*) arguments), __typeof__(&name)), \
                   #name " has another type in nvml.h");
#include "dyn/nvml_list.h"
#undef FN

/* Cast: an enumerator and the plain number we wrote differ in type, not in value. */
#define CONST(name, value) _Static_assert((int)(name) == (value), #name " has another value");
#include "dyn/nvml_constants.h"
#undef CONST

/* Layouts that dyn/cuda_types.h repeats: a newer header has a structure of one pointer. */
_Static_assert(sizeof(nvmlReturn_t) == sizeof(int) && sizeof(nvmlClockType_t) == sizeof(int) &&
                   sizeof(nvmlTemperatureSensors_t) == sizeof(int),
               "results and selectors");
_Static_assert(sizeof(nvmlDevice_t) == sizeof(void *), "device handles");
_Static_assert(sizeof(nvmlTemperatureThresholds_t) == sizeof(int) &&
                   sizeof(nvmlEnableState_t) == sizeof(int) &&
                   sizeof(nvmlMemoryErrorType_t) == sizeof(int) &&
                   sizeof(nvmlEccCounterType_t) == sizeof(int) &&
                   sizeof(nvmlPageRetirementCause_t) == sizeof(int),
               "results and selectors");
_Static_assert(sizeof(nvmlProcessInfo_t) == 24 && offsetof(nvmlProcessInfo_t, usedGpuMemory) == 8,
               "processes");
