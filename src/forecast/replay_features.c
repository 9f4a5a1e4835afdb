/* The state of a cluster as one job sees it, in numbers. */
#include <math.h>

#include "forecast/replay_state.h"

/* Has it left the queue before `now_s`? */
static bool gone(const struct be_past_job *job, int64_t now_s) {
    int64_t left = job->start_s != BE_NO_TIME ? job->start_s : job->end_s;
    return left != BE_NO_TIME && left < now_s;
}

/* How long the oldest of them waits; 0: none does. */
static double oldest_s(const struct be_replay *r, struct be_waiting_line *line, int64_t now_s) {
    while (line->count && gone(&r->history->job[line->job[line->first]], now_s)) {
        line->first++;
        line->count--;
    }
    return line->count ? (double)(now_s - r->history->job[line->job[line->first]].submit_s) : 0;
}

/* Until so many CPUs more are free, if every job takes its limit. */
static double until_free_s(const struct be_runners *runners, double cpus, int64_t now_s) {
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

static float log_of(double value) {
    return (float)log1p(value > 0 ? value : 0);
}

/* Mean of the last `most` waits; `none` where there was none. */
static float mean_wait(const struct be_recent_waits *recent, int max, float none) {
    int count = recent->count < max ? recent->count : max;
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
static float last_of(const struct be_replay *r, const struct be_group *user, int64_t now_s,
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
    int64_t hour = now_s % day_s / 3600;
    int n = 0;
    f[n++] = log_of(job->cpus);
    f[n++] = log_of(job->limit_s);
    f[n++] = log_of(be_work_of(job) / 3600);
    f[n++] = job->gpus;
    f[n++] = log_of(job->memory_bytes / 0x1p20);
    f[n++] = (float)hour;
    f[n++] = (float)((day + thursday) % 7);
    f[n++] = (float)job->partition;
    return n;
}

static int of_partition(struct be_replay *r, const struct be_past_job *job, int64_t now_s,
                        float *f) {
    struct be_group *p = &r->partition[job->partition];
    struct be_group *s = &r->size[job->partition * BE_SIZES + be_size_of(job)];
    double max = p->max_cpus, free_cpus = max - p->running_cpus;
    double remaining = p->ending_work - (double)now_s * p->running_cpus;
    float usual = mean_wait(&p->recent, RECENT, mean_wait(&r->all.recent, RECENT, 0));
    int n = 0;
    f[n++] = log_of((double)p->waiting);
    f[n++] = share_of(p->waiting_cpus, max);
    f[n++] = log_of(max > 0 ? p->waiting_work / max : 0);
    f[n++] = share_of(p->running_cpus, max);
    f[n++] = share_of(free_cpus - job->cpus, max);
    f[n++] = log_of(oldest_s(r, &p->line, now_s));
    f[n++] = log_of(oldest_s(r, &s->line, now_s));
    f[n++] = usual;
    f[n++] = mean_wait(&s->recent, RECENT, usual);
    f[n++] = mean_wait(&s->recent, 3, usual);
    f[n++] = since(p->recent.count ? p->recent.last_start_s : BE_NO_TIME, now_s);
    f[n++] = since(s->recent.count ? s->recent.last_start_s : BE_NO_TIME, now_s);
    f[n++] = log_of((double)s->waiting);
    f[n++] = log_of(until_free_s(&r->runners[job->partition], job->cpus - free_cpus, now_s));
    f[n++] = log_of(
        until_free_s(&r->runners[job->partition], p->waiting_cpus + job->cpus - free_cpus, now_s));
    f[n++] = log_of(max > 0 ? (remaining + p->waiting_work) / max : 0);
    return n;
}

static int of_owner(struct be_replay *r, const struct be_past_job *job, int64_t now_s, float *f) {
    struct be_group *u = &r->user[job->user], *a = &r->account[job->account];
    struct be_group *s = &r->size[job->partition * BE_SIZES + be_size_of(job)];
    double max = r->all.max_cpus, all_used = be_group_used(&r->all, now_s);
    float usual = mean_wait(&s->recent, RECENT, mean_wait(&r->all.recent, RECENT, 0));
    int n = 0;
    f[n++] = log_of((double)u->waiting);
    f[n++] = share_of(u->waiting_cpus, max);
    f[n++] = share_of(u->running_cpus, max);
    f[n++] = mean_wait(&u->recent, USER_RECENT, usual);
    f[n++] = log_of(oldest_s(r, &u->line, now_s));
    f[n++] = share_of(be_group_used(u, now_s), all_used);
    f[n++] = since(u->last_job == SIZE_MAX ? BE_NO_TIME : u->last_submit_s, now_s);
    f[n++] = last_of(r, u, now_s, usual);
    f[n++] = share_of(a->waiting_cpus, max);
    f[n++] = share_of(a->running_cpus, max);
    f[n++] = share_of(be_group_used(a, now_s), all_used);
    return n;
}

static int of_machine(struct be_replay *r, const struct be_past_job *job, int64_t now_s, float *f) {
    const struct be_group *all = &r->all;
    double free_cpus = all->max_cpus - all->running_cpus;
    int n = 0;
    f[n++] = share_of(all->running_cpus, all->max_cpus);
    f[n++] = share_of(all->waiting_cpus, all->max_cpus);
    f[n++] = log_of(
        until_free_s(&r->runners[r->history->partition.count], job->cpus - free_cpus, now_s));
    return n;
}

/* Until what runs and what waits is done, if every job takes its limit and as many CPUs work for
 * the group as ever did. */
static float work_ahead(const struct be_group *g, const struct be_past_job *job, int64_t now_s) {
    double max = fmax(g->max_cpus, job->cpus);
    double remaining = g->ending_work - (double)now_s * g->running_cpus;
    return log_of((fmax(remaining, 0) + g->waiting_work + be_work_of(job)) / max);
}

void be_replay_features(struct be_replay *r, const struct be_past_job *job, int64_t now_s,
                        float feature[BE_FEATURES]) {
    int n = of_job(job, now_s, feature);
    n += of_partition(r, job, now_s, feature + n);
    n += of_owner(r, job, now_s, feature + n);
    n += of_machine(r, job, now_s, feature + n);
    while (n < BE_FEATURES - BE_GUESSES) {
        feature[n++] = 0;
    }
    feature[n++] = work_ahead(&r->user[job->user], job, now_s);
    feature[n++] = work_ahead(&r->partition[job->partition], job, now_s);
}
