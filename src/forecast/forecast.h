/*
 * A forecast of a job's wait, from the waits of jobs that met the same state of the queue. A forecaster is led
 * through a history in time. At each moment it has learnt from the jobs that had started by then, and from no other
 * job.
 *
 * It does not know how long bystanders waited. It only knows that they wait and run.
 */
#ifndef BE_FORECAST_FORECAST_H
#define BE_FORECAST_FORECAST_H

#include "breakeven_queue.h"
#include "forecast/forest.h"
#include "forecast/replay.h"

enum {
    BE_MIN_STARTS = 29, /* for a bound on the 0.9 quantile at 95 % (binomial, as QBETS has it) */
    BE_TABLE_JOBS = 500 /* of one size in one partition: the sliding table */
};

struct be_forecaster;

/* The forecast for one job, in seconds. NAN: not enough data. */
struct be_foretold {
    struct be_wait_odds odds; /* the two below are of it */
    double q50_s, q90_s;
    double table_q50_s, table_q90_s; /* of the last 500 of its partition and size that started */
    int starts;                      /* of jobs of its partition and size, so far (at most 500) */
    int occasions; /* on which jobs of its partition waited for q50_s or longer; -1: not enough data */
    bool enough;
};

/* The history must outlive it, sorted. */
enum be_status be_forecaster_open(const struct be_history *history,
                                  struct be_forecaster **forecaster, struct be_error *error);
void be_forecaster_close(struct be_forecaster *forecaster); /* accepts NULL */

/* Leads it to the moment before job number `job` is submitted (history->jobs: to now_s). learn:
 * train on the way where enough is new. */
enum be_status be_forecaster_lead(struct be_forecaster *forecaster, size_t job, int64_t now_s,
                                  bool learn, struct be_error *error);
/* Forecasts a job with these wishes, submitted now. */
enum be_status be_forecaster_ask(struct be_forecaster *forecaster, const struct be_past_job *job,
                                 int64_t now_s, struct be_foretold *foretold,
                                 struct be_error *error);
/* Jobs that wait now in a partition. */
int64_t be_forecaster_waiting(const struct be_forecaster *forecaster, int partition);
/* The one asked last was job number `job` of the history: what comes of it corrects later ones. */
enum be_status be_forecaster_watch(struct be_forecaster *forecaster, size_t job,
                                   struct be_error *error);

#endif
