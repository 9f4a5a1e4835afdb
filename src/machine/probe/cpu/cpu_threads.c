/* The cost of giving work to a team of threads and waiting for its end. */
#include <math.h>

#include "machine/probe/cpu/cpu.h"

static void nothing(void *context, int member, int members) {
    (void)context;
    (void)member;
    (void)members;
}

static enum be_status fork_and_join(void *context, long times, struct be_error *error) {
    struct be_team *team = context;
    (void)error;
    for (long i = 0; i < times; i++) {
        be_team_run(team, nothing, NULL);
    }
    return BE_OK;
}

static enum be_status measure_team(struct be_probe *probe, const struct be_target *target,
                                   int threads, struct be_error *error) {
    if (threads == 1) { /* a team of one only calls */
        return BE_OK;
    }
    struct be_team *team;
    struct be_figure key = be_cpu_key(target, "fork_join", "", threads, NAN);
    enum be_status status = be_team_open(&probe->cores, threads, &team, error);
    if (status == BE_OK) {
        status = be_probe_measure(probe, target, &key, NAN, fork_and_join, team, error);
    }
    be_team_close(team);
    return status;
}

enum be_status be_probe_cpu_threads(struct be_probe *probe, const struct be_target *target,
                                    struct be_error *error) {
    return be_probe_each_count(probe, target, measure_team, error);
}
