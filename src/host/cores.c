#include "host/cores.h"

#include <hwloc.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

double be_cores_quota_v2(const char *cpu_max) {
    double quota = 0;
    double period = 0;
    if (sscanf(cpu_max, "%lf %lf", &quota, &period) != 2 || quota <= 0 || period <= 0) {
        return 0;
    }
    return quota / period;
}

double be_cores_quota_v1(const char *quota_us, const char *period_us) {
    double quota = strtod(quota_us, NULL);
    double period = strtod(period_us, NULL);
    return quota > 0 && period > 0 ? quota / period : 0;
}

int be_cores_min(int affinity, double quota, int slurm, char by[BE_NAME]) {
    int min = affinity;
    be_copy_text(by, BE_NAME, "affinity");
    /* Part of a core still needs a whole thread: round up, as the kernel lets it run. */
    int from_quota = (int)ceil(quota);
    if (from_quota > 0 && from_quota < min) {
        min = from_quota;
        be_copy_text(by, BE_NAME, "cgroup quota");
    }
    if (slurm > 0 && slurm < min) {
        min = slurm;
        be_copy_text(by, BE_NAME, "SLURM_CPUS_PER_TASK");
    }
    return min > 0 ? min : 1;
}

static bool read_file(const char *path, char *text, size_t capacity) {
    FILE *file = fopen(path, "re");
    if (!file) {
        return false;
    }
    size_t got = fread(text, 1, capacity - 1, file);
    text[got] = '\0';
    fclose(file);
    return got > 0;
}

/* Is `word` one of those that commas separate in `list`? "" is the whole of an empty list. */
static bool has_word(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list;; at++) {
        size_t part = strcspn(at, ",");
        if (part == length && strncmp(at, word, length) == 0) {
            return true;
        }
        at += part;
        if (*at == '\0') {
            return false;
        }
    }
}

/* Path of this process in cgroup controller `name` ("" for v2), as /proc/self/cgroup says. */
static bool own_group(const char *name, char *path, size_t capacity) {
    char text[4096];
    if (!read_file("/proc/self/cgroup", text, sizeof text)) {
        return false;
    }
    char *rest = text;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *names = strchr(line, ':');
        char *where = names ? strchr(names + 1, ':') : NULL;
        if (!where) {
            continue;
        }
        *where = '\0';
        names++;
        if (has_word(names, name)) {
            be_copy_text(path, capacity, where + 1);
            return true;
        }
    }
    return false;
}

/* Reads `file` of the own group, walking up to the root: a parent's limit holds too. Calls
 * take(context, text) for each level that has it. */
static void each_level(const char *root, const char *controller, const char *file,
                       void (*take)(void *context, const char *folder, const char *text),
                       void *context) {
    char group[2048];
    if (!own_group(controller, group, sizeof group)) {
        return;
    }
    for (;;) {
        char folder[2304];
        char path[2432];
        char text[128];
        snprintf(folder, sizeof folder, "%s%s", root, strcmp(group, "/") == 0 ? "" : group);
        snprintf(path, sizeof path, "%s/%s", folder, file);
        if (read_file(path, text, sizeof text)) {
            take(context, folder, text);
        }
        char *slash = strrchr(group, '/');
        if (!slash || group[0] == '\0' || strcmp(group, "/") == 0) {
            return;
        }
        *slash = '\0';
    }
}

static void lower(double *min, double value) {
    if (value > 0 && (*min <= 0 || value < *min)) {
        *min = value;
    }
}

static void take_v2(void *context, const char *folder, const char *text) {
    (void)folder;
    lower(context, be_cores_quota_v2(text));
}

static void take_v1(void *context, const char *folder, const char *text) {
    char path[2432];
    char period[64];
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    if (read_file(path, period, sizeof period)) {
        lower(context, be_cores_quota_v1(text, period));
    }
}

static double cgroup_quota(void) {
    double quota = 0;
    each_level("/sys/fs/cgroup", "", "cpu.max", take_v2, &quota);
    each_level("/sys/fs/cgroup/cpu", "cpu", "cpu.cfs_quota_us", take_v1, &quota);
    return quota;
}

static int slurm_cpus(void) {
    const char *text = getenv("SLURM_CPUS_PER_TASK");
    return text ? atoi(text) : 0;
}

static void list_cores(hwloc_topology_t topology, hwloc_const_cpuset_t allowed,
                       struct be_cores *cores) {
    int all = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    cores->machine = all > 0 ? all : hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
    hwloc_obj_t core = NULL;
    while ((core = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE, core)) != NULL) {
        hwloc_bitmap_t mine = hwloc_bitmap_alloc();
        hwloc_bitmap_and(mine, core->cpuset, allowed);
        int first = hwloc_bitmap_first(mine);
        hwloc_bitmap_free(mine);
        if (first >= 0 && cores->count < BE_CORES_MAX) {
            cores->cpu[cores->count++] = first;
        }
    }
    /* Some containers hide cores and show hardware threads only. */
    for (int cpu = hwloc_bitmap_first(allowed); all <= 0 && cpu >= 0 && cores->count < BE_CORES_MAX;
         cpu = hwloc_bitmap_next(allowed, cpu)) {
        cores->cpu[cores->count++] = cpu;
    }
}

