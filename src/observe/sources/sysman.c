/*
 * Intel's GPUs through oneAPI level-zero's system management. Written from its published specification
 * and tested on a fake: no GPU of Intel's has been seen by it yet.
 */
#include "dyn/intel/sysman.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "observe/process/proc_text.h"
#include "observe/process/limits.h"
#include "observe/process/visible.h"
#include "observe/sources/counter.h"
#include "observe/sources/gpu_processes.h"
#include "observe/sources/sources.h"

enum { DRIVERS_MAX = 8, PARTS_MAX = 16 };

struct gpu {
    zes_device_handle_t device;
    zes_engine_handle_t engine[PARTS_MAX];
    uint32_t engines;
    zes_mem_handle_t memory[PARTS_MAX];
    uint32_t memories;
    zes_pwr_handle_t power[PARTS_MAX];
    uint32_t powers;
    zes_temp_handle_t sensor[PARTS_MAX];
    uint32_t sensors;
    zes_freq_handle_t frequency[PARTS_MAX];
    uint32_t frequencies;
    struct be_counter active[PARTS_MAX], read[PARTS_MAX], written[PARTS_MAX], energy;
    struct be_counter received, sent;
    struct be_gpu_before before;
    bool lost;
    struct be_trace_gpu info;
};

struct sysman {
    struct be_sysman api;
    const struct be_watched *watched;
    struct gpu gpu[BE_DEVICES_MAX];
    int gpus, seen;
};

/* One GPU being asked. */
struct asked {
    const struct be_sysman *api;
    struct gpu *gpu;
    int index;
    struct be_sink *sink;
};

static bool answered(const struct asked *a, enum be_signal signal, const char *call,
                     ze_result_t result) {
    if (result == ZE_RESULT_SUCCESS) {
        return true;
    }
    a->gpu->lost |= result == ZE_RESULT_ERROR_DEVICE_LOST;
    be_sink_absent(a->sink, signal, "%s: %s: %s (0x%x)", a->gpu->info.id, call,
                   a->gpu->lost ? "the GPU fell off the bus" : "level-zero error",
                   (unsigned int)result);
    return false;
}

static void nothing(const struct asked *a, enum be_signal signal, const char *what) {
    be_sink_absent(a->sink, signal, "%s: the driver tells of no %s", a->gpu->info.id, what);
}

/* ---- values ------------------------------------------------------------------------------------ */

/* The engine group of all engines, or of all that compute; else the busiest of them. */
static void ask_busy(const struct asked *a) {
    double max = NAN;
    for (uint32_t i = 0; i < a->gpu->engines; i++) {
        zes_engine_stats_t stats = {0};
        if (answered(a, BE_GPU_BUSY, "zesEngineGetActivity",
                     a->api->zesEngineGetActivity(a->gpu->engine[i], &stats))) {
            max = fmax(max, be_counter_rate(&a->gpu->active[i], 1e-6 * (double)stats.active_us,
                                            1e-6 * (double)stats.timestamp_us));
        }
    }
    if (a->gpu->engines == 0) {
        nothing(a, BE_GPU_BUSY, "engines");
    }
    be_sink_put(a->sink, BE_GPU_BUSY, a->index, isnan(max) ? NAN : fmin(max, 1));
}

static void ask_memory(const struct asked *a) {
    double used = a->gpu->memories > 0 ? 0 : NAN;
    for (uint32_t i = 0; i < a->gpu->memories; i++) {
        zes_mem_state_t state = {.head = {.type = ZES_STRUCTURE_TYPE_MEM_STATE}};
        bool here = answered(a, BE_GPU_MEMORY, "zesMemoryGetState",
                             a->api->zesMemoryGetState(a->gpu->memory[i], &state));
        used += here ? (double)(state.size - state.free) : NAN;
    }
    if (a->gpu->memories == 0) {
        nothing(a, BE_GPU_MEMORY, "memory");
    }
    be_sink_put(a->sink, BE_GPU_MEMORY, a->index, used);
}

