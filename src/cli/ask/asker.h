/* The look of `breakeven ask` at its command: samples while it runs, the answer at its end. */
#ifndef BE_CLI_ASK_ASKER_H
#define BE_CLI_ASK_ASKER_H

#include "ask/ask.h"
#include "ask/gpu_library.h"
#include "ask/scale.h"
#include "cli/run/report.h"
#include "sample/sample.h"

struct be_cli_asker {
    struct be_run_output output, json; /* output: none: standard error */
    bool only_json;                    /* JSON, and not text, to `output` */
    char command[BE_NOTE];
    struct be_sampling *sampling; /* NULL: the kernel does not allow it */
    struct be_error unsampled;    /* why not */
    struct be_ask_scale *scale;   /* of each machine that is asked about; NULL: the usual ones */
    int scales;
    const struct be_gpu_library *with; /* of the version for a GPU; NULL: not said */
    bool answered;
    const struct be_samples_taken *taken; /* at the end of the command; NULL: there are none */
    struct be_run_look look;
};

/* Opens the samples (options NULL: none), and fills in `look`. That nothing can be sampled is no reason not to run. */
void be_cli_asker_open(const struct be_sampling_options *options, struct be_cli_asker *asker);
/* At the end of the command, once: its time by kinds of work. */
enum be_status be_cli_asker_sum(struct be_cli_asker *asker, const struct be_trace *trace,
                                struct be_ask *ask, struct be_error *error);
void be_cli_asker_close(struct be_cli_asker *asker);

#endif
