/* breakeven summary JOBID */
#include <math.h>
#include <signal.h>
#include <string.h>

#include "accounting/account.h"
#include "base/error.h"
#include "base/input.h"
#include "cli/command/command.h"
#include "cli/common/explain.h"
#include "cli/common/fail.h"
#include "cli/common/output.h"
#include "cli/common/parse.h"
#include "cli/common/settings.h"
#include "cli/common/trace_files.h"
#include "cli/summary/many.h"
#include "report/common/lines.h"
#include "report/common/out.h"
#include "cli/run/node_rates.h"
#include "report/saved.h"
#include "report/trace/trace.h"

enum key {
    JSON = 256,
    HTML,
    SVG,
    PNG,
    FAIL_ON,
    TRACE_FILE,
    CSV,
    SINCE,
    UNTIL,
    LAST,
    ALL_USERS,
    BY,
    TOP
};

static const struct argp_option option[] = {
    {"json", JSON, "FILE", OPTION_ARG_OPTIONAL,
     "Write JSON (no FILE: to standard output, instead of the text)", 0},
    {"html", HTML, "FILE", OPTION_ARG_OPTIONAL,
     "Write one page that needs nothing else (no FILE: to standard output, instead of the text)",
     0},
    {"svg", SVG, "FILE", 0, "Draw a job over its time, or the worst of many as bars", 0},
    {"png", PNG, "FILE", 0, "The drawing of --svg as PNG, where rsvg-convert is installed", 0},
    {"fail-on", FAIL_ON, "WHAT", 0,
     "End with exit code 1 where there are such findings: cost (they cost time or money), note "
     "(they are worth knowing), or the name of one",
     0},
    {"trace-file", TRACE_FILE, "FILE", 0,
     "Trace that `breakeven run` kept of the job (default: the newest of this job among your own). "
     "none: use accounting alone",
     0},
    {NULL, 0, NULL, 0, "Many jobs, a line each, the worst first:", 1},
    {"user", 'u', "NAMES", 0, "Jobs of these users (default: your own)", 1},
    {"account", 'A', "NAMES", 0, "Jobs charged to these accounts, of all users", 1},
    {"partition", 'r', "NAMES", 0, "Jobs of these partitions, of all users", 1},
    {"all-users", ALL_USERS, NULL, 0, "Jobs of all users", 1},
    {"since", SINCE, "TIME", 0, "That ran since then: 2026-01-31, now-7days (default: a day ago)",
     1},
    {"starttime", 'S', "TIME", OPTION_ALIAS, NULL, 1},
    {"until", UNTIL, "TIME", 0, "That ran before then", 1},
    {"last", LAST, "SPAN", 0, "That ran in the last 30m, 12h, 7d, 2w", 1},
    {"jobs", 'j', "JOBIDS", 0, "These jobs: 4711,4712_3; one alone is as without -j", 1},
    {"by", BY, "WHAT", 0, "A line for each array (default), job, user, account or partition", 1},
    {"top", TOP, "N", 0, "Show the N worst (default 50; 0: all)", 1},
    {"csv", CSV, "FILE", OPTION_ARG_OPTIONAL,
     "Write CSV of many jobs (no FILE: to standard output, instead of the text)", 1},
    {0},
};

struct asked {
    struct be_cli_outputs outputs;
    char **job;
    int jobs;
    const char *trace_file;
    struct be_cli_many many;
    struct be_fail_on fail_on;
    struct be_error error;
};

static enum be_status take_fail_on(void *context, char *text, struct be_error *error) {
    return be_cli_fail_on(text, &((struct asked *)context)->fail_on, error);
}

