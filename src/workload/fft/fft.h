/*
 * Forward Fourier transforms of real or complex numbers, of one dimension or of images, several at a time: fft.c has
 * the table, reference.c the reference, host.c and device.c own code, library.c the libraries'.
 */
#ifndef BE_WORKLOAD_FFT_FFT_H
#define BE_WORKLOAD_FFT_FFT_H

#include <stdbool.h>

#include "workload/workload.h"

enum { BE_FFT_SIZE, BE_FFT_ROWS, BE_FFT_BATCH, BE_FFT_KIND }; /* parameters */
enum { BE_FFT_COMPLEX, BE_FFT_REAL, BE_FFT_IMAGE, BE_FFT_REAL_IMAGE, BE_FFT_KINDS };

/* An image has `rows` rows of `columns` numbers; else rows is 1. */
struct be_fft_size {
    bool real, image; /* real: of the input */
    size_t columns, rows, batch;
    size_t width; /* complex numbers in a row of the result: columns, or columns / 2 + 1 */
    size_t lines; /* rows of all transforms */
};
struct be_fft_size be_fft_size(const struct be_problem *problem);
size_t be_fft_input_floats(const struct be_fft_size *size);

/* Complex numbers, or pairs of real ones, of lines that own code does side by side, and of columns. */
enum { BE_FFT_LINE_MIN = 16, BE_FFT_LINE_MAX = 4096 };

/* Array indices are 32 bits, here and in libraries. */
const char *be_fft_too_large(const struct be_problem *problem);

/* z[k] = sum over j of x[j] exp(-2 pi i j k / n) in double precision; real and imaginary part in
 * turn. The first as the formula says it, for first <= k < first + count; the second in n log n, with so
 * many doubles to work in. */
void be_fft_naive(size_t n, const double *x, double *z, size_t first, size_t count);
size_t be_fft_reference_capacity(size_t n);
void be_fft_reference(size_t n, const double *x, double *z, double *capacity);

/* The reference of a problem, as struct be_workload has it, and its doubles (reference.c). */
size_t be_fft_reference_doubles(const struct be_fft_size *size);
void be_fft_references(const struct be_work *work, double *z);

/* Lines and images that own code on the CPU does side by side (host_many.c). */
bool be_fft_has_many(const struct be_fft_size *size);

/* Own code: powers of two; and on the CPU, side by side, other sizes of small prime factors. */
const char *be_fft_mixed_unfit(const struct be_problem *problem);
const char *be_fft_unfit(const struct be_problem *problem);
void be_fft_host(const struct be_work *work);
/* host_many.c: of many lines, and of images. */
void be_fft_many(const struct be_work *work);
size_t be_fft_many_scratch(const struct be_problem *problem, int members);
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
