/*
 * Declarations that fourier.c and fourier_simd.c share: a filter by Fourier transforms down the columns of a part of the
 * image. It knows full filters only.
 */
#ifndef BE_WORKLOAD_CONVOLVE_FOURIER_H
#define BE_WORKLOAD_CONVOLVE_FOURIER_H

#include <stdbool.h>

#include "workload/convolve/convolve.h"

enum {
    BE_FOURIER_ROWS = 128,    /* of a transform */
    BE_FOURIER_COLUMNS = 128, /* of the result that are done together */
    BE_FOURIER_WIDE = 160,    /* of the image that they read: taps - 1 more, and whole vectors */
    BE_FOURIER_LANES = 16     /* the widest vector's */
};

/* Rows of the result that one transform gives; a part of the image has two of them, one below the other. */
static inline size_t be_fourier_step(const struct be_convolve_sizes *s) {
    return BE_FOURIER_ROWS - s->taps + 1;
}

/* Working memory of a member. */
struct be_fourier_room {
    float *strip;  /* spectra: of a frequency WIDE real numbers, then WIDE imaginary ones */
    float *one;    /* a transform of one vector of columns */
    float *filter; /* conjugate spectra: of a frequency those of the filter's columns */
    float *circle; /* cosines and sines of all ROWS-th parts of a circle */
    float limit;   /* of the image's numbers, either sign */
};

typedef void be_fourier_start(const struct be_convolve_part *part, struct be_fourier_room *room);
/* Rows first .. first + rows - 1, columns left .. left + columns - 1, at most two steps and COLUMNS. false: the image has
 * a number there that is not finite, or too large; the result is not written. */
typedef bool be_fourier_run(const struct be_convolve_part *part,
                            const struct be_fourier_room *room);
BE_SIMD_DECLARE(be_fourier_start, be_convolve_fourier_begin);
BE_SIMD_DECLARE(be_fourier_run, be_convolve_fourier);

/* fourier.c */
void be_convolve_host_fourier(const struct be_work *work);
struct be_fourier_room be_fourier_room_of(float *memory);
size_t be_convolve_fourier_scratch(const struct be_problem *problem, int members);

#endif
