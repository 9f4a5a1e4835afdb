#include "sample/events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

/* 32 pages a CPU are within what every user may lock (perf_event_mlock_kb), and hold the maps of a program that loads
 * hundreds of libraries within half a second. */
enum { RING_PAGES = 32 };

static const uint64_t second_ns = 1000000000;

uint64_t be_events_now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * second_ns + (uint64_t)t.tv_nsec;
}

/* ---- opening -------------------------------------------------------------------------------- */

/* CPU time of a task, by the kernel's timers: it is there in every virtual machine, other than counters of cycles. The
 * period is fixed, so each sample stands for the same CPU time. */
static int open_event(int cpu, double rate_hz, bool kernel) {
    struct perf_event_attr attr = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof attr,
        .config = PERF_COUNT_SW_CPU_CLOCK,
        .sample_period = (uint64_t)((double)second_ns / rate_hz),
        .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
        .disabled = 1,
        .inherit = 1,
        .enable_on_exec = 1,
        .exclude_kernel = !kernel,
        .exclude_hv = 1,
        .mmap = 1,
        .mmap2 = 1,
        .comm = 1,
        .comm_exec = 1,
        .task = 1,
        .sample_id_all = 1,
        .use_clockid = 1,
        .clockid = CLOCK_MONOTONIC,
    };
    return (int)syscall(SYS_perf_event_open, &attr, 0, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static enum be_status refused(int cause, struct be_error *error) {
    int paranoid = -1;
    FILE *in = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
    if (in) {
        if (fscanf(in, "%d", &paranoid) != 1) {
            paranoid = -1;
        }
        fclose(in);
    }
    if ((cause == EACCES || cause == EPERM) && paranoid > 2) {
        return be_fail(error, BE_ABSENT,
                       "the kernel samples no programs of users here (perf_event_paranoid is %d); "
                       "an administrator allows it by `sysctl kernel.perf_event_paranoid=2`",
                       paranoid);
    }
    if (cause == EACCES || cause == EPERM) {
        return be_fail(error, BE_ABSENT,
                       "perf events are forbidden here, as containers often have it; run it "
                       "outside the container, or start that with --cap-add=PERFMON");
    }
    return be_fail(error, BE_ABSENT, "the kernel here has no perf events (%s)", strerror(cause));
}

enum be_status be_events_map(struct be_events *events, struct be_error *error) {
    for (int i = 0; i < events->files; i++) {
        void *ring = mmap(NULL, (1 + RING_PAGES) * events->page, PROT_READ | PROT_WRITE, MAP_SHARED,
                          events->file[i], 0);
        events->ring[i] = ring == MAP_FAILED ? NULL : ring;
        if (!events->ring[i]) {
            return be_fail(error, BE_ABSENT,
                           "no memory may be locked for samples (%s): a larger `ulimit -l` allows "
                           "it",
                           strerror(errno));
        }
    }
    return BE_OK;
}

/* CPUs that the command may use; any of those that there are where nothing limits it. */
static bool is_wanted(const cpu_set_t *allowed, size_t cpu) {
    return !allowed || (cpu < CPU_SETSIZE && CPU_ISSET(cpu, allowed));
}

/* One a CPU. 0, or why not, as errno. */
static int open_all(struct be_events *events, size_t cpus, double rate_hz,
                    const cpu_set_t *allowed) {
    for (size_t cpu = 0; cpu < cpus; cpu++) {
        if (!is_wanted(allowed, cpu)) {
            continue;
        }
        int file = open_event((int)cpu, rate_hz, events->kernel);
        if (file < 0 && (errno == EACCES || errno == EPERM) && events->kernel && !events->files) {
            events->kernel = false;
            file = open_event((int)cpu, rate_hz, false);
        }
        if (file >= 0) {
            events->file[events->files++] = file;
        } else if (errno != ENODEV) { /* a CPU that is offline */
            return errno;
        }
    }
    return events->files ? 0 : ENODEV;
}

/* Those that may be used, where the options have a limit: then they are few enough. */
static enum be_status limit_cpus(const struct be_sampling_options *options, cpu_set_t *allowed,
                                 struct be_error *error) {
    const bool known = sched_getaffinity(0, sizeof *allowed, allowed) == 0;
    return known && CPU_COUNT(allowed) <= options->cpus_most
               ? BE_OK
               : be_fail(error, BE_ABSENT,
                         "on more than %d CPUs samples make each new thread and process slower: "
                         "`breakeven ask -- COMMAND` takes them",
                         options->cpus_most);
}

enum be_status be_events_open(const struct be_sampling_options *options, struct be_events *events,
                              struct be_error *error) {
    const long configured = sysconf(_SC_NPROCESSORS_CONF);
    const size_t cpus = configured > 0 ? (size_t)configured : 1;
    const double rate_hz = options->rate_hz > 0 ? options->rate_hz : BE_SAMPLE_HZ;
    cpu_set_t allowed;
    *events = (struct be_events){.page = (size_t)sysconf(_SC_PAGESIZE), .kernel = true};
    if (options->cpus_most && limit_cpus(options, &allowed, error) != BE_OK) {
        return BE_ABSENT;
    }
    events->file = calloc(cpus, sizeof *events->file);
    events->ring = calloc(cpus, sizeof *events->ring);
    if (!events->file || !events->ring) {
        be_events_close(events);
        return be_fail(error, BE_NOMEM, "no host memory for samples");
    }
    const int cause = open_all(events, cpus, rate_hz, options->cpus_most ? &allowed : NULL);
    enum be_status status = cause ? refused(cause, error) : be_events_map(events, error);
    if (status) {
        be_events_close(events);
    }
    return status;
}

void be_events_close(struct be_events *events) {
    for (int i = 0; i < events->files; i++) {
        if (events->ring && events->ring[i]) {
            munmap(events->ring[i], (1 + RING_PAGES) * events->page);
        }
        close(events->file[i]);
    }
    free(events->file);
    free(events->ring);
    *events = (struct be_events){0};
}

/* ---- records -------------------------------------------------------------------------------- */

/* Heads of records as perf_event_open(2) has them. */
struct sample_record {
    uint64_t address;
    uint32_t pid, tid;
    uint64_t time;
};
struct map_record {
    uint32_t pid, tid;
    uint64_t address, length, offset;
    uint32_t major, minor;
    uint64_t inode, generation;
    uint32_t protection, flags;
};
struct task_record {
    uint32_t pid, parent, tid, parent_tid;
    uint64_t time;
};
struct lost_record {
    uint64_t id, count;
};
/* Behind every record but samples, as sample_type has it. */
struct trailer {
    uint32_t pid, tid;
    uint64_t time;
};

static struct be_event *add(struct be_event_batch *batch) {
    if (batch->events == batch->capacity) {
        const size_t capacity = batch->capacity ? 2 * batch->capacity : 1024;
        struct be_event *grown = realloc(batch->event, capacity * sizeof *grown);
        if (!grown) {
            return NULL;
        }
        batch->event = grown;
        batch->capacity = capacity;
    }
    batch->event[batch->events] = (struct be_event){0};
    return &batch->event[batch->events++];
}

static bool add_path(struct be_event_batch *batch, const char *path, size_t *at) {
    const size_t length = strlen(path) + 1;
    if (batch->length + length > batch->room) {
        const size_t room = 2 * (batch->length + length) + 4096;
        char *grown = realloc(batch->text, room);
        if (!grown) {
            return false;
        }
        batch->text = grown;
        batch->room = room;
    }
    *at = batch->length;
    memcpy(batch->text + batch->length, path, length);
    batch->length += length;
    return true;
}

static void take_map(const char *body, uint64_t time_ns, struct be_event_batch *batch) {
    struct map_record map;
    size_t path;
    memcpy(&map, body, sizeof map);
    struct be_event *event = add_path(batch, body + sizeof map, &path) ? add(batch) : NULL;
    if (event) {
        *event = (struct be_event){.kind = BE_EVENT_MAP,
                                   .time_ns = time_ns,
                                   .pid = (int)map.pid,
                                   .address = map.address,
                                   .length = map.length,
                                   .offset = map.offset,
                                   .inode = map.inode,
                                   .path = path};
    }
}

static void take_task(const char *body, struct be_event_batch *batch) {
    struct task_record task;
    memcpy(&task, body, sizeof task);
    struct be_event *event = task.pid != task.parent ? add(batch) : NULL; /* else a thread */
    if (event) {
        *event = (struct be_event){.kind = BE_EVENT_FORK,
                                   .time_ns = task.time,
                                   .pid = (int)task.pid,
                                   .parent = (int)task.parent};
    }
}

/* `body`: the record behind its header, `size` bytes. */
static void take(const struct perf_event_header *header, const char *body, size_t size,
                 struct be_event_batch *batch) {
    struct trailer trailer = {0};
    struct be_event *event;
    if (header->type == PERF_RECORD_SAMPLE) {
        struct sample_record sample;
        memcpy(&sample, body, sizeof sample);
        const bool kernel = (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER;
        if ((event = add(batch))) {
            *event = (struct be_event){.kind = BE_EVENT_SAMPLE,
                                       .time_ns = sample.time,
                                       .pid = (int)sample.pid,
                                       .in_kernel = kernel,
                                       .address = sample.address};
        }
        return;
    }
    if (size < sizeof trailer) {
        return;
    }
    memcpy(&trailer, body + size - sizeof trailer, sizeof trailer);
    if (header->type == PERF_RECORD_MMAP2) {
        take_map(body, trailer.time, batch);
    } else if (header->type == PERF_RECORD_FORK) {
        take_task(body, batch);
    } else if (header->type == PERF_RECORD_COMM && (header->misc & PERF_RECORD_MISC_COMM_EXEC) &&
               (event = add(batch))) {
        *event = (struct be_event){
            .kind = BE_EVENT_EXEC, .time_ns = trailer.time, .pid = (int)trailer.pid};
    } else if (header->type == PERF_RECORD_LOST && (event = add(batch))) {
        struct lost_record lost;
        memcpy(&lost, body, sizeof lost);
        *event =
            (struct be_event){.kind = BE_EVENT_LOST, .time_ns = trailer.time, .count = lost.count};
    }
}

/* A record may lie across the end of the ring. */
static void copy_out(const char *data, size_t size, uint64_t from, char *to, size_t count) {
    const size_t at = (size_t)(from % size), first = count < size - at ? count : size - at;
    memcpy(to, data + at, first);
    memcpy(to + first, data, count - first);
}

static void read_ring(struct be_events *events, int i, struct be_event_batch *batch) {
    struct perf_event_mmap_page *page = events->ring[i];
    const char *data = (const char *)page + events->page;
    const size_t size = RING_PAGES * events->page;
    const uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    uint64_t tail = page->data_tail;
    static const size_t most = UINT16_MAX; /* of a record: perf_event_header.size */
    char *record = malloc(most + 1);
    while (record && head - tail >= sizeof(struct perf_event_header)) {
        struct perf_event_header header;
        copy_out(data, size, tail, (char *)&header, sizeof header);
        if (header.size < sizeof header || header.size > head - tail) {
            break;
        }
        const size_t body = header.size - sizeof header;
        copy_out(data, size, tail + sizeof header, record, body);
        record[body] = '\0';
        take(&header, record, body, batch);
        tail += header.size;
    }
    free(record);
    __atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
}

void be_events_read(struct be_events *events, struct be_event_batch *batch) {
    for (int i = 0; i < events->files; i++) {
        if (events->ring[i]) {
            read_ring(events, i, batch);
        }
    }
}
