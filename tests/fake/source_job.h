/*
 * The parts that the tests of GPU sources share: a source opened, asked for three ticks and closed,
 * on fake libraries, with a clock that goes on by 0.2 s at every look and nobody who sleeps.
 */
#ifndef TESTS_FAKE_SOURCE_JOB_H
#define TESTS_FAKE_SOURCE_JOB_H

#include "harness.h"
#include "observe/sources/source.h"

struct source_job {
    enum be_status opened, sampled; /* of the last tick */
    struct be_error error;
    struct be_trace_gpu gpu[BE_DEVICES_MAX];
    int gpus;
    double value[BE_SIGNALS][BE_DEVICES_MAX]; /* the last there was */
    int values;                               /* of all ticks */
    char absent[BE_SIGNALS][BE_NOTE];
    char detail[BE_NOTE];
};

extern const char *source_environment[3]; /* of the program */
extern struct be_watched source_watched;  /* the program */
extern pid_t source_own_pid;              /* the one process that belongs to it */

/* All libraries whole; two processes on each GPU: ours with 1 GiB, and process 1. */
int source_reset(void **state);
extern int (*source_before_each)(void **state); /* that, unless a test does more */

/* Nothing yet; what a sink holds added to what there was. */
void source_clear(struct source_job *job);
void source_take(struct source_job *job, const struct be_sink *sink);

void source_run(const struct be_signal_source *source, struct source_job *job);
void source_expect(const struct source_job *job, enum be_signal signal, int gpu, double value);
void source_expect_absent(const struct source_job *job, enum be_signal signal, const char *words);
void source_expect_tidy(void);

/* Each call of a library that the source makes fails: alone, with two codes, and as when the GPU is
 * lost (`lost`), after which every call fails. Nothing may be left over, and a single failure takes no
 * more than half of the values with it. */
void source_fail_each(const struct be_signal_source *source, enum fake_library library, int lost,
                      int *jobs, int *gone_on);

#endif
