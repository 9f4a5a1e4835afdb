/* The program's threads. */
#include "observe/process/threads.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "observe/process/allowed.h"
#include "observe/process/pids.h"

enum { MIN_LOOKS = 48, HOT = 32, WAITERS = 16 /* whose reason a look asks for */ };
static const double hot_rate = 0.2, busy_rate = 0.01, forget_s = 30, ask_again_s = 5;

/* The sums of one look. */
struct look {
    double now_s, deadline;
    double visited;                   /* threads come to, with those that were looked at already */
    double looked, hot;               /* threads; of them those that were known to be busy */
    double runnable, blocked;         /* of those that were not */
    double hot_runnable, hot_blocked; /* and of those that were */
    double run_s, wait_s, slices_a_s;
    int asleep, locked; /* of those busy until now: of them waiting for a lock */
    int told, mutexes;  /* of these: whose call is known, and is for a mutex */
    int asked;          /* of the others: asked why they sleep */
    double idle[BE_ASLEEPS];
};

struct be_threads {
    const struct be_watched *watched;
    double ticks_a_s;
    bool schedstat;
    struct be_thread *thread; /* by tid */
    int threads, capacity;
    int turn_pid; /* the process where the next look goes on, */
    DIR *turn;    /* and its threads that are still to come; NULL: the process after it */
    double forgot_s;
    struct be_allowed allowed;
};

static struct be_thread *place(struct be_threads *threads, int pid, int tid) {
    bool there;
    int at = be_pids_place(threads->thread, threads->threads, sizeof *threads->thread, tid, &there);
    if (there && threads->thread[at].pid == pid) {
        return &threads->thread[at];
    }
    if (!there) {
        if (threads->threads == threads->capacity) {
            int capacity = threads->capacity ? 2 * threads->capacity : 64;
            struct be_thread *more = capacity <= BE_THREADS_MAX
                                         ? realloc(threads->thread, (size_t)capacity * sizeof *more)
                                         : NULL;
            if (!more) {
                return NULL;
            }
            threads->thread = more;
            threads->capacity = capacity;
        }
        memmove(&threads->thread[at + 1], &threads->thread[at],
                (size_t)(threads->threads - at) * sizeof *threads->thread);
        threads->threads++;
    }
    threads->thread[at] = (struct be_thread){
        .tid = tid, .pid = pid, .cpu_s = NAN, .rate = NAN, .seen_s = -1, .set = -1};
    return &threads->thread[at];
}

/* ---- one thread ----------------------------------------------------------------------------- */

/* A thread that has not been given a core since it was seen asleep is still asleep: that is most of
 * thousands. */
static bool slept_on(const struct be_thread *before, const struct be_schedstat *sched) {
    return before && before->seen_s >= 0 && before->state == 'S' &&
           before->slices == sched->slices && before->cpu_s == 1e-9 * sched->run_ns;
}

/* `before`: as it was last seen; NULL: never. */
static bool read_thread(struct be_threads *threads, int pid, int tid,
                        const struct be_thread *before, struct be_thread *now) {
    char text[1024];
    struct be_proc_stat stat;
    struct be_schedstat sched;
    const char *files = threads->watched->files;
    bool known =
        threads->schedstat &&
        be_small_file(text, sizeof text, "%s/proc/%d/task/%d/schedstat", files, pid, tid) > 0 &&
        be_schedstat_read(text, &sched);
    if (known && slept_on(before, &sched)) {
        *now = *before;
        now->wait_s = 1e-9 * sched.wait_ns;
        return true;
    }
    if (be_small_file(text, sizeof text, "%s/proc/%d/task/%d/stat", files, pid, tid) <= 0 ||
        !be_proc_stat_read(text, &stat)) {
        return false;
    }
    *now = (struct be_thread){.tid = tid, .pid = pid, .state = stat.state, .set = -1};
    memcpy(now->name, stat.name, sizeof now->name);
    now->cpu_s = known ? 1e-9 * sched.run_ns : (stat.user + stat.system) / threads->ticks_a_s;
    now->wait_s = known ? 1e-9 * sched.wait_ns : NAN;
    now->slices = known ? sched.slices : NAN;
    return true;
}

/* Its number was given to another; or one of several threads has called exec, and is now the first. */
static bool is_another(const struct be_thread *before, const struct be_thread *now) {
    return now->cpu_s < before->cpu_s || now->slices < before->slices;
}

