/*
 * A piece of a batch: images that are read and decoded together by one thread, with its seconds. It is for src/data
 * alone, and knows no threads.
 */
#ifndef BE_DATA_PIECES_H
#define BE_DATA_PIECES_H

#include <stdatomic.h>

#include "base/clock.h"
#include "data/loader.h"

/* Room of a whole batch. */
struct be_batch_room {
    float *images;
    uint8_t *labels;
};

bool be_batch_room_open(struct be_batch_room *room, size_t images, size_t image_bytes);
void be_batch_room_close(struct be_batch_room *room);

/* One thread's: only it decodes with it. Others may ask for its times meanwhile. */
struct be_decoder {
    struct be_clock clock;
    float *level;         /* for each channel, each byte's value */
    uint8_t *raw;         /* bytes of a piece as they were read */
    const uint8_t **from; /* of each of its images */
    _Atomic uint64_t images, read_ns, read_cpu_ns, decode_cpu_ns;
};

bool be_decoder_open(struct be_decoder *decoder, const struct be_loader_options *options,
                     size_t piece);
void be_decoder_close(struct be_decoder *decoder); /* accepts a zeroed one */

/* The images of these numbers, at most a piece, become images `at` and on of the batch. BE_IO. */
enum be_status be_decode(const struct be_loader_options *options, struct be_decoder *decoder,
                         const uint32_t *image, size_t count, struct be_batch_room *room, size_t at,
                         struct be_error *error);
/* Adds its own to the sums. */
void be_decoder_times(const struct be_decoder *decoder, struct be_loader_times *times);

#endif
