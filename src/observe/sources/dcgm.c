/*
 * DCGM: what the units of NVIDIA's GPUs did, counted by the hardware, also before Hopper. Its counters are for
 * administrators; where they let dcgm-exporter run, everybody may read its page. The service looks at the GPU every some
 * seconds (30 by default), and each of its readings is the mean since the one before.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "observe/process/proc_text.h"
#include "observe/sources/dcgm_metrics.h"
#include "observe/sources/exporter_page.h"
#include "observe/sources/nvidia.h"
#include "observe/sources/sources.h"

static const char port_variable[] = "BREAKEVEN_DCGM_PORT";
enum { PORT = 9400 };

static const double least_s =
    0.95; /* between looks: the service has no more than a reading a second */

/* Its readings of a GPU. */
struct readings {
    uint64_t last;
    double changed_s; /* end of the tick in which that was first seen; NAN: before the first tick */
};

struct dcgm {
    struct be_nvidia nvidia;
    struct readings readings[BE_DEVICES_MAX];
    int port;
    double looked_s;
    struct be_text page;
    struct be_pace pace;
};

static void close_dcgm(void *self) {
    struct dcgm *dcgm = self;
    be_nvidia_close(&dcgm->nvidia);
    be_text_free(&dcgm->page);
    free(dcgm);
}

static enum be_status look(struct dcgm *dcgm, struct be_error *error) {
    be_text_free(&dcgm->page);
    return be_exporter_fetch(dcgm->port, &dcgm->page, error);
}

static bool has_any(const struct dcgm *dcgm, int index) {
    const struct be_trace_gpu *gpu = &dcgm->nvidia.gpu[index].info;
    for (size_t i = 0; i < BE_DCGM_METRICS && gpu->uuid[0] && !gpu->slice; i++) {
        if (!isnan(be_exporter_value(dcgm->page.data, be_dcgm_metrics[i].name, gpu->uuid))) {
            return true;
        }
    }
    return false;
}

/* BE_OK: the page has a GPU of the program. */
static enum be_status try_all(struct dcgm *dcgm, const struct be_watched *watched,
                              struct be_error *error) {
    const char *port = be_variable(watched->environment, port_variable);
    int found = 0;
    dcgm->port = port ? (int)strtol(port, NULL, 10) : PORT;
    if (dcgm->port < 1 || dcgm->port > 65535) {
        return be_fail(error, BE_ABSENT, "%s=%s: not asked", port_variable, port ? port : "");
    }
    enum be_status status = look(dcgm, error);
    for (int i = 0; i < dcgm->nvidia.gpus && status == BE_OK; i++) {
        found += has_any(dcgm, i);
        dcgm->readings[i] = (struct readings){
            be_exporter_reading(dcgm->page.data, dcgm->nvidia.gpu[i].info.uuid), NAN};
    }
    return status != BE_OK ? status
           : found > 0     ? BE_OK
                           : be_fail(error, BE_ABSENT,
                                     "dcgm-exporter's page has no DCGM_FI_PROF_... of this GPU");
}

static enum be_status open_dcgm(const struct be_watched *watched, void **self,
                                struct be_error *error) {
    struct dcgm *dcgm = calloc(1, sizeof *dcgm);
    if (!dcgm) {
        return be_fail(error, BE_NOMEM, "DCGM: out of memory");
    }
    dcgm->looked_s = -INFINITY;
    enum be_status status = be_nvidia_open(&dcgm->nvidia, watched, error);
    if (status == BE_OK) {
        status = try_all(dcgm, watched, error);
    }
    if (status != BE_OK) {
        close_dcgm(dcgm);
        return status;
    }
    *self = dcgm;
    return BE_OK;
}

static int list_gpus(void *self, struct be_trace_gpu *list, int capacity) {
    return be_nvidia_list(&((struct dcgm *)self)->nvidia, list, capacity);
}

static void put_metrics(struct dcgm *dcgm, int index, struct be_sink *sink) {
    const char *uuid = dcgm->nvidia.gpu[index].info.uuid;
    for (size_t i = 0; i < BE_DCGM_METRICS; i++) {
        const double value = be_exporter_value(dcgm->page.data, be_dcgm_metrics[i].name, uuid);
        if (isfinite(value) && value >= 0) {
            be_sink_put_since(sink, be_dcgm_metrics[i].signal, index,
                              be_dcgm_metrics[i].share ? fmin(value, 1) : value,
                              dcgm->readings[index].changed_s);
        } else {
            be_sink_absent(sink, be_dcgm_metrics[i].signal,
                           "dcgm-exporter's page has no %s; its option -f names a file of metrics",
                           be_dcgm_metrics[i].name);
        }
    }
}

/* A reading is of the time since the one before, which the run must have seen begin. */
static void sample_gpu(struct dcgm *dcgm, int index, double now_s, struct be_sink *sink) {
    const uint64_t reading =
        be_exporter_reading(dcgm->page.data, dcgm->nvidia.gpu[index].info.uuid);
    struct readings *readings = &dcgm->readings[index];
    if (reading == readings->last || reading == 0) {
        return;
    }
    if (!isnan(readings->changed_s)) {
        put_metrics(dcgm, index, sink);
    }
    *readings = (struct readings){reading, now_s};
}

static enum be_status sample_dcgm(void *self, const struct be_moment *moment, struct be_sink *sink,
                                  struct be_error *error) {
    struct dcgm *dcgm = self;
    enum be_status status = BE_OK;
    if (moment->now_s - dcgm->looked_s < least_s || !be_pace_begin(&dcgm->pace, moment)) {
        return BE_OK;
    }
    dcgm->looked_s = moment->now_s;
    status = look(dcgm, error);
    for (int i = 0; i < dcgm->nvidia.gpus && status == BE_OK; i++) {
        sample_gpu(dcgm, i, moment->now_s, sink);
    }
    be_pace_end(&dcgm->pace);
    /* A service that is started anew comes back. */
    return status == BE_ABSENT ? BE_IO : status;
}

const struct be_signal_source be_signal_source_dcgm = {
    .name = "dcgm",
    .summary = "NVIDIA's counters of what a GPU's units do, by the page of dcgm-exporter",
    .foreign = true,
    .open = open_dcgm,
    .gpus = list_gpus,
    .sample = sample_dcgm,
    .close = close_dcgm,
};
