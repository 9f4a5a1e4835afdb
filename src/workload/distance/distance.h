/*
 * Declarations that the files of the workload distance share: its parameters, its data and its code. They call
 * each other one way: distance.c, those of the host and of devices, the histogram, the packing.
 */
#ifndef BE_WORKLOAD_DISTANCE_DISTANCE_H
#define BE_WORKLOAD_DISTANCE_DISTANCE_H

#include "host/simd.h"
#include "workload/workload.h"

/* Parameters, arrays. */
enum { BE_DISTANCE_POINTS, BE_DISTANCE_DIMENSION, BE_DISTANCE_CONSUMER, BE_DISTANCE_BINS };
enum { BE_DISTANCE_X, BE_DISTANCE_D };

/* consumer */
enum { BE_DISTANCE_MATRIX, BE_DISTANCE_ROW_MIN, BE_DISTANCE_HISTOGRAM };

/* The passes of three-pass. */
enum { BE_DISTANCE_EINSUM = 1, BE_DISTANCE_MATMUL, BE_DISTANCE_OPS };

/*
 * The histogram of all pairs i < j. In the type of the problem: the squared distance is the sum over
 * the coordinates, in their order, of fused multiply-adds of differences; edge k is k^2, which is
 * exact, times be_distance_edge; a pair is in the bin k with edge k <= distance < edge k + 1. So bins
 * are equally wide in distance, no root decides, and every device counts the same.
 */
enum { BE_DISTANCE_BINS_MAX = 1024 };

static inline size_t be_distance_points(const struct be_problem *problem) {
    return (size_t)problem->value[BE_DISTANCE_POINTS];
}

static inline size_t be_distance_dimension(const struct be_problem *problem) {
    return (size_t)problem->value[BE_DISTANCE_DIMENSION];
}

static inline size_t be_distance_bins(const struct be_problem *problem) {
    return (size_t)problem->value[BE_DISTANCE_BINS];
}

/* host.c: on the CPU. */
void be_distance_host_fused(const struct be_work *work);
size_t be_distance_host_fused_scratch(const struct be_problem *problem, int members);
void be_distance_host_passes(const struct be_work *work);
size_t be_distance_host_passes_scratch(const struct be_problem *problem, int members);

/* histogram.c: what the histogram is, and on the CPU. */
/* The square of a bin's width, of bins from 0 to the diagonal of the unit cube. */
double be_distance_edge(const struct be_problem *problem);
/* The scale of the first guess: the bin of a squared distance s is floor(scale sqrt(s)), in
 * float32, or the one after. */
float be_distance_scale(const struct be_problem *problem);
double be_distance_histogram_tolerance(const struct be_problem *problem);
void be_distance_histogram_reference(const struct be_work *work, double *reference);
void be_distance_histogram_residual(const struct be_work *work, const double *reference,
                                    double *difference, double *norm);
void be_distance_host_histogram(const struct be_work *work);
size_t be_distance_host_histogram_scratch(const struct be_problem *problem, int members);

/* plain_simd.c: the CPU's code of `plain`. For a histogram members' counts lie so many numbers apart in the scratch. */
typedef void be_distance_plain(const struct be_work *work);
BE_SIMD_DECLARE(be_distance_plain, be_distance_plain_run);
static inline size_t be_distance_plain_apart(const struct be_problem *problem) {
    return (be_distance_bins(problem) + 7) / 8 * 8;
}

/* pack.c: points in the order that simd.h has them; all members meet behind it. */
size_t be_distance_packed_bytes(const struct be_problem *problem);
void be_distance_pack_points(const struct be_work *work, void *packed);

/* device.c: on a device. */
enum be_status be_distance_fused_prepare(struct be_device *device, const struct be_problem *problem,
                                         struct be_prepared *prepared, struct be_error *error);
enum be_status be_distance_fused_enqueue(const struct be_launch *launch, struct be_error *error);
struct be_slices be_distance_fused_slices(const struct be_problem *problem); /* rows */
size_t be_distance_fused_scratch(const struct be_problem *problem);
enum be_status be_distance_symmetric_prepare(struct be_device *device,
                                             const struct be_problem *problem,
                                             struct be_prepared *prepared, struct be_error *error);
enum be_status be_distance_symmetric_enqueue(const struct be_launch *launch,
                                             struct be_error *error);
enum be_status be_distance_passes_prepare(struct be_device *device,
                                          const struct be_problem *problem,
                                          struct be_prepared *prepared, struct be_error *error);
enum be_status be_distance_passes_enqueue(const struct be_launch *launch, struct be_error *error);
size_t be_distance_passes_scratch(const struct be_problem *problem);
void be_distance_passes_discard(struct be_device *device, struct be_prepared *prepared);

#endif
