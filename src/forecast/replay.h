/*
 * The state of a cluster at any moment, from accounting alone: what waits, what runs, how long
 * those waited that started. Seen from one job it is a row of numbers (features), in which nothing
 * stands that was not known at that moment. Knows nothing of forecasts.
 */
#ifndef BE_FORECAST_REPLAY_H
#define BE_FORECAST_REPLAY_H

#include "forecast/history.h"

enum {
    BE_FEATURES = 40,
    BE_GUESSES = 2, /* the last of them: guesses at the wait itself */
    BE_SIZES = 6,   /* by CPU-hours asked for: below 1, 4, 16, 64, 256, and above */
};

struct be_replay;

/* The history must outlive it, sorted. */
enum be_status be_replay_open(const struct be_history *history, struct be_replay **replay,
                              struct be_error *error);
void be_replay_close(struct be_replay *replay); /* accepts NULL */

/* Takes in every submission before job number `job`, and every start and end before `now_s`.
 * Neither may go back. started(context, index) is called for each job that starts, in order; may
 * be NULL. */
void be_replay_until(struct be_replay *replay, size_t job, int64_t now_s,
                     void (*started)(void *context, size_t index), void *context);
/* The features that are known now for a job with these wishes; its times are not looked at. */
void be_replay_features(struct be_replay *replay, const struct be_past_job *job, int64_t now_s,
                        float feature[BE_FEATURES]);
int be_size_of(const struct be_past_job *job);
/* Jobs that wait now in a partition; -1: in all. */
int64_t be_replay_waiting(const struct be_replay *replay, int partition);

#endif
