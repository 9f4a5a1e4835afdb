/* The short question, at run time: is the GPU worth it, and from which size? */
#include <math.h>

#include "base/error.h"
#include "predict/predict.h"

enum { STEPS = 12, HALVINGS = 10 };

struct question {
    const struct be_predictor *predictor;
    void (*work_at)(void *context, double n, struct be_predict_work *work);
    void *context;
};

static enum be_status at(const struct question *q, double n, struct be_prediction *prediction,
                         struct be_error *error) {
    struct be_predict_work work = {0}, whole;
    q->work_at(q->context, n, &work);
    enum be_status status = be_predict_check(&work, &whole, error);
    if (!status) {
        be_predict_both(q->predictor, &whole, prediction);
    }
    return status;
}

/* Sizes between which the answer turns; NAN: it is not known where. */
struct bracket {
    double ahead, behind;
};

enum { LIKELY, SURE, KINDS };

/* Is the GPU ahead at n, likely and for sure? Where there is no work it is not. */
static void ask(const struct question *q, double n, bool ahead[KINDS]) {
    struct be_prediction p;
    const bool known = at(q, n, &p, NULL) == BE_OK;
    ahead[LIKELY] = known && p.ratio > 1;
    ahead[SURE] = known && p.ratio_lo > 1;
}

static void note(struct bracket *bracket, double n, bool ahead) {
    if (isnan(bracket->behind) && ahead) {
        bracket->ahead = n;
    } else if (isnan(bracket->behind)) {
        bracket->behind = n;
    }
}

/* Sizes from 1 to `largest`, evenly in log. The GPU has to stay ahead up to `largest`, so the search begins there. */
static void bracket_sizes(const struct question *q, double largest, struct bracket found[KINDS]) {
    const double step = exp(log(largest) / STEPS);
    double n = largest;
    for (int i = STEPS; i >= 0 && isnan(found[LIKELY].behind); i--, n = i ? n / step : 1) {
        bool ahead[KINDS];
        ask(q, n, ahead);
        for (int k = 0; k < KINDS; k++) {
            note(&found[k], n, ahead[k]);
        }
    }
}

static double narrowed(const struct question *q, struct bracket b, int kind) {
    for (int i = 0; i < HALVINGS && !isnan(b.ahead + b.behind) && b.ahead / b.behind > 1.01; i++) {
        const double middle = sqrt(b.ahead * b.behind);
        bool ahead[KINDS];
        ask(q, middle, ahead);
        *(ahead[kind] ? &b.ahead : &b.behind) = middle;
    }
    return b.ahead;
}

enum be_status be_worth(const struct be_predictor *predictor,
                        void (*work_at)(void *context, double n, struct be_predict_work *work),
                        void *context, double n, double largest, struct be_worth *worth,
                        struct be_error *error) {
    const struct question q = {predictor, work_at, context};
    struct be_prediction here;
    if (!(n > 0) || !(largest >= n) || isinf(largest)) {
        return be_fail(error, BE_USAGE,
                       "size %g of at most %g: a size above 0 is needed, and no "
                       "smaller a largest one",
                       n, largest);
    }
    enum be_status status = at(&q, n, &here, error);
    if (!status) {
        struct bracket found[KINDS] = {{NAN, NAN}, {NAN, NAN}};
        bracket_sizes(&q, largest, found);
        *worth = (struct be_worth){
            .verdict = here.verdict,
            .margin = here.ratio,
            .margin_lo = here.ratio_lo,
            .margin_hi = here.ratio_hi,
            .reason = here.cause,
            .likely_from = narrowed(&q, found[LIKELY], LIKELY),
            .sure_from = narrowed(&q, found[SURE], SURE),
        };
    }
    return status;
}

/* ---- from rows ------------------------------------------------------------------------------ */

/* The size between two at which a ratio is 1. */
static double crossing(double below, double ratio_below, double above, double ratio_above) {
    const double part = log(1 / ratio_below) / log(ratio_above / ratio_below);
    return below * pow(above / below, part);
}

/* The least size from which the ratio, of the middle or of the lower end, stays above 1. */
static double ahead_from(const double *n, const struct be_prediction *row, size_t rows, bool sure) {
    double from = NAN;
    for (size_t i = rows; i-- > 0;) {
        const double ratio = sure ? row[i].ratio_lo : row[i].ratio;
        if (!(ratio > 1)) {
            const double next = i + 1 == rows ? NAN : sure ? row[i + 1].ratio_lo : row[i + 1].ratio;
            return isnan(ratio) || !(next > 1) ? from : crossing(n[i], ratio, n[i + 1], next);
        }
        from = n[i];
    }
    return from;
}

struct be_worth be_predict_worth_of(const double *n, const struct be_prediction *row, size_t rows) {
    const struct be_prediction *last = &row[rows - 1];
    return (struct be_worth){
        .verdict = last->verdict,
        .margin = last->ratio,
        .margin_lo = last->ratio_lo,
        .margin_hi = last->ratio_hi,
        .reason = last->cause,
        .likely_from = ahead_from(n, row, rows, false),
        .sure_from = ahead_from(n, row, rows, true),
    };
}
