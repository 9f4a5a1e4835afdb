/* breakeven run -- COMMAND */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/ask/beside.h"
#include "cli/command/command.h"
#include "cli/common/explain.h"
#include "cli/common/fail.h"
#include "cli/common/output.h"
#include "cli/common/parse.h"
#include "cli/common/settings.h"
#include "cli/common/trace_files.h"
#include "cli/run/call_recording.h"
#include "cli/run/gpu_tracing.h"
#include "cli/run/pattern.h"
#include "cli/run/watcher.h"
#include "observe/process/limits.h"
#include "report/trace/trace.h"

enum key {
    OUTPUT = 'o',
    QUIET = 'q',
    RATE = 256,
    TRACE_FILE,
    RECORD,
    JSON,
    TRACE,
    CALLS,
    EXPLAIN,
    HTML,
    SVG,
    NO_VERDICT
};

static const struct argp_option option[] = {
    {"rate", RATE, "HZ", 0, "Samples a second (default: 10 at first, and 1 once the run is long)",
     1},
    {"trace", TRACE, NULL, 0,
     "Also record kernels, copies and waits of CUDA programs, for a share of the time. No other "
     "profiler can trace the program meanwhile",
     1},
    {"calls", CALLS, NULL, 0,
     "Also record calls of BLAS, LAPACK and FFTW: functions, shapes, time, and which operands come "
     "back",
     1},
    {"output", OUTPUT, "FILE", 0,
     "Write the report to FILE, not to standard error. In names of files %h is the host, %p the "
     "process, %r the rank and %j the job",
     2},
    {"json", JSON, "FILE", 0, "Also write the whole trace as JSON, for other programs to read", 2},
    {"html", HTML, "FILE", 0,
     "Also write one page that needs nothing else, for somebody who was not there", 2},
    {"svg", SVG, "FILE", 0, "Also draw the run over its time, with its findings", 2},
    {"trace-file", TRACE_FILE, "FILE", 0,
     "Keep the trace in FILE (default: among your own in ~/.local/share/breakeven/runs). none: "
     "keep it nowhere",
     2},
    {"record-command", RECORD, NULL, 0,
     "Keep the command's arguments in the trace, too (default: its name only)", 2},
    {"no-verdict", NO_VERDICT, NULL, 0,
     "Say nothing of whether it is worth a GPU, and take no samples for that", 2},
    {"quiet", QUIET, NULL, 0, "Write no report. The trace is kept", 2},
    {"explain", EXPLAIN, "NAME", OPTION_ARG_OPTIONAL,
     "Explain the finding NAME: its signals, its thresholds and its source (no NAME: all "
     "findings). Nothing is run",
     3},
    {0},
};

struct asked {
    struct be_run_options run;
    const char *trace_file;
    char output_path[BE_RUN_PATH], json_path[BE_RUN_PATH], html_path[BE_RUN_PATH],
        svg_path[BE_RUN_PATH], trace_path[BE_RUN_PATH];
    bool record, trace, calls, explain;
    const char *finding; /* --explain=NAME */
    char **command;      /* ends with NULL */
    int words;
    struct be_error error;
};

static enum be_status take_rate(void *context, char *text, struct be_error *error) {
    struct asked *asked = context;
    char *end = NULL;
    double hertz = strtod(text, &end);
    if (end == text || *end || !(hertz >= 0.01 && hertz <= 100)) {
        return be_fail(error, BE_USAGE,
                       "--rate %s: a number from 0.01 to 100 (samples a second) is needed", text);
    }
    asked->run.interval_s = 1 / hertz;
    return BE_OK;
}

/* `run --json -- COMMAND` would take the dashes for the name of a file. */
static enum be_status check_file(const char *name, const char *text, struct be_error *error) {
    if (strcmp(text, "--") == 0) {
        return be_fail(error, BE_USAGE,
                       "%s needs a file, as in %s=FILE: before `--', which begins the command",
                       name, name);
    }
    if (!*text) {
        return be_fail(error, BE_USAGE, "%s: which file? its name is empty", name);
    }
    if (strcmp(text, "-") == 0) {
        return be_fail(error, BE_USAGE, "%s -: standard output is the command's: name a file",
                       name);
    }
    return BE_OK;
}

