/* Sums across GPUs through NCCL. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/cuda/cuda.h"
#include "dyn/nvidia/nccl/nccl.h"

struct opened {
    struct be_nccl nccl;
    int devices;
    bool failed; /* a sum: what is left of it is not waited for */
    struct be_cuda_device *device[BE_DEVICES_MAX];
    ncclComm_t comm[BE_DEVICES_MAX];
};

static const struct be_cuda_meaning meanings[] = {
    {ncclUnhandledCudaError, BE_DRIVER, NULL}, {ncclSystemError, BE_DRIVER, NULL},
    {ncclInternalError, BE_DRIVER, NULL},      {ncclInvalidArgument, BE_DRIVER, NULL},
    {ncclInvalidUsage, BE_DRIVER, NULL},
};

static const struct be_cuda_results results = {"NCCL", meanings, BE_COUNT(meanings)};

/* The library's text of a result is general; the last error's, where it has one, says more. */
static enum be_status check(const struct opened *opened, ncclResult_t result, const char *call,
                            struct be_error *error) {
    const struct be_nccl *nccl = &opened->nccl;
    if (result == ncclSuccess) {
        return BE_OK;
    }
    const char *last = nccl->ncclGetLastError ? nccl->ncclGetLastError(NULL) : NULL;
    return be_cuda_result(&results, result, last && *last ? last : nccl->ncclGetErrorString(result),
                          call, error);
}

static void close_reduce(struct be_reduce *reduce) {
    struct opened *opened = (struct opened *)reduce->handle;
    for (int i = 0; opened && i < opened->devices; i++) {
        if (opened->comm[i]) {
            be_cuda_enter(&opened->device[i]->base);
            (opened->failed ? opened->nccl.ncclCommAbort
                            : opened->nccl.ncclCommDestroy)(opened->comm[i]);
        }
    }
    if (opened) {
        be_dyn_close(opened->nccl.handle);
    }
    free(opened);
    *reduce = (struct be_reduce){0};
}

static enum be_status take_devices(struct opened *opened, struct be_device *const *device,
                                   int count, struct be_error *error) {
    if (count < 1 || count > BE_DEVICES_MAX) {
        return be_fail(error, BE_USAGE, "sums across %d devices: 1 to %d", count,
                       (int)BE_DEVICES_MAX);
    }
    for (int i = 0; i < count; i++) {
        struct be_cuda_device *d = (struct be_cuda_device *)device[i];
        for (int k = 0; k < i; k++) {
            if (opened->device[k]->device == d->device) {
                return be_fail(error, BE_USAGE, "NCCL: %s is there twice", d->base.info.id);
            }
        }
        opened->device[i] = d;
    }
    return BE_OK;
}

/* The driver's numbers of devices are those of the library's. */
static enum be_status init(struct opened *opened, int count, struct be_error *error) {
    char call[BE_NAME];
    int number[BE_DEVICES_MAX];
    for (int i = 0; i < count; i++) {
        number[i] = opened->device[i]->device;
    }
    snprintf(call, sizeof call, "ncclCommInitAll of %d GPUs", count);
    be_cuda_enter(&opened->device[0]->base);
    const enum be_status status =
        check(opened, opened->nccl.ncclCommInitAll(opened->comm, count, number), call, error);
    if (status != BE_OK) {
        memset(opened->comm, 0, sizeof opened->comm);
    }
    opened->devices = status == BE_OK ? count : 0;
    return status;
}

/* 22703 is 2.27.3; before 2.9 it was 2804 for 2.8.4. */
static void name_version(char *name, size_t capacity, int version) {
    const int unit = version < 10000 ? 1000 : 10000;
    snprintf(name, capacity, "NCCL %d.%d.%d", version / unit, version % unit / 100, version % 100);
}

static enum be_status open_reduce(struct be_device *const *device, int count,
                                  struct be_reduce *reduce, struct be_error *error) {
    const struct be_clock clock = be_clock_host();
    const double start = be_now(&clock);
    struct opened *opened = calloc(1, sizeof *opened);
    int version = 0;
    *reduce = (struct be_reduce){.handle = (uintptr_t)opened};
    if (!opened) {
        return be_fail(error, BE_NOMEM, "NCCL: no host memory");
    }
    enum be_status status = take_devices(opened, device, count, error);
    if (status == BE_OK) {
        status = be_nccl_open(&opened->nccl, error);
    }
    if (status == BE_OK) {
        status = check(opened, opened->nccl.ncclGetVersion(&version), "ncclGetVersion", error);
    }
    if (status == BE_OK) {
        status = init(opened, count, error);
    }
    if (status != BE_OK) {
        close_reduce(reduce);
        return status;
    }
    name_version(reduce->name, sizeof reduce->name, version);
    reduce->open_s = be_now(&clock) - start;
    return BE_OK;
}

static enum be_status sum_one(const struct opened *opened, int i, const struct be_sum *sum,
                              struct be_error *error) {
    const struct be_buffer *buffer = sum->buffer[i];
    char call[BE_NAME];
    if (sum->numbers > buffer->bytes / sizeof(float)) {
        return be_fail(error, BE_USAGE, "a sum of %zu numbers in %zu bytes", sum->numbers,
                       buffer->bytes);
    }
    void *memory = (void *)buffer->handle;
    snprintf(call, sizeof call, "ncclAllReduce of %zu numbers", sum->numbers);
    return check(opened,
                 opened->nccl.ncclAllReduce(memory, memory, sum->numbers, ncclFloat32, ncclSum,
                                            opened->comm[i],
                                            opened->device[i]->stream[BE_QUEUE_WORK]),
                 call, error);
}

/* All calls of a step are one group, or the first would wait for the second, which has not been put. */
static enum be_status sum_all(const struct be_reduce *reduce, const struct be_sum *sum, int sums,
                              struct be_error *error) {
    struct opened *opened = (struct opened *)reduce->handle;
    enum be_status status = check(opened, opened->nccl.ncclGroupStart(), "ncclGroupStart", error);
    if (status != BE_OK) {
        return status;
    }
    for (int i = 0; status == BE_OK && i < opened->devices; i++) {
        for (int k = 0; status == BE_OK && k < sums; k++) {
            status = sum_one(opened, i, &sum[k], error);
        }
    }
    const ncclResult_t ended = opened->nccl.ncclGroupEnd();
    status = status == BE_OK ? check(opened, ended, "ncclGroupEnd", error) : status;
    opened->failed = opened->failed || status != BE_OK;
    return status;
}

const struct be_reduce_ops be_cuda_reduce = {
    .open = open_reduce, .close = close_reduce, .sum = sum_all};
