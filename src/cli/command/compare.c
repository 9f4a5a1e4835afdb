/* breakeven compare [WORKLOAD...] */
#include <string.h>

#include "base/error.h"
#include "bench/choose.h"
#include "cli/command/command.h"
#include "cli/compare/limits.h"
#include "cli/compare/elsewhere.h"
#include "cli/common/chart.h"
#include "cli/common/fail.h"
#include "cli/compare/formula.h"
#include "cli/compare/kernel.h"
#include "cli/compare/outcome.h"
#include "cli/compare/self_test.h"
#include "cli/compare/programs.h"
#include "cli/common/output.h"
#include "cli/common/parameters.h"
#include "cli/common/parse.h"
#include "cli/common/settings.h"
#include "cli/common/terminal.h"
#include "cli/common/values.h"
#include "cli/compare/workloads.h"

enum key {
    DEVICE = 'd',
    THREADS = 't',
    SIZE = 'n',
    QUIET = 'q',
    JSON = 256,
    CSV,
    PICTURE,
    CHART,
    SVG,
    PNG,
    HTML,
    PLACEMENT,
    CACHE,
    SEED,
    BUDGET,
    PATIENCE,
    TOTAL,
    ENERGY,
    ASYNC,
    SELF_TEST,
    NO_REFINE,
    SHUFFLE,
    MACHINE,
    TYPE,
    VARIANT,
    BLAS,
    QUICK,
    FULL,
    ELSEWHERE,
    SAVE_RESULTS,
    EXPR,
    REDUCE,
    KERNEL,
    CPU,
    CPU_LIBRARY,
    CHECK,
    PROGRAM,
    SAME_OUTPUT,
    LIST
};

enum { OPTIONS_MAX = 96 };

