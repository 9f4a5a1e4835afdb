/* The program's processes and threads, from /proc. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "observe/process/threads.h"
#include "observe/process/tree.h"
#include "observe/sources/where.h"
#include "observe/sources/sources.h"

enum { SHOWN = 24 }; /* processes that are named a tick, those that work most */

struct proc {
    const struct be_watched *watched;
    struct be_tree *tree; /* the watched one's, or our own */
    bool own_tree;
    struct be_threads *threads;
    struct be_where *where;
    double page_bytes;
    double before[BE_GROWNS]; /* the sums at the tick before */
    int main;                 /* pid of the command; 0: not seen yet */
    double main_cpu_s;        /* at the tick before */
    double next_shared_s;     /* when shared memory is divided next */
    double peak_process_bytes;
    struct be_uses uses;
    bool io_unseen; /* at some look most would not tell what they read and wrote */
    bool hidden;    /* of the machine, processes of others are not even listed */
};

/* The least share of the members: with fewer a sum would be taken for that of all. */
static const double io_min = 0.5;

static void close_proc(void *self) {
    struct proc *proc = self;
    if (proc->own_tree) {
        be_tree_close(proc->tree);
    }
    be_threads_close(proc->threads);
    be_where_close(proc->where);
    free(proc);
}

/* The first process is always there, and root's. */
static bool hides_others(const char *files) {
    char path[1024];
    snprintf(path, sizeof path, "%s/proc/1", files);
    return access(path, F_OK) != 0;
}

static enum be_status open_proc(const struct be_watched *watched, void **self,
                                struct be_error *error) {
    struct proc *proc = calloc(1, sizeof *proc);
    if (!proc) {
        return be_fail(error, BE_NOMEM, "proc: out of memory");
    }
    proc->watched = watched;
    proc->tree = watched->tree;
    proc->own_tree = !watched->tree;
    proc->page_bytes = (double)sysconf(_SC_PAGESIZE);
    proc->next_shared_s = 1;
    proc->peak_process_bytes = NAN;
    proc->hidden = watched->node && hides_others(watched->files);
    proc->io_unseen = proc->hidden;
    enum be_status status = proc->own_tree ? be_tree_open(watched, &proc->tree, error) : BE_OK;
    status = status == BE_OK ? be_threads_open(watched, &proc->threads, error) : status;
    if (status != BE_OK) {
        close_proc(proc);
        return status;
    }
    proc->where = be_where_open(watched);
    *self = proc;
    return BE_OK;
}

/* ---- sums ----------------------------------------------------------------------------------- */

static void put_rates(struct proc *proc, const struct be_moment *moment, struct be_sink *sink) {
    static const struct {
        enum be_grown grown;
        enum be_signal signal;
    } rates[] = {
        {BE_GROWN_SYSTEM, BE_CPU_SYSTEM},       {BE_GROWN_MINOR, BE_MINOR_FAULTS},
        {BE_GROWN_MAJOR, BE_MAJOR_FAULTS},      {BE_GROWN_READ, BE_READ},
        {BE_GROWN_WRITTEN, BE_WRITTEN},         {BE_GROWN_READ_CALLS, BE_READ_CALLS},
        {BE_GROWN_WRITE_CALLS, BE_WRITE_CALLS},
    };
    double length_s = moment->now_s - moment->from_s;
    double cover = be_tree_cover(proc->tree), io_cover = be_tree_io_cover(proc->tree);
    proc->io_unseen |= io_cover < io_min;
    double rate[BE_GROWNS];
    for (int k = 0; k < BE_GROWNS; k++) {
        double grown = be_tree_grown(proc->tree, (enum be_grown)k);
        rate[k] = (grown - proc->before[k]) / length_s;
        proc->before[k] = isnan(grown) ? proc->before[k] : grown;
    }
    be_sink_put_part(sink, BE_CPU_BUSY, 0, rate[BE_GROWN_USER] + rate[BE_GROWN_SYSTEM], cover);
    for (size_t i = 0; i < BE_COUNT(rates); i++) {
        bool io = rates[i].grown >= BE_GROWN_READ;
        if (!io || !proc->io_unseen) {
            be_sink_put_part(sink, rates[i].signal, 0, rate[rates[i].grown],
                             io ? cover * io_cover : cover);
        }
    }
    if (proc->io_unseen || isnan(be_tree_grown(proc->tree, BE_GROWN_READ))) {
        const char *why = proc->hidden
                              ? "/proc lists the processes of this user only (hidepid)"
                              : "/proc/PID/io may not be read, or of few of the processes only";
        be_sink_absent(sink, BE_READ, "%s", why);
        be_sink_absent(sink, BE_WRITTEN, "%s", why);
    }
}

