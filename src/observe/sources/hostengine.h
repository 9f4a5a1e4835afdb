/*
 * A watch of NVIDIA's service nv-hostengine, through libdcgm: it counts what the units of some GPUs, or of parts of them
 * (MIG), do, once a second, until it is closed. It knows nothing of signals' values.
 */
#ifndef BE_OBSERVE_SOURCES_HOSTENGINE_H
#define BE_OBSERVE_SOURCES_HOSTENGINE_H

#include "dyn/nvidia/dcgm.h"
#include "observe/sources/dcgm_metrics.h"
#include "observe/sources/nvidia.h"

struct be_hostengine {
    struct be_dcgm dcgm;
    const struct be_nvidia *nvidia;
    bool begun, connected, grouped, listed, watched;
    char address[108];
    dcgmHandle_t handle;
    dcgmGpuGrp_t group;
    dcgmFieldGrp_t list;
    dcgmGroupEntityPair_t entity[BE_DEVICES_MAX]; /* of each of NVML's GPUs ... */
    bool known[BE_DEVICES_MAX];                   /* ... where it has it */
    int metric[BE_DCGM_METRICS];                  /* those that are watched */
    int metrics;
};

/* BE_ABSENT with the reason: no library, no service, no rights, a GPU that it cannot count. Zeroed before; closed in any
 * case. `nvidia` lives as long as it does. */
enum be_status be_hostengine_open(struct be_hostengine *engine, const struct be_nvidia *nvidia,
                                  const struct be_watched *watched, struct be_error *error);
void be_hostengine_close(struct be_hostengine *engine); /* accepts one that was not opened */

/* A failed call in words: the cause with what the user can do, or else what DCGM calls it. Returns `text`. */
const char *be_hostengine_said(const struct be_hostengine *engine, const char *call,
                               dcgmReturn_t result, char *text, size_t capacity);

#endif
