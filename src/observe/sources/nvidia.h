/*
 * The NVIDIA GPUs that belong to a program, through NVML: what the sources `gpm`, `nvml` and `cupti`
 * share, so that all three mean the same GPU by the same index. Each opens a session of its own.
 */
#ifndef BE_OBSERVE_SOURCES_NVIDIA_H
#define BE_OBSERVE_SOURCES_NVIDIA_H

#include "dyn/nvidia/cuda.h"
#include "observe/sources/source.h"

struct be_nvidia_gpu {
    nvmlDevice_t device; /* the whole GPU */
    nvmlDevice_t part; /* of it (MIG): what memory is asked of; the GPU itself where it is whole */
    unsigned int instance;
    bool lost; /* fell off the bus: nothing is asked of it any more */
    struct be_trace_gpu info;
};

struct be_nvidia {
    struct be_nvml nvml;
    bool started;
    struct be_nvidia_gpu gpu[BE_DEVICES_MAX];
    int gpus;
};

/* Those that CUDA_VISIBLE_DEVICES of the program leaves, of those that this process may open; of
 * `node` all. BE_ABSENT: there is none, with the reason. Closed already unless BE_OK. */
enum be_status be_nvidia_open(struct be_nvidia *nvidia, const struct be_watched *watched,
                              struct be_error *error);
void be_nvidia_close(struct be_nvidia *nvidia);
int be_nvidia_list(const struct be_nvidia *nvidia, struct be_trace_gpu *list, int capacity);

/* "Not Supported", or "NVML error 3". */
const char *be_nvidia_said(const struct be_nvml *nvml, nvmlReturn_t result, char *text,
                           size_t capacity);

/* Did a call succeed? If not, says why the signal is absent, and notes a GPU that is lost. */
bool be_nvidia_answered(const struct be_nvidia *nvidia, struct be_nvidia_gpu *gpu,
                        enum be_signal signal, const char *call, nvmlReturn_t result,
                        struct be_sink *sink);

/* BE_ABSENT once every GPU is lost, with that as the reason; else BE_OK. */
enum be_status be_nvidia_left(const struct be_nvidia *nvidia, struct be_error *error);

/* Keeps a source within its budget of CPU time, which is a tick's for each two cores there are, of at
 * most eight: it may ask again once what it has taken is covered by the budgets of the ticks since, and
 * by what it left of those before. */
struct be_pace {
    double owed_s; /* below 0: saved */
    double began_s;
};
bool be_pace_begin(struct be_pace *pace, const struct be_moment *moment); /* false: not this tick */
void be_pace_end(struct be_pace *pace);

#endif
