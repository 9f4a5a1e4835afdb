/* Control groups. */
#include "observe/process/group.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/cores.h"
#include "base/error.h"
#include "observe/process/proc_text.h"

/* ---- where they are ------------------------------------------------------------------------- */

static const struct {
    const char *controller, *v1; /* "" : version 2 only */
} parts[BE_GROUP_PARTS] = {
    [BE_GROUP_PART_CPU] = {"cpu", "/sys/fs/cgroup/cpu"},
    [BE_GROUP_PART_ACCOUNT] = {"cpuacct", "/sys/fs/cgroup/cpuacct"},
    [BE_GROUP_PART_MEMORY] = {"memory", "/sys/fs/cgroup/memory"},
    [BE_GROUP_PART_IO] = {"blkio", "/sys/fs/cgroup/blkio"},
    [BE_GROUP_PART_PRESSURE] = {"", ""},
};

static bool there(const char *files, const char *mount, const char *path) {
    char folder[4200];
    int length = snprintf(folder, sizeof folder, "%s%s%s", files, mount, path);
    return length > 0 && (size_t)length < sizeof folder && access(folder, X_OK) == 0;
}

/* In a container the path may be the host's, while what is mounted is the container's own group:
 * then that is it. */
static bool place(struct be_group *group, enum be_group_part part, const char *mount,
                  const char *path, bool v2) {
    if (!there(group->files, mount, "")) {
        return false;
    }
    const char *below = strcmp(path, "/") == 0 || !there(group->files, mount, path) ? "" : path;
    be_copy_text(group->part[part].mount, sizeof group->part[part].mount, mount);
    be_copy_text(group->part[part].path, sizeof group->part[part].path, below);
    group->part[part].v2 = v2;
    return true;
}

static bool place_v2(struct be_group *group, enum be_group_part part, const char *path) {
    char text[64];
    bool pure =
        be_small_file(text, sizeof text, "%s/sys/fs/cgroup/cgroup.controllers", group->files) >= 0;
    return place(group, part, pure ? "/sys/fs/cgroup" : "/sys/fs/cgroup/unified", path, true);
}

enum be_status be_group_find(const char *files, int pid, struct be_group *group,
                             struct be_error *error) {
    char text[8192], path[BE_GROUP_PATH], who[16] = "self";
    *group = (struct be_group){.files = files};
    if (pid > 0) {
        snprintf(who, sizeof who, "%d", pid);
    }
    if (be_small_file(text, sizeof text, "%s/proc/%s/cgroup", files, who) <= 0) {
        return be_fail(error, BE_ABSENT, "/proc/%s/cgroup cannot be read", who);
    }
    bool any = false;
    for (int i = 0; i < BE_GROUP_PARTS; i++) {
        bool found = *parts[i].controller &&
                     be_group_path(text, parts[i].controller, path, sizeof path) &&
                     place(group, (enum be_group_part)i, parts[i].v1, path, false);
        found = found || (be_group_path(text, "", path, sizeof path) &&
                          place_v2(group, (enum be_group_part)i, path));
        any |= found;
    }
    return any ? BE_OK
               : be_fail(error, BE_ABSENT, "no control group is mounted under /sys/fs/cgroup");
}

bool be_group_is(const struct be_group *group, const struct be_group *other) {
    static const enum be_group_part looked_at[] = {BE_GROUP_PART_CPU, BE_GROUP_PART_MEMORY};
    for (size_t i = 0; i < BE_COUNT(looked_at); i++) {
        const enum be_group_part part = looked_at[i];
        if (strcmp(group->part[part].mount, other->part[part].mount) != 0 ||
            strcmp(group->part[part].path, other->part[part].path) != 0) {
            return false;
        }
    }
    return true;
}

void be_group_describe(const struct be_group *group, char *to, size_t capacity) {
    for (int i = BE_GROUP_PART_MEMORY; i >= 0; i--) { /* memory tells most: it is what jobs have */
        if (group->part[i].mount[0]) {
            const char *path = group->part[i].path;
            snprintf(to, capacity, "v%d at %.200s", group->part[i].v2 ? 2 : 1,
                     *path ? path : "/ (all that is here)");
            return;
        }
    }
    be_copy_text(to, capacity, "none");
}

/* ---- what they count ------------------------------------------------------------------------ */

struct field {
    const char *file, *name; /* name NULL: the file is the number */
    double scale;
};

struct counted {
    enum be_group_part part;
    struct field v1[3], v2[4]; /* their sum */
};

