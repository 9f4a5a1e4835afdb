/* Values of options, from text. */
#include "cli/common/values.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum be_status be_cli_whole(const char *what, const char *text, uint64_t min, uint64_t *value,
                            struct be_error *error) {
    char *end = NULL;
    double number = strtod(text, &end);
    const double max = 0x1p53; /* whole numbers are exact up to here */
    if (end == text || *end != '\0' || isnan(number)) {
        return be_fail(error, BE_USAGE, "%s '%s': not a number (1000 and 1e6 are)", what, text);
    }
    if (number < 0) {
        return be_fail(error, BE_USAGE, "%s %s: must not be negative", what, text);
    }
    if (number > max) {
        return be_fail(error, BE_USAGE, "%s %s: too large (at most %.0f)", what, text, max);
    }
    if (floor(number) < number) {
        return be_fail(error, BE_USAGE, "%s %s: must be a whole number", what, text);
    }
    if (number < (double)min) {
        return be_fail(error, BE_USAGE, "%s %s: at least %llu", what, text,
                       (unsigned long long)min);
    }
    *value = (uint64_t)number;
    return BE_OK;
}

enum be_status be_cli_seconds(const char *what, const char *text, double *seconds,
                              struct be_error *error) {
    char *end = NULL;
    *seconds = strtod(text, &end);
    if (end == text || *end != '\0' || !(*seconds > 0) || isinf(*seconds)) {
        return be_fail(error, BE_USAGE, "%s %s: seconds above 0 are needed, as in 0.5", what, text);
    }
    return BE_OK;
}

/* Calls take for each part between commas. */
static enum be_status each_part(const char *what, const char *text,
                                enum be_status (*take)(const char *part, void *context,
                                                       struct be_error *error),
                                void *context, struct be_error *error) {
    enum be_status status = BE_OK;
    while (status == BE_OK) {
        char part[BE_NAME];
        size_t length = strcspn(text, ",");
        if (length == 0 || length >= sizeof part) {
            return be_fail(error, BE_USAGE, "%s: an empty or overlong part at '%.40s'", what, text);
        }
        be_copy_text(part, length + 1, text);
        status = take(part, context, error);
        if (text[length] == '\0') {
            break;
        }
        text += length + 1;
    }
    return status;
}

struct values {
    const char *what;
    uint64_t min;
    struct be_choice *choice;
};

static enum be_status take_value(const char *part, void *context, struct be_error *error) {
    struct values *values = context;
    struct be_choice *choice = values->choice;
    if (choice->values == BE_LIST_MAX) {
        return be_fail(error, BE_USAGE, "--%s: at most %d values", values->what, (int)BE_LIST_MAX);
    }
    return be_cli_whole(values->what, part, values->min, &choice->value[choice->values++], error);
}

enum be_status be_cli_values(const char *what, const char *text, uint64_t min,
                             struct be_choice *choice, struct be_error *error) {
    const char *dots = strstr(text, "..");
    struct values values = {what, min, choice};
    *choice = (struct be_choice){.name = what};
    if (!dots) {
        char option[BE_NAME];
        snprintf(option, sizeof option, "--%s", what);
        return each_part(option, text, take_value, &values, error);
    }
    if (dots[2] == '.') {
        return be_fail(error, BE_USAGE, "--%s %s: two dots stand between the ends, as in 1e3..1e6",
                       what, text);
    }
    if (dots == text || !dots[2]) {
        return be_fail(error, BE_USAGE, "--%s %s: a range has two ends, as in 1e3..1e6", what,
                       text);
    }
    char from[BE_NAME];
    size_t length = (size_t)(dots - text);
    be_copy_text(from, length + 1 < sizeof from ? length + 1 : sizeof from, text);
    enum be_status status = be_cli_whole(what, from, 1, &choice->from, error);
    if (status == BE_OK) {
        status = be_cli_whole(what, dots + 2, 1, &choice->to, error);
    }
    if (status == BE_OK && choice->from > choice->to) {
        status = be_fail(error, BE_USAGE, "--%s %s: the first must not be the larger", what, text);
    }
    return status;
}

