/* A fake level-zero loader: GPUs of Intel's with two engine groups, one memory, one power domain. Its
 * counters go on by 2 s at each look. */
#include "dyn/intel/sysman.h"

#include <stdio.h>
#include <string.h>

#include "calls.h"

enum { INVALID = 0x78000004 };

static char driver, device[4], part[8]; /* what handles point to */
static uint64_t looks;

#define HANDLE(type, at) ((type)(void *)(at))

static ze_result_t check(ze_result_t code, int right, const char *what) {
    return code == 0 && !right ? fake_misuse(INVALID, "%s", what) : code;
}

static ze_result_t begin(int at) {
    ze_result_t code = fake_call(at);
    return check(code, fake.function[AT_zesInit].calls > 0, "level-zero before zesInit");
}

ze_result_t zesDriverGet(uint32_t *count, zes_driver_handle_t *to) {
    ze_result_t code = begin(AT_zesDriverGet);
    if (code == 0) {
        *count = 1;
        to[0] = HANDLE(zes_driver_handle_t, &driver);
    }
    return code;
}

ze_result_t zesDeviceGet(zes_driver_handle_t from, uint32_t *count, zes_device_handle_t *to) {
    ze_result_t code = check(begin(AT_zesDeviceGet), (void *)from == &driver, "not a driver");
    if (code == 0) {
        *count = (uint32_t)fake.devices;
        for (uint32_t i = 0; i < *count; i++) {
            to[i] = HANDLE(zes_device_handle_t, &device[i]);
        }
    }
    return code;
}

static ze_result_t begin_device(int at, zes_device_handle_t from) {
    return check(begin(at), (char *)from >= device && (char *)from < device + fake.devices,
                 "not a device");
}

static ze_result_t begin_type(ze_result_t code, const struct be_zes_head *head, int type) {
    return check(code, head->type == type && !head->next, "type of a structure");
}

ze_result_t zesDeviceGetProperties(zes_device_handle_t from, zes_device_properties_t *to) {
    ze_result_t code = begin_type(begin_device(AT_zesDeviceGetProperties, from), &to->head,
                                  ZES_STRUCTURE_TYPE_DEVICE_PROPERTIES);
    if (code == 0) {
        memset(to->core.uuid, 0xab, sizeof to->core.uuid);
        snprintf(to->core.name, sizeof to->core.name, "Fake Data Center GPU Max");
    }
    return code;
}

ze_result_t zesDevicePciGetProperties(zes_device_handle_t from, zes_pci_properties_t *to) {
    ze_result_t code = begin_type(begin_device(AT_zesDevicePciGetProperties, from), &to->head,
                                  ZES_STRUCTURE_TYPE_PCI_PROPERTIES);
    to->max.bytes_s = code == 0 ? 63000000000 : -1;
    return code;
}

ze_result_t zesDevicePciGetStats(zes_device_handle_t from, zes_pci_stats_t *to) {
    ze_result_t code = begin_device(AT_zesDevicePciGetStats, from);
    if (code == 0) {
        looks++;
        to->timestamp_us = looks * 2000000;
        to->received_bytes = looks * 4000;
        to->sent_bytes = looks * 2000;
    }
    return code;
}