static const struct argp_option option[] = {
    {"expr", EXPR, "FORMULA", 0,
     "A computation of your own: 'z = pow(x,y) + 0.5*x', arrays on both sides (docs/own-code.md)",
     1},
    {"reduce", REDUCE, "sum|min|max", 0,
     "With --expr: each output is one value of all elements, in place of an array", 1},
    {"kernel", KERNEL, "FILE.cl|FILE.cu", 0,
     "A kernel of your own; comments in the file describe its arguments (docs/own-code.md)", 1},
    {"cpu", CPU, "FILE.c", 0, "With --kernel: the same for the CPU, in C", 1},
    {"cpu-library", CPU_LIBRARY, "FILE.so:FUNCTION", 0,
     "With --kernel: the same for the CPU, in a library", 1},
    {"check", CHECK, "none", 0, "With --kernel: do not hold results against the CPU's", 1},
    {"program", PROGRAM, "COMMAND", 0,
     "Two programs of your own in place of workloads, start and end included; {n} is the size: "
     "--program './cpu {n}' './gpu {n}' --size=1e3..1e6",
     1},
    {"same-output", SAME_OUTPUT, "TOLERANCE", OPTION_ARG_OPTIONAL,
     "With --program: hold what they print against each other; numbers may differ by this share "
     "(default: 1e-6)",
     1},
    {"size", SIZE, "LIST|A..B", 0,
     "Sizes to measure: a list, or a range in steps of 1, 3, 10. The size is the workload's first "
     "parameter, often elements",
     1},
    {"type", TYPE, "NAME", 0,
     "Type of the numbers: float32 or float64, where the workload has both", 1},
    {"variant", VARIANT, "LIST", 0,
     "Only these variants: ways to compute the same result (default: all)", 1},
    {"blas", BLAS, "NAME|FILE", 0,
     "Library of matrices on the CPU: openblas, mkl, numpy, aocl, blis, nvpl, system or a file "
     "(default: of all that are here the fastest of each case)",
     1},
    {"quick", QUICK, NULL, 0,
     "Take a quick look: few sizes and short samples (default without a workload)", 2},
    {"full", FULL, NULL, 0, "Measure all sizes, also without a workload", 2},
    {"device", DEVICE, "LIST", 0,
     "Only these devices: cpu, cuda, opencl, cuda:0 (default: all). The CPU is always measured too",
     1},
    {"threads", THREADS, "LIST", 0, "Thread counts of the CPU cases (default: 1 and all)", 1},
    {"placement", PLACEMENT, "LIST", 0,
     "Where the data are before and after a call on a GPU: copy, preload, resident (default: all)",
     1},
    {"cache", CACHE, "WHICH", 0,
     "Whether the data are in a cache before a call: hot, cold or both (default: both)", 1},
    {"machine", MACHINE, "NAME|FILE", 0,
     "Take the limits of the hardware from this profile. none: measure them now (default: a fresh "
     "profile of this machine)",
     1},
    {"elsewhere", ELSEWHERE, "LIST|none", 0,
     "Also GPUs of other machines, as `breakeven machines` lists them: h100, a100-80, t4 (default: "
     "these, where no GPU is here)",
     1},
    {"seed", SEED, "N", 0, "Seed of the inputs (default: 1)", 1},
    {"budget", BUDGET, "SECONDS", 0, "Time to sample each case (default: 0.25)", 2},
    {"patience", PATIENCE, "SECONDS", 0,
     "Leave out a call that would take longer than this, judged by smaller sizes (default: 10)", 2},
    {"total", TOTAL, "SECONDS", 0,
     "Time for everything. Each workload gets its share, and sizes that do not fit are left out "
     "and named (default: no limit; a quick look: 150)",
     2},
    {"shuffle", SHUFFLE, NULL, 0,
     "Cases of a size take turns in random order (default: there and back, A B C C B A)", 2},
    {"no-refine", NO_REFINE, NULL, 0,
     "Measure only the sizes asked for. The break-even is not narrowed by bisection", 2},
    {"energy", ENERGY, NULL, 0,
     "Also measure the energy of a call by the counters of CPU and GPU. A case takes a second "
     "longer, or several",
     2},
    {"show-async", ASYNC, NULL, 0,
     "Add a row that shows what a clock gives that is read before the device is done", 2},
    {"self-test", SELF_TEST, "PAIRS", OPTION_ARG_OPTIONAL,
     "Compare a case with itself, to see whether the two come out the same (default: 20 pairs)", 2},
    {"json", JSON, "FILE", OPTION_ARG_OPTIONAL,
     "Write the results as JSON (no FILE: to standard output, instead of the table)", 3},
    {"csv", CSV, "FILE", OPTION_ARG_OPTIONAL,
     "Write the results as CSV (no FILE: to standard output, instead of the table)", 3},
    {"save-results", SAVE_RESULTS, "NAME", 0,
     "Keep the times under this name, for --elsewhere on other machines", 3},
    {"svg", SVG, "FILE", 0, "Draw time over size, with limits and break-evens", 3},
    {"png", PNG, "FILE", 0, "The drawing of --svg as PNG, where rsvg-convert is installed", 3},
    {"chart", CHART, "FILE.svg", OPTION_ARG_OPTIONAL, "As text, below the table; FILE: as --svg",
     3},
    {"html", HTML, "FILE", OPTION_ARG_OPTIONAL,
     "Write one page with answer, chart and tables (no FILE: to standard output)", 3},
    {"picture", PICTURE, "FILE", 0,
     "Draw the computed result as PNG, for a workload that has a picture", 3},
    {"list", LIST, NULL, 0,
     "List the workloads with their parameters, types and variants. Nothing is measured", 3},
    {"quiet", QUIET, NULL, 0, "Show no progress", 3},
    {0},
};

struct asked {
    struct be_compare_options compare;
    struct be_cli_outputs outputs;
    bool quiet, full, list;
    struct argp_option *option; /* all there are */
    int pairs;                  /* of --self-test; 0: not asked for */
    const char *machine;        /* of --machine; NULL: whatever fits */
    struct be_cli_elsewhere elsewhere;
    const char *save_results; /* the name; NULL: not asked for */
    struct be_cli_formula formula;
    struct be_cli_kernel kernel;
    struct be_cli_programs programs;
    struct be_error error;
};

static enum be_status set_formula(void *asked, char *text, struct be_error *error) {
    struct asked *a = asked;
    return be_cli_formula_text(&a->formula, text, error);
}

static enum be_status set_reduce(void *asked, char *text, struct be_error *error) {
    struct asked *a = asked;
    return be_cli_formula_reduce(&a->formula, text, error);
}

static enum be_status add_program(void *asked, char *text, struct be_error *error) {
    struct asked *a = asked;
    return be_cli_programs_add(&a->programs, text, error);
}

