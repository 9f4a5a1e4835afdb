/*
 * Is P(done by a deadline) of `breakeven decide` right? Each job of the last part of an accounting is asked for when it is
 * submitted: its wait as `breakeven queue` forecasts it, its time by earlier jobs of its user, both added as be_decide adds
 * them. Ten deadlines, from a quarter of an hour to four days. It prints a table in Markdown for each accounting.
 *
 * It knows of a job only what was known then: jobs that had ended, with their times.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "decide/draws.h"
#include "forecast/forecast.h"

enum { DEADLINES = 10, ENOUGH = 9, RUNS_MAX = 50, WAYS = 4, BINS = 10 };

static const double deadline_s[DEADLINES] = {900,   1800,  3600,  7200,   14400,
                                             28800, 43200, 86400, 172800, 345600};
static const char *const deadline_name[DEADLINES] = {"15 min", "30 min", "1 h",  "2 h", "4 h",
                                                     "8 h",    "12 h",   "24 h", "2 d", "4 d"};

/* What is taken for the time of a job. */
enum way { RUNS, LAST, LIMIT, WAIT_KNOWN };
static const char *const way_name[WAYS] = {[RUNS] = "earlier runs",
                                           [LAST] = "the last run",
                                           [LIMIT] = "its limit",
                                           [WAIT_KNOWN] = "runs, wait known"};

struct tally {
    double told[DEADLINES];
    double bin_told[BINS], bin_met[BINS], bin_n[BINS];
};

/* Of jobs whose wait is foretold from fewer than BE_OCCASIONS_ENOUGH occasions, and of the others. */
struct part {
    double told[DEADLINES], met[DEADLINES];
    size_t jobs;
};

struct score {
    struct part part[2];
    struct tally way[WAYS];
    double met[DEADLINES];
    int most; /* runs that are looked at */
    size_t jobs, no_wait, no_run;
    int kind[4]; /* how near the jobs are that a time comes from */
};

/* ---- runs of the past ------------------------------------------------------------------------ */

static const struct be_history *sorting;

static int by_end(const void *a, const void *b) {
    const int64_t x = sorting->job[*(const size_t *)a].end_s,
                  y = sorting->job[*(const size_t *)b].end_s;
    return (x > y) - (x < y);
}

struct past {
    size_t *ended; /* jobs by their end */
    size_t count, at;
    size_t *before; /* of each job that ended: the one of its user that ended before it; SIZE_MAX */
    size_t *last;   /* of each user */
};

static double run_of(const struct be_past_job *job) {
    return fmax((double)(job->end_s - job->start_s), 1);
}

static bool open_past(const struct be_history *h, struct past *past) {
    past->ended = malloc((h->jobs + 1) * sizeof(size_t));
    past->before = malloc((h->jobs + 1) * sizeof(size_t));
    past->last = malloc(((size_t)h->user.count + 1) * sizeof(size_t));
    past->count = past->at = 0;
    if (!past->ended || !past->before || !past->last) {
        return false;
    }
    for (size_t i = 0; i < h->jobs; i++) {
        const struct be_past_job *job = &h->job[i];
        if (!job->bystander && job->start_s != BE_NO_TIME && job->end_s != BE_NO_TIME) {
            past->ended[past->count++] = i;
        }
    }
    for (int i = 0; i < h->user.count; i++) {
        past->last[i] = SIZE_MAX;
    }
    sorting = h;
    qsort(past->ended, past->count, sizeof(size_t), by_end);
    return true;
}

static void past_until(const struct be_history *h, struct past *past, int64_t now_s) {
    for (; past->at < past->count && h->job[past->ended[past->at]].end_s < now_s; past->at++) {
        const size_t job = past->ended[past->at];
        past->before[job] = past->last[h->job[job].user];
        past->last[h->job[job].user] = job;
    }
}

/* Those of the same user: with the same cores and limit; else the same limit; else any. */
static int gather(const struct be_history *h, const struct past *past,
                  const struct be_past_job *job, int kind, double *run_s, int most) {
    int runs = 0;
    size_t looked = 0;
    for (size_t i = past->last[job->user]; i != SIZE_MAX && runs < most && looked < 2000;
         i = past->before[i], looked++) {
        const struct be_past_job *other = &h->job[i];
        const bool limit = other->limit_s == job->limit_s, cpus = other->cpus == job->cpus;
        if (kind == 2 || (limit && (kind == 1 || cpus))) {
            run_s[runs++] = run_of(other);
        }
    }
    return runs;
}

/* ---- one job --------------------------------------------------------------------------------- */

