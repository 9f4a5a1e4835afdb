/* breakeven ask -- COMMAND */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/ask/again.h"
#include "cli/ask/asker.h"
#include "cli/ask/machines.h"
#include "cli/command/command.h"
#include "cli/common/fail.h"
#include "cli/common/output.h"
#include "cli/common/parse.h"
#include "cli/common/settings.h"
#include "cli/run/call_recording.h"
#include "cli/run/pattern.h"
#include "cli/run/watcher.h"

enum key { OUTPUT = 'o', JSON = 256, RECORD, MACHINE, CALLS, WITH, AGAIN };

static const struct argp_option option[] = {
    {"machine", MACHINE, "LIST", 0,
     "Machines whose GPU is asked about: measured ones, profiles, data sheets, files (default: "
     "h200,a100-80,t4). `breakeven machines` lists them",
     1},
    {"elsewhere", MACHINE, "LIST", OPTION_ALIAS, NULL, 1},
    {"output", OUTPUT, "FILE", 0,
     "Write the answer to FILE, not to standard error. In names of files %h is the host, %p the "
     "process, %r the rank and %j the job",
     1},
    {"json", JSON, "FILE", OPTION_ARG_OPTIONAL,
     "Also write JSON to FILE (no FILE: JSON is the answer, instead of the text)", 1},
    {"calls", CALLS, NULL, 0,
     "Also record calls of BLAS and LAPACK, by a library that is loaded into the command: products "
     "and factorizations are then judged by their shapes",
     1},
    {"with", WITH, "LIBRARY", 0,
     "The library that a version for a GPU would use, of a program of Python: cupy, torch or jax. "
     "They start in 1 to 5 s, and take 2 to 40 us a call",
     1},
    {"again", AGAIN, "FILE", 0,
     "Run nothing: answer for other machines, or another library, from what --json=FILE wrote", 1},
    {"record-command", RECORD, NULL, 0,
     "Name the command with its arguments in the answer (default: its name only)", 1},
    {0},
};

struct asked {
    struct be_cli_asker asker;
    const char *output, *json_file, *with, *again;
    char output_path[BE_RUN_PATH], json_path[BE_RUN_PATH];
    const char *machine[BE_LIST_MAX];
    int machines;
    bool json, record, calls;
    char **command; /* ends with NULL */
    int words;
    struct be_error error;
};

static const struct be_setting setting[] = {
    BE_TEXT(OUTPUT, output), BE_GIVEN(JSON, json, json_file),
    BE_FLAG(RECORD, record), BE_NAMES(MACHINE, machine, machines, "--machine"),
    BE_FLAG(CALLS, calls),   BE_TEXT(WITH, with),
    BE_TEXT(AGAIN, again),   BE_REST(command, words), /* the command's own options are not ours */
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct asked *asked = state->input;
    if (key == ARGP_KEY_NO_ARGS && !asked->again) {
        argp_error(state, "which command? `breakeven ask -- COMMAND ARGUMENT...`");
        return EINVAL;
    }
    return be_cli_set(setting, BE_COUNT(setting), key, text, state, &asked->error);
}

/* Its name, and its arguments where they were asked for: they may hold secrets. */
static void name_command(struct asked *asked) {
    char *to = asked->asker.command;
    const char *slash = strrchr(asked->command[0], '/');
    be_copy_text(to, BE_NOTE, slash && !asked->record ? slash + 1 : asked->command[0]);
    for (int i = 1; asked->record && i < asked->words; i++) {
        const size_t length = strlen(to);
        snprintf(to + length, BE_NOTE - length, " %s", asked->command[i]);
    }
}

static enum be_status choose(const char *option_name, const char *name, char *path,
                             struct be_run_output *to, struct be_error *error) {
    *to = (struct be_run_output){.file = -1};
    if (!name) {
        return BE_OK;
    }
    if (strcmp(name, "-") == 0 || !*name) {
        return be_fail(error, BE_USAGE, "%s %s: standard output is the command's: name a file",
                       option_name, name);
    }
    enum be_status status = be_run_pattern(option_name, name, path, error);
    to->path = path;
    return status ? status : be_run_output_choose(to, error);
}

