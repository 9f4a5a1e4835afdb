/* The fake NVML's GPUs as they are watched: use, processes, parts (MIG), and the counters of GPM, whose
 * values follow from their numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvml.h"

enum { INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6, MISMATCH = 25 };

static int index_of(nvmlDevice_t device) {
    return (int)(device - fake_gpu);
}

static bool is_part(nvmlDevice_t device) {
    return index_of(device) >= FAKE_WHOLE_GPUS;
}

/* No text for some: the number has to do. */
const char *nvmlErrorString(nvmlReturn_t result) {
    fake_call(AT_nvmlErrorString);
    return result == NOT_SUPPORTED ? "Not Supported" : NULL;
}

/* ---- which there are --------------------------------------------------------------------------- */

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *count) {
    nvmlReturn_t code = fake_begin(AT_nvmlDeviceGetCount_v2);
    *count = code == 0 ? (unsigned int)fake.devices : *count;
    return code;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device) {
    nvmlReturn_t code = fake_begin(AT_nvmlDeviceGetHandleByIndex_v2);
    if (code == 0 && index >= (unsigned int)fake.devices) {
        code = fake_misuse(INVALID_ARGUMENT, "no GPU %u", index);
    }
    *device = code == 0 ? &fake_gpu[index] : NULL;
    return code;
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int capacity) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlDeviceGetName, device);
    const char *told = getenv("BE_FAKE_NAME");
    if (code == 0 && told) {
        snprintf(name, capacity, "%s", told);
    } else if (code == 0) {
        snprintf(name, capacity, "Fake GPU%s",
                 fake.other > 0 && index_of(device) == fake.other ? " Max" : "");
    }
    return code;
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int capacity) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlDeviceGetUUID, device);
    if (code == 0) {
        snprintf(uuid, capacity, "%s-%08x-0000-0000-0000-000000000000",
                 is_part(device) ? "MIG" : "GPU", 0xabc0u + (unsigned int)index_of(device));
    }
    return code;
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlDeviceGetCudaComputeCapability, device);
    if (code == 0) {
        *major = fake.major;
        *minor = 0;
    }
    return code;
}

/* ---- parts ------------------------------------------------------------------------------------- */

nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int *current,
                                  unsigned int *pending) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlDeviceGetMigMode, device);
    if (code == 0) {
        *current = fake.parts > 0;
        *pending = NVML_DEVICE_MIG_ENABLE;
    }
    return code;
}

nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t device, unsigned int *count) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlDeviceGetMaxMigDeviceCount, device);
    *count = code == 0 ? FAKE_PARTS : *count;
    return code;
}

nvmlReturn_t nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t device, unsigned int index,
                                                 nvmlDevice_t *part) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlDeviceGetMigDeviceHandleByIndex, device);
    if (code == 0 && index >= (unsigned int)fake.parts) {
        code = NOT_FOUND;
    }
    if (code == 0) {
        *part = &fake_gpu[FAKE_WHOLE_GPUS + index_of(device) * FAKE_PARTS + (int)index];
    }
    return code;
}

nvmlReturn_t nvmlDeviceGetGpuInstanceId(nvmlDevice_t part, unsigned int *instance) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlDeviceGetGpuInstanceId, part);
    if (code == 0 && !is_part(part)) {
        return fake_misuse(INVALID_ARGUMENT, "the instance of a whole GPU");
    }
    *instance =
        code == 0 ? 7 + (unsigned int)(index_of(part) - FAKE_WHOLE_GPUS) % FAKE_PARTS : *instance;
    return code;
}

/* ---- use --------------------------------------------------------------------------------------- */

/* As on real ones, the share of time cannot be had of GPUs that are cut into parts. */
nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *use) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlDeviceGetUtilizationRates, device);
    code = code == 0 && fake.parts > 0 ? NOT_SUPPORTED : code;
    if (code == 0) {
        *use = (nvmlUtilization_t){60 + (unsigned int)index_of(device), 30};
    }
    return code;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlDeviceGetMemoryInfo, device);
    if (code == 0) {
        *memory = (nvmlMemory_t){80ULL << 30, 73ULL << 30, 7ULL << 30};
    }
    return code;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlDeviceGetMemoryInfo_v2, device);
    if (code == 0 && memory->version != (sizeof *memory | 2u << 24)) {
        return fake_misuse(MISMATCH, "version of the memory structure");
    }
    if (code == 0) {
        memory->total = 80ULL << 30;
        memory->reserved = 1ULL << 30;
        memory->used = 6ULL << 30;
        memory->free = 73ULL << 30;
    }
    return code;
}

nvmlReturn_t nvmlDeviceGetPcieThroughput(nvmlDevice_t device, nvmlPcieUtilCounter_t counter,
                                         unsigned int *kilobytes_s) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlDeviceGetPcieThroughput, device);
    *kilobytes_s = code != 0 ? *kilobytes_s : counter == NVML_PCIE_UTIL_RX_BYTES ? 2000000 : 1000;
    return code;
}

nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device,
                                                    unsigned long long *reasons) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlDeviceGetCurrentClocksEventReasons, device);
    *reasons = code == 0 ? 0x5 : *reasons;
    return code;
}

