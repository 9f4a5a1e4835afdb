/*
 * What power and multiply share: two float32 inputs, one float32 output, an item an element.
 */
#ifndef BE_WORKLOAD_ELEMENTWISE_H
#define BE_WORKLOAD_ELEMENTWISE_H

#include "workload/workload.h"

extern const struct be_workload be_workload_power, be_workload_multiply;

enum { BE_ELEMENTWISE_GRAIN = 64 }; /* a cache line of float32, four times over */

extern const struct be_array be_elementwise_array[3]; /* x, y, z */

size_t be_elementwise_items(uint64_t size);
double be_elementwise_bytes(uint64_t size); /* 12 an element: x and y read, z written */

/* x and y uniform in [0, 1), from the seed and the element's index alone. */
void be_elementwise_fill(void *const *array, size_t first, size_t items, uint64_t seed);
void be_elementwise_residual(void *const *array, const double *reference, size_t first,
                             size_t items, double *difference, double *norm);

enum be_status be_elementwise_prepare(struct be_device *device, const char *kernel,
                                      struct be_prepared *prepared, struct be_error *error);
enum be_status be_elementwise_enqueue(struct be_device *device, enum be_queue queue,
                                      const struct be_prepared *prepared,
                                      const struct be_buffer *buffer, size_t first, size_t items,
                                      struct be_error *error);
void be_elementwise_discard(struct be_device *device, struct be_prepared *prepared);

/* The part of the table of struct be_workload that all of them have in common. */
#define BE_ELEMENTWISE_TABLE                                                                       \
    .variant = "plain", .dtype = "float32", .size_least = 1, .size_preset_from = 1000,             \
    .size_preset_to = 300000000, .array = be_elementwise_array, .inputs = 2, .outputs = 1,         \
    .grain = BE_ELEMENTWISE_GRAIN, .items = be_elementwise_items, .bytes = be_elementwise_bytes,   \
    .fill = be_elementwise_fill, .residual = be_elementwise_residual, .reference_items = 1,        \
    .host_grain = BE_ELEMENTWISE_GRAIN, .enqueue = be_elementwise_enqueue,                         \
    .discard = be_elementwise_discard

#endif
