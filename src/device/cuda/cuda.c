/* NVIDIA devices through the driver's own interface: memory, queues (streams), events. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/common/argument.h"
#include "device/cuda/cuda.h"

/* ---- open and close ------------------------------------------------------------------------- */

static void close_device(struct be_device *device) {
    struct be_cuda_device *d = (struct be_cuda_device *)device;
    if (!d) {
        return;
    }
    if (d->context) {
        d->cuda.cuCtxSetCurrent(d->context);
        for (int i = 0; i < BE_QUEUES; i++) {
            if (d->stream[i]) {
                d->cuda.cuStreamDestroy_v2(d->stream[i]);
            }
        }
        d->cuda.cuCtxSetCurrent(NULL);
        d->cuda.cuDevicePrimaryCtxRelease_v2(d->device);
    }
    if (d->nvml_device) {
        d->nvml.nvmlShutdown();
    }
    be_dyn_close(d->nvml.handle);
    be_dyn_close(d->nvrtc.handle);
    be_dyn_close(d->cuda.handle);
    free(d);
}

/* Where it is on the bus. A part of a GPU (MIG) goes by its UUID, but is where the whole is. */
static void find_place(struct be_cuda_device *d) {
    be_copy_text(d->pci, sizeof d->pci, d->base.info.address);
    if (strncmp(d->pci, "MIG-", 4) == 0 &&
        d->cuda.cuDeviceGetPCIBusId(d->pci, sizeof d->pci, d->device) != CUDA_SUCCESS) {
        d->pci[0] = '\0';
    }
    for (char *at = d->pci; *at; at++) {
        *at = (char)tolower((unsigned char)*at);
    }
}

/* Clocks and heat are worth having, not worth failing for. */
static void open_nvml(struct be_cuda_device *d) {
    if (be_nvml_open(&d->nvml, NULL) != BE_OK) {
        return;
    }
    if (d->nvml.nvmlInit_v2() != NVML_SUCCESS) {
        return;
    }
    if (d->nvml.nvmlDeviceGetHandleByPciBusId_v2(d->pci, &d->nvml_device) != NVML_SUCCESS) {
        d->nvml_device = NULL;
        d->nvml.nvmlShutdown();
    }
}

static enum be_status open_context(struct be_cuda_device *d, struct be_error *error) {
    const struct be_cuda *cuda = &d->cuda;
    CUcontext context = NULL;
    enum be_status status = be_cuda_check(cuda, cuda->cuInit(0), "cuInit", error);
    if (status == BE_OK) {
        status = be_cuda_check(cuda, cuda->cuDeviceGet(&d->device, d->base.info.index),
                               "cuDeviceGet", error);
    }
    /* The primary context: the one that the vendor's libraries and the user's program share. */
    if (status == BE_OK) {
        status = be_cuda_check(cuda, cuda->cuDevicePrimaryCtxRetain(&context, d->device),
                               "cuDevicePrimaryCtxRetain", error);
    }
    if (status == BE_OK) {
        d->context = context;
        status = be_cuda_check(cuda, cuda->cuCtxSetCurrent(context), "cuCtxSetCurrent", error);
    }
    for (int i = 0; status == BE_OK && i < BE_QUEUES; i++) {
        status = be_cuda_check(cuda, cuda->cuStreamCreate(&d->stream[i], CU_STREAM_NON_BLOCKING),
                               "cuStreamCreate", error);
    }
    /* The compiler is told for what it compiles. */
    CUresult result = CUDA_SUCCESS;
    if (status == BE_OK) {
        result = cuda->cuDeviceGetAttribute(&d->major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                                            d->device);
    }
    if (status == BE_OK && result == CUDA_SUCCESS) {
        result = cuda->cuDeviceGetAttribute(&d->minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                                            d->device);
    }
    return status == BE_OK ? be_cuda_check(cuda, result, "cuDeviceGetAttribute", error) : status;
}

static enum be_status open_device(const struct be_device_info *info, struct be_team *team,
                                  struct be_device **device, struct be_error *error) {
    (void)team;
    *device = NULL;
    struct be_clock clock = be_clock_host();
    double start = be_now(&clock);
    struct be_cuda_device *d = calloc(1, sizeof *d);
    if (!d) {
        return be_fail(error, BE_NOMEM, "%s: no host memory", info->id);
    }
    d->base.ops = &be_cuda_ops;
    d->base.info = *info;
    d->opened_s = start;
    enum be_status status = be_cuda_open(&d->cuda, error);
    if (status == BE_OK) {
        status = open_context(d, error);
    }
    if (status != BE_OK) {
        close_device(&d->base);
        return be_context(error, "%s: opening", info->id);
    }
    d->base.open_s = be_now(&clock) - start;
    (void)be_nvrtc_open(&d->nvrtc, &d->nvrtc_error);
    find_place(d);
    open_nvml(d);
    *device = &d->base;
    return BE_OK;
}

