/* Compiles only where the lines of src/dyn/nvidia/nvml_list.h and the values of nvml_constants.h are those
 * of NVIDIA's own header. Its object file is not linked into anything. */
#include <nvml.h>

#include <stddef.h>

/* A newer header calls some of the list deprecated: they are what older drivers have. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define FN(need, type, name, arguments)                                                            \
    _Static_assert(__builtin_types_compatible_p(__typeof__(type(*) arguments), __typeof__(&name)), \
                   #name " has another type in nvml.h");
#include "dyn/nvidia/nvml_list.h"
#undef FN

/* Cast: an enumerator and the plain number we wrote differ in type, not in value. */
#define CONST(name, value) _Static_assert((int)(name) == (value), #name " has another value");
#include "dyn/nvidia/nvml_constants.h"
#undef CONST

/* Layouts that dyn/nvidia/cuda_types.h repeats: a newer header has a structure of one pointer. */
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
_Static_assert(sizeof(nvmlPcieUtilCounter_t) == sizeof(int), "results and selectors");
_Static_assert(sizeof(nvmlUtilization_t) == 8 && offsetof(nvmlUtilization_t, memory) == 4,
               "utilisation");
_Static_assert(sizeof(nvmlMemory_t) == 24 && offsetof(nvmlMemory_t, used) == 16, "memory");
_Static_assert(sizeof(nvmlMemory_v2_t) == 40 && offsetof(nvmlMemory_v2_t, total) == 8 &&
                   offsetof(nvmlMemory_v2_t, used) == 32 && nvmlMemory_v2 == (40 | 2u << 24),
               "memory, second version");
_Static_assert(sizeof(nvmlPciInfo_t) == 68 && offsetof(nvmlPciInfo_t, busId) == 36, "PCI address");
_Static_assert(sizeof(nvmlGpmSample_t) == sizeof(void *), "GPM samples");
_Static_assert(sizeof(nvmlGpmSupport_t) == 8 && offsetof(nvmlGpmSupport_t, isSupportedDevice) == 4,
               "GPM support");
_Static_assert(sizeof(nvmlGpmMetric_t) == 40 && offsetof(nvmlGpmMetric_t, nvmlReturn) == 4 &&
                   offsetof(nvmlGpmMetric_t, value) == 8,
               "a GPM metric");
/* dyn/nvidia/cuda_types.h has room for 1024. */
_Static_assert(offsetof(nvmlGpmMetricsGet_t, numMetrics) == 4 &&
                   offsetof(nvmlGpmMetricsGet_t, sample1) == 8 &&
                   offsetof(nvmlGpmMetricsGet_t, metrics) == 24 &&
                   sizeof(nvmlGpmMetricsGet_t) <= 24 + 40 * 1024,
               "GPM metrics");
