#include "observe/sources/nvidia.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/open_files.h"
#include "observe/process/proc_text.h"
#include "observe/process/limits.h"
#include "observe/process/visible.h"

/* ---- what a GPU can at most ------------------------------------------------------------------- */

/* A lane's bytes a second, one way, times lanes; NAN: not known. */
static double pcie_bytes_s(unsigned int generation, unsigned int lanes) {
    /* GT/s of a lane times its coding: 8b/10b, from 3.0 on 128b/130b, from 6.0 on 242B/256B. */
    static const double lane[] = {
        NAN, 0.25e9, 0.5e9, 0.9846e9, 1.9692e9, 3.9385e9, 64e9 / 8 * 242 / 256};
    return generation < BE_COUNT(lane) && lanes > 0 ? lane[generation] * lanes : NAN;
}

/* Peak FP64 rate / peak FP32 rate outside the tensor units; NAN: not known. */
static double fp64_ratio(int major, int minor) {
    /* Results a cycle and multiprocessor: the table of arithmetic throughput in NVIDIA's CUDA C++
     * programming guide. */
    static const struct {
        int major, minor;
        double ratio;
    } known[] = {
        {5, 0, 1.0 / 32}, {5, 2, 1.0 / 32}, {5, 3, 1.0 / 32}, {6, 0, 0.5},       {6, 1, 1.0 / 32},
        {6, 2, 1.0 / 32}, {7, 0, 0.5},      {7, 5, 1.0 / 32}, {8, 0, 0.5},       {8, 6, 1.0 / 64},
        {8, 9, 1.0 / 64}, {9, 0, 0.5},      {10, 0, 0.5},     {12, 0, 1.0 / 64},
    };
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        if (known[i].major == major && known[i].minor == minor) {
            return known[i].ratio;
        }
    }
    return NAN;
}

/* ---- calls that fail -------------------------------------------------------------------------- */

const char *be_nvidia_said(const struct be_nvml *nvml, nvmlReturn_t result, char *text,
                           size_t capacity) {
    const char *said = nvml->nvmlErrorString ? nvml->nvmlErrorString(result) : NULL;
    if (said && result != NVML_ERROR_GPU_IS_LOST) {
        be_copy_text(text, capacity, said);
    } else if (result == NVML_ERROR_GPU_IS_LOST) {
        be_copy_text(text, capacity, "the GPU fell off the bus");
    } else {
        snprintf(text, capacity, "NVML error %d", result);
    }
    return text;
}

bool be_nvidia_answered(const struct be_nvidia *nvidia, struct be_nvidia_gpu *gpu,
                        enum be_signal signal, const char *call, nvmlReturn_t result,
                        struct be_sink *sink) {
    char said[BE_NAME];
    if (result == NVML_SUCCESS) {
        return true;
    }
    if (result == NVML_ERROR_GPU_IS_LOST) {
        gpu->lost = true;
    }
    if (result == NVML_ERROR_FUNCTION_NOT_FOUND) {
        be_sink_absent(sink, signal, "this driver's NVML has no %s", call);
    } else {
        be_sink_absent(sink, signal, "%s: %s: %s", gpu->info.id, call,
                       be_nvidia_said(&nvidia->nvml, result, said, sizeof said));
    }
    return false;
}

enum be_status be_nvidia_left(const struct be_nvidia *nvidia, struct be_error *error) {
    for (int i = 0; i < nvidia->gpus; i++) {
        if (!nvidia->gpu[i].lost) {
            return BE_OK;
        }
    }
    return be_fail(error, BE_ABSENT, "the GPU fell off the bus");
}

/* ---- what is here ----------------------------------------------------------------------------- */

static void describe(const struct be_nvml *nvml, struct be_nvidia_gpu *gpu) {
    struct be_trace_gpu *info = &gpu->info;
    nvmlMemory_t memory = {0};
    unsigned int generation = 0;
    unsigned int lanes = 0;
    unsigned int milliwatts = 0;
    int major = 0;
    int minor = 0;
    info->memory_bytes = info->bus_bytes_s = info->power_limit_w = info->fp64_ratio = NAN;
    if (nvml->nvmlDeviceGetName) {
        nvml->nvmlDeviceGetName(gpu->part, info->name, sizeof info->name);
    }
    if (nvml->nvmlDeviceGetMemoryInfo &&
        nvml->nvmlDeviceGetMemoryInfo(gpu->part, &memory) == NVML_SUCCESS) {
        info->memory_bytes = (double)memory.total;
    }
    if (nvml->nvmlDeviceGetMaxPcieLinkGeneration && nvml->nvmlDeviceGetMaxPcieLinkWidth &&
        nvml->nvmlDeviceGetMaxPcieLinkGeneration(gpu->device, &generation) == NVML_SUCCESS &&
        nvml->nvmlDeviceGetMaxPcieLinkWidth(gpu->device, &lanes) == NVML_SUCCESS) {
        info->bus_bytes_s = pcie_bytes_s(generation, lanes);
    }
    if (nvml->nvmlDeviceGetEnforcedPowerLimit &&
        nvml->nvmlDeviceGetEnforcedPowerLimit(gpu->device, &milliwatts) == NVML_SUCCESS) {
        info->power_limit_w = 1e-3 * milliwatts;
    }
    if (nvml->nvmlDeviceGetCudaComputeCapability &&
        nvml->nvmlDeviceGetCudaComputeCapability(gpu->device, &major, &minor) == NVML_SUCCESS) {
        info->fp64_ratio = fp64_ratio(major, minor);
    }
}

