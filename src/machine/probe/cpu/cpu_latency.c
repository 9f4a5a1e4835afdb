/* How long a load takes from each cache and from memory. */
#include <hwloc.h>
#include <math.h>

#include "base/error.h"
#include "host/pages.h"
#include "machine/probe/cpu/chase.h"
#include "machine/probe/cpu/cpu.h"

/* Bytes of the first data cache of each level that this CPU uses; NAN: there is none, or not known.
 * [0]: level 1. */
static void find_caches(int cpu, double level[3]) {
    static const hwloc_obj_type_t type[3] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE,
                                             HWLOC_OBJ_L3CACHE};
    level[0] = level[1] = level[2] = NAN;
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0) {
        return;
    }
    if (hwloc_topology_load(topology) == 0) {
        hwloc_obj_t unit = hwloc_get_pu_obj_by_os_index(topology, (unsigned)cpu);
        for (int i = 0; unit && i < 3; i++) {
            hwloc_obj_t cache = hwloc_get_ancestor_obj_by_type(topology, type[i], unit);
            level[i] = cache && cache->attr->cache.size > 0 ? (double)cache->attr->cache.size : NAN;
        }
    }
    hwloc_topology_destroy(topology);
}

static enum be_status follow(void *context, long times, struct be_error *error) {
    struct be_chase_line **at = context;
    (void)error;
    *at = be_chase_follow(*at, times);
    return BE_OK;
}

static enum be_status measure_chase(struct be_probe *probe, const struct be_target *target,
                                    double bytes, const char *name, bool flush,
                                    struct be_error *error) {
    const size_t lines = (size_t)(bytes / BE_CHASE_LINE);
    struct be_pages pages;
    enum be_status status = be_pages_get(lines * BE_CHASE_LINE, &pages, error);
    if (status != BE_OK) {
        return status;
    }
    struct be_chase_line *line = pages.memory;
    struct be_chase_line *at = line;
    be_chase_link(line, lines, 1);
    if (flush) {
        be_chase_flush(line, lines);
    } else {
        at = be_chase_follow(at, 2 * (long)lines); /* into the cache that it is of */
    }
    struct be_figure key = be_cpu_key(target, "latency", "", 1, (double)lines * BE_CHASE_LINE);
    be_copy_text(key.note, sizeof key.note, name);
    status = be_probe_measure(probe, target, &key, NAN, follow, &at, error);
    be_pages_give_back(&pages);
    return status;
}

/* Within the third level and beyond the second, as far from both as can be; NAN: there is no such
 * place. */
static double third_level(const double level[3]) {
    double low = 4 * level[1];
    double high = level[2] / 2;
    return low <= high ? sqrt(low * high) : high > 1.5 * level[1] ? high : NAN;
}

static double memory_set(const struct be_probe *probe, const double level[3]) {
    const double max = probe->options->quick ? 96e6 : 1 << 30;
    double last = fmax(fmax(level[0], level[1]), level[2]); /* fmax: those not known do not count */
    double bytes = isnan(last) ? max : fmin(fmax(4 * last, 256e6), max);
    return be_probe_memory_share(bytes);
}

enum be_status be_probe_cpu_latency(struct be_probe *probe, const struct be_target *target,
                                    struct be_error *error) {
    static const char *const name[] = {"L1", "L2", "L3", "memory"};
    struct be_team *team = NULL;
    double level[3];
    find_caches(probe->cores.cpu[0], level);
    const double set[] = {level[0] / 2, level[1] / 2, third_level(level), memory_set(probe, level)};
    enum be_status status = be_team_open(&probe->cores, 1, &team, error); /* pins this thread */
    for (size_t i = 0; i < BE_COUNT(set) && status == BE_OK; i++) {
        if (isnan(set[i])) {
            be_probe_remark(probe,
                            "%s: latency of %s: not measured: its size is not known, or it "
                            "is not larger than the cache before it",
                            target->info->id, name[i]);
        } else {
            status = measure_chase(probe, target, set[i], name[i], i == 3, error);
        }
    }
    be_team_close(team);
    return status;
}
