/*
 * The state of a replay: shared by what moves it through time (replay.c) and what looks at it
 * (features.c).
 */
#ifndef BE_FORECAST_REPLAY_STATE_H
#define BE_FORECAST_REPLAY_STATE_H

#include "forecast/replay.h"

enum { RECENT = 20, USER_RECENT = 6 };

/* Logarithms of the waits of those that started last. */
struct be_recent_waits {
    float wait[RECENT];
    int count, at;
    int64_t last_start_s;
};

/* Jobs in the order they came; those that left are dropped when they come to the front. */
struct be_waiting_line {
    size_t *job;
    size_t first, count, capacity;
};

/* The jobs that belong together: of a partition, a user, an account, a size within a partition,
 * all. */
struct be_group {
    int64_t waiting;
    double waiting_cpus, waiting_work; /* work: CPUs times limit, in CPU-seconds */
    double running_cpus, max_cpus;
    double ending_work; /* sum of CPUs times moment of expected end, of those that run */
    double used_work;   /* halved every week */
    int64_t used_at_s;
    int64_t last_submit_s;
    size_t last_job; /* submitted; SIZE_MAX: none */
    struct be_recent_waits recent;
    struct be_waiting_line line;
};

/* One that runs. */
struct be_runner {
    int64_t end_s; /* by its limit */
    double cpus;
};

struct be_runners {
    struct be_runner *runner; /* by expected end */
    size_t count, capacity;
};

struct be_replay {
    const struct be_history *history;
    size_t *by_start, *by_end; /* job numbers */
    size_t starts, ends;
    size_t next_submit, next_start, next_end;
    struct be_group all, *partition, *size, *user, *account;
    struct be_runners *runners; /* of each partition, then of all */
    bool failed;
};

/* CPUs times limit, in CPU-seconds. */
double be_work_of(const struct be_past_job *job);
/* The group's use of late, by now. */
double be_group_used(const struct be_group *group, int64_t now_s);

#endif
