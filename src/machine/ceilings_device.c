/* A device's ceilings, with kernels of its own and copies of page-locked memory. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "kernels/host.h"
#include "kernel_programs.h"
#include "machine/ceilings.h"
#include "machine/device_sets.h"

enum {
    LANES = 256,
    TRIES = 5,
    ARRAY_MAX = 256 << 20, /* bytes an array of the memory test: three of them */
    BUS_BYTES = 64 << 20,
    BUS_BATCH = 4,
    LAUNCHES = 16 /* of triads or writes, one behind the other */
};

static const double batch_max_s = 0.1;

/* Everything that is open while a device is measured; zeroed fields are released as nothing. */
struct bench {
    struct be_device *device;
    struct be_clock clock;
    struct be_cancel cancel;
    struct be_module module;
    struct be_kernel triad, write, read, fma, row;
    struct be_buffer x, y, z;
    struct be_pinned in, out;
};

static void close_bench(struct bench *b) {
    const struct be_device_ops *ops = b->device->ops;
    ops->memory->unpin(b->device, &b->out);
    ops->memory->unpin(b->device, &b->in);
    ops->memory->release(b->device, &b->z);
    ops->memory->release(b->device, &b->y);
    ops->memory->release(b->device, &b->x);
    ops->program->forget(b->device, &b->row);
    ops->program->forget(b->device, &b->fma);
    ops->program->forget(b->device, &b->read);
    ops->program->forget(b->device, &b->write);
    ops->program->forget(b->device, &b->triad);
    ops->program->drop(b->device, &b->module);
}

static size_t array_bytes(struct be_device *device) {
    double left = NAN;
    double all = NAN;
    (void)device->ops->memory->capacity(device, &left, &all, NULL);
    double have = isnan(left) ? all / 2 : left;
    /* A device in host memory must leave room for what is measured beside it. */
    have = device->info.kind == BE_KIND_CPU ? be_memory_available() / 2 : have;
    double max = isnan(have) ? 64e6 : have / 8;
    return max < ARRAY_MAX ? (size_t)(max / 4096) * 4096 : ARRAY_MAX;
}

static enum be_status open_bench(struct bench *b, struct be_error *error) {
    struct be_device *device = b->device;
    const struct be_device_ops *ops = device->ops;
    size_t bytes = array_bytes(device);
    const struct {
        const char *name;
        struct be_kernel *kernel;
    } kernel[] = {{"k_triad", &b->triad},
                  {"k_write", &b->write},
                  {"k_read", &b->read},
                  {"k_fma", &b->fma},
                  {"k_row", &b->row}};
    struct be_buffer *buffer[] = {&b->x, &b->y, &b->z};
    enum be_status status = ops->program->build(device, &be_program_ceilings, &b->module, error);
    for (size_t i = 0; status == BE_OK && i < BE_COUNT(kernel); i++) {
        status = ops->program->kernel(device, &b->module, kernel[i].name, kernel[i].kernel, error);
    }
    for (size_t i = 0; status == BE_OK && i < BE_COUNT(buffer); i++) {
        status = ops->memory->alloc(device, bytes, buffer[i], error);
        if (status == BE_OK) { /* 0x3f3f3f3f is 0.747 as a float: not zeros */
            status = ops->queue->fill(device, BE_QUEUE_WORK, buffer[i], 0, 0x3f, bytes, error);
        }
    }
    size_t bus = bytes < BUS_BYTES ? bytes : BUS_BYTES;
    status = status == BE_OK ? ops->memory->pin(device, bus, &b->in, error) : status;
    status = status == BE_OK ? ops->memory->pin(device, bus, &b->out, error) : status;
    if (status == BE_OK) {
        memset(b->in.host, 0x3f, bus);
        memset(b->out.host, 0x3f, bus);
        status = ops->queue->drain(device, BE_QUEUE_WORK, error);
    }
    return status;
}

static enum be_status put_triad(struct bench *b, long n, struct be_error *error) {
    const struct be_argument argument[] = {
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &b->x},
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &b->y},
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &b->z},
        {.kind = BE_ARGUMENT_LONG, .integer = n},
    };
    size_t per_group = (size_t)LANES * BE_TRIAD_PER_LANE;
    size_t groups = ((size_t)n + per_group - 1) / per_group;
    return b->device->ops->program->launch(b->device, BE_QUEUE_WORK, &b->triad, groups, LANES,
                                           argument, 4, error);
}

static enum be_status put_write(struct bench *b, long n, struct be_error *error) {
    const struct be_argument argument[] = {
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &b->z},
        {.kind = BE_ARGUMENT_LONG, .integer = n},
        {.kind = BE_ARGUMENT_FLOAT, .real = 0.25f},
    };
    size_t per_group = (size_t)LANES * BE_WRITE_PER_LANE;
    size_t groups = ((size_t)n + per_group - 1) / per_group;
    return b->device->ops->program->launch(b->device, BE_QUEUE_WORK, &b->write, groups, LANES,
                                           argument, 3, error);
}