static void put_totals(struct proc *proc, struct be_sink *sink) {
    bool io_seen = !proc->hidden && be_tree_io_cover(proc->tree) >=
                                        io_min; /* or told at last, by who waited for it */
    sink->totals = true;
    sink->total = (struct be_trace_totals){
        .user_s = be_tree_grown(proc->tree, BE_GROWN_USER),
        .system_s = be_tree_grown(proc->tree, BE_GROWN_SYSTEM),
        .peak_process_bytes = proc->peak_process_bytes,
        .peak_group_bytes = NAN,
        .read_bytes = io_seen ? be_tree_grown(proc->tree, BE_GROWN_READ) : NAN,
        .written_bytes = io_seen ? be_tree_grown(proc->tree, BE_GROWN_WRITTEN) : NAN,
        .major_faults = be_tree_grown(proc->tree, BE_GROWN_MAJOR),
        .minor_faults = be_tree_grown(proc->tree, BE_GROWN_MINOR),
        .switches = NAN,
        .preempted = NAN,
        .orphans = NAN,
        .left = NAN,
    };
}

static void put_counts(struct proc *proc, const struct be_moment *moment, struct be_sink *sink) {
    int members;
    const struct be_member *member = be_tree_members(proc->tree, &members);
    double pages = 0, stopped = 0, max = 0;
    for (int i = 0; i < members; i++) {
        pages += member[i].stat.resident;
        stopped += member[i].stat.state == 'T' || member[i].stat.state == 't';
        max = fmax(max, member[i].stat.resident);
    }
    proc->peak_process_bytes = fmax(proc->peak_process_bytes, max * proc->page_bytes);
    double cover = be_tree_cover(proc->tree);
    be_sink_put(sink, BE_PROCESSES, 0, members);
    be_sink_put(sink, BE_SPAWNED, 0, be_tree_found(proc->tree) / (moment->now_s - moment->from_s));
    be_sink_put_part(sink, BE_MEMORY, 0, pages * proc->page_bytes, cover);
    be_sink_put_part(sink, BE_STOPPED_SHARE, 0, members ? stopped / members : NAN, cover);
}

/* ---- shared memory -------------------------------------------------------------------------- */

/* Dividing shared pages among their users walks the page tables, which takes time by the gigabyte
 * and holds up the process; so it is done rarely, and not for large processes, where little of the
 * whole is shared. It has a thousandth of the time to itself: out of the ticks' budget one look at a
 * few processes with PyTorch in them would leave seconds without a tick. */
static void put_shared(struct proc *proc, const struct be_moment *moment, struct be_sink *sink) {
    enum { PROCESSES_MAX = 256 };
    static const double large_bytes = 4e9, share_of_time = 0.001, min_s = 5;
    int members;
    const struct be_member *member = be_tree_members(proc->tree, &members);
    if (moment->now_s < proc->next_shared_s || members < 2 || members > PROCESSES_MAX) {
        return;
    }
    double begin = be_thread_time(), sum = 0, swapped = 0, divided = 0, whole = 0;
    for (int i = 0; i < members; i++) {
        char text[2048];
        double bytes = member[i].stat.resident * proc->page_bytes, shared = NAN;
        if (bytes < large_bytes && be_small_file(text, sizeof text, "%s/proc/%d/smaps_rollup",
                                                 proc->watched->files, member[i].stat.pid) > 0) {
            shared = 1024 * be_named_value(text, "Pss");
            double swap = 1024 * be_named_value(text, "SwapPss");
            swapped += isnan(swap) ? 0 : swap;
        }
        whole += bytes;
        divided += isnan(shared) ? 0 : bytes;
        sum += isnan(shared) ? bytes : shared;
    }
    if (divided > 0) {
        be_sink_put_part(sink, BE_MEMORY_PSS, 0, sum, divided / whole);
        be_sink_put_part(sink, BE_SWAPPED, 0, swapped, divided / whole);
    } else {
        be_sink_absent(sink, BE_MEMORY_PSS, "/proc/PID/smaps_rollup may not be read");
    }
    double took_s = be_thread_time() - begin;
    sink->apart_s += took_s;
    proc->next_shared_s = moment->now_s + fmax(min_s, took_s / share_of_time);
}

/* ---- each process and thread ---------------------------------------------------------------- */

static double busy(const struct be_member *member) {
    return member->seen_s > member->last_s
               ? (member->cpu_s - member->last_cpu_s) / (member->seen_s - member->last_s)
               : NAN;
}