static const struct counted counted[BE_GROUP_VALUES] = {
    [BE_GROUP_VALUE_CPU] = {BE_GROUP_PART_ACCOUNT,
                            {{"cpuacct.usage", NULL, 1e-9}},
                            {{"cpu.stat", "usage_usec", 1e-6}}},
    [BE_GROUP_VALUE_THROTTLED] = {BE_GROUP_PART_CPU,
                                  {{"cpu.stat", "throttled_time", 1e-9}},
                                  {{"cpu.stat", "throttled_usec", 1e-6}}},
    [BE_GROUP_VALUE_PERIODS] = {BE_GROUP_PART_CPU,
                                {{"cpu.stat", "nr_periods", 1}},
                                {{"cpu.stat", "nr_periods", 1}}},
    [BE_GROUP_VALUE_THROTTLED_PERIODS] = {BE_GROUP_PART_CPU,
                                          {{"cpu.stat", "nr_throttled", 1}},
                                          {{"cpu.stat", "nr_throttled", 1}}},
    [BE_GROUP_VALUE_MEMORY] = {BE_GROUP_PART_MEMORY,
                               {{"memory.stat", "total_rss", 1}, {"memory.stat", "total_shmem", 1}},
                               {{"memory.stat", "anon", 1},
                                {"memory.stat", "shmem", 1},
                                {"memory.stat", "kernel", 1}}},
    [BE_GROUP_VALUE_PEAK] = {BE_GROUP_PART_MEMORY,
                             {{"memory.max_usage_in_bytes", NULL, 1}},
                             {{"memory.peak", NULL, 1}}},
    [BE_GROUP_VALUE_OOM_KILLS] = {BE_GROUP_PART_MEMORY,
                                  {{"memory.oom_control", "oom_kill", 1}},
                                  {{"memory.events", "oom_kill", 1}}},
    /* Before Linux 5.9 files and other pages were one number. */
    [BE_GROUP_VALUE_REFAULTS] = {BE_GROUP_PART_MEMORY,
                                 {{"memory.stat", "total_workingset_refault_file", 1},
                                  {"memory.stat", "total_workingset_refault_anon", 1}},
                                 {{"memory.stat", "workingset_refault_file", 1},
                                  {"memory.stat", "workingset_refault_anon", 1},
                                  {"memory.stat", "workingset_refault", 1}}},
};

/* The file read last: several values stand in one, and the kernel adds up a group anew for each reading. */
struct reading {
    enum be_group_part part;
    const char *file; /* NULL: none yet */
    int length;
    char text[8192];
};

/* NULL: it is not there. */
static const char *read_part(const struct be_group *group, enum be_group_part part,
                             const char *file, struct reading *last) {
    if (!last->file || last->part != part || strcmp(last->file, file) != 0) {
        last->part = part;
        last->file = file;
        last->length = group->part[part].mount[0]
                           ? be_small_file(last->text, sizeof last->text, "%s%s%s/%s", group->files,
                                           group->part[part].mount, group->part[part].path, file)
                           : -1;
    }
    return last->length > 0 ? last->text : NULL;
}

static double count(const struct be_group *group, const struct counted *what,
                    struct reading *last) {
    bool v2 = group->part[what->part].v2;
    const struct field *field = v2 ? what->v2 : what->v1;
    size_t fields = v2 ? BE_COUNT(what->v2) : BE_COUNT(what->v1);
    double sum = NAN;
    for (size_t i = 0; i < fields && field[i].file; i++) {
        const char *text = read_part(group, what->part, field[i].file, last);
        if (!text) {
            continue;
        }
        double part = field[i].name ? be_named_value(text, field[i].name) : strtod(text, NULL);
        if (!isnan(part)) {
            sum = (isnan(sum) ? 0 : sum) + part * field[i].scale;
        }
    }
    return sum;
}

/* The bytes of all devices: "8:0 rbytes=1 wbytes=2 ..." (v2), "8:0 Read 1" (v1). */
static double transferred(const struct be_group *group, bool written, struct reading *last) {
    bool v2 = group->part[BE_GROUP_PART_IO].v2;
    const char *file = v2 ? "io.stat" : "blkio.throttle.io_service_bytes_recursive";
    const char *name = v2 ? (written ? " wbytes=" : " rbytes=") : (written ? " Write " : " Read ");
    const char *text = read_part(group, BE_GROUP_PART_IO, file, last);
    if (!text) {
        return NAN;
    }
    double sum = 0;
    for (const char *at = text; (at = strstr(at, name)) != NULL;) {
        at += strlen(name);
        sum += strtod(at, NULL);
    }
    return sum;
}

static double pressure(const struct be_group *group, const char *file, struct reading *last) {
    const char *text = read_part(group, BE_GROUP_PART_PRESSURE, file, last);
    return text ? be_pressure_total(text) : NAN;
}

/* Version 1 counts a kill for the group alone that the process was in, version 2 also for those above it:
 * the processes of a job are in groups of its steps and tasks. */
