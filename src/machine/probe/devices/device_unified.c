/* Memory in one address space, and memory of other devices. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/probe/devices/device.h"

/* ---- unified -------------------------------------------------------------------------------- */

/* The kernel reads everything once after the host wrote everything: pages move while it does. */
static enum be_status time_move(struct be_probe *probe, struct be_bed *bed,
                                const struct be_unified *unified, double *seconds,
                                struct be_error *error) {
    memset(unified->host, 0x3f, unified->buffer.bytes);
    double start = be_now(&probe->clock);
    enum be_status status = be_bed_run(bed, 1, error);
    *seconds = be_now(&probe->clock) - start;
    return status;
}

enum be_status be_probe_device_unified(struct be_probe *probe, const struct be_target *target,
                                       struct be_error *error) {
    enum { ROUNDS = 10, MAX = 256 << 20 };
    const struct be_device_ops *ops = target->device->ops;
    struct be_bed bed = {.device = target->device};
    struct be_unified unified = {0};
    struct be_samples samples = {0};
    if (!ops->extras->unify) {
        return BE_OK; /* nothing of the kind there: not worth a remark on every device */
    }
    size_t step = sizeof(float) * 4 * BE_BED_LANES * be_bed_groups(target->device);
    size_t max = probe->options->quick ? MAX / 16 : MAX;
    size_t bytes = be_bed_bytes(target->device, 1, max) / step * step;
    struct be_figure key = be_figure_key(target, "unified_fault");
    key.bytes = (double)bytes;
    enum be_status status = ops->extras->unify(target->device, bytes, &unified, error);
    status = status == BE_OK ? be_bed_kernel(&bed, &be_program_ceilings, "k_read", error) : status;
    if (status == BE_OK) {
        bed.groups = be_bed_groups(target->device);
        status = be_bed_buffer(&bed, 0, bed.groups * BE_BED_LANES * sizeof(float), error);
    }
    bed.argument[0] = (struct be_argument){.kind = BE_ARGUMENT_BUFFER, .buffer = &unified.buffer};
    bed.arguments = 1;
    be_bed_pass_buffer(&bed, 0);
    be_bed_pass_long(&bed, (int64_t)(bytes / sizeof(float)));
    be_bed_pass_long(&bed, (int64_t)bed.groups);
    be_bed_pass_long(&bed, 1);
    for (int i = 0; status == BE_OK && i <= ROUNDS; i++) {
        double seconds;
        status = time_move(probe, &bed, &unified, &seconds, error);
        if (status == BE_OK && i > 0) { /* the first warms up */
            status = be_samples_add(&samples, seconds, error);
        }
    }
    status = status == BE_OK ? be_probe_add(probe, &key, key.bytes, &samples, error) : status;
    be_samples_free(&samples);
    be_bed_close(&bed);
    if (unified.host) {
        ops->extras->release_unified(target->device, &unified);
    }
    return status;
}

/* ---- other devices -------------------------------------------------------------------------- */

struct pair {
    struct be_device *to, *from;
    struct be_buffer in, out;
};

static enum be_status run_peer(void *context, long times, struct be_error *error) {
    struct pair *p = context;
    enum be_status status = BE_OK;
    for (long i = 0; status == BE_OK && i < times; i++) {
        status = p->to->ops->extras->copy_peer(p->to, BE_QUEUE_WORK, &p->in, p->from, &p->out,
                                               p->in.bytes, error);
    }
    return status == BE_OK ? p->to->ops->queue->drain(p->to, BE_QUEUE_WORK, error) : status;
}

/* The other's bytes are there, and were not before. */
static enum be_status check_peer(struct pair *p, struct be_error *error) {
    const struct be_device_ops *ops = p->to->ops;
    struct be_pinned pinned = {0};
    size_t bytes = p->in.bytes;
    enum be_status status = ops->queue->fill(p->to, BE_QUEUE_WORK, &p->in, 0, 0, bytes, error);
    status = status == BE_OK ? ops->queue->drain(p->to, BE_QUEUE_WORK, error) : status;
    status = status == BE_OK ? run_peer(p, 1, error) : status;
    status = status == BE_OK ? ops->memory->pin(p->to, bytes, &pinned, error) : status;
    if (status == BE_OK) {
        memset(pinned.host, 0, bytes);
        status = ops->queue->read(p->to, BE_QUEUE_WORK, pinned.host, &p->in, 0, bytes, error);
    }
    status = status == BE_OK ? ops->queue->drain(p->to, BE_QUEUE_WORK, error) : status;
    const unsigned char *got = pinned.host;
    for (size_t i = 0; status == BE_OK && i < bytes; i++) {
        if (got[i] != 0x5a) {
            status = be_fail(error, BE_WRONG, "copy from %s: byte %zu is %d, not 90",
                             p->from->info.id, i, got[i]);
        }
    }
    ops->memory->unpin(p->to, &pinned);
    return status;
}

static enum be_status measure_peer(struct be_probe *probe, const struct be_target *target,
                                   const struct be_device_info *other, struct be_error *error) {
    enum { MAX = 256 << 20 };
    const struct be_device_ops *ops = target->device->ops;
    struct pair p = {.to = target->device};
    size_t bytes = be_bed_bytes(target->device, 2, probe->options->quick ? MAX / 16 : MAX);
    struct be_figure key = be_figure_key(target, "peer_copy");
    key.bytes = (double)bytes;
    be_copy_text(key.peer, sizeof key.peer, other->id);
    enum be_status status = be_device_open(other, target->team, &p.from, error);
    status = status == BE_OK ? ops->memory->alloc(p.to, bytes, &p.in, error) : status;
    status = status == BE_OK ? ops->memory->alloc(p.from, bytes, &p.out, error) : status;
    if (status == BE_OK) {
        status = ops->queue->fill(p.from, BE_QUEUE_WORK, &p.out, 0, 0x5a, bytes, error);
    }
    status = status == BE_OK ? ops->queue->drain(p.from, BE_QUEUE_WORK, error) : status;
    status = status == BE_OK ? check_peer(&p, error) : status;
    if (status == BE_OK) {
        status = be_probe_measure(probe, target, &key, key.bytes, run_peer, &p, error);
    }
    ops->memory->release(p.to, &p.in);
    if (p.from) {
        ops->memory->release(p.from, &p.out);
        ops->close(p.from);
    }
    return status;
}

enum be_status be_probe_device_peer(struct be_probe *probe, const struct be_target *target,
                                    struct be_error *error) {
    const struct be_machine *machine = &probe->profile->machine;
    for (int i = 0; target->device->ops->extras->copy_peer && i < machine->devices; i++) {
        const struct be_device_info *other = &machine->device[i];
        struct be_error failure = {0};
        if (strcmp(other->backend, target->info->backend) != 0 ||
            strcmp(other->id, target->info->id) == 0) {
            continue;
        }
        enum be_status status = measure_peer(probe, target, other, &failure);
        if (status == BE_STOPPED) {
            return be_fail(error, status, "%s", failure.text);
        }
        if (status != BE_OK) {
            be_probe_remark(probe, "%s: copies from %s: not measured: %.160s", target->info->id,
                            other->id, failure.text);
        }
    }
    return BE_OK;
}
