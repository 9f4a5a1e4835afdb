/* breakeven report FILE... */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/command/command.h"
#include "cli/common/chart.h"
#include "cli/common/explain.h"
#include "cli/common/fail.h"
#include "cli/common/output.h"
#include "cli/common/parse.h"
#include "cli/common/settings.h"
#include "cli/common/trace_files.h"
#include "cli/run/node_rates.h"
#include "report/common/out.h"
#include "report/saved.h"
#include "report/together/together.h"
#include "report/trace/ranks.h"

enum key { JSON = 256, CSV, CHART, SVG, PNG, HTML, FAIL_ON };
enum { PATH_LENGTH = 1100 };

static const struct argp_option option[] = {
    {"json", JSON, "FILE", OPTION_ARG_OPTIONAL,
     "Write JSON (no FILE: to standard output, instead of the table)", 0},
    {"csv", CSV, "FILE", OPTION_ARG_OPTIONAL,
     "Write CSV (no FILE: to standard output, instead of the table)", 0},
    {"chart", CHART, "FILE.svg", OPTION_ARG_OPTIONAL,
     "Draw time over size, of a comparison (no FILE: as text, after the table)", 0},
    {"svg", SVG, "FILE", 0, "Draw a comparison, a run over its time, or a machine's roofline", 0},
    {"png", PNG, "FILE", 0, "The drawing of --svg as PNG, where rsvg-convert is installed", 0},
    {"html", HTML, "FILE", OPTION_ARG_OPTIONAL,
     "Write one page that needs nothing else, of several FILEs one together (no FILE: to standard "
     "output)",
     0},
    {"fail-on", FAIL_ON, "WHAT", 0,
     "End with exit code 1 where a run has such findings: cost (they cost time or money), note "
     "(they are worth knowing), or the name of one. A profile's findings are all alike: any of "
     "them counts, or the name of one",
     0},
    {0},
};

struct asked {
    struct be_cli_outputs outputs;
    char **file;
    int files;
    struct be_fail_on fail_on;
    bool found; /* what --fail-on names */
    struct be_text typed;
    struct be_made made;
    struct be_error error;
};

static enum be_status take_fail_on(void *context, char *text, struct be_error *error) {
    return be_cli_fail_on_saved(text, &((struct asked *)context)->fail_on, error);
}

static const struct be_setting setting[] = {
    BE_OUTPUT(JSON, outputs.json),  BE_OUTPUT(CSV, outputs.csv),  BE_OUTPUT(CHART, outputs.chart),
    BE_DRAWING(SVG, outputs.chart), BE_DRAWING(PNG, outputs.png), BE_OUTPUT(HTML, outputs.html),
    BE_OWN(FAIL_ON, take_fail_on),  BE_REST(file, files),
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct asked *asked = state->input;
    return be_cli_set(setting, BE_COUNT(setting), key, text, state, &asked->error);
}

static enum be_status write_saved(struct asked *asked, const struct be_saved *saved,
                                  const char *name, struct be_error *error) {
    enum be_status status;
    if (be_cli_outputs_chart(&asked->outputs) && (saved->trace || saved->is_profile)) {
        return be_fail(error, BE_USAGE,
                       "%s: --chart as text draws a comparison, and this is %s: name a file for "
                       "the drawing, as --svg=FILE",
                       name, saved->trace ? "a run" : "the profile of a machine");
    }
    if (saved->trace) {
        be_node_rates(saved->trace);
        return be_cli_outputs_write(&asked->outputs, be_cli_write_trace, saved->trace, error);
    }
    if (saved->is_profile) {
        return be_cli_outputs_write(&asked->outputs, be_cli_write_profile, &saved->profile, error);
    }
    status =
        be_cli_outputs_write(&asked->outputs, be_cli_write_comparison, &saved->comparison, error);
    return status ? status : be_cli_chart_print(&asked->outputs, &saved->comparison, error);
}

static enum be_status print_file(struct asked *asked, const char *name, struct be_error *error) {
    struct be_saved saved = {0};
    enum be_status status = be_saved_load(name, &saved, error);
    bool fails = false;
    if (status == BE_OK) {
        status = be_cli_fails_saved(&asked->fail_on, &saved, name, &fails, error);
    }
    asked->found |= fails;
    status = status ? status : write_saved(asked, &saved, name, error);
    be_saved_free(&saved);
    return status;
}

/* A file that cannot be read holds up none of the others. */
static int print_or_say(struct asked *asked, const char *name) {
    struct be_error error = {0};
    return print_file(asked, name, &error) == BE_OK ? BE_EXIT_OK : be_cli_fail(&error);
}

static void free_saved(struct be_saved *saved, int count) {
    for (int i = 0; i < count; i++) {
        be_saved_free(&saved[i]);
    }
    free(saved);
}

static enum be_status write_together(const void *results, enum be_format format, FILE *out,
                                     struct be_error *error) {
    struct be_text text = {0};
    (void)format;
    be_together_html(results, &text);
    return be_report_out(&text, out, error);
}

