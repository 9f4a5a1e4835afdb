#include "slurm/history.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "slurm/input.h"

static float positive(double value) {
    return value > 0 && isfinite(value) ? (float)value : 0;
}

static int64_t later(int64_t a, int64_t b) {
    return a > b ? a : b;
}

enum be_status be_history_add(struct be_history *h, const struct be_record *record,
                              struct be_error *error) {
    if (h->jobs == h->room) {
        size_t room = h->room ? h->room * 2 : 4096;
        struct be_past_job *job = realloc(h->job, room * sizeof *job);
        if (!job) {
            return be_fail(error, BE_NOMEM, "jobs: no host memory");
        }
        h->job = job;
        h->room = room;
    }
    bool started = record->started && record->start_s >= record->submit_s;
    double limit_s = record->limit_s < INFINITY ? record->limit_s : record->elapsed_s;
    struct be_past_job job = {
        .submit_s = record->submit_s,
        .start_s = started ? record->start_s : BE_NO_TIME,
        .end_s = record->end_s,
        .limit_s = positive(limit_s),
        .cpus = positive(record->cpus) > 0 ? positive(record->cpus) : 1,
        .gpus = positive(record->gpus),
        .memory_bytes = positive(record->memory_bytes),
        .partition = be_idents_add(&h->partition, record->partition),
        .user = be_idents_add(&h->user, record->user),
        .account = be_idents_add(&h->account, record->account),
    };
    if (job.partition < 0 || job.user < 0 || job.account < 0) {
        return be_fail(error, BE_NOMEM, "jobs: no host memory");
    }
    h->last_s = h->jobs ? later(h->last_s, job.submit_s) : job.submit_s;
    h->last_s = later(h->last_s, job.start_s);
    h->job[h->jobs++] = job;
    return BE_OK;
}

static int by_submission(const void *a, const void *b) {
    const struct be_past_job *left = a, *right = b;
    return left->submit_s < right->submit_s ? -1 : left->submit_s > right->submit_s;
}

void be_history_sort(struct be_history *history) {
    for (size_t i = 1; i < history->jobs; i++) {
        if (history->job[i].submit_s < history->job[i - 1].submit_s) {
            qsort(history->job, history->jobs, sizeof *history->job, by_submission);
            return;
        }
    }
}

struct reading {
    struct be_history *history;
    const struct be_job_match *match;
};

static enum be_status take(void *context, const struct be_record *record, struct be_error *error) {
    struct reading *reading = context;
    struct be_history *h = reading->history;
    if (!be_match(reading->match, record)) {
        h->counts.filtered++;
        return BE_OK;
    }
    /* Of a record that never began and has no end it is not known when it left. */
    bool waits = record->state == BE_JOB_PENDING;
    if (!record->started && record->end_s == BE_NO_TIME && !waits) {
        h->counts.not_started++;
        return BE_OK;
    }
    if (record->started && record->start_s < record->submit_s) {
        h->counts.negative++;
        return BE_OK;
    }
    h->counts.counted++;
    return be_history_add(h, record, error);
}

enum be_status be_history_read(const struct be_job_input *input, const struct be_job_filter *filter,
                               struct be_history *history, struct be_error *error) {
    struct be_job_match match;
    *history = (struct be_history){0};
    struct reading reading = {history, &match};
    enum be_status status = be_match_open(filter, NULL, &match, error);
    if (status == BE_OK) {
        status = be_input_each(input, match.since_s, match.until_s, &history->counts, take,
                               &reading, error);
    }
    be_history_sort(history);
    if (status != BE_OK) {
        be_history_free(history);
    }
    return status;
}

void be_history_free(struct be_history *history) {
    free(history->job);
    be_idents_free(&history->partition);
    be_idents_free(&history->user);
    be_idents_free(&history->account);
    *history = (struct be_history){0};
}
