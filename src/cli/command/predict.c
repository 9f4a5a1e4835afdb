/* breakeven predict */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cli/command/command.h"
#include "cli/common/caret.h"
#include "cli/common/fail.h"
#include "cli/predict/here.h"
#include "cli/common/output.h"
#include "cli/common/parameters.h"
#include "cli/common/parse.h"
#include "cli/common/settings.h"
#include "cli/common/terminal.h"
#include "cli/common/values.h"
#include "cli/predict/numbers.h"
#include "cli/predict/learn.h"
#include "cli/predict/limit.h"
#include "cli/predict/workload.h"
#include "question/table.h"

enum { OPTIONS_MAX = 96 };

enum key {
    MACHINE = 256,
    CPU,
    PLACEMENT,
    LEARN,
    SAVE,
    MEASURED,
    RATES,
    VALUE_BYTES,
    SVG,
    PNG,
    JSON,
    HTML,
    QUIET
};

static const struct argp_option option[] = {
    {NULL, 0, NULL, 0, "The computation, each a number or a formula of n", 1},
    {NULL, 0, NULL, 0, "The question", 2},
    {"size", 'n', "LIST|A..B", 0, "Sizes n, as 1e3,1e5 or 1e2..1e5 (in steps of 1, 3, 10)", 2},
    {"machine", MACHINE, "LIST", 0,
     "Machines whose GPU is asked about: here, names as h100, profiles, files, data sheets "
     "(default: the GPU "
     "here; "
     "without one h200,a100-80,t4). `breakeven machines` lists them",
     2},
    {"elsewhere", MACHINE, "LIST", OPTION_ALIAS, NULL, 2},
    {"cpu", CPU, "NAME", 0,
     "Profile whose CPU is the other side (default: the CPU here); cpu-2:8 is that of cpu-2 with 8 "
     "cores, as a guess. With a WORKLOAD also times that were measured",
     2},
    {"placement", PLACEMENT, "LIST", 0,
     "With a WORKLOAD: where the data are before and after a call: copy, preload, resident "
     "(default: copy,resident)",
     2},
    {"measured", MEASURED, "SECONDS", 0,
     "Is this time of all calls possible on this hardware? Takes one size", 2},
    {"learn", LEARN, "RESULT.json", 0,
     "Correct the profile of --machine=NAME by times that were measured on it: what `compare "
     "--json=FILE` or --save-results wrote. Says by how much, and how right the corrected one is "
     "for workloads that it did not learn from",
     2},
    {"save", SAVE, "NAME|FILE", 0,
     "With --learn: keep the corrected profile, for --machine and --cpu", 2},
    {"rates", RATES, "CPU,GPU,BUS", 0,
     "The stop-loss limit of these rates alone: operations a second of CPU and GPU, bytes a second "
     "of the bus, as 1e9,1e12,15e9",
     2},
    {"value-bytes", VALUE_BYTES, "BYTES", 0,
     "With --rates: of one value (default: 4, with --type=float64 8)", 2},
    {NULL, 0, NULL, 0, "Results", 3},
    {"svg", SVG, "FILE", 0, "Draw the times over size; with --rates: where the GPU loses", 3},
    {"png", PNG, "FILE", 0, "The drawing of --svg as PNG, where rsvg-convert is installed", 3},
    {"html", HTML, "FILE", OPTION_ARG_OPTIONAL,
     "Write one page that needs nothing else (no FILE: to standard output, instead of the text)",
     3},
    {"json", JSON, "FILE", OPTION_ARG_OPTIONAL,
     "Write JSON (no FILE: to standard output, instead of the text)", 3},
    {"quiet", QUIET, NULL, 0, "Show no progress", 3},
    {0},
};

struct asked {
    struct be_formulas formulas;
    struct be_cli_outputs outputs;
    struct be_choice size;
    const char *machine[BE_LIST_MAX];
    int machines;
    const char *cpu, *rates, *learn, *save;
    struct be_compare_options compare; /* of a workload that is named */
    struct argp_option *option;        /* all there are */
    struct be_text typed;
    struct be_made made;
    double measured_s; /* 0: not asked */
    uint64_t value_bytes;
    bool quiet;
    struct be_error error;
};

/* The sizes of a workload are the same. */
static enum be_status set_size(void *asked, char *text, struct be_error *error) {
    struct asked *a = asked;
    const struct be_choice *size = &a->size;
    enum be_status status = be_cli_values("size", text, 1, &a->size, error);
    memcpy(a->compare.size, size->value, sizeof a->compare.size);
    a->compare.sizes = size->values;
    a->compare.size_from = size->from;
    a->compare.size_to = size->to;
    return status;
}

static enum be_status set_workload(void *asked, char *text, struct be_error *error) {
    struct be_compare_options *options = &((struct asked *)asked)->compare;
    if (options->workloads) {
        return be_fail(error, BE_USAGE,
                       "%.60s: one workload at a time, here %.60s; formulas go behind --flops and "
                       "--bytes",
                       text, options->workload[0]);
    }
    options->workload[options->workloads++] = text;
    return BE_OK;
}

