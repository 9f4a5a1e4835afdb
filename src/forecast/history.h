/*
 * All jobs of an accounting in memory, by time of submission: what a forecast learns from and
 * replays. 72 bytes a job and two numbers.
 */
#ifndef BE_FORECAST_HISTORY_H
#define BE_FORECAST_HISTORY_H

#include "breakeven_queue.h"
#include "accounting/input.h"
#include "accounting/names.h"

struct be_nontemporal_job {
    int64_t submit_s;
    int64_t start_s; /* BE_NO_TIME: it did not start */
    int64_t end_s;   /* when it left the machine, or the queue; BE_NO_TIME: it has not */
    float limit_s;   /* asked for; the time it took, where that is not known */
    float cpus, gpus, memory_bytes; /* 0: not known */
    int partition, user, account;
    bool bystander; /* it stood in the queue; nothing is learnt from its wait */
};

/* Zero-initialise. */
struct be_history {
    struct be_nontemporal_job *job;
    size_t jobs, capacity;
    struct be_idents partition, user, account;
    int64_t last_s; /* of submission: what started later still waited then */
    uint64_t bystanders;
    struct be_wait_counts counts;
};

/* Reads it all, up to the last moment that `match` has; jobs come out by time of submission. Those
 * that do not match are bystanders: of what had been submitted before the period an accounting has
 * only what was still there, the long waits, and the queue that it met is not told; and whatever the
 * QOS asked about, the others wait in the same queue.
 * ended_only: leave out what waits or runs still (squeue says that better). */
enum be_status be_history_read(const struct be_job_input *input, const struct be_job_match *match,
                               bool ended_only, struct be_history *history, struct be_error *error);
/* Each task that the record stands for, at most 1000; of several partitions it waits in the
 * first. match: NULL for all. */
enum be_status be_history_add(struct be_history *history, const struct be_record *record,
                              const struct be_job_match *match, struct be_error *error);
void be_history_sort(struct be_history *history);
/* BE_USAGE: no job is of one of these partitions; the text names those there are. */
enum be_status be_history_knows(const struct be_history *history,
                                const struct be_word_list *partitions, struct be_error *error);
void be_history_free(struct be_history *history);

#endif
