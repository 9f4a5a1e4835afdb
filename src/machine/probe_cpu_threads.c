/* What giving work to a team of threads and awaiting its end costs. */
#include <math.h>

#include "machine/probe_cpu.h"

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

enum be_status be_probe_cpu_threads(struct be_probe *probe, const struct be_target *target,
                                    struct be_error *error) {
    int count[BE_COUNTS_MAX];
    int counts = be_probe_counts(probe, count);
    enum be_status status = BE_OK;
    for (int i = 0; i < counts && status == BE_OK; i++) {
        if (count[i] == 1) { /* a team of one only calls */
            continue;
        }
        struct be_team *team;
        struct be_figure key = be_cpu_key(target, "fork_join", "", count[i], NAN);
        status = be_team_open(&probe->cores, count[i], &team, error);
        if (status == BE_OK) {
            status = be_probe_measure(probe, target, &key, NAN, fork_and_join, team, error);
        }
        be_team_close(team);
    }
    return status;
}
