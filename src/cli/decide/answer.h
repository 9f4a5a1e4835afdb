/* From what is asked to a ranking of places. */
#ifndef BE_CLI_DECIDE_ANSWER_H
#define BE_CLI_DECIDE_ANSWER_H

#include "cli/decide/places.h"
#include "cli/decide/waits.h"

enum { BE_CLI_CLUSTERS_MAX = 16 };

struct be_cli_decide_asked {
    struct be_cli_work_asked work;
    const char *const *on; /* clusters, or "here" */
    int ons;
    const char *const *accounting; /* "FILE", of the first cluster, or "CLUSTER=FILE" */
    int accountings;
    bool live;            /* ask the Slurm here about the first cluster */
    const char *deadline; /* a moment, or NULL */
    double within_s;      /* from now; 0: not said */
    const char *account;  /* of the jobs */
    char *const *command;
    int words;
    const char *catalogue;
    bool quiet;
};

/* Zero-initialise; close accepts what make left. */
struct be_cli_decide {
    struct be_cli_work work;
    struct be_catalogue catalogue;
    struct be_cli_places places;
    struct be_cli_waits waits[BE_CLI_CLUSTERS_MAX];
    int clusters;
    struct be_decide_table table;
};

enum be_status be_cli_decide_make(const struct be_cli_decide_asked *asked,
                                  struct be_cli_decide *decide, struct be_error *error);
void be_cli_decide_close(struct be_cli_decide *decide);

/* The job of the place that is first, as a script; `file`: its name, for the line that says how to submit it. BE_USAGE:
 * the first place is here, where no job is needed. */
enum be_status be_cli_decide_job(const struct be_cli_decide *decide, const char *file,
                                 struct be_text *text, struct be_error *error);

#endif
