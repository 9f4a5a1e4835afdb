/* Fixes made, and shown as a difference. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lint/lint.h"

enum { ROUNDS_MAX = 1000, TRIES_MAX = 1000 /* of single fixes, in all rounds */ };
static const size_t all_of_them = SIZE_MAX;

/* An edit, and the finding that it is of. */
struct fix {
    const struct be_lint_edit *edit;
    size_t finding;
};

static int by_place(const void *a, const void *b) {
    const struct fix *one = a, *other = b;
    if (one->edit->at != other->edit->at) {
        return one->edit->at < other->edit->at ? -1 : 1;
    }
    bool puts = one->edit->length == 0, other_puts = other->edit->length == 0;
    if (puts != other_puts) {
        return puts ? -1 : 1; /* before what is taken away there */
    }
    return one->finding < other->finding ? -1 : one->finding > other->finding;
}

/* Does an edit touch bytes that another takes away? An insertion stands between two of them. */
static bool is_free(const char *taken, const struct be_lint_edit *edit) {
    if (edit->length == 0) {
        return edit->at == 0 || !taken[edit->at - 1] || !taken[edit->at];
    }
    return !memchr(taken + edit->at, 1, edit->length);
}

/* Leaves out findings whose edits touch those of one before them: another round has them. *made
 * counts those that are not left out. `taken`: of each byte. `only`: one finding, or all_of_them. */
static size_t choose(const struct be_lint_report *report, size_t only, bool unsafe, char *taken,
                     struct fix *fix, size_t *made) {
    size_t fixes = 0;
    *made = 0;
    for (size_t i = 0; i < report->findings; i++) {
        const struct be_lint_finding *finding = &report->finding[i];
        bool wanted = (finding->safe || unsafe) && (only == all_of_them || only == i);
        bool chosen = wanted && finding->edits > 0;
        for (size_t k = 0; chosen && k < finding->edits; k++) {
            chosen = is_free(taken, &finding->edit[k]);
        }
        for (size_t k = 0; chosen && k < finding->edits; k++) {
            fix[fixes++] = (struct fix){&finding->edit[k], i};
            size_t length = finding->edit[k].length;
            memset(taken + finding->edit[k].at, 1, length ? length : 1);
        }
        *made += chosen;
    }
    qsort(fix, fixes, sizeof *fix, by_place);
    return fixes;
}

/* One round; *made: findings that were put right. */
static enum be_status fix_once(const struct be_text *from, const struct be_lint_report *report,
                               size_t only, bool unsafe, struct be_text *to, size_t *made,
                               struct be_error *error) {
    size_t edits = 1, at = 0;
    for (size_t i = 0; i < report->findings; i++) {
        edits += report->finding[i].edits;
    }
    struct fix *fix = calloc(edits, sizeof *fix);
    char *taken = calloc(from->length + 1, sizeof *taken);
    if (!fix || !taken) {
        free(fix);
        free(taken);
        return be_fail(error, BE_NOMEM, "out of memory");
    }
    size_t fixes = choose(report, only, unsafe, taken, fix, made);
    for (size_t i = 0; i < fixes; i++) {
        be_text_add_bytes(to, from->data + at, fix[i].edit->at - at);
        be_text_add_bytes(to, fix[i].edit->with, strlen(fix[i].edit->with));
        at = fix[i].edit->at + fix[i].edit->length;
    }
    be_text_add_bytes(to, from->data + at, from->length - at);
    free(fix);
    free(taken);
    return to->failed ? be_fail(error, BE_NOMEM, "out of memory") : BE_OK;
}

/* A text and what there is to say of it. */
struct linted {
    struct be_text text;
    struct be_lint_report report;
};

static void free_linted(struct linted *linted) {
    be_text_free(&linted->text);
    be_lint_free(&linted->report);
}

/* One finding's fix, or all_of_them, unless that has more errors: then *made is 0. */
static enum be_status try_fix(struct linted *now, const struct be_lint_options *options,
                              size_t only, size_t *made, struct be_error *error) {
    struct linted next = {0};
    enum be_status status =
        fix_once(&now->text, &now->report, only, options->unsafe, &next.text, made, error);
    if (status == BE_OK && *made > 0) {
        const char *text = next.text.data ? next.text.data : "";
        status = be_lint(text, next.text.length, options, &next.report, error);
    }
    bool worse = next.report.count[BE_ERROR] > now->report.count[BE_ERROR];
    *made = status != BE_OK || worse ? 0 : *made;
    if (*made > 0) {
        struct linted before = *now;
        *now = next;
        next = before;
    }
    free_linted(&next);
    return status;
}

/* One round: all that fit together, else the first that can be made alone. */
static enum be_status fix_round(struct linted *now, const struct be_lint_options *options,
                                int *tries, size_t *made, struct be_error *error) {
    enum be_status status = try_fix(now, options, all_of_them, made, error);
    for (size_t i = 0; status == BE_OK && *made == 0 && i < now->report.findings; i++) {
        const struct be_lint_finding *finding = &now->report.finding[i];
        if ((finding->safe || options->unsafe) && finding->edits > 0 && *tries > 0) {
            --*tries;
            status = try_fix(now, options, i, made, error);
        }
    }
    return status;
}

enum be_status be_lint_fix(const char *text, size_t length, const struct be_lint_options *options,
                           struct be_text *fixed, size_t *made, struct be_error *error) {
    struct linted now = {0};
    size_t more = 1;
    int tries = TRIES_MAX;
    *made = 0;
    *fixed = (struct be_text){0};
    be_text_add_bytes(&now.text, text, length);
    enum be_status status = now.text.failed ? be_fail(error, BE_NOMEM, "out of memory")
                                            : be_lint(text, length, options, &now.report, error);
    for (int round = 0; status == BE_OK && more > 0 && now.text.length > 0 && round < ROUNDS_MAX;
         round++) {
        status = fix_round(&now, options, &tries, &more, error);
        *made += more;
    }
    be_lint_free(&now.report);
    if (status != BE_OK) {
        be_text_free(&now.text);
    }
    *fixed = now.text;
    return status;
}

