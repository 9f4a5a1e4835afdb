/* Compiles only where the lines of src/dyn/intel/sysman_list.h, the values of sysman_constants.h and the
 * layouts of sysman.h are those of the real header. Its object file is not linked into anything. */
#include <stddef.h>

#include <level_zero/zes_api.h>

/* Headers before 1.5 do not have these three; a newer one's must agree. */
ze_result_t zesInit(uint32_t flags);
ze_result_t zesDriverGet(uint32_t *count, zes_driver_handle_t *driver);
ze_result_t zesDeviceGet(zes_driver_handle_t driver, uint32_t *count, zes_device_handle_t *device);

#define FN(need, type, name, arguments)                                                            \
    _Static_assert(__builtin_types_compatible_p(__typeof__(type(*) arguments), __typeof__(&name)), \
                   #name " has another type in zes_api.h");
#include "dyn/intel/sysman_list.h"
#undef FN

#define CONST(name, value) _Static_assert((int)(name) == (value), #name " has another value");
#include "dyn/intel/sysman_constants.h"
#undef CONST

/* Layouts that dyn/intel/sysman.h repeats, by the numbers that test_gpu_others.c holds ours against. */
#define AT(type, field, offset)                                                                    \
    _Static_assert(offsetof(type, field) == (offset), #type "." #field " is elsewhere");
_Static_assert(sizeof(ze_result_t) == sizeof(int), "results");
AT(zes_device_properties_t, numSubdevices, 384)
AT(zes_device_properties_t, modelName, 580)
AT(zes_device_properties_t, driverVersion, 708)
AT(zes_pci_properties_t, maxSpeed, 32)
AT(zes_pci_stats_t, rxCounter, 24)
AT(zes_pci_stats_t, txCounter, 32)
AT(zes_engine_properties_t, type, 16)
AT(zes_freq_properties_t, type, 16)
AT(zes_freq_state_t, actual, 48)
AT(zes_freq_state_t, throttleReasons, 56)
AT(zes_process_state_t, processId, 16)
AT(zes_process_state_t, memSize, 24)
#include "sysman_layout.h"
