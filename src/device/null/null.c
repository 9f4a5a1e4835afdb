/*
 * A pretend GPU for tests: lazy. Nothing put into a queue happens before someone waits for it, so
 * code that reads a result (or a clock) too early is caught every time, not now and then. Its
 * memory is host memory, its kernels are the one-source kernels as host C.
 *
 * Shown only when BREAKEVEN_NULL is set in the environment.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "device/null/null.h"

static enum be_status probe(struct be_device_info *found, int capacity, int *count,
                            struct be_error *error) {
    *count = 0;
    if (!getenv("BREAKEVEN_NULL") || capacity < 1) {
        return be_fail(error, BE_ABSENT, "the pretend device is shown only with BREAKEVEN_NULL=1");
    }
    memset(found, 0, sizeof *found);
    be_copy_text(found->id, sizeof found->id, "null:0");
    be_copy_text(found->backend, sizeof found->backend, "null");
    be_copy_text(found->name, sizeof found->name, "pretend GPU");
    be_copy_text(found->driver, sizeof found->driver, "lazy queues, host memory");
    found->kind = BE_KIND_GPU;
    found->units = 1;
    found->memory_bytes = 4e9;
    found->cache_bytes = NAN;
    found->clock_hz = NAN;
    *count = 1;
    return BE_OK;
}

static enum be_status open_device(const struct be_device_info *info, struct be_team *team,
                                  struct be_device **device, struct be_error *error) {
    (void)team;
    struct be_null_device *d = calloc(1, sizeof *d);
    *device = NULL;
    if (!d) {
        return be_fail(error, BE_NOMEM, "%s: no host memory", info->id);
    }
    d->base.ops = &be_null_ops;
    d->base.info = *info;
    d->clock = be_clock_host();
    *device = &d->base;
    return BE_OK;
}

/* ---- queues: put now, done when waited for -------------------------------------------------- */

static void advance(struct be_null_device *d, enum be_queue queue,
                    const struct be_null_event *until, unsigned long turn);

static void execute(struct be_null_device *d, struct be_null_command *c) {
    switch (c->what) {
    case BE_NULL_COPY:
        memcpy(c->to, c->from, c->bytes);
        break;
    case BE_NULL_FILL:
        memset(c->to, c->byte, c->bytes);
        break;
    case BE_NULL_LAUNCH:
        be_host_run(c->kernel, 0, c->groups, c->lanes, c->argument, c->arguments);
        break;
    case BE_NULL_PRODUCT:
        be_null_product(c);
        break;
    case BE_NULL_RECORD:
        c->event->done = c->turn;
        c->event->when_s = be_now(&d->clock);
        break;
    case BE_NULL_FOLLOW:
        advance(d, c->event->queue, c->event, c->turn);
        break;
    }
}

/* Executes a queue in order until the event's recording `turn` is done, or to its end (NULL). */
static void advance(struct be_null_device *d, enum be_queue queue,
                    const struct be_null_event *until, unsigned long turn) {
    struct be_null_command *c;
    while ((!until || until->done < turn) && (c = be_null_take(&d->queue[queue])) != NULL) {
        execute(d, c);
        free(c);
    }
}

static enum be_status drain(struct be_device *device, enum be_queue queue, struct be_error *error) {
    (void)error;
    advance((struct be_null_device *)device, queue, NULL, 0);
    return BE_OK;
}

static void close_device(struct be_device *device) {
    struct be_null_device *d = (struct be_null_device *)device;
    for (int queue = 0; d && queue < BE_QUEUES; queue++) {
        struct be_null_command *c;
        while ((c = be_null_take(&d->queue[queue])) != NULL) {
            free(c); /* never waited for: never happens */
        }
        be_null_forget_graph(device, &(struct be_graph){(uintptr_t)d->capture[queue], 0});
    }
    free(d);
}

/* ---- memory --------------------------------------------------------------------------------- */

static enum be_status alloc(struct be_device *device, size_t bytes, struct be_buffer *buffer,
                            struct be_error *error) {
    *buffer = (struct be_buffer){0};
    if ((double)bytes > device->info.memory_bytes) {
        return be_fail(error, BE_NOMEM, "%.0f MB on the pretend device: it has %.0f MB",
                       (double)bytes / 1e6, device->info.memory_bytes / 1e6);
    }
    return be_host_alloc(device, bytes, buffer, error);
}

static enum be_status memory(struct be_device *device, double *free_bytes, double *total_bytes,
                             struct be_error *error) {
    (void)error;
    *free_bytes = *total_bytes = device->info.memory_bytes;
    return BE_OK;
}

static enum be_status put_copy(struct be_device *device, enum be_queue queue, char *to,
                               const char *from, size_t bytes, struct be_error *error) {
    struct be_null_command *c = be_null_put(device, queue, error);
    if (!c) {
        return BE_NOMEM;
    }
    c->what = BE_NULL_COPY;
    c->to = to;
    c->from = from;
    c->bytes = bytes;
    return BE_OK;
}

static enum be_status write_buffer(struct be_device *device, enum be_queue queue,
                                   const struct be_buffer *to, size_t offset, const void *from,
                                   size_t bytes, struct be_error *error) {
    return put_copy(device, queue, (char *)to->handle + offset, from, bytes, error);
}

static enum be_status read_buffer(struct be_device *device, enum be_queue queue, void *to,
                                  const struct be_buffer *from, size_t offset, size_t bytes,
                                  struct be_error *error) {
    return put_copy(device, queue, to, (const char *)from->handle + offset, bytes, error);
}

