/*
 * GPUs, found by their place on the bus: NVIDIA's through NVML, AMD's through ROCm SMI. The latter is
 * written from its documented interface and tested on a fake.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "dyn/nvidia/cuda.h"
#include "dyn/amd/rocm.h"
#include "machine/energy.h"

static bool is_gpu(const struct be_device_info *info) {
    return info->kind == BE_KIND_GPU && strcmp(info->backend, "null") != 0;
}

static bool is_foreign_gpu(const struct be_device_info *info) {
    return is_gpu(info) && strcmp(info->backend, "cuda") != 0;
}

static enum be_status no_memory(struct be_error *error) {
    return be_fail(error, BE_NOMEM, "energy of a GPU: out of memory");
}

/* ---- NVIDIA ------------------------------------------------------------------------------------- */

struct nvidia {
    struct be_nvml nvml;
    bool started;
    nvmlDevice_t device;
};

static void close_nvidia(struct be_energy *energy) {
    struct nvidia *nvidia = energy->own;
    if (nvidia && nvidia->started) {
        nvidia->nvml.nvmlShutdown();
    }
    if (nvidia && nvidia->nvml.handle) {
        be_dyn_close(nvidia->nvml.handle);
    }
    free(nvidia);
    energy->own = NULL;
}

static enum be_status check_nvml(const struct be_nvml *nvml, nvmlReturn_t result, const char *call,
                                 struct be_error *error) {
    const char *said = nvml->nvmlErrorString ? nvml->nvmlErrorString(result) : NULL;
    return result == NVML_SUCCESS ? BE_OK
           : said                 ? be_fail(error, BE_ABSENT, "%s: %s", call, said)
                                  : be_fail(error, BE_ABSENT, "%s: NVML error %d", call, result);
}

static enum be_status read_nvidia(struct be_energy *energy, double *joules,
                                  struct be_error *error) {
    struct nvidia *nvidia = energy->own;
    unsigned long long millijoules = 0;
    enum be_status status =
        check_nvml(&nvidia->nvml,
                   nvidia->nvml.nvmlDeviceGetTotalEnergyConsumption(nvidia->device, &millijoules),
                   "nvmlDeviceGetTotalEnergyConsumption", error);
    *joules = 1e-3 * (double)millijoules;
    return status;
}

static enum be_status start_nvidia(struct nvidia *nvidia, const struct be_device_info *info,
                                   struct be_error *error) {
    struct be_nvml *nvml = &nvidia->nvml;
    if (strncmp(info->address, "MIG-", 4) == 0) {
        return be_fail(error, BE_ABSENT,
                       "%s is a part of a GPU, and the counter is of the whole GPU", info->id);
    }
    if (!info->address[0]) {
        return be_fail(error, BE_ABSENT, "its driver does not say where on the bus %s is",
                       info->id);
    }
    enum be_status status = be_nvml_open(nvml, error);
    if (status != BE_OK) {
        return status;
    }
    if (!nvml->nvmlDeviceGetTotalEnergyConsumption) {
        return be_fail(error, BE_ABSENT,
                       "this driver's NVML has no nvmlDeviceGetTotalEnergyConsumption");
    }
    status = check_nvml(nvml, nvml->nvmlInit_v2(), "nvmlInit", error);
    nvidia->started = status == BE_OK;
    return status == BE_OK
               ? check_nvml(nvml,
                            nvml->nvmlDeviceGetHandleByPciBusId_v2(info->address, &nvidia->device),
                            "nvmlDeviceGetHandleByPciBusId", error)
               : status;
}

static double nvidia_limit(const struct nvidia *nvidia) {
    const struct be_nvml *nvml = &nvidia->nvml;
    unsigned int milliwatts = 0;
    return nvml->nvmlDeviceGetEnforcedPowerLimit &&
                   nvml->nvmlDeviceGetEnforcedPowerLimit(nvidia->device, &milliwatts) ==
                       NVML_SUCCESS &&
                   milliwatts > 0
               ? 1e-3 * milliwatts
               : NAN;
}

static enum be_status open_nvidia(const struct be_device_info *info, struct be_energy *energy,
                                  struct be_error *error) {
    double joules;
    energy->own = calloc(1, sizeof(struct nvidia));
    enum be_status status = energy->own ? start_nvidia(energy->own, info, error) : no_memory(error);
    status = status == BE_OK ? read_nvidia(energy, &joules, error) : status;
    be_copy_text(energy->name, sizeof energy->name, "NVML");
    if (status != BE_OK) {
        close_nvidia(energy);
        return status;
    }
    energy->limit_w = nvidia_limit(energy->own);
    return BE_OK;
}

const struct be_energy_source be_energy_nvml = {
    .counts = is_gpu,
    .open = open_nvidia,
    .read = read_nvidia,
    .close = close_nvidia,
};

