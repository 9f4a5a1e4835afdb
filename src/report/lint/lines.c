/* Findings for programs that read lines, and counts of them. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/common/printable.h"
#include "report/lint/lint.h"

const char *be_lint_place(const struct be_lint_file *file, const struct be_lint_finding *finding) {
    return finding->given ? "--with" : strcmp(file->name, "-") == 0 ? "stdin" : file->name;
}

static const char *how(const struct be_lint_finding *finding) {
    return !finding->edits ? "do" : finding->safe ? "fix" : "unsafe fix";
}

/* The finding, and what to do. */
static void add_words(const struct be_lint_finding *finding, struct be_text *out) {
    be_text_add(out, "%s", finding->text);
    if (*finding->advice) {
        be_text_add(out, "; %s: %s", how(finding), finding->advice);
    }
}

/* Foreign signs, which would steer a terminal, are shown. */
static void add_shown(const char *text, struct be_text *out) {
    const size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        const struct be_shown one = be_shown_next(text + at, length - at);
        be_text_add(out, "%s", one.text);
        at += one.bytes;
    }
}

typedef void be_each(const struct be_lint_file *file, const struct be_lint_finding *finding,
                     struct be_text *out);

static void each(const struct be_lint_run *run, be_each *add, struct be_text *out) {
    for (size_t i = 0; i < run->files; i++) {
        for (size_t k = 0; k < run->file[i].report.findings; k++) {
            const struct be_lint_finding *finding = &run->file[i].report.finding[k];
            if (finding->severity >= run->min) {
                add(&run->file[i], finding, out);
            }
        }
    }
}

static void add_line(const struct be_lint_file *file, const struct be_lint_finding *finding,
                     struct be_text *out) {
    struct be_text line = {0};
    be_text_add(&line, "%s:%d:%d: %s: ", be_lint_place(file, finding), finding->line,
                finding->column, be_severity_word(finding->severity));
    add_words(finding, &line);
    be_text_add(&line, " [%s]", finding->rule->name);
    add_shown(line.data ? line.data : "", out);
    be_text_add(out, "\n");
    out->failed |= line.failed;
    be_text_free(&line);
}

void be_lint_lines(const struct be_lint_run *run, struct be_text *out) {
    each(run, add_line, out);
}

/* ---- GitHub ------------------------------------------------------------------------------------ */

/* As the runner wants it: % and line ends as numbers, in a property , and : too. */
static void add_escaped(const char *text, bool property, struct be_text *out) {
    for (const char *at = text; *at; at++) {
        if (strchr(property ? "%\r\n:," : "%\r\n", *at)) {
            be_text_add(out, "%%%02X", (unsigned)(unsigned char)*at);
        } else {
            be_text_add_bytes(out, at, 1);
        }
    }
}

static void add_command(const struct be_lint_file *file, const struct be_lint_finding *finding,
                        struct be_text *out) {
    static const char *const words[] = {
        [BE_ADVICE] = "notice", [BE_WARNING] = "warning", [BE_ERROR] = "error"};
    struct be_text text = {0}, shown = {0};
    add_words(finding, &text);
    add_shown(text.data ? text.data : "", &shown);
    be_text_add(out, "::%s file=", words[finding->severity]);
    add_escaped(be_lint_place(file, finding), true, out);
    be_text_add(out, ",line=%d,col=%d,title=", finding->line, finding->column);
    add_escaped(finding->rule->name, true, out);
    be_text_add(out, "::");
    add_escaped(shown.data ? shown.data : "", false, out);
    be_text_add(out, "\n");
    out->failed |= text.failed || shown.failed;
    be_text_free(&text);
    be_text_free(&shown);
}

void be_lint_github(const struct be_lint_run *run, struct be_text *out) {
    each(run, add_command, out);
}

/* ---- counts ------------------------------------------------------------------------------------ */

struct count {
    const struct be_lint_rule *rule;
    size_t findings, files;
};

static int by_findings(const void *a, const void *b) {
    const struct count *one = a, *other = b;
    if (one->findings != other->findings) {
        return one->findings < other->findings ? 1 : -1;
    }
    return strcmp(one->rule->name, other->rule->name);
}

static struct count count_rule(const struct be_lint_run *run, const struct be_lint_rule *rule) {
    struct count count = {.rule = rule};
    for (size_t i = 0; i < run->files; i++) {
        size_t here = 0;
        for (size_t k = 0; k < run->file[i].report.findings; k++) {
            const struct be_lint_finding *finding = &run->file[i].report.finding[k];
            here += finding->rule == rule && finding->severity >= run->min;
        }
        count.findings += here;
        count.files += here > 0;
    }
    return count;
}

void be_lint_statistics(const struct be_lint_run *run, struct be_text *out) {
    size_t rules = 0, spoke = 0, findings = 0;
    while (be_lint_rule(rules)) {
        rules++;
    }
    struct count *count = calloc(rules, sizeof *count);
    if (!count) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < rules; i++) {
        count[spoke] = count_rule(run, be_lint_rule(i));
        findings += count[spoke].findings;
        spoke += count[spoke].findings > 0;
    }
    qsort(count, spoke, sizeof *count, by_findings);
    be_text_add(out, "findings  files  rule\n");
    for (size_t i = 0; i < spoke; i++) {
        char head[BE_NOTE];
        snprintf(head, sizeof head, "%8zu %6zu  %-21s ", count[i].findings, count[i].files,
                 count[i].rule->name);
        be_lines_wrap(out, head, count[i].rule->title, 39);
    }
    be_text_add(out, "%8zu finding%s of %zu rule%s in %zu file%s\n", findings,
                findings == 1 ? "" : "s", spoke, spoke == 1 ? "" : "s", run->files,
                run->files == 1 ? "" : "s");
    free(count);
}
