/*
 * A fake CUDA driver: one GPU whose memory is host memory. Devices, contexts, memory and modules;
 * queue.c has the rest. A call that releases something does so even when it is told to fail: the
 * real one then reports an earlier call's error.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "dyn/nvidia/cuda.h"
#include "kernel_programs.h"
#include "distance.h"
#include "gemm.h"
#include "objects.h"
#include "../contract/arguments.h"

static struct object *objects;
enum { DEVICES = 16 };
static struct object *primary[DEVICES]; /* contexts; `bytes` counts who holds one */
static bool initialized;
static _Thread_local CUcontext current;

/* ---- objects -------------------------------------------------------------------------------- */

struct object *object_make(enum be_fake_kind kind) {
    struct object *object = calloc(1, sizeof *object);
    if (!object) {
        abort();
    }
    object->kind = kind;
    object->next = objects;
    objects = object;
    fake.live[kind]++;
    return object;
}

struct object *object_find(enum be_fake_kind kind, const void *handle) {
    struct object *object = objects;
    while (object && (object->kind != kind || object->dead || object != handle)) {
        object = object->next;
    }
    return object;
}

struct object *object_holding(enum be_fake_kind kind, const char *memory, size_t bytes) {
    struct object *object = objects;
    while (object && (object->kind != kind || memory < object->memory ||
                      memory + bytes > object->memory + object->bytes)) {
        object = object->next;
    }
    return object;
}

static struct object *object_starting(enum be_fake_kind kind, const char *memory) {
    struct object *object = objects;
    while (object && (object->kind != kind || object->memory != memory)) {
        object = object->next;
    }
    return object;
}

int be_fake_holds(const void *memory, size_t bytes) {
    return object_holding(FAKE_MEMORY, memory, bytes) != NULL;
}

/* Large ones of whole pages lie between two that nobody may touch. A sanitizer would mark each byte of
 * theirs as here and as gone, and jobs take and give back 128 MB of page-locked memory each. */
enum { PAGE = 4096, LARGE = 1 << 20 };

static bool has_pages(size_t bytes) {
    return bytes >= LARGE && bytes % PAGE == 0;
}

static void *take_memory(size_t bytes) {
    enum { ALIGN = 256 };
    void *memory = NULL;
    if (!has_pages(bytes)) {
        return posix_memalign(&memory, ALIGN, bytes) == 0 ? memory : NULL;
    }
    char *pages = mmap(NULL, bytes + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
        return NULL;
    }
    if (mprotect(pages + PAGE, bytes, PROT_READ | PROT_WRITE) != 0) {
        munmap(pages, bytes + 2 * PAGE);
        return NULL;
    }
    return pages + PAGE;
}

static void give_memory(char *memory, size_t bytes) {
    if (has_pages(bytes)) {
        munmap(memory - PAGE, bytes + 2 * PAGE);
    } else {
        free(memory);
    }
}

void object_drop(struct object *object) {
    struct object **link = &objects;
    while (*link != object) {
        link = &(*link)->next;
    }
    *link = object->next;
    fake.live[object->kind] -= !object->dead;
    give_memory(object->memory, object->bytes);
    free(object);
}

size_t object_bytes(enum be_fake_kind kind) {
    size_t bytes = 0;
    for (const struct object *object = objects; object; object = object->next) {
        bytes += object->kind == kind ? object->bytes : 0;
    }
    return bytes;
}

/* ---- the driver and its device -------------------------------------------------------------- */

static CUresult begin_driver(int at, CUdevice device) {
    CUresult code = fake_call(at);
    if (code == CUDA_SUCCESS && !initialized) {
        code = fake_misuse(NOT_INITIALIZED, "call %d of the list before cuInit", at);
    }
    if (code == CUDA_SUCCESS && (device < 0 || device >= fake.devices)) {
        code = INVALID_DEVICE;
    }
    return code;
}

CUresult begin(int at) {
    CUresult code = fake_call(at);
    if (code == CUDA_SUCCESS && (!current || !object_find(FAKE_CONTEXT, current))) {
        code = fake_misuse(INVALID_CONTEXT, "%s without a context", fake.function[at].name);
    }
    return code;
}

CUresult cuInit(unsigned int flags) {
    CUresult code = fake_call(AT_cuInit);
    if (code != CUDA_SUCCESS) {
        return code;
    }
    if (fake.devices == 0) {
        return NO_DEVICE;
    }
    initialized = true;
    return flags == 0 ? CUDA_SUCCESS : INVALID_VALUE;
}

