/* Numbers of two precisions, in arrays here and on a device: for the tests of vendors' libraries. */
#ifndef TESTS_CONTRACT_NUMBERS_H
#define TESTS_CONTRACT_NUMBERS_H

#include "devices.h"

#include <math.h>

#include "base/random.h"

static const enum be_precision both[] = {BE_FLOAT64, BE_FLOAT32};

static inline size_t size_of(enum be_precision precision) {
    return precision == BE_FLOAT64 ? sizeof(double) : sizeof(float);
}

/* The share that rounding may add to a result, for each number that went into it. */
static inline double rounding(enum be_precision precision) {
    return precision == BE_FLOAT64 ? 0x1p-51 : 0x1p-22;
}

static inline double load(enum be_precision precision, const void *from, size_t at) {
    return precision == BE_FLOAT64 ? ((const double *)from)[at] : (double)((const float *)from)[at];
}

static inline void store(enum be_precision precision, void *to, size_t at, double value) {
    if (precision == BE_FLOAT64) {
        ((double *)to)[at] = value;
    } else {
        ((float *)to)[at] = (float)value;
    }
}

/* In [-1, 1). */
static inline double number(int seed, size_t at) {
    return (double)be_random_float((uint64_t)seed, at) * 2 - 1;
}

static inline void fill(enum be_precision precision, void *to, int seed, size_t count) {
    for (size_t i = 0; i < count; i++) {
        store(precision, to, i, number(seed, i));
    }
}

static inline void make(struct be_device *device, struct be_buffer *buffer, size_t offset,
                        const void *from, size_t bytes) {
    CHECK(device->ops->memory->alloc(device, offset + bytes, buffer, &error));
    if (from) {
        put(device, buffer, offset, from, bytes);
    }
}

static inline void drain(struct be_device *device) {
    CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
}

#endif
