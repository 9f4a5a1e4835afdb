/*
 * The fake CUDA driver's streams, events and launches. Lazy: nothing put into a stream happens
 * before someone waits for it, so code that reads a result too early is caught every time.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dyn/nvidia/cuda.h"
#include "distance.h"
#include "gemm.h"
#include "objects.h"

static struct object *streams[64]; /* all of them, for waits that mean the whole device */
enum { STREAMS = sizeof streams / sizeof streams[0] };

/* ---- doing what was put off ----------------------------------------------------------------- */

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool measures_ceilings(const struct be_host_kernel *kernel) {
    return strcmp(kernel->name, "k_power") != 0 && strcmp(kernel->name, "k_multiply") != 0 &&
           strcmp(kernel->name, "k_gemm") != 0 &&
           strncmp(kernel->name, "k_fused", strlen("k_fused")) != 0;
}

/* Its rounds touch no memory: a few of them do what all do. */
static void run_few_rounds(const struct command *c, const void **value) {
    static const int64_t few = 4;
    if (strcmp(c->kernel->name, "k_fma") == 0 || strcmp(c->kernel->name, "k_row") == 0) {
        value[1] = &few;
    }
}

static void run_kernel(const struct command *c) {
    const void *value[ARGUMENTS];
    struct be_launch_point at = {.lanes = {c->lanes, 1, 1}};
    if (fake.idle && measures_ceilings(c->kernel)) {
        return;
    }
    for (int i = 0; i < ARGUMENTS; i++) {
        value[i] = c->argument[i];
    }
    run_few_rounds(c, value);
    for (at.group[0] = 0; at.group[0] < c->groups; at.group[0]++) {
        for (at.lane[0] = 0; at.lane[0] < c->lanes; at.lane[0]++) {
            c->kernel->run(&at, value);
        }
    }
}

static void advance(struct object *stream, const struct object *event, unsigned long turn,
                    bool drop);

/* A stream that was lost is dropped: its events come, its work does not. */
static void execute(struct command *c, bool drop) {
    switch (c->what) {
    case COPY:
        if (!drop) {
            memcpy(c->to, c->from, c->bytes);
        }
        break;
    case FILL:
        if (!drop) {
            memset(c->to, c->byte, c->bytes);
        }
        break;
    case LAUNCH:
        if (!drop) {
            run_kernel(c);
        }
        break;
    case CALL:
        if (!drop) {
            c->run(c->context);
        }
        break;
    case RECORD:
        c->event->done = c->turn;
        c->event->when_s = now();
        break;
    case FOLLOW:
        if (c->turn > 0) {
            advance(c->event->stream, c->event, c->turn, drop);
        }
        break;
    }
}

/* In order, until the event's recording `turn` is done, or to the end (NULL). */
static void advance(struct object *stream, const struct object *event, unsigned long turn,
                    bool drop) {
    while (stream->head && (!event || event->done < turn)) {
        struct command *c = stream->head;
        stream->head = c->next;
        stream->tail = c->next ? stream->tail : NULL;
        execute(c, drop);
        free(c);
    }
}

void finish_all(void) {
    for (int i = 0; i < STREAMS; i++) {
        if (streams[i]) {
            advance(streams[i], NULL, 0, fake.lost != 0);
        }
    }
}

void append(struct object *list, struct command *command) {
    if (list->tail) {
        list->tail->next = command;
    } else {
        list->head = command;
    }
    list->tail = command;
    list->commands++;
}

void free_commands(struct object *list) {
    while (list->head) {
        struct command *c = list->head;
        list->head = c->next;
        free(c);
    }
    list->tail = NULL;
}

struct command *put(int at, CUstream handle, CUresult *code) {
    struct object *stream = object_find(FAKE_STREAM, handle);
    if (!stream) {
        *code = fake_misuse(INVALID_HANDLE, "%s on what is not a stream", fake.function[at].name);
        return NULL;
    }
    struct command *c = calloc(1, sizeof *c);
    if (!c) {
        abort();
    }
    append(stream->capture ? stream->capture : stream, c);
    return c;
}

