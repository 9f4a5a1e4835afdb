#include "report/usage/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

/* Shorter bars are not seen. */
static const double least_s = 180;

const char *be_usage_percent(char to[BE_WORD], double share) {
    if (isnan(share)) {
        return "-";
    }
    snprintf(to, BE_WORD, "%.0f%%", 100 * fmin(share, 9.99));
    return to;
}

const char *be_usage_hours(char to[BE_WORD], double seconds) {
    const double value = seconds / 3600;
    if (isnan(value)) {
        return "-";
    }
    if (value < 10) {
        snprintf(to, BE_WORD, "%.1f", value);
        return to;
    }
    return be_format_count(to, BE_WORD, round(value), "-");
}

enum be_usage_kind be_usage_worst(const struct be_usage *usage) {
    int kind = 0;
    while (kind < BE_USAGE_KINDS && !usage->of_kind[kind]) {
        kind++;
    }
    return (enum be_usage_kind)kind;
}

void be_usage_kinds(const struct be_usage *usage, struct be_text *out) {
    const enum be_usage_kind worst = be_usage_worst(usage);
    int others = -1;
    for (int i = 0; i < BE_USAGE_KINDS; i++) {
        others += usage->of_kind[i] > 0;
    }
    if (worst < BE_USAGE_KINDS) {
        be_text_add(out, " %s", be_usage_kind_name(worst));
    }
    if (others > 0) {
        be_text_add(out, " +%d", others);
    }
}

const char *be_usage_whose(const struct be_usage *usage, char to[BE_WORD]) {
    if (usage->jobs > 1 && (!*usage->user || strcmp(usage->user, usage->id) == 0)) {
        snprintf(to, BE_WORD, "%d jobs", usage->jobs);
        return to;
    }
    return usage->user;
}

bool be_usage_is_drawn(const struct be_usage *usage) {
    return usage->unused_s > least_s;
}