static enum be_status choose_files(struct asked *asked) {
    struct be_cli_asker *asker = &asked->asker;
    enum be_status status =
        choose("--output", asked->output, asked->output_path, &asker->output, &asked->error);
    status =
        status ? status
               : choose("--json", asked->json_file, asked->json_path, &asker->json, &asked->error);
    if (!status && asked->output && asked->json_file &&
        be_cli_same_file(asked->output_path, asked->json_path)) {
        return be_fail(&asked->error, BE_USAGE,
                       "%s: is named twice: each output needs a file of its own",
                       asked->output_path);
    }
    asker->only_json = asked->json && !asked->json_file;
    return status;
}

static enum be_status choose_library(struct asked *asked) {
    asked->asker.with = asked->with ? be_gpu_library_of(asked->with) : NULL;
    return asked->with && (!asked->asker.with || !asked->with[0])
               ? be_fail(&asked->error, BE_USAGE, "--with=%.40s: is none of %s", asked->with,
                         be_gpu_library_words)
               : BE_OK;
}

/* Nothing is run. */
static int answer_again(struct asked *asked) {
    struct be_cli_asker *asker = &asked->asker;
    const bool is_file = asked->json_file != NULL;
    enum be_status status = choose_library(asked);
    if (!status && (asked->words || asked->calls || asked->record)) {
        status = be_fail(&asked->error, BE_USAGE,
                         "--again=%.60s: runs nothing: give no command, no --calls and no "
                         "--record-command",
                         asked->again);
    }
    status = status ? status
                    : be_ask_machines_open(asked->machine, asked->machines, &asker->scale,
                                           &asker->scales, &asked->error);
    if (!status && is_file) {
        status = be_ask_again(asked->again, asker->scale, asker->scales, asker->with, BE_JSON,
                              asked->json_file, &asked->error);
    }
    if (!status) {
        status =
            be_ask_again(asked->again, asker->scale, asker->scales, asker->with,
                         asked->json && !is_file ? BE_JSON : BE_TEXT, asked->output, &asked->error);
    }
    be_cli_asker_close(asker);
    return status ? be_cli_fail(&asked->error) : 0;
}

int be_cli_ask(int argc, char **argv) {
    static const struct argp argp = {
        option,
        parse,
        "COMMAND [ARGUMENT...]",
        "The command runs unchanged on the CPU while the kernel samples where its threads are. At "
        "its end the answer on standard error says which kinds of work took its time, and whether "
        "a GPU would be faster. Input, "
        "output, signals, terminal and exit code are those of the "
        "command.\vExamples:\n  breakeven ask -- python simulate.py\n  breakeven ask "
        "--machine=l4,t4 --json=ask.json -- ./simulate",
        NULL,
        NULL,
        NULL};
    struct asked asked = {0};
    if (be_cli_parse(&argp, argc, argv, ARGP_IN_ORDER, &asked) != 0) {
        return be_cli_fail(&asked.error);
    }
    if (asked.again) {
        return answer_again(&asked);
    }
    name_command(&asked);
    enum be_status status = choose_library(&asked);
    status = status ? status : choose_files(&asked);
    if (!status && asked.machines) {
        status = be_ask_machines_open(asked.machine, asked.machines, &asked.asker.scale,
                                      &asked.asker.scales, &asked.error);
    }
    if (status) {
        return be_cli_fail(&asked.error);
    }
    struct be_call_recording recording = {0};
    if (asked.calls &&
        be_call_recording_begin(&recording, asked.command[0], &asked.error) != BE_OK) {
        return be_cli_fail(&asked.error);
    }
    const struct be_sampling_options all = {0};
    be_cli_asker_open(&all, &asked.asker);
    const struct be_run_options run = {.output = asked.asker.output,
                                       .json = asked.asker.json,
                                       .calls = asked.calls,
                                       .calls_file = recording.file[0] ? recording.file : NULL,
                                       .calls_note = recording.note,
                                       .other = &asked.asker.look};
    struct be_watch_job job = {.run = be_watcher_run, .context = (void *)(uintptr_t)&run};
    struct be_launch launch = {
        .command = asked.command, .extra = recording.environment, .job = &job};
    bool interrupted = false;
    int code = be_launch(&launch, &interrupted);
    be_cli_asker_close(&asked.asker);
    be_call_recording_end(&recording);
    if (interrupted) {
        be_launch_interrupt();
    }
    return code;
}