/* ---- AMD ---------------------------------------------------------------------------------------- */

struct amd {
    struct be_rocm rocm;
    bool started;
    uint32_t device;
};

static void close_amd(struct be_energy *energy) {
    struct amd *amd = energy->own;
    if (amd && amd->started) {
        amd->rocm.rsmi_shut_down();
    }
    if (amd && amd->rocm.handle) {
        be_dyn_close(amd->rocm.handle);
    }
    free(amd);
    energy->own = NULL;
}

static enum be_status check_rocm(rsmi_status_t result, const char *call, struct be_error *error) {
    return result == RSMI_STATUS_SUCCESS
               ? BE_OK
               : be_fail(error, BE_ABSENT, "%s: ROCm SMI error %d", call, result);
}

static enum be_status read_amd(struct be_energy *energy, double *joules, struct be_error *error) {
    struct amd *amd = energy->own;
    uint64_t count = 0;
    uint64_t ns = 0;
    float microjoules = 0;
    enum be_status status =
        check_rocm(amd->rocm.rsmi_dev_energy_count_get(amd->device, &count, &microjoules, &ns),
                   "rsmi_dev_energy_count_get", error);
    *joules = 1e-6 * (double)count * (double)microjoules;
    return status;
}

/* The number of the GPU at that address: rocm_smi.h has the domain in the upper 32 bits, then the bus in
 * 8, the device in 5 and the function in 3. */
static enum be_status find_amd(struct amd *amd, const struct be_device_info *info,
                               struct be_error *error) {
    unsigned int domain, bus, device, function;
    uint32_t count = 0;
    if (sscanf(info->address, "%x:%x:%x.%x", &domain, &bus, &device, &function) != 4) {
        return be_fail(error, BE_ABSENT, "its driver does not say where on the bus %s is",
                       info->id);
    }
    const uint64_t wanted = (uint64_t)domain << 32 | bus << 8 | device << 3 | function;
    enum be_status status =
        check_rocm(amd->rocm.rsmi_num_monitor_devices(&count), "rsmi_num_monitor_devices", error);
    for (uint32_t i = 0; status == BE_OK && i < count; i++) {
        uint64_t at = 0;
        if (amd->rocm.rsmi_dev_pci_id_get(i, &at) == RSMI_STATUS_SUCCESS &&
            (at & 0xffffffff0000ffff) == wanted) {
            amd->device = i;
            return BE_OK;
        }
    }
    return status == BE_OK ? be_fail(error, BE_ABSENT, "ROCm SMI shows no GPU at %s", info->address)
                           : status;
}

/* Without AMD's driver its library is not touched. */
static enum be_status start_amd(struct amd *amd, const struct be_device_info *info,
                                const char *files, struct be_error *error) {
    char path[512];
    snprintf(path, sizeof path, "%s/sys/class/kfd", files);
    if (access(path, F_OK) != 0) {
        return be_fail(error, BE_ABSENT, "AMD's driver is not here (/sys/class/kfd)");
    }
    enum be_status status = be_rocm_open(&amd->rocm, error);
    if (status != BE_OK) {
        return status;
    }
    if (!amd->rocm.rsmi_dev_energy_count_get || !amd->rocm.rsmi_dev_pci_id_get) {
        return be_fail(error, BE_ABSENT, "this ROCm SMI has no energy counter");
    }
    status = check_rocm(amd->rocm.rsmi_init(0), "rsmi_init", error);
    amd->started = status == BE_OK;
    return status == BE_OK ? find_amd(amd, info, error) : status;
}

static double amd_limit(const struct amd *amd) {
    uint64_t microwatts = 0;
    return amd->rocm.rsmi_dev_power_cap_get &&
                   amd->rocm.rsmi_dev_power_cap_get(amd->device, 0, &microwatts) ==
                       RSMI_STATUS_SUCCESS &&
                   microwatts > 0
               ? 1e-6 * (double)microwatts
               : NAN;
}

static enum be_status open_amd(const struct be_device_info *info, struct be_energy *energy,
                               struct be_error *error) {
    double joules;
    energy->own = calloc(1, sizeof(struct amd));
    enum be_status status =
        energy->own ? start_amd(energy->own, info, energy->files, error) : no_memory(error);
    status = status == BE_OK ? read_amd(energy, &joules, error) : status;
    be_copy_text(energy->name, sizeof energy->name, "ROCm SMI, untested on hardware");
    if (status != BE_OK) {
        close_amd(energy);
        return status;
    }
    energy->limit_w = amd_limit(energy->own);
    return BE_OK;
}

const struct be_energy_source be_energy_rocm = {
    .counts = is_foreign_gpu,
    .open = open_amd,
    .read = read_amd,
    .close = close_amd,
};
