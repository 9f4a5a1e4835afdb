/*
 * One training step of a net over the size of its batch, on the CPU and on a device: from which batch the device is
 * ahead. Images are ready: no loader takes part. It does not know the least time that either side could take.
 */
#ifndef BE_TRAIN_CROSSING_H
#define BE_TRAIN_CROSSING_H

#include "train/train.h"

enum { BE_TRAIN_SIZES_MAX = 13, BE_TRAIN_CROSSING_ROUNDS = 3 };

enum be_train_side {
    BE_TRAIN_ONE_CORE,
    BE_TRAIN_ALL_CORES,
    BE_TRAIN_COPIED, /* on the device; each step copies its images there */
    BE_TRAIN_THERE,  /* on the device, where all images lie as bytes: each step gathers its own */
    BE_TRAIN_SIDES
};

/* Median, least and most of the rounds, seconds a step; NAN: not measured. */
struct be_train_timed {
    double step_s, lo_s, hi_s;
};

struct be_train_size {
    uint64_t batch;
    struct be_train_timed side[BE_TRAIN_SIDES];
    double
        off; /* largest difference of a tensor's gradient, device from plain reference, over its length */
};

struct be_train_crossing {
    char net[BE_NAME], cpu[2 * BE_NAME], device[BE_NOTE];
    int cores, rounds;
    bool partial;            /* ended by the user, or by the time */
    struct be_error stopped; /* a larger batch had no memory: why; status BE_OK: none */
    size_t sizes;
    struct be_train_size size[BE_TRAIN_SIZES_MAX]; /* ascending */
};

enum be_train_ahead {
    BE_TRAIN_NEVER,    /* not up to the largest batch */
    BE_TRAIN_FROM,     /* from `from` on, and not at `below` or before */
    BE_TRAIN_ALWAYS,   /* from the smallest batch on */
    BE_TRAIN_NOT_KNOWN /* nothing was measured */
};

struct be_train_crossed {
    enum be_train_ahead ahead;
    uint64_t below, from; /* 0: there is none */
};

/* A side is ahead where all its rounds are faster than all of the CPU's better side. `from`: the smallest batch from
 * which it is, there and at all larger ones. */
struct be_train_crossed be_train_crossed(const struct be_train_crossing *crossing,
                                         enum be_train_side side);

/* The plan's net, device, device_name, batch (the largest; 0: 4096), seed, total_s (0: 60), cancelled and context
 * count. `tell` is called before each size; it may be NULL. Errors as be_net_open; BE_WRONG: the device's gradients are
 * not the plain reference's. */
enum be_status be_train_cross(const struct be_train_plan *plan,
                              void (*tell)(void *context, uint64_t batch, int done, int left,
                                           double left_s),
                              struct be_train_crossing *crossing, struct be_error *error);

#endif
