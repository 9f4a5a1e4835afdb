/* Rates from the memory of each NUMA node to a device: the penalty of the far socket. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "machine/probe/numa_memory.h"
#include "machine/probe/devices/device.h"
#include "machine/profile.h"

/* Copies between page-locked memory of one node and a buffer, one way at a time. */
struct crossing {
    struct be_device *device;
    struct be_buffer *buffer;
    void *host;
    bool in;
};

static enum be_status run_crossing(void *context, long times, struct be_error *error) {
    const struct crossing *c = context;
    const struct be_device_ops *ops = c->device->ops;
    const enum be_queue queue = c->in ? BE_QUEUE_IN : BE_QUEUE_OUT;
    const size_t bytes = c->buffer->bytes;
    enum be_status status = BE_OK;
    for (long i = 0; status == BE_OK && i < times; i++) {
        status = c->in ? ops->queue->write(c->device, queue, c->buffer, 0, c->host, bytes, error)
                       : ops->queue->read(c->device, queue, c->host, c->buffer, 0, bytes, error);
        status = status == BE_OK ? ops->queue->drain(c->device, queue, error) : status;
    }
    return status;
}

static enum be_status measure_ways(struct be_probe *probe, const struct be_target *target,
                                   struct crossing *crossing, int node, bool near,
                                   struct be_error *error) {
    static const char *const kinds[] = {"bus_in_node", "bus_out_node"};
    enum be_status status = BE_OK;
    for (size_t i = 0; status == BE_OK && i < BE_COUNT(kinds); i++) {
        struct be_figure key = be_figure_key(target, kinds[i]);
        key.bytes = (double)crossing->buffer->bytes;
        snprintf(key.peer, sizeof key.peer, "node %d", node);
        be_copy_text(key.note, sizeof key.note, near ? "near" : "");
        crossing->in = i == 0;
        status = be_probe_measure(probe, target, &key, key.bytes, run_crossing, crossing, error);
    }
    return status;
}

/* Is this the node that the system says the device hangs on? */
static bool is_near(const struct be_probe *probe, const struct be_target *target,
                    hwloc_obj_t node) {
    const struct be_fact *fact = be_profile_fact(probe->profile, target->info->id, "numa_node");
    return fact && fact->number == node->os_index;
}

static enum be_status measure_node(struct be_probe *probe, const struct be_target *target,
                                   hwloc_topology_t topology, int number, struct be_bed *bed,
                                   struct be_error *error) {
    const struct be_device_ops *ops = target->device->ops;
    hwloc_obj_t node = be_numa_node(topology, number);
    const size_t bytes = bed->buffer[0].bytes;
    void *host = be_numa_memory(topology, node, bytes);
    if (!host) {
        be_probe_remark(probe, "%s: memory of NUMA node %d: not measured: %s", target->info->id,
                        number, strerror(errno));
        return BE_OK;
    }
    memset(host, 0x35, bytes); /* its pages come to lie on the node, and are not zeros */
    enum be_status status = ops->extras->lock(target->device, host, bytes, error);
    if (status == BE_OK) {
        struct crossing crossing = {target->device, &bed->buffer[0], host, true};
        status =
            measure_ways(probe, target, &crossing, number, is_near(probe, target, node), error);
        ops->extras->unlock(target->device, host);
    }
    hwloc_free(topology, host, bytes);
    return status;
}

/* Those with cores: what has memory alone is a device's own, or slower than all the others. */
static int nodes_with_cores(hwloc_topology_t topology, int list[BE_NUMA_NODES_MAX]) {
    int count = 0;
    hwloc_obj_t node;
    for (int i = 0; count < BE_NUMA_NODES_MAX && (node = be_numa_node(topology, i)) != NULL; i++) {
        if (!hwloc_bitmap_iszero(node->cpuset)) {
            list[count++] = i;
        }
    }
    return count;
}

static enum be_status measure_all(struct be_probe *probe, const struct be_target *target,
                                  hwloc_topology_t topology, struct be_error *error) {
    const double max_s = 0.5; /* of all copies together, however many nodes there are */
    const size_t max = (size_t)(probe->options->quick ? 4 : 64) << 20;
    const struct be_stop_rule rule = probe->rule;
    struct be_bed bed = {.device = target->device};
    int list[BE_NUMA_NODES_MAX];
    const int nodes = nodes_with_cores(topology, list);
    if (nodes < 2) {
        be_probe_fact(probe, target->info->id, "far_socket", "none: one NUMA node has cores", NAN);
        return BE_OK;
    }
    if (!target->device->ops->extras->lock || !target->device->ops->extras->unlock) {
        be_probe_remark(probe, "%s: far socket: not measured: %s page-locks no memory of a node",
                        target->info->id, target->info->backend);
        return BE_OK;
    }
    enum be_status status = be_bed_buffer(&bed, 0, be_bed_bytes(target->device, 2, max), error);
    probe->rule.budget_s = fmin(rule.budget_s, max_s / (2 * nodes));
    for (int i = 0; status == BE_OK && i < nodes; i++) {
        status = measure_node(probe, target, topology, list[i], &bed, error);
    }
    probe->rule = rule;
    be_bed_close(&bed);
    return status;
}

enum be_status be_probe_device_numa(struct be_probe *probe, const struct be_target *target,
                                    struct be_error *error) {
    hwloc_topology_t topology;
    if (target->info->kind == BE_KIND_CPU) {
        return BE_OK; /* it has no bus, as was said */
    }
    enum be_status status = be_numa_open(&topology, error);
    if (status == BE_OK) {
        status = measure_all(probe, target, topology, error);
        hwloc_topology_destroy(topology);
    }
    return status;
}
