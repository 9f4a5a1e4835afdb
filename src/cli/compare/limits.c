#include "cli/compare/limits.h"

#include <string.h>

enum be_status be_cli_limits_open(const char *machine, struct be_compare_options *options,
                                  struct be_cli_limits *limits, struct be_error *error) {
    enum be_status status = BE_OK;
    options->profile = limits->list;
    if (machine && strcmp(machine, "none") == 0) {
        return BE_OK;
    }
    if (machine) {
        status = be_profile_load(machine, &limits->one, error);
        limits->list[options->profiles++] = &limits->one;
        options->profile_asked = true;
        return status;
    }
    status = be_store_open(&limits->store, error);
    for (size_t i = 0; i < limits->store.count && options->profiles < BE_LIST_MAX; i++) {
        if (limits->store.stored[i].status == BE_OK) {
            limits->list[options->profiles++] = &limits->store.stored[i].profile;
        }
    }
    return status;
}

void be_cli_limits_close(struct be_cli_limits *limits) {
    be_store_close(&limits->store);
    be_profile_free(&limits->one);
}