enum be_status be_cli_sizes(const char *text, struct be_compare_options *options,
                            struct be_error *error) {
    struct be_choice choice;
    enum be_status status = be_cli_values("size", text, 1, &choice, error);
    memcpy(options->size, choice.value, sizeof options->size);
    options->sizes = choice.values;
    options->size_from = choice.from;
    options->size_to = choice.to;
    return status;
}

static enum be_status take_threads(const char *part, void *context, struct be_error *error) {
    struct be_compare_options *options = context;
    uint64_t value = 0;
    if (options->thread_counts == BE_LIST_MAX) {
        return be_fail(error, BE_USAGE, "--threads: at most %d counts", (int)BE_LIST_MAX);
    }
    enum be_status status = be_cli_whole("threads", part, 1, &value, error);
    if (status == BE_OK && value > 1024) {
        status = be_fail(error, BE_USAGE, "threads %s: at most 1024", part);
    }
    options->threads[options->thread_counts++] = (int)value;
    return status;
}

enum be_status be_cli_threads(const char *text, struct be_compare_options *options,
                              struct be_error *error) {
    options->thread_counts = 0;
    return each_part("--threads", text, take_threads, options, error);
}

static enum be_status take_placement(const char *part, void *context, struct be_error *error) {
    static const char *const name[] = {
        [BE_COPY] = "copy", [BE_PRELOAD] = "preload", [BE_RESIDENT] = "resident"};
    struct be_compare_options *options = context;
    for (size_t i = BE_COPY; i < BE_COUNT(name); i++) {
        if (strcmp(part, name[i]) == 0) {
            options->placement[i] = true;
            return BE_OK;
        }
    }
    return be_fail(error, BE_USAGE, "placement %s: there are copy, preload, resident", part);
}

enum be_status be_cli_placements(const char *text, struct be_compare_options *options,
                                 struct be_error *error) {
    memset(options->placement, 0, sizeof options->placement);
    return each_part("--placement", text, take_placement, options, error);
}

enum be_status be_cli_caches(const char *text, struct be_compare_options *options,
                             struct be_error *error) {
    bool both = strcmp(text, "both") == 0;
    options->cache[BE_HOT] = both || strcmp(text, "hot") == 0;
    options->cache[BE_COLD] = both || strcmp(text, "cold") == 0;
    return options->cache[BE_HOT] || options->cache[BE_COLD]
               ? BE_OK
               : be_fail(error, BE_USAGE, "--cache %s: there are hot, cold, both", text);
}

enum be_status be_cli_names(const char *what, char *text, const char **list, int *count,
                            struct be_error *error) {
    *count = 0;
    for (char *part = text; part;) {
        char *comma = strchr(part, ',');
        if (comma) {
            *comma = '\0';
        }
        if (*part == '\0' || *count == BE_LIST_MAX) {
            return be_fail(error, BE_USAGE, "%s: an empty name, or more than %d", what,
                           (int)BE_LIST_MAX);
        }
        list[(*count)++] = part;
        part = comma ? comma + 1 : NULL;
    }
    return BE_OK;
}

enum be_status be_cli_choice(const char *what, const char *text, const char *const *word,
                             int *index, struct be_error *error) {
    char all[128] = "";
    for (int i = 0; word[i]; i++) {
        if (strcmp(text, word[i]) == 0) {
            *index = i;
            return BE_OK;
        }
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", word[i]);
    }
    return be_fail(error, BE_USAGE, "--%s %s: there are %s", what, text, all);
}

enum be_status be_cli_delimiter(const char *text, char *mark, struct be_error *error) {
    const bool tab = strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0;
    const bool fine = tab || (strlen(text) == 1 && !isalnum((unsigned char)*text) && *text != '"');
    *mark = tab ? '\t' : *text;
    return fine ? BE_OK
                : be_fail(error, BE_USAGE,
                          "--delimiter %s: one sign that is no letter, digit or quote, as ; or "
                          "tab",
                          text);
}
