/* The machine here, measured before somebody who waits: progress is shown, and Ctrl-C ends it. */
#ifndef BE_CLI_PREDICT_HERE_H
#define BE_CLI_PREDICT_HERE_H

#include "question/profiles.h"

struct be_probe_options be_cli_probing(bool quiet);

/* be_here_open so. */
enum be_status be_cli_here_open(struct be_here *here, bool quiet, struct be_error *error);

#endif
