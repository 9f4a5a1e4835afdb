/* Any vendor's devices through OpenCL 1.2: memory, queues, events (of markers). */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/opencl/opencl.h"

static struct be_opencl_device *own(struct be_device *device) {
    return (struct be_opencl_device *)device;
}

/* ---- open and close ------------------------------------------------------------------------- */

static void close_device(struct be_device *device) {
    struct be_opencl_device *d = own(device);
    if (!d) {
        return;
    }
    for (int i = 0; i < BE_QUEUES; i++) {
        if (d->queue[i]) {
            d->cl.clFinish(d->queue[i]);
            d->cl.clReleaseCommandQueue(d->queue[i]);
        }
    }
    if (d->context) {
        d->cl.clReleaseContext(d->context);
    }
    be_dyn_close(d->cl.handle);
    free(d->part);
    free(d);
}

static enum be_status open_queues(struct be_opencl_device *d, struct be_error *error) {
    struct be_opencl_place place[BE_OPENCL_PLACES];
    int places = 0;
    cl_int code = CL_SUCCESS;
    enum be_status status = be_opencl_list(&d->cl, place, &places, error);
    if (status != BE_OK) {
        return status;
    }
    if (d->base.info.index < 0 || d->base.info.index >= places) {
        return be_fail(error, BE_ABSENT, "only %d OpenCL devices are here", places);
    }
    const struct be_opencl_place *at = &place[d->base.info.index];
    const cl_context_properties property[] = {CL_CONTEXT_PLATFORM,
                                              (cl_context_properties)at->platform, 0};
    d->device = at->device;
    d->context = d->cl.clCreateContext(property, 1, &at->device, NULL, NULL, &code);
    status = be_opencl_check(code, "clCreateContext", error);
    for (int i = 0; status == BE_OK && i < BE_QUEUES; i++) {
        d->queue[i] =
            d->cl.clCreateCommandQueue(d->context, at->device, CL_QUEUE_PROFILING_ENABLE, &code);
        status = be_opencl_check(code, "clCreateCommandQueue", error);
    }
    if (status == BE_OK) {
        code = d->cl.clGetDeviceInfo(at->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof d->largest,
                                     &d->largest, NULL);
        status = be_opencl_check(code, "clGetDeviceInfo of the largest allocation", error);
    }
    cl_uint bits = be_opencl_uint(&d->cl, at->device, CL_DEVICE_MEM_BASE_ADDR_ALIGN);
    d->align_bytes = bits >= 8 ? bits / 8 : 1;
    return status;
}