/* The busier first; of those that are idle alike the larger, so that what a machine's kernel has waiting does not
 * keep out its programs. */
static bool comes_before(const struct be_member *one, const struct be_member *other) {
    double a = busy(one), b = busy(other);
    return a > b || (!(a < b) && one->stat.resident > other->stat.resident);
}

static int busiest(const struct be_tree *tree, const struct be_member *shown[SHOWN]) {
    int members, count = 0;
    const struct be_member *member = be_tree_members(tree, &members);
    for (int i = 0; i < members; i++) {
        if (isnan(busy(&member[i])) || !be_tree_fresh(tree, &member[i])) {
            continue;
        }
        int at = count < SHOWN ? count++ : SHOWN;
        for (; at > 0 && comes_before(&member[i], shown[at - 1]); at--) {
            if (at < SHOWN) {
                shown[at] = shown[at - 1];
            }
        }
        if (at < SHOWN) {
            shown[at] = &member[i];
        }
    }
    return count;
}

static void put_process(const struct proc *proc, const struct be_member *member,
                        struct be_sink *sink) {
    int pid = member->stat.pid;
    double length_s = member->seen_s - member->last_s;
    double bytes = member->stat.resident * proc->page_bytes;
    struct be_named named = {.pid = pid,
                             .start_s = member->start_s,
                             .cpu_s = member->cpu_s,
                             .bytes = bytes,
                             .main = pid == proc->main};
    named.libraries = member->used.libraries;
    memcpy(named.name, member->stat.name, sizeof named.name);
    be_sink_name(sink, &named);
    be_sink_put(sink, BE_PROCESS_CPU, pid, busy(member));
    be_sink_put(sink, BE_PROCESS_MEMORY, pid, bytes);
    be_sink_put(sink, BE_PROCESS_THREADS, pid, member->stat.threads);
    be_sink_put(sink, BE_PROCESS_READ, pid,
                (member->grown[BE_GROWN_READ] - member->last_io[0]) / length_s);
    be_sink_put(sink, BE_PROCESS_WRITTEN, pid,
                (member->grown[BE_GROWN_WRITTEN] - member->last_io[1]) / length_s);
}

/* The command itself: the root's first child, or the root. */
static const struct be_member *find_main(struct proc *proc) {
    int members;
    const struct be_member *member = be_tree_members(proc->tree, &members);
    const struct be_member *first = NULL;
    for (int i = 0; i < members; i++) {
        int pid = member[i].stat.pid;
        bool child = !proc->watched->with_root && member[i].stat.parent == proc->watched->root;
        if (proc->main ? pid == proc->main : child || pid == proc->watched->root) {
            first = !first || member[i].start_s < first->start_s ? &member[i] : first;
        }
    }
    proc->main = first && !proc->watched->node ? first->stat.pid : proc->main;
    return proc->watched->node ? NULL : first;
}

static void put_processes(struct proc *proc, struct be_sink *sink) {
    const struct be_member *shown[SHOWN];
    const struct be_member *main = find_main(proc);
    int count = busiest(proc->tree, shown);
    bool seen = false;
    for (int i = 0; i < count; i++) {
        seen |= main && shown[i] == main;
        put_process(proc, shown[i], sink);
    }
    if (main && !seen && be_tree_fresh(proc->tree, main)) {
        put_process(proc, main, sink);
    }
    double all = NAN;
    for (int i = 0; i < sink->values; i++) {
        all = sink->value[i].signal == BE_CPU_BUSY ? sink->value[i].value : all;
    }
    if (main && be_tree_fresh(proc->tree, main)) {
        be_sink_put(sink, BE_CPU_CHILDREN, 0, fmax(0, all - busy(main)));
    }
}

/* A shell that waits for its command says nothing of what that waits for. */
static void put_asleep(const struct be_threads_sum *sum, struct be_sink *sink) {
    double all = sum->asleep[BE_ASLEEP_OTHER] + sum->asleep[BE_ASLEEP_TIMER] +
                 sum->asleep[BE_ASLEEP_MESSAGE] + sum->asleep[BE_ASLEEP_LOCK];
    if (all > 0) {
        be_sink_put(sink, BE_ASLEEP_TIMERS, 0, sum->asleep[BE_ASLEEP_TIMER] / all);
        be_sink_put(sink, BE_ASLEEP_MESSAGES, 0, sum->asleep[BE_ASLEEP_MESSAGE] / all);
        be_sink_put(sink, BE_ASLEEP_LOCKS, 0, sum->asleep[BE_ASLEEP_LOCK] / all);
    }
}

