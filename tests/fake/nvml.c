/* A fake NVML: one GPU that is cool and quick, for as long as a session is open. */
#include <stdio.h>
#include <strings.h>

#include "calls.h"

enum { INVALID_ARGUMENT = 2, NOT_FOUND = 6, UNINITIALIZED = 1 };

struct nvmlDevice_st {
    unsigned long long millijoules;
};
static struct nvmlDevice_st gpu;

static nvmlReturn_t begin(int at) {
    nvmlReturn_t code = fake_call(at);
    return code == 0 && fake.live[FAKE_SESSION] == 0
               ? fake_misuse(UNINITIALIZED, "%s outside a session", fake.function[at].name)
               : code;
}

static nvmlReturn_t begin_device(int at, nvmlDevice_t device) {
    nvmlReturn_t code = begin(at);
    return code == 0 && device != &gpu ? fake_misuse(INVALID_ARGUMENT, "not a device") : code;
}

nvmlReturn_t nvmlInit_v2(void) {
    nvmlReturn_t code = fake_call(AT_nvmlInit_v2);
    fake.live[FAKE_SESSION] += code == 0;
    return code;
}

nvmlReturn_t nvmlShutdown(void) {
    nvmlReturn_t code = begin(AT_nvmlShutdown);
    fake.live[FAKE_SESSION] -= fake.live[FAKE_SESSION] > 0;
    return code;
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *address, nvmlDevice_t *device) {
    nvmlReturn_t code = begin(AT_nvmlDeviceGetHandleByPciBusId_v2);
    if (code == 0) {
        code = strcasecmp(address, "0000:0f:00.0") == 0 ? 0 : NOT_FOUND;
        *device = code == 0 ? &gpu : NULL;
    }
    return code;
}

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int room) {
    nvmlReturn_t code = begin(AT_nvmlSystemGetDriverVersion);
    if (code == 0) {
        snprintf(version, room, "580.0");
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
    (void)type;
    return tell(begin_device(AT_nvmlDeviceGetClockInfo, device), mhz, 1950);
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type,
                                       unsigned int *mhz) {
    (void)type;
    return tell(begin_device(AT_nvmlDeviceGetMaxClockInfo, device), mhz, 1980);
}

nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor,
                                      unsigned int *celsius) {
    (void)sensor;
    return tell(begin_device(AT_nvmlDeviceGetTemperature, device), celsius, 42);
}

nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device,
                                                       unsigned long long *reasons) {
    nvmlReturn_t code = begin_device(AT_nvmlDeviceGetCurrentClocksThrottleReasons, device);
    if (code == 0) {
        *reasons = 4;
    }
    return code;
}

nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device,
                                                 unsigned long long *millijoules) {
    nvmlReturn_t code = begin_device(AT_nvmlDeviceGetTotalEnergyConsumption, device);
    if (code == 0) {
        *millijoules = device->millijoules += 1000;
    }
    return code;
}
