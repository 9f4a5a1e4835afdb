#include "cli/ask/machines.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "elsewhere/elsewhere.h"

/* A large GPU, the usual one, a small one: as of `predict`. */
static const char *const usual[] = {"h200", "a100-80", "t4"};

static bool has_cpu(const struct be_results *times) {
    for (size_t i = 0; i < times->results; i++) {
        if (times->result[i].threads == 1) {
            return true;
        }
    }
    return false;
}

/* Scaled times are those of a GPU alone: the CPU's are of the machine that they were scaled from. */
static enum be_status scale_of(const char *name, const struct be_there *there,
                               struct be_ask_scale *scale, struct be_error *error) {
    struct be_results other = {0};
    enum be_status status = BE_OK;
    const struct be_results *cpu = &there->times;
    if (!be_there_has_gpu_times(there)) {
        return be_fail(error, BE_ABSENT,
                       "machine %.60s: there are neither times of it nor any to scale for it: "
                       "`breakeven machines` lists what is here",
                       name);
    }
    if (!has_cpu(cpu) || *there->cpu_scaled_from) {
        status = be_results_load(there->scaled_from, &other, error);
        cpu = &other;
    }
    status = status ? status : be_ask_scale_of(cpu, &there->times, scale, error);
    be_results_free(&other);
    struct be_error no_place = {0}; /* recorded calls are judged by ratios, then */
    scale->has_place = !status && there->profile &&
                       be_predict_gpu_place(there->profile, &scale->place, &no_place) == BE_OK;
    be_copy_text(scale->name, sizeof scale->name, name);
    be_copy_text(scale->scaled_from, sizeof scale->scaled_from, there->scaled_from);
    return status;
}

enum be_status be_ask_machines_open(const char *const *name, int names, struct be_ask_scale **made,
                                    int *count, struct be_error *error) {
    const char *const *asked = names ? name : usual;
    enum be_status status = BE_OK;
    *count = names ? names : (int)BE_COUNT(usual);
    *made = calloc((size_t)*count, sizeof **made);
    if (!*made) {
        return be_fail(error, BE_NOMEM, "no host memory for machines");
    }
    for (int i = 0; i < *count && !status; i++) {
        struct be_there there = {0};
        status = be_there_open(asked[i], &there, error);
        status = status ? status : scale_of(asked[i], &there, &(*made)[i], error);
        be_there_close(&there);
    }
    if (status) {
        free(*made);
        *made = NULL;
        *count = 0;
    }
    return status;
}
