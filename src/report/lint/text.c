#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/lint/lint.h"
#include "report/common/printable.h"

enum { INDENT = 4, WIDE = BE_COLUMNS - INDENT };

/* A part of a line, one sign after the other, in the columns `skip` to `skip` + WIDE of it. */
static void add_part(const char *line, size_t length, int skip, struct be_text *out) {
    int column = 0;
    be_text_add(out, "%*s", INDENT, "");
    for (size_t at = 0; at < length && column < skip + WIDE;) {
        struct be_shown one = be_shown_next(line + at, length - at);
        int end = column + one.columns;
        if (column >= skip && end <= skip + WIDE) {
            be_text_add(out, "%s", one.text);
        } else if (column < skip && end > skip) { /* cut: its place stays */
            be_text_add(out, "%*s", end - skip, "");
        }
        at += one.bytes;
        column = end;
    }
    be_text_end_line(out);
}

/* The line that a finding is in, and a mark under what is meant. */
static void add_line(const struct be_text *text, const struct be_lint_finding *finding,
                     struct be_text *out) {
    const int before = 20; /* columns of a long line that are shown in front of what is meant */
    size_t begin = finding->at;
    while (begin > 0 && text->data[begin - 1] != '\n') {
        begin--;
    }
    const char *line = text->data + begin;
    const char *stop = memchr(line, '\n', text->length - begin);
    size_t length = stop ? (size_t)(stop - line) : text->length - begin;
    size_t from = finding->at - begin, to = from + finding->length;
    to = to < length ? to : length;
    if (from >= length) {
        return;
    }
    int at = be_shown_columns(line, from), wide = be_shown_columns(line + from, to - from);
    int skip = at > WIDE - before ? at - before : 0;
    add_part(line, length, skip, out);
    be_text_add(out, "%*s^", INDENT + at - skip, "");
    for (int i = 1; i < wide && at - skip + i < WIDE; i++) {
        be_text_add(out, "~");
    }
    be_text_add(out, "\n");
}

static void add_finding(const struct be_lint_file *file, const struct be_lint_finding *finding,
                        struct be_text *out) {
    struct be_text words = {0};
    be_text_add(&words, "%s:%d:%d: %s: %s [%s]", be_lint_place(file, finding), finding->line,
                finding->column, be_severity_word(finding->severity), finding->text,
                finding->rule->name);
    be_lines_wrap_shown(out, "", words.data ? words.data : "", INDENT);
    out->failed = out->failed || words.failed;
    be_text_free(&words);
    const struct be_text *of = finding->given ? &file->with : &file->text;
    if (of->length > 0) {
        add_line(of, finding, out);
    }
    if (*finding->advice) {
        be_lines_wrap_shown(out,
                            !finding->edits ? "    do: "
                            : finding->safe ? "    fix: "
                                            : "    unsafe fix: ",
                            finding->advice, INDENT * 2 + 1);
    }
}

static void add_count(struct be_text *out, size_t count, const char *one, const char *many) {
    be_text_add(out, "%zu %s", count, count == 1 ? one : many);
}

void be_lint_text(const struct be_lint_run *run, struct be_text *out) {
    size_t count[BE_SEVERITIES] = {0}, safe = 0, unsafe = 0, fixed = 0, silenced = 0;
    for (size_t i = 0; i < run->files; i++) {
        const struct be_lint_file *file = &run->file[i];
        for (size_t k = 0; k < file->report.findings; k++) {
            const struct be_lint_finding *finding = &file->report.finding[k];
            count[finding->severity]++;
            safe += finding->edits && finding->safe;
            unsafe += finding->edits && !finding->safe;
            if (finding->severity >= run->min) {
                add_finding(file, finding, out);
            }
        }
        fixed += file->fixed;
        silenced += file->report.silenced;
    }
    add_count(out, count[BE_ERROR], "error, ", "errors, ");
    add_count(out, count[BE_WARNING], "warning, ", "warnings, ");
    add_count(out, count[BE_ADVICE], "piece of advice", "pieces of advice");
    if (run->files != 1) {
        be_text_add(out, " in %zu files", run->files);
    }
    if (silenced) {
        be_text_add(out, "; %zu silenced by comments", silenced);
    }
    if (safe) {
        be_text_add(out, "; --fix puts %zu right", safe);
    }
    if (fixed) {
        be_text_add(out, "; %zu put right", fixed);
    }
    if (unsafe) {
        be_text_add(out, "\n--fix=unsafe makes %zu%s, after which it may be another job", unsafe,
                    safe ? " more" : "");
    }
    be_text_add(out, "\n");
}

/* ---- the rules ------------------------------------------------------------------------------------ */

/* "22.05 to 23.02", "23.11 and newer"; empty: any. */
static void name_versions(const struct be_lint_rule *rule, char *to, size_t capacity) {
    const struct be_lint_versions *of = be_lint_rule_versions(rule);
    *to = '\0';
    if (of && of->since && of->until) {
        snprintf(to, capacity, "%s to %s", of->since, of->until);
    } else if (of) {
        snprintf(to, capacity, "%s and %s", of->since ? of->since : of->until,
                 of->since ? "newer" : "older");
    }
}

void be_lint_list(bool markdown, struct be_text *out) {
    static const char *const fixes[] = {
        [BE_FIXES_NONE] = "", [BE_FIXES_SAFELY] = "yes", [BE_FIXES_UNSAFELY] = "unsafe"};
    const struct be_lint_rule *rule = NULL;
    if (markdown) {
        be_text_add(out, "| rule | finds | why | source | Slurm | severity | fix |\n"
                         "| --- | --- | --- | --- | --- | --- | --- |\n");
    }
    for (size_t i = 0; (rule = be_lint_rule(i)); i++) {
        const char *severity = be_severity_word(rule->severity);
        char versions[BE_NAME];
        name_versions(rule, versions, sizeof versions);
        if (markdown) {
            be_text_add(out, "| `%s` | %s | %s | %s | %s | %s | %s |\n", rule->name, rule->title,
                        rule->why, rule->source, versions, severity, fixes[rule->fixes]);
            continue;
        }
        char head[BE_NAME];
        snprintf(head, sizeof head, "%-21s %-8s ", rule->name, severity);
        be_lines_wrap(out, head, rule->title, 31);
        be_lines_wrap(out, "                      why:    ", rule->why, 31);
        be_lines_wrap(out, "                      source: ", rule->source, 31);
        if (*versions) {
            be_text_add(out, "                      Slurm:   %s\n", versions);
        }
        if (rule->fixes) {
            be_text_add(out, "                      fix:     %s\n",
                        rule->fixes == BE_FIXES_SAFELY ? "safe, where it says so"
                                                       : "with --fix=unsafe, where it says so");
        }
    }
}
