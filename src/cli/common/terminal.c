/* The terminal while a run goes on: progress that a person sees, and keys. */
#include "cli/common/terminal.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/common/fail.h"

static volatile sig_atomic_t interrupted;
static atomic_llong interrupted_ms;   /* when first */
static volatile sig_atomic_t watched; /* standard error is a terminal */
/* The file that the second Ctrl-C removes. Its handler may run in any thread at any time, so a path
 * is never changed once it stands here; `half` alone says whether that file is half written. */
static struct {
    char path[PATH_MAX];
    atomic_bool half;
} parts[BE_CLI_PARTS];
static size_t part_count;
static double shown_at_s; /* when the line was last written */
static bool shown;

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int minutes(double seconds, char *text, size_t capacity) {
    return isnan(seconds) || seconds < 0
               ? snprintf(text, capacity, "?")
               : snprintf(text, capacity, "%d:%02d", (int)seconds / 60, (int)seconds % 60);
}

void be_cli_progress(void *context, const struct be_progress *progress) {
    const double every_s = 0.2;
    (void)context;
    double now = now_s();
    if (now - shown_at_s < every_s || !isatty(STDERR_FILENO)) {
        return;
    }
    char left[16];
    char line[128];
    minutes(progress->left_s, left, sizeof left);
    char to_go[32] = ""; /* of a probe: nobody counted */
    if (progress->left > 0) {
        snprintf(to_go, sizeof to_go, ", %3d to go", progress->left);
    }
    snprintf(line, sizeof line, "%-45.45s %3d done%s, %.8s left", progress->what, progress->done,
             to_go, left);
    fprintf(stderr, "\r%-79.79s", line);
    fflush(stderr);
    shown_at_s = now;
    shown = true;
}

void be_cli_progress_clear(void) {
    if (shown) {
        fprintf(stderr, "\r%79s\r", "");
        fflush(stderr);
        shown = false;
    }
}

void be_cli_part_begins(const char *path) {
    if (part_count == BE_CLI_PARTS || strlen(path) >= PATH_MAX) {
        return;
    }
    snprintf(parts[part_count].path, PATH_MAX, "%s", path);
    atomic_store(&parts[part_count].half, true);
    part_count++;
}

void be_cli_part_ends(const char *path) {
    for (size_t i = 0; i < part_count; i++) {
        if (strcmp(parts[i].path, path) == 0) {
            atomic_store(&parts[i].half, false);
        }
    }
}

/* The first time the run is asked to end, the second time the program does. A sender that signals us and our group, as
 * timeout(1) does, sends it twice at once: that is one. A result that is half written then is a file beside the one
 * that was asked for: it goes, and old results stay whole. Only calls that a handler may make (signal-safety(7)). */
static void on_interrupt(int signal) {
    static const char line[] = "\nbreakeven: interrupted twice: ended at once, nothing is kept\n";
    static const char ending[] = "\nbreakeven: ending with what there is; Ctrl-C again: at once\n";
    const long long together_ms = 100;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    const long long now_ms = 1000LL * t.tv_sec + t.tv_nsec / 1000000;
    (void)signal;
    if (interrupted && now_ms - atomic_load(&interrupted_ms) < together_ms) {
        return;
    }
    if (interrupted) {
        for (size_t i = 0; i < BE_CLI_PARTS; i++) {
            if (atomic_load(&parts[i].half)) {
                unlink(parts[i].path);
            }
        }
        (void)!write(STDERR_FILENO, line, sizeof line - 1);
        _exit(BE_EXIT_INTERRUPTED);
    }
    atomic_store(&interrupted_ms, now_ms);
    interrupted = 1;
    if (watched) { /* what was begun may take seconds to end */
        const int before = errno;
        (void)!write(STDERR_FILENO, ending, sizeof ending - 1);
        errno = before;
    }
}

/* A shell without job control starts what is to run behind with Ctrl-C ignored: so it stays. */
static void catch_unless_ignored(int signal, const struct sigaction *action) {
    struct sigaction before;
    if (sigaction(signal, NULL, &before) != 0 || before.sa_handler != SIG_IGN) {
        sigaction(signal, action, NULL);
    }
}

void be_cli_catch_interrupt(void) {
    struct sigaction action = {.sa_handler = on_interrupt};
    watched = isatty(STDERR_FILENO) != 0;
    sigemptyset(&action.sa_mask);
    catch_unless_ignored(SIGINT, &action);
    catch_unless_ignored(SIGTERM, &action);
    catch_unless_ignored(SIGHUP, &action); /* the terminal is gone: files are still to be had */
}

bool be_cli_interrupted(void *context) {
    (void)context;
    return interrupted != 0;
}
