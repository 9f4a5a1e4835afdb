/*
 * The one who waits: starts the command and the one who watches, passes on signals that were meant
 * for the command, stops and goes on with it, and ends as it ended.
 *
 * The command stays in our process group, so the terminal and the shell treat it as if we were not
 * there: what the terminal sends (Ctrl-C, Ctrl-Z, a new window size) comes to it directly. Only what
 * is sent to our process id alone must be passed on. Whether a signal went to us alone or to the
 * whole group nobody tells; so the one who watches, who is in the group too, says what it received.
 */
#include "cli/run/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/common/fail.h"
#include "cli/run/earlier.h"

enum {
    SIGNALS = 65,
    GROUP_WAIT_MS = 30, /* until a signal to the group has come to the one who watches, too */
    LAST_WAIT_MS =
        1000,    /* until it has told all; where it hangs, the command gets it later, or twice */
    HEARD_S = 2, /* what it said before is about another one */
    REPORT_WAIT_S = 15 /* the report may take */
};

struct waiter {
    pid_t command, watcher; /* watcher 0: there is none, or it has ended */
    int messages, heard;
    int watcher_status;
    int lacking; /* why there never was one, as errno */
    double start_s;
    double heard_s[SIGNALS]; /* when the watcher last said so; 0: never */
    double asked_s;          /* when somebody last asked the command to end; 0: nobody did */
    struct be_earlier earlier;
    struct be_outcome outcome;
    bool ended;
    bool typed; /* Ctrl-C came from the terminal */
    sigset_t all;
};

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Those that faults of a program's own raise stay as they are: held back, they would end it. */
void be_launch_all_signals(sigset_t *set) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigfillset(set);
    for (size_t i = 0; i < BE_COUNT(faults); i++) {
        sigdelset(set, faults[i]);
    }
}

/* A watcher that is no more, or does not listen, is none of the command's business. */
static void send(const struct waiter *waiter, const struct be_message *message) {
    if (waiter->messages >= 0 && write(waiter->messages, message, sizeof *message) < 0) {
        return;
    }
}

static void tell(const struct waiter *waiter, enum be_told told, int number) {
    struct be_message message = {.told = told, .number = number, .outcome = waiter->outcome};
    send(waiter, &message);
}

/* ---- starting ------------------------------------------------------------------------------- */

/* As it was when we were started: the command must not see what we did. */
struct before {
    sigset_t mask;
    struct sigaction child;
    struct itimerval timer[3];
};

/* Timers stay with who execs (perl's `alarm 9; exec ...`), and would with us, who fork: the command gets
 * them. */
static void take_timers(struct before *before) {
    const struct itimerval none = {0};
    setitimer(ITIMER_REAL, &none, &before->timer[0]);
    setitimer(ITIMER_VIRTUAL, &none, &before->timer[1]);
    setitimer(ITIMER_PROF, &none, &before->timer[2]);
}

static void give_timers(const struct before *before) {
    setitimer(ITIMER_REAL, &before->timer[0], NULL);
    setitimer(ITIMER_VIRTUAL, &before->timer[1], NULL);
    setitimer(ITIMER_PROF, &before->timer[2], NULL);
}

static void start_command(const struct be_launch *launch, const struct before *before, int failed) {
    for (int i = 0; launch->extra && launch->extra[i]; i++) {
        putenv((char *)(uintptr_t)launch->extra[i]);
    }
    sigaction(SIGCHLD, &before->child, NULL);
    give_timers(before);
    sigprocmask(SIG_SETMASK, &before->mask, NULL);
    execvp(launch->command[0], launch->command);
    int cause = errno;
    if (write(failed, &cause, sizeof cause) < 0) {
        _exit(126);
    }
    _exit(cause == ENOENT ? 127 : 126);
}

/* 0: it runs. Else why not, as errno. */
static int started(int failed) {
    int cause = 0;
    ssize_t got;
    do {
        got = read(failed, &cause, sizeof cause);
    } while (got < 0 && errno == EINTR);
    close(failed);
    return got == sizeof cause ? cause : 0;
}

