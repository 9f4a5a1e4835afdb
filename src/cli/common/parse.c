/* Parsing that all commands share: argp's help, and how it ends. */
#include "cli/common/parse.h"

#include "cli/common/fail.h"

enum key { HELP = 'h', ASKED = '?', USAGE = 256 + 'u' }; /* apart from the commands' own */

/* argp's own help has no -h, which is what people try first. */
static const struct argp_option help_option[] = {
    {"help", HELP, NULL, 0, "Show this help", -1},
    {NULL, ASKED, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0},
    {"usage", USAGE, NULL, 0, "Show only the option names", 0},
    {0},
};

static error_t parse_help(int key, char *text, struct argp_state *state) {
    (void)text;
    switch (key) {
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

error_t be_cli_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input) {
    static const struct argp help = {help_option, parse_help, NULL, NULL, NULL, NULL, NULL};
    const struct argp_child child[] = {{argp, 0, NULL, 0}, {&help, 0, NULL, 0}, {0}};
    const struct argp both = {NULL, NULL, NULL, NULL, child, NULL, NULL};
    argp_err_exit_status = BE_EXIT_USAGE;
    return argp_parse(&both, argc, argv, flags | ARGP_NO_HELP, NULL, input);
}