/* Several files on one page; one that cannot be read ends it, since a comparison would not be whole. */
static enum be_status print_together(struct asked *asked, struct be_error *error) {
    char name[BE_TOGETHER_MAX][BE_NAME];
    struct be_together together = {.name = name, .made = asked->made};
    enum be_status status = BE_OK;
    bool fails = false;
    if (asked->files > BE_TOGETHER_MAX) {
        return be_fail(error, BE_USAGE, "--html: at most %d files on one page",
                       (int)BE_TOGETHER_MAX);
    }
    struct be_saved *saved = calloc((size_t)asked->files, sizeof *saved);
    if (!saved) {
        return be_fail(error, BE_NOMEM, "report: no host memory");
    }
    for (; together.count < asked->files && !status; together.count++) {
        const char *file = asked->file[together.count];
        be_together_name(file, name[together.count]);
        status = be_saved_load(file, &saved[together.count], error);
        status = status ? status
                        : be_cli_fails_saved(&asked->fail_on, &saved[together.count], file, &fails,
                                             error);
    }
    asked->found |= fails;
    together.saved = saved;
    asked->outputs.no_text =
        true; /* it follows, file by file, unless the page stands in its place */
    status =
        status ? status : be_cli_outputs_write(&asked->outputs, write_together, &together, error);
    asked->outputs.no_text = !asked->outputs.html.file;
    free_saved(saved, together.count);
    return status;
}

/* Without a name. */
static enum be_status find_last(char path[PATH_LENGTH], struct be_error *error) {
    if (!be_trace_file_last(path, PATH_LENGTH)) {
        return be_fail(error, BE_USAGE,
                       "report: which file? Neither this folder nor those that `breakeven run` "
                       "keeps have a trace: name one, or one that `compare --json=FILE` wrote");
    }
    fprintf(stderr, "breakeven: the trace written last:\n  %s\n", path);
    return BE_OK;
}

/* Takes one line of each file; false: they are not the ranks of one program, or one cannot be read. */
static bool take_ranks(struct asked *asked, struct be_rank_line *line, struct be_error *error) {
    bool found = false;
    for (int i = 0; i < asked->files; i++) {
        struct be_saved saved = {0};
        bool fails = false;
        if (strcmp(asked->file[i], "-") == 0 ||
            be_saved_load(asked->file[i], &saved, error) != BE_OK) {
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
    bool ranks = line && asked->files > 1 && !be_cli_outputs_drawn(&asked->outputs) &&
                 take_ranks(asked, line, &error);
    if (ranks) {
        be_ranks_text(line, asked->files, &text);
        fputs(text.data ? text.data : "", stdout);
    }
    be_text_free(&text);
    free(line);
    return ranks;
}

/* The page of several files, then each as text. */
static int print_all(struct asked *asked) {
    struct be_error error = {0};
    if (asked->files > 1 && asked->outputs.html.asked && print_together(asked, &error) != BE_OK) {
        return be_cli_fail(&error);
    }
    if (asked->outputs.no_text || print_ranks(asked)) {
        return BE_EXIT_OK;
    }
    int code = BE_EXIT_OK;
    for (int i = 0; i < asked->files; i++) {
        int one = print_or_say(asked, asked->file[i]);
        code = code == BE_EXIT_OK ? one : code;
    }
    return code;
}

int be_cli_report(int argc, char **argv) {
    static const struct argp argp = {
        option,
        parse,
        "[FILE...]",
        "This command prints saved results again. FILE was written by `breakeven compare "
        "--json=FILE`, `breakeven probe` or `breakeven run`. - is standard input. Without a FILE "
        "it "
        "takes the trace written last, of those that are kept and of those in this folder. The "
        "traces of several ranks of one program make one report. --html sets several files side by "
        "side. Nothing is "
        "measured.\vExamples:\n  breakeven report results.json\n  breakeven report --csv "
        "results.json",
        NULL,
        NULL,
        NULL};
    struct asked asked = {0};
    struct be_error error = {0};
    asked.made = be_cli_typed(argc, argv, &asked.typed);
    if (be_cli_parse(&argp, argc, argv, 0, &asked) != 0) {
        be_text_free(&asked.typed);
        return asked.error.text[0] ? be_cli_fail(&asked.error) : BE_EXIT_USAGE;
    }
    char path[PATH_LENGTH], *last[] = {path};
    enum be_status status = BE_OK;
    if (!asked.files) {
        status = find_last(path, &error);
        asked.file = last;
        asked.files = 1;
    }
    if (asked.files > 1 && (asked.outputs.json.asked || asked.outputs.csv.asked ||
                            asked.outputs.chart.file || asked.outputs.png.asked)) {
        status = be_fail(&error, BE_USAGE,
                         "--json, --csv, --svg, --png and --chart=FILE take one FILE at a time");
    }
    status = status == BE_OK ? be_cli_outputs_open(&asked.outputs, &error) : status;
    int code = status == BE_OK ? print_all(&asked) : be_cli_fail(&error);
    be_cli_outputs_close(&asked.outputs);
    be_text_free(&asked.typed);
    if (code != BE_EXIT_OK) {
        return code;
    }
    return asked.found ? BE_EXIT_FINDINGS : BE_EXIT_OK;
}
