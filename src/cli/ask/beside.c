#include "cli/ask/beside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "ask/verdict.h"
#include "base/error.h"
#include "cli/ask/machines.h"

/* A quarter of the samples that `ask` takes. Each CPU makes beginning a thread 3 us longer and a fork 5 (docs/ask.md), which
 * limits their number. */
static const struct be_sampling_options cheap = {
    .rate_hz = 49, .cpus_most = 16, .kept_most = 1 << 20};

/* The GPU whose times need no scaling. */
static const char *const asked_about[] = {"h100"};

/* Below that there are too few samples, and nobody waits longer for the end of so short a command. */
static const double shortest_cpu_s = 1;

/* Files that the watching needs beside one a CPU. */
enum { FILES = 64 };

static bool has_files(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
           limit.rlim_cur >= (rlim_t)(FILES + cheap.cpus_most);
}

static void take_parts(const struct be_ask *ask, struct be_trace_kinds *to) {
    for (size_t i = 0; i < ask->parts && to->parts < BE_TRACE_KINDS_MAX; i++) {
        const struct be_ask_part *from = &ask->part[i];
        struct be_trace_kind *one = &to->part[to->parts++];
        *one = (struct be_trace_kind){.cpu_s = from->cpu_s, .wall_s = from->wall_s};
        be_copy_text(one->kind, sizeof one->kind, be_work_kinds[from->kind].word);
        be_copy_text(one->what, sizeof one->what, from->what);
    }
}

static void judge(const struct be_ask *ask, const struct be_trace *trace,
                  struct be_trace_kinds *to) {
    const struct be_ask_seen seen = {.peak_bytes = trace->total.peak_process_bytes,
                                     .calls = trace->calls.asked ? &trace->calls : NULL};
    struct be_ask_scale *scale = NULL;
    struct be_ask_machine machine;
    struct be_error error = {0};
    int scales = 0;
    to->most = be_ask_most(ask);
    if (be_ask_machines_open(asked_about, BE_COUNT(asked_about), &scale, &scales, &error) !=
        BE_OK) {
        return;
    }
    be_ask_judge(ask, &scale[0], &seen, &machine);
    be_copy_text(to->gpu, sizeof to->gpu, machine.name);
    be_copy_text(to->verdict, sizeof to->verdict, be_ask_verdict_words[machine.verdict]);
    const char *cause = be_ask_cause_words[machine.cause];
    be_copy_text(to->cause, sizeof to->cause, cause ? cause : "");
    to->gain = machine.gain;
    to->gain_lo = machine.gain_lo;
    to->gain_hi = machine.gain_hi;
    free(scale);
}

static void end(void *context, struct be_trace *trace) {
    struct be_cli_asker *asker = context;
    struct be_trace_kinds *to = &trace->kinds;
    struct be_ask ask = {0};
    struct be_error error = {0};
    if (trace->total.user_s + trace->total.system_s < shortest_cpu_s) {
        return;
    }
    to->asked = true;
    if (!asker->sampling) {
        be_copy_text(to->unsampled, sizeof to->unsampled, asker->unsampled.text);
    } else if (be_cli_asker_sum(asker, trace, &ask, &error) != BE_OK) {
        be_copy_text(to->unsampled, sizeof to->unsampled, error.text);
    } else {
        to->samples = ask.samples;
        to->own_s = ask.own_s;
        to->known = ask.known;
        take_parts(&ask, to);
        judge(&ask, trace, to);
    }
    be_ask_free(&ask);
}

/* It may lock as much memory as the kernel lets a user lock for events. */
static bool is_perf(const char *command) {
    const char *slash = strrchr(command, '/');
    return strcmp(slash ? slash + 1 : command, "perf") == 0;
}

void be_beside_open(const char *command, struct be_cli_asker *asker) {
    const char *why = is_perf(command) ? "perf takes its own"
                      : has_files()    ? NULL
                                       : "too few files may be open (`ulimit -n`)";
    if (why) {
        (void)be_fail(&asker->unsampled, BE_ABSENT, "%s", why);
    }
    be_cli_asker_open(why ? NULL : &cheap, asker);
    asker->look.every_s = 0.5; /* so long the buffers last */
    asker->look.report = NULL;
    asker->look.end = end;
}