static void count_thread(struct look *look, const struct be_thread *before,
                         const struct be_thread *now, bool hot) {
    bool runnable = now->state == 'R', blocked = now->state == 'D';
    look->looked++;
    look->hot += hot;
    look->runnable += !hot && runnable;
    look->blocked += !hot && blocked;
    look->hot_runnable += hot && runnable;
    look->hot_blocked += hot && blocked;
    double elapsed_s = look->now_s - before->seen_s;
    if (before->seen_s < 0 || elapsed_s <= 0 || isnan(now->wait_s) || isnan(before->wait_s) ||
        is_another(before, now)) {
        return;
    }
    look->run_s += now->cpu_s - before->cpu_s;
    look->wait_s += now->wait_s - before->wait_s;
    look->slices_a_s += (now->slices - before->slices) / elapsed_s;
}

/* Names of the kernel's functions in which threads sleep, of Linux 4.18 to 6.18, or how they begin. */
static const struct {
    const char *begin;
    enum be_asleep why;
} sleeps_in[] = {
    {"hrtimer_nanosleep", BE_ASLEEP_TIMER},
    {"do_nanosleep", BE_ASLEEP_TIMER},
    {"do_wait", BE_ASLEEP_CHILD},
    {"kernel_wait4", BE_ASLEEP_CHILD},
    {"futex", BE_ASLEEP_LOCK},
    {"pipe_", BE_ASLEEP_MESSAGE},
    {"anon_pipe_", BE_ASLEEP_MESSAGE},
    {"ep_poll", BE_ASLEEP_MESSAGE},
    {"do_epoll_wait", BE_ASLEEP_MESSAGE},
    {"do_poll", BE_ASLEEP_MESSAGE},
    {"poll_schedule", BE_ASLEEP_MESSAGE},
    {"do_sys_poll", BE_ASLEEP_MESSAGE},
    {"do_select", BE_ASLEEP_MESSAGE},
    {"core_sys_select", BE_ASLEEP_MESSAGE},
    {"inet_csk_accept", BE_ASLEEP_MESSAGE},
    {"wait_woken", BE_ASLEEP_MESSAGE},
    {"sk_wait_data", BE_ASLEEP_MESSAGE},
    {"unix_", BE_ASLEEP_MESSAGE},
    {"__skb_wait", BE_ASLEEP_MESSAGE},
    {"skb_wait", BE_ASLEEP_MESSAGE},
    {"n_tty_read", BE_ASLEEP_MESSAGE},
};

/* The kernel says 0 of a thread that has gone on, and to whom it does not want to tell. */
static enum be_asleep reason(const struct be_threads *threads, const struct be_thread *thread) {
    char name[64];
    if (be_small_file(name, sizeof name, "%s/proc/%d/task/%d/wchan", threads->watched->files,
                      thread->pid, thread->tid) <= 0 ||
        (name[0] < 'A')) {
        return BE_ASLEEP_UNKNOWN;
    }
    for (size_t i = 0; i < BE_COUNT(sleeps_in); i++) {
        if (strncmp(name, sleeps_in[i].begin, strlen(sleeps_in[i].begin)) == 0) {
            return sleeps_in[i].why;
        }
    }
    return BE_ASLEEP_OTHER;
}

/* Does a thread that waits for another one wait for a mutex? Its call names the value that it sleeps on: glibc and Rust
 * have 2 in a mutex that others wait for, OpenMP's critical section of GCC has -1, and musl its sign bit. Barriers
 * count rounds there. 1: yes, 0: no, -1: not known, since it has gone on or the kernel does not tell. */
static int waits_for_mutex(const struct be_threads *threads, const struct be_thread *thread) {
    enum { CONTENDED = 2, WAIT = 0, WAIT_BITSET = 9, COMMAND = 0x7f };
    static const unsigned long long gomp = 0xffffffff, musl = 0x80000010;
    char text[160];
    long call = -1;
    unsigned long long address = 0, what = 0, value = 0;
    if (be_small_file(text, sizeof text, "%s/proc/%d/task/%d/syscall", threads->watched->files,
                      thread->pid, thread->tid) <= 0 ||
        sscanf(text, "%ld %llx %llx %llx", &call, &address, &what, &value) != 4 ||
        call != SYS_futex) {
        return -1;
    }
    what &= COMMAND;
    value &= 0xffffffff;
    return (what == WAIT && (value == CONTENDED || value == gomp || value == musl)) ||
           (what == WAIT_BITSET && value == CONTENDED);
}

/* Threads that work now and then wait for what the others do; those that never work tell what all of it waits for. One
 * that was not given a core since it was asked still sleeps there. */
static void ask_why(const struct be_threads *threads, struct be_thread *thread, struct look *look) {
    if (thread->rate > busy_rate) {
        enum be_asleep why = look->asleep < WAITERS ? reason(threads, thread) : BE_ASLEEP_UNKNOWN;
        look->asleep += why != BE_ASLEEP_UNKNOWN;
        look->locked += why == BE_ASLEEP_LOCK;
        const int mutex = why == BE_ASLEEP_LOCK      ? waits_for_mutex(threads, thread)
                          : why == BE_ASLEEP_UNKNOWN ? -1
                                                     : 0;
        look->told += mutex >= 0;
        look->mutexes += mutex > 0;
        return;
    }
    if (thread->why == BE_ASLEEP_UNKNOWN && look->asked < WAITERS) {
        thread->why = reason(threads, thread);
        look->asked++;
    }
    look->idle[thread->why]++;
}