static enum be_status set_value_bytes(void *asked, char *text, struct be_error *error) {
    return be_cli_whole("--value-bytes", text, 1, &((struct asked *)asked)->value_bytes, error);
}

static const struct be_setting setting[] = {
    BE_OWN('n', set_size),
    BE_NAMES(MACHINE, machine, machines, "--machine"),
    BE_TEXT(CPU, cpu),
    BE_SECONDS(MEASURED, measured_s, "--measured"),
    BE_TEXT(RATES, rates),
    BE_TEXT(LEARN, learn),
    BE_TEXT(SAVE, save),
    BE_OWN(VALUE_BYTES, set_value_bytes),
    BE_DRAWING(SVG, outputs.chart),
    BE_DRAWING(PNG, outputs.png),
    BE_OUTPUT(JSON, outputs.json),
    BE_OUTPUT(HTML, outputs.html),
    BE_OPTIONS(PLACEMENT, compare, be_cli_placements),
    BE_FLAG(QUIET, quiet),
    BE_OWN(ARGP_KEY_ARG, set_workload),
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct asked *asked = state->input;
    struct be_error later = {0};
    struct be_error *error =
        asked->error.status == BE_OK ? &asked->error : &later; /* the first is said */
    if (be_cli_numbers_set(&asked->formulas, key, text, error) ||
        be_cli_set(setting, BE_COUNT(setting), key, text, state, error) != ARGP_ERR_UNKNOWN) {
        return 0;
    }
    for (int i = 0; key >= BE_CLI_PARAMETER && i < OPTIONS_MAX; i++) {
        if (asked->option[i].key == key && asked->option[i].name) {
            be_cli_parameter(asked->option[i].name, text, &asked->compare, error);
            return 0;
        }
    }
    return ARGP_ERR_UNKNOWN;
}

static bool has_formulas(const struct asked *asked) {
    bool any = asked->formulas.all_in_chain;
    for (int i = 0; i < BE_FORMULAS; i++) {
        any |= asked->formulas.text[i] != NULL;
    }
    return any;
}

/* An option without meaning beside the others is an error. */
static enum be_status check_together(const struct asked *asked, struct be_error *error) {
    const bool workload = asked->compare.workloads > 0;
    const bool formulas = has_formulas(asked) || workload;
    const struct be_formulas *f = &asked->formulas;
    const bool *at = asked->compare.placement;
    const bool placement = at[BE_COPY] || at[BE_PRELOAD] || at[BE_RESIDENT];
    const struct {
        bool wrong;
        const char *text;
    } pair[] = {
        {asked->learn && (formulas || asked->rates || asked->cpu || asked->machines != 1),
         "--learn: corrects one profile: name it alone, as --machine=h100-80, and leave "
         "computations, --cpu and --rates out"},
        {!asked->learn && asked->save, "--save: belongs to --learn: add it"},
        {!asked->rates && !asked->learn && !formulas,
         "which computation? say its operations and bytes, as --flops='2*n^3' --bytes='24*n^2' "
         "--size=1e2..1e4; or name a workload, as `breakeven predict solve --order=32`; or ask "
         "--rates=CPU,GPU,BUS for the limit of three rates"},
        {!workload && asked->compare.choices > 0,
         "a parameter of a workload, and no workload: name one, as `breakeven predict solve "
         "--order=32`"},
        {!workload && placement, "--placement: belongs to a workload: name one, or say with "
                                 "--transfer and --transfer-each which bytes cross the bus"},
        {asked->rates && (formulas || asked->machines || asked->cpu || asked->measured_s > 0 ||
                          asked->size.values || asked->size.from),
         "--rates: is the limit of three rates alone; leave it out, or leave formulas, sizes and "
         "machines out"},
        {asked->learn && (be_cli_outputs_drawn(&asked->outputs) || asked->outputs.html.asked),
         "--svg and --html: show predictions, and --learn makes none: leave one of them out"},
        {!asked->rates && asked->value_bytes, "--value-bytes: belongs to --rates: add it"},
        {!asked->rates && !asked->learn && !workload && !be_formulas_say_work(f),
         "neither --flops nor --bytes: say at least one of them, or the shape of a product "
         "(--matmul) or of a factorisation (--factor), or items of --irregular work"},
        {asked->measured_s > 0 && (asked->size.from || asked->size.values > 1),
         "--measured: is the time of one size: give one, as --size=1e4"},
    };
    for (size_t i = 0; i < BE_COUNT(pair); i++) {
        if (pair[i].wrong) {
            return be_fail(error, BE_USAGE, "%s", pair[i].text);
        }
    }
    return be_formulas_check(f, error);
}

/* ---- learning from a run -------------------------------------------------------------------- */

static enum be_status write_learned(const void *results, enum be_format format, FILE *out,
                                    struct be_error *error) {
    const struct be_cli_learning *l = results;
    return be_learned_write(l->profile, &l->learned, format, out, error);
}

