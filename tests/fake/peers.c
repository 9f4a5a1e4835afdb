/* The fake CUDA driver's managed memory, memory locked where it is, device UUIDs, and copies between devices. */
#include <stdint.h>
#include <string.h>

#include "dyn/nvidia/cuda.h"
#include "objects.h"

enum { DEVICES = 16, ALREADY = CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED };
static bool reaches[DEVICES][DEVICES];

void forget_peers(int device) {
    for (int i = 0; i < DEVICES; i++) {
        reaches[device][i] = reaches[i][device] = false;
    }
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
    CUresult code = fake_call(AT_cuDeviceGetUuid_v2);
    for (int i = 0; code == CUDA_SUCCESS && i < 16; i++) {
        uuid->bytes[i] = (char)(i == 15 ? 0xf0 + device : i);
    }
    return code;
}

CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned int flags) {
    CUresult code = begin(AT_cuMemAllocManaged);
    if (code != CUDA_SUCCESS) {
        return code;
    }
    if (bytes == 0 || flags != CU_MEM_ATTACH_GLOBAL || fake.in_turn) {
        return fake_misuse(INVALID_VALUE, "cuMemAllocManaged of %zu bytes", bytes);
    }
    bool fits = bytes <= fake.memory_bytes - object_bytes(FAKE_MEMORY);
    const struct object *object = fits ? make_memory(FAKE_MEMORY, bytes) : NULL;
    if (!object) {
        return OUT_OF_MEMORY;
    }
    *pointer = (CUdeviceptr)(uintptr_t)object->memory;
    return CUDA_SUCCESS;
}

/* The caller's memory stays the caller's: it is page-locked for a while. */
CUresult cuMemHostRegister_v2(void *memory, size_t bytes, unsigned int flags) {
    CUresult code = begin(AT_cuMemHostRegister_v2);
    if (code != CUDA_SUCCESS) {
        return code;
    }
    if (!memory || bytes == 0 || flags != 0 || object_holding(FAKE_PINNED, memory, 1)) {
        return fake_misuse(INVALID_VALUE, "cuMemHostRegister of %zu bytes", bytes);
    }
    struct object *object = object_make(FAKE_PINNED);
    object->memory = memory;
    object->bytes = bytes;
    return CUDA_SUCCESS;
}

CUresult cuMemHostUnregister(void *memory) {
    CUresult code = begin(AT_cuMemHostUnregister);
    struct object *object = object_holding(FAKE_PINNED, memory, 1);
    if (!object || object->memory != memory) {
        return fake_misuse(INVALID_VALUE, "cuMemHostUnregister of what is not registered");
    }
    finish_all();
    object->memory = NULL;
    object->bytes = 0;
    object_drop(object);
    return code;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
    CUresult code = fake_call(AT_cuDeviceCanAccessPeer);
    if (code == CUDA_SUCCESS) {
        *can = device != peer && !fake.islands;
    }
    return code;
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
    CUresult code = begin(AT_cuCtxEnablePeerAccess);
    const struct object *to = object_find(FAKE_CONTEXT, peer);
    if (code != CUDA_SUCCESS) {
        return code;
    }
    int from = current_context()->device;
    if (!to || flags != 0 || to->device == from || fake.islands) {
        return fake_misuse(INVALID_CONTEXT, "cuCtxEnablePeerAccess of what cannot be reached");
    }
    code = reaches[from][to->device] ? ALREADY : CUDA_SUCCESS;
    reaches[from][to->device] = true;
    return code;
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                           CUcontext from_context, size_t bytes, CUstream stream) {
    CUresult code = begin(AT_cuMemcpyPeerAsync);
    const struct object *here = object_find(FAKE_CONTEXT, to_context);
    const struct object *there = object_find(FAKE_CONTEXT, from_context);
    const char *source = (const char *)(uintptr_t)from;
    char *target = (char *)(uintptr_t)to;
    struct command *c = NULL;
    if (code != CUDA_SUCCESS) {
        return code;
    }
    const struct object *source_memory = object_holding(FAKE_MEMORY, source, bytes);
    const struct object *target_memory = object_holding(FAKE_MEMORY, target, bytes);
    if (!here || !there || !source_memory || !target_memory ||
        source_memory->device != there->device || target_memory->device != here->device) {
        return fake_misuse(INVALID_VALUE, "cuMemcpyPeerAsync of what the contexts do not hold");
    }
    if (!reaches[here->device][there->device] || !reaches[there->device][here->device]) {
        return fake_misuse(INVALID_VALUE, "cuMemcpyPeerAsync by way of the host");
    }
    if ((c = put(AT_cuMemcpyPeerAsync, stream, &code)) != NULL) {
        c->what = COPY;
        c->to = target;
        c->from = source;
        c->bytes = bytes;
    }
    return code;
}
