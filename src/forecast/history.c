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
    struct be_past_job *job = realloc(h->job, capacity * sizeof *job);
    if (job) {
        h->job = job;
        h->capacity = capacity;
    }
    return job != NULL;
}

/* The next name of a list with commas: *list is what is left. */
static struct be_slice next_name(struct be_slice *list) {
    const char *comma = memchr(list->text, ',', list->length);
    struct be_slice name = {list->text, comma ? (uint32_t)(comma - list->text) : list->length};
    const uint32_t used = name.length + (comma != NULL);
    *list = (struct be_slice){list->text + used, list->length - used};
    return name;
}

static bool hold(struct be_history *h, int partition, enum be_hold why, uint32_t tasks) {
    if (partition >= h->held_capacity) {
        int capacity = partition + 16;
        void *more = realloc(h->held, (size_t)capacity * sizeof *h->held);
        if (!more) {
            return false;
        }
        h->held = more;
        memset(h->held + h->held_capacity, 0,
               (size_t)(capacity - h->held_capacity) * sizeof *h->held);
        h->held_capacity = capacity;
    }
    h->held[partition][why] += tasks;
    return true;
}

uint64_t be_history_held(const struct be_history *h, int partition, enum be_hold why) {
    return partition < h->held_capacity ? h->held[partition][why] : 0;
}

/* The cause that keeps a job that waits from running: its reason, or, where none is told, that it is not eligible. */
static enum be_hold held_by(const struct be_record *record) {
    const bool never = record->eligible_told && record->eligible_s == BE_NO_TIME;
    if (record->started) {
        return BE_HOLD_NONE;
    }
    if (record->end_s != BE_NO_TIME) { /* it left, and was never in the queue */
        return never || (record->eligible_told && record->eligible_s > record->end_s)
                   ? BE_HOLD_UNSAID
                   : BE_HOLD_NONE;
    }
    return record->hold != BE_HOLD_NONE ? record->hold
           : never && !record->reasoned ? BE_HOLD_UNSAID
                                        : BE_HOLD_NONE;
}

/* Was it at a limit, or held, for a time that is not known? */
static bool held_for_unknown(const struct be_record *record) {
    return record->started && (record->hold == BE_HOLD_LIMIT ||
                               (record->hold != BE_HOLD_NONE && !record->eligible_told));
}

static struct be_past_job job_of(const struct be_record *record, const struct be_job_match *match) {
    const bool started = record->started && record->start_s >= record->submit_s;
    const bool from_submit = match && match->filter->from_submit;
    const bool limited = !from_submit && started && held_for_unknown(record);
    double limit_s = record->limit_s < INFINITY ? record->limit_s : record->elapsed_s;
    return (struct be_past_job){
        .submit_s = from_submit ? record->submit_s
                    : limited   ? record->start_s
                                : be_record_ready_s(record),
        .start_s = started ? record->start_s : BE_NO_TIME,
        .end_s = record->end_s,
        .limit_s = positive(limit_s),
        .cpus = positive(record->cpus) > 0 ? positive(record->cpus) : 1,
        .gpus = positive(record->gpus),
        .memory_bytes = positive(record->memory_bytes),
        .tasks = record->tasks,
        .limited = limited,
        .bystander = limited || (match && !be_match(match, record)),
    };
}

enum be_status be_history_add(struct be_history *h, const struct be_record *record,
                              const struct be_job_match *match, struct be_error *error) {
    const enum be_hold why = held_by(record);
    struct be_past_job job = job_of(record, match);
    struct be_slice left = record->partition;
    h->last_s = h->any && h->last_s > record->submit_s ? h->last_s : record->submit_s;
    h->any = true;
    do {
        job.partition = be_idents_add(&h->partition, next_name(&left));
        job.user = be_idents_add(&h->user, record->user);
        job.account = be_idents_add(&h->account, record->account);
        bool fits = job.partition >= 0 && job.user >= 0 && job.account >= 0;
        if (why != BE_HOLD_NONE) {
            fits =
                fits && (record->end_s != BE_NO_TIME || hold(h, job.partition, why, record->tasks));
        } else {
            fits = fits && make_capacity(h, 1);
            if (fits) {
                h->job[h->jobs++] = job;
            }
        }
        if (!fits) {
            return be_fail(error, BE_NOMEM, "jobs: no host memory");
        }
        job.elsewhere = job.bystander = true;
    } while (left.length && !record->started);
    const bool asked_for = !match || be_match(match, record);
    h->bystanders += !asked_for && why == BE_HOLD_NONE ? record->tasks : 0;
    h->limited += asked_for && job.limited;
    return BE_OK;
}

enum be_status be_history_until(struct be_history *h, int64_t now_s, struct be_error *error) {
    while (h->jobs && h->job[h->jobs - 1].submit_s > now_s) {
        const struct be_past_job *job = &h->job[--h->jobs];
        const bool waits = job->start_s == BE_NO_TIME && job->end_s == BE_NO_TIME;
        if (!hold(h, job->partition, waits ? BE_HOLD_BEGIN : BE_HOLD_UNSAID, job->tasks)) {
            return be_fail(error, BE_NOMEM, "jobs: no host memory");
        }
    }
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
    /* A record that never began and has no end does not tell when it left. */
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
    h->counts.no_eligible += record->started && !record->eligible_told;
    h->counts.held_first += record->started && be_record_ready_s(record) > record->submit_s;
    return be_history_add(h, record, reading->match, error);
}

enum be_status be_history_read(const struct be_job_input *input, const struct be_job_match *match,
                               bool ended_only, struct be_history *history,
                               struct be_error *error) {
    struct reading reading = {history, match, ended_only};
    *history = (struct be_history){.counts.held_counts = match->filter->from_submit};
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
    free(history->held);
    be_idents_free(&history->partition);
    be_idents_free(&history->user);
    be_idents_free(&history->account);
    *history = (struct be_history){0};
}
