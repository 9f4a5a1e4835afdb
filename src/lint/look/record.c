#include "lint/look/record.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "script/lists.h"

struct be_lint_finding *be_lint_add(struct be_lint *lint, enum be_severity severity,
                                    struct be_span span, const char *format, ...) {
    struct be_lint_report *report = lint->report;
    void *list = report->finding;
    bool wanted = report->findings < BE_LINT_MAX;
    bool capacity = wanted && be_script_capacity(&list, report->findings, sizeof *report->finding);
    report->finding = list;
    report->failed = report->failed || (wanted && !capacity);
    struct be_lint_finding *finding = capacity ? &report->finding[report->findings++] : &lint->lost;
    *finding = (struct be_lint_finding){
        .rule = lint->rule, .severity = severity, .at = span.at, .length = span.length};
    va_list words;
    va_start(words, format);
    vsnprintf(finding->text, sizeof finding->text, format, words);
    va_end(words);
    report->count[severity] += capacity;
    return finding;
}

void be_lint_advise(struct be_lint_finding *finding, const char *format, ...) {
    va_list words;
    va_start(words, format);
    vsnprintf(finding->advice, sizeof finding->advice, format, words);
    va_end(words);
}

void be_lint_replace(struct be_lint *lint, struct be_lint_finding *finding, struct be_span span,
                     bool safe, const char *with) {
    if (finding == &lint->lost) {
        return;
    }
    void *list = finding->edit;
    bool capacity = be_script_capacity(&list, finding->edits, sizeof *finding->edit);
    finding->edit = list;
    char *copy = capacity ? strdup(with) : NULL;
    if (copy) {
        finding->edit[finding->edits++] = (struct be_lint_edit){span.at, span.length, copy};
        finding->safe = safe;
    }
    lint->report->failed = lint->report->failed || !copy;
}

struct be_span be_lint_span(const struct be_script_option *option) {
    struct be_span span = option->name;
    if (option->value.length && option->value.at >= span.at) {
        span.length = option->value.at + option->value.length - span.at;
    }
    return span;
}

bool be_lint_of_sbatch(const struct be_script_option *option) {
    return option->origin == BE_LINE_SBATCH || option->origin == BE_LINE_GIVEN;
}

const char *be_lint_shown(const struct be_lint *lint, struct be_span span, char *to,
                          size_t capacity) {
    size_t length = span.length < capacity - 1 ? span.length : capacity - 1;
    const char *from = lint->script->text + span.at;
    const char *end = memchr(from, '\n', length);
    length = end ? (size_t)(end - from) : length;
    while (length > 0 && length < span.length && ((unsigned char)from[length] & 0xC0u) == 0x80u) {
        length--; /* not within a character */
    }
    memcpy(to, from, length);
    to[length] = '\0';
    return to;
}

const struct be_script_fault *be_lint_fault(const struct be_lint *lint, size_t *index,
                                            enum be_fault_kind kind) {
    for (; *index < lint->script->faults; ++*index) {
        if (lint->script->fault[*index].kind == kind) {
            return &lint->script->fault[(*index)++];
        }
    }
    return NULL;
}

struct be_span be_lint_commands(const struct be_lint *lint) {
    const struct be_script *script = lint->script;
    if (script->commands > 0) {
        return script->command[0].span;
    }
    for (size_t i = 0; i < script->lines; i++) {
        if (script->line[i].kind == BE_LINE_COMMAND) {
            return script->line[i].span;
        }
    }
    return script->lines ? script->line[0].span : (struct be_span){0, 0};
}

void be_lint_drop_edits(struct be_lint_finding *finding) {
    for (size_t k = 0; k < finding->edits; k++) {
        free(finding->edit[k].with);
    }
    free(finding->edit);
    finding->edit = NULL;
    finding->edits = 0;
    finding->safe = false;
}
