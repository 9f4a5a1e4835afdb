/* Compiles only where the lines of src/dyn/opencl/opencl_list.h and the values of opencl_constants.h are
 * those of Khronos' own headers. Its object file is not linked into anything. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <stddef.h>

/* Headers before 2023.04 lack NVIDIA's place queries: then these three are not checked. */
#ifndef CL_DEVICE_PCI_BUS_ID_NV
#define CL_DEVICE_PCI_BUS_ID_NV 0x4008
#define CL_DEVICE_PCI_SLOT_ID_NV 0x4009
#define CL_DEVICE_PCI_DOMAIN_ID_NV 0x400A
#endif

#define FN(need, type, name, arguments)                                                            \
    _Static_assert(__builtin_types_compatible_p(__typeof__(type(*) arguments), __typeof__(&name)), \
                   #name " has another type in CL/cl.h");
#include "dyn/opencl/opencl_list.h"
#undef FN

#define CONST(name, value) _Static_assert((name) == (value), #name " has another value");
#include "dyn/opencl/opencl_constants.h"
#undef CONST

/* Layouts that dyn/opencl/opencl_types.h repeats. */
_Static_assert(sizeof(cl_device_pci_bus_info_khr) == 4 * sizeof(cl_uint), "PCI place");
_Static_assert(sizeof(cl_buffer_region) == 2 * sizeof(size_t) &&
                   offsetof(cl_buffer_region, size) == sizeof(size_t),
               "parts of a buffer");
_Static_assert(sizeof(cl_mem_flags) == 8 && sizeof(cl_map_flags) == 8, "bit fields");
_Static_assert(sizeof(cl_device_type) == 8 && sizeof(cl_command_queue_properties) == 8,
               "bit fields");
_Static_assert(sizeof(cl_context_properties) == sizeof(void *), "context properties");
