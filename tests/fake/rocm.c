/* A fake ROCm SMI: GPUs of AMD's, for as long as it is started. */
#include "dyn/amd/rocm.h"

#include <stdio.h>

#include "calls.h"

enum { INVALID = 1, UNINITIALIZED = 8 };

static rsmi_status_t begin(int at, uint32_t device) {
    rsmi_status_t status = fake_call(at);
    if (status == 0 && fake.live[FAKE_SESSION] == 0) {
        return fake_misuse(UNINITIALIZED, "%s outside a session", fake.function[at].name);
    }
    return status == 0 && device >= (uint32_t)fake.devices ? fake_misuse(INVALID, "no such GPU")
                                                           : status;
}

rsmi_status_t rsmi_init(uint64_t flags) {
    rsmi_status_t status = fake_call(AT_rsmi_init);
    (void)flags;
    fake.live[FAKE_SESSION] += status == 0;
    return status;
}

rsmi_status_t rsmi_shut_down(void) {
    rsmi_status_t status = begin(AT_rsmi_shut_down, 0);
    fake.live[FAKE_SESSION] -= fake.live[FAKE_SESSION] > 0;
    return status;
}

rsmi_status_t rsmi_num_monitor_devices(uint32_t *count) {
    rsmi_status_t status = begin(AT_rsmi_num_monitor_devices, 0);
    *count = status == 0 ? (uint32_t)fake.devices : *count;
    return status;
}

rsmi_status_t rsmi_status_string(rsmi_status_t status, const char **text) {
    *text = "The fake says no";
    (void)status;
    return fake_call(AT_rsmi_status_string);
}

rsmi_status_t rsmi_dev_name_get(uint32_t device, char *name, size_t capacity) {
    rsmi_status_t status = begin(AT_rsmi_dev_name_get, device);
    if (status == 0) {
        snprintf(name, capacity, "Fake Instinct");
    }
    return status;
}

#define NUMBER(name, type, value)                                                                  \
    rsmi_status_t name(uint32_t device, type *number) {                                            \
        rsmi_status_t status = begin(AT_##name, device);                                           \
        *number = status == 0 ? (type)(value) : *number;                                           \
        return status;                                                                             \
    }
NUMBER(rsmi_dev_unique_id_get, uint64_t, 0xabc0u + device)
NUMBER(rsmi_dev_busy_percent_get, uint32_t, 70 + device)
NUMBER(rsmi_dev_memory_busy_percent_get, uint32_t, 20)

/* 0000:03:00.0 and 0001:83:00.0, the latter with a number of its partition in bits 28 to 31. */
rsmi_status_t rsmi_dev_pci_id_get(uint32_t device, uint64_t *bdfid) {
    rsmi_status_t status = begin(AT_rsmi_dev_pci_id_get, device);
    *bdfid = status != 0 ? *bdfid : device == 0 ? 0x300 : 0x170008300;
    return status;
}

rsmi_status_t rsmi_dev_memory_total_get(uint32_t device, rsmi_memory_type_t type, uint64_t *bytes) {
    rsmi_status_t status = begin(AT_rsmi_dev_memory_total_get, device);
    *bytes = status == 0 && type == RSMI_MEM_TYPE_VRAM ? 64ULL << 30 : *bytes;
    return status;
}

rsmi_status_t rsmi_dev_memory_usage_get(uint32_t device, rsmi_memory_type_t type, uint64_t *bytes) {
    rsmi_status_t status = begin(AT_rsmi_dev_memory_usage_get, device);
    *bytes = status == 0 && type == RSMI_MEM_TYPE_VRAM ? 5ULL << 30 : *bytes;
    return status;
}

rsmi_status_t rsmi_dev_power_ave_get(uint32_t device, uint32_t sensor, uint64_t *microwatts) {
    rsmi_status_t status = begin(AT_rsmi_dev_power_ave_get, device);
    *microwatts = status == 0 && sensor == 0 ? 300000000 : *microwatts;
    return status;
}

rsmi_status_t rsmi_dev_power_cap_get(uint32_t device, uint32_t sensor, uint64_t *microwatts) {
    rsmi_status_t status = begin(AT_rsmi_dev_power_cap_get, device);
    *microwatts = status == 0 && sensor == 0 ? 560000000 : *microwatts;
    return status;
}

/* 2 s and 500 J further at each call. */
rsmi_status_t rsmi_dev_energy_count_get(uint32_t device, uint64_t *count, float *microjoules,
                                        uint64_t *ns) {
    static uint64_t calls;
    rsmi_status_t status = begin(AT_rsmi_dev_energy_count_get, device);
    if (status == 0) {
        calls++;
        *count = calls * 50000000;
        *microjoules = 10;
        *ns = calls * 2000000000;
    }
    return status;
}

rsmi_status_t rsmi_dev_temp_metric_get(uint32_t device, uint32_t sensor,
                                       rsmi_temperature_metric_t metric, int64_t *millicelsius) {
    rsmi_status_t status = begin(AT_rsmi_dev_temp_metric_get, device);
    *millicelsius =
        status == 0 && metric == RSMI_TEMP_CURRENT ? 50000 + 5000 * sensor : *millicelsius;
    return status;
}

/* The first is on every GPU, the others on the second only. */
rsmi_status_t rsmi_compute_process_info_get(rsmi_process_info_t *process, uint32_t *count) {
    rsmi_status_t status = begin(AT_rsmi_compute_process_info_get, 0);
    uint32_t capacity = *count;
    if (status == 0) {
        *count = (uint32_t)fake.processes;
        for (uint32_t i = 0; i < capacity && i < *count; i++) {
            process[i] = (rsmi_process_info_t){.pid = (uint32_t)fake.pid[i % 4],
                                               .memory_bytes = (i + 1ULL) << 30};
        }
    }
    return status;
}

rsmi_status_t rsmi_compute_process_gpus_get(uint32_t pid, uint32_t *device, uint32_t *count) {
    rsmi_status_t status = begin(AT_rsmi_compute_process_gpus_get, 0);
    if (status == 0) {
        bool first = pid == (uint32_t)fake.pid[0];
        device[0] = first ? 0 : 1;
        device[1] = 1;
        *count = first ? 2 : 1;
    }
    return status;
}
