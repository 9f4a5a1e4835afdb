/* Addresses of busy threads. */
#include "observe/sources/where.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "observe/process/pids.h"

/* One thread. */
struct event {
    int pid, tid;
    int file;
    char *ring; /* a page that the kernel and we share, and one of records; NULL: nobody */
    bool kept;
    struct be_where_map map;
};

struct be_where {
    size_t page_bytes;
    struct event event[BE_WHERE_THREADS];
    int refused;
};

static const double busy = 0.05, switches_max = 500;

/* ---- libraries that wait ------------------------------------------------------------------------ */

static be_library_set waiting(void) {
    return be_library_bit(BE_LIB_GOMP) | be_library_bit(BE_LIB_IOMP) | be_library_bit(BE_LIB_OMP) |
           be_library_bit(BE_LIB_MPI);
}

void be_where_add(struct be_where_map *map, const char *line) {
    char flags[8], path[4200] = "";
    uint64_t from, to;
    int at = 0;
    if (map->count == (int)BE_COUNT(map->code) ||
        sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %n", &from, &to, flags, &at) != 3 ||
        flags[2] != 'x' || !strchr(line + at, '/')) {
        return;
    }
    be_copy_text(path, sizeof path, strchr(line + at, '/'));
    path[strcspn(path, "\n")] = '\0';
    const enum be_mapped library = be_library_of(path);
    if (library < BE_LIBS && (be_library_bit(library) & waiting())) {
        map->code[map->count].from = from;
        map->code[map->count++].to = to;
    }
}

bool be_where_waits(const struct be_where_map *map, uint64_t address) {
    for (int i = 0; i < map->count; i++) {
        if (address >= map->code[i].from && address < map->code[i].to) {
            return true;
        }
    }
    return false;
}

static void read_map(int pid, struct be_where_map *map) {
    char path[32], line[4400];
    map->count = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    FILE *in = fopen(path, "re");
    while (in && fgets(line, sizeof line, in)) {
        be_where_add(map, line);
    }
    if (in) {
        fclose(in);
    }
}

/* ---- one thread --------------------------------------------------------------------------------- */

static void stop(struct be_where *where, struct event *event) {
    if (event->ring) {
        munmap(event->ring, 2 * where->page_bytes);
        close(event->file);
    }
    *event = (struct event){.file = -1};
}

static void start(struct be_where *where, struct event *event, const struct be_thread *thread) {
    static const uint64_t each_ns = 19700000; /* no multiple of the time between looks */
    struct perf_event_attr attr = {.size = sizeof attr,
                                   .type = PERF_TYPE_SOFTWARE,
                                   .config = PERF_COUNT_SW_TASK_CLOCK,
                                   .sample_period = each_ns,
                                   .sample_type = PERF_SAMPLE_IP,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1};
    long file = syscall(SYS_perf_event_open, &attr, thread->tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (file < 0) {
        where->refused = errno == ESRCH ? where->refused : errno;
        return;
    }
    void *ring =
        mmap(NULL, 2 * where->page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, (int)file, 0);
    if (ring == MAP_FAILED) {
        where->refused = errno;
        close((int)file);
        return;
    }
    *event = (struct event){
        .pid = thread->pid, .tid = thread->tid, .file = (int)file, .ring = ring, .kept = true};
    read_map(thread->pid, &event->map);
}

/* The records since the last look. The kernel drops those that have no room: a page has 256, of five seconds. */
static void count(const struct be_where *where, struct event *event, struct be_where_sum *sum) {
    struct perf_event_mmap_page *shared = (void *)event->ring;
    const char *records = event->ring + where->page_bytes;
    const uint64_t mask = where->page_bytes - 1;
    const uint64_t head = __atomic_load_n(&shared->data_head, __ATOMIC_ACQUIRE);
    uint64_t at = shared->data_tail;
    while (at < head) {
        struct perf_event_header header;
        uint64_t address;
        memcpy(&header, records + (at & mask), sizeof header); /* records are of whole 8 bytes */
        memcpy(&address, records + ((at + sizeof header) & mask), sizeof address);
        if (header.type == PERF_RECORD_SAMPLE) {
            sum->looks++;
            sum->waiting += be_where_waits(&event->map, address);
        }
        if (header.size < sizeof header) {
            break;
        }
        at += header.size;
    }
    __atomic_store_n(&shared->data_tail, head, __ATOMIC_RELEASE);
}

/* ---- all of them --------------------------------------------------------------------------------- */

static bool may_wait(const struct be_tree *tree, const struct be_thread *thread) {
    int members;
    bool there;
    const struct be_member *member = be_tree_members(tree, &members);
    int at = be_pids_place(member, members, sizeof *member, thread->pid, &there);
    return there && member[at].stat.threads > 1 && (member[at].used.libraries & waiting()) &&
           thread->rate >= busy && thread->slices_a_s <= switches_max;
}

static void keep_or_start(struct be_where *where, const struct be_thread *thread) {
    struct event *unused = NULL;
    for (int i = 0; i < BE_WHERE_THREADS; i++) {
        struct event *event = &where->event[i];
        if (event->ring && event->tid == thread->tid && event->pid == thread->pid) {
            event->kept = true;
            return;
        }
        unused = event->ring ? unused : event;
    }
    if (unused && !where->refused) {
        start(where, unused, thread);
    }
}

void be_where_look(struct be_where *where, const struct be_tree *tree,
                   const struct be_threads_sum *threads, struct be_where_sum *sum) {
    *sum = (struct be_where_sum){0};
    for (int i = 0; i < BE_WHERE_THREADS; i++) {
        where->event[i].kept = false;
    }
    for (int i = 0; i < threads->busies; i++) {
        if (may_wait(tree, threads->busy[i])) {
            keep_or_start(where, threads->busy[i]);
        }
    }
    for (int i = 0; i < BE_WHERE_THREADS; i++) {
        if (where->event[i].ring) {
            count(where, &where->event[i], sum);
        }
        if (!where->event[i].kept) {
            stop(where, &where->event[i]);
        }
    }
    sum->refused = where->refused;
}

struct be_where *be_where_open(const struct be_watched *watched) {
    struct be_where *where = watched->files[0] ? NULL : calloc(1, sizeof *where);
    for (int i = 0; where && i < BE_WHERE_THREADS; i++) {
        where->event[i].file = -1;
    }
    if (where) {
        where->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    }
    return where;
}

void be_where_close(struct be_where *where) {
    for (int i = 0; where && i < BE_WHERE_THREADS; i++) {
        stop(where, &where->event[i]);
    }
    free(where);
}
