#include "slurm/replay.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

enum { RECENT = 20, USER_RECENT = 6 };

/* Logarithms of the waits of those that started last. */
struct recent {
    float wait[RECENT];
    int count, at;
    int64_t last_start_s;
};

/* Jobs in the order they came; those that left are dropped when they come to the front. */
struct line {
    size_t *job;
    size_t first, count, room;
};

/* What belongs together: a partition, a user, an account, a size within a partition, everything. */
struct group {
    int waiting;
    double waiting_cpus, waiting_work; /* work: CPUs times limit, in CPU-seconds */
    double running_cpus, most_cpus;
    double ending_work; /* sum of CPUs times moment of expected end, of those that run */
    double used_work;   /* halved every week */
    int64_t used_at_s;
    int64_t last_submit_s;
    size_t last_job; /* submitted; SIZE_MAX: none */
    struct recent recent;
    struct line line;
};

/* One that runs. */
struct runner {
    int64_t end_s; /* by its limit */
    double cpus;
};

struct runners {
    struct runner *runner; /* by expected end */
    size_t count, room;
};

struct be_replay {
    const struct be_history *history;
    size_t *by_start, *by_end; /* job numbers */
    size_t starts, ends;
    size_t next_submit, next_start, next_end;
    struct group all, *partition, *size, *user, *account;
    struct runners *runners; /* of each partition, then of all */
    bool failed;
};

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

static bool line_add(struct line *line, size_t job) {
    if (line->first + line->count == line->room) {
        if (line->first > line->count) { /* half of it is free at the front */
            memmove(line->job, line->job + line->first, line->count * sizeof *line->job);
            line->first = 0;
        } else {
            size_t room = line->room ? line->room * 2 : 16;
            size_t *more = realloc(line->job, room * sizeof *more);
            if (!more) {
                return false;
            }
            line->job = more;
            line->room = room;
        }
    }
    line->job[line->first + line->count++] = job;
    return true;
}

/* Has it left the queue before `now_s`? */
static bool gone(const struct be_past_job *job, int64_t now_s) {
    int64_t left = job->start_s != BE_NO_TIME ? job->start_s : job->end_s;
    return left != BE_NO_TIME && left < now_s;
}

/* How long the oldest of them waits; 0: none does. */
static double oldest_s(const struct be_replay *r, struct line *line, int64_t now_s) {
    while (line->count && gone(&r->history->job[line->job[line->first]], now_s)) {
        line->first++;
        line->count--;
    }
    return line->count ? (double)(now_s - r->history->job[line->job[line->first]].submit_s) : 0;
}

/* ---- runners -------------------------------------------------------------------------------- */

