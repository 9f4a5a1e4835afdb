/*
 * ROCm SMI as a table of functions. Opened by who uses it and closed there; not kept in a global. Types
 * written from the published header (5.2); tests/abi holds them against it.
 */
#ifndef BE_DYN_AMD_ROCM_H
#define BE_DYN_AMD_ROCM_H

#include "dyn/dyn.h"

typedef int rsmi_status_t;
typedef int rsmi_memory_type_t;
typedef int rsmi_temperature_metric_t;
typedef struct rsmi_process_info {
    uint32_t pid, pasid;
    uint64_t memory_bytes; /* of all its devices */
    uint64_t sdma_us;
    uint32_t cu_occupancy;
} rsmi_process_info_t;

#define CONST(name, value) enum { name = value };
#include "dyn/amd/rocm_constants.h"
#undef CONST

#define FN(need, type, name, arguments) type(*name) arguments;
struct be_rocm {
#include "dyn/amd/rocm_list.h"
    void *handle;
};
#undef FN

enum be_status be_rocm_open(struct be_rocm *table, struct be_error *error);

#endif
