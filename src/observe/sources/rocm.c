/*
 * AMD's GPUs through ROCm SMI. Written from its documented interface and tested on a fake: no GPU of
 * AMD's has been seen by it yet.
 */
#include "dyn/amd/rocm.h"

#include <inttypes.h>
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

enum { USES_MAX = 64 }; /* GPUs of one process that are looked at */

struct gpu {
    uint32_t device;
    struct be_counter energy;
    struct be_gpu_before before;
    struct be_trace_gpu info;
};

struct rocm {
    struct be_rocm api;
    bool started;
    const struct be_watched *watched;
    struct gpu gpu[BE_DEVICES_MAX];
    int gpus;
};

/* One GPU being asked. */
struct asked {
    const struct be_rocm *api;
    struct gpu *gpu;
    int index;
    struct be_sink *sink;
};

static const char *said(const struct be_rocm *api, rsmi_status_t status, char *text,
                        size_t capacity) {
    const char *words = NULL;
    if (api->rsmi_status_string && api->rsmi_status_string(status, &words) == 0 && words) {
        be_copy_text(text, capacity, words);
    } else {
        snprintf(text, capacity, "ROCm SMI error %d", status);
    }
    return text;
}

/* Puts the value if there is such a call and it answered, else says why there is none. */
static void put(const struct asked *a, enum be_signal signal, const char *call, bool there,
                rsmi_status_t status, double value) {
    char text[BE_NAME];
    if (!there) {
        be_sink_absent(a->sink, signal, "this ROCm SMI has no %s", call);
    } else if (status != RSMI_STATUS_SUCCESS) {
        be_sink_absent(a->sink, signal, "%s: %s: %s", a->gpu->info.id, call,
                       said(a->api, status, text, sizeof text));
    } else {
        be_sink_put(a->sink, signal, a->index, value);
    }
}

/* ---- values ------------------------------------------------------------------------------------ */

static void ask_use(const struct asked *a) {
    const struct be_rocm *api = a->api;
    uint32_t percent = 0;
    uint64_t bytes = 0;
    rsmi_status_t status = api->rsmi_dev_busy_percent_get
                               ? api->rsmi_dev_busy_percent_get(a->gpu->device, &percent)
                               : 0;
    put(a, BE_GPU_BUSY, "rsmi_dev_busy_percent_get", api->rsmi_dev_busy_percent_get, status,
        0.01 * percent);
    status = api->rsmi_dev_memory_busy_percent_get
                 ? api->rsmi_dev_memory_busy_percent_get(a->gpu->device, &percent)
                 : 0;
    put(a, BE_GPU_MEMORY_BUSY, "rsmi_dev_memory_busy_percent_get",
        api->rsmi_dev_memory_busy_percent_get, status, 0.01 * percent);
    status = api->rsmi_dev_memory_usage_get
                 ? api->rsmi_dev_memory_usage_get(a->gpu->device, RSMI_MEM_TYPE_VRAM, &bytes)
                 : 0;
    put(a, BE_GPU_MEMORY, "rsmi_dev_memory_usage_get", api->rsmi_dev_memory_usage_get, status,
        (double)bytes);
}

/* The energy counter where there is one: power is then exact for the tick. */
static void ask_power(const struct asked *a) {
    const struct be_rocm *api = a->api;
    uint64_t count = 0;
    uint64_t ns = 0;
    float microjoules = 0;
    if (api->rsmi_dev_energy_count_get &&
        api->rsmi_dev_energy_count_get(a->gpu->device, &count, &microjoules, &ns) ==
            RSMI_STATUS_SUCCESS) {
        double joules = 1e-6 * (double)count * (double)microjoules;
        double watts = be_counter_rate(&a->gpu->energy, joules, 1e-9 * (double)ns);
        be_sink_put(a->sink, BE_GPU_POWER, a->index, watts);
        return;
    }
    uint64_t microwatts = 0;
    rsmi_status_t status = api->rsmi_dev_power_ave_get
                               ? api->rsmi_dev_power_ave_get(a->gpu->device, 0, &microwatts)
                               : 0;
    put(a, BE_GPU_POWER, "rsmi_dev_power_ave_get", api->rsmi_dev_power_ave_get, status,
        1e-6 * (double)microwatts);
}

