/* Rules about words of directives that are neither options nor values, and signs that make them so. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lint/rules.h"

/* LOOKS: a file that is no job script may have a wrong word a line, and each look takes all options. */
enum { SHOWN = 80, LOOKS = 300 };

/* ---- quotes that are none ---------------------------------------------------------------------- */

/* The plain sign for a curly quote at `at`, of *length bytes; NULL: there is none. */
static const char *plain_quote(const char *at, size_t *length) {
    const unsigned char *byte = (const unsigned char *)at;
    if (byte[0] == 0xE2 && byte[1] == 0x80 && byte[2] >= 0x98 && byte[2] <= 0x9F) {
        *length = 3;
        return byte[2] < 0x9C ? "'" : "\"";
    }
    if (byte[0] == 0xC2 && (byte[1] == 0xAB || byte[1] == 0xBB)) {
        *length = 2;
        return "\"";
    }
    return NULL;
}

static bool is_curly(const struct be_script_option *option) {
    size_t length;
    return option->text && option->origin == BE_LINE_SBATCH && plain_quote(option->text, &length);
}

/* Lines with an option whose value begins so; to be freed; NULL: no memory. */
static bool *curly_lines(const struct be_lint *lint) {
    bool *line = calloc(lint->script->lines + 1, sizeof *line);
    for (size_t i = 0; line && i < lint->script->options; i++) {
        const struct be_script_option *option = &lint->script->option[i];
        if (is_curly(option)) {
            line[be_script_line_at(lint->script, option->name.at)] = true;
        }
    }
    return line;
}

/* Lines with a word that sbatch refuses; likewise. */
static bool *bare_lines(const struct be_lint *lint) {
    bool *line = calloc(lint->script->lines + 1, sizeof *line);
    const struct be_script_fault *fault;
    for (size_t index = 0; line && (fault = be_lint_fault(lint, &index, BE_FAULT_BARE));) {
        line[be_script_line_at(lint->script, fault->span.at)] = true;
    }
    return line;
}

static void say_curly(struct be_lint *lint, const struct be_script_option *option,
                      struct be_span line, bool refused) {
    struct be_lint_finding *finding = be_lint_add(
        lint, refused ? BE_ERROR : BE_WARNING, option->value, "curly quotes are no quotes: %s",
        refused ? "sbatch refuses what they hold" : "they are a part of the value");
    be_lint_advise(finding, "write plain ones; a word processor made them curly");
    const char *text = lint->script->text;
    for (size_t at = option->name.at; at < line.at + line.length && text[at] != '#';) {
        size_t length = 1;
        const char *plain = plain_quote(text + at, &length);
        if (plain) {
            be_lint_replace(lint, finding, (struct be_span){at, length}, refused, plain);
        }
        at += length;
    }
}

void be_check_curly(struct be_lint *lint) {
    bool *curly = curly_lines(lint), *bare = bare_lines(lint);
    for (size_t i = 0; curly && bare && i < lint->script->options; i++) {
        const struct be_script_option *option = &lint->script->option[i];
        size_t line = is_curly(option) ? be_script_line_at(lint->script, option->name.at) : 0;
        if (line && curly[line]) { /* the first of its line */
            curly[line] = false;
            say_curly(lint, option, lint->script->line[line].span,
                      bare[line] || be_sbatch_refuses(option->option, option->text));
        }
    }
    lint->report->failed |= !curly || !bare;
    free(curly);
    free(bare);
}

/* ---- words ------------------------------------------------------------------------------------- */

static bool is_blank(char sign) {
    return sign == ' ' || sign == '\t';
}

static size_t back_over_blanks(const char *text, size_t at) {
    while (at > 0 && is_blank(text[at - 1])) {
        at--;
    }
    return at;
}

/* "--time = 5", "--mem= 4G", "--mail-type=END, FAIL": the word belongs to the value of the option before
 * it. *whole: of both. */
static bool is_value_apart(const struct be_lint *lint, const struct be_script_fault *fault,
                           char *fixed, size_t capacity, struct be_span *whole) {
    const char *text = lint->script->text;
    size_t sign = back_over_blanks(text, fault->span.at);
    if (sign == fault->span.at || sign == 0 || !strchr("=,", text[sign - 1])) {
        return false;
    }
    bool list = text[sign - 1] == ',';
    size_t end = list ? sign : back_over_blanks(text, sign - 1), begin = end;
    while (begin > 0 && !is_blank(text[begin - 1]) && text[begin - 1] != '\n') {
        begin--;
    }
    if (end < begin + 3 || end - begin > BE_NAME || strncmp(text + begin, "--", 2) != 0) {
        return false;
    }
    char joined[BE_NOTE];
    snprintf(joined, sizeof joined, "%.*s%s%.*s", (int)(end - begin - 2), text + begin + 2,
             list ? "" : "=", BE_NAME, fault->word);
    *whole = (struct be_span){begin, fault->span.at + fault->span.length - begin};
    return be_lint_option_word(joined, fixed, capacity);
}