static void read_uuid(const struct be_nvml *nvml, nvmlDevice_t device, char *uuid,
                      size_t capacity) {
    uuid[0] = '\0';
    if (!nvml->nvmlDeviceGetUUID ||
        nvml->nvmlDeviceGetUUID(device, uuid, (unsigned int)capacity) != NVML_SUCCESS) {
        uuid[0] = '\0';
    }
}

static void add(struct be_nvidia *nvidia, const struct be_nvidia_gpu *gpu) {
    if (nvidia->gpus < BE_DEVICES_MAX) {
        nvidia->gpu[nvidia->gpus] = *gpu;
        describe(&nvidia->nvml, &nvidia->gpu[nvidia->gpus]);
        nvidia->gpus++;
    }
}

static unsigned int ask_instance(nvmlReturn_t (*ask)(nvmlDevice_t part, unsigned int *instance),
                                 nvmlDevice_t part) {
    unsigned int instance = 0;
    return ask && ask(part, &instance) == NVML_SUCCESS ? instance : 0;
}

/* The parts of a GPU; false: it is not cut into parts. */
static bool add_parts(struct be_nvidia *nvidia, const char *list, const struct be_nvidia_gpu *whole,
                      int number) {
    const struct be_nvml *nvml = &nvidia->nvml;
    unsigned int mode = 0;
    unsigned int pending = 0;
    unsigned int max = 0;
    if (!nvml->nvmlDeviceGetMigMode || !nvml->nvmlDeviceGetMaxMigDeviceCount ||
        !nvml->nvmlDeviceGetMigDeviceHandleByIndex ||
        nvml->nvmlDeviceGetMigMode(whole->device, &mode, &pending) != NVML_SUCCESS ||
        mode != NVML_DEVICE_MIG_ENABLE ||
        nvml->nvmlDeviceGetMaxMigDeviceCount(whole->device, &max) != NVML_SUCCESS) {
        return false;
    }
    for (unsigned int i = 0; i < max; i++) {
        struct be_nvidia_gpu gpu = *whole;
        if (nvml->nvmlDeviceGetMigDeviceHandleByIndex(whole->device, i, &gpu.part) !=
            NVML_SUCCESS) {
            continue;
        }
        gpu.info.slice = true;
        gpu.instance = ask_instance(nvml->nvmlDeviceGetGpuInstanceId, gpu.part);
        read_uuid(nvml, gpu.part, gpu.info.uuid, sizeof gpu.info.uuid);
        const struct be_gpu_names names = {
            .number = number,
            .uuid = gpu.info.uuid,
            .parent = whole->info.uuid,
            .instance = (int)gpu.instance,
            .compute_instance = (int)ask_instance(nvml->nvmlDeviceGetComputeInstanceId, gpu.part)};
        if (be_gpu_visible(list, &names)) {
            snprintf(gpu.info.id, sizeof gpu.info.id, "nvml:%d.%u", number, i);
            add(nvidia, &gpu);
        }
    }
    return true;
}

static void add_gpu(struct be_nvidia *nvidia, const char *list, bool numbered, nvmlDevice_t device,
                    int number) {
    struct be_nvidia_gpu gpu = {.device = device, .part = device};
    snprintf(gpu.info.id, sizeof gpu.info.id, "nvml:%d", number);
    read_uuid(&nvidia->nvml, device, gpu.info.uuid, sizeof gpu.info.uuid);
    const struct be_gpu_names names = {.number = number, .uuid = gpu.info.uuid};
    if (!add_parts(nvidia, numbered ? list : NULL, &gpu, number) &&
        be_gpu_visible(numbered ? list : NULL, &names)) {
        add(nvidia, &gpu);
    }
}

/* CUDA's numbers are NVML's where it is told to count so, where all GPUs are alike, and where the list
 * has no numbers. Elsewhere the fastest is 0, and nobody says which that is: then every GPU may be
 * meant, and the processes on them tell. */
static bool numbers_agree(const struct be_nvidia *nvidia, const struct be_watched *watched,
                          const char *list, unsigned int count) {
    const char *order = be_variable(watched->environment, "CUDA_DEVICE_ORDER");
    char first[BE_NAME * 2] = "";
    if (!list || strncmp(list, "GPU-", 4) == 0 || strncmp(list, "MIG-", 4) == 0 || !list[0] ||
        (order && strcmp(order, "PCI_BUS_ID") == 0)) {
        return true;
    }
    for (unsigned int i = 0; i < count && nvidia->nvml.nvmlDeviceGetName; i++) {
        char name[BE_NAME * 2] = "";
        nvmlDevice_t device = NULL;
        if (nvidia->nvml.nvmlDeviceGetHandleByIndex_v2(i, &device) == NVML_SUCCESS &&
            nvidia->nvml.nvmlDeviceGetName(device, name, sizeof name) == NVML_SUCCESS) {
            if (first[0] && strcmp(first, name) != 0) {
                return false;
            }
            be_copy_text(first, sizeof first, name);
        }
    }
    return true;
}