static const struct be_setting setting[] = {
    BE_OWN(RATE, take_rate),
    BE_CHECKED(OUTPUT, run.output.path, "--output", check_file),
    BE_CHECKED(JSON, run.json.path, "--json", check_file),
    BE_CHECKED(HTML, run.html.path, "--html", check_file),
    BE_CHECKED(SVG, run.svg.path, "--svg", check_file),
    BE_CHECKED(TRACE_FILE, trace_file, "--trace-file", check_file),
    BE_FLAG(RECORD, record),
    BE_FLAG(TRACE, trace),
    BE_FLAG(CALLS, calls),
    BE_GIVEN(EXPLAIN, explain, finding),
    BE_FLAG(NO_VERDICT, run.no_verdict),
    BE_FLAG(QUIET, run.quiet),
    BE_REST(command, words), /* the command's own options are not ours */
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct asked *asked = state->input;
    if (key == ARGP_KEY_NO_ARGS && !asked->explain) {
        argp_error(state, "which command? `breakeven run -- COMMAND ARGUMENT...`");
        return EINVAL;
    }
    return be_cli_set(setting, BE_COUNT(setting), key, text, state, &asked->error);
}

/* Its name, and its arguments where they were asked for: they may hold secrets. */
static void name_command(struct asked *asked) {
    char *to = asked->run.command;
    const char *slash = strrchr(asked->command[0], '/');
    be_copy_text(to, BE_NOTE, slash && !asked->record ? slash + 1 : asked->command[0]);
    for (int i = 1; asked->record && i < asked->words; i++) {
        size_t length = strlen(to);
        snprintf(to + length, BE_NOTE - length, " %s", asked->command[i]);
    }
}

/* Where the trace goes. That there is nowhere to keep it is no reason not to run. */
static enum be_status choose_trace_file(struct asked *asked) {
    char job[BE_NAME];
    struct be_error error = {0};
    char *path = asked->run.trace_file;
    if (asked->trace_file) {
        if (strcmp(asked->trace_file, "none") == 0) {
            return BE_OK;
        }
        int own = be_cli_own_file(asked->trace_file);
        if (own >= 0) {
            close(own);
            return be_fail(&asked->error, BE_USAGE,
                           "--trace-file %s: a trace is written more than once: name a file",
                           asked->trace_file);
        }
        be_copy_text(path, BE_RUN_PATH, asked->trace_file);
        return be_trace_file_try(asked->trace_file, &asked->error);
    }
    be_job_name((const char *const *)environ, job, sizeof job);
    if (be_trace_file_new(job, path, BE_RUN_PATH, &error) != BE_OK) {
        path[0] = '\0';
        be_context(&error, "the trace will not be kept (--trace-file=FILE keeps it there)");
        be_cli_fail(&error);
    }
    return BE_OK;
}

/* One would overwrite the other. */
static enum be_status check_apart(const char *one, const char *other, struct be_error *error) {
    return one && other && be_cli_same_file(one, other)
               ? be_fail(error, BE_USAGE, "%s: is named twice: each output needs a file of its own",
                         one)
               : BE_OK;
}

/* Names with parts for host, process, rank and job. */
static enum be_status fill_in_names(struct asked *asked) {
    struct be_run_options *run = &asked->run;
    const struct {
        const char *option;
        const char **name;
        char *path;
    } files[] = {{"--output", &run->output.path, asked->output_path},
                 {"--json", &run->json.path, asked->json_path},
                 {"--html", &run->html.path, asked->html_path},
                 {"--svg", &run->svg.path, asked->svg_path},
                 {"--trace-file", &asked->trace_file, asked->trace_path}};
    enum be_status status = BE_OK;
    for (size_t i = 0; status == BE_OK && i < BE_COUNT(files); i++) {
        const bool none = *files[i].name && strcmp(*files[i].name, "none") == 0;
        if (*files[i].name && !(none && files[i].path == asked->trace_path)) {
            status = be_run_pattern(files[i].option, *files[i].name, files[i].path, &asked->error);
            *files[i].name = files[i].path;
        }
    }
    return status;
}

