/* The program's control group as a source. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "observe/process/group.h"
#include "observe/process/job_group.h"
#include "observe/process/tree.h"
#include "observe/sources/sources.h"

struct cgroup {
    const struct be_watched *watched;
    double looked_s; /* when it was last seen where the program's processes are */
    struct be_group group;
    struct be_group job; /* the same, cut to the batch job's */
    bool of_job;         /* it has memory of its own */
    char detail[BE_NOTE];
    double before[BE_GROUP_VALUES];
};

static void close_cgroup(void *self) {
    free(self);
}

static enum be_status open_cgroup(const struct be_watched *watched, void **self,
                                  struct be_error *error) {
    struct cgroup *cgroup = calloc(1, sizeof *cgroup);
    if (!cgroup) {
        return be_fail(error, BE_NOMEM, "cgroup: out of memory");
    }
    cgroup->watched = watched;
    enum be_status status =
        be_group_find(watched->files, watched->node ? 1 : watched->root, &cgroup->group, error);
    if (status != BE_OK) {
        free(cgroup);
        return status;
    }
    cgroup->job = cgroup->group;
    for (int i = 0; i < BE_GROUP_PARTS; i++) {
        bool cut = be_job_group_cut(cgroup->job.part[i].path);
        cgroup->of_job |= cut && i == BE_GROUP_PART_MEMORY;
    }
    if (watched->job) {
        cgroup->group = cgroup->job;
    }
    be_group_describe(&cgroup->group, cgroup->detail, sizeof cgroup->detail);
    be_group_values(&cgroup->group, cgroup->before);
    *self = cgroup;
    return BE_OK;
}

/* Counters of seconds give shares and cores a second, others things a second. */
static const struct {
    enum be_group_value value;
    enum be_signal signal;
} rates[] = {
    {BE_GROUP_VALUE_CPU, BE_GROUP_CPU},
    {BE_GROUP_VALUE_THROTTLED, BE_GROUP_THROTTLED},
    {BE_GROUP_VALUE_READ, BE_GROUP_READ},
    {BE_GROUP_VALUE_WRITTEN, BE_GROUP_WRITTEN},
    {BE_GROUP_VALUE_OOM_KILLS, BE_GROUP_OOM_KILLS},
    {BE_GROUP_VALUE_REFAULTS, BE_GROUP_REFAULTS},
    {BE_GROUP_VALUE_PRESSURE_CPU, BE_GROUP_PRESSURE_CPU},
    {BE_GROUP_VALUE_PRESSURE_MEMORY, BE_GROUP_PRESSURE_MEMORY},
    {BE_GROUP_VALUE_PRESSURE_IO, BE_GROUP_PRESSURE_IO},
};

/* The process that has most CPU time, if that is most of what all have; NULL: none. */
static const struct be_member *busiest(const struct be_watched *watched) {
    int members = 0;
    double all_s = 0;
    const struct be_member *member =
        watched->tree ? be_tree_members(watched->tree, &members) : NULL;
    const struct be_member *most = NULL;
    for (int i = 0; i < members; i++) {
        all_s += member[i].cpu_s;
        most = !most || member[i].cpu_s > most->cpu_s ? &member[i] : most;
    }
    return most && most->cpu_s > 0.5 * all_s ? most : NULL;
}

/* The launcher of the program may put it into a group of its own, whose limits are then what holds for it. */
static bool follow(struct cgroup *cgroup, double now_s) {
    static const double again_s = 1;
    const struct be_watched *watched = cgroup->watched;
    struct be_group group;
    const struct be_member *most;
    if (watched->node || watched->job || now_s - cgroup->looked_s < again_s ||
        !(most = busiest(watched))) {
        return false;
    }
    cgroup->looked_s = now_s;
    if (be_group_find(watched->files, most->stat.pid, &group, NULL) != BE_OK ||
        be_group_is(&group, &cgroup->group)) {
        return false;
    }
    cgroup->group = group;
    be_group_describe(&group, cgroup->detail, sizeof cgroup->detail);
    be_group_values(&group, cgroup->before);
    return true;
}

static enum be_status sample_cgroup(void *self, const struct be_moment *moment,
                                    struct be_sink *sink, struct be_error *error) {
    (void)error;
    struct cgroup *cgroup = self;
    double now[BE_GROUP_VALUES], grown[BE_GROUP_VALUES];
    if (follow(cgroup, moment->now_s)) { /* what it counts is told from the next tick on */
        sink->limited = true;
        sink->cpus_quota = be_group_cpus(&cgroup->group);
        sink->memory_bytes = be_group_memory(&cgroup->group);
        return BE_OK;
    }
    be_group_values(&cgroup->group, now);
    for (int i = 0; i < BE_GROUP_VALUES; i++) {
        grown[i] = now[i] - cgroup->before[i];
        cgroup->before[i] = now[i];
    }
    double length_s = moment->now_s - moment->from_s;
    for (size_t i = 0; i < BE_COUNT(rates); i++) {
        double rate = fmax(grown[rates[i].value], 0) / length_s;
        bool known = !isnan(grown[rates[i].value]);
        bool share = be_signals[rates[i].signal].unit == BE_IN_SHARE;
        if (known) {
            be_sink_put(sink, rates[i].signal, 0, share ? fmin(rate, 1) : rate);
        } else {
            be_sink_absent(sink, rates[i].signal, "this control group does not tell it");
        }
    }
    double periods = grown[BE_GROUP_VALUE_PERIODS];
    be_sink_put(sink, BE_GROUP_THROTTLED_PERIODS, 0,
                periods > 0 ? grown[BE_GROUP_VALUE_THROTTLED_PERIODS] / periods : NAN);
    be_sink_put(sink, BE_GROUP_MEMORY, 0, now[BE_GROUP_VALUE_MEMORY]);
    if (cgroup->of_job) {
        be_sink_put(sink, BE_JOB_MEMORY, 0, be_group_value(&cgroup->job, BE_GROUP_VALUE_MEMORY));
    }
    be_copy_text(sink->detail, sizeof sink->detail, cgroup->detail);
    sink->totals = true;
    sink->total = be_trace_no_totals;
    sink->total.peak_group_bytes = now[BE_GROUP_VALUE_PEAK];
    return BE_OK;
}

const struct be_signal_source be_signal_source_cgroup = {
    .name = "cgroup",
    .summary = "the control group that the program runs in, and who shares it",
    .open = open_cgroup,
    .sample = sample_cgroup,
    .close = close_cgroup,
};