void be_fake_finish(void) {
    finish_all();
}

int be_fake_put(void *stream, void (*run)(const void *context), const void *context, size_t bytes) {
    CUresult code = CUDA_SUCCESS;
    struct command *c = bytes <= sizeof c->context ? put(0, stream, &code) : NULL;
    if (!c) {
        return INVALID_VALUE;
    }
    c->what = CALL;
    c->run = run;
    memcpy(c->context, context, bytes);
    return CUDA_SUCCESS;
}

/* ---- streams -------------------------------------------------------------------------------- */

CUresult cuStreamCreate(CUstream *stream, unsigned int flags) {
    CUresult code = begin(AT_cuStreamCreate);
    if (code != CUDA_SUCCESS) {
        return code;
    }
    int free_place = 0;
    while (free_place < STREAMS && streams[free_place]) {
        free_place++;
    }
    if (free_place == STREAMS || flags != CU_STREAM_NON_BLOCKING) {
        return INVALID_VALUE;
    }
    streams[free_place] = object_make(FAKE_STREAM);
    *stream = (CUstream)(void *)streams[free_place];
    return CUDA_SUCCESS;
}

CUresult cuStreamDestroy_v2(CUstream stream) {
    CUresult code = begin(AT_cuStreamDestroy_v2);
    struct object *object = object_find(FAKE_STREAM, stream);
    if (!object) {
        return fake_misuse(INVALID_HANDLE, "cuStreamDestroy of what is not a stream");
    }
    if (object->capture) {
        free_commands(object->capture);
        object_drop(object->capture);
    }
    finish_all();
    for (int i = 0; i < STREAMS; i++) {
        streams[i] = streams[i] == object ? NULL : streams[i];
    }
    object_drop(object);
    return code;
}

CUresult cuStreamSynchronize(CUstream stream) {
    CUresult code = begin(AT_cuStreamSynchronize);
    struct object *object = object_find(FAKE_STREAM, stream);
    if (!object) {
        return fake_misuse(INVALID_HANDLE, "cuStreamSynchronize of what is not a stream");
    }
    if (code == CUDA_SUCCESS && object->capture) {
        return fake_misuse(CAPTURE_UNSUPPORTED, "cuStreamSynchronize of what is captured");
    }
    advance(object, NULL, 0, code != CUDA_SUCCESS);
    return code;
}

/* ---- events --------------------------------------------------------------------------------- */

CUresult cuEventCreate(CUevent *event, unsigned int flags) {
    CUresult code = begin(AT_cuEventCreate);
    if (code == CUDA_SUCCESS && flags != CU_EVENT_DEFAULT) {
        code = INVALID_VALUE;
    }
    if (code == CUDA_SUCCESS) {
        *event = (CUevent)(void *)object_make(FAKE_EVENT);
    }
    return code;
}

static bool held(const struct object *event) {
    for (int i = 0; i < STREAMS; i++) {
        for (const struct command *c = streams[i] ? streams[i]->head : NULL; c; c = c->next) {
            if (c->event == event) {
                return true;
            }
        }
    }
    return false;
}