static enum be_status print_learned(struct asked *asked, struct be_error *error) {
    struct be_cli_learning learning = {.profile = NULL};
    enum be_status status = be_cli_outputs_open(&asked->outputs, error);
    status = status ? status
                    : be_cli_learn(asked->learn, asked->machine[0], asked->save, asked->quiet,
                                   &learning, error);
    status =
        status ? status : be_cli_outputs_write(&asked->outputs, write_learned, &learning, error);
    be_cli_learn_free(&learning);
    return status;
}

/* ---- a table -------------------------------------------------------------------------------- */

static enum be_status write_table(const void *results, enum be_format format, FILE *out,
                                  struct be_error *error) {
    return be_predict_write(results, format, out, error);
}

static enum be_status print_table(struct asked *asked, struct be_error *error) {
    struct be_table prediction = {0};
    const struct be_probe_options how = be_cli_probing(asked->quiet);
    const struct be_table_asked of = {
        .formulas = &asked->formulas,
        .size = &asked->size,
        .machine = asked->machine,
        .machines = asked->machines,
        .cpu = asked->cpu,
        .measured_s = asked->measured_s > 0 ? asked->measured_s : NAN,
        .how = &how,
    };
    enum be_status status = be_cli_outputs_open(&asked->outputs, error);
    status = status ? status
             : asked->compare.workloads
                 ? be_cli_workload_make(&of, &asked->compare, &prediction, error)
                 : be_table_make(&of, &prediction, error);
    be_cli_progress_clear();
    prediction.table.made = asked->made;
    status = status ? status
                    : be_cli_outputs_write(&asked->outputs, write_table, &prediction.table, error);
    be_table_free(&prediction);
    return status;
}

static char *help(int key, const char *text, void *input) {
    const struct asked *asked = input;
    for (int i = 0; asked && key >= BE_CLI_PARAMETER && i < OPTIONS_MAX; i++) {
        if (asked->option[i].key == key && asked->option[i].name) {
            return be_cli_parameter_help(asked->option[i].name);
        }
    }
    return (char *)text;
}

static double value_bytes(const struct asked *asked) {
    return asked->value_bytes ? (double)asked->value_bytes : asked->formulas.flags.float64 ? 8 : 4;
}

static enum be_status answer(struct asked *asked, struct be_error *error) {
    enum be_status status = be_cli_formulas_open(&asked->formulas, error);
    if (status) {
        return status;
    }
    return asked->rates
               ? be_cli_limit_print(asked->rates, value_bytes(asked), &asked->outputs, error)
           : asked->learn ? print_learned(asked, error)
                          : print_table(asked, error);
}

int be_cli_predict(int argc, char **argv) {
    struct argp_option all[OPTIONS_MAX] = {0};
    const struct argp argp = {
        all,
        parse,
        "[WORKLOAD]",
        "This command foretells what a computation would take on CPUs and GPUs, from its numbers "
        "and the profiles of machines, also of those that are not here. It measures nothing of the "
        "computation. A WORKLOAD is a computation of `breakeven compare`, which says its numbers "
        "itself; where it was measured on a machine, those times count.\vExamples:\n  breakeven "
        "predict --flops='2*n^3' --bytes='24*n^2' \\\n      --transfer='24*n^2' --calls=100 "
        "--size=1e2..1e4 "
        "--machine=h200,a100-80\n  breakeven predict --factor=svd,10 --calls=100 --framework=numpy "
        "--machine=t4\n  breakeven predict solve --order=32 --machine=l4\n  breakeven "
        "predict --rates=1e9,1e12,15e9 --svg=limit.svg",
        NULL,
        help,
        NULL};
    struct asked asked = {.option = all};
    struct be_error error = {0};
    memcpy(all, option, sizeof option);
    be_cli_numbers_options(all, OPTIONS_MAX, 1);
    be_cli_parameter_options(all, OPTIONS_MAX);
    asked.made = be_cli_typed(argc, argv, &asked.typed);
    if (be_cli_parse(&argp, argc, argv, 0, &asked) != 0) {
        be_text_free(&asked.typed);
        return BE_EXIT_USAGE;
    }
    asked.compare.type = asked.formulas.type;
    if (asked.error.status == BE_OK && asked.compare.workloads) {
        be_cli_workload_take(&asked.formulas, &asked.compare, &asked.error);
    }
    if (asked.error.status != BE_OK || check_together(&asked, &asked.error) != BE_OK) {
        be_text_free(&asked.typed);
        return be_cli_fail(&asked.error);
    }
    be_cli_catch_interrupt();
    enum be_status status = answer(&asked, &error);
    be_cli_outputs_close(&asked.outputs);
    be_formulas_close(&asked.formulas);
    be_text_free(&asked.typed);
    return status == BE_OK        ? BE_EXIT_OK
           : status == BE_STOPPED ? (be_cli_fail(&error), BE_EXIT_INTERRUPTED)
                                  : be_cli_fail(&error);
}
