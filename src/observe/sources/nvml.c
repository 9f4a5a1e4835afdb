/*
 * NVML: what NVIDIA's driver says of a GPU at any time: how busy, how full, how hot, how fast, and who
 * is on it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "observe/sources/gpu_processes.h"
#include "observe/sources/nvidia.h"
#include "observe/sources/sources.h"

struct state {
    double energy_j, energy_s; /* last reading and when; NAN: none */
    double quick_s, slow_s;    /* when it was last asked for either sort of thing; NAN: not yet */
    double held[BE_SIGNALS];   /* the last values; NAN: none */
    bool counters;             /* GPM tells the traffic on the bus better */
    struct be_gpu_before before;
};

struct nvml {
    struct be_nvidia nvidia;
    struct state state[BE_DEVICES_MAX];
    const struct be_watched *watched;
    struct be_clock clock;
    struct be_pace pace;
    char detail[BE_NAME * 2];
};

/* One GPU being asked. */
struct asked {
    struct nvml *self;
    const struct be_nvml *nvml;
    struct be_nvidia_gpu *gpu;
    struct state *state;
    struct be_sink *sink;
    int index;
    double length_s; /* of the tick */
};

static const nvmlReturn_t no_such = NVML_ERROR_FUNCTION_NOT_FOUND;

static void hold(const struct asked *a, enum be_signal signal, double value) {
    a->state->held[signal] = value;
}

/* Takes the value if the call answered, else notes why there is none. */
static void put(const struct asked *a, enum be_signal signal, const char *call, nvmlReturn_t result,
                double value) {
    bool answered = be_nvidia_answered(&a->self->nvidia, a->gpu, signal, call, result, a->sink);
    hold(a, signal, answered ? value : NAN);
}

/* ---- how busy, how full ------------------------------------------------------------------------ */

static void ask_utilisation(const struct asked *a) {
    nvmlUtilization_t use = {0};
    nvmlReturn_t result = a->nvml->nvmlDeviceGetUtilizationRates
                              ? a->nvml->nvmlDeviceGetUtilizationRates(a->gpu->part, &use)
                              : no_such;
    put(a, BE_GPU_BUSY, "nvmlDeviceGetUtilizationRates", result, 0.01 * use.gpu);
    put(a, BE_GPU_MEMORY_BUSY, "nvmlDeviceGetUtilizationRates", result, 0.01 * use.memory);
}

/* The second version leaves out what the driver keeps for itself, as nvidia-smi does. */
static void ask_memory(const struct asked *a) {
    nvmlMemory_v2_t memory = {.version = sizeof(nvmlMemory_v2_t) | 2u << 24};
    nvmlMemory_t old = {0};
    nvmlReturn_t result = a->nvml->nvmlDeviceGetMemoryInfo_v2
                              ? a->nvml->nvmlDeviceGetMemoryInfo_v2(a->gpu->part, &memory)
                              : no_such;
    if (result == NVML_SUCCESS) {
        hold(a, BE_GPU_MEMORY, (double)memory.used);
        return;
    }
    result = a->nvml->nvmlDeviceGetMemoryInfo ? a->nvml->nvmlDeviceGetMemoryInfo(a->gpu->part, &old)
                                              : no_such;
    put(a, BE_GPU_MEMORY, "nvmlDeviceGetMemoryInfo", result, (double)old.used);
}

/* ---- how fast, how hot ------------------------------------------------------------------------- */

/* Energy between two ticks is the mean power exactly; the power that the driver says is a mean over a
 * time of its own. */
