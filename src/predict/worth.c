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

static bool wins(const struct question *q, double n, bool sure) {
    struct be_prediction p;
    return at(q, n, &p, NULL) == BE_OK && (sure ? p.ratio_lo : p.ratio) > 1;
}

/* Sizes from 1 to `largest`, evenly in log. The GPU has to stay ahead up to `largest`, so the search begins there. */
static double from_size(const struct question *q, double largest, bool sure) {
    double ahead = NAN, behind = NAN;
    for (int i = STEPS; i >= 0 && isnan(behind); i--) {
        const double n = i == STEPS ? largest : pow(largest, (double)i / STEPS);
        if (wins(q, n, sure)) {
            ahead = n;
        } else {
            behind = n;
        }
    }
    for (int i = 0; i < HALVINGS && !isnan(ahead + behind) && ahead / behind > 1.01; i++) {
        const double middle = sqrt(ahead * behind);
        if (wins(q, middle, sure)) {
            ahead = middle;
        } else {
            behind = middle;
        }
    }
    return ahead;
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
        *worth = (struct be_worth){
            .verdict = here.verdict,
            .margin = here.ratio,
            .margin_lo = here.ratio_lo,
            .margin_hi = here.ratio_hi,
            .reason = here.cause,
            .likely_from = from_size(&q, largest, false),
            .sure_from = from_size(&q, largest, true),
        };
    }
    return status;
}
