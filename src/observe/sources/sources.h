/* The sources there are. A new one is a file of this folder, its line here and one in sources.c. */
#ifndef BE_OBSERVE_SOURCES_SOURCES_H
#define BE_OBSERVE_SOURCES_SOURCES_H

#include "observe/sources/source.h"

/* In order of preference: where two give the same signal, the first that has a value keeps it. */
extern const struct be_signal_source *const be_signal_sources[];

extern const struct be_signal_source be_signal_source_proc;   /* the program's processes */
extern const struct be_signal_source be_signal_source_cgroup; /* its control group */
extern const struct be_signal_source be_signal_source_node;   /* the machine */
extern const struct be_signal_source be_signal_source_gpm;    /* NVIDIA, Hopper and newer */
extern const struct be_signal_source
    be_signal_source_libdcgm;                                 /* NVIDIA, where nv-hostengine runs */
extern const struct be_signal_source be_signal_source_dcgm;   /* NVIDIA, where dcgm-exporter runs */
extern const struct be_signal_source be_signal_source_nvml;   /* NVIDIA */
extern const struct be_signal_source be_signal_source_cupti;  /* NVIDIA, --trace */
extern const struct be_signal_source be_signal_source_rocm;   /* AMD; untested on hardware */
extern const struct be_signal_source be_signal_source_sysman; /* Intel; untested on hardware */

#endif
