/* The fake CUDA driver's graphs: what is put into a captured stream is kept, and copied into a
 * stream again at each launch. */
#include <stdlib.h>

#include "dyn/nvidia/cuda.h"
#include "objects.h"

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
    CUresult code = begin(AT_cuStreamBeginCapture_v2);
    struct object *object = object_find(FAKE_STREAM, stream);
    if (code != CUDA_SUCCESS) {
        return code;
    }
    if (!object || object->capture || mode != CU_STREAM_CAPTURE_MODE_RELAXED) {
        return fake_misuse(INVALID_HANDLE, "cuStreamBeginCapture of what cannot be captured");
    }
    object->capture = object_make(FAKE_GRAPH);
    return CUDA_SUCCESS;
}

/* The stream is no longer captured, whatever it answers. */
CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
    CUresult code = begin(AT_cuStreamEndCapture);
    struct object *object = object_find(FAKE_STREAM, stream);
    *graph = NULL;
    if (!object || !object->capture) {
        return fake_misuse(INVALID_HANDLE, "cuStreamEndCapture of what is not captured");
    }
    struct object *captured = object->capture;
    object->capture = NULL;
    if (code != CUDA_SUCCESS) {
        free_commands(captured);
        object_drop(captured);
        return code;
    }
    *graph = (CUgraph)(void *)captured;
    return CUDA_SUCCESS;
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *node, size_t *count) {
    CUresult code = begin(AT_cuGraphGetNodes);
    const struct object *object = object_find(FAKE_GRAPH, graph);
    if (code == CUDA_SUCCESS && (!object || node)) {
        code = fake_misuse(INVALID_HANDLE, "cuGraphGetNodes of what is not a graph");
    }
    if (code == CUDA_SUCCESS) {
        *count = object->commands;
    }
    return code;
}

static struct command *copy_of(const struct command *from) {
    struct command *c = malloc(sizeof *c);
    if (!c) {
        abort();
    }
    *c = *from;
    c->next = NULL;
    return c;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
    CUresult code = begin(AT_cuGraphInstantiateWithFlags);
    const struct object *object = object_find(FAKE_GRAPH, graph);
    if (code == CUDA_SUCCESS && (!object || flags != 0)) {
        code = fake_misuse(INVALID_HANDLE, "cuGraphInstantiateWithFlags of what is not a graph");
    }
    if (code != CUDA_SUCCESS) {
        return code;
    }
    struct object *ready = object_make(FAKE_EXEC);
    for (const struct command *c = object->head; c; c = c->next) {
        append(ready, copy_of(c));
    }
    *exec = (CUgraphExec)(void *)ready;
    return CUDA_SUCCESS;
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
    CUresult code = begin(AT_cuGraphLaunch);
    const struct object *object = object_find(FAKE_EXEC, exec);
    struct object *queue = object_find(FAKE_STREAM, stream);
    if (code == CUDA_SUCCESS && (!object || !queue || queue->capture)) {
        code = fake_misuse(INVALID_HANDLE, "cuGraphLaunch of what is not a graph, or a stream");
    }
    for (const struct command *c = code == CUDA_SUCCESS ? object->head : NULL; c; c = c->next) {
        append(queue, copy_of(c));
    }
    return code;
}

static CUresult destroy(int at, enum be_fake_kind kind, const void *handle) {
    CUresult code = begin(at);
    struct object *object = object_find(kind, handle);
    if (!object) {
        return fake_misuse(INVALID_HANDLE, "%s of what is not a graph", fake.function[at].name);
    }
    free_commands(object);
    object_drop(object);
    return code;
}

CUresult cuGraphExecDestroy(CUgraphExec exec) {
    return destroy(AT_cuGraphExecDestroy, FAKE_EXEC, exec);
}

CUresult cuGraphDestroy(CUgraph graph) {
    return destroy(AT_cuGraphDestroy, FAKE_GRAPH, graph);
}