/* ---- processes --------------------------------------------------------------------------------- */

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int *count,
                                                     nvmlProcessInfo_t *process) {
    unsigned int capacity = *count;
    nvmlReturn_t code =
        fake_list(fake_begin_device(AT_nvmlDeviceGetComputeRunningProcesses_v3, device), count,
                  process, (unsigned int)fake.processes);
    for (unsigned int i = 0; code == 0 && i < *count && i < capacity; i++) {
        process[i] = (nvmlProcessInfo_t){.pid = (unsigned int)fake.pid[i % 4],
                                         .used_bytes = (i + 1ULL) << 30,
                                         .gpu_instance = 7 + i};
    }
    return code;
}

nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device, unsigned int *count,
                                                      nvmlProcessInfo_t *process) {
    return fake_list(fake_begin_device(AT_nvmlDeviceGetGraphicsRunningProcesses_v3, device), count,
                     process, 0);
}

nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int *count,
                                                        nvmlProcessInfo_t *process) {
    return fake_list(fake_begin_device(AT_nvmlDeviceGetMPSComputeRunningProcesses_v3, device),
                     count, process, 0);
}

/* ---- counters ---------------------------------------------------------------------------------- */

struct nvmlGpmSample_st {
    int device, turn; /* turn 0: nothing is in it */
};

nvmlReturn_t nvmlGpmQueryDeviceSupport(nvmlDevice_t device, nvmlGpmSupport_t *support) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlGpmQueryDeviceSupport, device);
    if (code == 0 && support->version != NVML_GPM_SUPPORT_VERSION) {
        return fake_misuse(MISMATCH, "version of the support structure");
    }
    support->supported = code == 0 && fake.counters != FAKE_NO_COUNTERS;
    return code;
}

nvmlReturn_t nvmlGpmSampleAlloc(nvmlGpmSample_t *sample) {
    nvmlReturn_t code = fake_begin(AT_nvmlGpmSampleAlloc);
    if (code == 0) {
        *sample = calloc(1, sizeof **sample);
        fake.live[FAKE_SAMPLE]++;
    }
    return code;
}

nvmlReturn_t nvmlGpmSampleFree(nvmlGpmSample_t sample) {
    nvmlReturn_t code = fake_begin(AT_nvmlGpmSampleFree);
    free(sample); /* a call that is told to fail has done its work: else a leak would be its own */
    fake.live[FAKE_SAMPLE]--;
    return code;
}

static nvmlReturn_t look(nvmlReturn_t code, int device, nvmlGpmSample_t sample) {
    static int turn;
    if (code == 0 && (fake.counters == FAKE_NO_COUNTERS || fake.counters == FAKE_ONLY_SAID)) {
        return NOT_SUPPORTED;
    }
    if (code == 0 && fake.counters == FAKE_NO_MORE_LATER &&
        fake.function[AT_nvmlGpmSampleGet].calls > 3) {
        return NVML_ERROR_GPU_IS_LOST;
    }
    if (code == 0) {
        *sample = (struct nvmlGpmSample_st){device, ++turn};
    }
    return code;
}

nvmlReturn_t nvmlGpmSampleGet(nvmlDevice_t device, nvmlGpmSample_t sample) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlGpmSampleGet, device);
    if (code == 0 && is_part(device)) {
        return fake_misuse(INVALID_ARGUMENT, "a part's own handle for GPM");
    }
    return look(code, index_of(device), sample);
}

nvmlReturn_t nvmlGpmMigSampleGet(nvmlDevice_t device, unsigned int instance,
                                 nvmlGpmSample_t sample) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlGpmMigSampleGet, device);
    if (code == 0 && (is_part(device) || instance < 7)) {
        return fake_misuse(INVALID_ARGUMENT, "instance %u of a part", instance);
    }
    return look(code, 100 * index_of(device) + (int)instance, sample);
}

/* Percentages are 2 + id, traffic is 100 MiB/s * id; counters of NVLink are not there; integers
 * are not a number. */
nvmlReturn_t nvmlGpmMetricsGet(nvmlGpmMetricsGet_t *get) {
    nvmlReturn_t code = fake_begin(AT_nvmlGpmMetricsGet);
    if (code != 0) {
        return code;
    }
    if (get->version != NVML_GPM_METRICS_GET_VERSION || get->metrics > 98) {
        return fake_misuse(MISMATCH, "version or number of metrics");
    }
    if (get->before->turn == 0 || get->after->turn <= get->before->turn ||
        get->before->device != get->after->device) {
        return fake_misuse(INVALID_ARGUMENT, "two samples that do not follow each other");
    }
    for (unsigned int i = 0; i < get->metrics; i++) {
        unsigned int id = get->metric[i].id;
        get->metric[i].result = id >= 60 ? NOT_SUPPORTED : 0;
        get->metric[i].value = id >= 20 ? 100.0 * id : 2.0 + id;
        get->metric[i].value = id == NVML_GPM_METRIC_INTEGER_UTIL ? NAN : get->metric[i].value;
    }
    return code;
}
