/* The finding of a training run in words: who waits for whom, and how many workers would change that. */
#include <math.h>

#include "report/train/train.h"

/* A gain that is worth a sentence; a rate so far below that of its own figures has another cause. */
static const double gain_min = 1.05, short_of = 0.8;

static double waited(const struct be_train_result *result) {
    return result->part_s[BE_TRAIN_WAIT] / result->train_s;
}

static void add_workers(struct be_text *out, const struct be_train_foretold *foretold) {
    if (foretold->workers == 0) {
        be_text_add(out, "no workers");
    } else {
        be_text_add(out, foretold->workers == 1 ? "1 worker" : "%d workers", foretold->workers);
    }
}

static const char *rate(char word[BE_WORD], double images_per_s) {
    return be_format_count(word, BE_WORD, round(images_per_s), "-");
}

/* Below the threshold: how many workers are enough. */
static void add_fine(const struct be_train_result *result, struct be_text *out) {
    be_text_add(out, ": images do not hold it up.");
    const struct be_train_foretold *then = &result->advised;
    if (result->suffices && then->workers < result->workers) {
        be_text_add(out, " Foretold: with ");
        add_workers(out, then);
        be_text_add(out, " it would wait for %.1f %%.", 100 * then->wait_share);
    }
}

/* More workers hide the waiting in a slower net where there are no more cores for them. */
static void add_cores(const struct be_train_result *result, struct be_text *out) {
    const struct be_train_rates *rates = &result->rates;
    const double busy_s = rates->threads * rates->step_s + rates->batch * rates->compute_s;
    be_text_add(out,
                " Net and workers share %d core%s: more workers would train no faster, more cores "
                "(up to %.1f) would.",
                rates->cores, rates->cores == 1 ? "" : "s", busy_s / rates->step_s);
}

static void add_more(const struct be_train_result *result, struct be_text *out) {
    const struct be_train_foretold *then = &result->advised;
    const double gain = then->images_per_s / result->images_per_s;
    char now_word[BE_WORD], then_word[BE_WORD];
    be_text_add(out, ". Foretold: ");
    add_workers(out, then);
    be_text_add(out, " would take it to %.1f %%", 100 * then->wait_share);
    if (gain < gain_min) {
        be_text_add(out, " and train no faster.");
    } else {
        be_text_add(out, ", and training from %s to %s images a second.",
                    rate(now_word, result->images_per_s), rate(then_word, then->images_per_s));
    }
    if (result->fewest.step_s > BE_TRAIN_STEP_LONGER * result->rates.step_s) {
        add_cores(result, out);
    }
}

/* Rates are of threads that have their cores: where others have a part of these, less comes of them. */
static void add_busy(const struct be_train_result *result, struct be_text *out) {
    char word[BE_WORD];
    if (result->steady_per_s < short_of * result->now.images_per_s) {
        be_text_add(out,
                    " Foretold likewise, this run would have trained on %s images a second. Other "
                    "programs may have had a part of its cores; then the forecast is wrong, too.",
                    rate(word, result->now.images_per_s));
    }
}

/* The waiting for images, and how many workers would change it. */
static void add_images(const struct be_train_result *result, struct be_text *out) {
    const double share = waited(result);
    be_text_add(out, "%.1f %% of the time the net waited for images", 100 * share);
    if (100 * share < BE_TRAIN_WAIT_PERCENT) {
        add_fine(result, out);
    } else {
        add_more(result, out);
    }
    add_busy(result, out);
}

/* Images that lie on the device need no copy in a step (docs/measurements/h200.md: lenet in batches of 4096 trained 5.5 times
 * as fast). The part has other work of the host in it. */
static void add_copies(const struct be_train_result *result, struct be_text *out) {
    static const double much = 0.25;
    const double share = result->part_s[BE_TRAIN_OTHER] / result->train_s;
    if (result->device[0] && share >= much) {
        be_text_add(out,
                    " Copying images to the device, and what else the host did, took %.1f %%: "
                    "--keep=device copies them once, where they fit there.",
                    100 * share);
    }
}

/* The gain is a bound: what is not added need not be waited for either. */
static void add_sums(const struct be_train_result *result, struct be_text *out) {
    const double sum_s = result->part_s[BE_TRAIN_SUM];
    be_text_add(out,
                " The all-reduce took %.1f %% of the time, and in %.1f %% the first device waited "
                "for the others: without both, %d devices would train at most %.2f times as fast.",
                100 * result->sum_least_s / result->train_s,
                100 * (sum_s - result->sum_least_s) / result->train_s, result->devices,
                result->train_s / (result->train_s - sum_s));
}

void be_train_finding(const struct be_train_result *result, struct be_text *out) {
    if (result->steps == 0 || isnan(result->rates.step_s)) {
        be_text_add(out, "Too few steps for a finding.");
        return;
    }
    if (result->there) {
        be_text_add(out, "No image is loaded in a step: workers would change nothing.");
    } else {
        add_images(result, out);
        add_copies(result, out);
    }
    if (result->devices > 1) {
        add_sums(result, out);
    }
}
