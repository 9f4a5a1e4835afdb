/*
 * One comparison while it runs: its plan (the request), its run (the machine and the open places) and its record
 * (results and samples so far). It does not know how results are shown.
 */
#ifndef BE_BENCH_SESSION_H
#define BE_BENCH_SESSION_H

#include "base/clock.h"
#include "bench/case/case.h"
#include "bench/choose.h"
#include "bench/time_left.h"
#include "bench/time_budget.h"
#include "bench/case/energy.h"
#include "bench/case/place.h"
#include "machine/describe.h"

enum { BE_PLACES_MAX = BE_DEVICES_MAX + BE_LIST_MAX };

/* A result and the samples behind it: break-evens are computed from pairs of samples. */
struct be_record {
    struct be_result result;
    int round; /* cases of one round of a size were sampled in turn */
    struct be_samples total;
};

/* The plan that was asked for: it does not change while the comparison runs. */
struct be_session_plan {
    const struct be_compare_options *options;
    struct be_stop_rule rule;
    double patience_s;                /* a call that is foreseen to take longer is not made */
    const struct be_profile *profile; /* limits come from it where it has them; NULL: measured */
    const struct be_workload *drawn;  /* NULL: no picture is asked for */
};

/* Where it runs: the machine and all that was opened on it. */
struct be_session_run {
    struct be_clock clock;
    struct be_machine machine;
    struct be_environment environment;
    struct be_cores cores;
    struct be_team *team; /* all cores allowed: copies for devices, makes the data */
    struct be_place place[BE_PLACES_MAX];
    int places;
    struct be_meter meter[BE_PLACES_MAX]; /* of each place, where energy is asked for */
    struct be_host_libraries
        library[BE_BLAS_MAX]; /* one at least, for each BLAS that is here; they share the rest */
    int libraries;
    double cache_bytes; /* the largest cache of any place: what fits it is measured hot and cold */
};

/* The results so far. */
struct be_session_record {
    struct be_record *item;
    size_t items, capacity;
    int round; /* counts calls of be_session_measure */
    char (*remark)[BE_NOTE];
    size_t remarks;

    struct be_picture picture;
    uint64_t picture_size;      /* of the problem */
    struct be_error no_picture; /* why there is none, if a right result could not be drawn */
    char told[BE_NOTE];         /* what the largest right result comes to; empty: nothing */
    uint64_t told_size;         /* of the problem */

    struct be_due due;           /* by the run's clock */
    struct be_time_left planned; /* likewise */
    double later_s;              /* planned for the workloads behind this one */
    struct be_opened {           /* the data of the last size: how long it took to make them */
        double bytes, operations, seconds;
    } opened;
    double started_s;
    struct be_cpu_time started; /* of the machine */
    int done, left;             /* cases */
};

struct be_session {
    struct be_session_plan plan;
    struct be_session_run run;
    struct be_session_record record;
};

/* For these plans. */
enum be_status be_session_open(const struct be_compare_options *options, const struct be_plan *plan,
                               int plans, struct be_session *session, struct be_error *error);
void be_session_close(struct be_session *session);

/* Whether a device that nobody named is left out, and why; an empty note: another's has said so. The same GPU is not
 * measured twice. A look takes the first of several GPUs of one model: it has no time for eight. The CPU through OpenCL
 * is no other machine, so it has no part in the answer unless it is asked for. --device replaces what is measured
 * unasked, so the note names both. */
bool be_session_unasked(const struct be_machine *machine, const struct be_device_info *info,
                        bool quick, char why[BE_NOTE]);

/* Takes over the samples. */
enum be_status be_session_keep(struct be_session *session, const struct be_result *result,
                               struct be_samples *total, struct be_error *error);
void be_session_remark(struct be_session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Seconds that a call of this size may take, after what the same code took for the largest smaller
 * size that was measured: its least time, since the median of a busy machine is the others', grown
 * with the bytes or the operations, whichever grow more. NAN: nothing is known. */
double be_session_foreseen(const struct be_session *session, const struct be_result *result);

/* Seconds that this size of the workload may take at least, after the size that was measured last:
 * to make its data, and to call each of its cases that patience allows for a check, two samples and
 * its phases. NAN: nothing of the workload was measured. */
double be_session_foreseen_size(const struct be_session *session, const struct be_problem *problem);
/* The part of it that is calls. */
double be_session_foreseen_calls(const struct be_session *session,
                                 const struct be_problem *problem);

/* Keeps a picture of the case, which was right, when one is asked for of a result like it. */
void be_session_draw(struct be_session *session, const struct be_case *c);

/* Keeps what the case, which was right, came to, for a remark; not in a look. */
void be_session_tell(struct be_session *session, const struct be_case *c);

bool be_session_cancelled(const struct be_session *session);
/* `doing`: "" for samples, ", energy" */
void be_session_progress(const struct be_session *session, const struct be_case *c,
                         const char *doing);

/* Which cases of a size to measure: zeroes and -1: all. */
struct be_filter {
    int place;                   /* index of the one device beside the CPU; -1: all */
    enum be_placement placement; /* with place >= 0 */
    bool cache[BE_CACHES];       /* none: as the options say */
    const char *no_energy;       /* why none is measured; NULL: where the options ask for it */
};

/* Measures every case of the problem at one size that the filter lets through, in interleaved rounds, and keeps
 * what came out. Cases that do not fit or fail are kept with their status. */
enum be_status be_session_measure(struct be_session *session, const struct be_problem *problem,
                                  const struct be_filter *filter, struct be_error *error);

/* session_rounds.c: samples of all cases that have none yet and are not to be left out, in rounds, and again while any
 * is faster than the hardware allows. order: their indices. rule: receives the one they were sampled by. */
void be_session_sample(struct be_session *session, struct be_case *c, int cases, int *order,
                       struct be_stop_rule *rule);

/* session_libraries.c: opens the libraries of the host that these plans' CPU code calls and names them, before any thread
 * of ours is pinned. A missing one is a remark; BE_ABSENT where the options ask for that BLAS. */
enum be_status be_session_open_libraries(struct be_session *session, const struct be_plan *plan,
                                         int plans, struct be_error *error);
/* After measuring, a remark: which of several was the fastest, in how many cases. */
void be_session_tell_libraries(struct be_session *session);
void be_session_close_libraries(struct be_session *session);

/* session_meters.c: where the options ask for energy, a meter for each place, which may take two
 * seconds each; and the energy of those of these cases that are right, or why not. */
void be_session_open_meters(struct be_session *session);
void be_session_energy(struct be_session *session, struct be_case *c, int cases,
                       const char *why_not);

#endif
