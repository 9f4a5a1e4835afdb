/*
 * One training step on one device, on two, four ... and on all: how much faster it becomes, and which part of it keeps it
 * from becoming so many times as fast. Images lie on the devices. It does not know how gradients are added.
 */
#ifndef BE_TRAIN_SCALING_H
#define BE_TRAIN_SCALING_H

#include "train/train.h"

enum { BE_TRAIN_SCALES_MAX = 8, BE_TRAIN_SCALING_ROUNDS = 3 };

/* A part of a step that is not shared as the images are. */
enum be_train_term {
    BE_TRAIN_TERM_COMPUTE, /* forward, loss, backward: what a part of the images takes beyond its share */
    BE_TRAIN_TERM_SUM,     /* the all-reduce, of the device that waited least */
    BE_TRAIN_TERM_AWAITED, /* the first device waited for the others there */
    BE_TRAIN_TERM_UPDATE,  /* each device makes all of it */
    BE_TRAIN_TERM_OTHER, /* the host, which puts the work of all devices, and the gathering of images */
    BE_TRAIN_TERMS
};

/* Medians of the rounds, seconds a step; terms are of the first device, and their sum is about the step. */
struct be_train_scale {
    int devices;
    uint64_t batch; /* of all devices together */
    double step_s, lo_s, hi_s;
    double term_s[BE_TRAIN_TERMS];
};

struct be_train_scaling {
    char net[BE_NAME], device[BE_NOTE], sums[BE_NOTE];
    int devices, rounds;
    uint64_t batch;
    bool partial; /* ended by the user */
    double
        off; /* largest difference of a tensor's gradient on all devices from that on one, over its length;
                     NAN: batch norms, which differ by what they are */
    size_t scales;
    struct be_train_scale scale
        [BE_TRAIN_SCALES_MAX]; /* one device; more with the same batch; all with so many more */
};

double be_train_images_per_s(const struct be_train_scale *scale);

/* Seconds of a step that a part takes beyond the share of it that one device's would be; below 0: less. */
double be_train_beyond(const struct be_train_scale *one, const struct be_train_scale *scale,
                       enum be_train_term term);
/* The part with the most of these. */
enum be_train_term be_train_holds_up(const struct be_train_scale *one,
                                     const struct be_train_scale *scale);

/* The plan's net, devices, device_name, batch (0: 4096), seed, total_s (0: 20), cancelled and context count. `tell` is
 * called before each round; it may be NULL. Errors as be_net_open; BE_WRONG: gradients of all devices are not those of
 * one. */
enum be_status be_train_scale_out(const struct be_train_plan *plan,
                                  void (*tell)(void *context, int done, int left, double left_s),
                                  struct be_train_scaling *scaling, struct be_error *error);

#endif