/* Bandwidth used, of the most there can be: what GPM says of DRAM. */
static void ask_bandwidth(const struct asked *a) {
    double rate = 0;
    double max = 0;
    for (uint32_t i = 0; i < a->gpu->memories && a->api->zesMemoryGetBandwidth; i++) {
        zes_mem_bandwidth_t traffic = {0};
        if (answered(a, BE_GPU_DRAM, "zesMemoryGetBandwidth",
                     a->api->zesMemoryGetBandwidth(a->gpu->memory[i], &traffic))) {
            double at_s = 1e-6 * (double)traffic.timestamp_us;
            rate += be_counter_rate(&a->gpu->read[i], (double)traffic.read_bytes, at_s) +
                    be_counter_rate(&a->gpu->written[i], (double)traffic.written_bytes, at_s);
            max += (double)traffic.max_bytes_s;
        }
    }
    be_sink_put(a->sink, BE_GPU_DRAM, a->index,
                max > 0 && !isnan(rate) ? fmin(rate / max, 1) : NAN);
}

/* The first power domain is the whole card's or package's. */
static void ask_power(const struct asked *a) {
    zes_power_energy_counter_t energy = {0};
    if (a->gpu->powers == 0) {
        nothing(a, BE_GPU_POWER, "power");
    } else if (answered(a, BE_GPU_POWER, "zesPowerGetEnergyCounter",
                        a->api->zesPowerGetEnergyCounter(a->gpu->power[0], &energy))) {
        be_sink_put(a->sink, BE_GPU_POWER, a->index,
                    be_counter_rate(&a->gpu->energy, 1e-6 * (double)energy.microjoules,
                                    1e-6 * (double)energy.timestamp_us));
    }
}

static void ask_temperature(const struct asked *a) {
    double max = NAN;
    for (uint32_t i = 0; i < a->gpu->sensors; i++) {
        double celsius = NAN;
        if (answered(a, BE_GPU_TEMPERATURE, "zesTemperatureGetState",
                     a->api->zesTemperatureGetState(a->gpu->sensor[i], &celsius))) {
            max = fmax(max, celsius);
        }
    }
    be_sink_put(a->sink, BE_GPU_TEMPERATURE, a->index, max);
}

static void put_throttle(const struct asked *a, uint32_t reasons) {
    const uint32_t power =
        ZES_FREQ_THROTTLE_REASON_FLAG_AVE_PWR_CAP | ZES_FREQ_THROTTLE_REASON_FLAG_BURST_PWR_CAP;
    const uint32_t other =
        ZES_FREQ_THROTTLE_REASON_FLAG_CURRENT_LIMIT | ZES_FREQ_THROTTLE_REASON_FLAG_PSU_ALERT;
    be_sink_put(a->sink, BE_GPU_THROTTLED_POWER, a->index, (reasons & power) != 0);
    be_sink_put(a->sink, BE_GPU_THROTTLED_HEAT, a->index,
                (reasons & ZES_FREQ_THROTTLE_REASON_FLAG_THERMAL_LIMIT) != 0);
    be_sink_put(a->sink, BE_GPU_THROTTLED_OTHER, a->index, (reasons & other) != 0);
}

static void ask_clocks(const struct asked *a) {
    for (uint32_t i = 0; i < a->gpu->frequencies; i++) {
        zes_freq_properties_t kind = {.head = {.type = ZES_STRUCTURE_TYPE_FREQ_PROPERTIES}};
        zes_freq_state_t state = {.head = {.type = ZES_STRUCTURE_TYPE_FREQ_STATE}};
        if (!answered(a, BE_GPU_CLOCK, "zesFrequencyGetProperties",
                      a->api->zesFrequencyGetProperties(a->gpu->frequency[i], &kind)) ||
            !answered(a, BE_GPU_CLOCK, "zesFrequencyGetState",
                      a->api->zesFrequencyGetState(a->gpu->frequency[i], &state))) {
            continue;
        }
        enum be_signal signal =
            kind.domain == ZES_FREQ_DOMAIN_MEMORY ? BE_GPU_MEMORY_CLOCK : BE_GPU_CLOCK;
        be_sink_put(a->sink, signal, a->index, state.actual_mhz > 0 ? 1e6 * state.actual_mhz : NAN);
        if (kind.domain == ZES_FREQ_DOMAIN_GPU) {
            put_throttle(a, state.throttle);
        }
    }
}

