/*
 * The OpenCL types that the list uses, so that no Khronos header is needed to build. Written from
 * the published specification (1.2); tests/abi holds them against the real headers.
 */
#ifndef BE_DYN_OPENCL_OPENCL_TYPES_H
#define BE_DYN_OPENCL_OPENCL_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef int64_t cl_long;
typedef uint64_t cl_ulong;
typedef cl_uint cl_bool;

typedef cl_ulong cl_command_queue_properties;
typedef cl_ulong cl_device_type;
typedef cl_ulong cl_map_flags;
typedef cl_ulong cl_mem_flags;
typedef intptr_t cl_context_properties;
typedef cl_uint cl_buffer_create_type;
typedef cl_uint cl_device_info;
typedef cl_uint cl_platform_info;
typedef cl_uint cl_profiling_info;
typedef cl_uint cl_program_build_info;

typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;

/* The argument of clCreateSubBuffer for CL_BUFFER_CREATE_TYPE_REGION. */
typedef struct _cl_buffer_region {
    size_t origin, size;
} cl_buffer_region;

/* The answer to CL_DEVICE_PCI_BUS_INFO_KHR. */
typedef struct _cl_device_pci_bus_info_khr {
    cl_uint pci_domain;
    cl_uint pci_bus;
    cl_uint pci_device;
    cl_uint pci_function;
} cl_device_pci_bus_info_khr;

#endif
