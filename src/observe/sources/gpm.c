/*
 * GPM: what the units of a GPU did between two looks, counted by the hardware (Hopper and newer), and
 * readable by every user. The driver renews its counts ten times a second, so looks lie at least that
 * far apart.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "observe/sources/nvidia.h"
#include "observe/sources/sources.h"

static const double min_s = 0.095; /* between looks: a tick of 0.1 s may come a little early */

static const double percent = 0.01, mebibytes = 1048576;

static const struct {
    unsigned int id;
    enum be_signal signal;
    double scale;
} metrics[] = {
    {NVML_GPM_METRIC_GRAPHICS_UTIL, BE_GPU_GRAPHICS, percent},
    {NVML_GPM_METRIC_SM_UTIL, BE_GPU_SM_ACTIVE, percent},
    {NVML_GPM_METRIC_SM_OCCUPANCY, BE_GPU_SM_OCCUPANCY, percent},
    {NVML_GPM_METRIC_INTEGER_UTIL, BE_GPU_INT, percent},
    {NVML_GPM_METRIC_ANY_TENSOR_UTIL, BE_GPU_TENSOR, percent},
    {NVML_GPM_METRIC_DFMA_TENSOR_UTIL, BE_GPU_TENSOR_FP64, percent},
    {NVML_GPM_METRIC_HMMA_TENSOR_UTIL, BE_GPU_TENSOR_HALF, percent},
    {NVML_GPM_METRIC_IMMA_TENSOR_UTIL, BE_GPU_TENSOR_INT, percent},
    {NVML_GPM_METRIC_DRAM_BW_UTIL, BE_GPU_DRAM, percent},
    {NVML_GPM_METRIC_FP64_UTIL, BE_GPU_FP64, percent},
    {NVML_GPM_METRIC_FP32_UTIL, BE_GPU_FP32, percent},
    {NVML_GPM_METRIC_FP16_UTIL, BE_GPU_FP16, percent},
    {NVML_GPM_METRIC_PCIE_TX_PER_SEC, BE_GPU_BUS_OUT, mebibytes},
    {NVML_GPM_METRIC_PCIE_RX_PER_SEC, BE_GPU_BUS_IN, mebibytes},
    {NVML_GPM_METRIC_NVLINK_TOTAL_RX_PER_SEC, BE_GPU_LINK_IN, mebibytes},
    {NVML_GPM_METRIC_NVLINK_TOTAL_TX_PER_SEC, BE_GPU_LINK_OUT, mebibytes},
};

struct looks {
    nvmlGpmSample_t before, after;
    double before_s;   /* when */
    double tick_s;     /* end of the tick in which that was; 0: before the first */
    char why[BE_NOTE]; /* it has no GPM; empty: it has */
};

struct gpm {
    struct be_nvidia nvidia;
    struct looks looks[BE_DEVICES_MAX];
    nvmlGpmMetricsGet_t get; /* some 40 KB: too much for a stack */
    struct be_clock clock;
    struct be_pace pace;
};

/* ---- one GPU ----------------------------------------------------------------------------------- */

static nvmlReturn_t look(const struct gpm *gpm, const struct be_nvidia_gpu *gpu,
                         nvmlGpmSample_t sample) {
    const struct be_nvml *nvml = &gpm->nvidia.nvml;
    return gpu->info.slice ? nvml->nvmlGpmMigSampleGet(gpu->device, gpu->instance, sample)
                           : nvml->nvmlGpmSampleGet(gpu->device, sample);
}

static nvmlReturn_t compare(struct gpm *gpm, const struct looks *looks) {
    memset(&gpm->get, 0, sizeof gpm->get);
    gpm->get.version = NVML_GPM_METRICS_GET_VERSION;
    gpm->get.metrics = BE_COUNT(metrics);
    gpm->get.before = looks->before;
    gpm->get.after = looks->after;
    for (size_t i = 0; i < BE_COUNT(metrics); i++) {
        gpm->get.metric[i].id = metrics[i].id;
        gpm->get.metric[i].value = NAN;
    }
    return gpm->nvidia.nvml.nvmlGpmMetricsGet(&gpm->get);
}

static void swap(struct looks *looks, double now_s) {
    nvmlGpmSample_t kept = looks->before;
    looks->before = looks->after;
    looks->after = kept;
    looks->before_s = now_s;
}

/* Two looks in earnest: the flag that says it is supported has been seen to be wrong. */
static void try_gpu(struct gpm *gpm, struct be_nvidia_gpu *gpu, struct looks *looks) {
    const struct be_nvml *nvml = &gpm->nvidia.nvml;
    nvmlGpmSupport_t support = {.version = NVML_GPM_SUPPORT_VERSION};
    const struct timespec pause = {0, 120000000};
    char said[BE_NAME];
    nvmlReturn_t result = nvml->nvmlGpmQueryDeviceSupport(gpu->device, &support);
    if (result == NVML_SUCCESS && !support.supported) {
        be_copy_text(looks->why, sizeof looks->why,
                     "this GPU has no GPM counters (those begin with Hopper)");
        return;
    }
    const char *call = "nvmlGpmQueryDeviceSupport";
    if (result == NVML_SUCCESS) {
        call = "nvmlGpmSampleAlloc";
        result = nvml->nvmlGpmSampleAlloc(&looks->before);
    }
    if (result == NVML_SUCCESS) {
        result = nvml->nvmlGpmSampleAlloc(&looks->after);
    }
    if (result == NVML_SUCCESS) {
        call = "nvmlGpmSampleGet";
        result = look(gpm, gpu, looks->before);
    }
    if (result == NVML_SUCCESS) {
        nanosleep(&pause, NULL);
        result = look(gpm, gpu, looks->after);
    }
    if (result == NVML_SUCCESS) {
        call = "nvmlGpmMetricsGet";
        result = compare(gpm, looks);
    }
    if (result != NVML_SUCCESS) {
        char why[sizeof looks->why]; /* apart from the GPU's name, which lies beside it */
        snprintf(why, sizeof why, "%s: %s: %s", gpu->info.id, call,
                 be_nvidia_said(nvml, result, said, sizeof said));
        memcpy(looks->why, why, sizeof why);
        return;
    }
    swap(looks, be_now(&gpm->clock));
}