CUresult cuDriverGetVersion(int *version) {
    CUresult code = fake_call(AT_cuDriverGetVersion);
    if (code == CUDA_SUCCESS) {
        *version = 13000;
    }
    return code;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
    static const struct {
        CUresult code;
        const char *text;
    } known[] = {
        {INVALID_VALUE, "invalid argument"},
        {OUT_OF_MEMORY, "out of memory"},
        {NO_DEVICE, "no CUDA-capable device is detected"},
        {INVALID_IMAGE, "device kernel image is invalid"},
        {NOT_FOUND, "named symbol not found"},
        {719, "unspecified launch failure"},
    };
    CUresult code = fake_call(AT_cuGetErrorString);
    *text = NULL;
    if (code != CUDA_SUCCESS && code != fake.lost) { /* this one needs no device */
        return code;
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].code == error) {
            *text = known[i].text;
        }
    }
    return *text ? CUDA_SUCCESS : INVALID_VALUE;
}

CUresult cuDeviceGetCount(int *count) {
    CUresult code = begin_driver(AT_cuDeviceGetCount, 0);
    if (code == CUDA_SUCCESS) {
        *count = fake.devices;
    }
    return code;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    CUresult code = begin_driver(AT_cuDeviceGet, ordinal);
    if (code == CUDA_SUCCESS) {
        *device = ordinal;
    }
    return code;
}

CUresult cuDeviceGetName(char *name, int capacity, CUdevice device) {
    CUresult code = begin_driver(AT_cuDeviceGetName, device);
    if (code == CUDA_SUCCESS) {
        snprintf(name, (size_t)capacity, "Fake GPU%s", fake.part ? " MIG 1g.10gb" : "");
    }
    return code;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
    CUresult code = begin_driver(AT_cuDeviceTotalMem_v2, device);
    if (code == CUDA_SUCCESS) {
        *bytes = fake.memory_bytes;
    }
    return code;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    const struct {
        CUdevice_attribute which;
        int value;
    } known[] = {
        {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1980000},
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 4},
        {CU_DEVICE_ATTRIBUTE_ECC_ENABLED, 1},
        {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, fake.cache_bytes},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, fake.major},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
        {CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, !fake.in_turn},
    };
    CUresult code = begin_driver(AT_cuDeviceGetAttribute, device);
    for (size_t i = 0; code == CUDA_SUCCESS && i < sizeof known / sizeof known[0]; i++) {
        if (known[i].which == attribute) {
            *value = known[i].value;
            return CUDA_SUCCESS;
        }
    }
    return code == CUDA_SUCCESS ? INVALID_VALUE : code;
}

CUresult cuDeviceGetPCIBusId(char *address, int capacity, CUdevice device) {
    CUresult code = begin_driver(AT_cuDeviceGetPCIBusId, device);
    if (code == CUDA_SUCCESS) {
        snprintf(address, (size_t)capacity, "0000:0F:00.%d", fake.part ? 0 : device);
    }
    return code;
}

/* ---- the context ---------------------------------------------------------------------------- */

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    CUresult code = begin_driver(AT_cuDevicePrimaryCtxRetain, device);
    if (code == CUDA_SUCCESS) {
        struct object *object = primary[device] ? primary[device] : object_make(FAKE_CONTEXT);
        object->device = device;
        object->bytes++;
        primary[device] = object;
        *context = (CUcontext)(void *)object;
    }
    return code;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
    CUresult code = begin_driver(AT_cuDevicePrimaryCtxRelease_v2, device);
    if (device < 0 || device >= DEVICES || !primary[device]) {
        return fake_misuse(INVALID_CONTEXT, "a context released that nobody holds");
    }
    if (--primary[device]->bytes == 0) {
        object_drop(primary[device]);
        primary[device] = NULL;
        forget_peers(device);
    }
    return code;
}

struct object *current_context(void) {
    return object_find(FAKE_CONTEXT, current);
}

CUresult cuCtxSetCurrent(CUcontext context) {
    CUresult code = fake_call(AT_cuCtxSetCurrent);
    if (code == CUDA_SUCCESS && context && !object_find(FAKE_CONTEXT, context)) {
        code = fake_misuse(INVALID_CONTEXT, "cuCtxSetCurrent of a context that nobody holds");
    }
    if (code == CUDA_SUCCESS) {
        current = context;
    }
    return code;
}

/* ---- memory --------------------------------------------------------------------------------- */

struct object *make_memory(enum be_fake_kind kind, size_t bytes) {
    enum { GARBAGE = 0xcd, SOME = 1 << 16 };
    void *memory = take_memory(bytes);
    if (!memory) {
        return NULL;
    }
    memset(memory, GARBAGE, bytes < SOME ? bytes : SOME); /* more costs more than it shows */
    struct object *object = object_make(kind);
    object->memory = memory;
    object->bytes = bytes;
    object->device = current_context()->device;
    return object;
}

CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes) {
    CUresult code = begin(AT_cuMemGetInfo_v2);
    if (code == CUDA_SUCCESS) {
        *free_bytes = fake.memory_bytes - object_bytes(FAKE_MEMORY);
        *total_bytes = fake.memory_bytes;
    }
    return code;
}

CUresult cuMemAlloc_v2(CUdeviceptr *pointer, size_t bytes) {
    CUresult code = begin(AT_cuMemAlloc_v2);
    if (code != CUDA_SUCCESS) {
        return code;
    }
    if (bytes == 0) {
        return INVALID_VALUE;
    }
    bool fits = bytes <= fake.memory_bytes - object_bytes(FAKE_MEMORY);
    const struct object *object = fits ? make_memory(FAKE_MEMORY, bytes) : NULL;
    if (!object) {
        return OUT_OF_MEMORY;
    }
    *pointer = (CUdeviceptr)(uintptr_t)object->memory;
    return CUDA_SUCCESS;
}

CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags) {
    CUresult code = begin(AT_cuMemHostAlloc);
    if (code != CUDA_SUCCESS) {
        return code;
    }
    if (bytes == 0 || flags != 0) {
        return INVALID_VALUE;
    }
    const struct object *object =
        bytes <= (size_t)16 << 30 ? make_memory(FAKE_PINNED, bytes) : NULL;
    if (!object) {
        return OUT_OF_MEMORY;
    }
    *pointer = object->memory;
    return CUDA_SUCCESS;
}

/* Waits for the device first, as the real one does. */
static CUresult free_memory(int at, enum be_fake_kind kind, const char *memory) {
    CUresult code = begin(at);
    struct object *object = object_starting(kind, memory);
    if (!object) {
        return fake_misuse(INVALID_VALUE, "%s of what is not allocated", fake.function[at].name);
    }
    finish_all();
    object_drop(object);
    return code;
}

CUresult cuMemFree_v2(CUdeviceptr pointer) {
    return free_memory(AT_cuMemFree_v2, FAKE_MEMORY, (const char *)(uintptr_t)pointer);
}

CUresult cuMemFreeHost(void *pointer) {
    return free_memory(AT_cuMemFreeHost, FAKE_PINNED, pointer);
}

/* ---- modules -------------------------------------------------------------------------------- */

/* The fake NVRTC's image: a line that says for what, then a kernel's name a line. */
CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    CUresult code = begin(AT_cuModuleLoadData);
    if (code != CUDA_SUCCESS) {
        return code;
    }
    if (strncmp(image, "fake sm_90\n", 11) != 0 && strncmp(image, "fake compute_90\n", 16) != 0) {
        return INVALID_IMAGE;
    }
    struct object *object = object_make(FAKE_MODULE);
    object->memory = strdup(image);
    *module = (CUmodule)(void *)object;
    return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module) {
    CUresult code = begin(AT_cuModuleUnload);
    struct object *object = object_find(FAKE_MODULE, module);
    if (!object) {
        return fake_misuse(INVALID_HANDLE, "cuModuleUnload of what is not a module");
    }
    finish_all();
    object_drop(object);
    return code;
}

static const struct be_host_kernel *find_kernel(const struct be_host_kernel *list,
                                                const char *name) {
    while (list->name && strcmp(list->name, name) != 0) {
        list++;
    }
    return list->name ? list : NULL;
}

static bool has_line(const char *text, const char *line) {
    size_t length = strlen(line);
    for (const char *at = text; (at = strchr(at, '\n')) != NULL;) {
        at++;
        if (strncmp(at, line, length) == 0 && at[length] == '\n') {
            return true;
        }
    }
    return false;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    CUresult code = begin(AT_cuModuleGetFunction);
    if (code != CUDA_SUCCESS) {
        return code;
    }
    const struct object *object = object_find(FAKE_MODULE, module);
    if (!object) {
        return fake_misuse(INVALID_HANDLE, "cuModuleGetFunction of what is not a module");
    }
    const struct be_host_kernel *kernel = find_kernel(be_power_host, name);
    kernel = kernel ? kernel : find_kernel(be_multiply_host, name);
    kernel = kernel ? kernel : find_kernel(be_ceilings_host, name);
    kernel = kernel ? kernel : find_kernel(arguments_host, name);
    const bool wide = has_line(object->memory, "BE_REAL64");
    kernel = kernel ? kernel : find_kernel(wide ? fake_distance64 : fake_distance32, name);
    kernel = kernel ? kernel : find_kernel(wide ? fake_gemm64 : fake_gemm32, name);
    if (!kernel || !has_line(object->memory, name)) {
        return NOT_FOUND;
    }
    memcpy(function, &kernel, sizeof *function);
    return CUDA_SUCCESS;
}