static enum be_status find(struct be_nvidia *nvidia, const struct be_watched *watched,
                           struct be_error *error) {
    const struct be_nvml *nvml = &nvidia->nvml;
    const char *list =
        watched->node ? NULL : be_variable(watched->environment, "CUDA_VISIBLE_DEVICES");
    unsigned int count = 0;
    char said[BE_NAME], few[BE_NOTE];
    nvmlReturn_t result = nvml->nvmlDeviceGetCount_v2(&count);
    if (result != NVML_SUCCESS) {
        return be_fail(error, BE_ABSENT, "counting the GPUs: nvmlDeviceGetCount: %s",
                       be_nvidia_said(nvml, result, said, sizeof said));
    }
    bool numbered = numbers_agree(nvidia, watched, list, count);
    int number = 0; /* among those that may be opened, as CUDA counts */
    for (unsigned int i = 0; i < count; i++) {
        nvmlDevice_t device = NULL;
        nvmlReturn_t got = nvml->nvmlDeviceGetHandleByIndex_v2(i, &device);
        result = got != NVML_SUCCESS ? got : result;
        if (got == NVML_SUCCESS) {
            add_gpu(nvidia, list, numbered, device, number++);
        }
    }
    if (nvidia->gpus > 0) {
        return BE_OK;
    }
    if (number == 0 && result != NVML_SUCCESS) {
        return be_fail(error, BE_ABSENT, "none of %u GPUs can be opened: %s%s", count,
                       be_nvidia_said(nvml, result, said, sizeof said),
                       be_files_few(few, sizeof few));
    }
    return list && count > 0
               ? be_fail(error, BE_ABSENT, "CUDA_VISIBLE_DEVICES=\"%.80s\" leaves none of %d GPUs",
                         list, number)
               : be_fail(error, BE_ABSENT, "there is no NVIDIA GPU here");
}

/* ---- a session -------------------------------------------------------------------------------- */

enum be_status be_nvidia_open(struct be_nvidia *nvidia, const struct be_watched *watched,
                              struct be_error *error) {
    char said[BE_NAME], few[BE_NOTE];
    memset(nvidia, 0, sizeof *nvidia);
    enum be_status status = be_nvml_open(&nvidia->nvml, error);
    if (status != BE_OK) {
        return status;
    }
    if (!nvidia->nvml.nvmlDeviceGetCount_v2 || !nvidia->nvml.nvmlDeviceGetHandleByIndex_v2) {
        be_nvidia_close(nvidia);
        return be_fail(error, BE_ABSENT, "NVML is too old: it cannot list GPUs");
    }
    nvmlReturn_t result = nvidia->nvml.nvmlInit_v2();
    if (result != NVML_SUCCESS) {
        be_fail(error, BE_ABSENT, "starting NVML: nvmlInit: %s%s",
                be_nvidia_said(&nvidia->nvml, result, said, sizeof said),
                be_files_few(few, sizeof few));
        be_nvidia_close(nvidia);
        return BE_ABSENT;
    }
    nvidia->started = true;
    status = find(nvidia, watched, error);
    if (status != BE_OK) {
        be_nvidia_close(nvidia);
    }
    return status;
}

void be_nvidia_close(struct be_nvidia *nvidia) {
    if (nvidia->started) {
        nvidia->nvml.nvmlShutdown();
    }
    be_dyn_close(nvidia->nvml.handle);
    nvidia->nvml.handle = NULL;
    nvidia->started = false;
    nvidia->gpus = 0;
}

int be_nvidia_list(const struct be_nvidia *nvidia, struct be_trace_gpu *list, int capacity) {
    int count = nvidia->gpus < capacity ? nvidia->gpus : capacity;
    for (int i = 0; i < count; i++) {
        list[i] = nvidia->gpu[i].info;
    }
    return count;
}

/* ---- pace ------------------------------------------------------------------------------------- */

/* The budget is of one core. These sources work in a thread of their own beside the program, so where
 * there are more cores than one, what they take is a smaller part of what there is. */
static double budget(const struct be_moment *moment) {
    enum { MAX = 8 };
    cpu_set_t cpus;
    int count = sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? CPU_COUNT(&cpus) / 2 : 1;
    return moment->budget_s * (count < 1 ? 1 : count > MAX ? MAX : count);
}

/* One answer of a driver that another program was just opening seems to have taken 0.1 s
 * (docs/measurements/faults-h200.md). */
static const double saved_at_max_s = 0.2;

bool be_pace_begin(struct be_pace *pace, const struct be_moment *moment) {
    pace->owed_s = fmax(pace->owed_s - budget(moment), -saved_at_max_s);
    pace->began_s = be_thread_time();
    return moment->last || !(pace->owed_s > 0);
}

void be_pace_end(struct be_pace *pace) {
    pace->owed_s += be_thread_time() - pace->began_s;
}