static void start_watcher(struct waiter *waiter, const struct be_watch_job *job) {
    int messages[2], heard[2];
    if (pipe2(messages, O_CLOEXEC) != 0) {
        waiter->lacking = errno;
        return;
    }
    if (pipe2(heard, O_CLOEXEC) != 0) {
        waiter->lacking = errno;
        close(messages[0]);
        close(messages[1]);
        return;
    }
    pid_t pid = fork();
    if (pid == 0) {
        close(messages[1]);
        close(heard[0]);
        _exit(job->run(job, messages[0], heard[1]));
    }
    waiter->lacking = pid < 0 ? errno : 0;
    close(messages[0]);
    close(heard[1]);
    if (pid < 0) {
        close(messages[1]);
        close(heard[0]);
        return;
    }
    fcntl(messages[1], F_SETFL, O_NONBLOCK);
    fcntl(heard[0], F_SETFL, O_NONBLOCK);
    waiter->watcher = pid;
    waiter->messages = messages[1];
    waiter->heard = heard[0];
}

static void dismiss_watcher(struct waiter *waiter) {
    if (waiter->watcher) {
        kill(waiter->watcher, SIGKILL);
        waitpid(waiter->watcher, NULL, 0);
        close(waiter->messages);
        close(waiter->heard);
        waiter->watcher = 0;
        waiter->messages = waiter->heard = -1;
    }
}

/* ---- signals -------------------------------------------------------------------------------- */

static const int endings[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};

static bool asks_to_end(int number) {
    for (size_t i = 0; i < BE_COUNT(endings); i++) {
        if (number == endings[i]) {
            return true;
        }
    }
    return false;
}

/* As nohup(1) has it: then the command was started so too, and is not meant to end. That it is held
 * back here keeps it from being dropped. */
static bool is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static void listen(struct waiter *waiter) {
    unsigned char number[64];
    ssize_t got = waiter->heard >= 0 ? read(waiter->heard, number, sizeof number) : -1;
    for (ssize_t i = 0; i < got; i++) {
        waiter->heard_s[number[i] % SIGNALS] = now_s();
    }
    if (got == 0) { /* nobody speaks there any more */
        close(waiter->heard);
        waiter->heard = -1;
    }
}

/* The watcher has said so, a moment ago at most; it counts once. */
static bool take_heard(struct waiter *waiter, int number) {
    bool heard = waiter->heard_s[number] > 0 && now_s() - waiter->heard_s[number] < HEARD_S;
    waiter->heard_s[number] = 0;
    return heard;
}

static bool heard_within(struct waiter *waiter, int number, int wait_ms) {
    double until_s = now_s() + 1e-3 * wait_ms;
    do {
        listen(waiter);
        if (waiter->heard_s[number] > 0) {
            return take_heard(waiter, number);
        }
        if (waiter->heard < 0) {
            return false;
        }
        struct pollfd poll_heard = {.fd = waiter->heard, .events = POLLIN};
        poll(&poll_heard, 1, 1 + (int)(1e3 * (until_s - now_s())));
    } while (now_s() < until_s);
    return false;
}

/* Did the signal, which has just come to us, come to the whole group? Where the watcher has not said so
 * soon, the machine may be busy: it is sent a signal that comes after all others, and once it has said
 * that of this one, it has said all it knows. */
static bool came_to_group(struct waiter *waiter, int number) {
    int last = number == SIGRTMAX ? SIGRTMAX - 1 : SIGRTMAX;
    if (heard_within(waiter, number, GROUP_WAIT_MS)) {
        return true;
    }
    waiter->heard_s[last] = 0;
    if (!waiter->watcher || waiter->heard < 0 ||
        sigqueue(waiter->watcher, last, (union sigval){0}) != 0) {
        return false;
    }
    heard_within(waiter, last, LAST_WAIT_MS);
    return take_heard(waiter, number);
}

static bool is_typed(const siginfo_t *info) {
    return info->si_signo == SIGINT && info->si_code == SI_KERNEL;
}

/* When a terminal is gone, the kernel tells the leader of its session alone: that is us in `ssh -t
 * host breakeven run ...`, and would have been the command. */
static bool is_hangup(const siginfo_t *info) {
    return (info->si_signo == SIGHUP || info->si_signo == SIGCONT) && info->si_code == SI_KERNEL &&
           getsid(0) == getpid();
}

static void pass_on(struct waiter *waiter, const siginfo_t *info) {
    int number = info->si_signo;
    waiter->typed |= is_typed(info);
    bool ending = !is_ignored(number);
    waiter->asked_s = ending && asks_to_end(number) ? now_s() : waiter->asked_s;
    if (ending &&
        (number == SIGTERM || number == SIGINT || number == SIGHUP || number == SIGXCPU)) {
        tell(waiter, BE_TOLD_SIGNAL, number);
    }
    /* From the kernel: the terminal's, for the whole group; or about ourselves. From the command:
     * not for itself. */
    bool from_somebody =
        info->si_code <= 0 && info->si_pid != waiter->command && info->si_pid != getpid();
    if (!is_hangup(info) && (!from_somebody || came_to_group(waiter, number))) {
        return;
    }
    if (info->si_code == SI_QUEUE) {
        sigqueue(waiter->command, number, info->si_value);
    } else {
        kill(waiter->command, number);
    }
}

