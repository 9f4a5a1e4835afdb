/* The sizes of an image and its filter: an image without a width is a square. */
#include "workload/convolve/convolve.h"

struct be_convolve_sizes be_convolve_sizes_of(const struct be_problem *problem) {
    const uint64_t *value = problem->value;
    const uint64_t width =
        value[BE_CONVOLVE_WIDTH] ? value[BE_CONVOLVE_WIDTH] : value[BE_CONVOLVE_HEIGHT];
    return (struct be_convolve_sizes){.height = (size_t)value[BE_CONVOLVE_HEIGHT],
                                      .width = (size_t)width,
                                      .taps = (size_t)value[BE_CONVOLVE_TAPS],
                                      .before = (size_t)value[BE_CONVOLVE_TAPS] / 2,
                                      .separable =
                                          value[BE_CONVOLVE_FILTER] == BE_CONVOLVE_SEPARABLE};
}
