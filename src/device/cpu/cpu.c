/*
 * The host as a device: its memory is ordinary memory, its queues are done at once, its kernels
 * are the one-source kernels as host C. The fast CPU code of a workload does not come through
 * here (workloads have their own); this is what makes every test of devices run on a CPU too.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "host/cores.h"
#include "base/error.h"
#include "host/team.h"
#include "device/device.h"
#include "device/cpu/cpu.h"

struct cpu_device {
    struct be_device base;
    struct be_team *team; /* the caller's; NULL: no threads but the caller */
    struct be_clock clock;
};

static enum be_status probe(struct be_device_info *found, int capacity, int *count,
                            struct be_error *error) {
    struct be_cores cores;
    *count = 0;
    enum be_status status = be_cores_find(&cores, error);
    if (status != BE_OK || capacity < 1) {
        return status;
    }
    memset(found, 0, sizeof *found);
    be_copy_text(found->id, sizeof found->id, "cpu");
    be_copy_text(found->backend, sizeof found->backend, "cpu");
    be_copy_text(found->name, sizeof found->name, cores.name);
    found->kind = BE_KIND_CPU;
    found->units = cores.count;
    found->memory_bytes = be_memory_available();
    found->cache_bytes = cores.cache_bytes;
    found->clock_hz = NAN;
    *count = 1;
    return BE_OK;
}

static enum be_status open_device(const struct be_device_info *info, struct be_team *team,
                                  struct be_device **device, struct be_error *error) {
    struct cpu_device *d = calloc(1, sizeof *d);
    *device = NULL;
    if (!d) {
        return be_fail(error, BE_NOMEM, "%s: no host memory", info->id);
    }
    d->base.ops = &be_cpu_ops;
    d->base.info = *info;
    d->team = team;
    d->clock = be_clock_host();
    *device = &d->base;
    return BE_OK;
}

static void close_device(struct be_device *device) {
    free(device);
}

static enum be_status memory(struct be_device *device, double *free_bytes, double *total_bytes,
                             struct be_error *error) {
    (void)error;
    *free_bytes = be_memory_available();
    *total_bytes = device->info.memory_bytes;
    return BE_OK;
}

static enum be_status write_buffer(struct be_device *device, enum be_queue queue,
                                   const struct be_buffer *to, size_t offset, const void *from,
                                   size_t bytes, struct be_error *error) {
    (void)device, (void)queue, (void)error;
    memcpy((char *)to->handle + offset, from, bytes);
    return BE_OK;
}

static enum be_status read_buffer(struct be_device *device, enum be_queue queue, void *to,
                                  const struct be_buffer *from, size_t offset, size_t bytes,
                                  struct be_error *error) {
    (void)device, (void)queue, (void)error;
    memcpy(to, (const char *)from->handle + offset, bytes);
    return BE_OK;
}

static enum be_status fill(struct be_device *device, enum be_queue queue,
                           const struct be_buffer *to, size_t offset, uint8_t byte, size_t bytes,
                           struct be_error *error) {
    (void)device, (void)queue, (void)error;
    memset((char *)to->handle + offset, byte, bytes);
    return BE_OK;
}

static enum be_status copy(struct be_device *device, enum be_queue queue,
                           const struct be_buffer *to, const struct be_buffer *from, size_t bytes,
                           struct be_error *error) {
    return write_buffer(device, queue, to, 0, (const void *)from->handle, bytes, error);
}

struct launch {
    const struct be_host_kernel *kernel;
    size_t groups, lanes;
    const struct be_argument *arguments;
    int count;
};

static void launch_share(void *context, int member, int members) {
    const struct launch *l = context;
    size_t first;
    size_t count;
    be_team_share(l->groups, 1, member, members, &first, &count);
    be_host_run(l->kernel, first, count, l->lanes, l->arguments, l->count);
}

static enum be_status launch(struct be_device *device, enum be_queue queue,
                             const struct be_kernel *kernel, size_t groups, size_t lanes,
                             const struct be_argument *arguments, int count,
                             struct be_error *error) {
    (void)queue, (void)error;
    struct cpu_device *d = (struct cpu_device *)device;
    struct launch l = {(const struct be_host_kernel *)kernel->handle, groups, lanes, arguments,
                       count};
    if (d->team) {
        be_team_run(d->team, launch_share, &l);
    } else {
        launch_share(&l, 0, 1);
    }
    return BE_OK;
}

static enum be_status make_event(struct be_device *device, struct be_event *event,
                                 struct be_error *error) {
    (void)device;
    event->handle = (uintptr_t)calloc(1, sizeof(double));
    return event->handle ? BE_OK : be_fail(error, BE_NOMEM, "event: no host memory");
}

static void forget_event(struct be_device *device, struct be_event *event) {
    (void)device;
    free((void *)event->handle);
    event->handle = 0;
}

static enum be_status record(struct be_device *device, enum be_queue queue, struct be_event *event,
                             struct be_error *error) {
    (void)queue, (void)error;
    *(double *)event->handle = be_now(&((struct cpu_device *)device)->clock);
    return BE_OK;
}

/* A call here is done when it returns. */
static enum be_status follow(struct be_device *device, enum be_queue queue,
                             const struct be_event *event, struct be_error *error) {
    (void)device, (void)queue, (void)event, (void)error;
    return BE_OK;
}

static enum be_status wait_event(struct be_device *device, const struct be_event *event,
                                 struct be_error *error) {
    return follow(device, BE_QUEUE_WORK, event, error);
}

static enum be_status elapsed(struct be_device *device, const struct be_event *from,
                              const struct be_event *to, double *seconds, struct be_error *error) {
    (void)device, (void)error;
    *seconds = *(const double *)to->handle - *(const double *)from->handle;
    return BE_OK;
}

static enum be_status drain(struct be_device *device, enum be_queue queue, struct be_error *error) {
    return follow(device, queue, NULL, error);
}

static const struct be_memory_ops memory_ops = {
    .alloc = be_host_alloc,
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

static const struct be_extra_ops no_extras; /* has none */

const struct be_device_ops be_cpu_ops = {
    .name = "cpu",
    .probe = probe,
    .open = open_device,
    .close = close_device,
    BE_DEVICE_TABLES_HERE,
    .extras = &no_extras,
};