/* ---- a source ---------------------------------------------------------------------------------- */

static void close_gpm(void *self) {
    struct gpm *gpm = self;
    for (int i = 0; i < BE_DEVICES_MAX && gpm->nvidia.started; i++) {
        if (gpm->looks[i].before) {
            gpm->nvidia.nvml.nvmlGpmSampleFree(gpm->looks[i].before);
        }
        if (gpm->looks[i].after) {
            gpm->nvidia.nvml.nvmlGpmSampleFree(gpm->looks[i].after);
        }
    }
    be_nvidia_close(&gpm->nvidia);
    free(gpm);
}

static bool has_functions(const struct be_nvml *nvml) {
    return nvml->nvmlGpmQueryDeviceSupport && nvml->nvmlGpmSampleAlloc && nvml->nvmlGpmSampleFree &&
           nvml->nvmlGpmSampleGet && nvml->nvmlGpmMigSampleGet && nvml->nvmlGpmMetricsGet;
}

/* BE_OK: at least one GPU has it. */
static enum be_status try_all(struct gpm *gpm, struct be_error *error) {
    int found = 0;
    if (!has_functions(&gpm->nvidia.nvml)) {
        return be_fail(error, BE_ABSENT, "this driver's NVML has no GPM");
    }
    for (int i = 0; i < gpm->nvidia.gpus; i++) {
        try_gpu(gpm, &gpm->nvidia.gpu[i], &gpm->looks[i]);
        found += !gpm->looks[i].why[0];
    }
    return found > 0 ? BE_OK : be_fail(error, BE_ABSENT, "%s", gpm->looks[0].why);
}

static enum be_status open_gpm(const struct be_watched *watched, void **self,
                               struct be_error *error) {
    struct gpm *gpm = calloc(1, sizeof *gpm);
    if (!gpm) {
        return be_fail(error, BE_NOMEM, "GPM: out of memory");
    }
    gpm->clock = be_clock_host();
    enum be_status status = be_nvidia_open(&gpm->nvidia, watched, error);
    if (status == BE_OK) {
        status = try_all(gpm, error);
    }
    if (status != BE_OK) {
        close_gpm(gpm);
        return status;
    }
    *self = gpm;
    return BE_OK;
}

static int list_gpus(void *self, struct be_trace_gpu *list, int capacity) {
    return be_nvidia_list(&((struct gpm *)self)->nvidia, list, capacity);
}

static void put_metrics(struct gpm *gpm, int index, struct be_sink *sink) {
    struct be_nvidia_gpu *gpu = &gpm->nvidia.gpu[index];
    for (size_t i = 0; i < BE_COUNT(metrics); i++) {
        const nvmlGpmMetric_t *metric = &gpm->get.metric[i];
        bool share = metrics[i].scale == percent;
        if (be_nvidia_answered(&gpm->nvidia, gpu, metrics[i].signal, "a GPM metric", metric->result,
                               sink) &&
            isfinite(metric->value) && metric->value >= 0) {
            double value = metric->value * metrics[i].scale;
            be_sink_put_since(sink, metrics[i].signal, index, share ? fmin(value, 1) : value,
                              gpm->looks[index].tick_s);
        }
    }
}

/* Its counters go on where a tick was left out: what they say then is of all ticks since. */
static void sample_gpu(struct gpm *gpm, int index, const struct be_moment *moment,
                       struct be_sink *sink) {
    struct be_nvidia_gpu *gpu = &gpm->nvidia.gpu[index];
    struct looks *looks = &gpm->looks[index];
    double now_s = be_now(&gpm->clock);
    if (looks->why[0]) {
        be_sink_absent(sink, BE_GPU_SM_ACTIVE, "%s", looks->why);
        return;
    }
    if (gpu->lost || now_s - looks->before_s < min_s) {
        return;
    }
    nvmlReturn_t result = look(gpm, gpu, looks->after);
    if (!be_nvidia_answered(&gpm->nvidia, gpu, BE_GPU_SM_ACTIVE, "nvmlGpmSampleGet", result,
                            sink)) {
        return;
    }
    if (be_nvidia_answered(&gpm->nvidia, gpu, BE_GPU_SM_ACTIVE, "nvmlGpmMetricsGet",
                           compare(gpm, looks), sink)) {
        put_metrics(gpm, index, sink);
    }
    swap(looks, now_s);
    looks->tick_s = moment->now_s;
}

static enum be_status sample_gpm(void *self, const struct be_moment *moment, struct be_sink *sink,
                                 struct be_error *error) {
    struct gpm *gpm = self;
    if (!be_pace_begin(&gpm->pace, moment)) {
        return BE_OK;
    }
    for (int i = 0; i < gpm->nvidia.gpus; i++) {
        sample_gpu(gpm, i, moment, sink);
    }
    be_pace_end(&gpm->pace);
    return be_nvidia_left(&gpm->nvidia, error);
}

const struct be_signal_source be_signal_source_gpm = {
    .name = "gpm",
    .summary = "NVIDIA's counters of what a GPU's units do (Hopper and newer)",
    .foreign = true,
    .open = open_gpm,
    .gpus = list_gpus,
    .sample = sample_gpm,
    .close = close_gpm,
};
