#include "cli/compare/elsewhere.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "elsewhere/elsewhere.h"
#include "elsewhere/files.h"
#include "report/common/shelves.h"

/* A large GPU, the usual one, a small one. */
static const char *const usual[] = {"h100", "a100-80", "t4"};

static bool is_none(const struct be_cli_elsewhere *asked) {
    return asked->names == 1 && strcmp(asked->name[0], "none") == 0;
}

enum be_status be_cli_elsewhere_check(const struct be_cli_elsewhere *asked,
                                      const char *save_results, struct be_error *error) {
    enum be_status status = BE_OK;
    char path[BE_PATH];
    for (int i = 0; status == BE_OK && i < asked->names && !is_none(asked); i++) {
        struct be_results there = {0};
        status = be_results_load(asked->name[i], &there, error);
        be_results_free(&there);
    }
    if (status == BE_OK && save_results) {
        status = be_shelves_path(&be_shelf_results, save_results, path, error);
    }
    return status;
}

static bool has_gpu(const struct be_machine *machine) {
    bool any = false;
    for (int i = 0; i < machine->devices; i++) {
        any |= machine->device[i].kind == BE_KIND_GPU;
    }
    return any;
}

/* Nobody asked for these, so one that is not known is no error. */
static void add_usual(struct be_comparison *comparison) {
    for (size_t i = 0; i < BE_COUNT(usual); i++) {
        struct be_results there = {0};
        struct be_error why = {0};
        if (be_results_load(usual[i], &there, &why) == BE_OK) {
            be_comparison_add_results(comparison, &there, &why);
        }
        be_results_free(&there);
    }
}

/* Code of the user's own of which no other machine can have times. */
static bool is_own_alone(const struct be_compare_options *options,
                         const struct be_comparison *comparison) {
    bool own = options->owns > 0 && options->workloads == 0;
    for (size_t i = 0; i < comparison->results; i++) {
        own = own && !*comparison->result[i].like;
    }
    return own;
}

/* The way to an answer without a GPU: the counts of the largest size, as `predict` takes them. */
static enum be_status say_predict(struct be_comparison *comparison, struct be_error *error) {
    const struct be_result *r = NULL;
    for (size_t i = 0; i < comparison->results; i++) {
        const struct be_result *at = &comparison->result[i];
        r = at->status == BE_RESULT_OK && (!r || at->size > r->size) ? at : r;
    }
    if (!r) {
        return BE_OK;
    }
    char flops[BE_NAME] = "", text[BE_NOTE];
    if (r->operations > 0) {
        snprintf(flops, sizeof flops, " --flops=%.0f", r->operations);
    }
    snprintf(
        text, sizeof text,
        "no GPU is here to run it, and other machines have no times of it. Its counts foretell "
        "the call of %s %llu: `breakeven predict%s --bytes=%.0f --transfer=%.0f --type=%.8s "
        "--machine=h100`",
        r->size_name, (unsigned long long)r->size, flops, r->bytes, r->bytes,
        strcmp(r->dtype, "float64") == 0 ? "float64" : "float32");
    return be_comparison_remark(comparison, text, error);
}

enum be_status be_cli_elsewhere_add(const struct be_cli_elsewhere *asked,
                                    const struct be_compare_options *options,
                                    struct be_comparison *comparison, struct be_error *error) {
    enum be_status status = BE_OK;
    if (!is_none(asked) && options->devices == 0 && !has_gpu(&comparison->machine)) {
        if (is_own_alone(options, comparison)) {
            status = say_predict(comparison, error);
        } else if (!asked->names) {
            add_usual(comparison);
        }
    }
    for (int i = 0; status == BE_OK && i < asked->names && !is_none(asked); i++) {
        struct be_results there = {0};
        status = be_results_load(asked->name[i], &there, error);
        status = status == BE_OK ? be_comparison_add_results(comparison, &there, error) : status;
        be_results_free(&there);
    }
    return status;
}

enum be_status be_cli_save_results(const struct be_comparison *comparison, const char *name,
                                   struct be_error *error) {
    struct be_results results = {0};
    char path[BE_PATH];
    enum be_status status = be_results_of(comparison, name, &results, error);
    status = status == BE_OK ? be_shelves_path(&be_shelf_results, name, path, error) : status;
    status = status == BE_OK ? be_results_save(&results, path, error) : status;
    if (status == BE_OK) {
        fprintf(stderr, "breakeven: %zu times kept: %s\n", results.results, path);
    }
    be_results_free(&results);
    return status;
}
