/* breakeven report FILE... */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/command/command.h"
#include "cli/common/explain.h"
#include "cli/common/fail.h"
#include "cli/common/output.h"
#include "cli/common/parse.h"
#include "report/trace/ranks.h"

enum key { JSON = 256, CSV, FAIL_ON };

static const struct argp_option option[] = {
    {"json", JSON, "FILE", OPTION_ARG_OPTIONAL, "As JSON (no FILE: instead of the table)", 0},
    {"csv", CSV, "FILE", OPTION_ARG_OPTIONAL, "As CSV (no FILE: instead of the table)", 0},
    {"fail-on", FAIL_ON, "WHAT", 0,
     "Exit code 1 where a run has findings that cost (cost), are worth knowing (note), or one by "
     "its name; of a profile any that it has, or one by its name",
     0},
    {0},
};

struct asked {
    struct be_cli_outputs outputs;
    const char **file; /* as many as there are words */
    int files;
    struct be_fail_on fail_on;
    bool found; /* what --fail-on names */
    struct be_error error;
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct asked *asked = state->input;
    switch (key) {
    case JSON:
        asked->outputs.json = be_cli_output_to(text);
        return 0;
    case CSV:
        asked->outputs.csv = be_cli_output_to(text);
        return 0;
    case FAIL_ON:
        return be_cli_fail_on_saved(text, &asked->fail_on, &asked->error) == BE_OK ? 0 : EINVAL;
    case ARGP_KEY_ARG:
        asked->file[asked->files++] = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which file? name one that `compare --json=FILE` wrote");
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum be_status read_file(const char *name, struct be_saved *saved, struct be_error *error) {
    FILE *in = strcmp(name, "-") == 0 ? stdin : fopen(name, "re");
    if (!in) {
        return be_fail(error, BE_IO, "%s: %s", name, strerror(errno));
    }
    enum be_status status = be_saved_read(in, name, saved, error);
    if (in != stdin) {
        fclose(in);
    }
    return status;
}

static enum be_status print_file(struct asked *asked, const char *name, struct be_error *error) {
    struct be_saved saved = {0};
    enum be_status status = read_file(name, &saved, error);
    bool fails = false;
    if (status == BE_OK) {
        status = be_cli_fails_saved(&asked->fail_on, &saved, name, &fails, error);
    }
    asked->found |= fails;
    if (status == BE_OK && saved.trace) {
        status = be_cli_outputs_write(&asked->outputs, be_cli_write_trace, saved.trace, error);
    } else if (status == BE_OK) {
        status = saved.is_profile ? be_cli_outputs_write(&asked->outputs, be_cli_write_profile,
                                                         &saved.profile, error)
                                  : be_cli_outputs_write(&asked->outputs, be_cli_write_comparison,
                                                         &saved.comparison, error);
    }
    be_saved_free(&saved);
    return status;
}

/* Takes one line of each file; false: they are not the ranks of one program, or one cannot be read. */
static bool take_ranks(struct asked *asked, struct be_rank_line *line, struct be_error *error) {
    bool found = false;
    for (int i = 0; i < asked->files; i++) {
        struct be_saved saved = {0};
        bool fails = false;
        if (strcmp(asked->file[i], "-") == 0 || read_file(asked->file[i], &saved, error) != BE_OK) {
            return false;
        }
        bool taken = saved.trace && be_cli_fails_saved(&asked->fail_on, &saved, asked->file[i],
                                                       &fails, error) == BE_OK;
        if (taken) {
            be_rank_take(saved.trace, &line[i]);
        }
        found |= fails;
        be_saved_free(&saved);
        if (!taken) {
            return false;
        }
    }
    asked->found |= found;
    return be_ranks_are(line, asked->files);
}

/* Several traces that are the ranks of one program make one report; all else is printed file by file, which
 * also says what is wrong with one. */
static bool print_ranks(struct asked *asked) {
    struct be_error error = {0};
    struct be_text text = {0};
    struct be_rank_line *line = calloc((size_t)asked->files + 1, sizeof *line);
    bool ranks = line && asked->files > 1 && take_ranks(asked, line, &error);
    if (ranks) {
        be_ranks_text(line, asked->files, &text);
        fputs(text.data ? text.data : "", stdout);
    }
    be_text_free(&text);
    free(line);
    return ranks;
}

int be_cli_report(int argc, char **argv) {
    static const struct argp argp = {
        option,
        parse,
        "FILE...",
        "Print again what `breakeven compare --json=FILE`, "
        "`breakeven probe` or `breakeven run` saved; "
        "- is standard input. Nothing is measured. Several traces of the ranks "
        "of one program make one report.",
        NULL,
        NULL,
        NULL};
    struct asked asked = {.file = calloc((size_t)argc + 1, sizeof *asked.file)};
    struct be_error error = {0};
    if (!asked.file) {
        be_fail(&error, BE_NOMEM, "report: out of memory");
        return be_cli_fail(&error);
    }
    if (be_cli_parse(&argp, argc, argv, 0, &asked) != 0) {
        free(asked.file);
        return asked.error.text[0] ? be_cli_fail(&asked.error) : BE_EXIT_USAGE;
    }
    enum be_status status = BE_OK;
    if (asked.files > 1 && (asked.outputs.json.asked || asked.outputs.csv.asked)) {
        status = be_fail(&error, BE_USAGE, "--json and --csv take one FILE at a time");
    }
    status = status == BE_OK ? be_cli_outputs_open(&asked.outputs, &error) : status;
    bool done = status == BE_OK && print_ranks(&asked);
    for (int i = 0; !done && status == BE_OK && i < asked.files; i++) {
        status = print_file(&asked, asked.file[i], &error);
    }
    be_cli_outputs_close(&asked.outputs);
    free(asked.file);
    if (status != BE_OK) {
        return be_cli_fail(&error);
    }
    return asked.found ? BE_EXIT_FINDINGS : BE_EXIT_OK;
}