/* At the edge of the chip; some have only the hottest place. */
static void ask_temperature(const struct asked *a) {
    const struct be_rocm *api = a->api;
    int64_t millicelsius = 0;
    rsmi_status_t status = 0;
    if (api->rsmi_dev_temp_metric_get) {
        status = api->rsmi_dev_temp_metric_get(a->gpu->device, RSMI_TEMP_TYPE_EDGE,
                                               RSMI_TEMP_CURRENT, &millicelsius);
    }
    if (api->rsmi_dev_temp_metric_get && status != RSMI_STATUS_SUCCESS) {
        status = api->rsmi_dev_temp_metric_get(a->gpu->device, RSMI_TEMP_TYPE_JUNCTION,
                                               RSMI_TEMP_CURRENT, &millicelsius);
    }
    put(a, BE_GPU_TEMPERATURE, "rsmi_dev_temp_metric_get", api->rsmi_dev_temp_metric_get, status,
        1e-3 * (double)millicelsius);
}

/* ---- processes --------------------------------------------------------------------------------- */

/* 1: it is on the GPU; 0: it is not; -1: that is not told. */
static int uses(const struct be_rocm *api, uint32_t pid, uint32_t device) {
    uint32_t list[USES_MAX];
    uint32_t count = USES_MAX;
    if (api->rsmi_compute_process_gpus_get(pid, list, &count) != RSMI_STATUS_SUCCESS) {
        return -1;
    }
    for (uint32_t i = 0; i < count && i < USES_MAX; i++) {
        if (list[i] == device) {
            return 1;
        }
    }
    return 0;
}

/* Memory is told of a process on all its GPUs together: of one on a single GPU it is right. One whose
 * GPUs are not told may be on this one. */
static void ask_processes(const struct rocm *rocm, const struct asked *a) {
    const struct be_rocm *api = a->api;
    rsmi_process_info_t process[BE_GPU_USERS_MAX];
    struct be_gpu_user user[BE_GPU_USERS_MAX];
    uint32_t count = BE_GPU_USERS_MAX;
    int users = 0, untold = 0;
    bool there = api->rsmi_compute_process_info_get && api->rsmi_compute_process_gpus_get;
    rsmi_status_t status = there ? api->rsmi_compute_process_info_get(process, &count) : 0;
    if (!there || status != RSMI_STATUS_SUCCESS) {
        const char *call = "rsmi_compute_process_info_get";
        put(a, BE_GPU_OWN_PROCESSES, call, there, status, NAN);
        put(a, BE_GPU_OWN_MEMORY, call, there, status, NAN);
        put(a, BE_GPU_FOREIGN_PROCESSES, call, there, status, NAN);
        return;
    }
    for (uint32_t i = 0; i < count && i < BE_GPU_USERS_MAX; i++) {
        int on = uses(api, process[i].pid, a->gpu->device);
        untold += on < 0;
        if (on == 1) {
            user[users++] =
                (struct be_gpu_user){(int)process[i].pid, (double)process[i].memory_bytes};
        }
    }
    struct be_gpu_use use = be_gpu_count_users(rocm->watched, user, users, &a->gpu->before);
    use.unknown += untold;
    be_gpu_put_use(a->sink, a->index, &use);
}

/* ---- which there are --------------------------------------------------------------------------- */

static void describe(const struct be_rocm *api, struct gpu *gpu, uint32_t device) {
    struct be_trace_gpu *info = &gpu->info;
    uint64_t number = 0;
    memset(gpu, 0, sizeof *gpu);
    gpu->device = device;
    info->memory_bytes = info->bus_bytes_s = info->power_limit_w = info->fp64_ratio = NAN;
    snprintf(info->id, sizeof info->id, "rocm:%" PRIu32, device);
    be_copy_text(info->note, sizeof info->note, "untested on hardware");
    if (api->rsmi_dev_name_get) {
        api->rsmi_dev_name_get(device, info->name, sizeof info->name);
    }
    if (api->rsmi_dev_unique_id_get &&
        api->rsmi_dev_unique_id_get(device, &number) == RSMI_STATUS_SUCCESS && number != 0) {
        snprintf(info->uuid, sizeof info->uuid, "GPU-%016" PRIx64, number);
    }
    if (api->rsmi_dev_memory_total_get &&
        api->rsmi_dev_memory_total_get(device, RSMI_MEM_TYPE_VRAM, &number) ==
            RSMI_STATUS_SUCCESS) {
        info->memory_bytes = (double)number;
    }
    if (api->rsmi_dev_power_cap_get &&
        api->rsmi_dev_power_cap_get(device, 0, &number) == RSMI_STATUS_SUCCESS) {
        info->power_limit_w = 1e-6 * (double)number;
    }
}

