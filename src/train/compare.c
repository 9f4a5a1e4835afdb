#include "train/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "host/cores.h"
#include "train/run.h"

/* Runs of one way, round by round. */
struct runs {
    double images_per_s[BE_TRAIN_ROUNDS], wait_share[BE_TRAIN_ROUNDS];
    double compute_s[BE_TRAIN_ROUNDS], blocked_s[BE_TRAIN_ROUNDS];
    struct be_train_rates rates; /* of the last one */
};

struct comparing {
    const struct be_train_plan *plan;
    struct be_train_comparison *comparison;
    struct be_images *images[2]; /* on disk, in memory */
    struct runs runs[BE_TRAIN_WAYS_MAX];
};

static const int workers_tried[] = {0, 1, 2, 4};

static enum be_status find_cores(struct be_train_comparison *comparison, struct be_error *error) {
    struct be_cores *cores = calloc(1, sizeof *cores);
    enum be_status status =
        cores ? be_cores_find(cores, error) : be_fail(error, BE_NOMEM, "train: no host memory");
    comparison->cores = status ? 1 : cores->count;
    free(cores);
    return status;
}

static void list_ways(struct be_train_comparison *comparison) {
    const int threads[] = {1, comparison->cores};
    for (size_t t = 0; t < (comparison->cores > 1 ? BE_COUNT(threads) : 1); t++) {
        for (int memory = 0; memory < 2; memory++) {
            for (size_t w = 0; w < BE_COUNT(workers_tried); w++) {
                comparison->way[comparison->ways++] =
                    (struct be_train_way){.threads = threads[t],
                                          .workers = workers_tried[w],
                                          .memory = memory == 1,
                                          .images_per_s = NAN,
                                          .lo = NAN,
                                          .hi = NAN,
                                          .wait_share = NAN,
                                          .foretold_per_s = NAN,
                                          .compute_s = NAN,
                                          .blocked_s = NAN};
            }
        }
    }
}

static enum be_status open_all(struct comparing *c, struct be_error *error) {
    struct be_train_plan plan = *c->plan;
    enum be_status status = BE_OK;
    for (int memory = 0; !status && memory < 2; memory++) {
        plan.memory = memory == 1;
        status = be_train_images(&plan, &c->images[memory], error);
    }
    return status;
}

static void copy_facts(struct be_train_comparison *comparison,
                       const struct be_train_result *result) {
    memcpy(comparison->net, result->net, sizeof comparison->net);
    memcpy(comparison->data, result->data, sizeof comparison->data);
    memcpy(comparison->cpu, result->cpu, sizeof comparison->cpu);
    memcpy(comparison->folder, result->folder, sizeof comparison->folder);
    comparison->images = result->images;
    comparison->batch = result->batch;
    comparison->seed = result->seed;
    comparison->prefetch = result->prefetch;
    comparison->decode_asked_s = result->decode_asked_s;
}

static enum be_status run_way(struct comparing *c, size_t at, int round, double seconds,
                              struct be_error *error) {
    const struct be_train_way *way = &c->comparison->way[at];
    struct runs *runs = &c->runs[at];
    struct be_train_plan plan = *c->plan;
    struct be_train_result result = {0};
    plan.threads = way->threads;
    plan.workers = way->workers;
    plan.total_s = seconds;
    plan.epochs = 1000; /* time ends it */
    plan.no_test = true;
    plan.begin = NULL;
    plan.progress = NULL;
    plan.epoch = NULL;
    plan.save = plan.resume = plan.weights = NULL;
    enum be_status status = be_train_on(&plan, c->images[way->memory], &result, error);
    if (!status) {
        copy_facts(c->comparison, &result);
        runs->images_per_s[round] = result.steady_per_s;
        runs->wait_share[round] = result.part_s[BE_TRAIN_WAIT] / result.train_s;
        runs->compute_s[round] = result.rates.compute_s;
        runs->blocked_s[round] = result.rates.blocked_s;
        runs->rates = result.rates;
    }
    be_train_free(&result);
    return status;
}

static bool is_cancelled(const struct comparing *c) {
    return c->plan->cancelled && c->plan->cancelled(c->plan->context);
}

/* Each round in another order: none is always behind the same one. */
static enum be_status run_round(struct comparing *c, int round, double seconds,
                                void (*tell)(void *context, const struct be_train_way *way,
                                             int done, int left, double left_s),
                                struct be_error *error) {
    const size_t ways = c->comparison->ways;
    enum be_status status = BE_OK;
    for (size_t i = 0; !status && !c->comparison->partial && i < ways; i++) {
        const size_t at = round % 2 ? ways - 1 - i : i;
        const int done = (int)((size_t)round * ways + i), all = (int)ways * BE_TRAIN_ROUNDS;
        if (tell) {
            tell(c->plan->context, &c->comparison->way[at], done, all - done,
                 seconds * (all - done));
        }
        status = run_way(c, at, round, seconds, error);
        c->comparison->partial = is_cancelled(c);
    }
    return status;
}

/* It takes one, two or three values. */
static double median(const double *value, int count) {
    return count == 1   ? value[0]
           : count == 2 ? (value[0] + value[1]) / 2
                        : fmax(fmin(value[0], value[1]), fmin(fmax(value[0], value[1]), value[2]));
}

static void summarise(struct be_train_way *way, const struct runs *runs, int rounds) {
    way->images_per_s = median(runs->images_per_s, rounds);
    way->wait_share = median(runs->wait_share, rounds);
    way->compute_s = median(runs->compute_s, rounds);
    way->blocked_s = median(runs->blocked_s, rounds);
    way->lo = way->hi = runs->images_per_s[0];
    for (int i = 1; i < rounds; i++) {
        way->lo = fmin(way->lo, runs->images_per_s[i]);
        way->hi = fmax(way->hi, runs->images_per_s[i]);
    }
}

/* A run without workers says both rates without one in the other's way. */
static void foretell(struct comparing *c) {
    struct be_train_comparison *comparison = c->comparison;
    const struct be_train_rates *rates = NULL;
    for (size_t i = 0; i < comparison->ways; i++) {
        struct be_train_way *way = &comparison->way[i];
        if (way->workers == 0) {
            rates = &c->runs[i].rates;
        } else if (rates) {
            way->foretold_per_s = be_train_foretell(rates, way->workers).images_per_s;
        }
    }
}

enum be_status be_train_compare(const struct be_train_plan *plan,
                                void (*tell)(void *context, const struct be_train_way *way,
                                             int done, int left, double left_s),
                                struct be_train_comparison *comparison, struct be_error *error) {
    struct comparing c = {.plan = plan, .comparison = comparison};
    memset(comparison, 0, sizeof *comparison);
    enum be_status status = find_cores(comparison, error);
    list_ways(comparison);
    const double seconds = plan->total_s / (double)(comparison->ways * BE_TRAIN_ROUNDS);
    status = status ? status : open_all(&c, error);
    for (int round = 0; !status && !comparison->partial && round < BE_TRAIN_ROUNDS; round++) {
        status = run_round(&c, round, seconds, tell, error);
        comparison->rounds += !status && !comparison->partial;
    }
    for (size_t i = 0; comparison->rounds && i < comparison->ways; i++) {
        summarise(&comparison->way[i], &c.runs[i], comparison->rounds);
    }
    if (comparison->rounds) {
        foretell(&c);
    }
    be_images_close(c.images[0]);
    be_images_close(c.images[1]);
    return status;
}
