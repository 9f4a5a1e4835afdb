/* breakeven machines [NAME...] */
#include <string.h>

#include "base/error.h"
#include "base/input.h"
#include "cli/command/command.h"
#include "cli/compare/elsewhere.h"
#include "cli/common/fail.h"
#include "cli/common/output.h"
#include "cli/common/parse.h"
#include "cli/common/settings.h"
#include "question/machines.h"
#include "report/common/out.h"
#include "report/store.h"

enum key { DIFF = 256, ADD, JSON, CSV };

static const struct argp_option option[] = {
    {"diff", DIFF, NULL, 0, "Show two profiles side by side, as ratios of the second to the first",
     0},
    {"add", ADD, "FILE", 0,
     "Keep the times that `compare --json=FILE` saved, under NAME, for `compare --elsewhere=NAME`",
     0},
    {"json", JSON, "FILE", OPTION_ARG_OPTIONAL,
     "Write the list, or the named profile, as JSON (no FILE: to standard output, instead of the "
     "text)",
     0},
    {"csv", CSV, "FILE", OPTION_ARG_OPTIONAL,
     "Write the named profile as CSV (no FILE: to standard output, instead of the text)", 0},
    {0},
};

struct asked {
    struct be_cli_outputs outputs;
    char **name;
    int names;
    bool diff;
    const char *add; /* the file; NULL: none */
};

static const struct be_setting setting[] = {
    BE_FLAG(DIFF, diff),         BE_TEXT(ADD, add),    BE_OUTPUT(JSON, outputs.json),
    BE_OUTPUT(CSV, outputs.csv), BE_REST(name, names),
};

static error_t parse(int key, char *text, struct argp_state *state) {
    const struct asked *a = state->input;
    if (key != ARGP_KEY_END) {
        return be_cli_set(setting, BE_COUNT(setting), key, text, state, NULL);
    }
    if (a->diff && a->names != 2) {
        argp_error(state, "--diff takes two names or files, not %d", a->names);
    }
    if (a->add && (a->names != 1 || a->diff)) {
        argp_error(state, "--add=FILE takes one name, that the times are kept under");
    }
    if (!a->names && a->outputs.csv.asked) {
        argp_error(state, "--csv: of which machine? name one");
    }
    if (!a->diff && a->names > 1) {
        argp_error(state, "one name, or --diff and two");
    }
    return 0;
}

/* ---- the list ------------------------------------------------------------------------------- */

static enum be_status write_list(const void *results, enum be_format format, FILE *out,
                                 struct be_error *error) {
    const struct be_machine_list *list = results;
    struct be_text text = {0};
    const enum be_status status = be_machine_list_add(list, format, &text, error);
    if (status != BE_OK) {
        be_text_free(&text);
        return status;
    }
    return be_report_out(&text, out, error);
}

static enum be_status list_machines(struct asked *asked, struct be_error *error) {
    struct be_machine_list list = {.now = ""};
    enum be_status status = be_cli_outputs_open(&asked->outputs, error);
    status = status ? status : be_machine_list_open(&list, error);
    status = status ? status : be_cli_outputs_write(&asked->outputs, write_list, &list, error);
    be_cli_outputs_close(&asked->outputs);
    be_machine_list_close(&list);
    return status;
}

static enum be_status add_times(const char *file, const char *name, struct be_error *error) {
    struct be_comparison comparison = {0};
    FILE *in;
    enum be_status status = be_input_open(file, &in, error);
    if (status == BE_OK) {
        status = be_comparison_read(in, file, &comparison, error);
        be_input_close(in);
    }
    status = status ? status : be_cli_save_results(&comparison, name, error);
    be_comparison_free(&comparison);
    return status;
}

/* ---- one, or two side by side --------------------------------------------------------------- */

struct pair {
    struct be_profile a, b;
};

static enum be_status write_pair(const void *results, enum be_format format, FILE *out,
                                 struct be_error *error) {
    const struct pair *pair = results;
    return be_profile_diff_write(&pair->a, &pair->b, format, out, error);
}

static enum be_status show(struct asked *asked, struct be_error *error) {
    struct pair pair = {0};
    enum be_status status = be_cli_outputs_open(&asked->outputs, error);
    status = status == BE_OK ? be_profile_load(asked->name[0], &pair.a, error) : status;
    if (status == BE_OK && asked->diff) {
        status = be_profile_load(asked->name[1], &pair.b, error);
    }
    if (status == BE_OK) {
        status = asked->diff
                     ? be_cli_outputs_write(&asked->outputs, write_pair, &pair, error)
                     : be_cli_outputs_write(&asked->outputs, be_cli_write_profile, &pair.a, error);
    }
    be_cli_outputs_close(&asked->outputs);
    be_profile_free(&pair.b);
    be_profile_free(&pair.a);
    return status;
}

int be_cli_machines(int argc, char **argv) {
    static const struct argp argp = {
        option,
        parse,
        "[NAME|FILE [NAME|FILE]]",
        "A profile says how fast a machine can be. `breakeven probe` makes one. This command lists "
        "all profiles: your own, those of the site (BREAKEVEN_PROFILES, /etc/breakeven/profiles) "
        "and those that come with breakeven; and the times that were measured on other machines "
        "(BREAKEVEN_RESULTS, /etc/breakeven/results). With a name it shows that "
        "profile.\vExamples:\n  "
        "breakeven machines\n  breakeven machines --diff datasheet-h100-80 h200\n  breakeven "
        "machines --add=RESULT.json node-a",
        NULL,
        NULL,
        NULL};
    struct asked asked = {0};
    struct be_error error;
    if (be_cli_parse(&argp, argc, argv, 0, &asked) != 0) {
        return BE_EXIT_USAGE;
    }
    if (!asked.names) {
        return list_machines(&asked, &error) == BE_OK ? BE_EXIT_OK : be_cli_fail(&error);
    }
    if (asked.add) {
        return add_times(asked.add, asked.name[0], &error) == BE_OK ? BE_EXIT_OK
                                                                    : be_cli_fail(&error);
    }
    return show(&asked, &error) == BE_OK ? BE_EXIT_OK : be_cli_fail(&error);
}
