/*
 * Does a cluster's record hang together? The things it names must be there, and names that end up
 * in job scripts must be names.
 */
#ifndef BE_CLUSTER_CHECK_H
#define BE_CLUSTER_CHECK_H

#include "cluster/cluster.h"

/* False: `key` ("gpus[2].of") and what is wrong with it. Fills in what follows from the rest: the
 * share of a whole GPU. */
bool be_cluster_check(struct be_cluster *cluster, char key[BE_NAME], char what[BE_NOTE]);

#endif