static void ask_bus(const struct asked *a) {
    zes_pci_stats_t stats = {0};
    if (!a->api->zesDevicePciGetStats ||
        !answered(a, BE_GPU_BUS_IN, "zesDevicePciGetStats",
                  a->api->zesDevicePciGetStats(a->gpu->device, &stats))) {
        return;
    }
    double at_s = 1e-6 * (double)stats.timestamp_us;
    be_sink_put(a->sink, BE_GPU_BUS_IN, a->index,
                be_counter_rate(&a->gpu->received, (double)stats.received_bytes, at_s));
    be_sink_put(a->sink, BE_GPU_BUS_OUT, a->index,
                be_counter_rate(&a->gpu->sent, (double)stats.sent_bytes, at_s));
}

static void ask_processes(const struct sysman *sysman, const struct asked *a) {
    zes_process_state_t process[BE_GPU_USERS_MAX];
    struct be_gpu_user user[BE_GPU_USERS_MAX];
    uint32_t count = BE_GPU_USERS_MAX;
    for (int i = 0; i < BE_GPU_USERS_MAX; i++) {
        process[i] = (zes_process_state_t){.head = {.type = ZES_STRUCTURE_TYPE_PROCESS_STATE}};
    }
    if (!a->api->zesDeviceProcessesGetState ||
        !answered(a, BE_GPU_OWN_PROCESSES, "zesDeviceProcessesGetState",
                  a->api->zesDeviceProcessesGetState(a->gpu->device, &count, process))) {
        return;
    }
    count = count < BE_GPU_USERS_MAX ? count : BE_GPU_USERS_MAX;
    for (uint32_t i = 0; i < count; i++) {
        user[i] = (struct be_gpu_user){(int)process[i].pid, (double)process[i].bytes};
    }
    struct be_gpu_use use = be_gpu_count_users(sysman->watched, user, (int)count, &a->gpu->before);
    be_gpu_put_use(a->sink, a->index, &use);
}

/* ---- which there are --------------------------------------------------------------------------- */

/* How many of one kind there are; resets the count for the next kind. */
static uint32_t found(bool here, uint32_t *count) {
    uint32_t number = !here ? 0 : *count < PARTS_MAX ? *count : PARTS_MAX;
    *count = PARTS_MAX;
    return number;
}

/* Only the best kind of group of engines is used: all, all that compute, or single ones. */
static void choose_engines(const struct be_sysman *api, struct gpu *gpu) {
    const int wanted[] = {ZES_ENGINE_GROUP_ALL, ZES_ENGINE_GROUP_COMPUTE_ALL};
    for (size_t w = 0; w < BE_COUNT(wanted) && api->zesEngineGetProperties; w++) {
        for (uint32_t i = 0; i < gpu->engines; i++) {
            zes_engine_properties_t kind = {.head = {.type = ZES_STRUCTURE_TYPE_ENGINE_PROPERTIES}};
            if (api->zesEngineGetProperties(gpu->engine[i], &kind) == ZE_RESULT_SUCCESS &&
                kind.group == wanted[w] && !kind.on_part) {
                gpu->engine[0] = gpu->engine[i];
                gpu->engines = 1;
                return;
            }
        }
    }
}

