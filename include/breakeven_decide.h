/*
 * breakeven: where a computation is done first, when waiting counts too.
 *
 *     time to result = wait + load + transfer + compute
 *
 * This header serves a program that knows, for several places (cores of a node, a GPU, the machine here), how long a
 * computation would take there and how long a job waits to start. It ranks the places. Each part is a distribution, and
 * parts are added by sampling: medians do not add up.
 *
 * It knows no cluster, no queue and no profile: `breakeven decide` takes those from the catalogue, from accounting
 * (breakeven_queue.h) and from predictions or runs (breakeven_predict.h). The rules of breakeven.h apply: times are
 * seconds, an unknown number is NAN.
 */
#ifndef BREAKEVEN_DECIDE_H
#define BREAKEVEN_DECIDE_H

#include "breakeven.h"
#include "breakeven_predict.h"
#include "breakeven_queue.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BE_DECIDE_PLACES_MAX = 64, BE_DECIDE_REMARKS_MAX = 12 };

/* Where a place's computing time comes from. Places of one basis err together: if cores turn out slower than was
 * thought, one core and all of them do. */
enum be_decide_basis {
    BE_BASIS_CPU,    /* the CPU's rates, or a run on cores */
    BE_BASIS_GPU,    /* the GPU's rates */
    BE_BASIS_GPU_RUN /* a run on a GPU */
};

/* One place. Zero-initialise, then set what there is. */
struct be_decide_place {
    char name[BE_NAME];      /* "1 A100" */
    char where[BE_NAME];     /* "narval", "here" */
    char partition[BE_NAME]; /* empty: none is named */
    int cores, gpus;         /* in all; of a slice of a GPU: 1 */
    double gpu_share;        /* of a whole GPU; 0 or 1: whole */
    enum be_decide_basis basis;
    bool here;                       /* nothing waits */
    const struct be_wait_odds *wait; /* NULL: not known, unless here */
    struct be_predict_time load; /* before it computes: a program's start, its input; zeros: none */
    struct be_predict_time transfer; /* over the bus; zeros: none */
    struct be_predict_time compute;
    struct be_predict_time network;  /* exchanges between its nodes; zeros: none */
    const struct be_wait_odds *runs; /* times `compute`, from run to run; NULL: always once */
    bool extrapolated;               /* its number of cores or GPUs is beyond what was measured */
    double limit_s;                  /* longest job there; NAN or 0: not known */
    double power_w;                  /* mean of its GPUs, as measured; 0 or NAN: not measured */
    double charge;                   /* an hour there, in the site's unit; NAN not known */
    char unit[BE_NAME];              /* of the charge */
};

/* How long the next run takes, by runs of the past of its kind: after n runs it falls into each of the n + 1 gaps between
 * them with the same probability. Below the shortest it goes as far again as they are apart, at least by a factor of 1.15;
 * above the longest up to `limit`, after which it is ended (NAN or 0: not known; then as far as below). In any order and
 * unit, which `odds` has then, too: seconds, or multiples of `compute`. BE_USAGE: no run, or one that is not above 0. */
enum be_status be_decide_past(const double *run, int runs, double limit, struct be_wait_odds *odds,
                              struct be_error *error);

/* A time as a distribution: three of its quantiles. */
struct be_decide_spread {
    double q10_s, q50_s, q90_s;
};

/* A place, judged. */
struct be_decide_row {
    int place;                      /* number of it, as given */
    struct be_decide_spread result; /* time to result; NAN where the wait is not known */
    struct be_decide_spread busy;   /* without the wait: load + transfer + compute + network */
    double wait_q50_s;              /* 0 here; NAN not known */
    double p_deadline;              /* done by the deadline; NAN: none, or the wait is not known */
    double p_first;                 /* the probability that no other place is done sooner */
    double p_limit;                 /* of ending within the longest job; NAN: no limit known */
    double core_hours, gpu_hours;   /* in the median; GPU-hours of a slice count by its share */
    double energy_j;                /* of the GPUs, in the median; NAN: not measured */
    double cost;                    /* in the site's unit, in the median; NAN not known */
};

/* The reason why the first is first. */
enum be_decide_reason {
    BE_REASON_ONLY,     /* there is no other */
    BE_REASON_CLOSE,    /* two or more are too close to call */
    BE_REASON_COMPUTES, /* it computes faster than the next, and waiting does not change that */
    BE_REASON_WAITS,    /* the next computes faster, and waits longer by more than that */
    BE_REASON_DESPITE,  /* it waits longer than the next, and computes faster by more than that */
    BE_REASON_DEADLINE, /* the deadline is met more surely, though the median is no better */
    BE_REASON_NO_WAITS, /* waits are not known: by computing alone */
    BE_REASONS
};

/* The ranking. */
struct be_decision {
    int rows; /* best first */
    struct be_decide_row row[BE_DECIDE_PLACES_MAX];
    enum be_decide_reason reason;
    int next;      /* row of the place that the first is held against; -1: none */
    double faster; /* computing there / computing at the first, in medians; NAN */
    /* The work, as a multiple of today's, from which `next` would be first (above 1), or up to which (below 1); NAN: at
     * no size within a factor 1000. */
    double turns_at;
    /* all but the wait of the first at that work, in the median; NAN */
    double turns_first_s;
    /* BE_REASON_NO_WAITS: the first stays ahead while its wait is at most so much longer; else NAN. */
    double extra_wait_s;
    /* Waits of some places are known, of others not: the row of the best of those, which would be first if it waited
     * less than unknown_wait_s; -1: there is none that could be first. */
    int unknown;
    double unknown_wait_s;
    double deadline_s; /* from now; NAN: none */
};

/* Ranks them: by the probability of being done by the deadline where one is given, else by the median time to result;
 * places whose wait is not known come after those whose wait is, unless no wait is known. deadline_s: from now; NAN or 0:
 * none. BE_USAGE: no place, too many, or one whose time is not above 0. */
enum be_status be_decide(const struct be_decide_place *place, int places, double deadline_s,
                         struct be_decision *decision, struct be_error *error);

/* With what a reader needs beside it. */
struct be_decide_table {
    const struct be_decide_place *place;
    struct be_decision decision;
    char work[BE_NOTE]; /* what is computed, and where its times come from */
    char remark[BE_DECIDE_REMARKS_MAX][BE_NOTE]; /* one line each */
    int remarks;
    struct be_made made;
};

/* BE_TEXT, BE_JSON (docs/json.md), BE_SVG (the places as bars) or BE_HTML (one page). */
enum be_status be_decide_write(const struct be_decide_table *table, enum be_format format,
                               FILE *out, struct be_error *error);

#ifdef __cplusplus
}
#endif
#endif
