#include "cli/predict/here.h"

#include "cli/common/terminal.h"

struct be_probe_options be_cli_probing(bool quiet) {
    return (struct be_probe_options){
        .progress = quiet ? NULL : be_cli_progress,
        .cancelled = be_cli_interrupted,
    };
}

enum be_status be_cli_here_open(struct be_here *here, bool quiet, struct be_error *error) {
    const struct be_probe_options how = be_cli_probing(quiet);
    const enum be_status status = be_here_open(here, &how, error);
    be_cli_progress_clear();
    return status;
}
