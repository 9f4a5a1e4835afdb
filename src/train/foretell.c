#include "train/foretell.h"

#include <math.h>

/* Share of its time that a worker needs a core for, while it works. */
static double needs_core(const struct be_train_rates *rates) {
    const double all_s = rates->compute_s + rates->blocked_s;
    return all_s > 0 ? rates->compute_s / all_s : 1;
}

/* Speed of each thread where so many of them want the cores at once. */
static double speed(const struct be_train_rates *rates, double wanted) {
    return wanted > rates->cores ? rates->cores / wanted : 1;
}

static double speed_beside(const struct be_train_rates *rates, int workers) {
    return speed(rates, rates->threads + workers * needs_core(rates));
}

/* Images a second of all workers, where a thread has a core for that share of the time. */
static double load_rate(const struct be_train_rates *rates, int workers, double share) {
    return workers / (rates->compute_s / share + rates->blocked_s);
}

/* Workers that are ready before the net are beside it for a part of its step only. */
double be_train_step_alone(const struct be_train_rates *rates, int workers, double step_s) {
    const double beside = speed_beside(rates, workers);
    const double loading_s = workers ? rates->batch / load_rate(rates, workers, beside) : 0;
    return loading_s < step_s ? step_s - loading_s * (1 - beside) : step_s * beside;
}

/*
 * While the net computes, workers load beside it; while it waits, they have the cores to themselves. A batch that is
 * ready before the net is leaves the cores to the net for the rest of its step.
 */
struct be_train_foretold be_train_foretell(const struct be_train_rates *rates, int workers) {
    struct be_train_foretold foretold = {.workers = workers, .step_s = rates->step_s};
    if (workers == 0) {
        foretold.wait_s = rates->batch * (rates->compute_s + rates->blocked_s);
    } else {
        const double beside = speed_beside(rates, workers);
        const double alone = speed(rates, workers * needs_core(rates));
        const double full_s = rates->step_s / beside;
        const double ready = load_rate(rates, workers, beside) * full_s;
        if (ready >= rates->batch) {
            const double loading_s = rates->batch / load_rate(rates, workers, beside);
            foretold.step_s = rates->step_s + loading_s * (1 - beside);
        } else {
            foretold.step_s = full_s;
            foretold.wait_s = (rates->batch - ready) / load_rate(rates, workers, alone);
        }
    }
    const double both_s = foretold.step_s + foretold.wait_s;
    foretold.wait_share = foretold.wait_s / both_s;
    foretold.images_per_s = rates->batch / both_s;
    return foretold;
}

struct be_train_foretold be_train_fastest(const struct be_train_rates *rates) {
    const double near = 0.99;
    double best = 0;
    struct be_train_foretold foretold = {0};
    for (int workers = 0; workers <= BE_TRAIN_WORKERS_MAX; workers++) {
        best = fmax(best, be_train_foretell(rates, workers).images_per_s);
    }
    for (int workers = 0; workers <= BE_TRAIN_WORKERS_MAX; workers++) {
        foretold = be_train_foretell(rates, workers);
        if (foretold.images_per_s >= near * best) {
            break;
        }
    }
    return foretold;
}

bool be_train_fewest_workers(const struct be_train_rates *rates, struct be_train_foretold *fewest) {
    for (int workers = 0; workers <= BE_TRAIN_WORKERS_MAX; workers++) {
        *fewest = be_train_foretell(rates, workers);
        if (100 * fewest->wait_share < BE_TRAIN_WAIT_PERCENT) {
            return true;
        }
    }
    *fewest = be_train_fastest(rates);
    return false;
}

struct be_train_foretold be_train_advised(const struct be_train_rates *rates) {
    struct be_train_foretold fewest;
    be_train_fewest_workers(rates, &fewest);
    return fewest.step_s > BE_TRAIN_STEP_LONGER * rates->step_s ? be_train_fastest(rates) : fewest;
}