static size_t runner_place(const struct runners *runners, int64_t end_s) {
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

static bool runner_add(struct runners *runners, int64_t end_s, double cpus) {
    if (runners->count == runners->room) {
        size_t room = runners->room ? runners->room * 2 : 64;
        struct runner *more = realloc(runners->runner, room * sizeof *more);
        if (!more) {
            return false;
        }
        runners->runner = more;
        runners->room = room;
    }
    size_t at = runner_place(runners, end_s);
    memmove(runners->runner + at + 1, runners->runner + at,
            (runners->count - at) * sizeof *runners->runner);
    runners->runner[at] = (struct runner){end_s, cpus};
    runners->count++;
    return true;
}

static void runner_drop(struct runners *runners, int64_t end_s, double cpus) {
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

/* Until so many CPUs more are free, if every job takes its limit. */
static double until_free_s(const struct runners *runners, double cpus, int64_t now_s) {
    const double never_s = 30 * 86400.0;
    double freed = 0;
    for (size_t i = 0; i < runners->count && freed < cpus; i++) {
        freed += runners->runner[i].cpus;
        if (freed >= cpus) {
            int64_t left = runners->runner[i].end_s - now_s;
            return left > 0 ? (double)left : 0;
        }
    }
    return cpus > 0 ? never_s : 0;
}

/* ---- events --------------------------------------------------------------------------------- */

enum { GROUPS = 5 };

static void groups_of(struct be_replay *r, const struct be_past_job *job,
                      struct group *group[GROUPS]) {
    group[0] = &r->all;
    group[1] = &r->partition[job->partition];
    group[2] = &r->size[job->partition * BE_SIZES + be_size_of(job)];
    group[3] = &r->user[job->user];
    group[4] = &r->account[job->account];
}

static double work_of(const struct be_past_job *job) {
    return (double)job->cpus * (double)job->limit_s;
}

static int64_t expected_end(const struct be_past_job *job) {
    return job->start_s + (int64_t)job->limit_s;
}

static void on_submit(struct be_replay *r, size_t index) {
    const struct be_past_job *job = &r->history->job[index];
    struct group *group[GROUPS];
    groups_of(r, job, group);
    for (int i = 0; i < GROUPS; i++) {
        group[i]->waiting++;
        group[i]->waiting_cpus += job->cpus;
        group[i]->waiting_work += work_of(job);
        group[i]->last_submit_s = job->submit_s;
        group[i]->last_job = index;
        r->failed |= !line_add(&group[i]->line, index);
    }
}

static void leave_queue(struct be_replay *r, const struct be_past_job *job) {
    struct group *group[GROUPS];
    groups_of(r, job, group);
    for (int i = 0; i < GROUPS; i++) {
        group[i]->waiting--;
        group[i]->waiting_cpus -= job->cpus;
        group[i]->waiting_work -= work_of(job);
    }
}

static void on_start(struct be_replay *r, const struct be_past_job *job) {
    struct group *group[GROUPS];
    leave_queue(r, job);
    groups_of(r, job, group);
    float wait = (float)log1p((double)(job->start_s - job->submit_s));
    for (int i = 0; i < GROUPS; i++) {
        struct recent *recent = &group[i]->recent;
        group[i]->running_cpus += job->cpus;
        group[i]->ending_work += (double)job->cpus * (double)expected_end(job);
        if (group[i]->running_cpus > group[i]->most_cpus) {
            group[i]->most_cpus = group[i]->running_cpus;
        }
        recent->wait[recent->at] = wait;
        recent->at = (recent->at + 1) % RECENT;
        recent->count += recent->count < RECENT;
        recent->last_start_s = job->start_s;
    }
    if (job->end_s != BE_NO_TIME && job->end_s <= job->start_s) {
        return; /* ends as it starts: its end is taken in right after */
    }
    int all = r->history->partition.count;
    r->failed |= !runner_add(&r->runners[job->partition], expected_end(job), job->cpus);
    r->failed |= !runner_add(&r->runners[all], expected_end(job), job->cpus);
}

static double used(const struct group *group, int64_t now_s) {
    const double week_s = 7 * 86400.0;
    return group->used_work * exp2(-(double)(now_s - group->used_at_s) / week_s);
}

static void on_end(struct be_replay *r, const struct be_past_job *job) {
    struct group *group[GROUPS];
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
        group[i]->used_work = used(group[i], now_s) + took;
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
        /* Of one moment: submission, start, end, so that none comes before what it follows. */
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

int be_replay_waiting(const struct be_replay *replay, int partition) {
    return partition < 0 ? replay->all.waiting : replay->partition[partition].waiting;
}

/* ---- features ------------------------------------------------------------------------------- */

static float log_of(double value) {
    return (float)log1p(value > 0 ? value : 0);
}

/* Mean of the last `most` waits; `none` where there was none. */
static float mean_wait(const struct recent *recent, int most, float none) {
    int count = recent->count < most ? recent->count : most;
    double sum = 0;
    for (int i = 1; i <= count; i++) {
        sum += recent->wait[(recent->at - i + RECENT) % RECENT];
    }
    return count ? (float)(sum / count) : none;
}

static float since(int64_t then_s, int64_t now_s) {
    return then_s == BE_NO_TIME ? 20 : log_of((double)(now_s - then_s));
}

static float share_of(double part, double whole) {
    return whole > 0 ? (float)(part / whole) : 0;
}

/* How long the job this user submitted last has waited, or waits by now. */
static float last_of(const struct be_replay *r, const struct group *user, int64_t now_s,
                     float none) {
    if (user->last_job == SIZE_MAX) {
        return none;
    }
    const struct be_past_job *job = &r->history->job[user->last_job];
    int64_t end =
        gone(job, now_s) ? (job->start_s != BE_NO_TIME ? job->start_s : job->end_s) : now_s;
    return log_of((double)(end - job->submit_s));
}

static int of_job(const struct be_past_job *job, int64_t now_s, float *f) {
    const int64_t day_s = 86400, thursday = 3;
    int64_t day = now_s / day_s;
    int n = 0;
    f[n++] = log_of(job->cpus);
    f[n++] = log_of(job->limit_s);
    f[n++] = log_of(work_of(job) / 3600);
    f[n++] = job->gpus;
    f[n++] = log_of(job->memory_bytes / 0x1p20);
    f[n++] = (float)((now_s % day_s) / 3600);
    f[n++] = (float)((day + thursday) % 7);
    f[n++] = (float)job->partition;
    return n;
}

static int of_partition(struct be_replay *r, const struct be_past_job *job, int64_t now_s,
                        float *f) {
    struct group *p = &r->partition[job->partition];
    struct group *s = &r->size[job->partition * BE_SIZES + be_size_of(job)];
    double most = p->most_cpus, free_cpus = most - p->running_cpus;
    double remaining = p->ending_work - (double)now_s * p->running_cpus;
    float usual = mean_wait(&p->recent, RECENT, mean_wait(&r->all.recent, RECENT, 0));
    int n = 0;
    f[n++] = log_of(p->waiting);
    f[n++] = share_of(p->waiting_cpus, most);
    f[n++] = log_of(most > 0 ? p->waiting_work / most : 0);
    f[n++] = share_of(p->running_cpus, most);
    f[n++] = share_of(free_cpus - job->cpus, most);
    f[n++] = log_of(oldest_s(r, &p->line, now_s));
    f[n++] = log_of(oldest_s(r, &s->line, now_s));
    f[n++] = usual;
    f[n++] = mean_wait(&s->recent, RECENT, usual);
    f[n++] = mean_wait(&s->recent, 3, usual);
    f[n++] = since(p->recent.count ? p->recent.last_start_s : BE_NO_TIME, now_s);
    f[n++] = since(s->recent.count ? s->recent.last_start_s : BE_NO_TIME, now_s);
    f[n++] = log_of(s->waiting);
    f[n++] = log_of(until_free_s(&r->runners[job->partition], job->cpus - free_cpus, now_s));
    f[n++] = log_of(
        until_free_s(&r->runners[job->partition], p->waiting_cpus + job->cpus - free_cpus, now_s));
    f[n++] = log_of(most > 0 ? (remaining + p->waiting_work) / most : 0);
    return n;
}

static int of_owner(struct be_replay *r, const struct be_past_job *job, int64_t now_s, float *f) {
    struct group *u = &r->user[job->user], *a = &r->account[job->account];
    struct group *s = &r->size[job->partition * BE_SIZES + be_size_of(job)];
    double most = r->all.most_cpus, all_used = used(&r->all, now_s);
    float usual = mean_wait(&s->recent, RECENT, mean_wait(&r->all.recent, RECENT, 0));
    int n = 0;
    f[n++] = log_of(u->waiting);
    f[n++] = share_of(u->waiting_cpus, most);
    f[n++] = share_of(u->running_cpus, most);
    f[n++] = mean_wait(&u->recent, USER_RECENT, usual);
    f[n++] = log_of(oldest_s(r, &u->line, now_s));
    f[n++] = share_of(used(u, now_s), all_used);
    f[n++] = since(u->last_job == SIZE_MAX ? BE_NO_TIME : u->last_submit_s, now_s);
    f[n++] = last_of(r, u, now_s, usual);
    f[n++] = share_of(a->waiting_cpus, most);
    f[n++] = share_of(a->running_cpus, most);
    f[n++] = share_of(used(a, now_s), all_used);
    return n;
}

static int of_machine(struct be_replay *r, const struct be_past_job *job, int64_t now_s, float *f) {
    const struct group *all = &r->all;
    double free_cpus = all->most_cpus - all->running_cpus;
    int n = 0;
    f[n++] = share_of(all->running_cpus, all->most_cpus);
    f[n++] = share_of(all->waiting_cpus, all->most_cpus);
    f[n++] = log_of(
        until_free_s(&r->runners[r->history->partition.count], job->cpus - free_cpus, now_s));
    return n;
}

void be_replay_features(struct be_replay *r, const struct be_past_job *job, int64_t now_s,
                        float feature[BE_FEATURES]) {
    int n = of_job(job, now_s, feature);
    n += of_partition(r, job, now_s, feature + n);
    n += of_owner(r, job, now_s, feature + n);
    n += of_machine(r, job, now_s, feature + n);
    while (n < BE_FEATURES) {
        feature[n++] = 0;
    }
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
        int64_t least = starts || job->start_s == BE_NO_TIME ? job->submit_s : job->start_s;
        if (at != BE_NO_TIME) {
            list[(*count)++] = (struct stamped){at > least ? at : least, i};
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

static struct group *groups(int count) {
    struct group *group = calloc((size_t)count + 1, sizeof *group);
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

static void close_groups(struct group *group, int count) {
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
