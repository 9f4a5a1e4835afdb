/* Facts and settings of an NVIDIA device, from the driver and NVML. Everything is asked when it
 * is called: a link's speed and a clock are only true under load. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "device/cuda/cuda.h"

struct teller {
    const struct be_cuda_device *device;
    void (*tell)(void *context, const char *name, const char *text, double number);
    void *context;
};

/* "700 W", and 700. */
static void tell_number(const struct teller *t, const char *name, double number, const char *unit) {
    char text[BE_NAME];
    snprintf(text, sizeof text, "%.12g%s", number, unit);
    t->tell(t->context, name, text, number);
}

static void tell_bytes(const struct teller *t, const char *name, double bytes) {
    char text[BE_WORD];
    if (!isnan(bytes)) {
        t->tell(t->context, name, be_format_bytes(text, sizeof text, bytes, "-"), bytes);
    }
}

static void tell_switch(const struct teller *t, const char *name, bool on) {
    t->tell(t->context, name, on ? "on" : "off", on);
}

static void tell_yes(const struct teller *t, const char *name, bool yes) {
    t->tell(t->context, name, yes ? "yes" : "no", yes);
}

/* ---- the driver's own ----------------------------------------------------------------------- */

/* -1: not known. */
static int attribute(const struct teller *t, CUdevice_attribute which) {
    int value = -1;
    const struct be_cuda_device *d = t->device;
    return d->cuda.cuDeviceGetAttribute(&value, which, d->device) == CUDA_SUCCESS ? value : -1;
}

static void tell_versions(const struct teller *t) {
    const struct be_cuda_device *d = t->device;
    char text[BE_NAME] = "";
    int version = 0;
    int major = 0;
    int minor = 0;
    if (d->nvml_device && d->nvml.nvmlSystemGetDriverVersion &&
        d->nvml.nvmlSystemGetDriverVersion(text, sizeof text) == NVML_SUCCESS) {
        t->tell(t->context, "driver", text, NAN);
    }
    if (d->cuda.cuDriverGetVersion(&version) == CUDA_SUCCESS) {
        major = version / 1000;
        minor = version % 1000 / 10;
        snprintf(text, sizeof text, "%d.%d", major, minor);
        t->tell(t->context, "cuda_version", text, major + minor * 0.1);
    }
    if (d->nvrtc.handle && d->nvrtc.nvrtcVersion(&major, &minor) == 0) {
        snprintf(text, sizeof text, "%d.%d", major, minor);
        t->tell(t->context, "nvrtc_version", text, major + 0.1 * minor);
    }
    snprintf(text, sizeof text, "%d.%d", d->major, d->minor);
    t->tell(t->context, "compute_capability", text, d->major + 0.1 * d->minor);
}

/* "/sys/bus/pci/devices/0000:0f:00.0/numa_node" has a number, or -1 where there is one node. */
static void tell_numa_node(const struct teller *t, const char *address) {
    char path[BE_NAME * 2];
    int node = -1;
    snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/numa_node", address);
    FILE *file = fopen(path, "re");
    if (!file) {
        return;
    }
    if (fscanf(file, "%d", &node) == 1 && node >= 0) {
        tell_number(t, "numa_node", node, "");
    }
    fclose(file);
}

static void tell_place(const struct teller *t) {
    const struct be_cuda_device *d = t->device;
    char text[BE_NAME] = "";
    if (d->pci[0]) {
        t->tell(t->context, "pci_address", d->pci, NAN);
        tell_numa_node(t, d->pci);
    }
    if (be_cuda_uuid(&d->cuda, d->device, d->base.info.name, text, sizeof text)) {
        t->tell(t->context, "uuid", text, NAN);
    }
}

static void tell_driver(const struct teller *t) {
    const struct be_device_info *info = &t->device->base.info;
    int ecc = attribute(t, CU_DEVICE_ATTRIBUTE_ECC_ENABLED);
    int concurrent = attribute(t, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS);
    tell_versions(t);
    tell_place(t);
    if (info->units > 0) {
        tell_number(t, "multiprocessors", info->units, "");
    }
    tell_bytes(t, "memory_bytes", info->memory_bytes);
    tell_bytes(t, "cache_bytes", info->cache_bytes);
    if (ecc >= 0) {
        tell_switch(t, "ecc", ecc != 0);
    }
    if (concurrent >= 0) {
        tell_yes(t, "unified_concurrent", concurrent != 0);
    }
}

/* ---- NVML: one number a call ----------------------------------------------------------------- */

