/* Rates of the CPU's memory and caches: the triad and a copy beyond all caches, and over working
 * sets from a few KB on what is fastest of the triad, a scale and a sum, and an update in place. */
#include <math.h>

#include "base/error.h"
#include "machine/ceilings.h"
#include "machine/cpu_arrays.h"
#include "machine/probe/cpu/cpu.h"

/* A pass over all of the arrays, long enough that a start and an end do not count. */
static enum be_status measure_beyond(struct be_probe *probe, const struct be_target *target,
                                     struct be_team *team, const struct be_cpu_arrays *arrays,
                                     bool copy, struct be_error *error) {
    const double run_s = probe->options->quick ? 1e-3 : 10e-3;
    const struct be_cpu_pass pass = {.n = arrays->n,
                                     .kind = copy ? BE_PASS_COPY : BE_PASS_TRIAD,
                                     .stores = BE_STORES_NONTEMPORAL,
                                     .run_s = run_s};
    struct be_figure key = be_cpu_key(target, copy ? "copy" : "triad", "", be_team_size(team),
                                      (copy ? 2.0 : 3.0) * sizeof(float) * (double)arrays->n);
    struct be_samples seconds = {0};
    double bytes;
    enum be_status status = be_cpu_arrays_sample(team, arrays, &pass, &probe->clock, &probe->rule,
                                                 &seconds, &bytes, error);
    status = status == BE_OK ? be_probe_add(probe, &key, bytes, &seconds, error) : status;
    be_samples_free(&seconds);
    return status == BE_OK ? be_probe_pause(probe, error) : status;
}

struct sets {
    struct be_probe *probe;
    const struct be_target *target;
    int threads;
};

static enum be_status keep_set(void *context, const struct be_ceiling_samples *samples,
                               struct be_error *error) {
    const struct sets *s = context;
    struct be_figure key = be_cpu_key(s->target, samples->update ? "update_set" : "working_set", "",
                                      s->threads, samples->set_bytes);
    be_copy_text(key.note, sizeof key.note, be_stores_name[samples->stores]);
    enum be_status status = be_probe_add(s->probe, &key, samples->bytes, &samples->seconds, error);
    return status == BE_OK ? be_probe_pause(s->probe, error) : status;
}

static enum be_status measure_team(struct be_probe *probe, const struct be_target *target,
                                   int threads, struct be_error *error) {
    const double cache = probe->cores.cache_bytes;
    struct be_cpu_arrays arrays = {0};
    struct be_team *team = NULL;
    enum be_status status = be_team_open(&probe->cores, threads, &team, error);
    if (status == BE_OK) {
        status = be_cpu_arrays_open(team, be_cpu_arrays_beyond(cache), &arrays, error);
    }
    status = status == BE_OK ? measure_beyond(probe, target, team, &arrays, false, error) : status;
    status = status == BE_OK ? measure_beyond(probe, target, team, &arrays, true, error) : status;
    be_cpu_arrays_close(&arrays);
    if (status == BE_OK && (threads == 1 || threads == probe->cores.count)) {
        struct sets sets = {probe, target, threads};
        status = be_ceilings_cpu_sets(team, cache, probe->options->quick ? 5e-3 : 40e-3, INFINITY,
                                      (struct be_cancel){0}, keep_set, &sets, error);
    }
    be_team_close(team);
    return status;
}

enum be_status be_probe_cpu_memory(struct be_probe *probe, const struct be_target *target,
                                   struct be_error *error) {
    return be_probe_each_count(probe, target, measure_team, error);
}