static enum be_status set_same_output(void *asked, char *text, struct be_error *error) {
    struct asked *a = asked;
    return be_cli_programs_same(&a->programs, text, error);
}

static enum be_status set_seed(void *asked, char *text, struct be_error *error) {
    struct asked *a = asked;
    return be_cli_whole("--seed", text, 1, &a->compare.seed, error);
}

static enum be_status set_pairs(void *asked, char *text, struct be_error *error) {
    struct asked *a = asked;
    uint64_t pairs = 20;
    enum be_status status = text ? be_cli_whole("--self-test", text, 1, &pairs, error) : BE_OK;
    if (status == BE_OK && pairs > 100000) {
        status = be_fail(error, BE_USAGE, "--self-test %s: at most 100000 pairs", text);
    }
    a->pairs = (int)pairs;
    return status;
}

static enum be_status set_picture(void *asked, char *text, struct be_error *error) {
    struct asked *a = asked;
    if (!*text) {
        return be_fail(error, BE_USAGE, "--picture: which file?");
    }
    a->compare.picture = true;
    a->outputs.picture = (struct be_cli_output){.asked = true, .file = text};
    return BE_OK;
}

/* Why a word cannot be a workload's name, and what its writer may have meant; NULL: it can be one. */
static const char *not_a_name(const char *text) {
    const char *dot = strrchr(text, '.');
    if (*text >= '0' && *text <= '9') {
        return "not a workload; several sizes are one word, as in --size=1e3,1e6 or "
               "--size=1e3..1e6";
    }
    if (strchr(text, ',')) {
        return "workloads are words of their own, with blanks between them: `breakeven compare "
               "solve "
               "fft`";
    }
    if (dot && (strcmp(dot, ".json") == 0 || strcmp(dot, ".csv") == 0)) {
        return "no workload; a file to write is one word with its option, as in --json=FILE; "
               "`breakeven report FILE` shows saved results";
    }
    if (strpbrk(text, "./")) {
        return "compare measures workloads of its own, as `breakeven compare -h` lists them; "
               "`breakeven run -- COMMAND` watches a program";
    }
    return NULL;
}

static enum be_status add_workload(void *asked, char *text, struct be_error *error) {
    struct asked *a = asked;
    if (a->programs.commands) {
        return be_cli_programs_add(&a->programs, text, error);
    }
    if (a->compare.workloads == BE_LIST_MAX) {
        return be_fail(error, BE_USAGE, "at most %d workloads", (int)BE_LIST_MAX);
    }
    const char *advice = not_a_name(text);
    if (advice) {
        return be_fail(error, BE_USAGE, "%.200s: %s", text, advice);
    }
    a->compare.workload[a->compare.workloads++] = text;
    return BE_OK;
}

