/* Parts of work.h, from traces. */
#ifndef BE_CLI_DECIDE_WORK_RUN_H
#define BE_CLI_DECIDE_WORK_RUN_H

#include "cli/decide/work.h"

/* Cores: from the run that was asked about; and the GPU's time by --speedup. */
enum be_status be_cli_work_run(struct be_cli_work *work, struct be_error *error);
/* The GPU's time from a run of the version for GPUs. */
enum be_status be_cli_work_gpu_run(struct be_cli_work *work, struct be_error *error);

#endif
