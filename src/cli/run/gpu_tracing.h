/*
 * --trace: the folder that a traced program's GPU records go to, and the environment that has CUDA load
 * the library that writes them.
 */
#ifndef BE_CLI_RUN_GPU_TRACING_H
#define BE_CLI_RUN_GPU_TRACING_H

#include "breakeven.h"
#include "cli/run/run_folder.h"

struct be_gpu_tracing {
    char folder[BE_RUN_FOLDER]; /* ours alone; empty: none was made */
    char variable[2][1280];     /* "NAME=value" */
    const char *environment[3]; /* both, then NULL: struct be_launch's `extra` */
};

/* BE_ABSENT: the library is not here. BE_USAGE: another tool is to be loaded already. */
enum be_status be_gpu_tracing_begin(struct be_gpu_tracing *tracing, struct be_error *error);
void be_gpu_tracing_end(
    const struct be_gpu_tracing *tracing); /* removes the folder; accepts a zeroed one */

#endif