/* Which CPUs it may use, and for how long it wanted one since it was last seen. One that does not work is not
 * asked; one that binds itself does so at its beginning, so it is asked when it is seen again. */
static void ask_where(struct be_threads *threads, const struct be_thread *before,
                      struct be_thread *now, double now_s) {
    struct be_cpus cpus;
    double wanted_s = now->cpu_s - before->cpu_s;
    now->set = before->set;
    now->asked_s = before->asked_s;
    if (before->seen_s < 0 || is_another(before, now) || isnan(wanted_s)) {
        return;
    }
    wanted_s += isnan(now->wait_s - before->wait_s) ? 0 : now->wait_s - before->wait_s;
    if (!(wanted_s > busy_rate * (now_s - before->seen_s))) {
        return;
    }
    if ((now->set < 0 || now_s - now->asked_s > ask_again_s) &&
        be_cpus_of(threads->watched->files, now->pid, now->tid, &cpus)) {
        now->set = be_allowed_set(&threads->allowed, &cpus);
        now->asked_s = now_s;
    }
    be_allowed_wanted(&threads->allowed, now->set, wanted_s);
}

/* NULL: never seen. */
static const struct be_thread *seen(const struct be_threads *threads, int pid, int tid) {
    bool there;
    int at = be_pids_place(threads->thread, threads->threads, sizeof *threads->thread, tid, &there);
    return there && threads->thread[at].pid == pid ? &threads->thread[at] : NULL;
}

/* False: it is no more. */
static bool look_at(struct be_threads *threads, struct look *look, int pid, int tid, bool hot) {
    struct be_thread now;
    if (!read_thread(threads, pid, tid, seen(threads, pid, tid), &now)) {
        return false;
    }
    struct be_thread *kept = place(threads, pid, tid);
    struct be_thread unknown = {.seen_s = -1};
    count_thread(look, kept ? kept : &unknown, &now, hot);
    if (kept) {
        double elapsed_s = look->now_s - kept->seen_s;
        now.rate = is_another(kept, &now)               ? NAN
                   : kept->seen_s >= 0 && elapsed_s > 0 ? (now.cpu_s - kept->cpu_s) / elapsed_s
                                                        : kept->rate;
        now.slices_a_s = (now.slices - kept->slices) / elapsed_s;
        ask_where(threads, kept, &now, look->now_s);
        now.seen_s = look->now_s;
        *kept = now;
        if (now.state == 'S') {
            ask_why(threads, kept, look);
        }
    }
    return true;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static bool may_go_on(const struct look *look) {
    return look->looked < MIN_LOOKS || fmod(look->visited, 8) != 0 ||
           be_thread_time() <= look->deadline;
}

static void look_at_hot(struct be_threads *threads, struct look *look) {
    int tid[HOT], pid[HOT], count = 0;
    for (int i = 0; i < threads->threads && count < HOT; i++) {
        if (threads->thread[i].rate > hot_rate) {
            tid[count] = threads->thread[i].tid;
            pid[count++] = threads->thread[i].pid;
        }
    }
    for (int i = 0; i < count; i++) {
        if (!look_at(threads, look, pid[i], tid[i], true)) {
            place(threads, pid[i], tid[i])->rate = NAN; /* ended: forgotten later */
        }
    }
}

static bool next_listed(struct be_threads *threads, int *tid) {
    for (struct dirent *entry; (entry = readdir(threads->turn)) != NULL;) {
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9') {
            *tid = atoi(entry->d_name);
            return true;
        }
    }
    closedir(threads->turn);
    threads->turn = NULL;
    return false;
}

/* The next one in turn; false: there is none. A list of threads stays open from look to look, since the
 * kernel takes milliseconds to list thousands, of whom a look comes to a few. */
static bool next_thread(struct be_threads *threads, const struct be_tree *tree, int *pid,
                        int *tid) {
    int members;
    bool there;
    const struct be_member *member = be_tree_members(tree, &members);
    for (int i = 0; i <= members; i++) {
        if (threads->turn && next_listed(threads, tid)) {
            *pid = threads->turn_pid;
            return true;
        }
        if (!members) {
            return false;
        }
        int after = be_pids_place(member, members, sizeof *member, threads->turn_pid + 1, &there);
        const struct be_member *next = &member[after % members];
        *pid = *tid = threads->turn_pid = next->stat.pid;
        if (next->stat.threads <= 1) {
            return true;
        }
        char folder[4200];
        snprintf(folder, sizeof folder, "%s/proc/%d/task", threads->watched->files, *pid);
        threads->turn = opendir(folder);
    }
    return false;
}