static void find_parts(const struct be_sysman *api, struct gpu *gpu) {
    uint32_t count = PARTS_MAX;
    gpu->engines = found(api->zesDeviceEnumEngineGroups && api->zesEngineGetActivity &&
                             api->zesDeviceEnumEngineGroups(gpu->device, &count, gpu->engine) ==
                                 ZE_RESULT_SUCCESS,
                         &count);
    gpu->memories = found(api->zesDeviceEnumMemoryModules && api->zesMemoryGetState &&
                              api->zesDeviceEnumMemoryModules(gpu->device, &count, gpu->memory) ==
                                  ZE_RESULT_SUCCESS,
                          &count);
    gpu->powers = found(api->zesDeviceEnumPowerDomains && api->zesPowerGetEnergyCounter &&
                            api->zesDeviceEnumPowerDomains(gpu->device, &count, gpu->power) ==
                                ZE_RESULT_SUCCESS,
                        &count);
    gpu->sensors = found(api->zesDeviceEnumTemperatureSensors && api->zesTemperatureGetState &&
                             api->zesDeviceEnumTemperatureSensors(gpu->device, &count,
                                                                  gpu->sensor) == ZE_RESULT_SUCCESS,
                         &count);
    gpu->frequencies = found(api->zesDeviceEnumFrequencyDomains && api->zesFrequencyGetProperties &&
                                 api->zesFrequencyGetState &&
                                 api->zesDeviceEnumFrequencyDomains(
                                     gpu->device, &count, gpu->frequency) == ZE_RESULT_SUCCESS,
                             &count);
    choose_engines(api, gpu);
}

static void describe(const struct be_sysman *api, struct gpu *gpu) {
    zes_device_properties_t device = {.head = {.type = ZES_STRUCTURE_TYPE_DEVICE_PROPERTIES}};
    zes_pci_properties_t bus = {.head = {.type = ZES_STRUCTURE_TYPE_PCI_PROPERTIES}};
    struct be_trace_gpu *info = &gpu->info;
    info->memory_bytes = info->bus_bytes_s = info->power_limit_w = info->fp64_ratio = NAN;
    be_copy_text(info->note, sizeof info->note, "untested on hardware");
    if (api->zesDeviceGetProperties(gpu->device, &device) == ZE_RESULT_SUCCESS) {
        const uint8_t *b = device.core.uuid;
        device.core.name[sizeof device.core.name - 1] = '\0';
        be_copy_text(info->name, sizeof info->name, device.core.name);
        snprintf(info->uuid, sizeof info->uuid,
                 "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
                 b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14],
                 b[15]);
    }
    if (api->zesDevicePciGetProperties &&
        api->zesDevicePciGetProperties(gpu->device, &bus) == ZE_RESULT_SUCCESS &&
        bus.max.bytes_s > 0) {
        info->bus_bytes_s = (double)bus.max.bytes_s;
    }
    for (uint32_t i = 0; i < gpu->memories; i++) {
        zes_mem_state_t state = {.head = {.type = ZES_STRUCTURE_TYPE_MEM_STATE}};
        if (api->zesMemoryGetState(gpu->memory[i], &state) == ZE_RESULT_SUCCESS) {
            info->memory_bytes = (i > 0 ? info->memory_bytes : 0) + (double)state.size;
        }
    }
}

static void add_devices(struct sysman *sysman, zes_driver_handle_t driver, const char *list) {
    zes_device_handle_t device[BE_DEVICES_MAX];
    uint32_t count = BE_DEVICES_MAX;
    if (sysman->api.zesDeviceGet(driver, &count, device) != ZE_RESULT_SUCCESS) {
        return;
    }
    for (uint32_t i = 0; i < count && i < BE_DEVICES_MAX && sysman->gpus < BE_DEVICES_MAX; i++) {
        struct gpu *gpu = &sysman->gpu[sysman->gpus];
        const struct be_gpu_names names = {.number = sysman->seen, .uuid = ""};
        if (be_gpu_visible(list, &names)) {
            memset(gpu, 0, sizeof *gpu);
            gpu->device = device[i];
            snprintf(gpu->info.id, sizeof gpu->info.id, "sysman:%d", sysman->seen);
            find_parts(&sysman->api, gpu);
            describe(&sysman->api, gpu);
            sysman->gpus++;
        }
        sysman->seen++;
    }
}