static void tell_numbers(const struct teller *t) {
    const struct be_nvml *nvml = &t->device->nvml;
    const struct {
        nvmlReturn_t (*ask)(nvmlDevice_t device, unsigned int *value);
        const char *name, *unit;
        double scale;
    } number[] = {
        {nvml->nvmlDeviceGetPowerUsage, "power_w", " W", 1e-3},
        {nvml->nvmlDeviceGetEnforcedPowerLimit, "power_limit_w", " W", 1e-3},
        {nvml->nvmlDeviceGetCurrPcieLinkGeneration, "pcie_generation", "", 1},
        {nvml->nvmlDeviceGetMaxPcieLinkGeneration, "pcie_generation_max", "", 1},
        {nvml->nvmlDeviceGetCurrPcieLinkWidth, "pcie_width", " lanes", 1},
        {nvml->nvmlDeviceGetMaxPcieLinkWidth, "pcie_width_max", " lanes", 1},
    };
    const struct {
        nvmlReturn_t (*ask)(nvmlDevice_t device, int what, unsigned int *value);
        int what;
        const char *name, *unit;
        double scale;
    } chosen[] = {
        {nvml->nvmlDeviceGetClockInfo, NVML_CLOCK_SM, "clock_hz", " MHz", 1e6},
        {nvml->nvmlDeviceGetMaxClockInfo, NVML_CLOCK_SM, "clock_max_hz", " MHz", 1e6},
        {nvml->nvmlDeviceGetClockInfo, NVML_CLOCK_MEM, "memory_clock_hz", " MHz", 1e6},
        {nvml->nvmlDeviceGetMaxClockInfo, NVML_CLOCK_MEM, "memory_clock_max_hz", " MHz", 1e6},
        {nvml->nvmlDeviceGetTemperature, NVML_TEMPERATURE_GPU, "temperature_c", " C", 1},
        {nvml->nvmlDeviceGetTemperatureThreshold, NVML_TEMPERATURE_THRESHOLD_SLOWDOWN,
         "temperature_slowdown_c", " C", 1},
    };
    nvmlDevice_t device = t->device->nvml_device;
    unsigned int value = 0;
    unsigned int min = 0;
    for (size_t i = 0; i < BE_COUNT(number); i++) {
        if (number[i].ask && number[i].ask(device, &value) == NVML_SUCCESS) {
            tell_number(t, number[i].name, number[i].scale * value, number[i].unit);
        }
    }
    for (size_t i = 0; i < BE_COUNT(chosen); i++) {
        if (chosen[i].ask && chosen[i].ask(device, chosen[i].what, &value) == NVML_SUCCESS) {
            char text[BE_NAME];
            snprintf(text, sizeof text, "%u%s", value, chosen[i].unit);
            t->tell(t->context, chosen[i].name, text, chosen[i].scale * value);
        }
    }
    if (nvml->nvmlDeviceGetPowerManagementLimitConstraints &&
        nvml->nvmlDeviceGetPowerManagementLimitConstraints(device, &min, &value) == NVML_SUCCESS) {
        tell_number(t, "power_limit_max_w", 1e-3 * value, " W");
    }
}

/* ---- NVML: what needs words ------------------------------------------------------------------ */

static void tell_settings(const struct teller *t) {
    const struct be_nvml *nvml = &t->device->nvml;
    nvmlDevice_t device = t->device->nvml_device;
    nvmlEnableState_t mode = 0;
    unsigned int current = 0;
    unsigned int pending = 0;
    char text[BE_NAME] = "";
    if (nvml->nvmlDeviceGetPersistenceMode &&
        nvml->nvmlDeviceGetPersistenceMode(device, &mode) == NVML_SUCCESS) {
        tell_switch(t, "persistence", mode == NVML_FEATURE_ENABLED);
    }
    if (nvml->nvmlDeviceGetMigMode &&
        nvml->nvmlDeviceGetMigMode(device, &current, &pending) == NVML_SUCCESS) {
        tell_switch(t, "mig", current == NVML_DEVICE_MIG_ENABLE);
    }
    if (nvml->nvmlDeviceGetVbiosVersion &&
        nvml->nvmlDeviceGetVbiosVersion(device, text, sizeof text) == NVML_SUCCESS) {
        t->tell(t->context, "vbios", text, NAN);
    }
}

/* The number is since the driver was loaded: what was before may have been repaired. */
static void tell_ecc_errors(const struct teller *t, nvmlMemoryErrorType_t type, const char *name) {
    const struct be_nvml *nvml = &t->device->nvml;
    nvmlDevice_t device = t->device->nvml_device;
    unsigned long long recent = 0;
    unsigned long long ever = 0;
    char text[BE_NOTE];
    if (!nvml->nvmlDeviceGetTotalEccErrors ||
        nvml->nvmlDeviceGetTotalEccErrors(device, type, NVML_VOLATILE_ECC, &recent) !=
            NVML_SUCCESS) {
        return;
    }
    int used = snprintf(text, sizeof text, "%llu since the driver was loaded", recent);
    if (nvml->nvmlDeviceGetTotalEccErrors(device, type, NVML_AGGREGATE_ECC, &ever) ==
        NVML_SUCCESS) {
        snprintf(text + used, sizeof text - (size_t)used, ", %llu in the device's life", ever);
    }
    t->tell(t->context, name, text, (double)recent);
}

