/*
 * A training run while it goes on: its net, its loaders, its sums. It is for src/train alone.
 */
#ifndef BE_TRAIN_RUN_H
#define BE_TRAIN_RUN_H

#include "base/clock.h"
#include "data/loader.h"
#include "nn/net.h"
#include "train/train.h"

struct be_train_run {
    const struct be_train_plan *plan;
    struct be_train_result *result;
    const struct be_net_kind *kind;
    struct be_loader *loader[BE_IMAGES_PARTS];
    struct be_net *net;
    float levels[BE_IMAGES_CHANNELS *
                 BE_IMAGES_LEVELS]; /* of bytes, where the images are on the device */
    struct be_clock clock;
    uint64_t seed;     /* of the order: that of the checkpoint, where it goes on from one */
    double began_s;    /* training */
    double first_s;    /* of the training: until its first step was done */
    double step_s;     /* steps but the first, without what waited before them */
    double step_cpu_s; /* of them, processor time of the thread that trains */
    uint64_t timed_images, timed_steps;
    bool stopped;
};

/* All epochs that are left, each with its test images and its checkpoint; sums go to run->result. */
enum be_status be_train_epochs(struct be_train_run *run, struct be_error *error);

/* The images of a part go to the net's device. */
enum be_status be_train_hold(struct be_train_run *run, const struct be_images *images,
                             enum be_images_part part, struct be_error *error);

/* be_train on images that are open already: those of the plan are not looked at. */
enum be_status be_train_on(const struct be_train_plan *plan, const struct be_images *images,
                           struct be_train_result *result, struct be_error *error);
/* The images of a plan. */
enum be_status be_train_images(const struct be_train_plan *plan, struct be_images **images,
                               struct be_error *error);

#endif
