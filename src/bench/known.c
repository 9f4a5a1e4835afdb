#include "bench/known.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "builtin/builtin.h"

const struct be_workload *be_known_find(const struct be_known *known, const char *name) {
    for (int i = 0; i < known->workloads; i++) {
        if (strcmp(known->workload[i]->name, name) == 0) {
            return known->workload[i];
        }
    }
    return NULL;
}

static int builtins(void) {
    int count = 0;
    while (be_workloads[count]) {
        count++;
    }
    return count;
}

static enum be_status add_own(struct be_known *known, const struct be_computation *computation,
                              struct be_error *error) {
    struct be_own *own = NULL;
    enum be_status status = be_own_open(computation, &own, error);
    if (status == BE_OK &&
        (be_known_find(known, computation->name) || be_workload_find(computation->name))) {
        be_own_close(own);
        return be_fail(error, BE_USAGE,
                       "workload %.60s: there is one of that name already: give it another",
                       computation->name);
    }
    if (status == BE_OK) {
        known->own[known->owns++] = own;
        known->workload[known->workloads++] = be_own_workload(own);
    }
    return status;
}

enum be_status be_known_open(const struct be_compare_options *options, struct be_known *known,
                             struct be_error *error) {
    const int all = builtins();
    *known = (struct be_known){0};
    if (options->owns < 0 || options->owns > BE_LIST_MAX || (options->owns > 0 && !options->own)) {
        return be_fail(error, BE_USAGE, "%d workloads of your own: at most %d (BE_LIST_MAX)",
                       options->owns, (int)BE_LIST_MAX);
    }
    known->workload = calloc((size_t)(options->owns + all) + 1, sizeof(const struct be_workload *));
    known->own = calloc((size_t)options->owns + 1, sizeof *known->own);
    if (!known->workload || !known->own) {
        return be_fail(error, BE_NOMEM, "no host memory for a list of workloads");
    }
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < options->owns; i++) {
        status = add_own(known, options->own[i], error);
    }
    for (int i = 0; status == BE_OK && i < all; i++) {
        known->workload[known->workloads++] = be_workloads[i];
    }
    return status;
}

void be_known_close(struct be_known *known) {
    for (int i = 0; i < known->owns; i++) {
        be_own_close(known->own[i]);
    }
    free(known->own);
    free(known->workload);
    *known = (struct be_known){0};
}
