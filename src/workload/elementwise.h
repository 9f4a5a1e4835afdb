/*
 * What power and multiply share: two float32 inputs, one float32 output, an item an element.
 */
#ifndef BE_WORKLOAD_ELEMENTWISE_H
#define BE_WORKLOAD_ELEMENTWISE_H

#include "workload/workload.h"

enum { BE_ELEMENTWISE_GRAIN = 64 }; /* a cache line of float32, four times over */

/* "size", 1e3 .. 3e8: of whatever works element by element. */
extern const struct be_parameter be_elementwise_parameter[1];
extern const char *const be_elementwise_array[3]; /* x, y, z */

/* An item an element; 12 bytes of it: x and y read, z written. operations: an element. */
void be_elementwise_shape(const struct be_problem *problem, double operations, double tolerance,
                          struct be_shape *shape);
/* x and y uniform in [0, 1), from the seed and the element's index alone. */
void be_elementwise_fill(const struct be_work *work, uint64_t seed);
/* Of a float32 array, the first output, against as many doubles. */
void be_elementwise_residual(const struct be_work *work, const double *reference,
                             double *difference, double *norm);
enum be_status be_elementwise_enqueue(const struct be_launch *launch, struct be_error *error);
enum be_status be_elementwise_prepare(struct be_device *device, const struct be_problem *problem,
                                      const char *kernel, struct be_prepared *prepared,
                                      struct be_error *error);

/* The part of the table of struct be_workload that both have in common. */
#define BE_ELEMENTWISE_TABLE                                                                       \
    .parameter = be_elementwise_parameter, .parameters = 1, .reals = BE_TAKES(BE_REAL32),          \
    .array = be_elementwise_array, .inputs = 2, .outputs = 1, .grain = BE_ELEMENTWISE_GRAIN,       \
    .host_grain = BE_ELEMENTWISE_GRAIN, .fill = be_elementwise_fill,                               \
    .residual = be_elementwise_residual

#endif
