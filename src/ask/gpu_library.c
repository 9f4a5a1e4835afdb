#include "ask/gpu_library.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"

/* 39 programs in two versions on an H200 (docs/measurements/pairs.md). Start: seconds before the second step of the version
 * for a GPU, less those of the one for CPUs: 5 %, median, 95 %. A call: from the programs that hardly do anything else; its
 * lower end is 0, since a version for a GPU may make one call of many (jax.jit, a batch). */
static const struct be_gpu_library libraries[] = {
    {"cupy", "CuPy", {0.43, 1.35, 6.8}, false, {0.4e-6, 12e-6, 25e-6}},
    {"torch", "PyTorch", {2.6, 3.9, 9.5}, false, {0.4e-6, 40e-6, 60e-6}},
    {"jax", "JAX", {2.7, 4.7, 6.7}, true, {0, 2.5e-6, 60e-6}},
};

/* The geometric mean of the three, and all that they take. */
static const struct be_gpu_library any = {
    "", "", {0.43, 2.9, 9.5}, false, {0.4e-6, 10.6e-6, 60e-6}};

const char be_gpu_library_words[] = "cupy, torch, jax";

const double be_numpy_call_s = 0.4e-6;

const struct be_gpu_library *be_gpu_library_of(const char *word) {
    for (size_t i = 0; word && i < BE_COUNT(libraries); i++) {
        if (strcmp(word, libraries[i].word) == 0) {
            return &libraries[i];
        }
    }
    return word && word[0] ? NULL : &any;
}