/* Pages retired for one cause; false: this device retires none (it remaps rows). */
static bool retired(const struct teller *t, nvmlPageRetirementCause_t cause, unsigned int *count) {
    enum { CAPACITY = 64 }; /* more are never retired: the device is replaced first */
    const struct be_nvml *nvml = &t->device->nvml;
    unsigned long long address[CAPACITY];
    *count = CAPACITY;
    if (!nvml->nvmlDeviceGetRetiredPages) {
        return false;
    }
    nvmlReturn_t result =
        nvml->nvmlDeviceGetRetiredPages(t->device->nvml_device, cause, count, address);
    return result == NVML_SUCCESS || result == NVML_ERROR_INSUFFICIENT_SIZE;
}

static void tell_repairs(const struct teller *t) {
    const struct be_nvml *nvml = &t->device->nvml;
    unsigned int corrected = 0;
    unsigned int uncorrected = 0;
    unsigned int pending = 0;
    unsigned int failed = 0;
    char text[BE_NOTE];
    if (retired(t, NVML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS, &corrected) &&
        retired(t, NVML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR, &uncorrected)) {
        snprintf(text, sizeof text, "%u after corrected errors, %u after uncorrected ones",
                 corrected, uncorrected);
        t->tell(t->context, "retired_pages", text, (double)corrected + uncorrected);
    }
    if (nvml->nvmlDeviceGetRemappedRows &&
        nvml->nvmlDeviceGetRemappedRows(t->device->nvml_device, &corrected, &uncorrected, &pending,
                                        &failed) == NVML_SUCCESS) {
        snprintf(text, sizeof text, "%u after corrected errors, %u after uncorrected ones%s%s",
                 corrected, uncorrected, pending ? ", more at the next reset" : "",
                 failed ? ", and a remapping failed" : "");
        t->tell(t->context, "remapped_rows", text, (double)corrected + uncorrected);
        tell_number(t, "remapped_rows_uncorrectable", uncorrected, "");
        tell_yes(t, "remapped_rows_pending", pending != 0);
        tell_yes(t, "remapped_rows_failure", failed != 0);
    }
}

static void tell_throttle(const struct teller *t) {
    static const struct {
        unsigned long long bit;
        const char *word;
    } reason[] = {
        {nvmlClocksThrottleReasonGpuIdle, "idle"},
        {nvmlClocksThrottleReasonApplicationsClocksSetting, "application clocks"},
        {nvmlClocksThrottleReasonSwPowerCap, "power limit"},
        {nvmlClocksThrottleReasonHwSlowdown, "hardware slowdown"},
        {nvmlClocksThrottleReasonSyncBoost, "sync boost"},
        {nvmlClocksThrottleReasonSwThermalSlowdown, "heat"},
        {nvmlClocksThrottleReasonHwThermalSlowdown, "heat (hardware)"},
        {nvmlClocksThrottleReasonHwPowerBrakeSlowdown, "power brake"},
        {nvmlClocksThrottleReasonDisplayClockSetting, "display clocks"},
    };
    const struct be_nvml *nvml = &t->device->nvml;
    unsigned long long bits = 0;
    char text[BE_NOTE] = "none";
    if (!nvml->nvmlDeviceGetCurrentClocksThrottleReasons ||
        nvml->nvmlDeviceGetCurrentClocksThrottleReasons(t->device->nvml_device, &bits) !=
            NVML_SUCCESS) {
        return;
    }
    unsigned long long left = bits;
    size_t used = 0;
    for (size_t i = 0; i < BE_COUNT(reason); i++) {
        if (bits & reason[i].bit) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "",
                                     reason[i].word);
            left &= ~reason[i].bit;
        }
    }
    if (left) {
        snprintf(text + used, sizeof text - used, "%sother (0x%llx)", used ? ", " : "", left);
    }
    t->tell(t->context, "throttle", text, (double)bits);
}

/* This process is one of those on the device. Where not even it is seen (in some containers), none
 * of the others would be. */
static void tell_processes(const struct teller *t) {
    enum { CAPACITY = 64 };
    const struct be_nvml *nvml = &t->device->nvml;
    nvmlProcessInfo_t process[CAPACITY];
    unsigned int count = CAPACITY;
    if (!nvml->nvmlDeviceGetComputeRunningProcesses_v3) {
        return;
    }
    nvmlReturn_t result =
        nvml->nvmlDeviceGetComputeRunningProcesses_v3(t->device->nvml_device, &count, process);
    if ((result == NVML_SUCCESS || result == NVML_ERROR_INSUFFICIENT_SIZE) && count > 0) {
        tell_number(t, "processes", count - 1, count == 2 ? " other" : " others");
    }
}

void be_cuda_facts(struct be_device *device,
                   void (*tell)(void *context, const char *name, const char *text, double number),
                   void *context) {
    const struct teller t = {be_cuda_enter(device), tell, context};
    tell_driver(&t);
    if (!t.device->nvml_device) {
        return;
    }
    tell_settings(&t);
    tell_numbers(&t);
    tell_ecc_errors(&t, NVML_MEMORY_ERROR_TYPE_CORRECTED, "ecc_errors_corrected");
    tell_ecc_errors(&t, NVML_MEMORY_ERROR_TYPE_UNCORRECTED, "ecc_errors_uncorrected");
    tell_repairs(&t);
    tell_throttle(&t);
    tell_processes(&t);
}