/* As many of the `all` as the budget allows. */
static void look_at_rest(struct be_threads *threads, struct look *look, const struct be_tree *tree,
                         double all) {
    for (int pid, tid; look->visited < all && may_go_on(look); look->visited++) {
        if (!next_thread(threads, tree, &pid, &tid)) {
            return;
        }
        const struct be_thread *one = seen(threads, pid, tid);
        if (!one || one->seen_s < look->now_s) {
            look_at(threads, look, pid, tid, false);
        }
    }
}

static void forget_ended(struct be_threads *threads, double now_s) {
    if (now_s - threads->forgot_s < forget_s / 3) {
        return;
    }
    int kept = 0;
    for (int i = 0; i < threads->threads; i++) {
        if (now_s - threads->thread[i].seen_s < forget_s) {
            threads->thread[kept++] = threads->thread[i];
        }
    }
    threads->threads = kept;
    threads->forgot_s = now_s;
}

static void find_busy(const struct be_threads *threads, double now_s, struct be_threads_sum *sum) {
    for (int i = 0; i < threads->threads; i++) {
        const struct be_thread *thread = &threads->thread[i];
        if (thread->seen_s < now_s || !(thread->rate > busy_rate)) {
            continue;
        }
        int at = sum->busies < BE_THREADS_BUSY ? sum->busies++ : BE_THREADS_BUSY;
        for (; at > 0 && sum->busy[at - 1]->rate < thread->rate; at--) {
            if (at < BE_THREADS_BUSY) {
                sum->busy[at] = sum->busy[at - 1];
            }
        }
        if (at < BE_THREADS_BUSY) {
            sum->busy[at] = thread;
        }
    }
}

void be_threads_look(struct be_threads *threads, const struct be_tree *tree, double now_s,
                     double budget_s, struct be_threads_sum *sum) {
    int members;
    const struct be_member *member = be_tree_members(tree, &members);
    struct look look = {.now_s = now_s, .deadline = be_thread_time() + budget_s};
    *sum = (struct be_threads_sum){.schedstat = threads->schedstat};
    for (int i = 0; i < members; i++) {
        sum->all += member[i].stat.threads;
    }
    look_at_hot(threads, &look);
    look_at_rest(threads, &look, tree, sum->all);
    forget_ended(threads, now_s);
    sum->looked = fmin(look.looked, sum->all);
    double cold = look.looked - look.hot;
    double each = cold > 0 ? fmax(sum->all - look.hot, cold) / cold : 0;
    sum->runnable = look.hot_runnable + each * look.runnable;
    sum->blocked = look.hot_blocked + each * look.blocked;
    double wanted_s = look.run_s + look.wait_s;
    sum->run_wait = wanted_s > 0 ? look.wait_s / wanted_s : NAN;
    double share = sum->all > 0 ? sum->looked / sum->all : 1;
    sum->slices_a_s = threads->schedstat && share > 0 ? look.slices_a_s / share : NAN;
    sum->lock_wait = look.asleep ? (double)look.locked / look.asleep : NAN;
    sum->mutex_wait = look.told ? (double)look.mutexes / look.told : NAN;
    memcpy(sum->asleep, look.idle, sizeof sum->asleep);
    sum->allowed = be_allowed_count(&threads->allowed, now_s);
    find_busy(threads, now_s, sum);
}

/* ---- opening -------------------------------------------------------------------------------- */

/* A kernel that may count and does not (CONFIG_SCHEDSTATS missing, delayacct off) says zero of everybody. */
static bool counts_time(const char *files, int pid) {
    char text[128];
    struct be_schedstat sched;
    return be_small_file(text, sizeof text, "%s/proc/%d/schedstat", files, pid) > 0 &&
           be_schedstat_read(text, &sched) && sched.run_ns > 0;
}

enum be_status be_threads_open(const struct be_watched *watched, struct be_threads **threads,
                               struct be_error *error) {
    struct be_threads *one = calloc(1, sizeof *one);
    *threads = one;
    if (!one) {
        return be_fail(error, BE_NOMEM, "threads: out of memory");
    }
    one->watched = watched;
    one->ticks_a_s = (double)sysconf(_SC_CLK_TCK);
    one->schedstat = counts_time(watched->files, watched->root > 0 ? watched->root : 1) ||
                     counts_time(watched->files, getpid());
    return BE_OK;
}

void be_threads_close(struct be_threads *threads) {
    if (threads) {
        if (threads->turn) {
            closedir(threads->turn);
        }
        be_allowed_free(&threads->allowed);
        free(threads->thread);
        free(threads);
    }
}