static enum be_status find(struct rocm *rocm, struct be_error *error) {
    static const char *const variables[] = {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
                                            "CUDA_VISIBLE_DEVICES"};
    const char *list = NULL;
    const char *by = NULL;
    uint32_t count = 0;
    char text[BE_NAME];
    for (size_t i = 0; i < BE_COUNT(variables) && !list && !rocm->watched->node; i++) {
        by = variables[i];
        list = be_variable(rocm->watched->environment, by);
    }
    rsmi_status_t status = rocm->api.rsmi_num_monitor_devices(&count);
    if (status != RSMI_STATUS_SUCCESS) {
        return be_fail(error, BE_ABSENT, "counting AMD's GPUs: rsmi_num_monitor_devices: %s",
                       said(&rocm->api, status, text, sizeof text));
    }
    for (uint32_t i = 0; i < count && rocm->gpus < BE_DEVICES_MAX; i++) {
        struct gpu *gpu = &rocm->gpu[rocm->gpus];
        describe(&rocm->api, gpu, i);
        const struct be_gpu_names names = {.number = (int)i, .uuid = gpu->info.uuid};
        rocm->gpus += be_gpu_visible(list, &names);
    }
    if (rocm->gpus > 0) {
        return BE_OK;
    }
    return list && count > 0
               ? be_fail(error, BE_ABSENT, "%s=\"%.80s\" leaves none of %u GPUs", by, list, count)
               : be_fail(error, BE_ABSENT, "there is no GPU of AMD's here");
}

/* ---- a source ---------------------------------------------------------------------------------- */

static void close_rocm(void *self) {
    struct rocm *rocm = self;
    if (rocm->started) {
        rocm->api.rsmi_shut_down();
    }
    be_dyn_close(rocm->api.handle);
    free(rocm);
}

/* Where there is no such driver, ROCm SMI says so on the terminal of whoever asks. */
static bool has_driver(const struct be_watched *watched) {
    char path[1024];
    snprintf(path, sizeof path, "%s/sys/class/kfd", watched->files ? watched->files : "");
    return access(path, F_OK) == 0;
}

static enum be_status start(struct rocm *rocm, struct be_error *error) {
    char text[BE_NAME];
    if (!has_driver(rocm->watched)) {
        return be_fail(error, BE_ABSENT, "AMD's driver is not here (/sys/class/kfd)");
    }
    enum be_status status = be_rocm_open(&rocm->api, error);
    if (status != BE_OK) {
        return status;
    }
    rsmi_status_t result = rocm->api.rsmi_init(0);
    if (result != RSMI_STATUS_SUCCESS) {
        return be_fail(error, BE_ABSENT, "starting ROCm SMI: rsmi_init: %s",
                       said(&rocm->api, result, text, sizeof text));
    }
    rocm->started = true;
    return find(rocm, error);
}

static enum be_status open_rocm(const struct be_watched *watched, void **self,
                                struct be_error *error) {
    struct rocm *rocm = calloc(1, sizeof *rocm);
    if (!rocm) {
        return be_fail(error, BE_NOMEM, "ROCm SMI: out of memory");
    }
    rocm->watched = watched;
    enum be_status status = start(rocm, error);
    if (status != BE_OK) {
        close_rocm(rocm);
        return status;
    }
    *self = rocm;
    return BE_OK;
}

static int list_gpus(void *self, struct be_trace_gpu *list, int capacity) {
    const struct rocm *rocm = self;
    int count = rocm->gpus < capacity ? rocm->gpus : capacity;
    for (int i = 0; i < count; i++) {
        list[i] = rocm->gpu[i].info;
    }
    return count;
}

static enum be_status sample_rocm(void *self, const struct be_moment *moment, struct be_sink *sink,
                                  struct be_error *error) {
    struct rocm *rocm = self;
    (void)moment;
    (void)error;
    for (int i = 0; i < rocm->gpus; i++) {
        const struct asked a = {&rocm->api, &rocm->gpu[i], i, sink};
        ask_use(&a);
        ask_power(&a);
        ask_temperature(&a);
        ask_processes(rocm, &a);
    }
    be_copy_text(sink->detail, sizeof sink->detail, "untested on hardware");
    return BE_OK;
}

const struct be_signal_source be_signal_source_rocm = {
    .name = "rocm",
    .summary = "AMD's GPUs through ROCm SMI (untested on hardware)",
    .foreign = true,
    .open = open_rocm,
    .gpus = list_gpus,
    .sample = sample_rocm,
    .close = close_rocm,
};
