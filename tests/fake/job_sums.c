/* Sums across two devices, of two kinds of buffers at once and twice. */
#include "base/error.h"
#include "device/device.h"
#include "job.h"

enum { DEVICES = 2, SUMS = 2, NUMBERS = 3, BYTES = NUMBERS * sizeof(float) };

struct both {
    struct be_device *device[DEVICES];
    struct be_buffer buffer[SUMS][DEVICES];
    struct be_pinned pinned[DEVICES];
    struct be_reduce reduce;
};

static enum be_status open_both(struct both *both, struct be_error *error) {
    const struct be_device_ops *ops = &be_cuda_ops;
    struct be_device_info info[DEVICES];
    int count = 0;
    enum be_status status = ops->probe(info, DEVICES, &count, error);
    for (int i = 0; status == BE_OK && i < DEVICES; i++) {
        status = ops->open(&info[i], NULL, &both->device[i], error);
        for (int k = 0; status == BE_OK && k < SUMS; k++) {
            status = ops->memory->alloc(both->device[i], BYTES, &both->buffer[k][i], error);
        }
        status =
            status ? status : ops->memory->pin(both->device[i], BYTES, &both->pinned[i], error);
    }
    return status ? status : ops->reduce->open(both->device, DEVICES, &both->reduce, error);
}

static void close_both(struct both *both) {
    const struct be_device_ops *ops = &be_cuda_ops;
    ops->reduce->close(&both->reduce);
    for (int i = 0; i < DEVICES && both->device[i]; i++) {
        for (int k = 0; k < SUMS; k++) {
            ops->memory->release(both->device[i], &both->buffer[k][i]);
        }
        ops->memory->unpin(both->device[i], &both->pinned[i]);
        ops->close(both->device[i]);
    }
}

/* Number n of sum k on device i is 100 k + 10 i + n. */
static enum be_status fill(struct both *both, struct be_error *error) {
    enum be_status status = BE_OK;
    for (int at = 0; status == BE_OK && at < DEVICES * SUMS; at++) {
        const int i = at % DEVICES;
        const int k = at / DEVICES;
        struct be_device *device = both->device[i];
        float *numbers = both->pinned[i].host;
        for (int n = 0; n < NUMBERS; n++) {
            numbers[n] = (float)(100 * k + 10 * i + n);
        }
        status = device->ops->queue->write(device, BE_QUEUE_WORK, &both->buffer[k][i], 0, numbers,
                                           BYTES, error);
        status = status ? status : device->ops->queue->drain(device, BE_QUEUE_WORK, error);
    }
    return status;
}

static enum be_status expect(struct both *both, int i, int k, struct be_error *error) {
    struct be_device *device = both->device[i];
    const float *numbers = both->pinned[i].host;
    enum be_status status = device->ops->queue->read(device, BE_QUEUE_WORK, both->pinned[i].host,
                                                     &both->buffer[k][i], 0, BYTES, error);
    status = status ? status : device->ops->queue->drain(device, BE_QUEUE_WORK, error);
    for (int n = 0; status == BE_OK && n < NUMBERS; n++) {
        const int wanted = 2 * (100 * k + n) + 10;
        if ((int)numbers[n] != wanted) {
            status = be_fail(error, BE_WRONG, "sum %d, device %d: number %d is %g, not %d", k, i, n,
                             (double)numbers[n], wanted);
        }
    }
    return status;
}

enum be_status job_sums(struct be_error *error) {
    struct both both = {0};
    const struct be_buffer *buffer[SUMS][DEVICES];
    struct be_sum sum[SUMS];
    for (int k = 0; k < SUMS; k++) {
        for (int i = 0; i < DEVICES; i++) {
            buffer[k][i] = &both.buffer[k][i];
        }
        sum[k] = (struct be_sum){buffer[k], NUMBERS};
    }
    enum be_status status = open_both(&both, error);
    for (int round = 0; status == BE_OK && round < 2; round++) {
        status = fill(&both, error);
        status = status ? status : be_cuda_ops.reduce->sum(&both.reduce, sum, SUMS, error);
        for (int at = 0; status == BE_OK && at < DEVICES * SUMS; at++) {
            status = expect(&both, at % DEVICES, at / DEVICES, error);
        }
    }
    close_both(&both);
    return status;
}