static void ask_power(const struct asked *a) {
    unsigned long long millijoules = 0;
    unsigned int milliwatts = 0;
    double now_s = be_now(&a->self->clock);
    if (a->nvml->nvmlDeviceGetTotalEnergyConsumption &&
        a->nvml->nvmlDeviceGetTotalEnergyConsumption(a->gpu->device, &millijoules) ==
            NVML_SUCCESS) {
        double joules = 1e-3 * (double)millijoules;
        double watts = (joules - a->state->energy_j) / (now_s - a->state->energy_s);
        /* Read too soon, it has not moved; it starts anew when the driver is loaded. */
        if (!isnan(watts) && (joules <= a->state->energy_j || now_s - a->state->energy_s < 0.05)) {
            a->state->energy_j = joules < a->state->energy_j ? joules : a->state->energy_j;
            return;
        }
        a->state->energy_j = joules;
        a->state->energy_s = now_s;
        hold(a, BE_GPU_POWER, watts);
        return;
    }
    nvmlReturn_t result = a->nvml->nvmlDeviceGetPowerUsage
                              ? a->nvml->nvmlDeviceGetPowerUsage(a->gpu->device, &milliwatts)
                              : no_such;
    put(a, BE_GPU_POWER, "nvmlDeviceGetPowerUsage", result, 1e-3 * milliwatts);
}

static void ask_clocks(const struct asked *a) {
    static const struct {
        nvmlClockType_t type;
        enum be_signal signal;
    } clock[] = {{NVML_CLOCK_SM, BE_GPU_CLOCK}, {NVML_CLOCK_MEM, BE_GPU_MEMORY_CLOCK}};
    unsigned int number = 0;
    nvmlReturn_t result = no_such;
    for (size_t i = 0; i < BE_COUNT(clock); i++) {
        result = a->nvml->nvmlDeviceGetClockInfo
                     ? a->nvml->nvmlDeviceGetClockInfo(a->gpu->device, clock[i].type, &number)
                     : no_such;
        put(a, clock[i].signal, "nvmlDeviceGetClockInfo", result, 1e6 * number);
    }
    result = a->nvml->nvmlDeviceGetTemperature
                 ? a->nvml->nvmlDeviceGetTemperature(a->gpu->device, NVML_TEMPERATURE_GPU, &number)
                 : no_such;
    put(a, BE_GPU_TEMPERATURE, "nvmlDeviceGetTemperature", result, number);
}

static void ask_throttle(const struct asked *a) {
    const unsigned long long power = nvmlClocksThrottleReasonSwPowerCap;
    const unsigned long long heat =
        nvmlClocksThrottleReasonSwThermalSlowdown | nvmlClocksThrottleReasonHwThermalSlowdown;
    const unsigned long long other =
        nvmlClocksThrottleReasonHwSlowdown | nvmlClocksThrottleReasonHwPowerBrakeSlowdown;
    unsigned long long bits = 0;
    nvmlReturn_t result = no_such;
    if (a->nvml->nvmlDeviceGetCurrentClocksEventReasons) {
        result = a->nvml->nvmlDeviceGetCurrentClocksEventReasons(a->gpu->device, &bits);
    } else if (a->nvml->nvmlDeviceGetCurrentClocksThrottleReasons) {
        result = a->nvml->nvmlDeviceGetCurrentClocksThrottleReasons(a->gpu->device, &bits);
    }
    const char *call = "nvmlDeviceGetCurrentClocksEventReasons";
    put(a, BE_GPU_THROTTLED_POWER, call, result, (bits & power) != 0);
    put(a, BE_GPU_THROTTLED_HEAT, call, result, (bits & heat) != 0);
    put(a, BE_GPU_THROTTLED_OTHER, call, result, (bits & other) != 0);
}

/* ---- the bus ----------------------------------------------------------------------------------- */

/* NVML watches the bus for 20 ms, and has the caller wait for it: what is said of the tick then rests
 * on that much of it. */
static void ask_bus(const struct asked *a) {
    static const struct {
        nvmlPcieUtilCounter_t counter;
        enum be_signal signal;
    } way[] = {{NVML_PCIE_UTIL_RX_BYTES, BE_GPU_BUS_IN}, {NVML_PCIE_UTIL_TX_BYTES, BE_GPU_BUS_OUT}};
    unsigned int kilobytes_s = 0;
    if (a->state->counters || a->gpu->info.slice) {
        return;
    }
    for (size_t i = 0; i < BE_COUNT(way); i++) {
        nvmlReturn_t result =
            a->nvml->nvmlDeviceGetPcieThroughput
                ? a->nvml->nvmlDeviceGetPcieThroughput(a->gpu->device, way[i].counter, &kilobytes_s)
                : no_such;
        if (be_nvidia_answered(&a->self->nvidia, a->gpu, way[i].signal,
                               "nvmlDeviceGetPcieThroughput", result, a->sink)) {
            be_sink_put_part(a->sink, way[i].signal, a->index, 1024.0 * kilobytes_s,
                             fmin(0.02 / fmax(a->length_s, 0.02), 1));
        }
    }
}

