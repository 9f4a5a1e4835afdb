/* Bandwidth of a device's memory and of its last-level cache. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/device_sets.h"
#include "machine/probe/devices/device.h"

/* Quickly, a GPU still needs arrays whose triad takes much longer than its launch. */
enum { ARRAYS = 3, ARRAY_MAX = 512 << 20, QUICK_GPU = 256 << 20, QUICK = 64 << 20 };

/* ---- what is run ---------------------------------------------------------------------------- */

static enum be_status run_copy(void *context, long times, struct be_error *error) {
    struct be_bed *bed = context;
    const struct be_device_ops *ops = bed->device->ops;
    enum be_status status = BE_OK;
    for (long i = 0; status == BE_OK && i < times; i++) {
        status = ops->queue->copy(bed->device, BE_QUEUE_WORK, &bed->buffer[2], &bed->buffer[0],
                                  bed->buffer[0].bytes, error);
    }
    return status == BE_OK ? ops->queue->drain(bed->device, BE_QUEUE_WORK, error) : status;
}

static enum be_status set_triad(struct be_bed *bed, long n, struct be_error *error) {
    const size_t per_group = (size_t)BE_BED_LANES * BE_TRIAD_PER_LANE;
    enum be_status status = be_bed_kernel(bed, &be_program_ceilings, "k_triad", error);
    be_bed_pass_buffer(bed, 0);
    be_bed_pass_buffer(bed, 1);
    be_bed_pass_buffer(bed, 2);
    be_bed_pass_long(bed, n);
    bed->groups = ((size_t)n + per_group - 1) / per_group;
    return status;
}

static enum be_status set_read(struct be_bed *bed, long n, long rounds, struct be_error *error) {
    enum be_status status = be_bed_kernel(bed, &be_program_ceilings, "k_read", error);
    bed->groups = be_bed_groups(bed->device);
    be_bed_pass_buffer(bed, 0);
    be_bed_pass_buffer(bed, 2);
    be_bed_pass_long(bed, n);
    be_bed_pass_long(bed, (int64_t)bed->groups);
    be_bed_pass_long(bed, rounds);
    return status;
}

/* ---- checks --------------------------------------------------------------------------------- */

/* The first and last floats of buffer 2 against what should be there. */
static enum be_status check(struct be_bed *bed, const char *what, size_t floats, float want,
                            struct be_error *error) {
    float *got = malloc(floats * sizeof *got);
    if (!got) {
        return be_fail(error, BE_NOMEM, "%s: no host memory for %zu floats", what, floats);
    }
    enum be_status status = be_bed_fetch(bed, 2, got, floats * sizeof *got, error);
    for (size_t i = 0; status == BE_OK && i < floats; i++) {
        if (got[i] != want) {
            status = be_fail(error, BE_WRONG, "%s: element %zu is %g, not %g", what, i,
                             (double)got[i], (double)want);
        }
    }
    free(got);
    return status;
}

/* ---- figures -------------------------------------------------------------------------------- */

struct scene {
    struct be_probe *probe;
    const struct be_target *target;
    struct be_bed *bed;
};

static enum be_status measure(const struct scene *s, const char *what, double bytes, double work,
                              be_probe_run *run, struct be_error *error) {
    struct be_figure key = be_figure_key(s->target, what);
    key.bytes = bytes;
    return be_probe_measure(s->probe, s->target, &key, work, run, s->bed, error);
}

static enum be_status measure_copy(const struct scene *s, struct be_error *error) {
    double bytes = (double)s->bed->buffer[0].bytes;
    uint32_t filled = 0x3f3f3f3f;
    float value;
    memcpy(&value, &filled, sizeof value);
    enum be_status status = measure(s, "copy", 2 * bytes, 2 * bytes, run_copy, error);
    return status == BE_OK
               ? check(s->bed, "copy on the device", s->bed->buffer[0].bytes / 4, value, error)
               : status;
}

