/* A fake NVML: GPUs that are cool and quick, for as long as a session is open. The code that watches them is in
 * nvml_watch.c. */
#include <stdio.h>
#include <strings.h>

#include "nvml.h"

enum { INVALID_ARGUMENT = 2, NOT_FOUND = 6, UNINITIALIZED = 1 };

struct nvmlDevice_st fake_gpu[FAKE_GPUS];

nvmlReturn_t fake_begin(int at) {
    nvmlReturn_t code = fake_call(at);
    return code == 0 && fake.live[FAKE_SESSION] == 0
               ? fake_misuse(UNINITIALIZED, "%s outside a session", fake.function[at].name)
               : code;
}

nvmlReturn_t fake_begin_device(int at, nvmlDevice_t device) {
    nvmlReturn_t code = fake_begin(at);
    return code == 0 && (device < fake_gpu || device >= fake_gpu + FAKE_GPUS)
               ? fake_misuse(INVALID_ARGUMENT, "not a device")
               : code;
}

nvmlReturn_t nvmlInit_v2(void) {
    nvmlReturn_t code = fake_call(AT_nvmlInit_v2);
    fake.live[FAKE_SESSION] += code == 0;
    return code;
}

nvmlReturn_t nvmlShutdown(void) {
    nvmlReturn_t code = fake_begin(AT_nvmlShutdown);
    fake.live[FAKE_SESSION] -= fake.live[FAKE_SESSION] > 0;
    return code;
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *address, nvmlDevice_t *device) {
    nvmlReturn_t code = fake_begin(AT_nvmlDeviceGetHandleByPciBusId_v2);
    if (code == 0) {
        code = strcasecmp(address, "0000:0f:00.0") == 0 ? 0 : NOT_FOUND;
        *device = code == 0 ? &fake_gpu[0] : NULL;
    }
    return code;
}

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int capacity) {
    nvmlReturn_t code = fake_begin(AT_nvmlSystemGetDriverVersion);
    if (code == 0) {
        snprintf(version, capacity, "580.0");
    }
    return code;
}

static nvmlReturn_t tell(nvmlReturn_t code, unsigned int *to, unsigned int value) {
    if (code == 0) {
        *to = value;
    }
    return code;
}

nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *mhz) {
    return tell(fake_begin_device(AT_nvmlDeviceGetClockInfo, device), mhz,
                type == NVML_CLOCK_MEM ? 3201 : 1950);
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type,
                                       unsigned int *mhz) {
    return tell(fake_begin_device(AT_nvmlDeviceGetMaxClockInfo, device), mhz,
                type == NVML_CLOCK_MEM ? 3202 : 1980);
}

nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor,
                                      unsigned int *celsius) {
    (void)sensor;
    return tell(fake_begin_device(AT_nvmlDeviceGetTemperature, device), celsius, 42);
}

nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t device,
                                               nvmlTemperatureThresholds_t type,
                                               unsigned int *celsius) {
    return tell(fake_begin_device(AT_nvmlDeviceGetTemperatureThreshold, device), celsius,
                type == NVML_TEMPERATURE_THRESHOLD_SLOWDOWN ? 87 : 0);
}

#define NUMBER(name, value)                                                                        \
    nvmlReturn_t name(nvmlDevice_t device, unsigned int *number) {                                 \
        return tell(fake_begin_device(AT_##name, device), number, value);                          \
    }
NUMBER(nvmlDeviceGetPowerUsage, 345678)
NUMBER(nvmlDeviceGetEnforcedPowerLimit, 650000)
NUMBER(nvmlDeviceGetCurrPcieLinkGeneration, 4)
NUMBER(nvmlDeviceGetMaxPcieLinkGeneration, 5)
NUMBER(nvmlDeviceGetCurrPcieLinkWidth, 8)
NUMBER(nvmlDeviceGetMaxPcieLinkWidth, 16)

nvmlReturn_t nvmlDeviceGetPowerManagementLimitConstraints(nvmlDevice_t device, unsigned int *min,
                                                          unsigned int *max) {
    *min = 200000;
    return tell(fake_begin_device(AT_nvmlDeviceGetPowerManagementLimitConstraints, device), max,
                700000);
}

nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t *mode) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlDeviceGetPersistenceMode, device);
    *mode = code == 0 ? NVML_FEATURE_ENABLED : *mode;
    return code;
}

nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, nvmlMemoryErrorType_t type,
                                         nvmlEccCounterType_t counter, unsigned long long *count) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlDeviceGetTotalEccErrors, device);
    if (code == 0) {
        *count = (type == NVML_MEMORY_ERROR_TYPE_CORRECTED ? 3ULL : 1ULL) *
                 (counter == NVML_VOLATILE_ECC ? 1 : 10);
    }
    return code;
}

nvmlReturn_t fake_list(nvmlReturn_t code, unsigned int *count, const void *capacity,
                       unsigned int all) {
    if (code != 0) {
        return code;
    }
    if (*count > 0 && !capacity) {
        return fake_misuse(INVALID_ARGUMENT, "a list without room");
    }
    code = *count < all ? NVML_ERROR_INSUFFICIENT_SIZE : 0;
    *count = all;
    return code;
}

nvmlReturn_t nvmlDeviceGetRetiredPages(nvmlDevice_t device, nvmlPageRetirementCause_t cause,
                                       unsigned int *count, unsigned long long *address) {
    bool single = cause == NVML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS;
    return fake_list(fake_begin_device(AT_nvmlDeviceGetRetiredPages, device), count, address,
                     single ? 2 : 0);
}

nvmlReturn_t nvmlDeviceGetRemappedRows(nvmlDevice_t device, unsigned int *corrected,
                                       unsigned int *uncorrected, unsigned int *pending,
                                       unsigned int *failed) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlDeviceGetRemappedRows, device);
    if (code == 0) {
        *corrected = 4;
        *uncorrected = 5;
        *pending = 1;
        *failed = 0;
    }
    return code;
}

nvmlReturn_t nvmlDeviceGetVbiosVersion(nvmlDevice_t device, char *version, unsigned int capacity) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlDeviceGetVbiosVersion, device);
    if (code == 0) {
        snprintf(version, capacity, "96.00.99.00.01");
    }
    return code;
}

nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device,
                                                       unsigned long long *reasons) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlDeviceGetCurrentClocksThrottleReasons, device);
    if (code == 0) {
        *reasons = 4;
    }
    return code;
}

nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device,
                                                 unsigned long long *millijoules) {
    nvmlReturn_t code = fake_begin_device(AT_nvmlDeviceGetTotalEnergyConsumption, device);
    if (code == 0) {
        *millijoules = device->millijoules += 100;
    }
    return code;
}
