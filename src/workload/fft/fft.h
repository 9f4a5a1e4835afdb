/*
 * Forward Fourier transforms of complex numbers: fft.c has the table, reference.c the reference,
 * host.c and device.c own code, library.c the libraries'.
 */
#ifndef BE_WORKLOAD_FFT_FFT_H
#define BE_WORKLOAD_FFT_FFT_H

#include "workload/workload.h"

/* z[k] = sum over j of x[j] exp(-2 pi i j k / n) in double precision; real and imaginary part in
 * turn. The first as the formula says it, for first <= k < first + count; the second in n log n, with so
 * many doubles to work in. */
void be_fft_naive(size_t n, const float *x, double *z, size_t first, size_t count);
size_t be_fft_reference_capacity(size_t n);
void be_fft_reference(size_t n, const float *x, double *z, double *capacity);

/* Own code: powers of two. */
static inline const char *be_fft_unfit(const struct be_problem *problem) {
    return (problem->value[0] & (problem->value[0] - 1)) != 0 ? "takes powers of two only" : NULL;
}
void be_fft_host(const struct be_work *work);
size_t be_fft_host_scratch(const struct be_problem *problem, int members);
enum be_status be_fft_prepare(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *error);
enum be_status be_fft_enqueue(const struct be_launch *launch, struct be_error *error);

/* FFTW; the device's library. Any size. */
void be_fft_library_host(const struct be_work *work);
enum be_status be_fft_library_host_ready(const struct be_host_libraries *library, int members,
                                         struct be_error *error);
size_t be_fft_library_host_scratch(const struct be_problem *problem, int members);
enum be_status be_fft_library_prepare(struct be_device *device, const struct be_problem *problem,
                                      struct be_prepared *prepared, struct be_error *error);
enum be_status be_fft_library_enqueue(const struct be_launch *launch, struct be_error *error);
void be_fft_library_discard(struct be_device *device, struct be_prepared *prepared);

#endif
