/* Rules about values that were not filled in, and a heap that the job has no memory for. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "lint/everyday.h"

/* ---- placeholders -------------------------------------------------------------------------------- */

/* "<allocation>", "YOUR_ACCOUNT", "your-email@x.org", "FIX_THIS": what somebody else was to write there. */
static bool is_placeholder(const char *value) {
    static const char *const whole[] = {"FIXME",    "FIX_THIS",  "TODO",
                                        "CHANGEME", "CHANGE_ME", "REPLACE_ME"};
    static const char *const ends[] = {"@example.com", "@example.org", "@example.net"};
    const char *opens = strchr(value, '<'), *end = strchr(value, '@');
    for (size_t i = 0; i < BE_COUNT(whole); i++) {
        if (strcmp(value, whole[i]) == 0) {
            return true;
        }
    }
    for (size_t i = 0; end && i < BE_COUNT(ends); i++) {
        if (strcasecmp(end, ends[i]) == 0) {
            return true;
        }
    }
    return (opens && strchr(opens, '>')) ||
           (strncasecmp(value, "your", 4) == 0 && (value[4] == '_' || value[4] == '-'));
}

void be_check_placeholder(struct be_lint *lint) {
    static const char *const names[] = {"account",     "partition",  "qos",
                                        "reservation", "constraint", "mail-user"};
    for (size_t i = 0; i < lint->script->options; i++) {
        const struct be_script_option *option = &lint->script->option[i];
        const bool mail = strcmp(option->option->name, "mail-user") == 0;
        if (!option->text || !is_placeholder(option->text) ||
            !be_lint_is_one_of(option->option->name, names, BE_COUNT(names))) {
            continue;
        }
        be_lint_advise(be_lint_add(lint, mail ? BE_ADVICE : BE_WARNING, be_lint_span(option),
                                   "\"%.60s\" was to be filled in: %s", option->text,
                                   mail ? "nobody gets the mail" : "Slurm refuses the job"),
                       mail ? "your address, or leave out --mail-user: it is the submitter then"
                            : "the name that the site gave you");
    }
}

/* ---- Java ---------------------------------------------------------------------------------------- */

/* The bytes of "-Xmx8g" somewhere in a word; NAN: it has none, or a variable. */
static double heap_in(const char *word) {
    static const char units[] = "kmgt";
    const char *at = strstr(word, "-Xmx");
    char *end = NULL;
    if (!at || !isdigit((unsigned char)at[4])) {
        return NAN;
    }
    double bytes = strtod(at + 4, &end);
    const char *unit = *end ? strchr(units, tolower((unsigned char)*end)) : NULL;
    return unit ? ldexp(bytes, 10 * (int)(unit - units + 1)) : bytes;
}

/* The memory that the job has on a node at most, as far as it says so; NAN: all of the node, or the site's preset. */
static double memory_of(const struct be_lint *lint, const struct be_lint_job *job) {
    const struct be_script_option *node = be_lint_valued(lint, "mem"),
                                  *core = be_lint_valued(lint, "mem-per-cpu");
    double bytes = NAN;
    if (be_lint_whole_node(lint) || !(node || core) || (node && core)) {
        return NAN;
    }
    if (!be_sbatch_memory(node ? node->text : core->text, &bytes) || bytes <= 0) {
        return NAN;
    }
    return node ? bytes : bytes * (double)(job->cpus * job->tasks);
}

void be_check_java_heap(struct be_lint *lint) {
    struct be_lint_job job;
    be_lint_read_job(lint, &job);
    const double has = memory_of(lint, &job);
    if (isnan(has) || lint->script->heterogeneous || lint->options->lsf) {
        return;
    }
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        for (int k = 0; k < command->words; k++) {
            const double heap = heap_in(command->word[k]);
            if (!(heap >= has) || be_lint_is_setup(command)) {
                continue;
            }
            be_lint_advise(be_lint_add(lint, BE_WARNING, command->span,
                                       "a heap of %.3g GB, and the job has %.3g GB: Slurm ends it "
                                       "when the heap is full, and Java needs more beside it",
                                       ldexp(heap, -30), ldexp(has, -30)),
                           "-Xmx a tenth below the memory that is asked for, or more of that");
            return;
        }
    }
}