static double share_within(const double *total, double limit_s) {
    int within = 0;
    for (int d = 0; d < BE_DRAWS; d++) {
        within += total[d] <= limit_s;
    }
    return (double)within / BE_DRAWS;
}

static void add_way(struct tally *tally, const struct be_decide_place *place,
                    struct be_draws *draws, double *total, double done_s) {
    be_draws_make(place, draws);
    be_draws_total(draws, 1, true, total);
    for (int i = 0; i < DEADLINES; i++) {
        const double told = share_within(total, deadline_s[i]);
        const int bin = told < 1 ? (int)(told * BINS) : BINS - 1;
        tally->told[i] += told;
        tally->bin_n[bin]++;
        tally->bin_told[bin] += told;
        tally->bin_met[bin] += done_s <= deadline_s[i];
    }
}

static struct be_predict_time about(double s, double lo, double hi) {
    return (struct be_predict_time){s * lo, s, s * hi};
}

static void add_part(struct part *part, const struct be_foretold *told, double wait_s) {
    for (int i = 0; i < DEADLINES; i++) {
        part->told[i] += be_wait_odds_share(&told->odds, deadline_s[i]);
        part->met[i] += wait_s <= deadline_s[i];
    }
    part->jobs++;
}

static bool add_job(const struct be_history *h, const struct past *past,
                    const struct be_past_job *job, const struct be_wait_odds *wait,
                    struct be_draws *draws, double *total, struct score *score) {
    double run_s[RUNS_MAX];
    struct be_wait_odds odds, known;
    int kind = 0, runs = 0;
    for (; kind < 3; kind++) {
        runs = gather(h, past, job, kind, run_s, score->most);
        if (runs >= (kind < 2 ? fmin(ENOUGH, score->most) : 1)) {
            break;
        }
    }
    score->jobs++;
    if (runs == 0) {
        score->no_run++;
        return true;
    }
    score->kind[kind]++;
    const double done_s = (double)(job->end_s - job->submit_s), limit_s = job->limit_s;
    struct be_decide_place place = {.wait = wait, .runs = &odds, .compute = about(1, 1, 1)};
    if (be_decide_past(run_s, runs, limit_s, &odds, NULL) != BE_OK) {
        return false;
    }
    for (int i = 0; i < BE_ODDS_POINTS; i++) {
        known.wait_s[i] = (double)(job->start_s - job->submit_s);
    }
    for (int i = 0; i < DEADLINES; i++) {
        score->met[i] += done_s <= deadline_s[i];
    }
    add_way(&score->way[RUNS], &place, draws, total, done_s);
    place.wait = &known;
    add_way(&score->way[WAIT_KNOWN], &place, draws, total, done_s);
    place.wait = wait;
    place.runs = NULL;
    place.compute = about(run_s[0], 0.9, 1.15);
    add_way(&score->way[LAST], &place, draws, total, done_s);
    place.compute = about(limit_s > 0 ? limit_s : run_s[0], 1, 1);
    add_way(&score->way[LIMIT], &place, draws, total, done_s);
    return true;
}

/* ---- an accounting ---------------------------------------------------------------------------- */

static size_t number_of(const struct be_history *h, double share) {
    size_t own = 0, at = 0;
    for (size_t i = 0; i < h->jobs; i++) {
        own += !h->job[i].bystander;
    }
    for (size_t passed = 0; at < h->jobs && (double)passed < share * (double)own; at++) {
        passed += !h->job[at].bystander;
    }
    return at;
}

static enum be_status replay(const struct be_history *h, double from, int each, struct score *score,
                             struct be_error *error) {
    struct be_forecaster *f = NULL;
    struct past past = {0};
    double *memory = malloc(4 * (size_t)BE_DRAWS * sizeof *memory);
    struct be_draws draws = {memory, memory + BE_DRAWS, memory + 2 * (size_t)BE_DRAWS};
    const size_t warm = number_of(h, from - from / 3), first = number_of(h, from);
    enum be_status status = memory && open_past(h, &past)
                                ? be_forecaster_open(h, &f, error)
                                : be_fail(error, BE_NOMEM, "no host memory");
    for (size_t i = warm; i < h->jobs && status == BE_OK; i++) {
        const struct be_past_job *job = &h->job[i];
        struct be_foretold told;
        if (job->bystander) {
            continue;
        }
        status = be_forecaster_lead(f, i, job->submit_s, true, error);
        status = status == BE_OK ? be_forecaster_ask(f, job, job->submit_s, &told, error) : status;
        status = status == BE_OK ? be_forecaster_watch(f, i, error) : status;
        past_until(h, &past, job->submit_s);
        if (status != BE_OK || i < first || i % (size_t)each || job->start_s == BE_NO_TIME ||
            job->end_s == BE_NO_TIME) {
            continue;
        }
        score->no_wait += !told.enough;
        if (told.enough) {
            add_part(&score->part[told.occasions >= BE_OCCASIONS_ENOUGH], &told,
                     (double)(job->start_s - job->submit_s));
        }
        if (told.enough &&
            !add_job(h, &past, job, &told.odds, &draws, memory + 3 * (size_t)BE_DRAWS, score)) {
            status = be_fail(error, BE_NOMEM, "no host memory");
        }
    }
    be_forecaster_close(f);
    free(past.ended);
    free(past.before);
    free(past.last);
    free(memory);
    return status;
}

