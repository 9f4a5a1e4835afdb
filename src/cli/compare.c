/* breakeven compare [WORKLOAD...] */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"

enum key {
    DEVICE = 'd',
    THREADS = 't',
    SIZE = 'n',
    QUIET = 'q',
    JSON = 256,
    CSV,
    PLACEMENT,
    CACHE,
    SEED,
    BUDGET,
    ASYNC,
    SELF_TEST,
    NO_REFINE,
    ORDER
};

static const struct argp_option option[] = {
    {"size", SIZE, "LIST|A..B", 0, "Elements: a list, or a range in steps of 1, 3, 10", 1},
    {"device", DEVICE, "LIST", 0, "cpu, cuda, opencl, cuda:0; the CPU is always measured too", 1},
    {"threads", THREADS, "LIST", 0, "Thread counts of the CPU cases (default: 1 and all)", 1},
    {"placement", PLACEMENT, "LIST", 0, "Of copy, preload, resident (default: all)", 1},
    {"cache", CACHE, "WHICH", 0, "hot, cold or both: were the data in a cache? (default: both)", 1},
    {"seed", SEED, "N", 0, "Seed of the inputs (default: 1)", 1},
    {"budget", BUDGET, "SECONDS", 0, "Sampling time a case (default: 0.5)", 2},
    {"order", ORDER, "WHICH", 0, "fixed or shuffle: cases of a size in turn (default: fixed)", 2},
    {"no-refine", NO_REFINE, NULL, 0, "Only these sizes: no bisection towards the break-even", 2},
    {"show-async", ASYNC, NULL, 0, "Add the row of a clock read before the device was done", 2},
    {"self-test", SELF_TEST, "PAIRS", OPTION_ARG_OPTIONAL,
     "Compare a case with itself; it must come out the same (default: 20 pairs)", 2},
    {"json", JSON, "FILE", OPTION_ARG_OPTIONAL, "Results as JSON (no FILE: instead of the table)",
     3},
    {"csv", CSV, "FILE", OPTION_ARG_OPTIONAL, "Results as CSV (no FILE: instead of the table)", 3},
    {"quiet", QUIET, NULL, 0, "No progress", 3},
    {0},
};

struct asked {
    struct be_compare_options compare;
    struct be_cli_outputs outputs;
    bool quiet;
    int pairs; /* of --self-test; 0: not asked for */
    struct be_error error;
};

static enum be_status set_order(struct asked *asked, const char *text) {
    asked->compare.shuffle = strcmp(text, "shuffle") == 0;
    return asked->compare.shuffle || strcmp(text, "fixed") == 0
               ? BE_OK
               : be_fail(&asked->error, BE_USAGE, "--order %s: there are fixed, shuffle", text);
}

static enum be_status set_pairs(struct asked *asked, const char *text) {
    uint64_t pairs = 20;
    enum be_status status =
        text ? be_cli_whole("--self-test", text, 1, &pairs, &asked->error) : BE_OK;
    if (status == BE_OK && pairs > 100000) {
        status = be_fail(&asked->error, BE_USAGE, "--self-test %s: at most 100000 pairs", text);
    }
    asked->pairs = (int)pairs;
    return status;
}

static enum be_status set_output(struct be_cli_output *output, const char *file) {
    output->asked = true;
    output->file = file;
    return BE_OK;
}

