#include "cli/ask/asker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ask/ask.h"
#include "base/error.h"
#include "cli/common/fail.h"
#include "report/ask/ask.h"

/* ---- while it runs -------------------------------------------------------------------------- */

static void drop_sampling(struct be_asker *asker) {
    be_sampling_close(asker->sampling);
    asker->sampling = NULL;
}

static void begin(void *context) {
    struct be_asker *asker = context;
    if (asker->sampling && be_sampling_begin(asker->sampling, &asker->unsampled) != BE_OK) {
        drop_sampling(asker);
    }
}

static void look(void *context) {
    struct be_asker *asker = context;
    if (asker->sampling && !asker->answered) {
        be_sampling_read(asker->sampling);
    }
}

/* ---- the answer ----------------------------------------------------------------------------- */

static enum be_status make(struct be_asker *asker, const struct be_trace *trace, struct be_ask *ask,
                           struct be_error *error) {
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
        const struct be_sample_idle idle = {.is = be_ask_is_idle, .context = &kinds};
        status = be_ask_sum(be_sampling_end(asker->sampling, &idle), &kinds, &run, ask, error);
    }
    be_kinds_free(&kinds);
    return status;
}

static enum be_status write_to(const struct be_run_output *to, const struct be_ask *ask,
                               enum be_format format, struct be_error *error) {
    FILE *out = be_run_output_open(to);
    enum be_status status =
        out ? be_ask_write(ask, format, out, error)
            : be_fail(error, BE_IO, "%s: cannot be written: %s", to->path, strerror(errno));
    return be_run_output_close(to, out, status, error);
}

/* Answers once: for a command that was asked to end and goes on, soon after that. */
static enum be_status report(void *context, const struct be_trace *trace, struct be_error *error) {
    struct be_asker *asker = context;
    struct be_ask ask = {0};
    if (asker->answered) {
        return BE_OK;
    }
    asker->answered = true;
    enum be_status status = make(asker, trace, &ask, error);
    const enum be_format format = asker->only_json ? BE_JSON : BE_TEXT;
    if (!status && asker->json.path) {
        status = write_to(&asker->json, &ask, BE_JSON, error);
    }
    if (!status && asker->output.path) {
        status = write_to(&asker->output, &ask, format, error);
    } else if (!status) {
        be_run_leave_line(trace);
        status = be_ask_write(&ask, format, stderr, error);
    }
    be_ask_free(&ask);
    drop_sampling(asker);
    return status;
}

void be_asker_open(struct be_asker *asker) {
    (void)be_sampling_open(&asker->sampling, &asker->unsampled);
    asker->look =
        (struct be_run_look){.begin = begin, .look = look, .report = report, .context = asker};
    if (asker->sampling) {
        asker->look.file = be_sampling_files(asker->sampling, &asker->look.files);
    }
}

void be_asker_close(struct be_asker *asker) {
    drop_sampling(asker);
}