static const struct be_setting setting[] = {
    BE_OPTIONS(SIZE, compare, be_cli_sizes),
    BE_NAMES(DEVICE, compare.device, compare.devices, "--device"),
    BE_OPTIONS(THREADS, compare, be_cli_threads),
    BE_OPTIONS(PLACEMENT, compare, be_cli_placements),
    BE_OPTIONS(CACHE, compare, be_cli_caches),
    BE_TEXT(BLAS, compare.blas),
    BE_OWN(EXPR, set_formula),
    BE_OWN(REDUCE, set_reduce),
    BE_TEXT(KERNEL, kernel.kernel),
    BE_TEXT(CPU, kernel.cpu),
    BE_TEXT(CPU_LIBRARY, kernel.cpu_library),
    BE_TEXT(CHECK, kernel.check),
    BE_OWN(PROGRAM, add_program),
    BE_OWN(SAME_OUTPUT, set_same_output),
    BE_OWN(SEED, set_seed),
    BE_SECONDS(BUDGET, compare.budget_s, "--budget"),
    BE_SECONDS(PATIENCE, compare.patience_s, "--patience"),
    BE_SECONDS(TOTAL, compare.total_s, "--total"),
    BE_FLAG(SHUFFLE, compare.shuffle),
    BE_FLAG(NO_REFINE, compare.no_refine),
    BE_FLAG(ENERGY, compare.energy),
    BE_FLAG(ASYNC, compare.show_async),
    BE_OWN(SELF_TEST, set_pairs),
    BE_OUTPUT(JSON, outputs.json),
    BE_OUTPUT(CSV, outputs.csv),
    BE_OWN(PICTURE, set_picture),
    BE_OUTPUT(CHART, outputs.chart),
    BE_DRAWING(SVG, outputs.chart),
    BE_DRAWING(PNG, outputs.png),
    BE_OUTPUT(HTML, outputs.html),
    BE_FLAG(QUIET, quiet),
    BE_TEXT(MACHINE, machine),
    BE_NAMES(ELSEWHERE, elsewhere.name, elsewhere.names, "--elsewhere"),
    BE_TEXT(SAVE_RESULTS, save_results),
    BE_TEXT(TYPE, compare.type),
    BE_NAMES(VARIANT, compare.variant, compare.variants, "--variant"),
    BE_FLAG(QUICK, compare.quick),
    BE_FLAG(FULL, full),
    BE_FLAG(LIST, list),
    BE_OWN(ARGP_KEY_ARG, add_workload),
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct asked *asked = state->input;
    const error_t set = be_cli_set(setting, BE_COUNT(setting), key, text, state, &asked->error);
    if (set == 0 && asked->compare.quick && asked->full) {
        be_fail(&asked->error, BE_USAGE, "--quick and --full: a few sizes, or all: give one");
        return EINVAL;
    }
    if (set != ARGP_ERR_UNKNOWN) {
        return set;
    }
    for (int i = 0; key >= BE_CLI_PARAMETER && i < OPTIONS_MAX; i++) {
        if (asked->option[i].key == key) {
            return be_cli_parameter(asked->option[i].name, text, &asked->compare, &asked->error) ==
                           BE_OK
                       ? 0
                       : EINVAL;
        }
    }
    return ARGP_ERR_UNKNOWN;
}

/* A list of workloads for --help comes from the library. */
static char *help(int key, const char *text, void *input) {
    const struct asked *asked = input;
    for (int i = 0; asked && key >= BE_CLI_PARAMETER && i < OPTIONS_MAX; i++) {
        if (asked->option[i].key == key && asked->option[i].name) {
            return be_cli_parameter_help(asked->option[i].name);
        }
    }
    if (key != ARGP_KEY_HELP_POST_DOC) {
        return (char *)text;
    }
    char *list = NULL;
    size_t capacity = 0;
    FILE *out = open_memstream(&list, &capacity);
    const char *name, *summary;
    fprintf(out, "Workloads (default: a quick look at all):\n");
    for (int i = 0; be_workload_describe(i, &name, &summary); i++) {
        fprintf(out, "  %-11s %s\n", name, summary);
    }
    fclose(out);
    return list;
}

/* ---- the workloads there are ----------------------------------------------------------------- */

static enum be_status write_list(const void *workloads, enum be_format format, FILE *out,
                                 struct be_error *error) {
    return be_cli_workloads_write(workloads, format, out, error);
}

/* Those named, or all; that a name or an option makes no sense is said as if they were measured. */
static enum be_status list_workloads(struct asked *asked, struct be_error *error) {
    struct be_plan plan[BE_LIST_MAX];
    const struct be_workload *listed[BE_LIST_MAX + 1] = {NULL};
    struct be_known known = {0};
    int plans = 0;
    if (asked->outputs.csv.asked || asked->outputs.picture.asked ||
        be_cli_outputs_drawn(&asked->outputs) || asked->outputs.html.asked || asked->pairs) {
        return be_fail(error, BE_USAGE,
                       "--list: nothing is measured: leave --csv, --svg, --chart, --html, "
                       "--picture and --self-test out (--json writes it)");
    }
    enum be_status status = be_cli_outputs_open(&asked->outputs, error);
    status = status == BE_OK ? be_known_open(&asked->compare, &known, error) : status;
    status = status == BE_OK ? be_choose(&asked->compare, &known, plan, &plans, error) : status;
    for (int i = 0; i < plans; i++) {
        listed[i] = plan[i].problem.workload;
    }
    if (status == BE_OK) {
        status = be_cli_outputs_write(&asked->outputs, write_list, listed, error);
    }
    be_known_close(&known);
    be_cli_outputs_close(&asked->outputs);
    return status;
}