static enum be_status put_copy(struct bench *b, long n, struct be_error *error) {
    return b->device->ops->queue->copy(b->device, BE_QUEUE_WORK, &b->z, &b->x,
                                       (size_t)n * sizeof(float), error);
}

static enum be_status put_read(struct bench *b, long n, struct be_error *error) {
    const struct be_argument argument[] = {
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &b->x},
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &b->z},
        {.kind = BE_ARGUMENT_LONG, .integer = n},
        {.kind = BE_ARGUMENT_LONG, .integer = (int64_t)be_device_read_groups(b->device)},
        {.kind = BE_ARGUMENT_LONG, .integer = BE_SET_ROUNDS},
    };
    return b->device->ops->program->launch(b->device, BE_QUEUE_WORK, &b->read,
                                           be_device_read_groups(b->device), LANES, argument, 5,
                                           error);
}

static enum be_status put_fma(struct bench *b, long rounds, struct be_error *error) {
    const struct be_argument argument[] = {
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &b->z},
        {.kind = BE_ARGUMENT_LONG, .integer = rounds},
    };
    size_t groups = rounds > 0 ? be_device_read_groups(b->device) : 1;
    return b->device->ops->program->launch(b->device, BE_QUEUE_WORK, &b->fma, groups, LANES,
                                           argument, 2, error);
}

static enum be_status put_row(struct bench *b, long rounds, struct be_error *error) {
    enum { FEW = 32 }; /* lanes: what runs as one */
    const struct be_argument argument[] = {
        {.kind = BE_ARGUMENT_BUFFER, .buffer = &b->z},
        {.kind = BE_ARGUMENT_LONG, .integer = rounds},
    };
    return b->device->ops->program->launch(b->device, BE_QUEUE_WORK, &b->row, 1, FEW, argument, 2,
                                           error);
}

static enum be_status put_in(struct bench *b, long bytes, struct be_error *error) {
    return b->device->ops->queue->write(b->device, BE_QUEUE_WORK, &b->x, 0, b->in.host,
                                        (size_t)bytes, error);
}

static enum be_status put_out(struct bench *b, long bytes, struct be_error *error) {
    return b->device->ops->queue->read(b->device, BE_QUEUE_WORK, b->out.host, &b->x, 0,
                                       (size_t)bytes, error);
}

typedef enum be_status put_one(struct bench *b, long n, struct be_error *error);

/* Seconds for one of `batch` things put one behind the other and then waited for. BE_STOPPED: the
 * measurement is to end. */
static enum be_status time_batch(struct bench *b, int batch, put_one *put, long n, double *seconds,
                                 struct be_error *error) {
    enum be_status status = BE_OK;
    if (be_cancel_asked(&b->cancel)) {
        return be_fail(error, BE_STOPPED, "told to end");
    }
    double start = be_now(&b->clock);
    for (int i = 0; status == BE_OK && i < batch; i++) {
        status = put(b, n, error);
    }
    status =
        status == BE_OK ? b->device->ops->queue->drain(b->device, BE_QUEUE_WORK, error) : status;
    *seconds = (be_now(&b->clock) - start) / batch;
    return status;
}

/* Least seconds for one. A batch is there so that the wait does not count; where one takes long, it
 * hardly does, and who tells us to end would wait for all of them. */
static enum be_status min_time(struct bench *b, int tries, int batch, put_one *put, long n,
                               double *min, struct be_error *error) {
    double seconds = 0;
    enum be_status status = time_batch(b, 1, put, n, &seconds, error);
    if (status == BE_OK && batch * seconds > batch_max_s) { /* slow, or only the first time? */
        status = time_batch(b, 1, put, n, &seconds, error);
        batch = batch * seconds > batch_max_s ? (int)fmax(1, batch_max_s / seconds) : batch;
    }
    *min = INFINITY;
    for (int attempt = 0; status == BE_OK && attempt <= tries; attempt++) {
        status = time_batch(b, batch, put, n, &seconds, error);
        *min = attempt > 0 && seconds < *min ? seconds : *min; /* the first warms up */
    }
    return status;
}

static void add_point(struct be_ceilings *ceilings, double bytes, double rate) {
    if (ceilings->points < BE_CEILING_POINTS) {
        ceilings->memory[ceilings->points].bytes = bytes;
        ceilings->memory[ceilings->points++].rate = rate;
    }
}

/* One working set: within the cache read over and over, beyond it long runs of triads put one
 * behind the other. */
static enum be_status measure_set(struct bench *b, const struct be_device_set *set,
                                  struct be_ceilings *ceilings, struct be_error *error) {
    double bytes = be_device_set_bytes(set);
    double seconds;
    enum be_status status =
        set->read ? min_time(b, TRIES, 1, put_read, set->floats, &seconds, error)
                  : min_time(b, TRIES, LAUNCHES, put_triad, set->floats, &seconds, error);
    if (status == BE_OK) {
        add_point(ceilings, bytes, (set->read ? BE_SET_ROUNDS : 1) * bytes / seconds);
    }
    return status;
}