/* "--mem=16 GB", "--time=7 days": a unit behind the value of an option. *value: of both. */
static bool is_unit_apart(const struct be_lint *lint, const struct be_script_fault *fault,
                          char *fixed, size_t capacity, struct be_span *value) {
    const size_t end = back_over_blanks(lint->script->text, fault->span.at);
    if (end == fault->span.at ||
        strspn(fault->word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") !=
            strlen(fault->word)) {
        return false;
    }
    for (size_t i = 0; i < lint->script->options; i++) {
        const struct be_script_option *option = &lint->script->option[i];
        char joined[BE_NAME];
        if (!option->text || option->value.at + option->value.length != end) {
            continue;
        }
        snprintf(joined, sizeof joined, "%.20s%.20s", option->text, fault->word);
        *value = (struct be_span){option->value.at,
                                  fault->span.at + fault->span.length - option->value.at};
        if (option->option->kind == BE_KIND_DURATION) {
            return be_lint_duration(joined, fixed, capacity);
        }
        snprintf(fixed, capacity, "%s", joined);
        return option->option->kind == BE_KIND_MEMORY && !be_sbatch_refuses(option->option, joined);
    }
    return false;
}

/* "--nice 100", "--exclusive user": a value that may only be joined by =. */
static bool is_value_of_maybe(const struct be_lint *lint, const struct be_script_fault *fault,
                              char *fixed, size_t capacity, struct be_span *whole) {
    const size_t end = back_over_blanks(lint->script->text, fault->span.at);
    for (size_t i = 0; end < fault->span.at && i < lint->script->options; i++) {
        const struct be_script_option *option = &lint->script->option[i];
        if (option->option->takes == BE_TAKES_MAYBE && !option->text &&
            option->name.at + option->name.length == end && strlen(fault->word) < BE_NAME &&
            strcspn(fault->word, " \t'\"\\#$") == strlen(fault->word) &&
            !be_sbatch_refuses(option->option, fault->word)) {
            snprintf(fixed, capacity, "--%s=%s", option->option->name, fault->word);
            *whole = (struct be_span){option->name.at,
                                      fault->span.at + fault->span.length - option->name.at};
            return true;
        }
    }
    return false;
}

/* Right behind an option that sbatch does not have, and perhaps its value. */
static bool is_of_unknown(const struct be_lint *lint, const struct be_script_fault *fault) {
    const struct be_script_fault *unknown;
    const size_t end = back_over_blanks(lint->script->text, fault->span.at);
    for (size_t index = 0; (unknown = be_lint_fault(lint, &index, BE_FAULT_UNKNOWN));) {
        if (unknown->span.at + unknown->span.length == end && !strchr(unknown->word, '=')) {
            return true;
        }
    }
    return false;
}

/* Says how to mend it; true: a fix is known. */
static bool mend(struct be_lint *lint, struct be_lint_finding *finding,
                 const struct be_script_fault *fault, bool looks) {
    char fixed[BE_NOTE];
    struct be_span whole;
    if (be_lint_plain_blanks(lint, finding, fault->span)) {
        be_lint_advise(finding, "there is a no-break space in it: write a plain one");
    } else if (be_lint_option_word(fault->word, fixed, sizeof fixed)) {
        be_lint_advise(finding, "write %s", fixed);
        be_lint_replace(lint, finding, fault->span, true, fixed);
    } else if (is_value_apart(lint, fault, fixed, sizeof fixed, &whole) ||
               (looks && is_unit_apart(lint, fault, fixed, sizeof fixed, &whole))) {
        be_lint_advise(finding, "write %s, with no blank in it", fixed);
        be_lint_replace(lint, finding, whole, true, fixed);
    } else if (looks && is_value_of_maybe(lint, fault, fixed, sizeof fixed, &whole)) {
        be_lint_advise(finding, "write %s: its value is joined to it by =", fixed);
        be_lint_replace(lint, finding, whole, true, fixed);
    } else if (fault->option && strchr(fault->word, '=')) {
        be_lint_advise(finding, "options begin with two hyphens: --%s=..", fault->option->name);
        return true;
    } else {
        be_lint_advise(finding, "put a value with blanks in quotes, a remark behind a #");
        return false;
    }
    return true;
}

void be_check_bare(struct be_lint *lint) {
    const struct be_script_fault *fault;
    struct be_lint_finding *last = NULL; /* to which a word right behind it belongs */
    char shown[SHOWN];
    bool *curly = curly_lines(lint);
    int looks = LOOKS;
    for (size_t index = 0; curly && (fault = be_lint_fault(lint, &index, BE_FAULT_BARE));) {
        const char *text = lint->script->text;
        const size_t line = be_script_line_at(lint->script, fault->span.at);
        if (be_lint_dashes(text + fault->span.at) || curly[line] ||
            (looks-- > 0 && is_of_unknown(lint, fault))) {
            continue; /* other rules have them */
        }
        struct be_span span = fault->span;
        char fixed[BE_NOTE];
        const bool goes_on = last && back_over_blanks(text, span.at) == last->at + last->length &&
                             !strchr(fault->word, '=') &&
                             !be_lint_option_word(fault->word, fixed, sizeof fixed);
        if (goes_on) {
            span = (struct be_span){last->at, span.at + span.length - last->at};
        }
        be_lint_shown(lint, span, shown, sizeof shown);
        struct be_lint_finding *finding =
            goes_on ? last : be_lint_add(lint, BE_ERROR, span, "%s", "");
        finding->length = span.length;
        snprintf(finding->text, sizeof finding->text,
                 "\"%s\" is neither an option nor a value: sbatch refuses it", shown);
        last = goes_on || !mend(lint, finding, fault, looks > 0) ? finding : NULL;
    }
    lint->report->failed |= !curly;
    free(curly);
}
