/*
 * The bus of a device: copies from and to page-locked and ordinary memory, each way and both at
 * once, over sizes; and the line through them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "host/pages.h"
#include "device/stage.h"
#include "machine/probe/devices/device.h"
#include "machine/profile.h"

enum { SIZES = 24, STAGED_MIN = 1 << 20 };
static const size_t largest_bytes = (size_t)1 << 30;

/* One way over the bus: in, out, or both at once. */
struct way {
    const char *what;
    be_probe_run *run;
    bool in, out, pinned;
    size_t min;
};

/* Memory of one run: two host areas of each kind (in, out) and two buffers. */
struct bus {
    struct be_bed bed; /* buffers 0: in, 1: out; page-locked in and out */
    struct be_pages in, out;
    struct be_stage *stage;
    const struct way *way; /* at hand, with bytes and host memory */
    size_t bytes;
    void *from, *to;
};

static void close_bus(struct bus *bus) {
    be_stage_close(bus->stage);
    be_pages_give_back(&bus->out);
    be_pages_give_back(&bus->in);
    be_bed_close(&bus->bed);
}

static enum be_status open_bus(struct bus *bus, const struct be_target *target, size_t bytes,
                               struct be_error *error) {
    const struct be_device_ops *ops = target->device->ops;
    enum be_status status = be_bed_buffer(&bus->bed, 0, bytes, error);
    status = status == BE_OK ? be_bed_buffer(&bus->bed, 1, bytes, error) : status;
    status =
        status == BE_OK ? ops->memory->pin(target->device, bytes, &bus->bed.in, error) : status;
    status =
        status == BE_OK ? ops->memory->pin(target->device, bytes, &bus->bed.out, error) : status;
    status = status == BE_OK ? be_pages_get(bytes, &bus->in, error) : status;
    status = status == BE_OK ? be_pages_get(bytes, &bus->out, error) : status;
    if (status == BE_OK) { /* touched, and not zeros */
        memset(bus->bed.in.host, 0x35, bytes);
        memset(bus->bed.out.host, 0x11, bytes);
        memset(bus->in.memory, 0x53, bytes);
        memset(bus->out.memory, 0x11, bytes);
        status = be_stage_open(target->device, target->team, &bus->stage, error);
    }
    return status;
}

/* ---- what is run ---------------------------------------------------------------------------- */

static enum be_status put_in(struct bus *bus, struct be_error *error) {
    return bus->bed.device->ops->queue->write(bus->bed.device, BE_QUEUE_IN, &bus->bed.buffer[0], 0,
                                              bus->from, bus->bytes, error);
}

static enum be_status put_out(struct bus *bus, struct be_error *error) {
    return bus->bed.device->ops->queue->read(bus->bed.device, BE_QUEUE_OUT, bus->to,
                                             &bus->bed.buffer[1], 0, bus->bytes, error);
}

static enum be_status wait_for(struct bus *bus, enum be_queue queue, struct be_error *error) {
    return bus->bed.device->ops->queue->drain(bus->bed.device, queue, error);
}

static enum be_status run_copies(void *context, long times, struct be_error *error) {
    struct bus *bus = context;
    const bool in = bus->way->in, out = bus->way->out;
    enum be_status status = BE_OK;
    for (long i = 0; status == BE_OK && i < times; i++) {
        status = in ? put_in(bus, error) : BE_OK;
        status = status == BE_OK && out ? put_out(bus, error) : status;
        status = status == BE_OK && in ? wait_for(bus, BE_QUEUE_IN, error) : status;
        status = status == BE_OK && out ? wait_for(bus, BE_QUEUE_OUT, error) : status;
    }
    return status;
}

static enum be_status run_stage(void *context, long times, struct be_error *error) {
    struct bus *bus = context;
    const bool in = bus->way->in;
    const struct be_stage_array array = {
        .buffer = &bus->bed.buffer[in ? 0 : 1], .host = in ? bus->from : bus->to, .item_bytes = 1};
    struct be_stage_plan plan = {.items = bus->bytes, .grain = 4096};
    plan.ins = in;
    plan.outs = !in;
    plan.in[0] = array;
    plan.out[0] = array;
    enum be_status status = BE_OK;
    for (long i = 0; status == BE_OK && i < times; i++) {
        status = be_stage_run(bus->stage, &plan, error);
    }
    return status;
}

static const struct way ways[] = {
    {"bus_in_pinned", run_copies, true, false, true, 1},
    {"bus_out_pinned", run_copies, false, true, true, 1},
    {"bus_both_pinned", run_copies, true, true, true, 1},
    {"bus_in_pageable", run_copies, true, false, false, 1},
    {"bus_out_pageable", run_copies, false, true, false, 1},
    {"bus_both_pageable", run_copies, true, true, false, 1},
    {"bus_in_staged", run_stage, true, false, false, STAGED_MIN},
    {"bus_out_staged", run_stage, false, true, false, STAGED_MIN},
};

/* ---- checks --------------------------------------------------------------------------------- */

