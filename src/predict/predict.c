/* The two sides are opened, a computation is checked, and its prediction is put together. */
#include "predict/predict.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "predict/irregular.h"
#include "predict/usual.h"

enum be_status be_predict_cpu_places(const struct be_profile *profile,
                                     struct be_predictor *predictor, struct be_error *error) {
    const int threads = be_predict_threads(profile);
    const int team[BE_PREDICT_TEAMS] = {1, threads};
    enum be_status status =
        threads
            ? BE_OK
            : be_fail(error, BE_ABSENT,
                      "the profile given for the CPU has no figures of a CPU: a data sheet of a "
                      "GPU has none; leave it out, or name one that `breakeven probe` made");
    predictor->teams = 0;
    while (!status && predictor->teams < (threads > 1 ? 2 : 1)) {
        status = be_predict_cpu_place(profile, team[predictor->teams],
                                      &predictor->cpu[predictor->teams], error);
        predictor->teams += status == BE_OK;
    }
    return status;
}

enum be_status be_predictor_open(const struct be_profile *cpu, const struct be_profile *gpu,
                                 struct be_predictor **opened, struct be_error *error) {
    struct be_predictor *p = calloc(1, sizeof *p);
    *opened = NULL;
    if (!p) {
        return be_fail(error, BE_NOMEM, "no host memory for a prediction");
    }
    enum be_status status = be_predict_cpu_places(cpu, p, error);
    status = status ? status : be_predict_gpu_place(gpu, &p->gpu, error);
    if (status) {
        be_predictor_close(p);
        return status;
    }
    *opened = p;
    return BE_OK;
}

void be_predictor_close(struct be_predictor *predictor) {
    free(predictor);
}

/* ---- what is asked -------------------------------------------------------------------------- */

static double or_one(double number) {
    return number > 0 ? number : 1;
}

/* Is each number one that there can be? */
static enum be_status check_numbers(const struct be_predict_work *work, struct be_error *error) {
    const struct {
        const char *name;
        double value;
    } number[] = {
        {"operations", work->flops},
        {"bytes through memory", work->bytes},
        {"dependent operations", work->chain_flops},
        {"bytes over the bus, once", work->once_bytes},
        {"bytes over the bus, with every call", work->each_bytes},
        {"bytes that lie in memory", work->memory_bytes},
        {"calls", work->calls},
        {"launches", work->launches},
        {"passes", work->passes},
        {"items of a call (batch)", work->batch},
        {"rows of the product (m)", work->m},
        {"columns of the product (n)", work->n},
        {"terms of a sum (k)", work->k},
        {"rows of the matrix that is factorised", work->factor_m},
        {"columns of the matrix that is factorised", work->factor_n},
        {"irregular items", work->items},
        {"numbers of an irregular item (width)", work->width},
    };
    for (size_t i = 0; i < BE_COUNT(number); i++) {
        if (!(number[i].value >= 0) || isinf(number[i].value)) {
            return be_fail(error, BE_USAGE, "%s: %g is no number of them: 0 or more is needed",
                           number[i].name, number[i].value);
        }
    }
    return BE_OK;
}

enum be_status be_predict_check(const struct be_predict_work *work, struct be_predict_work *whole,
                                struct be_error *error) {
    const enum be_status status = check_numbers(work, error);
    if (status) {
        return status;
    }
    *whole = *work;
    if ((unsigned)work->factor >= BE_FACTORS || (unsigned)work->framework >= BE_FRAMEWORKS ||
        (unsigned)work->irregular >= BE_IRREGULARS) {
        return be_fail(error, BE_USAGE,
                       "factor %d, framework %d, irregular %d: there is no such one: take those of "
                       "breakeven_predict.h",
                       (int)work->factor, (int)work->framework, (int)work->irregular);
    }
    if (work->factor) {
        be_usual_factor(whole);
    }
    if (work->irregular) {
        be_irregular_usual(whole);
    }
    whole->calls = or_one(work->calls);
    whole->launches = or_one(whole->launches);
    whole->passes = or_one(work->passes);
    whole->batch = or_one(work->batch);
    whole->matrix = work->matrix || work->m > 0;
    if (work->m + work->n + work->k > 0 && !(work->m > 0 && work->n > 0 && work->k > 0)) {
        return be_fail(
            error, BE_USAGE,
            "a product of an m x k by a k x n matrix needs all three: m is %g, n %g, k %g", work->m,
            work->n, work->k);
    }
    if (work->m > 0 && !(work->flops > 0)) {
        whole->flops = 2 * work->m * work->n * work->k;
    }
    if (work->m > 0 && !(work->bytes > 0)) {
        whole->bytes =
            (work->float64 ? 8 : 4) * (work->m * work->k + work->k * work->n + work->m * work->n);
    }
    const double all = (whole->flops + whole->bytes) * whole->batch * whole->calls *
                       fmax(1, whole->launches) * fmax(1, whole->passes);
    if (isinf(all)) {
        return be_fail(error, BE_USAGE,
                       "more operations or bytes than a number can hold: look at "
                       "the formulas, or ask for smaller sizes");
    }
    if (whole->chain_flops > whole->flops) {
        return be_fail(error, BE_USAGE,
                       "%g dependent operations are more than the %g operations that they are part "
                       "of",
                       whole->chain_flops, whole->flops);
    }
    return whole->flops + whole->bytes > 0
               ? BE_OK
               : be_fail(error, BE_USAGE, "nothing to do: neither operations nor bytes are said");
}

enum be_status be_predict(const struct be_predictor *predictor, const struct be_predict_work *work,
                          struct be_prediction *prediction, struct be_error *error) {
    struct be_predict_work whole;
    enum be_status status = be_predict_check(work, &whole, error);
    if (!status) {
        be_predict_both(predictor, &whole, prediction);
        be_predict_flips(predictor, &whole, prediction);
    }
    return status;
}
