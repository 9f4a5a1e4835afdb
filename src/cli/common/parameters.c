/* Parameters of workloads as options: what there is comes from the library. */
#include "cli/common/parameters.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/common/values.h"

/* A heading has a text and no name. */
static bool is_end(const struct argp_option *option) {
    return !option->name && !option->doc;
}

static int count_options(const struct argp_option *option) {
    int count = 0;
    while (!is_end(&option[count])) {
        count++;
    }
    return count;
}

static bool has_option(const struct argp_option *option, const char *name) {
    for (int i = 0; !is_end(&option[i]); i++) {
        if (option[i].name && strcmp(option[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

void be_cli_parameter_options(struct argp_option *option, int capacity) {
    const char *workload;
    const char *summary;
    const char *name;
    const char *what;
    int count = count_options(option);
    int key = BE_CLI_PARAMETER;
    if (count + 1 < capacity) {
        option[count++] = (struct argp_option){.doc = "Parameters of these workloads:", .group = 4};
    }
    for (int w = 0; be_workload_describe(w, &workload, &summary); w++) {
        for (int p = 0; be_workload_parameter(workload, p, &name, &what); p++) {
            if (has_option(option, name) || count + 1 >= capacity) {
                continue;
            }
            option[count++] =
                (struct argp_option){.name = name,
                                     .key = key,
                                     .arg = be_parameter_kind(name, 0) ? "NAME" : "LIST|A..B",
                                     .doc = what,
                                     .group = 4};
            option[count] = (struct argp_option){0};
            key++;
        }
    }
}

/* "stencil, gather: what it is; nbody: what it is there". */
char *be_cli_parameter_help(const char *parameter) {
    const char *workload, *summary, *name, *what, *last = "";
    char *text = NULL;
    size_t capacity = 0;
    FILE *out = open_memstream(&text, &capacity);
    bool first = true;
    if (!out) {
        return NULL;
    }
    for (int w = 0; be_workload_describe(w, &workload, &summary); w++) {
        for (int p = 0; be_workload_parameter(workload, p, &name, &what); p++) {
            if (strcmp(name, parameter) != 0) {
                continue;
            }
            const bool same = !first && strcmp(what, last) == 0;
            if (same) {
                fprintf(out, ", %s", workload);
            } else {
                fprintf(out, "%s%s%s%s", first ? "" : ": ", last, first ? "" : "; ", workload);
            }
            last = what;
            first = false;
        }
    }
    fprintf(out, ": %s", last);
    return fclose(out) == 0 ? text : NULL;
}

/* The kinds of a parameter that has some, by name or number. */
static enum be_status take_kind(const char *name, const char *text, struct be_choice *choice,
                                struct be_error *error) {
    char known[BE_NOTE] = "";
    char number[BE_NAME];
    const char *kind;
    *choice = (struct be_choice){.name = name, .values = 1};
    for (uint64_t i = 0; (kind = be_parameter_kind(name, i)) != NULL; i++) {
        snprintf(number, sizeof number, "%llu", (unsigned long long)i);
        if (strcmp(text, kind) == 0 || strcmp(text, number) == 0) {
            choice->value[0] = i;
            return BE_OK;
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", kind);
    }
    return be_fail(error, BE_USAGE, "--%s %.60s: it is one of %s", name, text, known);
}

enum be_status be_cli_parameter(const char *name, const char *text,
                                struct be_compare_options *options, struct be_error *error) {
    struct be_choice *choice = NULL;
    for (int i = 0; i < options->choices; i++) {
        choice = strcmp(options->choice[i].name, name) == 0 ? &options->choice[i] : choice;
    }
    if (!choice && options->choices == BE_CHOICES_MAX) {
        return be_fail(error, BE_USAGE, "--%s: more than %d parameters", name, (int)BE_CHOICES_MAX);
    }
    choice = choice ? choice : &options->choice[options->choices++];
    return be_parameter_kind(name, 0) ? take_kind(name, text, choice, error)
                                      : be_cli_values(name, text, 0, choice, error);
}