static enum be_status open_device(const struct be_device_info *info, struct be_team *team,
                                  struct be_device **device, struct be_error *error) {
    (void)team;
    *device = NULL;
    struct be_clock clock = be_clock_host();
    double start = be_now(&clock);
    struct be_opencl_device *d = calloc(1, sizeof *d);
    if (!d) {
        return be_fail(error, BE_NOMEM, "%s: no host memory", info->id);
    }
    d->base.ops = &be_opencl_ops;
    d->base.info = *info;
    enum be_status status = be_opencl_open(&d->cl, error);
    if (status == BE_OK) {
        status = open_queues(d, error);
    }
    if (status != BE_OK) {
        close_device(&d->base);
        be_context(error, "%s: opening", info->id);
        return status;
    }
    d->base.open_s = be_now(&clock) - start;
    *device = &d->base;
    return BE_OK;
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Creates memory of any size that the device says it can have; a NULL cl_mem after an error. */
static enum be_status create(struct be_opencl_device *d, size_t bytes, cl_mem_flags flags,
                             cl_mem *memory, struct be_error *error) {
    char call[BE_NAME * 2];
    cl_int code = CL_SUCCESS;
    *memory = NULL;
    if (bytes > d->largest) {
        return be_fail(error, BE_NOMEM,
                       "clCreateBuffer of %.0f MB: the device has %.0f MB and gives at most %.0f "
                       "MB in one piece; take a smaller size",
                       (double)bytes / 1e6, d->base.info.memory_bytes / 1e6,
                       (double)d->largest / 1e6);
    }
    *memory = d->cl.clCreateBuffer(d->context, flags, bytes ? bytes : 1, NULL, &code);
    snprintf(call, sizeof call, "clCreateBuffer of %.1f MB", (double)bytes / 1e6);
    if (code != CL_SUCCESS) {
        *memory = NULL;
    }
    return be_opencl_check(code, call, error);
}

static enum be_status alloc(struct be_device *device, size_t bytes, struct be_buffer *buffer,
                            struct be_error *error) {
    struct be_opencl_device *d = own(device);
    *buffer = (struct be_buffer){0};
    cl_mem memory = NULL;
    enum be_status status = create(d, bytes, CL_MEM_READ_WRITE, &memory, error);
    if (status != BE_OK) {
        return status;
    }
    /* Drivers allocate when a command first uses the buffer: let that be here, where running out
     * of memory is expected, and not in the middle of a measurement. */
    const char zero = 0;
    cl_int code = d->cl.clEnqueueWriteBuffer(d->queue[BE_QUEUE_IN], memory, CL_TRUE, 0, sizeof zero,
                                             &zero, 0, NULL, NULL);
    if (code != CL_SUCCESS) {
        struct be_error why;
        (void)be_opencl_check(code, "first use", &why);
        d->cl.clReleaseMemObject(memory);
        return be_fail(error, code == CL_OUT_OF_RESOURCES ? BE_NOMEM : why.status,
                       "allocating %.1f MB of %.0f MB: %s", (double)bytes / 1e6,
                       d->base.info.memory_bytes / 1e6, why.text);
    }
    *buffer = (struct be_buffer){.handle = (uintptr_t)memory, .bytes = bytes};
    return BE_OK;
}

static void release(struct be_device *device, struct be_buffer *buffer) {
    if (buffer->handle) {
        be_opencl_release_parts(own(device), (cl_mem)buffer->handle);
        own(device)->cl.clReleaseMemObject((cl_mem)buffer->handle);
    }
    *buffer = (struct be_buffer){0};
}

/* A buffer in host memory that the driver page-locks, mapped from here to unpin. */
static enum be_status pin(struct be_device *device, size_t bytes, struct be_pinned *pinned,
                          struct be_error *error) {
    struct be_opencl_device *d = own(device);
    *pinned = (struct be_pinned){0};
    cl_mem memory = NULL;
    cl_int code = CL_SUCCESS;
    enum be_status status =
        create(d, bytes, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, &memory, error);
    if (status != BE_OK) {
        be_context(error, "page-locked memory");
        return status;
    }
    void *host =
        d->cl.clEnqueueMapBuffer(d->queue[BE_QUEUE_IN], memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                 0, bytes ? bytes : 1, 0, NULL, NULL, &code);
    if (code != CL_SUCCESS) {
        d->cl.clReleaseMemObject(memory);
        char call[BE_NAME * 2];
        snprintf(call, sizeof call, "page-locked memory: clEnqueueMapBuffer of %.1f MB",
                 (double)bytes / 1e6);
        return be_opencl_check(code, call, error);
    }
    *pinned = (struct be_pinned){.host = host, .handle = (uintptr_t)memory, .bytes = bytes};
    return BE_OK;
}

static void unpin(struct be_device *device, struct be_pinned *pinned) {
    struct be_opencl_device *d = own(device);
    if (pinned->handle) {
        cl_mem memory = (cl_mem)pinned->handle;
        d->cl.clEnqueueUnmapMemObject(d->queue[BE_QUEUE_IN], memory, pinned->host, 0, NULL, NULL);
        d->cl.clFinish(d->queue[BE_QUEUE_IN]); /* so that the memory is free when this returns */
        d->cl.clReleaseMemObject(memory);
    }
    *pinned = (struct be_pinned){0};
}

/* ---- queues: a call that moves nothing is an error in OpenCL, and nothing to do here -------- */

static enum be_status write_buffer(struct be_device *device, enum be_queue queue,
                                   const struct be_buffer *to, size_t offset, const void *from,
                                   size_t bytes, struct be_error *error) {
    struct be_opencl_device *d = own(device);
    if (bytes == 0) {
        return BE_OK;
    }
    return be_opencl_check(d->cl.clEnqueueWriteBuffer(d->queue[queue], (cl_mem)to->handle, CL_FALSE,
                                                      offset, bytes, from, 0, NULL, NULL),
                           "clEnqueueWriteBuffer", error);
}

static enum be_status read_buffer(struct be_device *device, enum be_queue queue, void *to,
                                  const struct be_buffer *from, size_t offset, size_t bytes,
                                  struct be_error *error) {
    struct be_opencl_device *d = own(device);
    if (bytes == 0) {
        return BE_OK;
    }
    return be_opencl_check(d->cl.clEnqueueReadBuffer(d->queue[queue], (cl_mem)from->handle,
                                                     CL_FALSE, offset, bytes, to, 0, NULL, NULL),
                           "clEnqueueReadBuffer", error);
}

static enum be_status fill(struct be_device *device, enum be_queue queue,
                           const struct be_buffer *to, size_t offset, uint8_t byte, size_t bytes,
                           struct be_error *error) {
    struct be_opencl_device *d = own(device);
    if (bytes == 0) {
        return BE_OK;
    }
    return be_opencl_check(d->cl.clEnqueueFillBuffer(d->queue[queue], (cl_mem)to->handle, &byte,
                                                     sizeof byte, offset, bytes, 0, NULL, NULL),
                           "clEnqueueFillBuffer", error);
}

static enum be_status copy(struct be_device *device, enum be_queue queue,
                           const struct be_buffer *to, const struct be_buffer *from, size_t bytes,
                           struct be_error *error) {
    struct be_opencl_device *d = own(device);
    if (bytes == 0) {
        return BE_OK;
    }
    return be_opencl_check(d->cl.clEnqueueCopyBuffer(d->queue[queue], (cl_mem)from->handle,
                                                     (cl_mem)to->handle, 0, 0, bytes, 0, NULL,
                                                     NULL),
                           "clEnqueueCopyBuffer", error);
}

/* ---- events: the handle is the event of the last record; 0 before the first ------------------ */

static enum be_status make_event(struct be_device *device, struct be_event *event,
                                 struct be_error *error) {
    (void)device;
    (void)error;
    *event = (struct be_event){0};
    return BE_OK;
}

static void forget_event(struct be_device *device, struct be_event *event) {
    if (event->handle) {
        own(device)->cl.clReleaseEvent((cl_event)event->handle);
    }
    *event = (struct be_event){0};
}

/* Flushes: a command that is not flushed need never start, nobody else knows which queue an event is
 * in when something waits for it, and the device should work while the host does other things. */
static enum be_status record(struct be_device *device, enum be_queue queue, struct be_event *event,
                             struct be_error *error) {
    struct be_opencl_device *d = own(device);
    cl_event recorded = NULL;
    enum be_status status =
        be_opencl_check(d->cl.clEnqueueMarkerWithWaitList(d->queue[queue], 0, NULL, &recorded),
                        "clEnqueueMarkerWithWaitList", error);
    if (status == BE_OK) {
        forget_event(device, event);
        event->handle = (uintptr_t)recorded;
        status = be_opencl_check(d->cl.clFlush(d->queue[queue]), "clFlush", error);
    }
    return status;
}

/* As with CUDA's events, what was never recorded is not waited for. */
static enum be_status follow(struct be_device *device, enum be_queue queue,
                             const struct be_event *event, struct be_error *error) {
    struct be_opencl_device *d = own(device);
    cl_event recorded = (cl_event)event->handle;
    if (!recorded) {
        return BE_OK;
    }
    return be_opencl_check(d->cl.clEnqueueBarrierWithWaitList(d->queue[queue], 1, &recorded, NULL),
                           "clEnqueueBarrierWithWaitList", error);
}

static enum be_status wait_event(struct be_device *device, const struct be_event *event,
                                 struct be_error *error) {
    struct be_opencl_device *d = own(device);
    cl_event recorded = (cl_event)event->handle;
    return recorded ? be_opencl_check(d->cl.clWaitForEvents(1, &recorded), "clWaitForEvents", error)
                    : BE_OK;
}

/* Nanoseconds of the device's clock; 0 where the driver does not time markers (AMD says so by an
 * error, Intel's CPU driver by 0). */
static cl_ulong moment(const struct be_opencl_device *d, const struct be_event *event) {
    cl_ulong ns = 0;
    cl_int code = d->cl.clGetEventProfilingInfo((cl_event)event->handle, CL_PROFILING_COMMAND_END,
                                                sizeof ns, &ns, NULL);
    return code == CL_SUCCESS ? ns : 0;
}

static enum be_status elapsed(struct be_device *device, const struct be_event *from,
                              const struct be_event *to, double *seconds, struct be_error *error) {
    struct be_opencl_device *d = own(device);
    *seconds = NAN;
    if (!from->handle || !to->handle) {
        return be_fail(error, BE_USAGE, "time between two events: one was never recorded");
    }
    cl_ulong start = moment(d, from);
    cl_ulong end = moment(d, to);
    /* Seen on an Intel GPU: the later marker's time is the earlier one. Then neither is known. */
    if (start > 0 && end >= start) {
        *seconds = 1e-9 * (double)(end - start);
    }
    return BE_OK;
}

static enum be_status drain(struct be_device *device, enum be_queue queue, struct be_error *error) {
    struct be_opencl_device *d = own(device);
    return be_opencl_check(d->cl.clFinish(d->queue[queue]), "clFinish", error);
}

static const struct be_memory_ops memory_ops = {
    .alloc = alloc,
    .release = release,
    .pin = pin,
    .unpin = unpin,
    .capacity = be_opencl_memory,
};

static const struct be_queue_ops queue_ops = BE_QUEUE_OPS_HERE;

static const struct be_program_ops program_ops = {
    .build = be_opencl_build,
    .drop = be_opencl_drop,
    .kernel = be_opencl_kernel,
    .launch = be_opencl_launch,
    .forget = be_opencl_forget,
};

static const struct be_extra_ops extra_ops = {
    .facts = be_opencl_facts,
};

const struct be_device_ops be_opencl_ops = {
    .name = "opencl",
    .probe = be_opencl_probe,
    .open = open_device,
    .close = close_device,
    BE_DEVICE_TABLES_HERE,
    .extras = &extra_ops,
};