/* ---- differences -------------------------------------------------------------------------------- */

struct lines {
    const char **at;
    size_t *length; /* with its end */
    size_t count;
};

static bool split(const struct be_text *text, struct lines *lines) {
    size_t count = 1;
    for (size_t i = 0; i < text->length; i++) {
        count += text->data[i] == '\n';
    }
    *lines =
        (struct lines){calloc(count, sizeof *lines->at), calloc(count, sizeof *lines->length), 0};
    for (size_t at = 0; lines->at && lines->length && at < text->length;) {
        const char *from = text->data + at, *end = memchr(from, '\n', text->length - at);
        size_t length = end ? (size_t)(end - from) + 1 : text->length - at;
        lines->at[lines->count] = from;
        lines->length[lines->count++] = length;
        at += length;
    }
    return lines->at && lines->length;
}

static void free_lines(struct lines *lines) {
    free(lines->at);
    free(lines->length);
}

static bool same(const struct lines *a, size_t i, const struct lines *b, size_t k) {
    return a->length[i] == b->length[k] && memcmp(a->at[i], b->at[k], a->length[i]) == 0;
}

enum { SAME = ' ', GONE = '-', NEW = '+', CONTEXT = 3, AHEAD_MAX = 200 };

/* How the two go on after they part: the nearest place where they meet again. */
static void meet(const struct lines *a, size_t i, const struct lines *b, size_t k, size_t *skip_a,
                 size_t *skip_b) {
    for (size_t sum = 1; sum < AHEAD_MAX; sum++) {
        for (size_t down = 0; down <= sum; down++) {
            size_t more = sum - down;
            if (i + down < a->count && k + more < b->count && same(a, i + down, b, k + more)) {
                *skip_a = down;
                *skip_b = more;
                return;
            }
        }
    }
    *skip_a = a->count - i;
    *skip_b = b->count - k;
}

/* One sign a line of the difference, in order; both texts' lines follow from it. */
static void compare(const struct lines *a, const struct lines *b, struct be_text *signs) {
    size_t i = 0, k = 0;
    while (i < a->count || k < b->count) {
        if (i < a->count && k < b->count && same(a, i, b, k)) {
            be_text_add(signs, "%c", SAME);
            i++;
            k++;
            continue;
        }
        size_t gone = 0, added = 0;
        meet(a, i, b, k, &gone, &added);
        for (; gone > 0; gone--, i++) {
            be_text_add(signs, "%c", GONE);
        }
        for (; added > 0; added--, k++) {
            be_text_add(signs, "%c", NEW);
        }
    }
}

/* Past the last sign of the stretch that begins at `from`: changes with context between them. */
static size_t hunk_end(const struct be_text *signs, size_t from) {
    size_t last = from;
    for (size_t at = from; at < signs->length && at <= last + 2 * CONTEXT; at++) {
        last = signs->data[at] != SAME ? at : last;
    }
    size_t end = last + 1 + CONTEXT;
    return end < signs->length ? end : signs->length;
}

static void add_line(struct be_text *out, char sign, const char *line, size_t length) {
    bool ended = length > 0 && line[length - 1] == '\n';
    be_text_add_bytes(out, &sign, 1);
    be_text_add_bytes(out, line, length);
    be_text_add(out, "%s", ended ? "" : "\n\\ No newline at end of file\n");
}

struct places {
    size_t a, b; /* lines of both before a sign */
};

static struct places add_hunk(const struct be_text *signs, size_t from, size_t end,
                              struct places start, const struct lines *a, const struct lines *b,
                              struct be_text *out) {
    size_t of_a = 0, of_b = 0;
    for (size_t at = from; at < end; at++) {
        of_a += signs->data[at] != NEW;
        of_b += signs->data[at] != GONE;
    }
    be_text_add(out, "@@ -%zu,%zu +%zu,%zu @@\n", start.a + (of_a > 0), of_a, start.b + (of_b > 0),
                of_b);
    for (size_t at = from; at < end; at++) {
        char sign = signs->data[at];
        size_t line = sign == NEW ? start.b : start.a;
        const struct lines *lines = sign == NEW ? b : a;
        add_line(out, sign, lines->at[line], lines->length[line]);
        start.a += sign != NEW;
        start.b += sign != GONE;
    }
    return start;
}

void be_lint_diff(const char *name, const struct be_text *from, const struct be_text *to,
                  struct be_text *out) {
    struct lines a = {0}, b = {0};
    struct be_text signs = {0};
    bool equal = from->length == to->length &&
                 (from->length == 0 || memcmp(from->data, to->data, from->length) == 0);
    if (!equal && split(from, &a) && split(to, &b)) {
        compare(&a, &b, &signs);
        be_text_add(out, "--- %s\n+++ %s\n", name, name);
        struct places place = {0, 0};
        for (size_t at = 0; at < signs.length;) {
            size_t change = at;
            while (change < signs.length && signs.data[change] == SAME) {
                change++;
            }
            if (change == signs.length) {
                break;
            }
            size_t begin = change - at > CONTEXT ? change - CONTEXT : at;
            place.a += begin - at;
            place.b += begin - at;
            size_t end = hunk_end(&signs, change);
            place = add_hunk(&signs, begin, end, place, &a, &b, out);
            at = end;
        }
    }
    out->failed = out->failed || signs.failed;
    be_text_free(&signs);
    free_lines(&a);
    free_lines(&b);
}