static enum be_status choose_files(struct asked *asked) {
    struct be_run_options *run = &asked->run;
    enum be_status status = fill_in_names(asked);
    if (status != BE_OK) {
        return status;
    }
    struct be_run_output *const to[] = {&run->output, &run->json, &run->html, &run->svg};
    const char *trace = asked->trace_file;
    trace = trace && strcmp(trace, "none") == 0 ? NULL : trace;
    for (size_t i = 0; i < BE_COUNT(to) && !status; i++) {
        status = check_apart(trace, to[i]->path, &asked->error);
        for (size_t k = 0; k < i && !status; k++) {
            status = check_apart(to[k]->path, to[i]->path, &asked->error);
        }
    }
    status = status ? status : choose_trace_file(asked);
    for (size_t i = 0; i < BE_COUNT(to) && !status; i++) {
        status = be_run_output_choose(to[i], &asked->error);
    }
    return status;
}

/* The libraries that are loaded into the command, and their folders. */
struct guests {
    struct be_gpu_tracing tracing;
    struct be_call_recording recording;
    const char *environment[5]; /* of both, then NULL */
};

static void end_guests(const struct guests *guests) {
    be_gpu_tracing_end(&guests->tracing);
    be_call_recording_end(&guests->recording);
}

static enum be_status begin_guests(struct asked *asked, struct guests *guests) {
    enum be_status status = BE_OK;
    size_t count = 0;
    if (asked->trace) {
        status = be_gpu_tracing_begin(&guests->tracing, &asked->error);
    }
    if (!status && asked->calls) {
        status = be_call_recording_begin(&guests->recording, asked->command[0], &asked->error);
    }
    if (status) {
        end_guests(guests);
        return status;
    }
    for (int i = 0; i < 2; i++) {
        const char *of_trace = guests->tracing.environment[i];
        const char *of_calls = guests->recording.environment[i];
        guests->environment[count] = of_trace;
        count += of_trace != NULL;
        guests->environment[count] = of_calls;
        count += of_calls != NULL;
    }
    asked->run.trace_folder = asked->trace ? guests->tracing.folder : NULL;
    asked->run.calls = asked->calls;
    asked->run.calls_file = guests->recording.file[0] ? guests->recording.file : NULL;
    asked->run.calls_note = guests->recording.note;
    return BE_OK;
}

int be_cli_run_command(int argc, char **argv) {
    static const struct argp argp = {
        option,
        parse,
        "COMMAND [ARGUMENT...]",
        "The command runs unchanged while breakeven samples what it uses. At its end a report on "
        "standard error says how long it ran, how much of its cores, memory and GPUs it used, and "
        "what was found. Input, output, signals, terminal and exit code are those of the "
        "command.\vExamples:\n  breakeven run -- python train.py\n  breakeven run --explain=serial",
        NULL,
        NULL,
        NULL};
    struct asked asked = {0};
    if (be_cli_parse(&argp, argc, argv, ARGP_IN_ORDER, &asked) != 0) {
        return be_cli_fail(&asked.error);
    }
    if (asked.explain) { /* a NAME with a blank before it came as the command */
        bool apart = !asked.finding && asked.command;
        if (asked.words > apart) {
            be_fail(&asked.error, BE_USAGE, "--explain: one name, and no command: nothing is run");
            return be_cli_fail(&asked.error);
        }
        return be_cli_explain(apart ? asked.command[0] : asked.finding);
    }
    name_command(&asked);
    if (choose_files(&asked) != BE_OK) {
        return be_cli_fail(&asked.error);
    }
    static struct guests guests;
    if (begin_guests(&asked, &guests) != BE_OK) {
        return be_cli_fail(&asked.error);
    }
    struct be_cli_asker asker = {0};
    if (!asked.run.no_verdict) {
        be_beside_open(asked.command[0], &asker);
        asked.run.other = &asker.look;
    }
    struct be_watch_job job = {.run = be_watcher_run, .context = &asked.run};
    struct be_launch launch = {.command = asked.command, .extra = guests.environment, .job = &job};
    bool interrupted = false;
    int code = be_launch(&launch, &interrupted);
    be_cli_asker_close(&asker);
    end_guests(&guests);
    if (interrupted) {
        be_launch_interrupt();
    }
    return code;
}
