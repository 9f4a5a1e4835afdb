/*
 * A cluster's record from what its Slurm says of itself: the output of
 *     scontrol show partition, scontrol show node (with or without -o), scontrol show config,
 *     sinfo -N -h -o "%N|%P|%c|%m|%d|%G|%l"
 * in any order; sinfo serves where the nodes are hidden from scontrol. Runs nothing itself.
 */
#ifndef BE_CLUSTER_DETECT_H
#define BE_CLUSTER_DETECT_H

#include "cluster/cluster.h"

/* The format of sinfo that is understood. */
#define BE_DETECT_SINFO "%N|%P|%c|%m|%d|%G|%l"

/* `output`: what the commands wrote, each whole; `name`: of each, for messages. `cluster_name` NULL:
 * the configuration's. `date`: today, ISO 8601. BE_USAGE: that is no output of these commands, or
 * there is no partition, or no node. *cluster owns memory. */
enum be_status be_cluster_detect(const struct be_text *output, const char *const *name,
                                 size_t outputs, const char *cluster_name, const char *date,
                                 struct be_cluster *cluster, struct be_error *error);

#endif
