#include "machine/probe/numa_memory.h"

#include "base/error.h"

enum be_status be_numa_open(hwloc_topology_t *topology, struct be_error *error) {
    if (hwloc_topology_init(topology) != 0) {
        return be_fail(error, BE_IO, "NUMA nodes: hwloc does not start");
    }
    if (hwloc_topology_load(*topology) != 0) {
        hwloc_topology_destroy(*topology);
        return be_fail(error, BE_IO, "NUMA nodes: hwloc cannot read this machine's topology");
    }
    return BE_OK;
}

hwloc_obj_t be_numa_node(hwloc_topology_t topology, int node) {
    return hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, (unsigned)node);
}

void *be_numa_memory(hwloc_topology_t topology, hwloc_obj_t node, size_t bytes) {
    const int flags = HWLOC_MEMBIND_BYNODESET | HWLOC_MEMBIND_STRICT;
    return hwloc_alloc_membind(topology, bytes, node->nodeset, HWLOC_MEMBIND_BIND, flags);
}
