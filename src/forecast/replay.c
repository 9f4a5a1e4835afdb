#include "forecast/replay_state.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

int be_size_of(const struct be_past_job *job) {
    static const double edge[BE_SIZES - 1] = {1, 4, 16, 64, 256};
    double hours = (double)job->cpus * (double)job->limit_s / 3600;
    int size = 0;
    while (size < BE_SIZES - 1 && hours >= edge[size]) {
        size++;
    }
    return size;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static bool line_add(struct be_waiting_line *line, size_t job) {
    if (line->first + line->count == line->capacity) {
        if (line->first > line->count) { /* half of it is free at the front */
            memmove(line->job, line->job + line->first, line->count * sizeof *line->job);
            line->first = 0;
        } else {
            size_t capacity = line->capacity ? line->capacity * 2 : 16;
            size_t *more = realloc(line->job, capacity * sizeof *more);
            if (!more) {
                return false;
            }
            line->job = more;
            line->capacity = capacity;
        }
    }
    line->job[line->first + line->count++] = job;
    return true;
}

/* ---- runners -------------------------------------------------------------------------------- */

static size_t runner_place(const struct be_runners *runners, int64_t end_s) {
    size_t low = 0, high = runners->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (runners->runner[middle].end_s < end_s) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool runner_add(struct be_runners *runners, int64_t end_s, double cpus) {
    if (runners->count == runners->capacity) {
        size_t capacity = runners->capacity ? runners->capacity * 2 : 64;
        struct be_runner *more = realloc(runners->runner, capacity * sizeof *more);
        if (!more) {
            return false;
        }
        runners->runner = more;
        runners->capacity = capacity;
    }
    size_t at = runner_place(runners, end_s);
    memmove(runners->runner + at + 1, runners->runner + at,
            (runners->count - at) * sizeof *runners->runner);
    runners->runner[at] = (struct be_runner){end_s, cpus};
    runners->count++;
    return true;
}

static void runner_drop(struct be_runners *runners, int64_t end_s, double cpus) {
    for (size_t at = runner_place(runners, end_s);
         at < runners->count && runners->runner[at].end_s == end_s; at++) {
        if (fabs(runners->runner[at].cpus - cpus) < 0.5) {
            runners->count--;
            memmove(runners->runner + at, runners->runner + at + 1,
                    (runners->count - at) * sizeof *runners->runner);
            return;
        }
    }
}

double be_work_of(const struct be_past_job *job) {
    return (double)job->cpus * (double)job->limit_s;
}

double be_group_used(const struct be_group *group, int64_t now_s) {
    const double week_s = 7 * 86400.0;
    return group->used_work * exp2(-(double)(now_s - group->used_at_s) / week_s);
}

/* ---- events --------------------------------------------------------------------------------- */

enum { GROUPS = 5 };

/* One that waits in a second partition belongs to that and to its size there; the rest count it once. */
static bool is_of(const struct be_past_job *job, int group) {
    return !job->elsewhere || group == 1 || group == 2;
}

static int64_t tasks_of(const struct be_past_job *job) {
    return job->tasks > 1 ? job->tasks : 1;
}

static void groups_of(struct be_replay *r, const struct be_past_job *job,
                      struct be_group *group[GROUPS]) {
    group[0] = &r->all;
    group[1] = &r->partition[job->partition];
    group[2] = &r->size[job->partition * BE_SIZES + be_size_of(job)];
    group[3] = &r->user[job->user];
    group[4] = &r->account[job->account];
}

static int64_t expected_end(const struct be_past_job *job) {
    return job->start_s + (int64_t)job->limit_s;
}

static void on_submit(struct be_replay *r, size_t index) {
    const struct be_past_job *job = &r->history->job[index];
    struct be_group *group[GROUPS];
    groups_of(r, job, group);
    const double tasks = (double)tasks_of(job);
    for (int i = 0; i < GROUPS; i++) {
        if (!is_of(job, i)) {
            continue;
        }
        group[i]->waiting += tasks_of(job);
        group[i]->waiting_cpus += tasks * job->cpus;
        group[i]->waiting_work += tasks * be_work_of(job);
        group[i]->last_submit_s = job->submit_s;
        group[i]->last_job = index;
        r->failed |= !line_add(&group[i]->line, index);
    }
}

static void leave_queue(struct be_replay *r, const struct be_past_job *job) {
    struct be_group *group[GROUPS];
    groups_of(r, job, group);
    const double tasks = (double)tasks_of(job);
    for (int i = 0; i < GROUPS; i++) {
        if (is_of(job, i)) {
            group[i]->waiting -= tasks_of(job);
            group[i]->waiting_cpus -= tasks * job->cpus;
            group[i]->waiting_work -= tasks * be_work_of(job);
        }
    }
}

static void on_start(struct be_replay *r, const struct be_past_job *job) {
    struct be_group *group[GROUPS];
    leave_queue(r, job);
    groups_of(r, job, group);
    float wait = (float)log1p((double)(job->start_s - job->submit_s));
    for (int i = 0; i < GROUPS; i++) {
        struct be_recent_waits *recent = &group[i]->recent;
        group[i]->running_cpus += job->cpus;
        group[i]->ending_work += (double)job->cpus * (double)expected_end(job);
        if (group[i]->running_cpus > group[i]->max_cpus) {
            group[i]->max_cpus = group[i]->running_cpus;
        }
        if (!job->limited) {
            recent->wait[recent->at] = wait;
            recent->at = (recent->at + 1) % RECENT;
            recent->count += recent->count < RECENT;
        }
        recent->last_start_s = job->start_s;
    }
    if (job->end_s != BE_NO_TIME && job->end_s <= job->start_s) {
        return; /* ends as it starts: its end is taken in right after */
    }
    int all = r->history->partition.count;
    r->failed |= !runner_add(&r->runners[job->partition], expected_end(job), job->cpus);
    r->failed |= !runner_add(&r->runners[all], expected_end(job), job->cpus);
}

static void on_end(struct be_replay *r, const struct be_past_job *job) {
    struct be_group *group[GROUPS];
    if (job->start_s == BE_NO_TIME) {
        leave_queue(r, job);
        return;
    }
    groups_of(r, job, group);
    bool ran = job->end_s > job->start_s;
    double took = ran ? (double)job->cpus * (double)(job->end_s - job->start_s) : 0;
    int64_t now_s = ran ? job->end_s : job->start_s;
    for (int i = 0; i < GROUPS; i++) {
        group[i]->running_cpus -= job->cpus;
        group[i]->ending_work -= (double)job->cpus * (double)expected_end(job);
        group[i]->used_work = be_group_used(group[i], now_s) + took;
        group[i]->used_at_s = now_s;
    }
    if (ran) { /* else it was never among them */
        runner_drop(&r->runners[job->partition], expected_end(job), job->cpus);
        runner_drop(&r->runners[r->history->partition.count], expected_end(job), job->cpus);
    }
}

void be_replay_until(struct be_replay *r, size_t job, int64_t now_s,
                     void (*started)(void *context, size_t index), void *context) {
    const struct be_past_job *all = r->history->job;
    for (;;) {
        int64_t submit = r->next_submit < job ? all[r->next_submit].submit_s : INT64_MAX;
        int64_t start =
            r->next_start < r->starts ? all[r->by_start[r->next_start]].start_s : INT64_MAX;
        int64_t end = r->next_end < r->ends ? all[r->by_end[r->next_end]].end_s : INT64_MAX;
        start = start < now_s ? start : INT64_MAX;
        end = end < now_s ? end : INT64_MAX;
        if (submit == INT64_MAX && start == INT64_MAX && end == INT64_MAX) {
            return;
        }
        /* The order at one moment is submission, start, end, so that none comes before the one it
         * follows. */
        if (submit <= start && submit <= end) {
            on_submit(r, r->next_submit++);
        } else if (start <= end) {
            size_t index = r->by_start[r->next_start++];
            on_start(r, &all[index]);
            if (started) {
                started(context, index);
            }
        } else {
            on_end(r, &all[r->by_end[r->next_end++]]);
        }
    }
}

int64_t be_replay_waiting(const struct be_replay *replay, int partition) {
    return partition < 0 ? replay->all.waiting : replay->partition[partition].waiting;
}

/* ---- opening -------------------------------------------------------------------------------- */

struct stamped {
    int64_t at_s;
    size_t job;
};

static int by_time(const void *a, const void *b) {
    const struct stamped *left = a, *right = b;
    if (left->at_s != right->at_s) {
        return left->at_s < right->at_s ? -1 : 1;
    }
    return left->job < right->job ? -1 : left->job > right->job;
}

/* Numbers of the jobs that have such a moment, by it. */
static size_t *order(const struct be_history *h, bool starts, size_t *count) {
    struct stamped *list = malloc((h->jobs + 1) * sizeof *list);
    size_t *index = malloc((h->jobs + 1) * sizeof *index);
    *count = 0;
    for (size_t i = 0; list && i < h->jobs; i++) {
        const struct be_past_job *job = &h->job[i];
        int64_t at = starts ? job->start_s : job->end_s;
        int64_t min = starts || job->start_s == BE_NO_TIME ? job->submit_s : job->start_s;
        if (at != BE_NO_TIME) {
            list[(*count)++] = (struct stamped){at > min ? at : min, i};
        }
    }
    if (list && index) {
        qsort(list, *count, sizeof *list, by_time);
        for (size_t i = 0; i < *count; i++) {
            index[i] = list[i].job;
        }
    } else {
        free(index);
        index = NULL;
    }
    free(list);
    return index;
}

static struct be_group *groups(int count) {
    struct be_group *group = calloc((size_t)count + 1, sizeof *group);
    for (int i = 0; group && i < count; i++) {
        group[i].last_job = SIZE_MAX;
    }
    return group;
}

enum be_status be_replay_open(const struct be_history *history, struct be_replay **replay,
                              struct be_error *error) {
    struct be_replay *r = calloc(1, sizeof *r);
    if (!r) {
        return be_fail(error, BE_NOMEM, "replay: no host memory");
    }
    r->history = history;
    r->all.last_job = SIZE_MAX;
    r->by_start = order(history, true, &r->starts);
    r->by_end = order(history, false, &r->ends);
    r->partition = groups(history->partition.count);
    r->size = groups(history->partition.count * BE_SIZES);
    r->user = groups(history->user.count);
    r->account = groups(history->account.count);
    r->runners = calloc((size_t)history->partition.count + 1, sizeof *r->runners);
    if (!r->by_start || !r->by_end || !r->partition || !r->size || !r->user || !r->account ||
        !r->runners) {
        be_replay_close(r);
        return be_fail(error, BE_NOMEM, "replay: no host memory");
    }
    *replay = r;
    return BE_OK;
}

static void close_groups(struct be_group *group, int count) {
    for (int i = 0; group && i < count; i++) {
        free(group[i].line.job);
    }
    free(group);
}

void be_replay_close(struct be_replay *r) {
    if (!r) {
        return;
    }
    int partitions = r->history->partition.count;
    for (int i = 0; r->runners && i <= partitions; i++) {
        free(r->runners[i].runner);
    }
    free(r->runners);
    free(r->all.line.job);
    close_groups(r->partition, partitions);
    close_groups(r->size, partitions * BE_SIZES);
    close_groups(r->user, r->history->user.count);
    close_groups(r->account, r->history->account.count);
    free(r->by_start);
    free(r->by_end);
    free(r);
}