static const struct be_setting setting[] = {
    BE_OUTPUT(JSON, outputs.json),
    BE_OUTPUT(HTML, outputs.html),
    BE_DRAWING(SVG, outputs.chart),
    BE_DRAWING(PNG, outputs.png),
    BE_OWN(FAIL_ON, take_fail_on),
    BE_TEXT(TRACE_FILE, trace_file),
    BE_OUTPUT(CSV, outputs.csv),
    BE_TEXT('u', many.users),
    BE_TEXT('A', many.accounts),
    BE_TEXT('r', many.partitions),
    BE_FLAG(ALL_USERS, many.all_users),
    BE_TEXT(SINCE, many.since),
    BE_TEXT(UNTIL, many.until),
    BE_TEXT(LAST, many.last),
    BE_TEXT('j', many.jobs),
    BE_TEXT(BY, many.by),
    BE_TEXT(TOP, many.top),
    BE_REST(job, jobs),
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct asked *asked = state->input;
    switch (key) {
    case 'S':
        asked->many.since = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        if (!be_cli_many_asked(&asked->many) && !asked->many.jobs) {
            argp_error(state, "which job? `breakeven summary JOBID`, or --last=7d");
        }
        return 0;
    case ARGP_KEY_END:
        if (asked->jobs > 0 && asked->many.jobs) {
            argp_error(state, "-j has the jobs: no others beside it");
        }
        if (asked->trace_file && !*asked->trace_file) {
            argp_error(state, "--trace-file: which file? its name is empty");
        }
        return 0;
    default:
        return be_cli_set(setting, BE_COUNT(setting), key, text, state, &asked->error);
    }
}

/* "4711", "4711_3", "4711+1": it becomes a word of a command and part of a file's name. */
static enum be_status check_job(const char *job, struct be_error *error) {
    size_t length = strlen(job);
    bool right = length > 0 && length < 40 && strspn(job, "0123456789") > 0 &&
                 strspn(job, "0123456789_+") == length;
    return right
               ? BE_OK
               : be_fail(error, BE_USAGE, "%.60s: not the number of a job, as 4711 or 4711_3", job);
}

/* ---- accounting as a trace: one tick, the whole job ------------------------------------------------ */

/* Slurm looks at a job's memory once in so many seconds, unless the site says otherwise
 * (JobAcctGatherFrequency, slurm.conf). */
static const double gather_s = 30;

/* An exit code of 0:0 stands also beside states in which Slurm ended the job, or lost it. */
static void take_unsaid_end(enum be_job_state state, struct be_trace *trace) {
    switch (state) {
    case BE_JOB_COMPLETED:
    case BE_JOB_FAILED:
        return;
    case BE_JOB_TIMEOUT:
    case BE_JOB_CANCELLED:
    case BE_JOB_PREEMPTED:
    case BE_JOB_DEADLINE:
        trace->end = BE_END_KILLED;
        trace->code = SIGTERM;
        return;
    default:
        trace->end = BE_END_LOST;
    }
}

static void take_end(const struct be_account *account, struct be_trace *trace) {
    bool running = be_account_runs(account);
    /* Slurm writes 0:125 of a job that ran out of memory, which is no signal. */
    bool killed = account->signal > 0 && account->signal <= SIGRTMAX;
    trace->end = running ? BE_END_RUNNING : killed ? BE_END_KILLED : BE_END_EXITED;
    trace->code = killed ? account->signal : account->exit_code;
    if (account->signal > 0 && !killed && !account->exit_code) {
        trace->code = account->signal;
    }
    if (trace->end == BE_END_EXITED && trace->code == 0) {
        take_unsaid_end(account->state, trace);
    }
    if (account->state != BE_JOB_COMPLETED && account->state != BE_JOB_RUNNING) {
        be_copy_text(trace->note, sizeof trace->note, be_job_state_name(account->state));
    } else if (running) {
        be_copy_text(trace->note, sizeof trace->note,
                     "what it uses stands in accounting once it has ended");
    }
}

