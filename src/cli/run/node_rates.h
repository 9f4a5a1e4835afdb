/* The rates of this node's cores and of its GPU, by which the work of the GPU is held against cores. */
#ifndef BE_CLI_RUN_NODE_RATES_H
#define BE_CLI_RUN_NODE_RATES_H

#include "observe/trace.h"

/* Fills in trace->rates where a GPU is there and nobody has: from the profile of the node, else of one with the same CPU,
 * else as usual cores have them. */
void be_node_rates(struct be_trace *trace);

#endif
