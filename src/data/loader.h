/*
 * Batches of a data set: read, decoded and normalised by threads of their own, some batches ahead of whoever trains on
 * them. Which images a batch has, and every bit of them, follows from the seed and the epoch alone: not from the number
 * of threads. It does not know nets.
 *
 * The workers run on the cores that the thread has which opens the loader: it is opened before a team, which pins that
 * thread.
 */
#ifndef BE_DATA_LOADER_H
#define BE_DATA_LOADER_H

#include "data/images.h"

enum { BE_LOADER_WORKERS_MAX = 1024 };

struct be_loader_options {
    const struct be_images *data;
    enum be_images_part part;
    size_t batch; /* images; the last batch of an epoch may have fewer */
    int workers;  /* 0: whoever takes a batch makes it */
    int prefetch; /* batches that are ready or in the making ahead of the one that is used; at least 1 */
    bool
        numbers; /* a batch is the numbers of its images alone: nothing is read, and there are no workers */
    bool shuffle; /* another order each epoch; else the order of the files */
    float mean[BE_IMAGES_CHANNELS], deviation[BE_IMAGES_CHANNELS]; /* of levels 0 to 1 */
    double
        decode_s; /* an image takes at least so long to decode: the rest is spent computing. 0: as it is */
};

/* Valid until the next call. */
struct be_batch {
    size_t count;        /* 0: the epoch is over */
    size_t index;        /* of the batch in its epoch */
    const float *images; /* count x channels x height x width: (level / 255 - mean) / deviation */
    const uint8_t *labels;
    const uint32_t *number; /* of each image in the set */
};

/* The value of each byte by channel, channels x BE_IMAGES_LEVELS: (byte / 255 - mean) / deviation, each operation
 * rounded to float32, as others do it. */
void be_loader_levels(const struct be_loader_options *options, float *levels);

/* Sums since the loader was opened. Reading is the file alone; that the system had its bytes in memory already is not
 * known here. */
struct be_loader_times {
    uint64_t images; /* decoded */
    double read_s;   /* seconds of reading, over all threads */
    double
        read_cpu_s; /* processor time of these: what is left was waiting for the disk, or for a core */
    double decode_cpu_s; /* processor time of decoding, over all threads */
    double wait_s;       /* whoever takes batches waited for them, or made them */
};

struct be_loader;

/* BE_USAGE: batch, workers or prefetch that make no sense. BE_NOMEM: says how much the batches need. */
enum be_status be_loader_open(const struct be_loader_options *options, struct be_loader **loader,
                              struct be_error *error);
void be_loader_close(struct be_loader *loader); /* accepts NULL */

/* Begins an epoch at its batch `first`; one that is not over is left. The order follows from seed and epoch. */
void be_loader_begin(struct be_loader *loader, uint64_t seed, uint64_t epoch, size_t first);
/* BE_IO: a file of the set cannot be read any more. */
enum be_status be_loader_next(struct be_loader *loader, struct be_batch *batch,
                              struct be_error *error);
/* Batches of an epoch. */
size_t be_loader_batches(const struct be_loader *loader);
void be_loader_times(struct be_loader *loader, struct be_loader_times *times);

#endif
