/*
 * libdcgm: what the units of NVIDIA's GPUs and of their parts (MIG) did, counted by the hardware, also before Hopper, asked
 * of the service nv-hostengine. It counts as root, for everybody on the node. Each of its readings is the mean since the one
 * before.
 */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "observe/sources/hostengine.h"
#include "observe/sources/sources.h"

static const double least_s = 0.45; /* between looks, of readings that are a second apart */

/* The last one, of one counter of one GPU. */
struct reading {
    int64_t at_us;
    double seen_s; /* end of the tick in which it was first seen; 0: not yet */
};

struct libdcgm {
    struct be_nvidia nvidia;
    struct be_hostengine engine;
    struct reading reading[BE_DEVICES_MAX][BE_DCGM_METRICS];
    dcgmFieldValue_v2 *value; /* of all GPUs in a look */
    double looked_s;
    struct be_pace pace;
};

static void close_libdcgm(void *context) {
    struct libdcgm *self = context;
    be_hostengine_close(&self->engine);
    be_nvidia_close(&self->nvidia);
    free(self->value);
    free(self);
}

/* NVML has the same counters from Hopper on, without a service. */
static bool has_gpm(const struct be_nvidia *nvidia) {
    for (int i = 0; i < nvidia->gpus; i++) {
        nvmlGpmSupport_t support = {.version = NVML_GPM_SUPPORT_VERSION};
        if (!nvidia->nvml.nvmlGpmQueryDeviceSupport ||
            nvidia->nvml.nvmlGpmQueryDeviceSupport(nvidia->gpu[i].device, &support) !=
                NVML_SUCCESS ||
            !support.supported) {
            return false;
        }
    }
    return true;
}

/* ---- a source ------------------------------------------------------------------------------------- */

static enum be_status prepare(struct libdcgm *self, const struct be_watched *watched,
                              struct be_error *error) {
    enum be_status status = be_nvidia_open(&self->nvidia, watched, error);
    if (status == BE_OK && has_gpm(&self->nvidia)) {
        status = be_fail(error, BE_ABSENT, "not needed: this GPU has the same counters in NVML");
    }
    if (status == BE_OK) {
        self->value = calloc((size_t)self->nvidia.gpus * BE_DCGM_METRICS, sizeof *self->value);
        status = self->value ? BE_OK : be_fail(error, BE_NOMEM, "libdcgm: out of memory");
    }
    return status == BE_OK ? be_hostengine_open(&self->engine, &self->nvidia, watched, error)
                           : status;
}

static enum be_status open_libdcgm(const struct be_watched *watched, void **context,
                                   struct be_error *error) {
    struct libdcgm *self = calloc(1, sizeof *self);
    if (!self) {
        return be_fail(error, BE_NOMEM, "libdcgm: out of memory");
    }
    self->looked_s = -INFINITY;
    enum be_status status = prepare(self, watched, error);
    if (status != BE_OK) {
        close_libdcgm(self);
        return status;
    }
    *context = self;
    return BE_OK;
}

static int list_gpus(void *context, struct be_trace_gpu *list, int capacity) {
    return be_nvidia_list(&((struct libdcgm *)context)->nvidia, list, capacity);
}

/* NAN: there is none, for the reason that goes to the sink. */
static double value_of(const struct libdcgm *self, const dcgmFieldValue_v2 *value,
                       const struct be_dcgm_metric *metric, struct be_sink *sink) {
    static const int64_t blank = 0x7ffffffffffffff0;
    char text[BE_NOTE];
    const double number = value->type == 'i'
                              ? value->value.integer >= blank
                                    ? DCGM_FP64_BLANK + (double)(value->value.integer - blank)
                                    : (double)value->value.integer
                              : value->value.real;
    if (value->status != DCGM_ST_OK && value->status != DCGM_ST_NO_DATA) {
        be_sink_absent(
            sink, metric->signal, "%s",
            be_hostengine_said(&self->engine, metric->name, value->status, text, sizeof text));
    } else if (number == DCGM_FP64_BLANK + 3) {
        be_sink_absent(
            sink, metric->signal, "%s",
            be_hostengine_said(&self->engine, "", DCGM_ST_NO_PERMISSION, text, sizeof text));
    } else if (number == DCGM_FP64_BLANK + 2) {
        be_sink_absent(sink, metric->signal, "DCGM does not count %s on this GPU", metric->name);
    } else if (value->at_us == 0 || value->status != DCGM_ST_OK || number >= DCGM_FP64_BLANK) {
        be_sink_absent(sink, metric->signal,
                       "nv-hostengine gives no reading of %s: too early, its counters are paused, "
                       "or another profiler holds them",
                       metric->name);
    } else if (number >= 0) {
        return metric->share ? fmin(number, 1) : number;
    }
    return NAN;
}