/* ---- who is on it ------------------------------------------------------------------------------ */

/* Adds a list's processes; of a part of a GPU only those in it. */
static nvmlReturn_t add_users(const struct asked *a,
                              nvmlReturn_t (*ask)(nvmlDevice_t device, unsigned int *count,
                                                  nvmlProcessInfo_t *process),
                              struct be_gpu_user *user, int *users) {
    nvmlProcessInfo_t process[BE_GPU_USERS_MAX] = {0};
    unsigned int count = BE_GPU_USERS_MAX;
    nvmlReturn_t result = ask ? ask(a->gpu->device, &count, process) : no_such;
    if (result == NVML_ERROR_INSUFFICIENT_SIZE && process[0].pid != 0) {
        result = NVML_SUCCESS; /* more than we look at, but it told the first */
        count = BE_GPU_USERS_MAX;
    }
    for (unsigned int i = 0; result == NVML_SUCCESS && i < count && *users < BE_GPU_USERS_MAX;
         i++) {
        if (a->gpu->info.slice && process[i].gpu_instance != a->gpu->instance) {
            continue;
        }
        /* All ones: the driver does not say. */
        double bytes = process[i].used_bytes == ~0ULL ? NAN : (double)process[i].used_bytes;
        user[(*users)++] = (struct be_gpu_user){(int)process[i].pid, bytes};
    }
    return result;
}

static void ask_processes(const struct asked *a) {
    struct be_gpu_user user[BE_GPU_USERS_MAX];
    int users = 0;
    hold(a, BE_GPU_OWN_PROCESSES, NAN);
    hold(a, BE_GPU_OWN_MEMORY, NAN);
    hold(a, BE_GPU_FOREIGN_PROCESSES, NAN);
    nvmlReturn_t result =
        add_users(a, a->nvml->nvmlDeviceGetComputeRunningProcesses_v3, user, &users);
    if (!be_nvidia_answered(&a->self->nvidia, a->gpu, BE_GPU_OWN_PROCESSES,
                            "nvmlDeviceGetComputeRunningProcesses", result, a->sink)) {
        return;
    }
    add_users(a, a->nvml->nvmlDeviceGetGraphicsRunningProcesses_v3, user, &users);
    add_users(a, a->nvml->nvmlDeviceGetMPSComputeRunningProcesses_v3, user, &users);
    struct be_gpu_use use = be_gpu_count_users(a->self->watched, user, users, &a->state->before);
    if (be_gpu_own_known(&use)) {
        hold(a, BE_GPU_OWN_PROCESSES, use.own);
        hold(a, BE_GPU_OWN_MEMORY, use.own > 0 ? use.own_bytes : 0);
    } else {
        be_sink_absent(a->sink, BE_GPU_OWN_PROCESSES, "%s", be_gpu_own_unknown);
        be_sink_absent(a->sink, BE_GPU_OWN_MEMORY, "%s", be_gpu_own_unknown);
    }
    hold(a, BE_GPU_FOREIGN_PROCESSES, use.foreign);
}

/* ---- a source ---------------------------------------------------------------------------------- */

/* Each call into the driver takes its time, some a millisecond. */
static void (*const quick[])(const struct asked *a) = {ask_utilisation, ask_power, ask_memory};
static void (*const slow[])(const struct asked *a) = {ask_clocks, ask_throttle, ask_processes,
                                                      ask_bus};
/* Between two times of asking: the share of time is the driver's own mean over a sixth of a second or
 * more, and the rest changes slowly. */
static const double quick_s = 0.19, slow_s = 0.95;

static void ask_all(const struct asked *a, void (*const *asks)(const struct asked *a),
                    size_t count) {
    for (size_t i = 0; i < count && !a->gpu->lost; i++) {
        asks[i](a);
    }
}

