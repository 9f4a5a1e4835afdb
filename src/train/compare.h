/*
 * One net in several ways: threads of the net, images on disk or in memory, workers. Short runs in turn, so that what
 * else the machine does meets all of them.
 */
#ifndef BE_TRAIN_COMPARE_H
#define BE_TRAIN_COMPARE_H

#include "train/train.h"

enum { BE_TRAIN_WAYS_MAX = 16, BE_TRAIN_ROUNDS = 3 };

struct be_train_way {
    int threads, workers;
    bool memory;
    double images_per_s, lo,
        hi; /* median, minimum and maximum of the rounds, without first steps; NAN: not measured */
    double wait_share;     /* median of the rounds */
    double foretold_per_s; /* from the rates of the first way with these threads; NAN: not known */
    double compute_s,
        blocked_s; /* an image: processor seconds, and seconds of waiting for the disk; medians */
};

struct be_train_comparison {
    char net[BE_NAME], data[BE_NAME], cpu[2 * BE_NAME], folder[BE_NOTE];
    uint64_t images, batch, seed;
    int prefetch, cores, rounds; /* rounds that all ways had */
    double decode_asked_s, total_s;
    bool partial; /* ended by the user */
    size_t ways;
    struct be_train_way way[BE_TRAIN_WAYS_MAX];
};

/* plan->total_s is the time for all ways together; the plan's threads, workers, memory, epochs, checkpoints and
 * callbacks but `cancelled` are not looked at. `tell` is called before each run; it may be NULL. Errors as be_train. */
enum be_status be_train_compare(const struct be_train_plan *plan,
                                void (*tell)(void *context, const struct be_train_way *way,
                                             int done, int left, double left_s),
                                struct be_train_comparison *comparison, struct be_error *error);

#endif
