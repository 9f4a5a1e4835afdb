/* One run of a command, from its start to its end. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "bench/programs/programs.h"

enum { LINE = 4096, LOOK_MS = 100 };

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool be_command_words(const char *command, uint64_t n, char *to, size_t capacity) {
    size_t used = 0;
    for (const char *at = command; *at;) {
        bool size = strncmp(at, "{n}", 3) == 0;
        int length = size ? snprintf(to + used, capacity - used, "%llu", (unsigned long long)n)
                          : snprintf(to + used, capacity - used, "%c", *at);
        used += (size_t)length;
        at += size ? 3 : 1;
        if (used >= capacity) {
            return false;
        }
    }
    return true;
}

/* ---- what it writes --------------------------------------------------------------------------- */

enum be_status be_program_output_open(struct be_program_output *output, struct be_error *error) {
    output->out = memfd_create("output", MFD_CLOEXEC);
    output->complaints = memfd_create("complaints", MFD_CLOEXEC);
    return output->out >= 0 && output->complaints >= 0
               ? BE_OK
               : be_fail(error, BE_IO, "memory for a program's output: %s", strerror(errno));
}

void be_program_output_close(struct be_program_output *output) {
    const int file[] = {output->out, output->complaints};
    for (size_t i = 0; i < BE_COUNT(file); i++) {
        if (file[i] >= 0) {
            close(file[i]);
        }
    }
    output->out = output->complaints = -1;
}

static bool empty(int file) {
    return ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0;
}

/* The last line that is not blank. */
static void last_line(int file, char *to, size_t capacity) {
    char text[LINE];
    off_t length = lseek(file, 0, SEEK_END);
    off_t from = length > LINE - 1 ? length - (LINE - 1) : 0;
    ssize_t got = pread(file, text, LINE - 1, from);
    text[got > 0 ? got : 0] = '\0';
    for (size_t end = strlen(text); end > 0 && strchr(" \t\r\n", text[end - 1]); end--) {
        text[end - 1] = '\0';
    }
    const char *line = strrchr(text, '\n');
    be_copy_text(to, capacity, line ? line + 1 : text);
}

/* ---- starting and waiting --------------------------------------------------------------------- */

/* 0, or the reason as errno. A group of its own: what it starts can be ended with it. */
static int start(const char *words, const struct be_program_output *output, pid_t *pid) {
    char shell[] = "sh", option[] = "-c";
    char *const word[] = {shell, option, (char *)(uintptr_t)words, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t settings;
    sigset_t none;
    sigemptyset(&none);
    int failed = posix_spawn_file_actions_init(&files);
    if (failed) {
        return failed;
    }
    failed = posix_spawnattr_init(&settings);
    if (failed) {
        posix_spawn_file_actions_destroy(&files);
        return failed;
    }
    failed = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&files, output->out, STDOUT_FILENO);
    failed = failed ? failed
                    : posix_spawn_file_actions_adddup2(&files, output->complaints, STDERR_FILENO);
    failed = failed ? failed : posix_spawnattr_setpgroup(&settings, 0);
    failed = failed ? failed : posix_spawnattr_setsigmask(&settings, &none);
    failed = failed ? failed
                    : posix_spawnattr_setflags(&settings,
                                               POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    failed = failed ? failed : posix_spawn(pid, "/bin/sh", &files, &settings, word, environ);
    posix_spawnattr_destroy(&settings);
    posix_spawn_file_actions_destroy(&files);
    return failed;
}

static bool is_cancelled(const struct be_compare_options *options) {
    return options->cancelled && options->cancelled(options->context);
}

/* Until it ends. Where the kernel has no descriptors of processes, it is asked for now and then. */
static void wait_for(pid_t pid, double until_s, const struct be_compare_options *options,
                     struct be_program_run *run, int *status) {
    int file = (int)syscall(SYS_pidfd_open, pid, 0);
    while (!run->ended && !run->cancelled && now_s() < until_s) {
        struct pollfd wait = {.fd = file, .events = POLLIN};
        double left_ms = 1e3 * (until_s - now_s());
        poll(&wait, 1, file < 0 ? 1 : left_ms < LOOK_MS ? (int)left_ms + 1 : LOOK_MS);
        run->ended = waitpid(pid, status, WNOHANG) == pid;
        run->cancelled = !run->ended && is_cancelled(options);
    }
    if (file >= 0) {
        close(file);
    }
}

static void say_failure(int status, const struct be_program_output *output, double patience_s,
                        struct be_program_run *run) {
    char line[BE_NOTE / 2] = "", how[BE_NAME];
    if (!run->ended) {
        snprintf(run->failed, sizeof run->failed,
                 "had not ended after %.3g s, and was ended (--patience=SECONDS allows more)",
                 patience_s);
        return;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return;
    }
    last_line(output->complaints, line, sizeof line);
    snprintf(how, sizeof how, WIFSIGNALED(status) ? "was ended by signal %d" : "exit code %d",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    snprintf(run->failed, sizeof run->failed, "%s%s%s", how, *line ? ": " : "", line);
}

enum be_status be_program_run(const char *command, uint64_t n, double patience_s,
                              const struct be_program_output *output,
                              const struct be_compare_options *options, struct be_program_run *run,
                              struct be_error *error) {
    char words[LINE];
    int status = 0;
    *run = (struct be_program_run){0};
    if (!be_command_words(command, n, words, sizeof words) || !empty(output->out) ||
        !empty(output->complaints)) {
        return be_fail(error, BE_USAGE, "%.60s: the command is longer than %d signs", command,
                       (int)LINE);
    }
    double begin_s = now_s();
    pid_t pid = 0;
    int failed = start(words, output, &pid);
    if (failed) {
        return be_fail(error, BE_IO, "%.60s: cannot be started: %s", command, strerror(failed));
    }
    wait_for(pid, begin_s + patience_s, options, run, &status);
    run->seconds = now_s() - begin_s;
    if (!run->ended) {
        kill(-pid, SIGKILL);
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
    }
    say_failure(status, output, patience_s, run);
    return BE_OK;
}
