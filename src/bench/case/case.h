/*
 * One case: a workload of one size at one place in one placement, and how to run it, check it and
 * take samples of it. Knows nothing of which other cases it is compared with.
 */
#ifndef BE_BENCH_CASE_CASE_H
#define BE_BENCH_CASE_CASE_H

#include "base/clock.h"
#include "bench/case/data.h"
#include "bench/case/place.h"
#include "stat/stat.h"

/* A sample lasts at least this long, seconds, so that the clock's step and cost do not show. */
#define BE_SAMPLE_MIN_S 1e-3
#define BE_CLOCK_STEPS_A_SAMPLE 1000 /* and at least so many steps of the clock */

/* A call as long as this is not repeated to warm up or to be counted: the checked one did that. */
#define BE_LONG_CALL_S 50e-3

/* A first call that was long, but less than this, may have been so since it was the first: another one says. */
#define BE_LONG_FOR_SURE_S 1.0

/* A measurement below this part of its limit did not happen. */
#define BE_POSSIBLE 0.95

struct be_case {
    struct be_place *place;
    struct be_data *data;
    int variant;              /* of the workload */
    struct be_buffer *buffer; /* of the place, one an array; NULL: CPU */
    struct be_scratch *scratch;
    const struct be_host_libraries
        *library;            /* of the place: the one that its code calls; NULL: none */
    size_t window;           /* the output's buffer has room for so many slices; 0: for all of it */
    size_t at_a_time;        /* chunks of a call whose work is one range: be_case_slice; 0: one */
    int pass;                /* what the next call does of it, as struct be_work says; 0: all */
    struct be_result result; /* what the case is, and what was found */
    struct be_samples total; /* seconds a call, in the order of the rounds */
    struct be_samples clock; /* device clock beside samples, Hz */
    size_t instance;         /* the one the next call works on (cold: they take turns) */
    long batch;              /* calls a sample */
    double call_s;           /* the call that was checked, or a second one, took so long */
    double spent_s;
    double state_at_s; /* when the device's state was last asked for */
    enum be_stop stop;
};

/* The arguments say which case it is. The case owns nothing but its samples. */
void be_case_init(struct be_case *c, struct be_place *place, struct be_data *data,
                  struct be_buffer *buffer, struct be_scratch *scratch, int variant,
                  enum be_placement placement, enum be_cache cache);
void be_case_free(struct be_case *c);

/* Can a variant be measured so? Data that are made on the host and copied to a device stay
 * there. */
bool be_case_takes(const struct be_variant *variant, enum be_placement placement);

/* One call as a user makes it: when it returns, the result is where the placement says. */
enum be_status be_case_call(struct be_case *c, struct be_error *error);

/* The inputs of all instances to the device. */
enum be_status be_case_upload(struct be_case *c, struct be_error *error);

/* Takes the library of the place with which this case is fastest, by a few calls with each. Sets the result's library
 * where the variant calls one. The case's inputs are there. */
void be_case_choose_library(struct be_case *c, const struct be_clock *clock);

/* Runs it once on poisoned outputs and holds the result against the reference: sets residual,
 * limit, the first phase, and the status (ok, wrong, failed). */
void be_case_check(struct be_case *c, const struct be_clock *clock);

/* The same after it was timed, where calls are short: what a call leaves behind (scratch, flags, a plan) must not make
 * those that follow faster and wrong. */
void be_case_check_again(struct be_case *c, const struct be_clock *clock);

/* Chooses how many calls make a sample. A call that was long gets a second chance: it was the first. */
enum be_status be_case_calibrate(struct be_case *c, const struct be_clock *clock,
                                 struct be_error *error);

/* Takes one sample and decides whether that was enough. A failing call ends the case. */
void be_case_sample(struct be_case *c, const struct be_clock *clock,
                    const struct be_stop_rule *rule);

/* After sampling: is it faster than the hardware allows, also by ceilings measured again? Then the machine may be
 * slower by now, for a neighbour's sake. */
bool be_case_is_doubted(struct be_case *c);
/* Forgets its samples. */
void be_case_restart(struct be_case *c);

/* Is any of them doubted? Then all that have a time are sampled anew: only samples of the same rounds can be
 * compared. */
bool be_cases_doubted(struct be_case *c, int cases);

/* After sampling: summary, whether the hardware could have done it, and the phases in, work, out.
 * cancelled: the user waits for the end, so nothing more is measured. */
void be_case_finish(struct be_case *c, const struct be_clock *clock,
                    const struct be_stop_rule *rule, bool cancelled);

/* The row that a benchmark prints whose clock is read before the device is done: `result`
 * receives it, with the status impossible where the memory could not have done it. */
void be_case_as_published(struct be_case *c, const struct be_clock *clock,
                          struct be_result *result);

/* Least time for any of: inputs in, work, outputs out; and what sets it. */
double be_case_limit(const struct be_case *c, bool in, bool work, bool out, enum be_limit *by);

/* ---- parts, for case_samples.c, case_slices.c and case_phases.c ----------------------------- */

/* It has no time, and why. */
void be_case_fail(struct be_case *c, enum be_result_status status, const char *text);
/* Its variant is made on the host for a device. */
bool be_case_made_on_host(const struct be_case *c);
/* Bytes that a call finds or leaves in memory: what is updated in place is moved twice. */
double be_case_touched(const struct be_case *c);
/* The result's limit, by the place's ceilings of now. */
void be_case_set_limit(struct be_case *c);

/* The next call works on the next instance when the case is cold. */
void be_case_turn(struct be_case *c);
/* Any of: inputs in, work, outputs out, for the instance whose turn it is. Where the host's team makes the
 * outputs, the work comes first, and "inputs in" copies its outputs. */
enum be_status be_case_run(struct be_case *c, bool in, bool work, bool out, struct be_error *error);
/* The work of a range into a queue, as struct be_stage_plan wants it: context is the case. */
enum be_status be_case_enqueue(void *context, enum be_queue queue, size_t first, size_t items,
                               struct be_error *error);
/* The plan of a call, where neither a window nor the host makes the outputs. */
struct be_stage_plan be_case_plan(struct be_case *c, bool in, bool work, bool out);
/* Finds at_a_time, where a call's copies overlap with its work: runs parts of the work, whose inputs are there. */
enum be_status be_case_slice(struct be_case *c, const struct be_clock *clock,
                             struct be_error *error);
/* Fills the phases work, in and out of the result, and its passes. */
void be_case_phases(struct be_case *c, const struct be_clock *clock,
                    const struct be_stop_rule *rule);

#endif