/* The shell waits for us, not for the command: what it sees of us must be what became of it. */
static void stop_too(struct waiter *waiter, int number) {
    sigset_t one, pending;
    siginfo_t still = {0};
    double begin = now_s();
    sigpending(&pending);
    if (sigismember(&pending, SIGCONT)) {
        return; /* it shall go on: about to be passed on */
    }
    if (waitid(P_PID, (id_t)waiter->command, &still, WCONTINUED | WNOHANG | WNOWAIT) == 0 &&
        still.si_pid) {
        return; /* it has gone on already */
    }
    tell(waiter, BE_TOLD_STOPPING, number);
    sigemptyset(&one);
    sigaddset(&one, number);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &one, NULL); /* here we stop */
    sigprocmask(SIG_BLOCK, &one, NULL);
    waiter->outcome.stopped_s += now_s() - begin;
    tell(waiter, BE_TOLD_CONTINUED, 0);
}

/* ---- waiting -------------------------------------------------------------------------------- */

/* A child that is neither the command nor the one who watches: it has lost its parent, or is from before. The watcher
 * must know of the latter before the kernel adds up for us what it used. */
static void reap_other(struct waiter *waiter, pid_t pid) {
    struct be_message message = {.told = BE_TOLD_EARLIER};
    struct rusage used;
    bool earlier = be_earlier_has(&waiter->earlier, pid, message.grown);
    if (earlier) {
        send(waiter, &message);
    }
    bool gone = wait4(pid, NULL, WNOHANG, &used) == pid;
    waiter->outcome.orphans += gone && !earlier;
    if (gone && earlier) {
        be_earlier_add(&waiter->earlier, &used);
    }
}

static void reap_ours(struct waiter *waiter, pid_t pid, int status) {
    if (pid == waiter->watcher && !WIFSTOPPED(status)) {
        waiter->watcher = 0;
        waiter->watcher_status = status;
    } else if (pid == waiter->command && WIFSTOPPED(status)) {
        stop_too(waiter, WSTOPSIG(status));
    } else if (pid == waiter->command) {
        waiter->outcome.status = status;
        waiter->ended = true;
    }
}

static void reap(struct waiter *waiter) {
    siginfo_t child = {0};
    while (!waiter->ended &&
           waitid(P_ALL, 0, &child, WEXITED | WSTOPPED | WNOHANG | WNOWAIT) == 0 && child.si_pid) {
        const pid_t pid = child.si_pid;
        bool ours = pid == waiter->watcher || pid == waiter->command;
        bool stopped = child.si_code == CLD_STOPPED || child.si_code == CLD_TRAPPED;
        int status;
        if (!ours && !stopped) {
            reap_other(waiter, pid);
        } else if (waitpid(pid, &status, WNOHANG | WUNTRACED) == pid) {
            reap_ours(waiter, pid, status);
        }
        child = (siginfo_t){0};
    }
}

static void wait_for_command(struct waiter *waiter) {
    reap(waiter);
    while (!waiter->ended) {
        siginfo_t info;
        if (sigwaitinfo(&waiter->all, &info) > 0 && info.si_signo != SIGCHLD) {
            pass_on(waiter, &info);
        }
        reap(waiter);
    }
    waiter->outcome.elapsed_s = now_s() - waiter->start_s;
    /* Those left over that have ended by now; not the watcher, whose time is none of theirs. */
    siginfo_t other = {0};
    while (waitid(P_ALL, 0, &other, WEXITED | WNOHANG | WNOWAIT) == 0 && other.si_pid &&
           other.si_pid != waiter->watcher) {
        reap_other(waiter, other.si_pid);
        other = (siginfo_t){0};
    }
    getrusage(RUSAGE_CHILDREN, &waiter->outcome.used);
    be_earlier_leave_out(&waiter->earlier, &waiter->outcome.used);
}

/* Ending a command may take several signals: timeout(1) one to it and one to its group, a terminal and its shell
 * one each. So what came with its end is no impatience with the report, nor is the first signal that comes after one
 * that ended it, nor what follows within a second. */