/* Workloads, or two programs. */
static enum be_status measure(struct asked *asked, struct be_comparison *comparison,
                              struct be_cli_limits *limits) {
    struct be_error *error = &asked->error;
    if (asked->programs.commands) {
        enum be_status status =
            be_cli_programs_compare(&asked->programs, &asked->compare, comparison, error);
        be_cli_progress_clear();
        return status;
    }
    enum be_status status = be_cli_elsewhere_check(&asked->elsewhere, asked->save_results, error);
    status = status ? status : be_cli_limits_open(asked->machine, &asked->compare, limits, error);
    status = status ? status : be_compare(&asked->compare, comparison, error);
    be_cli_progress_clear();
    if (status == BE_OK && asked->save_results) {
        status = be_cli_save_results(comparison, asked->save_results, error);
    }
    return status ? status
                  : be_cli_elsewhere_add(&asked->elsewhere, &asked->compare, comparison, error);
}

/* Measures, keeps and adds what was asked for, and writes it. *code: how the program ends where that went well. */
static enum be_status compare(struct asked *asked, int *code) {
    struct be_comparison comparison = {0};
    struct be_cli_limits limits = {0};
    struct be_error *error = &asked->error;
    enum be_status status = be_cli_outputs_open(&asked->outputs, error);
    status = status ? status : measure(asked, &comparison, &limits);
    if (status == BE_OK && !comparison.picture.rgb) {
        be_cli_outputs_no_picture(&asked->outputs);
    }
    if (status == BE_OK) {
        status = be_cli_outputs_write(&asked->outputs, be_cli_write_comparison, &comparison, error);
        status = status ? status : be_cli_chart_print(&asked->outputs, &comparison, error);
        *code = be_cli_compare_outcome(&asked->compare, &comparison);
    }
    be_cli_outputs_close(&asked->outputs);
    be_cli_limits_close(&limits);
    be_comparison_free(&comparison);
    return status;
}

static void close_own(struct asked *asked) {
    be_cli_formula_close(&asked->formula);
    be_cli_kernel_close(&asked->kernel);
}

int be_cli_compare(int argc, char **argv) {
    struct argp_option all[OPTIONS_MAX] = {0};
    const struct argp argp = {
        all,
        parse,
        "[WORKLOAD...]",
        "A workload is a computation that breakeven has for the CPU and for GPUs. This command "
        "runs workloads over a range of sizes, on every device here. It finds the size from which "
        "the GPU is faster than the best CPU code. Every result is checked, and every time has its "
        "spread.\vExamples:\n  breakeven compare power multiply\n  breakeven compare solve "
        "--order=32 --systems=1e3..1e5\n  breakeven compare --list axpy",
        NULL,
        help,
        NULL};
    struct asked asked = {.option = all};
    memcpy(all, option, sizeof option);
    be_cli_parameter_options(all, OPTIONS_MAX);
    be_cli_catch_interrupt(); /* also before a compiler starts: it leaves files */
    if (be_cli_parse(&argp, argc, argv, 0, &asked) != 0 ||
        be_cli_formula_open(&asked.formula, &asked.compare, &asked.error) != BE_OK ||
        be_cli_kernel_open(&asked.kernel, &asked.compare, &asked.error) != BE_OK ||
        be_cli_programs_check(&asked.programs, &asked.compare, &asked.error) != BE_OK) {
        close_own(&asked);
        return be_cli_fail(&asked.error);
    }
    if (asked.list) {
        const enum be_status listed = list_workloads(&asked, &asked.error);
        close_own(&asked);
        return listed == BE_OK ? BE_EXIT_OK : be_cli_fail(&asked.error);
    }
    asked.compare.quick |= asked.compare.workloads == 0 && !asked.compare.owns &&
                           !asked.programs.commands && !asked.full && !asked.pairs;
    asked.compare.cancelled = be_cli_interrupted;
    asked.compare.progress = asked.quiet ? NULL : be_cli_progress;
    be_cli_formula_compile(&asked.formula);
    int code = BE_EXIT_OK;
    enum be_status status = BE_OK;
    if (asked.pairs) {
        code = be_cli_self_test(&asked.compare, &asked.outputs, asked.pairs, &asked.error);
    } else {
        status = compare(&asked, &code);
    }
    close_own(&asked);
    return status == BE_OK ? code : be_cli_fail(&asked.error);
}