static enum be_status copy(struct be_device *device, enum be_queue queue,
                           const struct be_buffer *to, const struct be_buffer *from, size_t bytes,
                           struct be_error *error) {
    return put_copy(device, queue, (char *)to->handle, (const char *)from->handle, bytes, error);
}

static enum be_status fill(struct be_device *device, enum be_queue queue,
                           const struct be_buffer *to, size_t offset, uint8_t byte, size_t bytes,
                           struct be_error *error) {
    struct be_null_command *c = be_null_put(device, queue, error);
    if (!c) {
        return BE_NOMEM;
    }
    c->what = BE_NULL_FILL;
    c->to = (char *)to->handle + offset;
    c->byte = byte;
    c->bytes = bytes;
    return BE_OK;
}

static enum be_status launch(struct be_device *device, enum be_queue queue,
                             const struct be_kernel *kernel, size_t groups, size_t lanes,
                             const struct be_argument *arguments, int count,
                             struct be_error *error) {
    struct be_null_command *c =
        count <= BE_HOST_ARGUMENTS ? be_null_put(device, queue, error) : NULL;
    if (!c) {
        return be_fail(error, BE_NOMEM, "launch: %d arguments, at most %d", count,
                       (int)BE_HOST_ARGUMENTS);
    }
    c->what = BE_NULL_LAUNCH;
    c->kernel = (const struct be_host_kernel *)kernel->handle;
    c->groups = groups;
    c->lanes = lanes;
    c->arguments = count;
    for (int i = 0; i < count; i++) {
        c->argument[i] = arguments[i];
        if (arguments[i].kind == BE_ARGUMENT_BUFFER) {
            c->buffer[i] = *arguments[i].buffer;
            c->argument[i].buffer = &c->buffer[i];
        }
    }
    return BE_OK;
}

/* ---- events ---------------------------------------------------------------------------------- */

static enum be_status make_event(struct be_device *device, struct be_event *event,
                                 struct be_error *error) {
    (void)device;
    event->handle = (uintptr_t)calloc(1, sizeof(struct be_null_event));
    return event->handle ? BE_OK : be_fail(error, BE_NOMEM, "event: no host memory");
}

static void forget_event(struct be_device *device, struct be_event *event) {
    struct be_null_device *d = (struct be_null_device *)device;
    for (int queue = 0; event->handle && queue < BE_QUEUES; queue++) {
        advance(d, (enum be_queue)queue, NULL, 0); /* nothing may point to it any more */
    }
    free((void *)event->handle);
    event->handle = 0;
}

/* A graph that runs many times has no one moment to record. */
static struct be_null_command *put_event(struct be_device *device, enum be_queue queue,
                                         struct be_error *error) {
    if (((struct be_null_device *)device)->capture[queue]) {
        be_fail(error, BE_USAGE, "%s: events cannot be captured", device->info.id);
        return NULL;
    }
    return be_null_put(device, queue, error);
}

static enum be_status record(struct be_device *device, enum be_queue queue, struct be_event *event,
                             struct be_error *error) {
    struct be_null_command *c = put_event(device, queue, error);
    if (!c) {
        return error ? error->status : BE_NOMEM;
    }
    struct be_null_event *m = (struct be_null_event *)event->handle;
    m->queue = queue;
    c->what = BE_NULL_RECORD;
    c->event = m;
    c->turn = ++m->asked;
    return BE_OK;
}

static enum be_status follow(struct be_device *device, enum be_queue queue,
                             const struct be_event *event, struct be_error *error) {
    struct be_null_command *c = put_event(device, queue, error);
    if (!c) {
        return error ? error->status : BE_NOMEM;
    }
    c->what = BE_NULL_FOLLOW;
    c->event = (struct be_null_event *)event->handle;
    c->turn = c->event->asked;
    return BE_OK;
}

static enum be_status wait_event(struct be_device *device, const struct be_event *event,
                                 struct be_error *error) {
    (void)error;
    const struct be_null_event *m = (const struct be_null_event *)event->handle;
    advance((struct be_null_device *)device, m->queue, m, m->asked);
    return BE_OK;
}

static enum be_status elapsed(struct be_device *device, const struct be_event *from,
                              const struct be_event *to, double *seconds, struct be_error *error) {
    (void)device, (void)error;
    *seconds = ((const struct be_null_event *)to->handle)->when_s -
               ((const struct be_null_event *)from->handle)->when_s;
    return BE_OK;
}

static const struct be_memory_ops memory_ops = {
    .alloc = alloc,
    .release = be_host_release,
    .pin = be_host_pin,
    .unpin = be_host_unpin,
    .capacity = memory,
};

static const struct be_queue_ops queue_ops = BE_QUEUE_OPS_HERE;

static const struct be_program_ops program_ops = {
    .build = be_host_build,
    .drop = be_host_drop,
    .kernel = be_host_kernel_find,
    .launch = launch,
    .forget = be_host_forget,
};

static const struct be_extra_ops extra_ops = {
    .facts = be_null_facts,
    .capture = be_null_capture,
    .captured = be_null_captured,
    .replay = be_null_replay,
    .forget_graph = be_null_forget_graph,
    .unify = be_null_unify,
    .release_unified = be_null_release_unified,
    .lock = be_null_lock,
    .unlock = be_null_unlock,
};

const struct be_device_ops be_null_ops = {
    .name = "null",
    .probe = probe,
    .open = open_device,
    .close = close_device,
    BE_DEVICE_TABLES_HERE,
    .extras = &extra_ops,
    .blas = &be_null_blas,
};