/* Allowed before the event has come, and does not wait for it. */
CUresult cuEventDestroy_v2(CUevent event) {
    CUresult code = begin(AT_cuEventDestroy_v2);
    struct object *object = object_find(FAKE_EVENT, event);
    if (!object) {
        return fake_misuse(INVALID_HANDLE, "cuEventDestroy of what is not an event");
    }
    if (held(object)) {
        object->dead = true; /* a few bytes that stay until the process ends */
        fake.live[FAKE_EVENT]--;
    } else {
        object_drop(object);
    }
    return code;
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
    CUresult code = begin(AT_cuEventRecord);
    struct object *object = object_find(FAKE_EVENT, event);
    struct command *c = NULL;
    if (code == CUDA_SUCCESS && !object) {
        code = fake_misuse(INVALID_HANDLE, "cuEventRecord of what is not an event");
    }
    if (code == CUDA_SUCCESS && (c = put(AT_cuEventRecord, stream, &code)) != NULL) {
        c->what = RECORD;
        c->event = object;
        c->turn = ++object->asked;
        object->stream = object_find(FAKE_STREAM, stream);
    }
    return code;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
    CUresult code = begin(AT_cuStreamWaitEvent);
    struct object *object = object_find(FAKE_EVENT, event);
    struct command *c = NULL;
    if (code == CUDA_SUCCESS && (!object || flags != 0)) {
        code = fake_misuse(INVALID_HANDLE, "cuStreamWaitEvent for what is not an event");
    }
    if (code == CUDA_SUCCESS && (c = put(AT_cuStreamWaitEvent, stream, &code)) != NULL) {
        c->what = FOLLOW;
        c->event = object;
        c->turn = object->asked;
    }
    return code;
}

CUresult cuEventSynchronize(CUevent event) {
    CUresult code = begin(AT_cuEventSynchronize);
    const struct object *object = object_find(FAKE_EVENT, event);
    if (!object) {
        return fake_misuse(INVALID_HANDLE, "cuEventSynchronize of what is not an event");
    }
    if (object->asked > object->done) {
        advance(object->stream, object, object->asked, code != CUDA_SUCCESS);
    }
    return code;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to) {
    CUresult code = begin(AT_cuEventElapsedTime);
    const struct object *start = object_find(FAKE_EVENT, from);
    const struct object *end = object_find(FAKE_EVENT, to);
    if (code != CUDA_SUCCESS) {
        return code;
    }
    if (!start || !end || start->asked == 0 || end->asked == 0) {
        return fake_misuse(INVALID_HANDLE, "cuEventElapsedTime of events not recorded");
    }
    if (start->done < start->asked || end->done < end->asked) {
        return fake_misuse(NOT_READY, "cuEventElapsedTime before the events came");
    }
    *milliseconds = (float)(1e3 * (end->when_s - start->when_s));
    return CUDA_SUCCESS;
}

/* ---- copies and launches -------------------------------------------------------------------- */

static CUresult put_copy(int at, enum be_fake_kind to_kind, char *to, enum be_fake_kind from_kind,
                         const char *from, size_t bytes, CUstream stream) {
    CUresult code = begin(at);
    struct command *c = NULL;
    if (code == CUDA_SUCCESS &&
        (!object_holding(to_kind, to, bytes) || !object_holding(from_kind, from, bytes))) {
        code = fake_misuse(INVALID_VALUE, "%s of %zu bytes beyond what was allocated, or pageable",
                           fake.function[at].name, bytes);
    }
    if (code == CUDA_SUCCESS && (c = put(at, stream, &code)) != NULL) {
        c->what = COPY;
        c->to = to;
        c->from = from;
        c->bytes = bytes;
    }
    return code;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
    return put_copy(AT_cuMemcpyHtoDAsync_v2, FAKE_MEMORY, (char *)(uintptr_t)to, FAKE_PINNED, from,
                    bytes, stream);
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
    return put_copy(AT_cuMemcpyDtoHAsync_v2, FAKE_PINNED, to, FAKE_MEMORY,
                    (const char *)(uintptr_t)from, bytes, stream);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    return put_copy(AT_cuMemcpyDtoDAsync_v2, FAKE_MEMORY, (char *)(uintptr_t)to, FAKE_MEMORY,
                    (const char *)(uintptr_t)from, bytes, stream);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char byte, size_t bytes, CUstream stream) {
    CUresult code = begin(AT_cuMemsetD8Async);
    char *memory = (char *)(uintptr_t)to;
    struct command *c = NULL;
    if (code == CUDA_SUCCESS && !object_holding(FAKE_MEMORY, memory, bytes)) {
        code = fake_misuse(INVALID_VALUE, "cuMemsetD8Async of %zu bytes beyond what was allocated",
                           bytes);
    }
    if (code == CUDA_SUCCESS && (c = put(AT_cuMemsetD8Async, stream, &code)) != NULL) {
        c->what = FILL;
        c->to = memory;
        c->byte = byte;
        c->bytes = bytes;
    }
    return code;
}