/* A reading is of the time since the one before, which the run must have seen begin. */
static void put(struct libdcgm *self, const dcgmFieldValue_v2 *value, int metric, double now_s,
                struct be_sink *sink) {
    for (int i = 0; i < self->nvidia.gpus; i++) {
        const dcgmGroupEntityPair_t *entity = &self->engine.entity[i];
        struct reading *reading = &self->reading[i][metric];
        if (!self->engine.known[i] || entity->kind != value->entity.kind ||
            entity->id != value->entity.id) {
            continue;
        }
        const double number = value_of(self, value, &be_dcgm_metrics[metric], sink);
        if (isnan(number) || value->at_us == reading->at_us) {
            continue;
        }
        if (reading->seen_s > 0) {
            be_sink_put_since(sink, be_dcgm_metrics[metric].signal, i, number, reading->seen_s);
        }
        *reading = (struct reading){value->at_us, now_s};
    }
}

static bool is_watched(const struct be_hostengine *engine, int metric) {
    for (int i = 0; i < engine->metrics; i++) {
        if (engine->metric[i] == metric) {
            return true;
        }
    }
    return false;
}

static void say_missing(const struct libdcgm *self, struct be_sink *sink) {
    for (int i = 0; i < self->nvidia.gpus; i++) {
        if (!self->engine.known[i]) {
            be_sink_absent(sink, BE_GPU_SM_ACTIVE, "nv-hostengine does not know %s",
                           self->nvidia.gpu[i].info.id);
        }
    }
    for (int i = 0; i < BE_DCGM_METRICS; i++) {
        if (!is_watched(&self->engine, i)) {
            be_sink_absent(sink, be_dcgm_metrics[i].signal,
                           "DCGM does not count %s on this GPU, or not beside the others",
                           be_dcgm_metrics[i].name);
        }
    }
}

static dcgmReturn_t look(struct libdcgm *self, double now_s, struct be_sink *sink) {
    const struct be_hostengine *engine = &self->engine;
    dcgmGroupEntityPair_t entity[BE_DEVICES_MAX];
    unsigned short field[BE_DCGM_METRICS];
    int entities = 0;
    for (int i = 0; i < self->nvidia.gpus; i++) {
        if (engine->known[i]) {
            entity[entities++] = engine->entity[i];
        }
    }
    for (int i = 0; i < engine->metrics; i++) {
        field[i] = be_dcgm_metrics[engine->metric[i]].field;
    }
    const dcgmReturn_t result = engine->dcgm.dcgmEntitiesGetLatestValues(
        engine->handle, entity, (unsigned int)entities, field, (unsigned int)engine->metrics, 0,
        self->value);
    for (int i = 0; i < entities * engine->metrics && result == DCGM_ST_OK; i++) {
        for (int at = 0; at < engine->metrics; at++) {
            if (field[at] == self->value[i].field) {
                put(self, &self->value[i], engine->metric[at], now_s, sink);
            }
        }
    }
    return result;
}

static enum be_status sample_libdcgm(void *context, const struct be_moment *moment,
                                     struct be_sink *sink, struct be_error *error) {
    struct libdcgm *self = context;
    char text[BE_NOTE];
    if (moment->now_s - self->looked_s < least_s || !be_pace_begin(&self->pace, moment)) {
        return BE_OK;
    }
    self->looked_s = moment->now_s;
    be_copy_text(sink->detail, sizeof sink->detail, "untested on hardware");
    say_missing(self, sink);
    const dcgmReturn_t result = look(self, moment->now_s, sink);
    be_pace_end(&self->pace);
    if (result != DCGM_ST_OK) {
        be_hostengine_said(&self->engine, "dcgmEntitiesGetLatestValues", result, text, sizeof text);
        be_sink_absent(sink, BE_GPU_SM_ACTIVE, "%s", text);
    }
    return result == DCGM_ST_CONNECTION_NOT_VALID || result == DCGM_ST_GPU_IS_LOST
               ? be_fail(error, BE_ABSENT, "%s", text)
               : BE_OK;
}

const struct be_signal_source be_signal_source_libdcgm = {
    .name = "libdcgm",
    .summary = "NVIDIA's counters of what a GPU's units do, by libdcgm of a running nv-hostengine",
    .foreign = true,
    .open = open_libdcgm,
    .gpus = list_gpus,
    .sample = sample_libdcgm,
    .close = close_libdcgm,
};
