#include "lint/look/spelling.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

/* Bytes of a dash that is no hyphen (U+2010..U+2015, U+2212) at `at`; 0: there is none. */
static size_t dash_at(const char *at) {
    const unsigned char *byte = (const unsigned char *)at;
    bool dash = (byte[0] == 0xE2 && byte[1] == 0x80 && byte[2] >= 0x90 && byte[2] <= 0x95) ||
                (byte[0] == 0xE2 && byte[1] == 0x88 && byte[2] == 0x92);
    return dash ? 3 : 0;
}

size_t be_lint_dashes(const char *text) {
    size_t length = 0;
    bool dash = false;
    for (;;) {
        size_t more = dash_at(text + length);
        dash = dash || more;
        if (!more && text[length] != '-') {
            return dash ? length : 0;
        }
        length += more ? more : 1;
    }
}

bool be_lint_option_word(const char *word, char *fixed, size_t capacity) {
    size_t length = strcspn(word, "=");
    bool several = false;
    const struct be_sbatch_option *option = be_sbatch_abbreviated(word, length, &several);
    if (!option || strlen(option->name) != length ||
        (word[length] == '=') != (option->takes == BE_TAKES_VALUE) ||
        (word[length] == '=' && be_sbatch_refuses(option, word + length + 1))) {
        return false;
    }
    snprintf(fixed, capacity, "--%s", word);
    return strcspn(word, " \t'\"\\#$") == strlen(word);
}

bool be_lint_is_single_dash(const char *word, char *fixed, size_t capacity) {
    return word[0] == '-' && word[1] && word[1] != '-' && word[2] &&
           be_lint_option_word(word + 1, fixed, capacity);
}

bool be_lint_single_dash(const struct be_lint *lint, const struct be_script_option *option,
                         char *fixed, size_t capacity) {
    char word[BE_NOTE];
    be_lint_shown(lint, be_lint_span(option), word, sizeof word);
    return be_lint_of_sbatch(option) && option->value.length > 0 &&
           be_lint_is_single_dash(word, fixed, capacity);
}

static const char no_break[] = "\xC2\xA0";

bool be_lint_plain_blanks(struct be_lint *lint, struct be_lint_finding *finding,
                          struct be_span span) {
    const char *text = lint->script->text;
    bool found = false;
    for (size_t at = span.at; at + 1 < span.at + span.length; at++) {
        if (memcmp(text + at, no_break, 2) == 0) {
            be_lint_replace(lint, finding, (struct be_span){at, 2}, true, " ");
            found = true;
        }
    }
    return found;
}

bool be_lint_duration(const char *text, char *to, size_t capacity) {
    static const struct {
        const char *unit;
        int seconds;
    } units[] = {{"s", 1},     {"sec", 1},     {"m", 60},       {"min", 60},     {"mins", 60},
                 {"h", 3600},  {"hr", 3600},   {"hrs", 3600},   {"hour", 3600},  {"hours", 3600},
                 {"d", 86400}, {"day", 86400}, {"days", 86400}, {"minutes", 60}, {"w", 604800}};
    char *end = NULL;
    double number = strtod(text, &end);
    if (!isdigit((unsigned char)*text) || end == text || number > 1e5) {
        return false;
    }
    end += strspn(end, " ");
    for (size_t i = 0; i < BE_COUNT(units); i++) {
        if (strcasecmp(end, units[i].unit) == 0) {
            long seconds = (long)(number * units[i].seconds);
            if (seconds == 0) {
                return false; /* sbatch takes 0 for no limit */
            }
            long days = seconds / 86400, rest = seconds % 86400;
            int used = days ? snprintf(to, capacity, "%ld-", days) : 0;
            snprintf(to + used, capacity - (size_t)used, "%02ld:%02ld:%02ld", rest / 3600,
                     rest / 60 % 60, rest % 60);
            return true;
        }
    }
    return false;
}