static enum be_status measure_memory(struct bench *b, struct be_ceilings *ceilings,
                                     struct be_error *error) {
    struct be_device_set set[BE_CEILING_POINTS];
    int sets = be_device_sets(b->device, b->x.bytes, set);
    double copy_s = NAN;
    double write_s = NAN;
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < sets; i++) {
        status = measure_set(b, &set[i], ceilings, error);
    }
    if (status == BE_OK) {
        status =
            min_time(b, TRIES, 4, put_copy, (long)(b->x.bytes / sizeof(float)), &copy_s, error);
    }
    if (status == BE_OK) {
        status = min_time(b, TRIES, LAUNCHES, put_write, (long)(b->z.bytes / sizeof(float)),
                          &write_s, error);
    }
    if (status == BE_OK && ceilings->points > 0) {
        ceilings->write = (double)b->z.bytes / write_s;
        double *memory = &ceilings->memory[ceilings->points - 1].rate;
        double copy = 2.0 * (double)b->x.bytes / copy_s;
        *memory = copy > *memory ? copy : *memory;
    }
    return status;
}

/* Least seconds of enough rounds that a launch is little beside them. */
static enum be_status min_rounds(struct bench *b, put_one *put, long *rounds, double *seconds,
                                 struct be_error *error) {
    enum be_status status = BE_OK;
    *rounds = 64;
    *seconds = 0;
    while (status == BE_OK && *seconds < 1e-3 && *rounds < (1L << 30)) {
        *rounds *= 4;
        status = min_time(b, 1, 1, put, *rounds, seconds, error);
    }
    return status == BE_OK ? min_time(b, TRIES, 1, put, *rounds, seconds, error) : status;
}

static enum be_status measure_operations(struct bench *b, struct be_ceilings *ceilings,
                                         struct be_error *error) {
    long rounds;
    double seconds;
    enum be_status status = min_rounds(b, put_fma, &rounds, &seconds, error);
    if (status == BE_OK) {
        be_ceilings_set_operations(ceilings,
                                   (double)BE_FMA_OPERATIONS * (double)rounds * LANES *
                                       (double)be_device_read_groups(b->device) / seconds,
                                   false);
    }
    return status;
}

/* A launch and its wait, and from one operation to the next. Sums and products take no less than multiply-adds on any
 * GPU we know. */
static enum be_status measure_latency(struct bench *b, struct be_ceilings *ceilings,
                                      struct be_error *error) {
    long rounds;
    double row_s;
    double launch_s;
    enum be_status status = min_rounds(b, put_row, &rounds, &row_s, error);
    status = status == BE_OK ? min_time(b, 100, 1, put_fma, 0, &launch_s, error) : status;
    if (status == BE_OK) {
        ceilings->launch_s = launch_s;
        ceilings->latency_s =
            row_s > launch_s ? (row_s - launch_s) / ((double)BE_ROW_OPERATIONS * (double)rounds)
                             : NAN;
    }
    return status;
}

static enum be_status measure_bus(struct bench *b, struct be_ceilings *ceilings,
                                  struct be_error *error) {
    double in_s = NAN;
    double out_s = NAN;
    long bytes = (long)b->in.bytes;
    enum be_status status = min_time(b, TRIES, BUS_BATCH, put_in, bytes, &in_s, error);
    if (status == BE_OK) {
        status = min_time(b, TRIES, BUS_BATCH, put_out, bytes, &out_s, error);
    }
    if (status == BE_OK) {
        ceilings->bus_in = (double)bytes / in_s;
        ceilings->bus_out = (double)bytes / out_s;
    }
    return status;
}

enum be_status be_ceilings_device(struct be_device *device, struct be_cancel cancel,
                                  struct be_ceilings *ceilings, struct be_error *error) {
    struct bench b = {.device = device, .clock = be_clock_host(), .cancel = cancel};
    *ceilings = (struct be_ceilings){.cache_bytes = device->info.cache_bytes,
                                     .bus_in = NAN,
                                     .bus_out = NAN,
                                     .latency_s = NAN,
                                     .launch_s = NAN};
    be_ceilings_set_operations(ceilings, NAN, false);
    if (be_cancel_asked(&cancel)) {
        return BE_OK;
    }
    enum be_status status = open_bench(&b, error);
    status = status == BE_OK ? measure_memory(&b, ceilings, error) : status;
    status = status == BE_OK ? measure_operations(&b, ceilings, error) : status;
    /* Where device memory is host memory there is no bus between them. */
    if (status == BE_OK && device->info.kind != BE_KIND_CPU) {
        status = measure_bus(&b, ceilings, error);
    }
    status = status == BE_OK ? measure_latency(&b, ceilings, error) : status;
    close_bench(&b);
    return status == BE_OK || status == BE_STOPPED
               ? BE_OK
               : be_context(error, "%s: measuring its ceilings", device->info.id);
}
