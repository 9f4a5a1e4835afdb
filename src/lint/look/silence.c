#include "lint/look/silence.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

static const char separators[] = ", \t";

bool be_lint_listed(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = list; at && *at; at += strcspn(at, separators)) {
        at += strspn(at, separators);
        if (strcspn(at, separators) == length && strncmp(at, name, length) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- comments ---------------------------------------------------------------------------------- */

/* Copies the words before "because", and says whether there is a reason behind it. */
static void read_plea(const char *text, size_t length, struct be_lint_plea *plea) {
    static const char because[] = "because";
    size_t used = 0;
    plea->names[0] = '\0';
    plea->reason = false;
    for (size_t at = 0; at < length;) {
        while (at < length && strchr(separators, text[at])) {
            at++;
        }
        size_t word = 0;
        while (at + word < length && !strchr(separators, text[at + word])) {
            word++;
        }
        if (word == strlen(because) && strncasecmp(text + at, because, word) == 0) {
            for (size_t k = at + word; k < length; k++) {
                plea->reason |= !strchr(" \t\r", text[k]);
            }
            return;
        }
        if (word > 0 && used + word + 2 < sizeof plea->names) {
            memcpy(plea->names + used, text + at, word);
            used += word;
            plea->names[used++] = ' ';
            plea->names[used] = '\0';
        }
        at += word;
    }
}

/* Where "breakeven: ignore" begins behind a # of a line; NULL: it does not. */
static const char *find_plea(const char *line, size_t length) {
    static const char head[] = "breakeven: ignore";
    const char *mark = memchr(line, '#', length);
    while (mark) {
        const size_t left = length - (size_t)(mark - line);
        size_t blanks = 1;
        while (blanks < left && strchr("# \t", mark[blanks])) {
            blanks++;
        }
        if (left >= blanks + strlen(head) && strncmp(mark + blanks, head, strlen(head)) == 0) {
            return mark + blanks;
        }
        mark = memchr(mark + 1, '#', left - 1);
    }
    return NULL;
}

bool be_lint_plea(const struct be_script *script, size_t *line, struct be_lint_plea *plea) {
    static const size_t head = sizeof "breakeven: ignore" - 1;
    while (*line < script->lines) {
        const struct be_script_line *at = &script->line[(*line)++];
        const char *text = script->text + at->span.at;
        const char *found = at->kind == BE_LINE_HEREDOC || at->kind == BE_LINE_GIVEN
                                ? NULL
                                : find_plea(text, at->span.length);
        if (found) {
            const size_t from = (size_t)(found - text);
            plea->span = (struct be_span){at->span.at + from, at->span.length - from};
            read_plea(found + head, at->span.length - from - head, plea);
            return true;
        }
    }
    return false;
}

/* ---- findings ---------------------------------------------------------------------------------- */

void be_lint_silence(const struct be_script *script, struct be_lint_report *report) {
    enum { MOST = 200 /* such comments: a script with more was made to take time */ };
    struct be_text names = {0};
    struct be_lint_plea plea;
    size_t kept = 0, line = 0;
    for (int i = 0; i < MOST && be_lint_plea(script, &line, &plea); i++) {
        be_text_add(&names, "%s", plea.reason ? plea.names : "");
    }
    report->failed |= names.failed;
    for (size_t i = 0; names.length > 0 && i < report->findings; i++) {
        struct be_lint_finding *finding = &report->finding[i];
        if (be_lint_listed(names.data, finding->rule->name)) {
            report->count[finding->severity]--;
            report->silenced++;
            be_lint_drop_edits(finding);
        } else {
            report->finding[kept++] = *finding;
        }
    }
    report->findings = names.length > 0 ? kept : report->findings;
    be_text_free(&names);
}
