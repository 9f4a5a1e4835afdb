/*
 * The one who watches: samples until the command has ended, then reports. A process of its own:
 * whatever becomes of it, the command does not notice.
 */
#include "cli/run/watcher.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/open_files.h"
#include "cli/common/fail.h"
#include "cli/common/trace_files.h"
#include "cli/run/matrix_rates.h"
#include "cli/run/node_rates.h"
#include "observe/process/proc_own.h"
#include "observe/process/proc_text.h"
#include "observe/sampler/sampler.h"
#include "report/trace/trace.h"

static const double interim_s = 3; /* after being asked to end, until a report is due anyway */
/* Between saves: at least so long, such a share of the run so far, and so long that writing takes no more
 * of the time than that. */
static const double first_save_s = 60, save_share = 0.1, save_cost = 0.001;

static const double look_s = 0.1; /* between two of another look */

struct watcher {
    const struct be_run_options *options;
    struct be_sampler *sampler;
    pid_t command; /* 0: not started yet */
    int listed;    /* the command in /proc, which may be of another name space; -1: not there */
    struct be_proc_numbers numbers; /* likewise of this process, and of the one who waits */
    int pidfd;                      /* -1: the kernel has none */
    double born;    /* when the command began, as /proc says: a pid may be given to another */
    bool mirrored;  /* the one who waits has stopped because the command has */
    bool held;      /* we stopped the command because the one who waits was stopped */
    bool crashed;   /* the one who waits is broken */
    int signals;    /* that may mean an end, and came */
    double asked_s; /* host's clock: when a batch system asked the command to end; NAN: none did */
    double next_save_s;
    double next_look_s; /* host's clock */
    bool interim;       /* a report was given before the end */
    bool saved;         /* the trace is in its file */
    pid_t waiter;
    int messages; /* what it says */
};

static double host_s(void) {
    const struct be_clock clock = be_clock_host();
    return be_now(&clock);
}

/* ---- what the group hears ------------------------------------------------------------------- */

struct ear {
    int heard;
    sigset_t all;
};

/* A thread that tells the one who waits of each signal that somebody sent to the whole group. */
static void *listen_to_group(void *context) {
    struct ear *ear = context;
    for (;;) {
        siginfo_t info;
        int number = sigwaitinfo(&ear->all, &info);
        unsigned char byte = (unsigned char)number;
        if (number > 0 && info.si_code <= 0 && write(ear->heard, &byte, 1) < 0 && errno == EPIPE) {
            return NULL;
        }
    }
}

static void start_ear(struct ear *ear, int heard) {
    pthread_t thread;
    pthread_attr_t small;
    ear->heard = heard;
    be_launch_all_signals(&ear->all);
    sigprocmask(SIG_BLOCK, &ear->all, NULL);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    if (pthread_create(&thread, &small, listen_to_group, ear) == 0) {
        pthread_detach(thread);
    }
    pthread_attr_destroy(&small);
}

/* No core file in somebody's folder. Where memory runs short the kernel may choose us as it may choose
 * any process: offering ourselves first would free a few MB, save nobody, and lose the report of just
 * those runs that need one. */
static void take_no_capacity(void) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_NAME, "breakeven-watch", 0, 0, 0);
}

/* ---- reports -------------------------------------------------------------------------------- */

static void own_cost(struct be_trace *trace) {
    struct rusage used;
    if (getrusage(RUSAGE_SELF, &used) == 0) {
        trace->own_cpu_s = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
        trace->own_peak_bytes = 1024.0 * (double)used.ru_maxrss;
    }
}

/* So far. */
static void take_calls(const struct watcher *watcher, struct be_trace *trace) {
    const struct be_run_options *options = watcher->options;
    struct be_calls calls = {0};
    struct be_error error = {0};
    if (!options->calls) {
        return;
    }
    trace->calls.asked = true;
    be_copy_text(trace->calls.note, sizeof trace->calls.note, options->calls_note);
    if (options->calls_file && be_calls_read(options->calls_file, &calls, &error) != BE_OK) {
        be_copy_text(trace->calls.note, sizeof trace->calls.note, error.text);
        return;
    }
    be_trace_calls_take(&trace->calls, &calls);
    be_calls_free(&calls);
    if (trace->calls.rows && isnan(trace->calls.flops64)) {
        be_matrix_rates(trace);
    }
}