/* Nothing of a GPU that is lost holds. */
static void put_held(const struct asked *a) {
    for (int signal = 0; signal < BE_SIGNALS && !a->gpu->lost; signal++) {
        be_sink_put(a->sink, (enum be_signal)signal, a->index, a->state->held[signal]);
    }
}

static void ask_gpu(const struct asked *a, const struct be_moment *moment) {
    if (!(moment->now_s - a->state->quick_s < quick_s) || moment->last) {
        a->state->quick_s = moment->now_s;
        ask_all(a, quick, BE_COUNT(quick));
    }
    if (!(moment->now_s - a->state->slow_s < slow_s) || moment->last) {
        a->state->slow_s = moment->now_s;
        ask_all(a, slow, BE_COUNT(slow));
    }
}

static void close_nvml(void *self) {
    struct nvml *nvml = self;
    be_nvidia_close(&nvml->nvidia);
    free(nvml);
}

/* Only the flag: whether it works in earnest is for the source of those counters to say. */
static bool has_counters(const struct be_nvml *nvml, nvmlDevice_t device) {
    nvmlGpmSupport_t support = {.version = NVML_GPM_SUPPORT_VERSION};
    return nvml->nvmlGpmQueryDeviceSupport &&
           nvml->nvmlGpmQueryDeviceSupport(device, &support) == NVML_SUCCESS && support.supported;
}

static void read_version(struct nvml *nvml) {
    char version[BE_NAME] = "";
    if (nvml->nvidia.nvml.nvmlSystemGetDriverVersion &&
        nvml->nvidia.nvml.nvmlSystemGetDriverVersion(version, sizeof version) == NVML_SUCCESS) {
        snprintf(nvml->detail, sizeof nvml->detail, "driver %s", version);
    }
}

static enum be_status open_nvml(const struct be_watched *watched, void **self,
                                struct be_error *error) {
    struct nvml *nvml = calloc(1, sizeof *nvml);
    if (!nvml) {
        return be_fail(error, BE_NOMEM, "NVML: out of memory");
    }
    enum be_status status = be_nvidia_open(&nvml->nvidia, watched, error);
    if (status != BE_OK) {
        free(nvml);
        return status;
    }
    nvml->watched = watched;
    nvml->clock = be_clock_host();
    read_version(nvml);
    for (int i = 0; i < nvml->nvidia.gpus; i++) {
        nvml->state[i].energy_j = nvml->state[i].energy_s = NAN;
        nvml->state[i].quick_s = nvml->state[i].slow_s = NAN;
        for (int signal = 0; signal < BE_SIGNALS; signal++) {
            nvml->state[i].held[signal] = NAN;
        }
        nvml->state[i].counters = has_counters(&nvml->nvidia.nvml, nvml->nvidia.gpu[i].device);
    }
    *self = nvml;
    return BE_OK;
}

static int list_gpus(void *self, struct be_trace_gpu *list, int capacity) {
    return be_nvidia_list(&((struct nvml *)self)->nvidia, list, capacity);
}

static enum be_status sample_nvml(void *self, const struct be_moment *moment, struct be_sink *sink,
                                  struct be_error *error) {
    struct nvml *nvml = self;
    bool asks = be_pace_begin(&nvml->pace, moment);
    for (int i = 0; i < nvml->nvidia.gpus; i++) {
        struct asked a = {.self = nvml,
                          .nvml = &nvml->nvidia.nvml,
                          .gpu = &nvml->nvidia.gpu[i],
                          .state = &nvml->state[i],
                          .sink = sink,
                          .index = i,
                          .length_s = moment->now_s - moment->from_s};
        if (asks && !a.gpu->lost) {
            ask_gpu(&a, moment);
        }
        put_held(&a);
    }
    if (asks) {
        be_copy_text(sink->detail, sizeof sink->detail, nvml->detail);
        be_pace_end(&nvml->pace);
    }
    return be_nvidia_left(&nvml->nvidia, error);
}

const struct be_signal_source be_signal_source_nvml = {
    .name = "nvml",
    .summary = "what NVIDIA's driver says of a GPU: use, memory, power, clocks, processes",
    .foreign = true,
    .open = open_nvml,
    .gpus = list_gpus,
    .sample = sample_nvml,
    .close = close_nvml,
};