/* ---- memory --------------------------------------------------------------------------------- */

static enum be_status memory(struct be_device *device, double *free_bytes, double *total_bytes,
                             struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    size_t left = 0;
    size_t all = 0;
    enum be_status status =
        be_cuda_check(&d->cuda, d->cuda.cuMemGetInfo_v2(&left, &all), "cuMemGetInfo", error);
    *free_bytes = status == BE_OK ? (double)left : NAN;
    *total_bytes = status == BE_OK ? (double)all : NAN;
    return status;
}

static enum be_status alloc(struct be_device *device, size_t bytes, struct be_buffer *buffer,
                            struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    CUdeviceptr pointer = 0;
    *buffer = (struct be_buffer){0};
    CUresult result = d->cuda.cuMemAlloc_v2(&pointer, bytes ? bytes : 1);
    if (result != CUDA_SUCCESS) {
        double left = NAN;
        double all = NAN;
        (void)memory(device, &left, &all, NULL);
        char call[BE_NAME * 2];
        snprintf(call, sizeof call, "cuMemAlloc of %.0f MB (%.0f MB free)", (double)bytes / 1e6,
                 left / 1e6);
        return be_cuda_check(&d->cuda, result, call, error);
    }
    *buffer = (struct be_buffer){.handle = (uintptr_t)pointer, .bytes = bytes};
    return BE_OK;
}

static void release(struct be_device *device, struct be_buffer *buffer) {
    struct be_cuda_device *d = be_cuda_enter(device);
    if (buffer->handle) {
        d->cuda.cuMemFree_v2(buffer->handle);
    }
    *buffer = (struct be_buffer){0};
}

static enum be_status pin(struct be_device *device, size_t bytes, struct be_pinned *pinned,
                          struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    *pinned = (struct be_pinned){0};
    void *host = NULL;
    char call[BE_NAME];
    snprintf(call, sizeof call, "cuMemHostAlloc of %.1f MB", (double)bytes / 1e6);
    enum be_status status =
        be_cuda_check(&d->cuda, d->cuda.cuMemHostAlloc(&host, bytes, 0), call, error);
    if (status == BE_OK) {
        *pinned = (struct be_pinned){.host = host, .handle = (uintptr_t)host, .bytes = bytes};
    }
    return status;
}

static void unpin(struct be_device *device, struct be_pinned *pinned) {
    struct be_cuda_device *d = be_cuda_enter(device);
    if (pinned->host) {
        d->cuda.cuMemFreeHost(pinned->host);
    }
    *pinned = (struct be_pinned){0};
}

/* ---- queues --------------------------------------------------------------------------------- */

static enum be_status write_buffer(struct be_device *device, enum be_queue queue,
                                   const struct be_buffer *to, size_t offset, const void *from,
                                   size_t bytes, struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    return be_cuda_check(
        &d->cuda, d->cuda.cuMemcpyHtoDAsync_v2(to->handle + offset, from, bytes, d->stream[queue]),
        "cuMemcpyHtoDAsync", error);
}

static enum be_status read_buffer(struct be_device *device, enum be_queue queue, void *to,
                                  const struct be_buffer *from, size_t offset, size_t bytes,
                                  struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    return be_cuda_check(
        &d->cuda, d->cuda.cuMemcpyDtoHAsync_v2(to, from->handle + offset, bytes, d->stream[queue]),
        "cuMemcpyDtoHAsync", error);
}

static enum be_status fill(struct be_device *device, enum be_queue queue,
                           const struct be_buffer *to, size_t offset, uint8_t byte, size_t bytes,
                           struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    return be_cuda_check(
        &d->cuda, d->cuda.cuMemsetD8Async(to->handle + offset, byte, bytes, d->stream[queue]),
        "cuMemsetD8Async", error);
}

static enum be_status copy(struct be_device *device, enum be_queue queue,
                           const struct be_buffer *to, const struct be_buffer *from, size_t bytes,
                           struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    return be_cuda_check(
        &d->cuda, d->cuda.cuMemcpyDtoDAsync_v2(to->handle, from->handle, bytes, d->stream[queue]),
        "cuMemcpyDtoDAsync", error);
}

enum { MAX_ARGUMENTS = 16 };

