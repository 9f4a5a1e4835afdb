/*
 * breakeven: code that your program calls itself, compared like the built-in workloads.
 *
 * This header serves a program that runs code which breakeven cannot call: functions of another language, or a library
 * on a device that breakeven does not know. be_time_in_turn times several ways of one computation side by side.
 * be_comparison_of_samples makes a comparison of their samples: medians, intervals and break-evens, as be_compare has
 * them.
 *
 * It does not know the code, and it does not check results: your program says of each case whether it was right. The
 * rules of breakeven.h apply.
 */
#ifndef BREAKEVEN_SAMPLES_H
#define BREAKEVEN_SAMPLES_H

#include "breakeven.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- taking samples ------------------------------------------------------------------------- */

/* Zero-initialise, then set what differs; a zero means the default said beside it. */
struct be_turn_options {
    double budget_s;  /* time for the samples of each way; default 0.25 */
    double precision; /* width of the interval / median that suffices; default 0.02 */
    double patience;  /* multiple of budget_s that a way of few, long calls may take; default 20 */
    bool (*cancelled)(void *context); /* asked between samples; may be NULL */
    void *context;                    /* of both functions */
};

/* The samples of one way, in the order of the rounds: sample i of every way was taken in round i. */
struct be_taken {
    double *seconds; /* a call; NULL: none */
    int samples;
    long batch;  /* calls of each sample */
    bool failed; /* a call failed: samples are those before it */
    struct be_summary summary;
};

/* Times `ways` ways in rounds, forward and back, until the median of each is known. Short calls are batched into
 * samples of at least 1 ms. time_calls makes so many calls of a way, waits for their work, and returns how long all of
 * that took, in seconds; negative or NAN: a call failed, and that way is not called again. taken: one a way; it owns
 * memory on success, and when the caller stopped it (BE_OK, stop BE_STOP_CANCELLED): be_taken_free. BE_USAGE: no way,
 * or no function. */
enum be_status be_time_in_turn(double (*time_calls)(void *context, int way, long calls), int ways,
                               const struct be_turn_options *options, struct be_taken *taken,
                               struct be_error *error);
void be_taken_free(struct be_taken *taken, int ways); /* accepts zeroed ones */

/* ---- a comparison of them ------------------------------------------------------------------- */

/* One case. Its device is "cpu" with placement BE_HOST, or another one of comparison->machine with another placement. */
struct be_sampled {
    struct be_result
        result; /* the case and whether it was right; of its phases only `stop` counts */
    int round;  /* 1 and more: the cases of one round were timed in turn, at one size */
    const double *seconds[BE_PHASES]; /* samples of each phase; NULL: none */
    int samples[BE_PHASES];
};

/* The environment of a comparison that is made now: date, kernel, clock, load. */
enum be_status be_environment_describe(struct be_environment *environment, struct be_error *error);

/*
 * Adds results and break-evens to *comparison, whose other fields are the caller's: machine, environment, remarks. A
 * result that is right and faster than its limit_s becomes BE_RESULT_IMPOSSIBLE. *narrows: the size whose measurement
 * would narrow a break-even most, 0: each is narrow enough; NULL: it is not asked for. On success *comparison owns
 * memory: be_comparison_free. BE_USAGE: a right case without samples, a device that the machine does not list, a round
 * of two sizes.
 */
enum be_status be_comparison_of_samples(const struct be_sampled *sampled, size_t count,
                                        struct be_comparison *comparison, uint64_t *narrows,
                                        struct be_error *error);

/* The same of a JSON text: docs/json.md, "Samples". Without a machine in it, it is this one. `name` is for messages. The
 * comparison comes back in `format`; be_string_free (breakeven_text.h). */
enum be_status be_samples_string(const char *json, const char *name, enum be_format format,
                                 char **string, uint64_t *narrows, struct be_error *error);

/* This machine and its environment, as a comparison that is made now would have them: {"machine": ..., "environment":
 * ...}. be_string_free. */
enum be_status be_machine_string(char **string, struct be_error *error);

#ifdef __cplusplus
}
#endif
#endif