static double kills_below(const char *folder, int depth, int *capacity) {
    char text[256], below[4200];
    struct stat about;
    bool told = be_small_file(text, sizeof text, "%s/memory.oom_control", folder) > 0;
    double sum = told ? be_named_value(text, "oom_kill") : NAN;
    bool leaf = depth == 0 || stat(folder, &about) != 0 || about.st_nlink == 2; /* none below it */
    DIR *list = leaf ? NULL : opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;) {
        int length = snprintf(below, sizeof below, "%s/%s", folder, entry->d_name);
        bool group = entry->d_type == DT_DIR && entry->d_name[0] != '.';
        if (length > 0 && (size_t)length < sizeof below && group && *capacity > 0) {
            --*capacity;
            double kills = kills_below(below, depth - 1, capacity);
            sum = isnan(sum) ? kills : isnan(kills) ? sum : sum + kills;
        }
    }
    if (list) {
        closedir(list);
    }
    return sum;
}

static double oom_kills(const struct be_group *group, struct reading *last) {
    enum { DEPTH = 4, CAPACITY = 64 }; /* job, step, "user", task */
    const char *path = group->part[BE_GROUP_PART_MEMORY].path;
    char folder[4200];
    int capacity = CAPACITY;
    if (group->part[BE_GROUP_PART_MEMORY].v2 || !*path) { /* "": all of the machine */
        return count(group, &counted[BE_GROUP_VALUE_OOM_KILLS], last);
    }
    snprintf(folder, sizeof folder, "%s%s%s", group->files, group->part[BE_GROUP_PART_MEMORY].mount,
             path);
    return kills_below(folder, DEPTH, &capacity);
}

static double value_of(const struct be_group *group, enum be_group_value value,
                       struct reading *last) {
    switch (value) {
    case BE_GROUP_VALUE_OOM_KILLS:
        return oom_kills(group, last);
    case BE_GROUP_VALUE_READ:
        return transferred(group, false, last);
    case BE_GROUP_VALUE_WRITTEN:
        return transferred(group, true, last);
    case BE_GROUP_VALUE_PRESSURE_CPU:
        return pressure(group, "cpu.pressure", last);
    case BE_GROUP_VALUE_PRESSURE_MEMORY:
        return pressure(group, "memory.pressure", last);
    case BE_GROUP_VALUE_PRESSURE_IO:
        return pressure(group, "io.pressure", last);
    default:
        return count(group, &counted[value], last);
    }
}

void be_group_values(const struct be_group *group, double value[BE_GROUP_VALUES]) {
    struct reading last;
    last.file = NULL;
    for (int i = 0; i < BE_GROUP_VALUES; i++) {
        value[i] = value_of(group, (enum be_group_value)i, &last);
    }
}

double be_group_value(const struct be_group *group, enum be_group_value value) {
    struct reading last;
    last.file = NULL;
    return value_of(group, value, &last);
}

/* ---- what they allow ------------------------------------------------------------------------ */

static double cpus_at(const struct be_group *group, const char *path) {
    char quota[64], period[64];
    const char *mount = group->part[BE_GROUP_PART_CPU].mount;
    double cpus = 0;
    if (group->part[BE_GROUP_PART_CPU].v2) {
        if (be_small_file(quota, sizeof quota, "%s%s%s/cpu.max", group->files, mount, path) > 0) {
            cpus = be_cores_quota_v2(quota);
        }
    } else if (be_small_file(quota, sizeof quota, "%s%s%s/cpu.cfs_quota_us", group->files, mount,
                             path) > 0 &&
               be_small_file(period, sizeof period, "%s%s%s/cpu.cfs_period_us", group->files, mount,
                             path) > 0) {
        cpus = be_cores_quota_v1(quota, period);
    }
    return cpus > 0 ? cpus : NAN;
}

static double memory_at(const struct be_group *group, const char *path) {
    char text[64];
    const char *file =
        group->part[BE_GROUP_PART_MEMORY].v2 ? "memory.max" : "memory.limit_in_bytes";
    return be_small_file(text, sizeof text, "%s%s%s/%s", group->files,
                         group->part[BE_GROUP_PART_MEMORY].mount, path, file) > 0
               ? be_group_limit(text)
               : NAN;
}

/* The least from the group up to the mount: what holds for a group holds for those below it. */
static double min_above(const struct be_group *group, enum be_group_part part,
                        double (*at)(const struct be_group *group, const char *path)) {
    char path[BE_GROUP_PATH];
    if (!group->part[part].mount[0]) {
        return NAN;
    }
    be_copy_text(path, sizeof path, group->part[part].path);
    double min = at(group, path);
    for (char *slash; (slash = strrchr(path, '/')) != NULL;) {
        *slash = '\0';
        min = fmin(min, at(group, path)); /* of NAN: the other */
    }
    return min;
}

double be_group_cpus(const struct be_group *group) {
    return min_above(group, BE_GROUP_PART_CPU, cpus_at);
}

double be_group_memory(const struct be_group *group) {
    return min_above(group, BE_GROUP_PART_MEMORY, memory_at);
}