static enum be_status launch(struct be_device *device, enum be_queue queue,
                             const struct be_kernel *kernel, size_t groups, size_t lanes,
                             const struct be_argument *arguments, int count,
                             struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    union be_argument_value kept[MAX_ARGUMENTS];
    void *value[MAX_ARGUMENTS];
    if (count > MAX_ARGUMENTS || groups == 0 || groups > 0x7fffffff) {
        return be_fail(error, BE_USAGE, "launch: %d arguments, %zu groups: at most %d and 2^31 - 1",
                       count, groups, (int)MAX_ARGUMENTS);
    }
    for (int i = 0; i < count; i++) {
        (void)be_argument_value(&arguments[i], &kept[i]);
        value[i] = &kept[i];
    }
    return be_cuda_check(&d->cuda,
                         d->cuda.cuLaunchKernel((CUfunction)kernel->handle, (unsigned)groups, 1, 1,
                                                (unsigned)lanes, 1, 1, 0, d->stream[queue], value,
                                                NULL),
                         "cuLaunchKernel", error);
}

static void forget(struct be_device *device, struct be_kernel *kernel) {
    (void)device; /* a function lives and dies with its module */
    kernel->handle = 0;
}

static enum be_status make_event(struct be_device *device, struct be_event *event,
                                 struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    CUevent made = NULL;
    enum be_status status = be_cuda_check(&d->cuda, d->cuda.cuEventCreate(&made, CU_EVENT_DEFAULT),
                                          "cuEventCreate", error);
    event->handle = (uintptr_t)made;
    return status;
}

static void forget_event(struct be_device *device, struct be_event *event) {
    struct be_cuda_device *d = be_cuda_enter(device);
    if (event->handle) {
        d->cuda.cuEventDestroy_v2((CUevent)event->handle);
    }
    event->handle = 0;
}

static enum be_status record(struct be_device *device, enum be_queue queue, struct be_event *event,
                             struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    return be_cuda_check(&d->cuda, d->cuda.cuEventRecord((CUevent)event->handle, d->stream[queue]),
                         "cuEventRecord", error);
}

static enum be_status follow(struct be_device *device, enum be_queue queue,
                             const struct be_event *event, struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    return be_cuda_check(&d->cuda,
                         d->cuda.cuStreamWaitEvent(d->stream[queue], (CUevent)event->handle, 0),
                         "cuStreamWaitEvent", error);
}

static enum be_status wait_event(struct be_device *device, const struct be_event *event,
                                 struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    return be_cuda_check(&d->cuda, d->cuda.cuEventSynchronize((CUevent)event->handle),
                         "cuEventSynchronize", error);
}

static enum be_status elapsed(struct be_device *device, const struct be_event *from,
                              const struct be_event *to, double *seconds, struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    float milliseconds = 0;
    enum be_status status = be_cuda_check(
        &d->cuda,
        d->cuda.cuEventElapsedTime(&milliseconds, (CUevent)from->handle, (CUevent)to->handle),
        "cuEventElapsedTime", error);
    *seconds = status == BE_OK ? 1e-3 * (double)milliseconds : NAN;
    return status;
}

static enum be_status drain(struct be_device *device, enum be_queue queue, struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    return be_cuda_check(&d->cuda, d->cuda.cuStreamSynchronize(d->stream[queue]),
                         "cuStreamSynchronize", error);
}

static const struct be_memory_ops memory_ops = {
    .alloc = alloc,
    .release = release,
    .pin = pin,
    .unpin = unpin,
    .capacity = memory,
};

static const struct be_queue_ops queue_ops = BE_QUEUE_OPS_HERE;

static const struct be_program_ops program_ops = {
    .build = be_cuda_build,
    .drop = be_cuda_drop,
    .kernel = be_cuda_kernel,
    .launch = launch,
    .forget = forget,
};

static const struct be_extra_ops extra_ops = {
    .state = be_cuda_state,
    .facts = be_cuda_facts,
    .capture = be_cuda_capture,
    .captured = be_cuda_captured,
    .replay = be_cuda_replay,
    .forget_graph = be_cuda_forget_graph,
    .unify = be_cuda_unify,
    .release_unified = be_cuda_release_unified,
    .lock = be_cuda_lock,
    .unlock = be_cuda_unlock,
    .copy_peer = be_cuda_copy_peer,
    .launch_together = be_cuda_launch_together,
    .neighbours = be_cuda_neighbours,
};

const struct be_device_ops be_cuda_ops = {
    .name = "cuda",
    .probe = be_cuda_probe,
    .open = open_device,
    .close = close_device,
    BE_DEVICE_TABLES_HERE,
    .extras = &extra_ops,
    .blas = &be_cuda_blas,
    .reduce = &be_cuda_reduce,
    .solver = &be_cuda_solver,
    .fft = &be_cuda_fft,
    .sparse = &be_cuda_sparse,
    .dnn = &be_cuda_dnn,
};
