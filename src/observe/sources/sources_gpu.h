/*
 * The sources of GPUs, in the order in which they belong into be_signal_sources: the first that has a
 * signal keeps it.
 */
#ifndef BE_OBSERVE_SOURCES_SOURCES_GPU_H
#define BE_OBSERVE_SOURCES_SOURCES_GPU_H

#include "observe/sources/source.h"

extern const struct be_signal_source be_signal_source_gpm;    /* NVIDIA, Hopper and newer */
extern const struct be_signal_source be_signal_source_nvml;   /* NVIDIA */
extern const struct be_signal_source be_signal_source_cupti;  /* NVIDIA, --trace */
extern const struct be_signal_source be_signal_source_rocm;   /* AMD; untested on hardware */
extern const struct be_signal_source be_signal_source_sysman; /* Intel; untested on hardware */

#endif
