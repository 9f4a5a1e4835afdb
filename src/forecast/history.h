/*
 * All jobs of an accounting in memory, by time of submission: what a forecast learns from and
 * replays. 72 bytes a job and two numbers. A job is in it from when it could run, if that is known.
 */
#ifndef BE_FORECAST_HISTORY_H
#define BE_FORECAST_HISTORY_H

#include "breakeven_queue.h"
#include "accounting/input.h"
#include "accounting/names.h"

struct be_past_job {
    int64_t submit_s; /* when it came: it could run from then on, as far as is known */
    int64_t start_s;  /* BE_NO_TIME: it did not start */
    int64_t end_s;    /* when it left the machine, or the queue; BE_NO_TIME: it has not */
    float limit_s;    /* asked for; the time it took, where that is not known */
    float cpus, gpus, memory_bytes; /* 0: not known */
    uint32_t tasks; /* of an array that waits: this one stands for so many; 0 is 1 */
    int partition, user, account;
    bool bystander; /* it stood in the queue; nothing is learnt from its wait */
    bool elsewhere; /* the same job in another partition that it may go to: counted there alone */
    bool limited;   /* how long it waited for its turn is not known */
};

/* Zero-initialise. */
struct be_history {
    struct be_past_job *job;
    size_t jobs, capacity;
    struct be_idents partition, user, account;
    int64_t last_s;      /* of submission: what started later still waited then */
    uint64_t bystanders; /* tasks of arrays each */
    uint64_t limited;    /* of those that started: at a limit before, and how long is not known */
    uint64_t (*held)[BE_HOLDS]; /* of each partition: what cannot run yet, by why */
    int held_capacity;
    bool any; /* last_s is one */
    struct be_wait_counts counts;
};

/* Reads it all, up to the last moment that `match` has; jobs come out by time of submission. Those
 * that do not match are bystanders: of what had been submitted before the period an accounting has
 * only what was still there, the long waits, and the queue that it met is not told; and whatever the
 * QOS asked about, the others wait in the same queue.
 * ended_only: leave out what waits or runs still (squeue says that better). */
enum be_status be_history_read(const struct be_job_input *input, const struct be_job_match *match,
                               bool ended_only, struct be_history *history, struct be_error *error);
/* A record of tasks that wait is one job that stands for all; of several partitions it waits in each. One that
 * cannot run yet is no job of the queue, and is counted in `held`. match: NULL for all. */
enum be_status be_history_add(struct be_history *history, const struct be_record *record,
                              const struct be_job_match *match, struct be_error *error);
void be_history_sort(struct be_history *history);
/* Leaves out what could not run yet at that moment, which is counted in `held`. It is sorted. */
enum be_status be_history_until(struct be_history *history, int64_t now_s, struct be_error *error);
/* How many of a partition; 0 where none is held. */
uint64_t be_history_held(const struct be_history *history, int partition, enum be_hold why);
/* BE_USAGE: no job is of one of these partitions; the text names those there are. */
enum be_status be_history_knows(const struct be_history *history,
                                const struct be_word_list *partitions, struct be_error *error);
void be_history_free(struct be_history *history);

#endif
