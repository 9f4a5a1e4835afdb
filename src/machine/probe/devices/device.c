/* Opened things on a device; and the steps that only ask or time once: facts, first calls,
 * allocation, what was seen under load. */
#include "machine/probe/devices/device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* ---- the bed -------------------------------------------------------------------------------- */

void be_bed_close(struct be_bed *bed) {
    const struct be_device_ops *ops = bed->device->ops;
    ops->memory->unpin(bed->device, &bed->out);
    ops->memory->unpin(bed->device, &bed->in);
    for (int i = 0; i < BE_BED_BUFFERS; i++) {
        ops->memory->release(bed->device, &bed->buffer[i]);
    }
    ops->program->forget(bed->device, &bed->kernel);
    ops->program->drop(bed->device, &bed->module);
    *bed = (struct be_bed){.device = bed->device};
}

enum be_status be_bed_kernel(struct be_bed *bed, const struct be_program *program, const char *name,
                             struct be_error *error) {
    const struct be_device_ops *ops = bed->device->ops;
    enum be_status status = BE_OK;
    if (!bed->module.handle) {
        status = ops->program->build(bed->device, program, &bed->module, error);
    }
    ops->program->forget(bed->device, &bed->kernel);
    bed->arguments = 0;
    bed->lanes = BE_BED_LANES;
    return status == BE_OK
               ? ops->program->kernel(bed->device, &bed->module, name, &bed->kernel, error)
               : status;
}

enum be_status be_bed_buffer(struct be_bed *bed, int i, size_t bytes, struct be_error *error) {
    const struct be_device_ops *ops = bed->device->ops;
    enum be_status status = ops->memory->alloc(bed->device, bytes, &bed->buffer[i], error);
    if (status == BE_OK) {
        status =
            ops->queue->fill(bed->device, BE_QUEUE_WORK, &bed->buffer[i], 0, 0x3f, bytes, error);
    }
    return status == BE_OK ? ops->queue->drain(bed->device, BE_QUEUE_WORK, error) : status;
}

enum be_status be_bed_fetch(struct be_bed *bed, int i, void *to, size_t bytes,
                            struct be_error *error) {
    const struct be_device_ops *ops = bed->device->ops;
    struct be_pinned pinned = {0};
    enum be_status status = ops->memory->pin(bed->device, bytes, &pinned, error);
    if (status == BE_OK) {
        status = ops->queue->read(bed->device, BE_QUEUE_WORK, pinned.host, &bed->buffer[i], 0,
                                  bytes, error);
    }
    status = status == BE_OK ? ops->queue->drain(bed->device, BE_QUEUE_WORK, error) : status;
    if (status == BE_OK) {
        memcpy(to, pinned.host, bytes);
    }
    ops->memory->unpin(bed->device, &pinned);
    return status;
}

void be_bed_pass_buffer(struct be_bed *bed, int i) {
    bed->argument[bed->arguments++] =
        (struct be_argument){.kind = BE_ARGUMENT_BUFFER, .buffer = &bed->buffer[i]};
}

void be_bed_pass_long(struct be_bed *bed, int64_t value) {
    bed->argument[bed->arguments++] =
        (struct be_argument){.kind = BE_ARGUMENT_LONG, .integer = value};
}

void be_bed_pass_float(struct be_bed *bed, float value) {
    bed->argument[bed->arguments++] =
        (struct be_argument){.kind = BE_ARGUMENT_FLOAT, .real = value};
}

enum be_status be_bed_put(struct be_bed *bed, struct be_error *error) {
    return bed->device->ops->program->launch(bed->device, BE_QUEUE_WORK, &bed->kernel, bed->groups,
                                             bed->lanes, bed->argument, bed->arguments, error);
}

enum be_status be_bed_run(void *context, long times, struct be_error *error) {
    struct be_bed *bed = context;
    enum be_status status = BE_OK;
    for (long i = 0; status == BE_OK && i < times; i++) {
        status = be_bed_put(bed, error);
    }
    return status == BE_OK ? bed->device->ops->queue->drain(bed->device, BE_QUEUE_WORK, error)
                           : status;
}

size_t be_bed_groups(const struct be_device *device) {
    size_t units = device->info.units > 0 ? (size_t)device->info.units : 16;
    return device->info.kind == BE_KIND_CPU || strcmp(device->info.backend, "null") == 0
               ? units
               : units * 8;
}

size_t be_bed_bytes(struct be_device *device, int arrays, size_t max) {
    double left = NAN;
    double all = NAN;
    (void)device->ops->memory->capacity(device, &left, &all, NULL);
    double have = isnan(left) ? all / 2 : left;
    double host = be_memory_available(); /* page-locked partners, and devices in host memory */
    have = isnan(have) || host < have ? host : have;
    /* The pretend device runs a lane after the other: what fits no cache of it is too much. */
    max = strcmp(device->info.backend, "null") == 0 && max > 1 << 20 ? 1 << 20 : max;
    double each = isnan(have) ? 64e6 : have / 8 / arrays;
    return each < (double)max ? (size_t)each / 4096 * 4096 : max;
}

/* ---- facts ---------------------------------------------------------------------------------- */

struct teller {
    struct be_probe *probe;
    const struct be_target *target;
};

