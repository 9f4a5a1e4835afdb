#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/lines.h"
#include "report/lint_report.h"

enum { INDENT = 4, WIDE = BE_COLUMNS - INDENT };

static size_t characters(const char *from, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        count += ((unsigned char)from[i] & 0xC0u) != 0x80u;
    }
    return count;
}

/* The line that a finding is in, one sign a character, and a mark under what is meant. */
static void add_line(const struct be_text *text, const struct be_lint_finding *finding,
                     struct be_text *out) {
    size_t begin = finding->at;
    while (begin > 0 && text->data[begin - 1] != '\n') {
        begin--;
    }
    const char *stop = memchr(text->data + begin, '\n', text->length - begin);
    size_t length = stop ? (size_t)(stop - text->data) - begin : text->length - begin;
    char *line = malloc(length + 1);
    struct be_text plain = {0};
    if (!line) {
        out->failed = true;
        return;
    }
    memcpy(line, text->data + begin, length);
    line[length] = '\0';
    for (char *null = line; (null = memchr(null, '\0', length - (size_t)(null - line)));) {
        *null = '\1'; /* shown as any byte that is no sign */
    }
    be_lines_ascii(&plain, line);
    size_t at = characters(line, finding->at - begin), skip = at > WIDE - 20 ? at - 20 : 0;
    size_t end = finding->at + finding->length - begin;
    size_t wide = characters(line + (finding->at - begin),
                             (end < length ? end : length) - (finding->at - begin));
    size_t shown = plain.length > skip ? plain.length - skip : 0;
    shown = shown > WIDE ? WIDE : shown;
    wide = at - skip + wide > WIDE ? WIDE - (at - skip) : wide;
    if (plain.length > 0 && plain.length > at) {
        be_text_add(out, "%*s%.*s", INDENT, "", (int)shown, plain.data + skip);
        be_text_end_line(out);
        be_text_add(out, "%*s^", (int)(INDENT + at - skip), "");
        for (size_t i = 1; i < wide; i++) {
            be_text_add(out, "~");
        }
        be_text_add(out, "\n");
    }
    out->failed = out->failed || plain.failed;
    be_text_free(&plain);
    free(line);
}

static void add_finding(const struct be_lint_file *file, const struct be_lint_finding *finding,
                        struct be_text *out) {
    struct be_text words = {0};
    be_text_add(&words, "%s:%d:%d: %s: %s [%s]",
                strcmp(file->name, "-") == 0 ? "stdin" : file->name, finding->line, finding->column,
                be_severity_word(finding->severity), finding->text, finding->rule->name);
    be_lines_wrap(out, "", words.data ? words.data : "", INDENT);
    out->failed = out->failed || words.failed;
    be_text_free(&words);
    if (file->text.length > 0) {
        add_line(&file->text, finding, out);
    }
    if (*finding->advice) {
        be_lines_wrap(out,
                      finding->edits && finding->safe ? "    fix: " : "    do: ", finding->advice,
                      INDENT * 2 + 1);
    }
}

static void add_count(struct be_text *out, size_t count, const char *one, const char *many) {
    be_text_add(out, "%zu %s", count, count == 1 ? one : many);
}

void be_lint_text(const struct be_lint_run *run, struct be_text *out) {
    size_t count[BE_SEVERITIES] = {0}, safe = 0, fixed = 0;
    for (size_t i = 0; i < run->files; i++) {
        const struct be_lint_file *file = &run->file[i];
        for (size_t k = 0; k < file->report.findings; k++) {
            const struct be_lint_finding *finding = &file->report.finding[k];
            count[finding->severity]++;
            safe += finding->edits && finding->safe;
            if (finding->severity >= run->least) {
                add_finding(file, finding, out);
            }
        }
        fixed += file->fixed;
    }
    add_count(out, count[BE_ERROR], "error, ", "errors, ");
    add_count(out, count[BE_WARNING], "warning, ", "warnings, ");
    add_count(out, count[BE_ADVICE], "piece of advice", "pieces of advice");
    if (run->files != 1) {
        be_text_add(out, " in %zu files", run->files);
    }
    if (safe) {
        be_text_add(out, "; --fix puts %zu right", safe);
    }
    if (fixed) {
        be_text_add(out, "; %zu put right", fixed);
    }
    be_text_add(out, "\n");
}

/* ---- the rules ------------------------------------------------------------------------------------ */

void be_lint_list(bool markdown, struct be_text *out) {
    const struct be_lint_rule *rule = NULL;
    if (markdown) {
        be_text_add(out, "| rule | finds | why | source | severity | fix |\n"
                         "| --- | --- | --- | --- | --- | --- |\n");
    }
    for (size_t i = 0; (rule = be_lint_rule(i)); i++) {
        const char *severity = be_severity_word(rule->severity);
        if (markdown) {
            be_text_add(out, "| `%s` | %s | %s | %s | %s | %s |\n", rule->name, rule->title,
                        rule->why, rule->source, severity, rule->fixes ? "yes" : "");
            continue;
        }
        char head[BE_NAME];
        snprintf(head, sizeof head, "%-21s %-8s ", rule->name, severity);
        be_lines_wrap(out, head, rule->title, 31);
        be_lines_wrap(out, "                      why:    ", rule->why, 31);
        be_lines_wrap(out, "                      source: ", rule->source, 31);
        if (rule->fixes) {
            be_text_add(out, "                      fix:     safe, where it says so\n");
        }
    }
}