/* `all` handles of a kind, from `first` of the parts on. */
#define PARTS(name, type, first, all)                                                              \
    ze_result_t name(zes_device_handle_t from, uint32_t *count, type *to) {                        \
        ze_result_t code = begin_device(AT_##name, from);                                          \
        for (uint32_t i = 0; code == 0 && i < (all); i++) {                                        \
            to[i] = HANDLE(type, &part[(first) + i]);                                              \
        }                                                                                          \
        *count = code == 0 ? (all) : *count;                                                       \
        return code;                                                                               \
    }
PARTS(zesDeviceEnumEngineGroups, zes_engine_handle_t, 0, 2)
PARTS(zesDeviceEnumMemoryModules, zes_mem_handle_t, 2, 1)
PARTS(zesDeviceEnumPowerDomains, zes_pwr_handle_t, 3, 1)
PARTS(zesDeviceEnumTemperatureSensors, zes_temp_handle_t, 4, 2)
PARTS(zesDeviceEnumFrequencyDomains, zes_freq_handle_t, 6, 2)

ze_result_t zesEngineGetProperties(zes_engine_handle_t from, zes_engine_properties_t *to) {
    ze_result_t code = begin_type(begin(AT_zesEngineGetProperties), &to->head,
                                  ZES_STRUCTURE_TYPE_ENGINE_PROPERTIES);
    to->group = code != 0 ? to->group : (char *)from == part ? 3 : ZES_ENGINE_GROUP_COMPUTE_ALL;
    return code;
}

/* The group of copies is idle, that of computing 60 % busy. */
ze_result_t zesEngineGetActivity(zes_engine_handle_t from, zes_engine_stats_t *to) {
    ze_result_t code = begin(AT_zesEngineGetActivity);
    if (code == 0) {
        looks++;
        to->timestamp_us = looks * 2000000;
        to->active_us = (char *)from == part ? 0 : looks * 1200000;
    }
    return code;
}

ze_result_t zesMemoryGetState(zes_mem_handle_t from, zes_mem_state_t *to) {
    ze_result_t code =
        begin_type(check(begin(AT_zesMemoryGetState), (char *)from == part + 2, "not a memory"),
                   &to->head, ZES_STRUCTURE_TYPE_MEM_STATE);
    if (code == 0) {
        to->size = 48ULL << 30;
        to->free = 40ULL << 30;
    }
    return code;
}

ze_result_t zesMemoryGetBandwidth(zes_mem_handle_t from, zes_mem_bandwidth_t *to) {
    ze_result_t code =
        check(begin(AT_zesMemoryGetBandwidth), (char *)from == part + 2, "not a memory");
    if (code == 0) {
        looks++;
        to->timestamp_us = looks * 2000000;
        to->read_bytes = looks * 600;
        to->written_bytes = looks * 200;
        to->max_bytes_s = 1000;
    }
    return code;
}

ze_result_t zesPowerGetEnergyCounter(zes_pwr_handle_t from, zes_power_energy_counter_t *to) {
    ze_result_t code =
        check(begin(AT_zesPowerGetEnergyCounter), (char *)from == part + 3, "not a power domain");
    if (code == 0) {
        looks++;
        to->timestamp_us = looks * 2000000;
        to->microjoules = looks * 500000000;
    }
    return code;
}

ze_result_t zesTemperatureGetState(zes_temp_handle_t from, double *celsius) {
    ze_result_t code = begin(AT_zesTemperatureGetState);
    *celsius = code == 0 ? 40 + 5.0 * ((char *)from == part + 5) : *celsius;
    return code;
}

ze_result_t zesFrequencyGetProperties(zes_freq_handle_t from, zes_freq_properties_t *to) {
    ze_result_t code = begin_type(begin(AT_zesFrequencyGetProperties), &to->head,
                                  ZES_STRUCTURE_TYPE_FREQ_PROPERTIES);
    to->domain = (char *)from == part + 6 ? ZES_FREQ_DOMAIN_GPU : ZES_FREQ_DOMAIN_MEMORY;
    return code;
}

ze_result_t zesFrequencyGetState(zes_freq_handle_t from, zes_freq_state_t *to) {
    ze_result_t code =
        begin_type(begin(AT_zesFrequencyGetState), &to->head, ZES_STRUCTURE_TYPE_FREQ_STATE);
    if (code == 0) {
        to->actual_mhz = (char *)from == part + 6 ? 1550 : 3200;
        to->throttle = ZES_FREQ_THROTTLE_REASON_FLAG_THERMAL_LIMIT;
    }
    return code;
}

ze_result_t zesDeviceProcessesGetState(zes_device_handle_t from, uint32_t *count,
                                       zes_process_state_t *process) {
    ze_result_t code = begin_device(AT_zesDeviceProcessesGetState, from);
    uint32_t capacity = *count;
    if (code == 0) {
        *count = (uint32_t)fake.processes;
        for (uint32_t i = 0; i < capacity && i < *count; i++) {
            code = begin_type(code, &process[i].head, ZES_STRUCTURE_TYPE_PROCESS_STATE);
            process[i].pid = (uint32_t)fake.pid[i % 4];
            process[i].bytes = (i + 1ULL) << 30;
        }
    }
    return code;
}