static void tell(void *context, const char *name, const char *text, double number) {
    const struct teller *t = context;
    be_probe_fact(t->probe, t->target->info->id, name, text, number);
}

enum be_status be_probe_device_facts(struct be_probe *probe, const struct be_target *target,
                                     struct be_error *error) {
    (void)error;
    struct teller t = {probe, target};
    if (target->device->ops->extras->facts) {
        target->device->ops->extras->facts(target->device, tell, &t);
    }
    return BE_OK;
}

/* NVML's clock-event reasons, nvmlClocksEventReason*: what each bit is called. */
static const struct {
    uint64_t bit;
    const char *word;
} reasons[] = {
    {0x2, "applications_clocks"}, {0x4, "sw_power_cap"},         {0x8, "hw_slowdown"},
    {0x10, "sync_boost"},         {0x20, "sw_thermal_slowdown"}, {0x40, "hw_thermal_slowdown"},
    {0x80, "hw_power_brake"},     {0x100, "display_clocks"},
};

static void tell_number(struct be_probe *probe, const char *id, const char *name,
                        const char *format, double number) {
    char text[BE_NAME];
    if (!isnan(number)) {
        snprintf(text, sizeof text, format, number);
        be_probe_fact(probe, id, name, text, number);
    }
}

enum be_status be_probe_device_load(struct be_probe *probe, const struct be_target *target,
                                    struct be_error *error) {
    (void)error;
    const char *id = target->info->id;
    const struct be_load *load = &probe->load;
    if (load->readings == 0) {
        return BE_OK;
    }
    char words[BE_NOTE] = "";
    for (size_t i = 0; i < BE_COUNT(reasons); i++) {
        if (load->throttle & reasons[i].bit) {
            size_t used = strlen(words);
            snprintf(words + used, sizeof words - used, "%s%s", used ? " " : "", reasons[i].word);
        }
    }
    be_probe_fact(probe, id, "throttle_seen", *words ? words : "none", NAN);
    tell_number(probe, id, "clock_load_min_hz", "%.0f", load->clock_min_hz);
    tell_number(probe, id, "clock_load_max_hz", "%.0f", load->clock_max_hz);
    tell_number(probe, id, "temperature_max_c", "%.0f", load->temperature_c);
    return BE_OK;
}

/* ---- first calls ---------------------------------------------------------------------------- */

enum be_status be_probe_device_first(struct be_probe *probe, const struct be_target *target,
                                     struct be_error *error) {
    const struct be_device_ops *ops = target->device->ops;
    struct be_figure key = be_figure_key(target, "first_context");
    struct be_module module = {0};
    struct be_blas blas = {0};
    enum be_status status =
        be_probe_once(probe, &key, target->info->start_s + target->device->open_s, error);
    if (status == BE_OK) {
        status = ops->program->build(target->device, &be_program_power, &module, error);
    }
    if (status == BE_OK) {
        key = be_figure_key(target, "first_module");
        status = be_probe_once(probe, &key, module.build_s, error);
    }
    ops->program->drop(target->device, &module);
    if (status == BE_OK && ops->blas && ops->blas->open(target->device, &blas, NULL) == BE_OK) {
        key = be_figure_key(target, "first_library");
        be_copy_text(key.note, sizeof key.note, blas.name);
        status = be_probe_once(probe, &key, blas.open_s, error);
        ops->blas->close(target->device, &blas);
    }
    return status;
}

/* ---- allocation ----------------------------------------------------------------------------- */

static enum be_status time_alloc(struct be_probe *probe, const struct be_target *target,
                                 size_t bytes, struct be_error *error) {
    enum { TIMES = 50 }; /* in well under a tenth of a second */
    struct be_samples alloc = {0};
    struct be_samples release = {0};
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i <= TIMES; i++) {
        struct be_buffer buffer = {0};
        double start = be_now(&probe->clock);
        status = target->device->ops->memory->alloc(target->device, bytes, &buffer, error);
        double between = be_now(&probe->clock);
        target->device->ops->memory->release(target->device, &buffer);
        double end = be_now(&probe->clock);
        if (status == BE_OK && i > 0) { /* the first warms up */
            status = be_samples_add(&alloc, between - start, error);
            status = status == BE_OK ? be_samples_add(&release, end - between, error) : status;
        }
    }
    struct be_figure key = be_figure_key(target, "alloc");
    key.bytes = (double)bytes;
    status = status == BE_OK ? be_probe_add(probe, &key, 1, &alloc, error) : status;
    be_copy_text(key.what, sizeof key.what, "release");
    status = status == BE_OK ? be_probe_add(probe, &key, 1, &release, error) : status;
    be_samples_free(&alloc);
    be_samples_free(&release);
    return status;
}

enum be_status be_probe_device_alloc(struct be_probe *probe, const struct be_target *target,
                                     struct be_error *error) {
    const size_t sizes[] = {1 << 20, 256 << 20};
    enum be_status status = BE_OK;
    for (size_t i = 0; status == BE_OK && i < BE_COUNT(sizes); i++) {
        if (i == 0 || be_bed_bytes(target->device, 1, sizes[i]) == sizes[i]) {
            status = time_alloc(probe, target, sizes[i], error);
        }
    }
    return status;
}
