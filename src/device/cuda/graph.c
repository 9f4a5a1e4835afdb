/* Launches kept in a graph, to be put into a queue again as one. */
#include "base/error.h"
#include "device/cuda/cuda.h"

enum be_status be_cuda_capture(struct be_device *device, enum be_queue queue,
                               struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    const struct be_cuda *cuda = &d->cuda;
    if (!cuda->cuStreamBeginCapture_v2 || !cuda->cuStreamEndCapture ||
        !cuda->cuGraphInstantiateWithFlags || !cuda->cuGraphLaunch || !cuda->cuGraphExecDestroy ||
        !cuda->cuGraphDestroy) {
        return be_fail(error, BE_ABSENT,
                       "%s: this driver is too old for graphs (CUDA 11.4 has all it takes)",
                       device->info.id);
    }
    /* Relaxed: a kernel that is loaded only when it is first launched may allocate meanwhile. */
    return be_cuda_check(
        cuda, cuda->cuStreamBeginCapture_v2(d->stream[queue], CU_STREAM_CAPTURE_MODE_RELAXED),
        "cuStreamBeginCapture", error);
}

enum be_status be_cuda_captured(struct be_device *device, enum be_queue queue,
                                struct be_graph *graph, struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    const struct be_cuda *cuda = &d->cuda;
    CUgraph plan = NULL;
    CUgraphExec exec = NULL;
    size_t nodes = 0;
    *graph = (struct be_graph){0};
    /* Whatever it answers, the queue runs what is put into it again. */
    enum be_status status = be_cuda_check(cuda, cuda->cuStreamEndCapture(d->stream[queue], &plan),
                                          "cuStreamEndCapture", error);
    if (status == BE_OK && cuda->cuGraphGetNodes) {
        status = be_cuda_check(cuda, cuda->cuGraphGetNodes(plan, NULL, &nodes), "cuGraphGetNodes",
                               error);
    }
    if (status == BE_OK) {
        status = be_cuda_check(cuda, cuda->cuGraphInstantiateWithFlags(&exec, plan, 0),
                               "cuGraphInstantiateWithFlags", error);
    }
    if (status == BE_OK) {
        *graph = (struct be_graph){.handle = (uintptr_t)exec, .nodes = (int)nodes};
    }
    if (plan) {
        cuda->cuGraphDestroy(plan);
    }
    return status;
}

enum be_status be_cuda_replay(struct be_device *device, enum be_queue queue,
                              const struct be_graph *graph, struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    return be_cuda_check(&d->cuda,
                         d->cuda.cuGraphLaunch((CUgraphExec)graph->handle, d->stream[queue]),
                         "cuGraphLaunch", error);
}

void be_cuda_forget_graph(struct be_device *device, struct be_graph *graph) {
    struct be_cuda_device *d = be_cuda_enter(device);
    if (graph->handle) {
        d->cuda.cuGraphExecDestroy((CUgraphExec)graph->handle);
    }
    *graph = (struct be_graph){0};
}
