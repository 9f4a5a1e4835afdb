/* Steps that are not written yet. */
#include "base/error.h"
#include "machine/probe.h"

#define TODO(name)                                                                                 \
    __attribute__((weak)) enum be_status name(                                                     \
        struct be_probe *probe, const struct be_target *target, struct be_error *error) {          \
        (void)probe;                                                                               \
        (void)target;                                                                              \
        return be_fail(error, BE_ABSENT, "not written yet");                                       \
    }

TODO(be_probe_cpu_rates)
TODO(be_probe_cpu_matmul)
TODO(be_probe_cpu_memory)
TODO(be_probe_cpu_latency)
TODO(be_probe_cpu_threads)
TODO(be_probe_cpu_pages)
TODO(be_probe_cpu_numa)
TODO(be_probe_cpu_disk)
TODO(be_probe_device_facts)
TODO(be_probe_device_rates)
TODO(be_probe_device_memory)
TODO(be_probe_device_launch)
TODO(be_probe_device_alloc)
TODO(be_probe_device_first)
TODO(be_probe_device_matmul)
TODO(be_probe_device_bus)
TODO(be_probe_device_unified)
TODO(be_probe_device_peer)
