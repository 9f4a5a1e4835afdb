#include "cli/compare/programs.h"

#include <stdlib.h>

#include "base/error.h"
#include "bench/programs/programs.h"

static const double default_tolerance = 1e-6;

enum be_status be_cli_programs_add(struct be_cli_programs *programs, const char *command,
                                   struct be_error *error) {
    if (programs->commands == 2) {
        return be_fail(error, BE_USAGE,
                       "%.80s: --program takes two commands, as in --program './cpu {n}' './gpu "
                       "{n}'",
                       command);
    }
    programs->command[programs->commands++] = command;
    return BE_OK;
}

enum be_status be_cli_programs_same(struct be_cli_programs *programs, const char *text,
                                    struct be_error *error) {
    char *end = NULL;
    programs->same_output = true;
    if (!text) {
        return BE_OK;
    }
    programs->tolerance = strtod(text, &end);
    if (end == text || *end || !(programs->tolerance > 0 && programs->tolerance < 1)) {
        return be_fail(error, BE_USAGE,
                       "--same-output=%s: a number between 0 and 1 is needed: the largest "
                       "difference of two numbers, as a share of the larger (1e-4)",
                       text);
    }
    return BE_OK;
}

enum be_status be_cli_programs_check(const struct be_cli_programs *programs,
                                     const struct be_compare_options *options,
                                     struct be_error *error) {
    bool placement = false, cache = false;
    for (int i = 0; i < BE_PLACEMENTS; i++) {
        placement |= options->placement[i];
    }
    for (int i = 0; i < BE_CACHES; i++) {
        cache |= options->cache[i];
    }
    const struct {
        bool given;
        const char *name;
    } foreign[] = {
        {options->owns > 0, "--expr and --kernel"},
        {options->devices > 0, "--device"},
        {options->thread_counts > 0, "--threads"},
        {placement, "--placement"},
        {cache, "--cache"},
        {options->type, "--type"},
        {options->variants > 0, "--variant"},
        {options->choices > 0, "a parameter"},
        {options->energy, "--energy"},
        {options->show_async, "--show-async"},
        {options->picture, "--picture"},
    };
    if (!programs->commands) {
        return programs->same_output ? be_fail(error, BE_USAGE, "--same-output: is for --program")
                                     : BE_OK;
    }
    for (size_t i = 0; i < BE_COUNT(foreign); i++) {
        if (foreign[i].given) {
            return be_fail(error, BE_USAGE,
                           "--program: %s is for workloads of breakeven: leave it out, and have "
                           "the programs do it",
                           foreign[i].name);
        }
    }
    return BE_OK;
}

enum be_status be_cli_programs_compare(const struct be_cli_programs *programs,
                                       const struct be_compare_options *options,
                                       struct be_comparison *comparison, struct be_error *error) {
    const struct be_programs asked = {.command = {programs->command[0], programs->command[1]},
                                      .same_output = programs->same_output,
                                      .tolerance = programs->tolerance > 0 ? programs->tolerance
                                                                           : default_tolerance,
                                      .options = options};
    return be_programs_compare(&asked, comparison, error);
}
