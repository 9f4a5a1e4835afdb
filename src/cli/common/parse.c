/* Parsing that all commands share: argp's help, names that are misspelt, and how it ends. */
#include "cli/common/parse.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "cli/common/fail.h"
#include "cli/options/options.h"
#include "report/queue/queue.h"

enum key { HELP = 'h', ASKED = '?', USAGE = 256 + 'u', LIST }; /* apart from the commands' own */

/* argp's own help has no -h, which is what people try first. */
static const struct argp_option help_option[] = {
    {"help", HELP, NULL, 0, "Show this help", -1},
    {NULL, ASKED, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0},
    {"usage", USAGE, NULL, 0, "Show only the option names", 0},
    {"list-options", LIST, NULL, OPTION_HIDDEN, NULL, 0},
    {0},
};

/* The command that is parsed is the first child of the root. */
static struct be_option_tables tables_of(const struct argp_state *state,
                                         const struct argp_option *both[2]) {
    both[0] = state->root_argp->children[0].argp->options;
    both[1] = help_option;
    return (struct be_option_tables){both, 2};
}

static error_t parse_help(int key, char *text, struct argp_state *state) {
    const struct argp_option *both[2];
    const struct be_option_tables tables = tables_of(state, both);
    (void)text;
    switch (key) {
    case ARGP_KEY_INIT:
        state->name = state->argv[0]; /* argp sets it later */
        be_options_check(&tables, state);
        return 0;
    case LIST:
        be_options_list(&tables, stdout);
        exit(BE_EXIT_OK);
    case HELP:
    case ASKED:
        argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
        return 0;
    case USAGE:
        argp_state_help(state, state->out_stream, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* argp prints at the end the text that stands behind a vertical tab. A reader wants the examples first. */
static const char *examples_first(const char *doc, struct be_text *out) {
    const char *examples = doc ? strchr(doc, '\v') : NULL;
    if (!examples || !examples[1]) {
        return doc;
    }
    be_text_add(out, "%s\n\n%.*s", examples + 1, (int)(examples - doc), doc);
    return out->failed ? doc : out->data;
}

error_t be_cli_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input) {
    static const struct argp help = {help_option, parse_help, NULL, NULL, NULL, NULL, NULL};
    struct be_text doc = {0};
    struct argp own = *argp;
    own.doc = examples_first(argp->doc, &doc);
    const struct argp_child child[] = {{&own, 0, NULL, 0}, {&help, 0, NULL, 0}, {0}};
    const struct argp both = {NULL, NULL, NULL, NULL, child, NULL, NULL};
    argp_err_exit_status = BE_EXIT_USAGE;
    const error_t status = argp_parse(&both, argc, argv, flags | ARGP_NO_HELP, NULL, input);
    be_text_free(&doc);
    return status;
}

/* In quotes where a shell would read it otherwise. */
static void add_word(const char *word, struct be_text *out) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=+:,./@%";
    if (*word && word[strspn(word, plain)] == '\0') {
        be_text_add(out, " %s", word);
        return;
    }
    be_text_add(out, " '");
    for (const char *c = word; *c; c++) {
        be_text_add(out, "%.*s", *c == '\'' ? 4 : 1, *c == '\'' ? "'\\''" : c);
    }
    be_text_add(out, "'");
}

struct be_made be_cli_typed(int argc, char **argv, struct be_text *command) {
    struct be_made made = {0};
    int words = 1;
    while (words < argc && strcmp(argv[words], "--") != 0) {
        words++;
    }
    be_text_add(command, "%s", argv[0]);
    for (int i = 1; i < words; i++) {
        add_word(argv[i], command);
    }
    if (words + 1 < argc) {
        be_text_add(command, " --");
        add_word(argv[words + 1], command);
        be_text_add(command, "%s", words + 2 < argc ? " ..." : "");
    }
    made.command = command->data;
    be_format_moment(made.date, sizeof made.date, (int64_t)time(NULL), false);
    return made;
}