static void take_gpus(const struct be_account *account, int source, struct be_trace *trace) {
    const int kept = account->jobstats_gpus;
    const double all = kept ? kept : account->gpus;
    int gpus = all > BE_DEVICES_MAX ? BE_DEVICES_MAX : (int)all;
    trace->gpus = gpus;
    for (int i = 0; i < gpus; i++) {
        trace->gpu[i] = (struct be_trace_gpu){
            .memory_bytes = NAN, .bus_bytes_s = NAN, .power_limit_w = NAN, .fp64_ratio = NAN};
        const struct be_account_gpu *own = kept ? &account->jobstats_gpu[i] : NULL;
        snprintf(trace->gpu[i].id, BE_NAME, "sacct:%d", i);
        snprintf(trace->gpu[i].name, sizeof trace->gpu[i].name, "%.40s%s",
                 account->gpu_type[0] ? account->gpu_type : "of no type that is said",
                 gpus > 1 && !own ? ", the mean of all" : "");
        if (own) {
            be_copy_text(trace->gpu[i].id, BE_NAME, own->name);
            trace->gpu[i].memory_bytes = own->of_bytes;
        }
        be_trace_add(trace, BE_GPU_BUSY, i, source, own ? own->busy : account->gpu_busy);
        be_trace_add(trace, BE_GPU_MEMORY, i, source,
                     own ? own->memory_bytes : account->gpu_memory);
    }
    if (!gpus) {
        be_trace_absent(trace, BE_GPU_BUSY, "sacct", "none was allocated");
    }
    if (gpus && isnan(account->gpu_busy)) {
        be_trace_absent(
            trace, BE_GPU_BUSY, "sacct",
            "this site's accounting keeps no gres/gpuutil, and jobstats left nothing: run it under "
            "`breakeven run`");
    }
    static const enum be_signal never[] = {
        BE_GPU_SM_ACTIVE, BE_GPU_SM_OCCUPANCY, BE_GPU_TENSOR, BE_GPU_FP64,   BE_GPU_FP32,
        BE_GPU_FP16,      BE_GPU_DRAM,         BE_GPU_POWER,  BE_GPU_BUS_IN,
    };
    for (size_t i = 0; gpus && i < BE_COUNT(never); i++) {
        be_trace_absent(trace, never[i], "sacct", "accounting does not know it");
    }
    if (gpus && isnan(account->gpu_memory)) {
        be_trace_absent(trace, BE_GPU_MEMORY, "sacct", "accounting does not know it");
    }
}

static enum be_status trace_of(const struct be_account *account, struct be_trace *trace,
                               struct be_error *error) {
    enum be_status status = be_trace_open(trace, error);
    if (status) {
        return status;
    }
    int source = be_trace_source(trace, "sacct");
    double system_s = isnan(account->cpu_s)      ? NAN
                      : isnan(account->system_s) ? 0
                                                 : fmin(account->system_s, account->cpu_s);
    be_copy_text(trace->host, sizeof trace->host, account->nodes);
    be_copy_text(trace->command, sizeof trace->command, account->name);
    snprintf(trace->job, sizeof trace->job, "slurm %.50s", account->id);
    take_end(account, trace);
    trace->elapsed_s = account->elapsed_s;
    trace->limits.cpus = account->cpus;
    be_copy_text(trace->limits.cpus_by, BE_NAME, "AllocCPUS");
    trace->limits.memory_bytes = account->asked_bytes;
    be_copy_text(trace->limits.memory_by, BE_NAME, "AllocTRES");
    trace->limits.asked = true;
    trace->limits.tasks = account->tasks;
    trace->total.user_s = account->cpu_s - system_s;
    trace->total.system_s = system_s;
    if (be_trace_tick(trace, account->elapsed_s)) {
        be_trace_add(trace, BE_MEMORY, 0, source, account->memory_bytes);
        be_trace_add(trace, BE_CPU_BUSY, 0, source, account->cpu_s / account->elapsed_s);
        if (account->state == BE_JOB_OUT_OF_MEMORY) { /* one at least; how many is not kept */
            be_trace_add(trace, BE_GROUP_OOM_KILLS, 0, source, 1 / account->elapsed_s);
        }
        take_gpus(account, account->jobstats_gpus ? be_trace_source(trace, "jobstats") : source,
                  trace);
    }
    trace->samples = floor(account->elapsed_s / gather_s);
    for (int i = 0; i < trace->sources; i++) {
        trace->source[i].sampled = trace->samples;
    }
    trace->interval_s = gather_s;
    return BE_OK;
}

