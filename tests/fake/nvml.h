/* Inside the fake NVML: what its two files share. */
#ifndef TESTS_FAKE_NVML_H
#define TESTS_FAKE_NVML_H

#include "calls.h"
#include "dyn/nvidia/cuda.h"

enum { FAKE_WHOLE_GPUS = 4, FAKE_PARTS = 4, FAKE_GPUS = FAKE_WHOLE_GPUS * (1 + FAKE_PARTS) };

/* The whole ones, then the parts of each. */
struct nvmlDevice_st {
    unsigned long long millijoules;
};
extern struct nvmlDevice_st fake_gpu[FAKE_GPUS];

/* Counts the call; what it has to fail with, 0: nothing. */
nvmlReturn_t fake_begin(int at);
nvmlReturn_t fake_begin_device(int at, nvmlDevice_t device);

/* A list of `all` things into room for *count: as many as fit, and how many there are. */
nvmlReturn_t fake_list(nvmlReturn_t code, unsigned int *count, const void *capacity,
                       unsigned int all);

#endif
