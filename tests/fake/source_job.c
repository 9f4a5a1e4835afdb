#include "source_job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"

/* ---- time: every look at the clock is 0.2 s after the one before; nobody sleeps ---------------- */

static double ticking(void *context) {
    static double now_s;
    (void)context;
    return now_s += 0.2;
}

struct be_clock __wrap_be_clock_host(void);
struct be_clock __wrap_be_clock_host(void) {
    return (struct be_clock){.now = ticking, .step_s = 1e-9};
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left) {
    (void)time;
    (void)left;
    return 0;
}

/* ---- a job: open, three ticks, close ----------------------------------------------------------- */

pid_t source_own_pid;

static bool is_own(const struct be_watched *watched, pid_t pid) {
    (void)watched;
    return pid == source_own_pid;
}

const char *source_environment[3];

struct be_watched source_watched = {
    .files = "", .environment = source_environment, .member = is_own};

static struct be_sink sink;

void source_clear(struct source_job *job) {
    memset(job, 0, sizeof *job);
    for (int i = 0; i < BE_SIGNALS * BE_DEVICES_MAX; i++) {
        (&job->value[0][0])[i] = NAN;
    }
}

void source_take(struct source_job *job, const struct be_sink *from) {
    job->values += from->values;
    for (int i = 0; i < from->values; i++) {
        job->value[from->value[i].signal][from->value[i].id] = from->value[i].value;
    }
    for (int i = 0; i < from->absences; i++) {
        be_copy_text(job->absent[from->absent[i].signal], BE_NOTE, from->absent[i].reason);
    }
    if (from->detail[0]) {
        be_copy_text(job->detail, sizeof job->detail, from->detail);
    }
}

void source_run(const struct be_signal_source *source, struct source_job *job) {
    void *self = NULL;
    source_clear(job);
    job->opened = source->open(&source_watched, &self, &job->error);
    if (job->opened != BE_OK) {
        return;
    }
    job->gpus = source->gpus(self, job->gpu, BE_DEVICES_MAX);
    for (int tick = 0; tick < 3; tick++) {
        const struct be_moment moment = {.from_s = tick, .now_s = tick + 1, .budget_s = 1};
        be_sink_clear(&sink);
        job->sampled = source->sample(self, &moment, &sink, &job->error);
        source_take(job, &sink);
    }
    source->close(self);
}

void source_expect(const struct source_job *job, enum be_signal signal, int gpu, double value) {
    if (!(fabs(job->value[signal][gpu] - value) <= 1e-9 * fabs(value))) {
        fail_msg("%s of GPU %d is %g, not %g", be_signals[signal].name, gpu,
                 job->value[signal][gpu], value);
    }
}

void source_expect_absent(const struct source_job *job, enum be_signal signal, const char *words) {
    assert_true(isnan(job->value[signal][0]));
    if (!strstr(job->absent[signal], words)) {
        fail_msg("%s: \"%s\" without \"%s\"", be_signals[signal].name, job->absent[signal], words);
    }
}

void source_expect_tidy(void) {
    if (fake_untidy()[0]) {
        fail_msg("%s", fake_untidy());
    }
}

int source_reset(void **state) {
    (void)state;
    fake_reset();
    memset(source_environment, 0, sizeof source_environment);
    source_watched.node = false;
    source_watched.with_root = true;
    source_watched.files = "";
    source_own_pid = getpid();
    for (int i = 0; i < FAKE_LIBRARIES; i++) {
        fakes[i]->pid[0] = source_own_pid;
        fakes[i]->pid[1] = 1;
        fakes[i]->processes = 2;
    }
    return 0;
}

int (*source_before_each)(void **state) = source_reset;

/* ---- failures -------------------------------------------------------------------------------- */

/* Everything but what the call is for is still there: of a single failure more than half. */
static void judge(const struct source_job *job, const struct source_job *whole,
                  const char *function, long call, bool lost) {
    if (fake_untidy()[0]) {
        fake_complain("%s, call %ld%s: %s", function, call, lost ? ", lost" : "", fake_untidy());
    }
    if (job->opened != BE_OK && (job->opened != BE_ABSENT || strlen(job->error.text) < 10)) {
        fake_complain("%s, call %ld: opening: %s", function, call, job->error.text);
    }
    if (job->opened == BE_OK && !lost && job->values < whole->values / 2) {
        fake_complain("%s, call %ld: %d values of %d", function, call, job->values, whole->values);
    }
    if (job->opened == BE_OK && job->sampled != BE_OK &&
        (!lost || job->sampled != BE_ABSENT || !strstr(job->error.text, "fell off the bus"))) {
        fake_complain("%s, call %ld: %s", function, call, job->error.text);
    }
}

void source_fail_each(const struct be_signal_source *source, enum fake_library library, int lost,
                      int *jobs, int *gone_on) {
    const int codes[] = {999, 4, lost}; /* unknown, not permitted */
    const int kinds = (int)BE_COUNT(codes);
    struct source_job whole;
    long calls[128];
    source_before_each(NULL);
    source_run(source, &whole);
    for (size_t i = 0; i < fakes[library]->functions; i++) {
        calls[i] = fakes[library]->function[i].calls;
    }
    for (size_t i = 0; i < fakes[library]->functions; i++) {
        long chosen[FAKE_CHOSEN];
        int count = fake_choose(calls[i], chosen);
        for (int k = 0; k < count * kinds; k++) {
            struct source_job job;
            int code = codes[k % kinds];
            const char *function = fakes[library]->function[i].name;
            source_before_each(NULL);
            fakes[library]->lose = code == lost;
            fake_fail(function, chosen[k / kinds], chosen[k / kinds], code);
            source_run(source, &job);
            judge(&job, &whole, function, chosen[k / kinds], code == lost);
            (*jobs)++;
            *gone_on += job.opened == BE_OK && job.sampled == BE_OK;
        }
    }
    print_message("%s: %d failures so far, %d went on\n", source->name, *jobs, *gone_on);
}
