/* Which changes of a computation make the GPU the faster side: each is tried by the rule of the prediction itself. */
#include <math.h>

#include "predict/predict.h"

/* The least amount of a change that is looked for in steps of 2; what needs more is no advice. */
enum { MOST_BATCH = 1 << 20, MOST_CALLS = 1 << 30 };

/* Each changes a copy of the work by `amount`; false: the change makes no sense there. */
typedef bool change_of(struct be_predict_work *work, double amount);

static bool stay(struct be_predict_work *work, double amount) {
    (void)amount;
    const bool can = work->each_bytes > 0 && work->calls > 1;
    work->once_bytes += work->each_bytes * work->batch;
    work->each_bytes = 0;
    return can;
}

static bool fuse(struct be_predict_work *work, double amount) {
    (void)amount;
    const bool can =
        work->launches > 1 && !work->factor && !work->irregular; /* those are a library's */
    work->launches = 1;
    return can;
}

static bool narrow(struct be_predict_work *work, double amount) {
    (void)amount;
    const bool can = work->float64;
    work->float64 = false;
    work->bytes /= 2;
    work->once_bytes /= 2;
    work->each_bytes /= 2;
    work->memory_bytes /= 2;
    return can;
}

/* Calls that there are anyway become one, which reads once what each of them read; of a chain, and of one call, there may be more beside it. */
static bool together(struct be_predict_work *work, double amount) {
    if (work->chain_flops <= 0 && work->calls > 1) {
        const bool can = amount <= work->calls;
        work->bytes /= be_predict_reads_again(work) ? amount : 1;
        work->batch *= amount;
        work->calls = ceil(work->calls / amount);
        return can;
    }
    const bool can = work->chain_flops > 0;
    work->batch *= amount;
    work->once_bytes *= amount;
    work->memory_bytes *= amount;
    return can;
}

static bool more_calls(struct be_predict_work *work, double amount) {
    const bool can = (work->once_bytes > 0 || work->first_call) && amount > work->calls;
    work->calls = amount;
    return can;
}

static const struct {
    change_of *apply;
    double most; /* 0: has no amount */
} changes[BE_CHANGES] = {
    [BE_CHANGE_STAY] = {stay, 0},
    [BE_CHANGE_BATCH] = {together, MOST_BATCH},
    [BE_CHANGE_FUSE] = {fuse, 0},
    [BE_CHANGE_FLOAT32] = {narrow, 0},
    [BE_CHANGE_CALLS] = {more_calls, MOST_CALLS},
};

static bool wins_after(const struct be_predictor *predictor, const struct be_predict_work *work,
                       enum be_predict_change change, double amount, bool sure,
                       struct be_prediction *after) {
    struct be_predict_work changed = *work;
    if (!changes[change].apply(&changed, amount)) {
        return false;
    }
    be_predict_both(predictor, &changed, after);
    return (sure ? after->ratio_lo : after->ratio) > 1;
}

/* The least amount after which the GPU wins for sure, else that after which it likely does. */
static void try_change(const struct be_predictor *predictor, const struct be_predict_work *work,
                       enum be_predict_change change, struct be_prediction *prediction) {
    struct be_prediction after;
    for (int sure = 1; sure >= 0; sure--) {
        double amount = changes[change].most > 0 ? 2 : 1;
        for (; amount <= fmax(changes[change].most, 1); amount *= 2) {
            if (wins_after(predictor, work, change, amount, sure, &after)) {
                prediction->flip[prediction->flips++] = (struct be_predict_flip){
                    change, changes[change].most > 0 ? amount : NAN, after.ratio, sure};
                return;
            }
        }
    }
}

void be_predict_flips(const struct be_predictor *predictor, const struct be_predict_work *work,
                      struct be_prediction *prediction) {
    prediction->flips = 0;
    for (int i = 0; i < BE_CHANGES && prediction->verdict != BE_WORTH_GPU &&
                    prediction->verdict != BE_WORTH_UNKNOWN;
         i++) {
        try_change(predictor, work, (enum be_predict_change)i, prediction);
    }
}
