/*
 * Ordinary (malloc) memory to and from a device at the bus's speed: chunks go through a ring of
 * page-locked buffers, several threads copy on the host side, and copies in, computing and
 * copies out overlap. One engine serves put, get and a whole call.
 *
 * Knows nothing of what is computed: it calls work() on ranges of items.
 */
#ifndef BE_DEVICE_STAGE_H
#define BE_DEVICE_STAGE_H

#include "device/device.h"

enum { BE_STAGE_ARRAYS = 8 };

struct be_stage_array {
    const struct be_buffer *buffer; /* item i lies at i * item_bytes, on both sides */
    void *host;
    size_t item_bytes;
};

struct be_stage_plan {
    struct be_stage_array in[BE_STAGE_ARRAYS], out[BE_STAGE_ARRAYS];
    int ins, outs;
    size_t first, items; /* the range to move and compute */
    size_t grain;        /* work may be cut at multiples of this; 0: not at all */
    /* Items that the buffers of `out` have room for, where the device has none for all of them; 0: for
     * all. Then item first + i lies at i mod window there, and there are no `in`: what work reads is on
     * the device. At most what be_stage_window says, and even: one half is computed while the other is
     * on its way to the host. */
    size_t window;
    /* So many chunks have their work put into the queue as one range, while their copies stay as they are: where a
     * chunk's items do not fill the device, its work takes as long as that of many. 0 and 1: each chunk's by itself. */
    size_t at_a_time;
    /* Puts the computation of a range into a queue without waiting; NULL: copies only. */
    enum be_status (*work)(void *context, enum be_queue queue, size_t first, size_t items,
                           struct be_error *error);
    void *context;
};

struct be_stage;

/* Items that a run of this plan, without a window, has in a chunk; all of them where it is not cut. */
size_t be_stage_chunk(const struct be_stage_plan *plan);

/* The most items of so many bytes that a window can have within `room` bytes; less than 2: none. */
size_t be_stage_window(size_t item_bytes, double capacity);

/* team: who copies on the host side. */
enum be_status be_stage_open(struct be_device *device, struct be_team *team,
                             struct be_stage **stage, struct be_error *error);
void be_stage_close(struct be_stage *stage); /* accepts NULL */

/* Returns when the results are in ordinary memory (or, without outputs, when the work is done).
 * After an error the queues are drained: nothing is in flight. */
enum be_status be_stage_run(struct be_stage *stage, const struct be_stage_plan *plan,
                            struct be_error *error);

#endif