/* The last level of cache above the cores in use, each cache counted once. */
static double last_caches(hwloc_topology_t topology, hwloc_const_cpuset_t used) {
    static const hwloc_obj_type_t level[] = {HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE,
                                             HWLOC_OBJ_L2CACHE};
    for (size_t i = 0; i < BE_COUNT(level); i++) {
        double bytes = 0;
        hwloc_obj_t cache = NULL;
        while ((cache = hwloc_get_next_obj_by_type(topology, level[i], cache)) != NULL) {
            if (hwloc_bitmap_intersects(cache->cpuset, used)) {
                bytes += (double)cache->attr->cache.size;
            }
        }
        if (bytes > 0) {
            return bytes;
        }
    }
    return NAN;
}

static double first_cache(hwloc_topology_t topology, hwloc_const_cpuset_t used) {
    double min = NAN;
    hwloc_obj_t cache = NULL;
    while ((cache = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_L1CACHE, cache)) != NULL) {
        const double bytes = (double)cache->attr->cache.size;
        if (bytes > 0 && hwloc_bitmap_intersects(cache->cpuset, used)) {
            min = fmin(bytes, min); /* NAN: bytes */
        }
    }
    return min;
}

static void describe(hwloc_topology_t topology, struct be_cores *cores) {
    const char *model = hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology), "CPUModel");
    hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    if (!model && package) {
        model = hwloc_obj_get_info_by_name(package, "CPUModel");
    }
    be_copy_text(cores->name, sizeof cores->name, model ? model : "CPU of unknown model");
    cores->numa_nodes = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
    hwloc_bitmap_t used = hwloc_bitmap_alloc();
    for (int i = 0; i < cores->count; i++) {
        hwloc_bitmap_set(used, (unsigned)cores->cpu[i]);
    }
    cores->cache_bytes = last_caches(topology, used);
    cores->first_cache_bytes = first_cache(topology, used);
    hwloc_bitmap_free(used);
}

enum be_status be_cores_find(struct be_cores *cores, struct be_error *error) {
    memset(cores, 0, sizeof *cores);
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0 || hwloc_topology_load(topology) != 0) {
        return be_fail(error, BE_IO, "cores: hwloc cannot read this machine's topology");
    }
    hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
    if (hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_THREAD) != 0) {
        hwloc_bitmap_copy(allowed, hwloc_topology_get_allowed_cpuset(topology));
    }
    list_cores(topology, allowed, cores);
    int affinity = cores->count;
    cores->count = be_cores_min(affinity, cgroup_quota(), slurm_cpus(), cores->limited_by);
    describe(topology, cores);
    hwloc_bitmap_free(allowed);
    hwloc_topology_destroy(topology);
    if (affinity == 0) {
        return be_fail(error, BE_IO, "cores: hwloc shows no core that this process may use");
    }
    return BE_OK;
}

static double meminfo_available(void) {
    char text[4096];
    const char *line =
        read_file("/proc/meminfo", text, sizeof text) ? strstr(text, "MemAvailable:") : NULL;
    return line ? 1024.0 * strtod(line + strlen("MemAvailable:"), NULL) : NAN;
}

/* The number behind `name` in a file of "name value" lines; 0 when it is not there. */
static double named_number(const char *path, const char *name) {
    char text[8192];
    if (!read_file(path, text, sizeof text)) {
        return 0;
    }
    size_t length = strlen(name);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) == 0 && line[length] == ' ') {
            return strtod(line + length, NULL);
        }
    }
    return 0;
}

/* The memory that a group leaves: its limit less the memory that is used and cannot be dropped
 * (file pages not in use can be). */
static void take_memory(double *min, const char *folder, double limit, const char *used_file,
                        const char *droppable) {
    char path[2432];
    char used[64];
    const double no_limit = 0x1p60; /* v1 writes a page less than 2^63 for none */
    snprintf(path, sizeof path, "%s/%s", folder, used_file);
    if (limit > 0 && limit < no_limit && read_file(path, used, sizeof used)) {
        snprintf(path, sizeof path, "%s/memory.stat", folder);
        double left = limit - strtod(used, NULL) + named_number(path, droppable);
        lower(min, left > 1 ? left : 1);
    }
}

static void take_memory_v2(void *context, const char *folder, const char *text) {
    take_memory(context, folder, strtod(text, NULL), "memory.current",
                "inactive_file"); /* "max": 0 */
}

static void take_memory_v1(void *context, const char *folder, const char *text) {
    take_memory(context, folder, strtod(text, NULL), "memory.usage_in_bytes",
                "total_inactive_file");
}

double be_memory_available(void) {
    double available = meminfo_available();
    double min = isnan(available) ? 0 : available;
    each_level("/sys/fs/cgroup", "", "memory.max", take_memory_v2, &min);
    each_level("/sys/fs/cgroup/memory", "memory", "memory.limit_in_bytes", take_memory_v1, &min);
    return min > 0 ? min : NAN;
}