/* ---- what was kept of it --------------------------------------------------------------------------- */

/* *path empty: nothing was. */
static enum be_status find_trace(const struct asked *asked, const struct be_account *account,
                                 char *path, size_t capacity, struct be_trace *trace,
                                 struct be_error *error) {
    path[0] = '\0';
    if (asked->trace_file) {
        be_copy_text(path, capacity,
                     strcmp(asked->trace_file, "none") == 0 ? "" : asked->trace_file);
    } else if (!be_trace_file_of_job(account->raw, path, capacity)) {
        path[0] = '\0';
    }
    if (!path[0]) {
        return trace_of(account, trace, error);
    }
    FILE *in;
    enum be_status status = be_input_open(path, &in, error);
    if (status == BE_OK) {
        status = be_trace_read(in, path, trace, error);
        be_input_close(in);
    }
    return status;
}

/* ---- the text -------------------------------------------------------------------------------------- */

static void add_efficiency(struct be_text *out, const char *label, double efficiency,
                           const char *of) {
    if (isnan(efficiency)) {
        be_text_add(out, "%s not measured", label);
    } else {
        be_text_add(out, "%s %.2f %%%s%s", label, 100 * efficiency, *of ? " of " : "", of);
    }
}

/* As it was asked for, and as the lines below have it: "32G, 34.4 GB". */
static const char *asked_text(double bytes, char to[2 * BE_WORD]) {
    char asked[BE_WORD], plain[BE_WORD];
    snprintf(to, 2 * BE_WORD, "%s, %s", be_format_asked(asked, sizeof asked, bytes),
             be_format_bytes(plain, sizeof plain, bytes, ""));
    return to;
}

static void add_account(const struct be_account *account, struct be_text *out) {
    char asked[2 * BE_WORD], wait[BE_WORD];
    struct be_text line = {0};
    be_text_add(&line, "%s (", account->id);
    be_text_add_utf8(&line, account->name);
    be_text_add(&line, ") %s on ", be_job_state_name(account->state));
    be_text_add_utf8(&line, account->nodes);
    be_text_add(&line, ": %d CPU%s on %d node%s", account->cpus, account->cpus == 1 ? "" : "s",
                account->node_count, account->node_count == 1 ? "" : "s");
    if (account->gpus > 0) {
        be_text_add(&line, ", %.0f GPU%s", account->gpus, account->gpus > 1 ? "s" : "");
    }
    if (account->submit_s != BE_NO_TIME && account->start_s >= account->submit_s) {
        be_text_add(
            &line, ", waited %s",
            be_format_duration(wait, sizeof wait, (double)(account->start_s - account->submit_s)));
    }
    be_lines_wrap(out, "job      ", line.data ? line.data : "", 9);
    be_text_free(&line);
    be_text_add(out, "         ");
    add_efficiency(out, "CPU efficiency", be_account_cpu_efficiency(account), "");
    be_text_add(out, ", ");
    add_efficiency(out, "memory efficiency", be_account_memory_efficiency(account),
                   asked_text(account->asked_bytes, asked));
    be_text_add(out, " (as seff)\n");
}

/* A trace that was named may be another job's. */
static void say_source(const struct be_account *account, const struct be_trace *trace,
                       const char *path) {
    static const char batch[] = "slurm ";
    bool own = strncmp(trace->job, batch, strlen(batch)) == 0 &&
               strcmp(trace->job + strlen(batch), account->raw) == 0;
    if (!*path && account->jobstats) {
        printf("from     accounting, and what jobstats left in AdminComment\n");
    } else if (!*path) {
        printf("from     accounting alone\n");
    } else if (own) {
        printf("from     the trace %s\n", path);
    } else {
        printf("from     the trace %s,\n         which is not of this job but of %s\n", path,
               *trace->job ? trace->job : "no batch job");
    }
}