static int argument_count(const struct be_host_kernel *kernel) {
    const bool fused = strncmp(kernel->name, "k_fused", strlen("k_fused")) == 0;
    return fused                                  ? FAKE_DISTANCE_ARGUMENTS
           : strcmp(kernel->name, "k_gemm") == 0  ? FAKE_GEMM_ARGUMENTS
           : strcmp(kernel->name, "k_fma") == 0   ? 2
           : strcmp(kernel->name, "k_row") == 0   ? 2
           : strcmp(kernel->name, "k_write") == 0 ? 3
           : strcmp(kernel->name, "k_triad") == 0 ? 4
                                                  : 5;
}

/* Arguments are copied now; the memory they point to is read when the kernel runs. */
static CUresult put_launch(int at, CUfunction function, unsigned int groups, unsigned int lanes,
                           CUstream stream, void **arguments) {
    CUresult code = CUDA_SUCCESS;
    struct command *c = put(at, stream, &code);
    if (c) {
        c->what = LAUNCH;
        memcpy(&c->kernel, &function, sizeof c->kernel);
        c->groups = groups;
        c->lanes = lanes;
        for (int i = 0; i < argument_count(c->kernel); i++) {
            memcpy(c->argument[i], arguments[i], ARGUMENT_BYTES);
        }
    }
    return code;
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void **arguments, void **extra) {
    CUresult code = begin(AT_cuLaunchKernel);
    if (code == CUDA_SUCCESS &&
        (!function || grid_x == 0 || grid_y * grid_z * block_y * block_z != 1 || block_x == 0 ||
         block_x > 1024 || shared_bytes != 0 || extra)) {
        code = fake_misuse(INVALID_VALUE, "cuLaunchKernel of %u groups of %u", grid_x, block_x);
    }
    return code == CUDA_SUCCESS
               ? put_launch(AT_cuLaunchKernel, function, grid_x, block_x, stream, arguments)
               : code;
}

/* ---- groups that run at the same time ------------------------------------------------------- */

enum { UNITS = 4, SHARED_PLAIN = 49152, SHARED_MAX = 232448, TOO_LARGE = 720 };
static int shared_allowed; /* what was asked for, of any kernel */

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
    CUresult code = begin(AT_cuFuncGetAttribute);
    if (code == CUDA_SUCCESS &&
        (!function || attribute != CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH)) {
        return fake_misuse(INVALID_VALUE, "cuFuncGetAttribute of %d", attribute);
    }
    *value = 0; /* no kernel here has clusters */
    return code;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    CUresult code = begin(AT_cuFuncSetAttribute);
    if (code == CUDA_SUCCESS &&
        (!function || attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)) {
        return fake_misuse(INVALID_VALUE, "cuFuncSetAttribute of %d", attribute);
    }
    if (code == CUDA_SUCCESS && value > SHARED_MAX) {
        return INVALID_VALUE;
    }
    shared_allowed = code == CUDA_SUCCESS ? value : shared_allowed;
    return code;
}

/* One group a unit. */
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                   void **arguments) {
    CUresult code = begin(AT_cuLaunchCooperativeKernel);
    if (code != CUDA_SUCCESS) {
        return code;
    }
    if (!function || grid_x == 0 || grid_y * grid_z * block_y * block_z != 1 || block_x == 0 ||
        block_x > 1024 || (shared_bytes > SHARED_PLAIN && (int)shared_bytes > shared_allowed)) {
        return fake_misuse(INVALID_VALUE, "cuLaunchCooperativeKernel of %u groups of %u", grid_x,
                           block_x);
    }
    return grid_x > UNITS ? TOO_LARGE
                          : put_launch(AT_cuLaunchCooperativeKernel, function, grid_x, block_x,
                                       stream, arguments);
}
