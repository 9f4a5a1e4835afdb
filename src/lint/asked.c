#include "lint/asked.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum be_status be_lint_level(const char *option, const char *text, const char *last, int *level,
                             struct be_error *error) {
    for (int i = 0; i < BE_SEVERITIES; i++) {
        if (strcmp(text, be_severity_word((enum be_severity)i)) == 0) {
            *level = i;
            return BE_OK;
        }
    }
    return be_fail(error, BE_USAGE, "%s %s: there are error, warning, advice%s", option, text,
                   last);
}

/* "22.05", "24.11.3" */
static enum be_status check_version(const char *dashes, const char *text, struct be_error *error) {
    char *end = NULL;
    if (!text || (strspn(text, "0123456789.") == strlen(text) && strtod(text, &end) >= 1)) {
        return BE_OK;
    }
    return be_fail(error, BE_USAGE, "%sslurm %s: a version such as 22.05 or 24.11 is needed",
                   dashes, text);
}

static enum be_status check_with(const char *dashes, const struct be_lint_options *options,
                                 struct be_error *error) {
    if (options->with && options->lsf) {
        return be_fail(error, BE_USAGE,
                       "%swith: has options of sbatch, and the script is for bsub (LSF)", dashes);
    }
    return options->with && strpbrk(options->with, "\r\n")
               ? be_fail(error, BE_USAGE, "%swith: is one line, as after sbatch: '--mem=4G -c 8'",
                         dashes)
               : BE_OK;
}

static enum be_status find_cluster(const char *dashes, struct be_lint_asked *asked,
                                   struct be_catalogue *catalogue, struct be_error *error) {
    struct be_lint_options *options = &asked->options;
    enum be_status status = be_catalogue_open(asked->catalogue, catalogue, error);
    status =
        status ? status : be_catalogue_find(catalogue, asked->cluster, &options->cluster, error);
    if (status) {
        return status;
    }
    const bool lsf = options->cluster->scheduler == BE_SCHEDULER_LSF;
    if (options->lsf && !lsf) {
        return be_fail(error, BE_USAGE, "%slsf: %s has Slurm", dashes, options->cluster->name);
    }
    options->lsf = lsf;
    return BE_OK;
}

enum be_status be_lint_asked_open(struct be_lint_asked *asked, struct be_catalogue *catalogue,
                                  enum be_severity *min, struct be_error *error) {
    const char *dashes = asked->typed ? "--" : "";
    int level = BE_ADVICE;
    enum be_status status = asked->show ? be_lint_level(asked->typed ? "--show" : "show",
                                                        asked->show, "", &level, error)
                                        : BE_OK;
    status = status ? status : check_version(dashes, asked->options.slurm, error);
    if (!status && asked->cluster) {
        status = find_cluster(dashes, asked, catalogue, error);
    }
    status = status ? status : check_with(dashes, &asked->options, error);
    status = status ? status : be_lint_check_names(asked->options.select, error);
    status = status ? status : be_lint_check_names(asked->options.ignore, error);
    *min = (enum be_severity)level;
    return status;
}