static enum be_status measure_triad(const struct scene *s, struct be_error *error) {
    long n = (long)(s->bed->buffer[0].bytes / sizeof(float));
    double bytes = ARRAYS * sizeof(float) * (double)n;
    uint32_t filled = 0x3f3f3f3f;
    float x;
    memcpy(&x, &filled, sizeof x);
    enum be_status status = set_triad(s->bed, n, error);
    status = status == BE_OK ? measure(s, "triad", bytes, bytes, be_bed_run, error) : status;
    return status == BE_OK ? check(s->bed, "triad", (size_t)n, fmaf(3.0f, x, x), error) : status;
}

static enum be_status measure_read(const struct scene *s, struct be_error *error) {
    size_t step = 4 * BE_BED_LANES * be_bed_groups(s->bed->device);
    size_t n = s->bed->buffer[0].bytes / sizeof(float) / step * step;
    double bytes = (double)n * sizeof(float);
    if (n == 0) {
        return be_fail(error, BE_NOMEM, "too little device memory to read");
    }
    enum be_status status = set_read(s->bed, (long)n, 1, error);
    return status == BE_OK ? measure(s, "read", bytes, bytes, be_bed_run, error) : status;
}

/* Every fourth round of 64 is enough to be long; a group never reads what it just read. */
static enum be_status measure_cache(const struct scene *s, const struct be_device_set *set,
                                    const char *what, struct be_error *error) {
    double bytes = (double)set->floats * sizeof(float);
    enum be_status status = set_read(s->bed, set->floats, BE_SET_ROUNDS, error);
    return status == BE_OK ? measure(s, what, bytes, BE_SET_ROUNDS * bytes, be_bed_run, error)
                           : status;
}

static enum be_status measure_sets(const struct scene *s, struct be_error *error) {
    struct be_device_set set[BE_CEILING_POINTS];
    int sets = be_device_sets(s->bed->device, s->bed->buffer[0].bytes, set);
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < sets; i++) {
        if (set[i].read) {
            status = measure_cache(s, &set[i], "working_set", error);
            bool half = i + 1 < sets && !set[i + 1].read;
            if (status == BE_OK && half && !isnan(s->bed->device->info.cache_bytes)) {
                status = measure_cache(s, &set[i], "cache_read", error);
            }
        } else {
            double bytes = ARRAYS * sizeof(float) * (double)set[i].floats;
            status = set_triad(s->bed, set[i].floats, error);
            status = status == BE_OK ? measure(s, "working_set", bytes, bytes, be_bed_run, error)
                                     : status;
        }
    }
    return status;
}

static enum be_status measure_write(const struct scene *s, struct be_error *error) {
    struct be_bed *bed = s->bed;
    const size_t per_group = (size_t)BE_BED_LANES * BE_WRITE_PER_LANE;
    long n = (long)(bed->buffer[2].bytes / sizeof(float));
    double bytes = (double)n * sizeof(float);
    enum be_status status = be_bed_kernel(bed, &be_program_ceilings, "k_write", error);
    be_bed_pass_buffer(bed, 2);
    be_bed_pass_long(bed, n);
    be_bed_pass_float(bed, 0.25f);
    bed->groups = ((size_t)n + per_group - 1) / per_group;
    status = status == BE_OK ? measure(s, "write", bytes, bytes, be_bed_run, error) : status;
    return status == BE_OK ? check(bed, "write", (size_t)n, 0.25f, error) : status;
}

enum be_status be_probe_device_memory(struct be_probe *probe, const struct be_target *target,
                                      struct be_error *error) {
    static enum be_status (*const measures[])(const struct scene *, struct be_error *) = {
        measure_copy, measure_triad, measure_read, measure_sets, measure_write};
    struct be_bed bed = {.device = target->device};
    struct scene scene = {probe, target, &bed};
    const bool gpu = target->device->info.kind == BE_KIND_GPU;
    size_t max = !probe->options->quick ? ARRAY_MAX : gpu ? QUICK_GPU : QUICK;
    size_t bytes = be_bed_bytes(target->device, ARRAYS, max);
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < ARRAYS; i++) {
        status = be_bed_buffer(&bed, i, bytes, error);
    }
    for (size_t i = 0; status == BE_OK && i < BE_COUNT(measures); i++) {
        status = measures[i](&scene, error);
    }
    be_bed_close(&bed);
    return status;
}