/* Nothing where no thread was looked at: most programs have no library that waits in a loop. */
static void put_where(struct proc *proc, const struct be_threads_sum *threads,
                      struct be_sink *sink) {
    struct be_where_sum sum;
    if (!proc->where) {
        return;
    }
    be_where_look(proc->where, proc->tree, threads, &sum);
    if (sum.looks > 0) {
        be_sink_put(sink, BE_WAITING_CODE, 0, sum.waiting / sum.looks);
    }
    if (sum.refused) {
        be_sink_absent(sink, BE_WAITING_CODE,
                       "the kernel tells nothing of where threads are (%s): "
                       "/proc/sys/kernel/perf_event_paranoid is above 2, or a container forbids "
                       "perf_event_open",
                       strerror(sum.refused));
    }
}

static void put_threads(struct proc *proc, const struct be_moment *moment, double budget_s,
                        struct be_sink *sink) {
    struct be_threads_sum sum;
    be_threads_look(proc->threads, proc->tree, moment->now_s, budget_s, &sum);
    double cover = sum.all > 0 ? sum.looked / sum.all : 1;
    be_sink_put(sink, BE_THREADS, 0, sum.all);
    be_sink_put_part(sink, BE_RUNNABLE, 0, sum.runnable, cover);
    be_sink_put_part(sink, BE_BLOCKED, 0, sum.blocked, cover);
    be_sink_put_part(sink, BE_RUN_WAIT, 0, sum.run_wait, cover);
    be_sink_put_part(sink, BE_SWITCHES, 0, sum.slices_a_s, cover);
    be_sink_put(sink, BE_LOCK_WAIT, 0, sum.lock_wait);
    be_sink_put(sink, BE_MUTEX_WAIT, 0, sum.mutex_wait);
    put_asleep(&sum, sink);
    put_where(proc, &sum, sink);
    be_sink_put(sink, BE_CORES_ALLOWED, 0, sum.allowed > 0 ? (double)sum.allowed : (double)NAN);
    be_sink_put_part(sink, BE_BUSIEST_THREAD, 0, sum.busies ? fmin(sum.busy[0]->rate, 1) : 0,
                     cover);
    if (!sum.schedstat) {
        be_sink_absent(sink, BE_RUN_WAIT, "this kernel counts nothing in /proc/PID/schedstat");
        be_sink_absent(sink, BE_SWITCHES, "this kernel counts nothing in /proc/PID/schedstat");
    }
    for (int i = 0; i < sum.busies; i++) {
        const struct be_thread *thread = sum.busy[i];
        struct be_named named = {
            .pid = thread->pid, .tid = thread->tid, .cpu_s = thread->cpu_s, .bytes = NAN};
        memcpy(named.name, thread->name, sizeof named.name);
        be_sink_name(sink, &named);
        be_sink_put_thread(sink, BE_THREAD_CPU, thread->pid, thread->tid, thread->rate);
    }
}

/* Rare, and like the dividing of memory it has a part of the time to itself: the files of a few processes with
 * PyTorch in them take some milliseconds each. */
static void put_uses(struct proc *proc, const struct be_moment *moment, struct be_sink *sink) {
    static const double share_of_time = 0.0005, least_s = 0.004;
    double begin = be_thread_time();
    double length_s = moment->now_s - moment->from_s;
    be_tree_look_uses(proc->tree, fmax(least_s, share_of_time * length_s), &proc->uses);
    sink->libraries = be_uses_libraries(&proc->uses);
    sink->settings = proc->uses.settings;
    if (proc->uses.seen & BE_LIBS_KNOWN) {
        be_sink_put(sink, BE_CODE_MADE, 0, proc->uses.code_made);
    }
    sink->apart_s += be_thread_time() - begin;
}

static enum be_status sample_proc(void *self, const struct be_moment *moment, struct be_sink *sink,
                                  struct be_error *error) {
    (void)error;
    struct proc *proc = self;
    double begin = be_thread_time();
    be_tree_look(proc->tree, moment->now_s, 0.6 * moment->budget_s);
    put_rates(proc, moment, sink);
    put_counts(proc, moment, sink);
    put_totals(proc, sink);
    put_uses(proc, moment, sink);
    put_processes(proc, sink);
    double left_s = moment->budget_s - (be_thread_time() - begin);
    put_threads(proc, moment, fmax(left_s, 0.2 * moment->budget_s), sink);
    put_shared(proc, moment, sink);
    return BE_OK;
}

const struct be_signal_source be_signal_source_proc = {
    .name = "proc",
    .summary = "the program's processes and threads, from /proc",
    .open = open_proc,
    .sample = sample_proc,
    .close = close_proc,
};
