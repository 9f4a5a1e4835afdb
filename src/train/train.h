/*
 * A training run: a net (nn/net.h) on batches of images (data/loader.h), with loss and accuracy of each epoch and the
 * seconds of each part of a step. It prints nothing, and does not judge what it measured (train/foretell.h).
 */
#ifndef BE_TRAIN_TRAIN_H
#define BE_TRAIN_TRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "breakeven_error.h"
#include "nn/net.h"
#include "train/foretell.h"

/* Where the seconds of training go. */
enum be_train_part {
    BE_TRAIN_WAIT, /* waited for the loader, or loaded, where there are no workers */
    BE_TRAIN_FORWARD,
    BE_TRAIN_LOSS,
    BE_TRAIN_BACKWARD,
    BE_TRAIN_SUM, /* gradients of several devices were added, and the first waited for the others */
    BE_TRAIN_UPDATE,
    BE_TRAIN_OTHER, /* the rest: the order of an epoch, progress */
    BE_TRAIN_PARTS
};

struct be_train_epoch {
    int number;            /* from 1 */
    uint64_t images;       /* trained on: all, unless the run was ended within it, or resumed */
    double loss, accuracy; /* means over its steps, each before its update */
    double test_loss,
        test_accuracy; /* after it, on the test images; NAN: the run was ended before */
    double seconds;    /* of training: without the test images */
    double images_per_s;
};

struct be_train_result;
struct be_device;

struct be_train_plan {
    const char *net;
    const char *folder; /* of the data set; NULL: images are made from the seed */
    bool memory;        /* images are kept in memory, as bytes; else each is read from its file */
    bool there;         /* on the net's device, as bytes: nothing is loaded in a step */
    bool incomplete;
    uint64_t images, test_images; /* only the first so many; 0: all */
    int epochs;                   /* 0: the net's own */
    uint64_t batch;               /* 0: the net's own */
    int workers, prefetch;
    int threads;                   /* of the net; 0: all cores */
    struct be_device *device;      /* the net is there: an open one (nn/net.h); NULL: on the CPU */
    struct be_device *const *more; /* more of these, beside it */
    int mores;
    const char *device_name; /* what results call it */
    uint64_t seed;
    enum be_net_math math;
    double rate;        /* learning rate; 0: the net's own */
    double decode_s;    /* an image takes at least so long to decode; 0: as it is */
    double total_s;     /* training ends after so long; 0: no limit */
    const char *save;   /* a checkpoint is written there after each epoch, and at the end */
    const char *resume; /* a checkpoint to go on from, or weights to begin with */
    const char *
        weights; /* the weights alone are written there at the end. NULL: none, as of those above */
    bool no_test; /* the test images are not looked at */
    /* Called before the first step, when the facts of the run are known; after each step; and after each epoch. Any
     * may be NULL. */
    void (*begin)(void *context, const struct be_train_result *result);
    void (*progress)(void *context, const struct be_train_epoch *so_far, uint64_t of_images,
                     double left_s);
    void (*epoch)(void *context, const struct be_train_epoch *epoch);
    void (*remark)(
        void *context,
        const char *text); /* a checkpoint could not be written, or a library is missing */
    bool (*cancelled)(void *context); /* asked after each step; may be NULL */
    void *context;
};

struct be_train_result {
    char net[BE_NAME], data[BE_NAME], cpu[2 * BE_NAME];
    char device[BE_NOTE]; /* "cuda:0, NVIDIA H100"; empty: the CPU */
    int devices;          /* that share each batch; 0: the CPU has it */
    char sums
        [BE_NOTE]; /* how gradients of several devices are added: be_net_sums; empty: there is one */
    double
        sum_least_s; /* BE_TRAIN_SUM of the device that waited least for the others, step by step */
    char folder[BE_NOTE];     /* empty: made images */
    char checkpoint[BE_NOTE]; /* the file that was written; empty: none */
    struct be_error unsaved; /* the last checkpoint could not be written; the one before is whole */
    uint64_t saved_steps;    /* in the checkpoint: steps of the net, also of runs before */
    bool memory, there;      /* there: on the device */
    bool tf32;               /* how the device multiplies: be_net_math */
    uint64_t images, test_images, parameters, batch, seed, steps; /* steps of this run */
    int epochs_planned, workers, prefetch, threads, cores;
    double decode_asked_s;
    bool partial; /* ended by the user, or by total_s: not all epochs are here */
    struct be_train_epoch *epoch;
    size_t epochs;
    double images_per_s; /* of training */
    double steady_per_s; /* likewise, without the first step; NAN: there is no second one */
    double part_s[BE_TRAIN_PARTS], train_s, test_s,
        open_s; /* open: the data set was read and checked */
    double read_s,
        decode_s; /* an image: seconds of a read, processor seconds of decoding; NAN: none */
    struct be_train_rates rates;
    struct be_train_foretold now;     /* with the workers of this run */
    struct be_train_foretold fewest;  /* with those that suffice */
    struct be_train_foretold fastest; /* with the fewest of those that train fastest */
    struct be_train_foretold advised; /* one of these two: be_train_advised */
    bool suffices;                    /* there is a number that suffices */
};

/* BE_USAGE, BE_IO, BE_WRONG: as be_images_open, be_loader_open and be_net_open have them; BE_WRONG, too, where the
 * loss is not finite: the text says the step. Until then *result has the measurements in any case, and owns
 * memory: be_train_free. A checkpoint that cannot be written is in result->unsaved. Being cancelled is no failure: result->partial. */
enum be_status be_train(const struct be_train_plan *plan, struct be_train_result *result,
                        struct be_error *error);
void be_train_free(struct be_train_result *result); /* accepts a zeroed one */

#endif