/* The bytes put into buffer 0 come back from it, one by one the same. */
static enum be_status check_size(struct bus *bus, size_t bytes, struct be_error *error) {
    const struct be_device_ops *ops = bus->bed.device->ops;
    unsigned char *in = bus->bed.in.host;
    unsigned char *out = bus->bed.out.host;
    for (size_t i = 0; i < bytes; i++) {
        in[i] = (unsigned char)(i * 131 + i / 251 + 7);
    }
    memset(out, 0, bytes);
    bus->bytes = bytes;
    bus->from = in;
    enum be_status status = put_in(bus, error);
    status = status == BE_OK ? wait_for(bus, BE_QUEUE_IN, error) : status;
    if (status == BE_OK) {
        status = ops->queue->read(bus->bed.device, BE_QUEUE_OUT, out, &bus->bed.buffer[0], 0, bytes,
                                  error);
    }
    status = status == BE_OK ? wait_for(bus, BE_QUEUE_OUT, error) : status;
    return status == BE_OK && memcmp(in, out, bytes) != 0
               ? be_fail(error, BE_WRONG, "bus: %zu bytes came back changed", bytes)
               : status;
}

/* ---- figures and fits ----------------------------------------------------------------------- */

/* Sizes of a way, 1 byte on in steps of 4 (16: quick) and the largest. */
static int sizes_of(const struct way *way, size_t max, bool quick, size_t size[SIZES]) {
    int count = 0;
    for (size_t bytes = 1; bytes < max && count < SIZES - 1; bytes *= quick ? 64 : 4) {
        if (bytes >= way->min) {
            size[count++] = bytes;
        }
    }
    size[count++] = max;
    return count;
}

static enum be_status fit_way(struct be_probe *probe, const struct be_target *target,
                              const struct way *way, const double *bytes, const double *seconds,
                              int n, struct be_error *error) {
    struct be_fit fit = {0};
    be_copy_text(fit.device, sizeof fit.device, target->info->id);
    be_copy_text(fit.what, sizeof fit.what, way->what);
    if (n < 3) {
        return BE_OK;
    }
    enum be_status status = be_fit_line(bytes, seconds, n, &fit, error);
    if (status == BE_OK && isnan(fit.rate)) {
        be_probe_remark(probe, "%s: %s: time does not grow with size: no fit", target->info->id,
                        way->what);
        return BE_OK;
    }
    return status == BE_OK ? be_profile_add_fit(probe->profile, &fit, error) : status;
}

static enum be_status measure_way(struct be_probe *probe, const struct be_target *target,
                                  struct bus *bus, const struct way *way, struct be_error *error) {
    size_t size[SIZES];
    double bytes[SIZES];
    double seconds[SIZES];
    int count = sizes_of(way, bus->in.bytes, probe->options->quick, size);
    enum be_status status = BE_OK;
    bus->way = way;
    bus->from = way->pinned ? bus->bed.in.host : bus->in.memory;
    bus->to = way->pinned ? bus->bed.out.host : bus->out.memory;
    for (int i = 0; status == BE_OK && i < count; i++) {
        struct be_figure key = be_figure_key(target, way->what);
        bus->bytes = size[i];
        key.bytes = (double)size[i];
        bytes[i] = (way->in + way->out) * key.bytes;
        status = be_probe_measure(probe, target, &key, bytes[i], way->run, bus, error);
        if (status == BE_OK) {
            seconds[i] = bytes[i] / probe->profile->figure[probe->profile->figures - 1].median;
        }
    }
    return status == BE_OK ? fit_way(probe, target, way, bytes, seconds, count, error) : status;
}

/* ---- the link while it works ---------------------------------------------------------------- */

struct teller {
    struct be_probe *probe;
    const char *id;
};

static void tell_link(void *context, const char *name, const char *text, double number) {
    const struct teller *t = context;
    char load[BE_NAME];
    if (strcmp(name, "pcie_generation") == 0 || strcmp(name, "pcie_width") == 0) {
        snprintf(load, sizeof load, "%.48s_load", name);
        be_probe_fact(t->probe, t->id, load, text, number);
    }
}

/* An idle link saves power at a lower speed: it is asked while a copy is under way. */
static enum be_status ask_link(struct be_probe *probe, const struct be_target *target,
                               struct bus *bus, struct be_error *error) {
    enum { COPIES = 8 };
    const struct be_device_ops *ops = target->device->ops;
    struct teller t = {probe, target->info->id};
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && ops->extras->facts && i < COPIES; i++) {
        status = ops->queue->write(target->device, BE_QUEUE_IN, &bus->bed.buffer[0], 0,
                                   bus->bed.in.host, bus->bed.in.bytes, error);
    }
    if (status == BE_OK && ops->extras->facts) {
        ops->extras->facts(target->device, tell_link, &t);
    }
    return status == BE_OK ? ops->queue->drain(target->device, BE_QUEUE_IN, error) : status;
}

enum be_status be_probe_device_bus(struct be_probe *probe, const struct be_target *target,
                                   struct be_error *error) {
    struct bus bus = {.bed = {.device = target->device}};
    size_t max = probe->options->quick ? (size_t)32 << 20 : largest_bytes;
    if (target->info->kind == BE_KIND_CPU) {
        be_probe_remark(probe, "%s: bus: it is the CPU, whose memory is the host's: there is none",
                        target->info->id);
        return BE_OK;
    }
    enum be_status status = open_bus(&bus, target, be_bed_bytes(target->device, 4, max), error);
    status = status == BE_OK ? check_size(&bus, 1000, error) : status;
    status = status == BE_OK ? check_size(&bus, bus.in.bytes, error) : status;
    status = status == BE_OK ? ask_link(probe, target, &bus, error) : status;
    for (size_t i = 0; status == BE_OK && i < BE_COUNT(ways); i++) {
        status = measure_way(probe, target, &bus, &ways[i], error);
    }
    close_bus(&bus);
    return status;
}
