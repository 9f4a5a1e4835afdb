#include "cli/ask/asker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ask/verdict.h"
#include "base/error.h"
#include "cli/ask/machines.h"
#include "cli/ask/own_loop.h"
#include "cli/common/fail.h"
#include "report/ask/ask.h"

/* ---- while it runs -------------------------------------------------------------------------- */

static void drop_sampling(struct be_cli_asker *asker) {
    be_sampling_close(asker->sampling);
    asker->sampling = NULL;
}

static void begin(void *context) {
    struct be_cli_asker *asker = context;
    if (asker->sampling && be_sampling_begin(asker->sampling, &asker->unsampled) != BE_OK) {
        drop_sampling(asker);
    }
}

static void look(void *context) {
    struct be_cli_asker *asker = context;
    if (asker->sampling && !asker->answered) {
        be_sampling_read(asker->sampling);
    }
}

/* ---- the answer ----------------------------------------------------------------------------- */

enum be_status be_cli_asker_sum(struct be_cli_asker *asker, const struct be_trace *trace,
                                struct be_ask *ask, struct be_error *error) {
    struct be_ask_run run = {.elapsed_s = trace->elapsed_s,
                             .user_s = trace->total.user_s,
                             .system_s = trace->total.system_s,
                             .threads = trace->limits.cpus};
    struct be_kinds kinds = {0};
    /* waited / (run + waited), of threads that could run */
    const double run_wait = be_trace_mean(trace, BE_RUN_WAIT, 0);
    const double cpu_s = run.user_s + run.system_s;
    run.core_wait_s = run_wait > 0 && run_wait < 1 ? cpu_s * run_wait / (1 - run_wait) : 0;
    be_copy_text(run.command, sizeof run.command, asker->command);
    if (!asker->sampling) {
        return be_ask_unsampled(&run, asker->unsampled.text, ask, error);
    }
    enum be_status status = be_kinds_load(&kinds, error);
    if (!status) {
        const struct be_sample_roles roles = {.of = be_ask_role_of, .context = &kinds};
        asker->taken = be_sampling_end(asker->sampling, &roles);
        status = be_ask_sum(asker->taken, &kinds, &run, ask, error);
    }
    be_kinds_free(&kinds);
    return status;
}

static enum be_status write_to(const struct be_run_output *to, const struct be_ask_answer *answer,
                               enum be_format format, struct be_error *error) {
    FILE *out = be_run_output_open(to);
    enum be_status status =
        out ? be_ask_write(answer, format, out, error)
            : be_fail(error, BE_IO, "%s: cannot be written: %s", to->path, strerror(errno));
    return be_run_output_close(to, out, status, error);
}

/* The usual machines are looked for at the end: the command need not wait for that. Without any the kinds of work are an
 * answer, too. */
static void judge(struct be_cli_asker *asker, const struct be_trace *trace,
                  struct be_ask_answer *answer) {
    struct be_error error = {0};
    if (!asker->scale &&
        be_ask_machines_open(NULL, 0, &asker->scale, &asker->scales, &error) != BE_OK) {
        be_copy_text(answer->no_machines, sizeof answer->no_machines, error.text);
    }
    if (asker->taken) {
        be_own_loop_find(asker->sampling, asker->taken, answer->ask.own_s, &answer->own);
    }
    const struct be_ask_seen seen = {.peak_bytes = trace->total.peak_process_bytes,
                                     .calls = trace->calls.asked ? &trace->calls : NULL,
                                     .with = asker->with};
    for (int i = 0; i < asker->scales && i < BE_LIST_MAX; i++) {
        struct be_ask_machine *machine = &answer->machine[answer->machines++];
        be_ask_judge(&answer->ask, &asker->scale[i], &seen, machine);
        be_ask_own_on(&answer->own, &asker->scale[i], &machine->own);
    }
    be_ask_longest_call(&trace->calls, answer->longest_call, sizeof answer->longest_call);
    be_copy_text(answer->calls_note, sizeof answer->calls_note, trace->calls.note);
}

static enum be_status write_all(const struct be_cli_asker *asker, const struct be_trace *trace,
                                const struct be_ask_answer *answer, struct be_error *error) {
    const enum be_format format = asker->only_json ? BE_JSON : BE_TEXT;
    enum be_status status =
        asker->json.path ? write_to(&asker->json, answer, BE_JSON, error) : BE_OK;
    if (!status && asker->output.path) {
        return write_to(&asker->output, answer, format, error);
    }
    if (!status) {
        be_run_leave_line(trace);
        status = be_ask_write(answer, format, stderr, error);
    }
    return status;
}

/* Answers once: for a command that was asked to end and goes on, soon after that. */
static enum be_status report(void *context, const struct be_trace *trace, struct be_error *error) {
    struct be_cli_asker *asker = context;
    if (asker->answered) {
        return BE_OK;
    }
    asker->answered = true;
    struct be_ask_answer *answer = calloc(1, sizeof *answer);
    enum be_status status = answer ? be_cli_asker_sum(asker, trace, &answer->ask, error)
                                   : be_fail(error, BE_NOMEM, "no host memory for an answer");
    if (!status) {
        judge(asker, trace, answer);
        status = write_all(asker, trace, answer, error);
    }
    if (answer) {
        be_ask_free(&answer->ask);
    }
    free(answer);
    drop_sampling(asker);
    return status;
}

void be_cli_asker_open(const struct be_sampling_options *options, struct be_cli_asker *asker) {
    if (options) {
        (void)be_sampling_open(options, &asker->sampling, &asker->unsampled);
    }
    asker->look =
        (struct be_run_look){.begin = begin, .look = look, .report = report, .context = asker};
    if (asker->sampling) {
        asker->look.file = be_sampling_files(asker->sampling, &asker->look.files);
    }
}

void be_cli_asker_close(struct be_cli_asker *asker) {
    drop_sampling(asker);
    free(asker->scale);
}
