/* Every source there is, the better ones first. */
#include "observe/sources/sources.h"

#include <stddef.h>

const struct be_signal_source *const be_signal_sources[] = {
    &be_signal_source_proc,
    &be_signal_source_cgroup,
    &be_signal_source_node,
    &be_signal_source_gpm,
    &be_signal_source_libdcgm,
    &be_signal_source_dcgm,
    &be_signal_source_nvml,
    &be_signal_source_cupti,
    &be_signal_source_rocm,
    &be_signal_source_sysman,
    NULL,
};
