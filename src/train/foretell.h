/*
 * How long a net waits for its images, from the rates of both: a net's step on `threads` cores, and a loader's
 * seconds an image. Threads of both that are more than the cores share them. It measures nothing.
 */
#ifndef BE_TRAIN_FORETELL_H
#define BE_TRAIN_FORETELL_H

#include <stdbool.h>

enum { BE_TRAIN_WORKERS_MAX = 256 };

struct be_train_rates {
    int cores;        /* that net and loader have together */
    int threads;      /* of the net */
    double batch;     /* images of a step */
    double step_s;    /* of the net alone, with its cores to itself */
    double compute_s; /* an image: processor seconds of a worker */
    double blocked_s; /* an image: seconds that a worker waits for the disk, and needs no core */
};

struct be_train_foretold {
    int workers;
    double step_s;     /* of the net beside the workers */
    double wait_s;     /* a step */
    double wait_share; /* of the time of training */
    double images_per_s;
};

struct be_train_foretold be_train_foretell(const struct be_train_rates *rates, int workers);

/* A net that waits for less of its time is not held up by its images. */
enum { BE_TRAIN_WAIT_PERCENT = 5 };

/* The smallest number of workers with less waiting than that. False: there is none, and *fewest is be_train_fastest. */
bool be_train_fewest_workers(const struct be_train_rates *rates, struct be_train_foretold *fewest);

/* The smallest number of workers that trains as fast as any number does, but for a hundredth. */
struct be_train_foretold be_train_fastest(const struct be_train_rates *rates);

/*
 * The number to take: the fewest that suffice, where they leave the net its cores. Else the fastest: more workers would
 * hide the waiting in slower steps.
 */
struct be_train_foretold be_train_advised(const struct be_train_rates *rates);

/* A step beside the workers that is longer by more than this factor: net and workers lack cores. */
#define BE_TRAIN_STEP_LONGER 1.05

/* The step of the net alone, from one that took `step_s` beside so many workers; rates->step_s is not looked at. */
double be_train_step_alone(const struct be_train_rates *rates, int workers, double step_s);

#endif