/* Without it there is no GPU that level-zero could know, and no need to load all its drivers. */
static bool has_graphics(const struct be_watched *watched) {
    char path[1024];
    snprintf(path, sizeof path, "%s/sys/class/drm", watched->files ? watched->files : "");
    return access(path, F_OK) == 0;
}

static enum be_status start(struct sysman *sysman, struct be_error *error) {
    zes_driver_handle_t driver[DRIVERS_MAX];
    uint32_t count = DRIVERS_MAX;
    const char *list = sysman->watched->node
                           ? NULL
                           : be_variable(sysman->watched->environment, "ZE_AFFINITY_MASK");
    if (!has_graphics(sysman->watched)) {
        return be_fail(error, BE_ABSENT,
                       "no driver of a GPU for level-zero is here (/sys/class/drm)");
    }
    enum be_status status = be_sysman_open(&sysman->api, error);
    if (status != BE_OK) {
        return status;
    }
    ze_result_t result = sysman->api.zesInit(0);
    if (result == ZE_RESULT_SUCCESS) {
        result = sysman->api.zesDriverGet(&count, driver);
    }
    if (result != ZE_RESULT_SUCCESS) {
        return be_fail(error, BE_ABSENT, "starting level-zero's system management: error 0x%x",
                       (unsigned int)result);
    }
    for (uint32_t i = 0; i < count && i < DRIVERS_MAX; i++) {
        add_devices(sysman, driver[i], list);
    }
    if (sysman->gpus > 0) {
        return BE_OK;
    }
    return sysman->seen > 0
               ? be_fail(error, BE_ABSENT, "ZE_AFFINITY_MASK=\"%.80s\" leaves none of %d GPUs",
                         list, sysman->seen)
               : be_fail(error, BE_ABSENT, "there is no GPU that level-zero knows here");
}

/* ---- a source ---------------------------------------------------------------------------------- */

/* level-zero is never shut down: it has no call for that. */
static void close_sysman(void *self) {
    struct sysman *sysman = self;
    be_dyn_close(sysman->api.handle);
    free(sysman);
}

static enum be_status open_sysman(const struct be_watched *watched, void **self,
                                  struct be_error *error) {
    struct sysman *sysman = calloc(1, sizeof *sysman);
    if (!sysman) {
        return be_fail(error, BE_NOMEM, "level-zero: out of memory");
    }
    sysman->watched = watched;
    enum be_status status = start(sysman, error);
    if (status != BE_OK) {
        close_sysman(sysman);
        return status;
    }
    *self = sysman;
    return BE_OK;
}

static int list_gpus(void *self, struct be_trace_gpu *list, int capacity) {
    const struct sysman *sysman = self;
    int count = sysman->gpus < capacity ? sysman->gpus : capacity;
    for (int i = 0; i < count; i++) {
        list[i] = sysman->gpu[i].info;
    }
    return count;
}

static enum be_status sample_sysman(void *self, const struct be_moment *moment,
                                    struct be_sink *sink, struct be_error *error) {
    static void (*const asks[])(const struct asked *a) = {
        ask_busy, ask_memory, ask_bandwidth, ask_power, ask_temperature, ask_clocks, ask_bus,
    };
    struct sysman *sysman = self;
    int left = 0;
    (void)moment;
    for (int i = 0; i < sysman->gpus; i++) {
        const struct asked a = {&sysman->api, &sysman->gpu[i], i, sink};
        for (size_t k = 0; k < BE_COUNT(asks) && !a.gpu->lost; k++) {
            asks[k](&a);
        }
        if (!a.gpu->lost) {
            ask_processes(sysman, &a);
        }
        left += !a.gpu->lost;
    }
    be_copy_text(sink->detail, sizeof sink->detail, "untested on hardware");
    return left > 0 ? BE_OK : be_fail(error, BE_ABSENT, "the GPU fell off the bus");
}

const struct be_signal_source be_signal_source_sysman = {
    .name = "sysman",
    .summary = "Intel's GPUs through level-zero (untested on hardware)",
    .foreign = true,
    .open = open_sysman,
    .gpus = list_gpus,
    .sample = sample_sysman,
    .close = close_sysman,
};
