#include "aggregate.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "cupti_table.h"

/* ---- names ----------------------------------------------------------------------------------- */

/* Through the kernel, which answers EFAULT where a read of ours would end the program. Where a sandbox
 * forbids that call: as long as the page is mapped. */
static bool read_bytes(const char *from, char *to, size_t bytes) {
    struct iovec here = {to, bytes};
    struct iovec there = {(void *)(uintptr_t)from, bytes};
    if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)bytes) {
        return true;
    }
    unsigned char resident = 0;
    uintptr_t page = (uintptr_t)from & ~(uintptr_t)4095;
    char probe = 0;
    struct iovec one = {&probe, 1};
    struct iovec mine = {&probe, 1};
    if (process_vm_readv(getpid(), &one, 1, &mine, 1, 0) == 1 ||
        mincore((void *)page, 1, &resident) != 0) {
        return false; /* the call works: so the text was not there */
    }
    memcpy(to, from, bytes);
    return true;
}

bool aggregate_read_text(const char *from, char *to, size_t capacity) {
    size_t length = 0;
    if (!from) {
        return false;
    }
    while (length + 1 < capacity) {
        /* Up to a multiple of 64: never across a page. */
        size_t bytes = 64 - ((uintptr_t)(from + length) & 63);
        bytes = bytes < capacity - 1 - length ? bytes : capacity - 1 - length;
        if (!read_bytes(from + length, to + length, bytes)) {
            return false;
        }
        const char *end = memchr(to + length, '\0', bytes);
        if (end) {
            return true;
        }
        length += bytes;
    }
    to[length] = '\0';
    return true;
}

static int find_kernel(struct be_gpu_record *record, const char *name) {
    for (uint32_t i = 0; i < record->kernels; i++) {
        if (strcmp(record->kernel[i].name, name) == 0) {
            return (int)i;
        }
    }
    if (record->kernels == BE_GPU_RECORD_KERNELS) {
        return -1;
    }
    snprintf(record->kernel[record->kernels].name, BE_GPU_RECORD_NAME, "%s", name);
    return (int)record->kernels++;
}

/* Index in the record; -1: no name, or no place. */
static int kernel_of(struct aggregate *aggregate, const char *pointer) {
    char name[BE_GPU_RECORD_NAME];
    size_t at = (size_t)(((uintptr_t)pointer >> 3) * 0x9e3779b97f4a7c15u >> 55) % NAMES_CACHED;
    if (aggregate->cached[at].pointer != pointer) {
        aggregate->cached[at].kernel = aggregate_read_text(pointer, name, sizeof name)
                                           ? find_kernel(&aggregate->record, name)
                                           : -1;
        aggregate->cached[at].pointer = pointer;
    }
    return pointer ? aggregate->cached[at].kernel : -1;
}

void aggregate_begin(struct aggregate *aggregate) {
    memset(aggregate->cached, 0, sizeof aggregate->cached);
}

/* ---- devices --------------------------------------------------------------------------------- */

/* Index in the record; -1: no place. */
static int device_of(struct aggregate *aggregate, uint32_t number) {
    struct be_gpu_record *record = &aggregate->record;
    for (uint32_t i = 0; i < record->devices; i++) {
        if (record->device[i].number == number) {
            return (int)i;
        }
    }
    if (record->devices == BE_GPU_RECORD_DEVICES) {
        return -1;
    }
    struct be_gpu_device *device = &record->device[record->devices];
    device->used = 1;
    device->number = number;
    return (int)record->devices++;
}

static void seen(struct be_gpu_device *device, uint64_t start, uint64_t end) {
    device->first_ns = device->first_ns == 0 || start < device->first_ns ? start : device->first_ns;
    device->last_ns = end > device->last_ns ? end : device->last_ns;
}

/* ---- one kind of record each ------------------------------------------------------------------ */

static void add_kernel(struct aggregate *aggregate, const void *activity) {
    const struct cupti_kernel *kernel = activity;
    int device = device_of(aggregate, kernel->device);
    if (device < 0 || kernel->start == 0 || kernel->end < kernel->start) {
        return;
    }
    struct be_gpu_device *of = &aggregate->record.device[device];
    uint64_t ns = kernel->end - kernel->start;
    int at = kernel_of(aggregate, kernel->name);
    seen(of, kernel->start, kernel->end);
    tally_add(&of->kernels, ns);
    timeline_add(&aggregate->timeline, &aggregate->record, SPAN_KERNEL, device, kernel->start,
                 kernel->end);
    if (at < 0) {
        aggregate->record.kernels_unnamed++;
        return;
    }
    struct be_gpu_kernel *named = &aggregate->record.kernel[at];
    tally_add(&named->time, ns);
    if (strncmp(named->name, "nccl", 4) == 0) {
        of->nccl_ns += ns;
    }
}