static bool is_impatient(const struct waiter *waiter, bool *first) {
    static const double together_s = 1;
    bool same = waiter->asked_s > 0 && (*first || now_s() - waiter->asked_s < together_s);
    *first = false;
    return !same;
}

static void take_pending(struct waiter *waiter) {
    sigset_t pending;
    sigpending(&pending);
    for (size_t i = 0; i < BE_COUNT(endings); i++) {
        waiter->asked_s = sigismember(&pending, endings[i]) == 1 ? now_s() : waiter->asked_s;
    }
}

/* The report may take some seconds, unless somebody is impatient. */
static void wait_for_report(struct waiter *waiter) {
    double until_s = now_s() + REPORT_WAIT_S;
    bool impatient = false, first = true;
    take_pending(waiter);
    while (waiter->watcher && !impatient && now_s() < until_s) {
        struct timespec wait = {.tv_nsec = 100000000};
        siginfo_t info;
        int number = sigtimedwait(&waiter->all, &info, &wait);
        waiter->typed |= number == SIGINT && is_typed(&info);
        impatient = asks_to_end(number) && !is_ignored(number) && is_impatient(waiter, &first);
        int status;
        if (waitpid(waiter->watcher, &status, WNOHANG) == waiter->watcher) {
            waiter->watcher = 0;
            waiter->watcher_status = status;
        }
    }
    if (waiter->watcher) {
        kill(waiter->watcher, SIGKILL);
        fprintf(stderr, "breakeven: no report: %s\n",
                impatient ? "interrupted" : "it was not ready in time");
    } else if (waiter->messages < 0) {
        be_launch_lacks(waiter->lacking);
    } else if (WIFSIGNALED(waiter->watcher_status)) {
        fprintf(stderr,
                "breakeven: no report: the watching ended by signal %d; the command did not "
                "notice\n",
                WTERMSIG(waiter->watcher_status));
    }
}

static int exit_code(int status) {
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int cannot_start(struct waiter *waiter, const char *command, int cause) {
    tell(waiter, BE_TOLD_NOTHING, 0);
    if (waiter->watcher) {
        waitpid(waiter->watcher, NULL, 0);
    }
    struct be_error error;
    (void)be_fail(&error, BE_USAGE, "%.200s: %s%s", *command ? command : "''",
                  cause == ENOENT && !strchr(command, '/') ? "no such command" : strerror(cause),
                  be_launch_advice(command, cause));
    (void)be_cli_fail(&error);
    return cause == ENOENT ? 127 : 126;
}

int be_launch(const struct be_launch *launch, bool *interrupted) {
    struct waiter waiter = {.messages = -1, .heard = -1};
    struct before before;
    int failed[2] = {-1, -1};
    be_launch_all_signals(&waiter.all);
    sigprocmask(SIG_BLOCK, &waiter.all, &before.mask);
    struct sigaction plain = {.sa_handler = SIG_DFL};
    sigaction(SIGCHLD, &plain, &before.child);
    be_earlier_begin(&waiter.earlier);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); /* whoever loses its parent becomes ours */
    start_watcher(&waiter, launch->job);
    be_earlier_until(&waiter.earlier, waiter.watcher);
    if (pipe2(failed, O_CLOEXEC) != 0) {
        failed[0] = failed[1] = -1; /* only a worse message, then */
    }
    sigprocmask(SIG_SETMASK, &before.mask, NULL); /* whoever asked us to end by now, is heard */
    sigprocmask(SIG_BLOCK, &waiter.all, NULL);
    take_timers(&before);
    waiter.start_s = now_s();
    waiter.command = fork();
    if (waiter.command < 0 && errno == EAGAIN) { /* no process left: the command goes first */
        dismiss_watcher(&waiter);
        waiter.command = fork();
    }
    if (waiter.command == 0) {
        start_command(launch, &before, failed[1]);
    }
    int cause = waiter.command < 0 ? errno : 0;
    close(failed[1]);
    cause = cause ? cause : started(failed[0]);
    if (cause) {
        return cannot_start(&waiter, launch->command[0], cause);
    }
    be_launch_let_go((const int[]){waiter.messages, waiter.heard}, 2, true);
    be_launch_catch_crashes(waiter.messages);
    tell(&waiter, BE_TOLD_STARTED, waiter.command);
    wait_for_command(&waiter);
    tell(&waiter, BE_TOLD_ENDED, 0);
    wait_for_report(&waiter);
    *interrupted = waiter.typed && WIFSIGNALED(waiter.outcome.status) &&
                   WTERMSIG(waiter.outcome.status) == SIGINT;
    return exit_code(waiter.outcome.status);
}
