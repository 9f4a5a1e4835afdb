/*
 * A team of threads, each pinned to a core of its own. The caller is member 0. One team computes and copies, so
 * that two pools never fight for the same cores. The team is the library's own, so that the OpenMP threads of the
 * program around the library are neither pinned nor stopped.
 *
 * It does not know what it runs. A team does one run at a time. Threads do not share a team.
 */
#ifndef BE_HOST_TEAM_H
#define BE_HOST_TEAM_H

#include <stddef.h>

#include "host/cores.h"

struct be_team;

/* threads: 1 .. BE_CORES_MAX; more threads than cores share cores in turn. The calling thread
 * is pinned until be_team_close gives its old affinity back. */
enum be_status be_team_open(const struct be_cores *cores, int threads, struct be_team **team,
                            struct be_error *error);
void be_team_close(struct be_team *team); /* accepts NULL */

int be_team_size(const struct be_team *team);

/* Calls work(context, member, members) on every member and returns when all have. */
void be_team_run(struct be_team *team, void (*work)(void *context, int member, int members),
                 void *context);

/* Within work: waits until all members have come here. */
void be_team_barrier(struct be_team *team);

/* Member's share [first, first + count) of `items`, in whole multiples of `grain` but the last. */
void be_team_share(size_t items, size_t grain, int member, int members, size_t *first,
                   size_t *count);

#endif