static void print(const char *name, const struct score *score) {
    const double n = (double)(score->jobs - score->no_run);
    printf("| %s | %zu |", name, score->jobs - score->no_run);
    for (int i = 0; i < DEADLINES; i++) {
        printf(" %.0f |", 100 * score->met[i] / n);
    }
    printf(" |  | %zu, %zu; %d, %d, %d |\n", score->no_wait, score->no_run, score->kind[0],
           score->kind[1], score->kind[2]);
    for (int w = 0; w < WAYS; w++) {
        const struct tally *tally = &score->way[w];
        double worst = 0, off = 0, all = 0;
        printf("| %s | |", way_name[w]);
        for (int i = 0; i < DEADLINES; i++) {
            const double by = 100 * (tally->told[i] - score->met[i]) / n;
            worst = fmax(worst, fabs(by));
            printf(" %+.1f |", by);
        }
        for (int i = 0; i < BINS; i++) {
            off += fabs(tally->bin_told[i] - tally->bin_met[i]);
            all += tally->bin_n[i];
        }
        printf(" %.1f | %.1f | |\n", worst, 100 * off / all);
    }
}

/* A start by each of the deadlines, told and met. */
static void print_parts(const struct score *score) {
    for (int p = 0; p < 2; p++) {
        const struct part *part = &score->part[p];
        double worst = 0;
        printf("| a start, %s occasions | %zu |", p ? "12 or more" : "fewer than 12", part->jobs);
        for (int i = 0; i < DEADLINES; i++) {
            const double by = 100 * (part->told[i] - part->met[i]) / (double)part->jobs;
            worst = fmax(worst, fabs(by));
            printf(part->jobs ? " %+.1f |" : " |", by);
        }
        printf(part->jobs ? " %.1f | | |\n" : " | | |\n", worst);
    }
}

static int one(const char *file, double from, int each, int most) {
    struct be_error error = {0};
    struct be_history history = {0};
    struct be_job_match match;
    const struct be_job_filter filter = {0};
    const struct be_job_input input = {.file = &file, .files = 1};
    struct score score = {.most = most};
    enum be_status status = be_match_open(&input, &filter, &match, &error);
    status = status == BE_OK ? be_history_read(&input, &match, false, &history, &error) : status;
    status = status == BE_OK ? replay(&history, from, each, &score, &error) : status;
    be_history_free(&history);
    if (status != BE_OK) {
        fprintf(stderr, "decide_calibration: %s: %s\n", file, error.text);
        return 1;
    }
    const char *slash = strrchr(file, '/');
    print(slash ? slash + 1 : file, &score);
    print_parts(&score);
    fflush(stdout);
    return 0;
}

int main(int argc, char **argv) {
    double from = 0.7;
    int each = 1, most = RUNS_MAX, wrong = 0;
    for (int option; (option = getopt(argc, argv, "hf:e:r:")) != -1;) {
        switch (option) {
        case 'h':
            printf("usage: bench_decide_calibration [-f FROM] [-e EACH] [-r RUNS] ACCOUNTING...\n");
            return 0;
        case 'f':
            from = strtod(optarg, NULL);
            break;
        case 'e':
            each = atoi(optarg);
            break;
        case 'r':
            most = atoi(optarg);
            break;
        default:
            return 2;
        }
    }
    if (optind == argc || each < 1 || most < 1 || most > RUNS_MAX || !(from > 0 && from < 1)) {
        fprintf(stderr,
                "usage: bench_decide_calibration [-f FROM] [-e EACH] [-r RUNS] ACCOUNTING...\n");
        return 2;
    }
    printf("| accounting, its time by | jobs |");
    for (int i = 0; i < DEADLINES; i++) {
        printf(" %s |", deadline_name[i]);
    }
    printf(" at most | by probability | not asked; alike |\n| --- |");
    for (int i = 0; i < DEADLINES + 4; i++) {
        printf(" --- |");
    }
    printf("\n");
    for (int i = optind; i < argc; i++) {
        wrong |= one(argv[i], from, each, most);
    }
    return wrong;
}
