#include "forecast/history.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

/* 0: not known. No job has as much as 1e18 of anything; seconds of that many are still a moment. */
static float positive(double value) {
    return value > 0 && isfinite(value) ? (float)fmin(value, 1e18) : 0;
}

static bool make_capacity(struct be_history *h, size_t more) {
    if (h->jobs + more <= h->capacity) {
        return true;
    }
    size_t capacity = h->capacity ? h->capacity * 2 : 4096;
    struct be_nontemporal_job *job = realloc(h->job, capacity * sizeof *job);
    if (job) {
        h->job = job;
        h->capacity = capacity;
    }
    return job != NULL;
}

static struct be_slice first_of(struct be_slice list) {
    const char *comma = memchr(list.text, ',', list.length);
    return comma ? (struct be_slice){list.text, (uint32_t)(comma - list.text)} : list;
}

enum be_status be_history_add(struct be_history *h, const struct be_record *record,
                              const struct be_job_match *match, struct be_error *error) {
    const uint32_t tasks_max = 1000;
    uint32_t tasks = record->tasks < tasks_max ? record->tasks : tasks_max;
    if (!make_capacity(h, tasks)) {
        return be_fail(error, BE_NOMEM, "jobs: no host memory");
    }
    bool started = record->started && record->start_s >= record->submit_s;
    double limit_s = record->limit_s < INFINITY ? record->limit_s : record->elapsed_s;
    struct be_nontemporal_job job = {
        .submit_s = record->submit_s,
        .start_s = started ? record->start_s : BE_NO_TIME,
        .end_s = record->end_s,
        .limit_s = positive(limit_s),
        .cpus = positive(record->cpus) > 0 ? positive(record->cpus) : 1,
        .gpus = positive(record->gpus),
        .memory_bytes = positive(record->memory_bytes),
        .partition = be_idents_add(&h->partition, first_of(record->partition)),
        .user = be_idents_add(&h->user, record->user),
        .account = be_idents_add(&h->account, record->account),
        .bystander = match && !be_match(match, record),
    };
    if (job.partition < 0 || job.user < 0 || job.account < 0) {
        return be_fail(error, BE_NOMEM, "jobs: no host memory");
    }
    h->last_s = h->jobs && h->last_s > job.submit_s ? h->last_s : job.submit_s;
    h->bystanders += job.bystander ? tasks : 0;
    for (uint32_t i = 0; i < tasks; i++) {
        h->job[h->jobs++] = job;
    }
    return BE_OK;
}

static int by_submission(const void *a, const void *b) {
    const struct be_nontemporal_job *left = a, *right = b;
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
    bool ended_only;
};

static enum be_status take(void *context, const struct be_record *record, struct be_error *error) {
    struct reading *reading = context;
    struct be_history *h = reading->history;
    const int64_t until_s = reading->match->until_s;
    if (until_s != BE_NO_TIME && record->submit_s >= until_s) {
        h->counts.filtered++;
        return BE_OK;
    }
    /* Of a record that never began and has no end it is not known when it left. */
    bool waits = record->state == BE_JOB_PENDING;
    if (reading->ended_only && record->end_s == BE_NO_TIME) {
        return BE_OK;
    }
    if (!record->started && record->end_s == BE_NO_TIME && !waits) {
        h->counts.not_started++;
        return BE_OK;
    }
    if (record->started && record->start_s < record->submit_s) {
        h->counts.negative++;
        return BE_OK;
    }
    h->counts.counted++;
    return be_history_add(h, record, reading->match, error);
}

enum be_status be_history_read(const struct be_job_input *input, const struct be_job_match *match,
                               bool ended_only, struct be_history *history,
                               struct be_error *error) {
    struct reading reading = {history, match, ended_only};
    *history = (struct be_history){0};
    enum be_status status = be_input_each(input, 0, match->since_s, match->until_s,
                                          &history->counts, take, &reading, error);
    be_history_sort(history);
    if (status != BE_OK) {
        be_history_free(history);
    }
    return status;
}

enum be_status be_history_knows(const struct be_history *history,
                                const struct be_word_list *partitions, struct be_error *error) {
    for (int i = 0; i < partitions->words; i++) {
        struct be_slice word = {partitions->word[i], (uint32_t)strlen(partitions->word[i])};
        if (be_idents_find(&history->partition, word) < 0) {
            return be_idents_unknown(&history->partition, partitions->word[i], error);
        }
    }
    return BE_OK;
}

void be_history_free(struct be_history *history) {
    free(history->job);
    be_idents_free(&history->partition);
    be_idents_free(&history->user);
    be_idents_free(&history->account);
    *history = (struct be_history){0};
}