static enum be_status add_workload(struct asked *asked, const char *name) {
    struct be_compare_options *options = &asked->compare;
    if (options->workloads == BE_LIST_MAX) {
        return be_fail(&asked->error, BE_USAGE, "at most %d workloads", (int)BE_LIST_MAX);
    }
    options->workload[options->workloads++] = name;
    return BE_OK;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct asked *asked = state->input;
    struct be_compare_options *o = &asked->compare;
    struct be_error *e = &asked->error;
    enum be_status status = BE_OK;
    switch (key) {
    case SIZE:
        status = be_cli_sizes(text, o, e);
        break;
    case DEVICE:
        status = be_cli_names("--device", text, o->device, &o->devices, e);
        break;
    case THREADS:
        status = be_cli_threads(text, o, e);
        break;
    case PLACEMENT:
        status = be_cli_placements(text, o, e);
        break;
    case CACHE:
        status = be_cli_caches(text, o, e);
        break;
    case SEED:
        status = be_cli_whole("--seed", text, 1, &o->seed, e);
        break;
    case BUDGET:
        status = be_cli_seconds(text, &o->budget_s, e);
        break;
    case ORDER:
        status = set_order(asked, text);
        break;
    case NO_REFINE:
        o->no_refine = true;
        break;
    case ASYNC:
        o->show_async = true;
        break;
    case SELF_TEST:
        status = set_pairs(asked, text);
        break;
    case JSON:
        status = set_output(&asked->outputs.json, text);
        break;
    case CSV:
        status = set_output(&asked->outputs.csv, text);
        break;
    case QUIET:
        asked->quiet = true;
        break;
    case ARGP_KEY_ARG:
        status = add_workload(asked, text);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return status == BE_OK ? 0 : EINVAL;
}

/* A list of workloads for --help comes from the library. */
static char *help(int key, const char *text, void *input) {
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC) {
        return (char *)text;
    }
    char *list = NULL;
    size_t room = 0;
    FILE *out = open_memstream(&list, &room);
    const char *name;
    const char *summary;
    fprintf(out, "Workloads (default: all):\n");
    for (int i = 0; be_workload_describe(i, &name, &summary); i++) {
        fprintf(out, "  %-12s %s\n", name, summary);
    }
    fclose(out);
    return list;
}

static bool failed_a_check(const struct be_comparison *comparison) {
    for (size_t i = 0; i < comparison->results; i++) {
        const struct be_result *r = &comparison->result[i];
        bool counted = strcmp(r->variant, "as-published") != 0;
        if (counted && (r->status == BE_RESULT_WRONG || r->status == BE_RESULT_IMPOSSIBLE)) {
            return true;
        }
    }
    return false;
}

static int self_test(struct asked *asked) {
    struct be_self_test test;
    enum be_status status =
        be_compare_self_test(&asked->compare, asked->pairs, &test, &asked->error);
    be_cli_progress_clear();
    if (status != BE_OK) {
        return be_cli_fail(&asked->error);
    }
    printf("a case against itself, %d pairs each\n", test.pairs);
    printf("%-12s %8s %8s %8s   (same: within 2 %%, beyond doubt)\n", "device", "same", "differ",
           "unclear");
    int differ = 0;
    for (int i = 0; i < test.devices; i++) {
        printf("%-12s %8d %8d %8d   %s\n", test.device[i].id, test.same[i], test.differ[i],
               test.close[i], test.device[i].name);
        differ += test.differ[i];
    }
    return differ ? BE_EXIT_WRONG : BE_EXIT_OK;
}

int be_cli_compare(int argc, char **argv) {
    static const struct argp argp = {
        option,
        parse,
        "[WORKLOAD...]",
        "Run workloads here, on every device and placement, over sizes; find the size from "
        "which the GPU stays ahead of the best CPU.\v",
        NULL,
        help,
        NULL};
    struct asked asked = {0};
    struct be_comparison comparison = {0};
    argp_err_exit_status = BE_EXIT_USAGE;
    if (argp_parse(&argp, argc, argv, 0, NULL, &asked) != 0) {
        return be_cli_fail(&asked.error);
    }
    asked.compare.cancelled = be_cli_interrupted;
    asked.compare.progress = asked.quiet ? NULL : be_cli_progress;
    be_cli_catch_interrupt();
    if (asked.pairs) {
        return self_test(&asked);
    }
    int code = BE_EXIT_OK;
    enum be_status status = be_cli_outputs_open(&asked.outputs, &asked.error);
    if (status == BE_OK) {
        status = be_compare(&asked.compare, &comparison, &asked.error);
        be_cli_progress_clear();
    }
    if (status == BE_OK) {
        status = be_cli_outputs_write(&asked.outputs, &comparison, &asked.error);
        code = comparison.partial            ? BE_EXIT_INTERRUPTED
               : failed_a_check(&comparison) ? BE_EXIT_WRONG
                                             : BE_EXIT_OK;
    }
    be_cli_outputs_close(&asked.outputs);
    be_comparison_free(&comparison);
    return status == BE_OK ? code : be_cli_fail(&asked.error);
}
