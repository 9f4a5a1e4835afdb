/*
 * The libraries by which programs of Python use a GPU: how long each takes to start, and how long for each call on arrays.
 * Measured (docs/ask.md). Pure tables.
 */
#ifndef BE_ASK_GPU_LIBRARY_H
#define BE_ASK_GPU_LIBRARY_H

#include "ask/usual_code.h"

struct be_gpu_library {
    const char *word, *title; /* "cupy", "CuPy"; "": the user did not say which */
    /* Seconds that a run has more before its second step: the library is loaded, the GPU opened, code made for it. */
    struct be_over_rates start_s;
    bool compiles;               /* whole functions of the program */
    struct be_over_rates call_s; /* of a call on arrays, in place of NumPy's preparation */
};

/* `word` NULL or "": any of them. NULL: there is none of that name. */
const struct be_gpu_library *be_gpu_library_of(const char *word);
extern const char be_gpu_library_words[]; /* "cupy, torch, jax" */

/* NumPy takes so long to prepare a call on arrays. */
extern const double be_numpy_call_s;

#endif
