/*
 * One launch of a pass, its arguments, and the event behind it where launches are timed. It knows no kernel.
 */
#ifndef BE_NN_DEVICE_LAUNCH_H
#define BE_NN_DEVICE_LAUNCH_H

#include "nn/device/work.h"

static inline struct be_argument be_nn_buffer(const struct be_buffer *at) {
    return (struct be_argument){.kind = BE_ARGUMENT_BUFFER, .buffer = at};
}

static inline struct be_argument be_nn_whole(int64_t value) {
    return (struct be_argument){.kind = BE_ARGUMENT_LONG, .integer = value};
}

static inline struct be_argument be_nn_small(int64_t value) {
    return (struct be_argument){.kind = BE_ARGUMENT_INT, .integer = value};
}

static inline struct be_argument be_nn_real(double value) {
    return (struct be_argument){.kind = BE_ARGUMENT_FLOAT, .real = (float)value};
}

/* Groups of `each` items for all of `items`. */
static inline size_t be_nn_groups_of(int64_t items, int64_t each) {
    return ((size_t)items + (size_t)each - 1) / (size_t)each;
}

/* Says what the launches from here on are, of the layer at `stage`; operations: of a layer, all images. */
void be_nn_label(struct be_nn_run *run, const char *what, int stage, double operations);

/* An event behind a launch, where launches are timed. */
void be_nn_note(struct be_nn_run *run);

void be_nn_launch_groups(struct be_nn_run *run, const struct be_kernel *kernel, size_t groups,
                         size_t lanes, const struct be_argument *argument, int count);

/* A lane for each of `items`. */
void be_nn_launch(struct be_nn_run *run, const struct be_kernel *kernel, int64_t items,
                  const struct be_argument *argument, int count);

/* Products and sums of a layer, all images. */
double be_nn_operations_of(const struct be_nn_run *run, const struct be_nn_place *p);

#endif
