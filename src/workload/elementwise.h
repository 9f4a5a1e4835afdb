/*
 * A workload that makes each element of one output from the same element of one or two inputs: struct be_elementwise
 * says what is its own, the rest is here. Its arithmetic stands in NAME/element.cl, of which the build makes a
 * kernel (elementwise_kernel.h) and the CPU's loops (elementwise_loop.h). axpy is the smallest.
 */
#ifndef BE_WORKLOAD_ELEMENTWISE_H
#define BE_WORKLOAD_ELEMENTWISE_H

#include "workload/elementwise_simd.h"
#include "workload/workload.h"

enum {
    BE_ELEMENTWISE_GRAIN = 64, /* a cache line of float32, four times over */
    BE_ELEMENTWISE_INPUTS = 2  /* at most */
};

struct be_elementwise {
    const struct be_program *program;
    const char *kernel; /* of the arrays, LONG first, LONG n */
    const be_elementwise_loops
        *loops; /* BE_ELEMENTWISE_LOOPS; NULL: the variants have code of their own */
    double (*value)(const double *from); /* the reference: an element from that of each input */
    double operations;                   /* least floating-point operations of an element */
    double tolerance[BE_REALS];          /* as of struct be_shape, by type */
};

/* "size", 1e3 .. 3e8: of whatever works element by element. */
extern const struct be_parameter be_elementwise_parameter[1];

/* An item an element, whose inputs are read once and whose output is written once. */
void be_elementwise_shape(const struct be_problem *problem, struct be_shape *shape);
/* Inputs uniform in [0, 1), from the seed and the element's index alone. */
void be_elementwise_fill(const struct be_work *work, uint64_t seed);
void be_elementwise_reference(const struct be_work *work, double *reference);
/* Compares the first output with as many doubles. */
void be_elementwise_residual(const struct be_work *work, const double *reference,
                             double *difference, double *norm);

void be_elementwise_host(const struct be_work *work);
enum be_status be_elementwise_prepare(struct be_device *device, const struct be_problem *problem,
                                      struct be_prepared *prepared, struct be_error *error);
enum be_status be_elementwise_enqueue(const struct be_launch *launch, struct be_error *error);
/* Likewise where the first input is updated. */
void be_elementwise_host_here(const struct be_work *work);
enum be_status be_elementwise_enqueue_here(const struct be_launch *launch, struct be_error *error);

/* The part of the table of struct be_workload that they have in common. */
#define BE_ELEMENTWISE_TABLE                                                                       \
    .parameter = be_elementwise_parameter, .parameters = 1, .outputs = 1,                          \
    .grain = BE_ELEMENTWISE_GRAIN, .host_grain = BE_ELEMENTWISE_GRAIN,                             \
    .shape = be_elementwise_shape, .fill = be_elementwise_fill,                                    \
    .reference = be_elementwise_reference, .residual = be_elementwise_residual

/* A variant's code on a device, and on the CPU where it is the loops, which anybody can write. */
#define BE_ELEMENTWISE_DEVICE                                                                      \
    .prepare = be_elementwise_prepare, .enqueue = be_elementwise_enqueue,                          \
    .discard = be_discard_kernels
#define BE_ELEMENTWISE_CODE                                                                        \
    .host_code = BE_CODE_PLAIN, .device_code = BE_CODE_PLAIN, .host = be_elementwise_host,         \
    BE_ELEMENTWISE_DEVICE
#define BE_ELEMENTWISE_CODE_HERE                                                                   \
    .host_code = BE_CODE_PLAIN, .device_code = BE_CODE_PLAIN, .updates = 1,                        \
    .host = be_elementwise_host_here, .prepare = be_elementwise_prepare,                           \
    .enqueue = be_elementwise_enqueue_here, .discard = be_discard_kernels

#endif
