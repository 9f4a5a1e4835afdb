#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/suggest.h"
#include "cli/command/command.h"
#include "cli/common/fail.h"
#include "host/simd.h"

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"compare", be_cli_compare, "run a computation on CPU and GPU; find the break-even"},
    {"predict", be_cli_predict,
     "foretell a computation's times, also on machines that are not here"},
    {"decide", be_cli_decide, "rank places by the time to a result, waits included"},
    {"probe", be_cli_probe, "measure the maximum speeds of this machine; save a profile"},
    {"machines", be_cli_machines, "list profiles of machines; show two side by side"},
    {"ask", be_cli_ask, "run any command on the CPU; say what a GPU would do for it"},
    {"run", be_cli_run_command, "run any command; report how well it uses this machine"},
    {"watch", be_cli_watch, "watch a process, a job or the machine live: terminal or web page"},
    {"train", be_cli_train, "train a small network on real images; say where the time goes"},
    {"queue", be_cli_queue, "show how long jobs waited, and forecast waits"},
    {"summary", be_cli_summary, "report how well a finished Slurm job used its resources"},
    {"job", be_cli_job, "write a job script that a cluster accepts"},
    {"lint", be_cli_lint, "find and fix mistakes in a job script"},
    {"clusters", be_cli_clusters, "list known clusters: GPUs, limits, costs, sources"},
    {"report", be_cli_report, "print saved results again: table, CSV or JSON"},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int list_commands(FILE *out) {
    fprintf(out, "Is this computation worth a GPU? breakeven measures it on this machine.\n"
                 "Every result is checked, and every time has its spread.\n\n"
                 "usage: breakeven COMMAND [OPTION...]\n\n");
    for (int i = 0; i < COMMANDS; i++) {
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].summary);
    }
    fprintf(out, "\n`breakeven COMMAND -h` shows the options of a command, `man breakeven` all.\n"
                 "Example: breakeven compare power multiply\n");
    return BE_EXIT_OK;
}

static bool output_ended; /* end_output has said what there was to say */

/* Output left in a buffer may not have reached a full disk, or a file that is closed. A command under watch keeps its
 * exit code. */
static int end_output(int code, bool keeps_code) {
    output_ended = true;
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return code;
    }
    if (keeps_code || (code != BE_EXIT_OK && code != BE_EXIT_FINDINGS)) {
        return code;
    }
    fprintf(stderr, "breakeven: standard output: %s\n", strerror(errno));
    return BE_EXIT_USAGE;
}

/* For the completion of shells: a name and a line on it. `breakeven COMMAND --list-options` has a command's options. */
static int list_for_shells(bool (*describe)(int index, const char **name, const char **summary)) {
    const char *name, *summary;
    for (int i = 0; describe(i, &name, &summary); i++) {
        printf("%s\t%s\n", name, summary);
    }
    return end_output(BE_EXIT_OK, false);
}

static bool describe_command(int index, const char **name, const char **summary) {
    if (index >= COMMANDS) {
        return false;
    }
    *name = commands[index].name;
    *summary = commands[index].summary;
    return true;
}

/* argp ends the program itself once it has printed --help or --usage. */
static void on_exit_of_argp(void) {
    int code = output_ended ? BE_EXIT_OK : end_output(BE_EXIT_OK, false);
    if (code != BE_EXIT_OK) {
        _exit(code);
    }
}

/* Whoever started us may have closed some. Then no file of ours may take their numbers, and to write
 * there must still fail; a command that we start finds them closed. */
static void hold_standard_files(void) {
    for (int i = 0; i < 3; i++) {
        if (fcntl(i, F_GETFD) < 0 && open("/dev/null", (i ? O_RDONLY : O_WRONLY) | O_CLOEXEC) < 0) {
            return;
        }
    }
}

static const struct command *find_command(const char *name) {
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(name, commands[i].name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

/* words[0] is the command's name; argp calls the program so. */
static int run_command(const struct command *command, int count, char **words) {
    char whole[BE_NAME];
    snprintf(whole, sizeof whole, "breakeven %s", command->name);
    words[0] = whole;
    return end_output(command->run(count, words),
                      command->run == be_cli_run_command || command->run == be_cli_ask);
}

static bool is_workload(const char *name) {
    const char *workload, *summary;
    bool is = false;
    for (int i = 0; !is && be_workload_describe(i, &workload, &summary); i++) {
        is = strcmp(name, workload) == 0;
    }
    return is;
}

static const char *near_command(const char *name) {
    const char *nearest = NULL;
    size_t min = be_near_limit(strlen(name));
    for (int i = 0; i < COMMANDS; i++) {
        bool nearer = be_is_nearer(name, strlen(name), commands[i].name, &min);
        nearest = nearer ? commands[i].name : nearest;
    }
    return nearest;
}

static void say_what_is_meant(const char *name) {
    const char *near = near_command(name);
    struct be_error error;
    if (*name == '-') {
        (void)be_fail(&error, BE_USAGE,
                      "%.60s: no option of breakeven alone: options stand behind a command, as in "
                      "`breakeven compare --quick`",
                      name);
    } else if (is_workload(name)) {
        (void)be_fail(&error, BE_USAGE, "%s: no such command; did you mean `breakeven compare %s`?",
                      name, name);
    } else if (near) {
        (void)be_fail(&error, BE_USAGE, "%.60s: no such command; did you mean %s?", name, near);
    } else {
        (void)be_fail(&error, BE_USAGE,
                      "%.60s: no such command; programs of your own are watched by `breakeven run "
                      "-- COMMAND`",
                      name);
    }
    (void)be_cli_fail(&error);
    fputc('\n', stderr);
}

static int no_command(const char *name) {
    if (*name) {
        say_what_is_meant(name);
    }
    list_commands(stderr);
    return BE_EXIT_USAGE;
}

/* Before any code of an instruction set that this processor may lack. */
static int built_for_another(void) {
    struct be_error error;
    (void)be_fail(&error, BE_ABSENT,
                  "this program was built by `make run`, for the processor that was there (%s), "
                  "and this one has less: `make` builds it for all",
                  be_simd_name[be_simd_here()]);
    return be_cli_fail(&error);
}

static bool is_one_of(const char *name, const char *const list[]) {
    while (*list && strcmp(name, *list) != 0) {
        list++;
    }
    return *list != NULL;
}

int be_cli_run(int argc, char **argv) {
    static const char *const help[] = {"help", "--help", "-h", "-?", "--usage", NULL};
    static const char *const version[] = {"--version", "-V", NULL};
    const char *name = argc > 1 ? argv[1] : "";
    hold_standard_files();
    setlocale(LC_CTYPE, ""); /* graphs are of what can be shown */
    atexit(on_exit_of_argp);
    if (!be_simd_runs_here()) {
        return built_for_another();
    }
    const struct command *command = find_command(name);
    if (command) {
        return run_command(command, argc - 1, argv + 1);
    }
    if (is_one_of(name, version)) {
        puts("breakeven " BE_VERSION);
        return end_output(BE_EXIT_OK, false);
    }
    if (strcmp(name, "--list-commands") == 0) {
        return list_for_shells(describe_command);
    }
    if (strcmp(name, "--list-workloads") == 0) {
        return list_for_shells(be_workload_describe);
    }
    if (strcmp(name, "help") == 0 && argc > 2) {
        char option[] = "--help";
        char *words[] = {NULL, option, NULL};
        command = find_command(argv[2]);
        return command ? run_command(command, 2, words) : no_command(argv[2]);
    }
    if (is_one_of(name, help)) {
        return end_output(list_commands(stdout), false);
    }
    return no_command(name);
}
