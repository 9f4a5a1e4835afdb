/* From one device's memory straight into another's. */
#include "base/error.h"
#include "device/cuda/cuda.h"

/* Lets `from` reach the memory of `to`; once is enough for as long as both contexts live. */
static enum be_status let_reach(struct be_cuda_device *from, struct be_cuda_device *to,
                                struct be_error *error) {
    const struct be_cuda *cuda = &from->cuda;
    int can = 0;
    enum be_status status =
        be_cuda_check(cuda, cuda->cuDeviceCanAccessPeer(&can, from->device, to->device),
                      "cuDeviceCanAccessPeer", error);
    if (status != BE_OK) {
        return status;
    }
    /* The driver would copy all the same, by way of host memory: that is not what was asked. */
    if (!can) {
        return be_fail(error, BE_ABSENT, "%s cannot reach the memory of %s directly here",
                       from->base.info.id, to->base.info.id);
    }
    cuda->cuCtxSetCurrent(from->context);
    CUresult result = cuda->cuCtxEnablePeerAccess(to->context, 0);
    if (result == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) { /* by the program around us */
        return BE_OK;
    }
    status = be_cuda_check(cuda, result, "cuCtxEnablePeerAccess", error);
    if (result == CUDA_ERROR_PEER_ACCESS_UNSUPPORTED || result == CUDA_ERROR_TOO_MANY_PEERS) {
        status = error ? (error->status = BE_ABSENT) : BE_ABSENT;
    }
    return status;
}

/* Both ways, because which of the two moves the bytes is the driver's choice. */
static enum be_status enable(struct be_cuda_device *d, struct be_cuda_device *other,
                             struct be_error *error) {
    for (int i = 0; i < d->peers; i++) {
        if (d->peer[i].context == other->context && d->peer[i].opened_s == other->opened_s) {
            return BE_OK;
        }
    }
    enum be_status status = let_reach(d, other, error);
    status = status == BE_OK ? let_reach(other, d, error) : status;
    if (status == BE_OK && d->peers < (int)BE_COUNT(d->peer)) {
        d->peer[d->peers++] = (struct be_cuda_peer){other->context, other->opened_s};
    }
    return status;
}

enum be_status be_cuda_copy_peer(struct be_device *device, enum be_queue queue,
                                 const struct be_buffer *to, struct be_device *other,
                                 const struct be_buffer *from, size_t bytes,
                                 struct be_error *error) {
    struct be_cuda_device *d = (struct be_cuda_device *)device;
    struct be_cuda_device *o = (struct be_cuda_device *)other;
    const struct be_cuda *cuda = &d->cuda;
    if (other->ops != device->ops) {
        return be_fail(error, BE_USAGE, "copy from %s to %s: they are of two kinds", other->info.id,
                       device->info.id);
    }
    if (!cuda->cuDeviceCanAccessPeer || !cuda->cuCtxEnablePeerAccess || !cuda->cuMemcpyPeerAsync) {
        return be_fail(error, BE_ABSENT, "%s: this driver has no copies between devices",
                       device->info.id);
    }
    enum be_status status = enable(d, o, error);
    if (status != BE_OK) {
        return status;
    }
    be_cuda_enter(device);
    return be_cuda_check(cuda,
                         cuda->cuMemcpyPeerAsync(to->handle, d->context, from->handle, o->context,
                                                 bytes, d->stream[queue]),
                         "cuMemcpyPeerAsync", error);
}
