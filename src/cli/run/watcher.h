/* The process that watches the command of `breakeven run`. */
#ifndef BE_CLI_RUN_WATCHER_H
#define BE_CLI_RUN_WATCHER_H

#include "cli/run/launch.h"
#include "cli/run/report.h"

/* be_watch_job.run; its context: struct be_run_options. */
int be_watcher_run(const struct be_watch_job *job, int messages, int heard);

#endif