static void save(struct watcher *watcher) {
    struct be_trace *trace = be_sampler_trace(watcher->sampler);
    struct be_error error = {0};
    take_calls(watcher, trace);
    be_node_rates(trace);
    own_cost(trace);
    if (!watcher->options->trace_file[0]) {
        return;
    }
    watcher->saved = be_trace_file_save(trace, watcher->options->trace_file, &error) == BE_OK;
    if (!watcher->saved) {
        (void)be_context(&error, "the trace is not saved");
        (void)be_cli_fail(&error);
    }
}

static void report(struct watcher *watcher) {
    struct be_trace *trace = be_sampler_trace(watcher->sampler);
    struct be_error error = {0};
    take_calls(watcher, trace);
    be_node_rates(trace);
    own_cost(trace);
    be_trace_round(trace);
    const char *kept = watcher->saved ? watcher->options->trace_file : NULL;
    const struct be_run_look *other = watcher->options->other;
    if ((other && other->report ? other->report(other->context, trace, &error)
                                : be_run_report(watcher->options, kept, trace, &error)) != BE_OK) {
        (void)be_cli_fail(&error);
    }
}

/* ---- what the one who waits says ------------------------------------------------------------ */

static double seconds(struct timeval time) {
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static bool read_stat(pid_t pid, struct be_proc_stat *stat) {
    char text[1024];
    return be_small_file(text, sizeof text, "/proc/%d/stat", pid) > 0 &&
           be_proc_stat_read(text, stat);
}

/* The number of processes that began since `first` and run below a process, without ourselves and those that have
 * ended; -1: the kernel does not list them. Children of other threads than the first are not seen. */
static int running_below(int parent, int self, double first, int depth) {
    char text[4096];
    struct be_proc_stat stat;
    int length = 0, count = 0;
    if (be_small_file(text, sizeof text, "/proc/%d/task/%d/children", parent, parent) < 0) {
        return -1;
    }
    for (int pid = 0, at = 0; sscanf(text + at, "%d%n", &pid, &length) == 1; at += length) {
        if (pid != self && read_stat(pid, &stat) && stat.state != 'Z' && stat.state != 'X' &&
            stat.start >= first) {
            int below = depth > 0 ? running_below(pid, self, first, depth - 1) : 0;
            count += 1 + (below > 0 ? below : 0);
        }
    }
    return count;
}

/* Helpers of a program (Python's multiprocessing has one) end a moment after it: no word about those. All
 * that have lost their parents are children of the one who waits. */
static int left_over(const struct watcher *watcher) {
    enum { DEEPEST = 16, LISTED = 500 }; /* so many in a list are surely told */
    const struct timespec moment = {0, 10000000};
    const struct be_trace *trace = be_sampler_trace(watcher->sampler);
    double left = be_trace_at(trace, BE_PROCESSES, 0, trace->ticks - 1);
    struct be_proc_stat own;
    const struct be_proc_numbers *numbers = &watcher->numbers;
    double first = read_stat(numbers->self, &own) ? own.start : 0; /* we began before the command */
    int running = -1;
    for (int i = 0; i < 20; i++) {
        running = running_below(numbers->parent, numbers->self, first, DEEPEST);
        if (running == 0 || (running < 0 && !(left > 0))) {
            return 0;
        }
        nanosleep(&moment, NULL);
    }
    left = running < 0 ? left : running < LISTED ? running : fmax(left, running);
    return left > 0 ? (int)left : 0;
}

static void take_outcome(struct watcher *watcher, const struct be_outcome *outcome) {
    struct be_trace *trace = be_sampler_trace(watcher->sampler);
    const struct rusage *used = &outcome->used;
    bool killed = WIFSIGNALED(outcome->status);
    trace->end = killed ? BE_END_KILLED : BE_END_EXITED;
    trace->code = killed ? WTERMSIG(outcome->status) : WEXITSTATUS(outcome->status);
    trace->elapsed_s = outcome->elapsed_s;
    trace->stopped_s = outcome->stopped_s;
    struct be_trace_totals *total = &trace->total;
    /* The kernel counts the processes that were waited for; the tree also has those that still run,
     * and those that nobody waited for while they were looked at. */
    total->user_s = fmax(total->user_s, seconds(used->ru_utime));
    total->system_s = fmax(total->system_s, seconds(used->ru_stime));
    total->peak_process_bytes = fmax(total->peak_process_bytes, 1024.0 * (double)used->ru_maxrss);
    total->minor_faults = fmax(total->minor_faults, (double)used->ru_minflt);
    total->major_faults = fmax(total->major_faults, (double)used->ru_majflt);
    total->switches = (double)used->ru_nvcsw;
    total->preempted = (double)used->ru_nivcsw;
    total->orphans = outcome->orphans;
    total->left = left_over(watcher);
}

static void command_started(struct watcher *watcher, int pid) {
    struct be_proc_stat stat;
    watcher->command = pid;
    watcher->listed = be_proc_number_of(pid, &watcher->numbers);
    watcher->born = read_stat(watcher->listed, &stat) ? stat.start : NAN;
    watcher->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    be_sampler_trace(watcher->sampler)->pid = watcher->listed > 0 ? watcher->listed : pid;
}

/* The trace is saved now and then: a batch system may end all of us at once. */
static void save_when_due(struct watcher *watcher) {
    const struct be_trace *trace = be_sampler_trace(watcher->sampler);
    if (!watcher->command || trace->elapsed_s < watcher->next_save_s) {
        return;
    }
    double begin = be_thread_time();
    save(watcher);
    double took_s = be_thread_time() - begin;
    watcher->next_save_s =
        trace->elapsed_s +
        fmax(fmax(first_save_s, save_share * trace->elapsed_s), took_s / save_cost);
}

static void asked_to_end(struct watcher *watcher, int number) {
    struct be_trace *trace = be_sampler_trace(watcher->sampler);
    char when[BE_WORD];
    if (watcher->signals == 0) {
        be_sampler_tick(watcher->sampler, false); /* what it did until now, and when that is */
    }
    /* Others may mean something else: SIGINT at a prompt, SIGHUP to a server. */
    if ((number == SIGTERM || number == SIGXCPU) && isnan(watcher->asked_s)) {
        watcher->asked_s = host_s();
    }
    snprintf(trace->note, sizeof trace->note, "%s came after %s", be_signal_word(number),
             be_format_duration(when, sizeof when, trace->elapsed_s));
    watcher->next_save_s = 0;
    if (watcher->signals++ == 0) {
        save_when_due(watcher); /* who asks may soon do more than ask */
    }
}

/* False: there is nothing more to come. */
static bool take(struct watcher *watcher, const struct be_message *message) {
    switch (message->told) {
    case BE_TOLD_STARTED:
        command_started(watcher, message->number);
        return true;
    case BE_TOLD_SIGNAL:
        asked_to_end(watcher, message->number);
        return true;
    case BE_TOLD_STOPPING:
    case BE_TOLD_CONTINUED:
        watcher->mirrored = message->told == BE_TOLD_STOPPING;
        return true;
    case BE_TOLD_CRASH:
        watcher->crashed = true;
        return true;
    case BE_TOLD_EARLIER:
        be_sampler_leave_out(watcher->sampler, message->grown);
        return true;
    case BE_TOLD_NOTHING:
        watcher->command = 0;
        return false;
    case BE_TOLD_ENDED:
        be_sampler_tick(watcher->sampler, true);
        take_outcome(watcher, &message->outcome);
        return false;
    }
    return true;
}

/* ---- stopping and going on ------------------------------------------------------------------ */

static char state_of(pid_t pid) {
    struct be_proc_stat stat;
    return read_stat(pid, &stat) ? stat.state : '?';
}

static bool is_unread(int messages) {
    struct pollfd wait = {.fd = messages, .events = POLLIN};
    return poll(&wait, 1, 0) > 0;
}

/* SIGSTOP to the one who waits was meant for the command; and where the command goes on without
 * the one who waits having noticed, that one must too. It says that it stops before it does: what is
 * unread once it stands may be just that. */
static void keep_in_step(struct watcher *watcher) {
    if (!watcher->command) {
        return;
    }
    bool waiter_stopped = state_of(watcher->numbers.parent) == 'T';
    if (watcher->held && !waiter_stopped) {
        kill(watcher->command, SIGCONT);
        watcher->held = false;
    } else if (waiter_stopped && !watcher->held && state_of(watcher->listed) != 'T') {
        if (watcher->mirrored) {
            kill(watcher->waiter, SIGCONT);
        } else if (!is_unread(watcher->messages)) {
            kill(watcher->command, SIGSTOP);
            watcher->held = true;
        }
    }
}

/* ---- the run -------------------------------------------------------------------------------- */

/* Until a command that was asked to end, and goes on, is reported about. */
static double interim_due_s(const struct watcher *watcher) {
    return watcher->interim || isnan(watcher->asked_s) ? INFINITY
                                                       : watcher->asked_s + interim_s - host_s();
}

static void report_when_due(struct watcher *watcher) {
    if (interim_due_s(watcher) <= 0) {
        be_sampler_tick(watcher->sampler, false);
        watcher->interim = true;
        report(watcher);
    }
}

static void lose(struct watcher *watcher) {
    struct be_trace *trace = be_sampler_trace(watcher->sampler);
    trace->end = BE_END_LOST;
    be_copy_text(trace->note, sizeof trace->note, "breakeven itself was ended before the command");
    /* Whoever ended us with SIGKILL meant the command. */
    struct be_proc_stat stat;
    if (watcher->crashed || !watcher->command) {
        return;
    }
    if (watcher->pidfd >= 0) {
        syscall(SYS_pidfd_send_signal, watcher->pidfd, SIGKILL, NULL, 0);
    } else if (read_stat(watcher->listed, &stat) && stat.start == watcher->born) {
        kill(watcher->command, SIGKILL);
    }
}

/* Seconds until the next look. */
static double look_when_due(struct watcher *watcher, const struct be_run_look *other) {
    const double now_s = host_s();
    if (now_s >= watcher->next_look_s) {
        other->look(other->context);
        watcher->next_look_s = now_s + (other->every_s > 0 ? other->every_s : look_s);
    }
    return watcher->next_look_s - now_s;
}

/* Until the command has ended: true, or is lost, or was never there. */
static bool follow(struct watcher *watcher) {
    const struct be_run_look *other = watcher->options->other;
    for (;;) {
        double due_s = fmin(be_sampler_due(watcher->sampler), interim_due_s(watcher));
        if (other) {
            due_s = fmin(due_s, look_when_due(watcher, other));
        }
        struct pollfd wait = {.fd = watcher->messages, .events = POLLIN};
        int ready = due_s > 0 ? poll(&wait, 1, 1 + (int)(1e3 * due_s)) : poll(&wait, 1, 0);
        if (ready > 0) {
            struct be_message message;
            ssize_t got = read(watcher->messages, &message, sizeof message);
            if (got != (ssize_t)sizeof message) {
                be_sampler_tick(watcher->sampler, true);
                lose(watcher);
                return watcher->command != 0;
            }
            if (!take(watcher, &message)) {
                return watcher->command != 0;
            }
        }
        if (be_sampler_due(watcher->sampler) <= 0) {
            be_sampler_tick(watcher->sampler, false);
            keep_in_step(watcher);
            save_when_due(watcher);
        }
        report_when_due(watcher);
    }
}

static bool keep_files(const struct be_run_options *options, int messages, int heard) {
    const struct be_run_look *other = options->other;
    const int own[] = {
        messages,         heard, options->output.file, options->json.file, options->html.file,
        options->svg.file};
    const size_t owns = BE_COUNT(own), others = other ? (size_t)other->files : 0;
    int *kept = malloc((owns + others) * sizeof *kept);
    if (!kept) {
        return false;
    }
    memcpy(kept, own, sizeof own);
    if (others) {
        memcpy(kept + owns, other->file, others * sizeof *kept);
    }
    be_launch_let_go(kept, (int)(owns + others), true);
    free(kept);
    if (other) {
        other->begin(other->context);
    }
    return true;
}

int be_watcher_run(const struct be_watch_job *job, int messages, int heard) {
    const struct be_run_options *options = job->context;
    static struct ear ear;
    struct watcher watcher = {.options = options,
                              .pidfd = -1,
                              .asked_s = NAN,
                              .next_save_s = first_save_s,
                              .waiter = getppid(),
                              .numbers = be_proc_numbers(),
                              .messages = messages};
    struct be_sampler_options sampling = {.interval_s = options->interval_s,
                                          .overhead = options->interval_s > 0 ? 0.015 : 0};
    struct be_error error = {0};
    sampling.watched = (struct be_watched){.root = watcher.numbers.parent,
                                           .except = watcher.numbers.self,
                                           .files = "",
                                           .environment = (const char *const *)environ,
                                           .trace_folder = options->trace_folder};
    if (!keep_files(options, messages, heard)) {
        fprintf(stderr, "breakeven: no report: no memory to begin with\n");
        return 1;
    }
    take_no_capacity();
    be_files_allow();
    start_ear(&ear, heard);
    if (be_sampler_open(&sampling, &watcher.sampler, &error) != BE_OK) {
        fprintf(stderr, "breakeven: no report: %s\n", error.text);
        return 1;
    }
    be_copy_text(be_sampler_trace(watcher.sampler)->command, BE_NOTE, options->command);
    be_sampler_trace(watcher.sampler)->no_verdict = options->no_verdict;
    if (follow(&watcher)) {
        be_trace_round(be_sampler_trace(watcher.sampler));
        if (options->other && options->other->end) {
            options->other->end(options->other->context, be_sampler_trace(watcher.sampler));
        }
        save(&watcher);
        report(&watcher);
    }
    return 0; /* a source that hangs is left to the end of the process */
}
