/*
 * The parts of a prediction, which the files of this folder share: what places can do, the time of a computation on
 * one, and which changes turn a verdict. Pure: it reads no file and measures nothing.
 */
#ifndef BE_PREDICT_PREDICT_H
#define BE_PREDICT_PREDICT_H

#include "breakeven_predict.h"
#include "machine/ceilings.h"

/* Times of code over the time that rates which programs reach allow. */
struct be_predict_spread {
    double lo, typical, hi; /* typical 0: not known */
};

/* The CPU with some threads, or a GPU. Rates are those that programs reach where that is known; `limit` is what nobody
 * exceeds. */
struct be_predict_place {
    int threads; /* 0: a GPU */
    struct be_ceilings reached, limit;
    struct be_predict_time launch;    /* of one kernel, or of one team of threads */
    double step_s, least_step_s;      /* a dependent operation: usual, at least */
    struct be_predict_time start;     /* context and code */
    double copy_s;                    /* latency of a copy */
    double bus, bus_limit, bus_slow;  /* bytes a second: pinned; at most; pageable */
    double memory_bytes;              /* NAN not known */
    struct be_predict_spread learned; /* the spread on this machine, after learning from a run */
    double units;                     /* multiprocessors; 0: not known */
    double clock_share;               /* of its highest clock, where all units compute */
    double stream;                    /* bytes a second of streams through memory */
    double cycle_s;                   /* of a core; NAN not known */
    double unit_rate; /* cycles a second of all multiprocessors together; NAN not known */
    bool locks;       /* atomic operations on shared memory are loops around a lock */
    double thin64;    /* float32 rate / float64 rate; NAN not known */
};

enum { BE_PREDICT_TEAMS = 2 };

struct be_predictor {
    struct be_predict_place cpu[BE_PREDICT_TEAMS]; /* one thread, all threads */
    int teams;                                     /* 0: nothing is known of the CPU */
    struct be_predict_place gpu;
};

enum be_status be_predict_cpu_place(const struct be_profile *profile, int threads,
                                    struct be_predict_place *place, struct be_error *error);
enum be_status be_predict_gpu_place(const struct be_profile *profile,
                                    struct be_predict_place *place, struct be_error *error);
/* Both numbers of threads; BE_ABSENT: the profile has no figures of a CPU. */
enum be_status be_predict_cpu_places(const struct be_profile *profile,
                                     struct be_predictor *predictor, struct be_error *error);
/* Most threads that the profile has figures of; 0: none. */
int be_predict_threads(const struct be_profile *profile);

/* The typical time of that term over the one that rates allow, unless it was learned. */
double be_predict_usual(const struct be_predict_place *place, enum be_predict_term term);
/* lessons.c. Keeps as facts of the profile what was learned of a device, and takes it into the place of that device. */
enum be_status be_predict_keep_learned(struct be_profile *profile, const char *device,
                                       const struct be_learned_side *side, struct be_error *error);
bool be_predict_has_learned(const struct be_profile *profile, const char *device);
void be_predict_take_learned(const struct be_profile *profile, const char *device,
                             struct be_predict_place *place);

/* shapes.c. The share of its highest clock that a GPU of so many float32 operations a second keeps with its power. */
double be_predict_clock_share(double operations_s, double watt);
/* The share of a data sheet's bandwidth that streams reach. */
double be_predict_stream_share(double float32_s, double float64_s);
/* All calls of a product of matrices, by the tiles of its output; without the time of its bytes. */
double be_predict_tiles_s(const struct be_predict_place *gpu, const struct be_predict_work *work);

/* irregular.c. All irregular items of all calls, and the term that they are part of; zeros: there are none. */
struct be_predict_time be_predict_irregular(const struct be_predict_place *place,
                                            const struct be_predict_work *work,
                                            enum be_predict_term *term);

/* All calls on that place. `work` was checked. */
void be_predict_on(const struct be_predict_place *place, const struct be_predict_work *work,
                   struct be_predict_side *side);

/* Both sides, ratio, verdict and cause, without what would change them. */
void be_predict_both(const struct be_predictor *predictor, const struct be_predict_work *work,
                     struct be_prediction *prediction);

/* Ratio, verdict and cause from the times of both sides; `gpu`: the place, NULL where it is not known. */
void be_predict_judge(const struct be_predict_place *gpu, const struct be_predict_work *work,
                      struct be_prediction *prediction);
/* The CPU with the number of threads that is faster. */
void be_predict_on_cpu(const struct be_predictor *predictor, const struct be_predict_work *work,
                       struct be_predict_side *cpu);

/* The answer of rows of ascending sizes at the largest of them: the GPU stays ahead from there. Between two rows the
 * ratio is a straight line in log size and log ratio. */
struct be_worth be_predict_worth_of(const double *n, const struct be_prediction *row, size_t rows);

/* Does a call read what the one before it read? */
bool be_predict_reads_again(const struct be_predict_work *work);

/* The changes after which the GPU is faster. */
void be_predict_flips(const struct be_predictor *predictor, const struct be_predict_work *work,
                      struct be_prediction *prediction);

/* With 1 for what is not said. BE_USAGE: what cannot be. */
enum be_status be_predict_check(const struct be_predict_work *work, struct be_predict_work *whole,
                                struct be_error *error);

#endif
