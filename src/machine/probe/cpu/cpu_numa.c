/* Rates from the memory of one NUMA node to the cores of another. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "machine/cpu_arrays.h"
#include "machine/probe/cpu/chase.h"
#include "machine/probe/numa_memory.h"
#include "machine/probe/cpu/cpu.h"

/* The cores of ours that belong to the node. */
static void cores_of(const struct be_cores *cores, hwloc_obj_t node, struct be_cores *here) {
    *here = *cores;
    here->count = 0;
    for (int i = 0; i < cores->count; i++) {
        if (hwloc_bitmap_isset(node->cpuset, (unsigned)cores->cpu[i])) {
            here->cpu[here->count++] = cores->cpu[i];
        }
    }
}

static struct be_figure pair_key(const struct be_target *target, const char *what,
                                 const char *dtype, int threads, double bytes, int from, int to) {
    struct be_figure key = be_cpu_key(target, what, dtype, threads, bytes);
    snprintf(key.peer, sizeof key.peer, "node %d > node %d", from, to);
    return key;
}

static enum be_status measure_triad(struct be_probe *probe, const struct be_target *target,
                                    struct be_team *team, void *memory, double bytes, int from,
                                    int to, struct be_error *error) {
    struct be_cpu_arrays arrays = {0};
    size_t n = (size_t)(bytes / (3 * sizeof(float))) / BE_CPU_GRAIN * BE_CPU_GRAIN;
    be_cpu_arrays_lay(team, memory, n, &arrays);
    const struct be_cpu_pass pass = {.n = n, .stores = BE_STORES_NONTEMPORAL, .run_s = 5e-3};
    struct be_figure key = pair_key(target, "numa_triad", "float32", be_team_size(team),
                                    3.0 * sizeof(float) * (double)n, from, to);
    struct be_samples seconds = {0};
    double moved;
    enum be_status status = be_cpu_arrays_sample(team, &arrays, &pass, &probe->clock, &probe->rule,
                                                 &seconds, &moved, error);
    status = status == BE_OK ? be_probe_add(probe, &key, moved, &seconds, error) : status;
    be_samples_free(&seconds);
    return status;
}

static enum be_status follow(void *context, long times, struct be_error *error) {
    struct be_chase_line **at = context;
    (void)error;
    *at = be_chase_follow(*at, times);
    return BE_OK;
}

static enum be_status measure_latency(struct be_probe *probe, const struct be_target *target,
                                      void *memory, double bytes, int from, int to,
                                      struct be_error *error) {
    struct be_chase_line *line = memory;
    const size_t lines = (size_t)(bytes / BE_CHASE_LINE);
    be_chase_link(line, lines, 1);
    be_chase_flush(line, lines);
    struct be_figure key =
        pair_key(target, "numa_latency", "", 1, (double)lines * BE_CHASE_LINE, from, to);
    return be_probe_measure(probe, target, &key, NAN, follow, &line, error);
}

/* Beyond the last-level caches, but little enough that many pairs take little time. */
static double pair_bytes(const struct be_probe *probe) {
    double cache = probe->cores.cache_bytes / probe->cores.numa_nodes;
    double bytes = probe->options->quick ? 64e6 : isnan(cache) ? 256e6 : fmin(4 * cache, 512e6);
    return be_probe_memory_share(fmax(bytes, 64e6));
}

static enum be_status measure_pair(struct be_probe *probe, const struct be_target *target,
                                   hwloc_topology_t topology, int from, int to,
                                   struct be_error *error) {
    hwloc_obj_t cores_node = be_numa_node(topology, from);
    hwloc_obj_t memory_node = be_numa_node(topology, to);
    if (!cores_node || !memory_node) {
        return be_fail(error, BE_USAGE, "NUMA nodes: there is no node %d or %d here", from, to);
    }
    struct be_cores here;
    cores_of(&probe->cores, cores_node, &here);
    if (here.count == 0) {
        return BE_OK; /* a node of memory only, or of cores that are not ours */
    }
    const double bytes = pair_bytes(probe);
    void *memory = be_numa_memory(topology, memory_node, (size_t)bytes);
    if (!memory) {
        be_probe_remark(probe, "%s: memory of NUMA node %d: not measured: %s", target->info->id, to,
                        strerror(errno));
        return BE_OK;
    }
    struct be_team *team = NULL;
    enum be_status status = be_team_open(&here, here.count, &team, error);
    if (status == BE_OK) {
        status = measure_triad(probe, target, team, memory, bytes, from, to, error);
    }
    if (status == BE_OK) { /* the caller is member 0 and pinned to the first core */
        status = measure_latency(probe, target, memory, bytes, from, to, error);
    }
    be_team_close(team);
    hwloc_free(topology, memory, (size_t)bytes);
    return status;
}

enum be_status be_probe_numa_pair(struct be_probe *probe, const struct be_target *target, int from,
                                  int to, struct be_error *error) {
    hwloc_topology_t topology;
    enum be_status status = be_numa_open(&topology, error);
    if (status == BE_OK) {
        status = measure_pair(probe, target, topology, from, to, error);
        hwloc_topology_destroy(topology);
    }
    return status;
}

enum be_status be_probe_cpu_numa(struct be_probe *probe, const struct be_target *target,
                                 struct be_error *error) {
    int nodes = probe->cores.numa_nodes;
    if (nodes <= 1) {
        return BE_OK;
    }
    if (nodes > BE_NUMA_NODES_MAX) {
        be_probe_remark(probe, "%s: NUMA nodes: only the first %d of %d are measured",
                        target->info->id, (int)BE_NUMA_NODES_MAX, nodes);
        nodes = BE_NUMA_NODES_MAX;
    }
    enum be_status status = BE_OK;
    for (int pair = 0; pair < nodes * nodes && status == BE_OK; pair++) {
        status = be_probe_numa_pair(probe, target, pair / nodes, pair % nodes, error);
    }
    return status;
}