static enum be_status write_all(struct asked *asked, const struct be_account *account,
                                const struct be_trace *trace, const char *path,
                                struct be_error *error) {
    struct be_text head = {0};
    const struct be_cli_output *other[] = {&asked->outputs.json, &asked->outputs.html};
    bool text = true;
    for (size_t i = 0; i < BE_COUNT(other); i++) {
        text &= !other[i]->asked || other[i]->file;
    }
    enum be_status status = be_cli_outputs_open(&asked->outputs, error);
    if (status == BE_OK && text) {
        add_account(account, &head);
        status = be_report_out(&head, stdout, error);
    }
    status =
        status ? status : be_cli_outputs_write(&asked->outputs, be_cli_write_trace, trace, error);
    if (status == BE_OK && text) {
        say_source(account, trace, path);
    }
    return status;
}

/* Several jobs, or one with an option of many: a table. The numbers become one list. */
static bool is_many(struct asked *asked, struct be_text *list) {
    const bool one = asked->many.jobs && !strpbrk(asked->many.jobs, ", "); /* as seff has it */
    const bool many = asked->jobs > 1 || asked->outputs.csv.asked ||
                      be_cli_many_asked(&asked->many) || (asked->many.jobs && !one);
    for (int i = 0; many && i < asked->jobs; i++) {
        be_text_add(list, "%s%s", i ? "," : "", asked->job[i]);
    }
    if (many && list->length) {
        asked->many.jobs = list->data;
    } else if (!many && one) {
        asked->job = (char **)&asked->many.jobs;
    }
    return many;
}

static enum be_status summarise_many(struct asked *asked, struct be_error *error) {
    const char *of_one = asked->trace_file      ? "--trace-file"
                         : asked->fail_on.asked ? "--fail-on"
                                                : NULL;
    return of_one ? be_fail(error, BE_USAGE, "%s: of one job, and here are many", of_one)
                  : be_cli_many_run(&asked->many, &asked->outputs, error);
}

static enum be_status summarise(struct asked *asked, bool *found, struct be_error *error) {
    struct be_account account = {0};
    struct be_trace trace = {0};
    char path[1024];
    enum be_status status = check_job(asked->job[0], error);
    status = status ? status : be_account_ask(asked->job[0], &account, error);
    if (status == BE_OK && account.state == BE_JOB_PENDING) {
        status = be_fail(error, BE_USAGE, "job %s waits: it has used nothing yet", asked->job[0]);
    }
    status = status ? status : find_trace(asked, &account, path, sizeof path, &trace, error);
    if (status == BE_OK) {
        be_node_rates(&trace);
    }
    status = status ? status : write_all(asked, &account, &trace, path, error);
    *found = status == BE_OK && be_cli_fails(&asked->fail_on, &trace);
    be_trace_close(&trace);
    be_cli_outputs_close(&asked->outputs);
    return status;
}

int be_cli_summary(int argc, char **argv) {
    static const struct argp argp = {
        option,
        parse,
        "[JOBID...]",
        "This command says how well a finished Slurm job used its cores, memory, GPUs and time. "
        "The numbers come from Slurm's accounting (sacct). For a job that ran under `breakeven "
        "run` they also come from the trace.\vExamples:\n  breakeven summary 1234\n  breakeven "
        "summary --all-users --last=7d",
        NULL,
        NULL,
        NULL};
    struct asked asked = {0};
    struct be_error error = {0};
    struct be_text typed = {0};
    bool found = false;
    asked.many.made = be_cli_typed(argc, argv, &typed);
    if (be_cli_parse(&argp, argc, argv, 0, &asked) != 0) {
        be_text_free(&typed);
        return asked.error.text[0] ? be_cli_fail(&asked.error) : BE_EXIT_USAGE;
    }
    struct be_text list = {0};
    enum be_status status = is_many(&asked, &list) && !list.failed
                                ? summarise_many(&asked, &error)
                                : summarise(&asked, &found, &error);
    be_text_free(&list);
    be_text_free(&typed);
    if (status != BE_OK) {
        return be_cli_fail(&error);
    }
    return found ? BE_EXIT_FINDINGS : BE_EXIT_OK;
}
