/* Memory that lies on one NUMA node, wherever it is touched first. Knows nothing of what is measured
 * of it. */
#ifndef BE_MACHINE_PROBE_NUMA_MEMORY_H
#define BE_MACHINE_PROBE_NUMA_MEMORY_H

#include <hwloc.h>

#include "breakeven.h"

enum { BE_NUMA_NODES_MAX = 16 };

enum be_status be_numa_open(hwloc_topology_t *topology, struct be_error *error);

/* Node number `node`, from 0; NULL: there is none. */
hwloc_obj_t be_numa_node(hwloc_topology_t topology, int node);

/* NULL, with errno, where this process may not have memory there. hwloc_free gives it back. */
void *be_numa_memory(hwloc_topology_t topology, hwloc_obj_t node, size_t bytes);

#endif
