#include "cli/predict/learn.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/input.h"
#include "cli/predict/here.h"
#include "elsewhere/files.h"
#include "report/store.h"

/* Results that travel, or a comparison that was saved. */
struct run {
    struct be_results results;
    struct be_saved saved;
    const struct be_machine *machine;
    const struct be_result *result;
    size_t count;
};

static enum be_status open_run(const char *path, struct run *run, struct be_error *error) {
    struct be_error why;
    FILE *in;
    if (be_results_open(path, &run->results, &why) == BE_OK) {
        run->machine = &run->results.machine;
        run->result = run->results.result;
        run->count = run->results.results;
        return BE_OK;
    }
    enum be_status status = be_input_open(path, &in, error);
    if (status) {
        return status;
    }
    status = be_saved_read(in, path, &run->saved, error);
    be_input_close(in);
    if (!status && (run->saved.is_profile || run->saved.trace)) {
        return be_fail(error, BE_USAGE,
                       "%.200s: holds no results of a comparison: --learn takes what `breakeven "
                       "compare --json=FILE` or --save-results wrote",
                       path);
    }
    run->machine = &run->saved.comparison.machine;
    run->result = run->saved.comparison.result;
    run->count = run->saved.comparison.results;
    return status;
}

static void close_run(struct run *run) {
    be_results_free(&run->results);
    be_saved_free(&run->saved);
}

static enum be_status open_profile(const char *machine, bool quiet, struct be_cli_learning *l,
                                   struct be_error *error) {
    const bool here = strcmp(machine, "here") == 0;
    l->profile = here ? &l->here.profile : &l->named;
    return here ? be_cli_here_open(&l->here, quiet, error)
                : be_profile_named(machine, &l->named, error);
}

/* The profile is called as its file is. */
static void name_after(const char *path, struct be_profile *profile) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const size_t length = strlen(name);
    const size_t kept = length > 5 && strcmp(name + length - 5, ".json") == 0 ? length - 5 : length;
    snprintf(profile->name, sizeof profile->name, "%.*s",
             (int)(kept < BE_NAME ? kept : BE_NAME - 1), name);
}

static enum be_status save(const char *to, struct be_profile *profile, struct be_error *error) {
    char path[BE_PATH];
    const bool file = strchr(to, '/') || strstr(to, ".json");
    if (!*to || strlen(to) >= sizeof path) {
        return be_fail(error, BE_USAGE, "--save: a name or a file of at most %zu signs is needed",
                       sizeof path - 1);
    }
    be_copy_text(path, sizeof path, to);
    enum be_status status = file ? BE_OK : be_store_path(to, path, error);
    if (!status) {
        name_after(path, profile);
        status = file ? BE_OK : be_store_try(path, error);
    }
    status = status ? status : be_store_save(profile, path, error);
    if (!status) {
        fprintf(stderr, "breakeven: the corrected profile is kept: %s\n", path);
    }
    return status;
}

enum be_status be_cli_learn(const char *results, const char *machine, const char *to, bool quiet,
                            struct be_cli_learning *l, struct be_error *error) {
    struct run run = {.machine = NULL};
    enum be_status status = open_run(results, &run, error);
    status = status ? status : open_profile(machine, quiet, l, error);
    status = status ? status
                    : be_profile_learn(l->profile, run.machine, run.result, run.count, &l->learned,
                                       error);
    status = status || !to ? status : save(to, l->profile, error);
    close_run(&run);
    return status;
}

void be_cli_learn_free(struct be_cli_learning *l) {
    be_profile_free(&l->here.profile);
    be_profile_free(&l->named);
}
