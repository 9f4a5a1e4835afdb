/*
 * Reading what the injected library wrote (gpu_record.h). Plain data in and
 * out; knows nothing of ticks.
 */
#ifndef BE_OBSERVE_SOURCES_GPU_TRACE_H
#define BE_OBSERVE_SOURCES_GPU_TRACE_H

#include "breakeven.h"
#include "observe/gpu_record.h"

/* The environment that `run --trace` gives a program, beside BE_GPU_RECORD_FOLDER. */
#define BE_GPU_TRACE_INJECTION "CUDA_INJECTION64_PATH"

/* The library, and what cannot be done without it (observe/injected.h). */
#define BE_GPU_TRACE_LIBRARY "libbreakeven_trace.so"
#define BE_GPU_TRACE_WITHOUT "GPU programs cannot be traced"

/* The newer of a file's whole slots. BE_ABSENT: nothing was written yet. BE_WRONG: of another version,
 * or not such a file; whatever it holds, texts end and counts are within their arrays. */
enum be_status be_gpu_record_load(const char *path, struct be_gpu_record *record,
                                  struct be_error *error);
/* Sequence of the newest slot, without reading it whole; 0: none yet. */
uint64_t be_gpu_record_sequence(const char *path);

/* Median of what lies between two tallies of the same thing, the earlier of which may be NULL; seconds,
 * to a quarter of a doubling. NAN: nothing does. */
double be_gpu_tally_median(const struct be_gpu_tally *before, const struct be_gpu_tally *after);

/* "_ZN2at6native10a_kernelILi4E..." -> "at::native::a_kernel"; what is not such a name as it is. */
void be_kernel_name(const char *mangled, char *name, size_t capacity);

#endif