static enum be_gpu_way way_of(const struct cupti_copy *copy) {
    switch (copy->way) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
        return BE_GPU_TO_DEVICE;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
        return BE_GPU_TO_HOST;
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
        return BE_GPU_PEER;
    default:
        return copy->kind == CUPTI_ACTIVITY_KIND_MEMCPY2 ? BE_GPU_PEER : BE_GPU_WITHIN;
    }
}

/* The kind of memory that the host's side of a copy is. */
static enum be_gpu_host host_of(const struct cupti_copy *copy, enum be_gpu_way way) {
    uint8_t side = way == BE_GPU_TO_DEVICE ? copy->from : copy->to;
    if (way != BE_GPU_TO_DEVICE && way != BE_GPU_TO_HOST) {
        return BE_GPU_OTHER;
    }
    switch (side) {
    case CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE:
        return BE_GPU_PAGEABLE;
    case CUPTI_ACTIVITY_MEMORY_KIND_PINNED:
        return BE_GPU_PINNED;
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED:
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC:
        return BE_GPU_MANAGED;
    default:
        return BE_GPU_OTHER;
    }
}

static void add_copies(struct be_gpu_copies *copies, uint64_t bytes, uint64_t ns) {
    copies->count++;
    copies->bytes += bytes;
    copies->total_ns += ns;
}

static void add_copy(struct aggregate *aggregate, const void *activity) {
    const struct cupti_copy *copy = activity;
    int device = device_of(aggregate, copy->device);
    enum be_gpu_way way = way_of(copy);
    if (device < 0 || copy->start == 0 || copy->end < copy->start) {
        return;
    }
    struct be_gpu_device *of = &aggregate->record.device[device];
    seen(of, copy->start, copy->end);
    add_copies(&of->copies[way][host_of(copy, way)], copy->bytes, copy->end - copy->start);
    timeline_add(&aggregate->timeline, &aggregate->record, SPAN_COPY, device, copy->start,
                 copy->end);
}

/* CUPTI numbers the driver's compiler 1, and the others from 1 << 16. */
static void add_cost(struct aggregate *aggregate, const void *activity) {
    const struct cupti_cost *cost = activity;
    int what = cost->what == 1 ? BE_GPU_COST_COMPILER : cost->what >> 16;
    bool known = cost->what == 1 || (what > 0 && what < BE_GPU_COST_OTHER);
    if (cost->end >= cost->start) {
        add_copies(&aggregate->record.costs[known ? what : BE_GPU_COST_OTHER], 0,
                   cost->end - cost->start);
    }
}

static const struct {
    CUpti_ActivityKind kind;
    void (*add)(struct aggregate *aggregate, const void *activity);
} adders[] = {
    {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, add_kernel},
    {CUPTI_ACTIVITY_KIND_KERNEL, add_kernel},
    {CUPTI_ACTIVITY_KIND_MEMCPY, add_copy},
    {CUPTI_ACTIVITY_KIND_MEMCPY2, add_copy},
    {CUPTI_ACTIVITY_KIND_OVERHEAD, add_cost},
};

void aggregate_add(struct aggregate *aggregate, const CUpti_Activity *activity) {
    aggregate->record.records++;
    for (size_t i = 0; i < sizeof adders / sizeof adders[0]; i++) {
        if (adders[i].kind == activity->kind) {
            adders[i].add(aggregate, activity);
            return;
        }
    }
}

void aggregate_add_call(struct aggregate *aggregate, const struct call_time *time) {
    static const int wait_of[] = {[CALL_WAIT_EVENT] = BE_GPU_SYNC_EVENT,
                                  [CALL_WAIT_STREAM] = BE_GPU_SYNC_STREAM,
                                  [CALL_WAIT_DEVICE] = BE_GPU_SYNC_CONTEXT};
    struct be_gpu_record *record = &aggregate->record;
    uint64_t ns = time->end - time->start;
    if (time->call == CALL_LAUNCH) {
        tally_add(time->runtime ? &record->runtime_launches : &record->driver_launches, ns);
        return;
    }
    tally_add(&record->syncs[wait_of[time->call]], ns);
    timeline_add(&aggregate->timeline, record, SPAN_SYNC, 0, time->start, time->end);
}

void aggregate_settle(struct aggregate *aggregate, uint64_t until) {
    timeline_sweep(&aggregate->timeline, &aggregate->record, until);
}

void aggregate_read(struct aggregate *aggregate, uint64_t until, struct be_gpu_record *record) {
    *record = aggregate->record;
    timeline_peek(&aggregate->timeline, record, until);
}
