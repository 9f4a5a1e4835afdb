/* The NVIDIA devices that are here, and the counters that one has while it works. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/cuda/cuda.h"

static double attribute(const struct be_cuda *cuda, CUdevice device, CUdevice_attribute which) {
    int value = 0;
    return cuda->cuDeviceGetAttribute(&value, which, device) == CUDA_SUCCESS ? (double)value
                                                                             : (double)NAN;
}

static void lower_case(char *text) {
    for (; *text; text++) {
        *text = (char)tolower((unsigned char)*text);
    }
}

/* "driver 580.159.04, CUDA 13.0, NVRTC 13.0": what is not here is left out. */
static void describe_driver(const struct be_cuda *cuda, char *text, size_t capacity) {
    char driver[BE_NAME] = "";
    struct be_nvml nvml;
    struct be_nvrtc nvrtc;
    struct be_error ignored;
    if (be_nvml_open(&nvml, &ignored) == BE_OK) {
        if (nvml.nvmlSystemGetDriverVersion && nvml.nvmlInit_v2() == NVML_SUCCESS) {
            char version[BE_NAME - 16] = "";
            if (nvml.nvmlSystemGetDriverVersion(version, sizeof version) == NVML_SUCCESS) {
                snprintf(driver, sizeof driver, "driver %s, ", version);
            }
            nvml.nvmlShutdown();
        }
        be_dyn_close(nvml.handle);
    }
    int version = 0;
    cuda->cuDriverGetVersion(&version);
    int used =
        snprintf(text, capacity, "%sCUDA %d.%d", driver, version / 1000, version % 1000 / 10);
    int major = 0;
    int minor = 0;
    if (be_nvrtc_open(&nvrtc, &ignored) == BE_OK) {
        nvrtc.nvrtcVersion(&major, &minor);
        if (used > 0 && (size_t)used < capacity) {
            snprintf(text + used, capacity - (size_t)used, ", NVRTC %d.%d", major, minor);
        }
        be_dyn_close(nvrtc.handle);
    }
}

bool be_cuda_uuid(const struct be_cuda *cuda, CUdevice device, const char *name, char *text,
                  size_t capacity) {
    CUuuid uuid;
    if (!cuda->cuDeviceGetUuid_v2 || cuda->cuDeviceGetUuid_v2(&uuid, device) != CUDA_SUCCESS) {
        return false;
    }
    size_t used = (size_t)snprintf(text, capacity, "%s", strstr(name, " MIG ") ? "MIG" : "GPU");
    for (size_t i = 0; i < sizeof uuid.bytes && used + 4 < capacity; i++) {
        bool group = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
        used += (size_t)snprintf(text + used, capacity - used, "%s%02x", group ? "-" : "",
                                 (unsigned char)uuid.bytes[i]);
    }
    return true;
}

static enum be_status describe(const struct be_cuda *cuda, int index, struct be_device_info *info,
                               struct be_error *error) {
    CUdevice device;
    size_t bytes = 0;
    memset(info, 0, sizeof *info);
    CUresult result = cuda->cuDeviceGet(&device, index);
    if (result == CUDA_SUCCESS) {
        result = cuda->cuDeviceGetName(info->name, sizeof info->name, device);
    }
    if (result == CUDA_SUCCESS) {
        result = cuda->cuDeviceTotalMem_v2(&bytes, device);
    }
    if (result == CUDA_SUCCESS) {
        result = cuda->cuDeviceGetPCIBusId(info->address, sizeof info->address, device);
    }
    if (result != CUDA_SUCCESS) {
        be_cuda_check(cuda, result, "asking for its name and memory", error);
        return be_context(error, "cuda:%d", index);
    }
    snprintf(info->id, sizeof info->id, "cuda:%d", index);
    be_copy_text(info->backend, sizeof info->backend, "cuda");
    lower_case(info->address);
    /* Parts of one GPU share its place on the bus. */
    char uuid[BE_NAME];
    if (strstr(info->name, " MIG ") && be_cuda_uuid(cuda, device, info->name, uuid, sizeof uuid)) {
        be_copy_text(info->address, sizeof info->address, uuid);
    }
    info->kind = BE_KIND_GPU;
    info->index = index;
    info->memory_bytes = (double)bytes;
    double units = attribute(cuda, device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    info->units = isnan(units) ? 0 : (int)units;
    info->cache_bytes = attribute(cuda, device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    info->clock_hz = 1e3 * attribute(cuda, device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    describe_driver(cuda, info->driver, sizeof info->driver);
    return BE_OK;
}

enum be_status be_cuda_probe(struct be_device_info *found, int capacity, int *count,
                             struct be_error *error) {
    struct be_cuda cuda;
    *count = 0;
    enum be_status status = be_cuda_open(&cuda, error);
    if (status != BE_OK) {
        return status;
    }
    int devices = 0;
    struct be_clock clock = be_clock_host();
    double start = be_now(&clock);
    CUresult result = cuda.cuInit(0);
    double start_s = be_now(&clock) - start;
    if (result == CUDA_SUCCESS) {
        result = cuda.cuDeviceGetCount(&devices);
    }
    if (result == CUDA_ERROR_NO_DEVICE || (result == CUDA_SUCCESS && devices == 0)) {
        status = be_fail(error, BE_ABSENT,
                         "the CUDA driver is here but shows no GPU (in a batch "
                         "job: was one asked for? see CUDA_VISIBLE_DEVICES)");
    } else if (result != CUDA_SUCCESS) {
        be_cuda_check(&cuda, result, "starting the driver", error);
        status = error ? (error->status = BE_ABSENT) : BE_ABSENT;
    }
    for (int i = 0; status == BE_OK && i < devices && i < capacity; i++) {
        status = describe(&cuda, i, &found[i], error);
        found[i].start_s = start_s;
        *count += status == BE_OK;
    }
    be_dyn_close(cuda.handle);
    return status;
}

void be_cuda_state(struct be_device *device, struct be_device_state *state) {
    struct be_cuda_device *d = (struct be_cuda_device *)device;
    *state = (struct be_device_state){NAN, NAN, NAN, 0};
    if (!d->nvml_device) {
        return;
    }
    unsigned int value = 0;
    unsigned long long wide = 0;
    const struct be_nvml *nvml = &d->nvml;
    if (nvml->nvmlDeviceGetClockInfo &&
        nvml->nvmlDeviceGetClockInfo(d->nvml_device, NVML_CLOCK_SM, &value) == NVML_SUCCESS) {
        state->clock_hz = 1e6 * value;
    }
    if (nvml->nvmlDeviceGetMaxClockInfo &&
        nvml->nvmlDeviceGetMaxClockInfo(d->nvml_device, NVML_CLOCK_SM, &value) == NVML_SUCCESS) {
        state->clock_max_hz = 1e6 * value;
    }
    if (nvml->nvmlDeviceGetTemperature &&
        nvml->nvmlDeviceGetTemperature(d->nvml_device, NVML_TEMPERATURE_GPU, &value) ==
            NVML_SUCCESS) {
        state->temperature_c = value;
    }
    if (nvml->nvmlDeviceGetCurrentClocksThrottleReasons &&
        nvml->nvmlDeviceGetCurrentClocksThrottleReasons(d->nvml_device, &wide) == NVML_SUCCESS) {
        state->throttle = wide;
    }
}
