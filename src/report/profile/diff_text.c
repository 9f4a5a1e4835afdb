/* Two profiles side by side, as a table for people and as JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "machine/figure_kinds.h"
#include "report/common/lines.h"
#include "report/json/record.h"
#include "report/profile/diff.h"
#include "report/profile/fields.h"
#include "report/profile/profile.h"

enum { LABEL = 39, VALUE = 14, RATIO = 7, ONLY_MAX = 12 };

static const char *title_of(const char *what) {
    const struct be_figure_kind *kind = be_figure_kind(what);
    return kind ? kind->title : what;
}

/* ", 201 MB", ", 201 MB and 1.2 GB", or nothing. */
static void sizes_of(char text[BE_WORD * 2 + 8], const struct be_diff_row *row) {
    char one[BE_WORD], other[BE_WORD];
    const double first = isnan(row->bytes) ? row->bytes_b : row->bytes;
    text[0] = '\0';
    if (isfinite(first)) {
        bool two = isfinite(row->bytes_b) && row->bytes_b != first;
        snprintf(text, BE_WORD * 2 + 8, ", %s%s%s", be_format_bytes(one, sizeof one, first, ""),
                 two ? " and " : "",
                 two ? be_format_bytes(other, sizeof other, row->bytes_b, "") : "");
    }
}

static void label_of(char label[BE_NOTE], const struct be_diff_row *row) {
    char sizes[BE_WORD * 2 + 8], threads[40] = "";
    if (row->threads != row->threads_b) {
        snprintf(threads, sizeof threads, ", all cores (%d / %d)", row->threads, row->threads_b);
    } else if (row->threads) {
        snprintf(threads, sizeof threads, ", %d core%s", row->threads, row->threads > 1 ? "s" : "");
    }
    sizes_of(sizes, row);
    snprintf(label, BE_NOTE, "%s%s%s%s%s%s%s", title_of(row->what), *row->dtype ? " " : "",
             row->dtype, threads, sizes, *row->peer ? ", " : "", row->peer);
}

static void add_value(struct be_text *out, double value, enum be_unit unit) {
    char text[BE_WORD];
    be_text_add(out, " %-*s", VALUE - 1, be_format_figure(text, sizeof text, value, unit));
}

static void add_row(struct be_text *out, const struct be_diff_row *row) {
    char label[BE_NOTE], ratio[BE_WORD];
    struct be_text plain = {0};
    label_of(label, row);
    be_lines_ascii(&plain, label);
    const char *text = plain.data ? plain.data : "";
    if (plain.length + 2 < LABEL) {
        be_text_add(out, "  %-*s", LABEL - 2, text);
    } else {
        be_lines_wrap(out, "  ", text, 4);
        be_text_add(out, "%*s", LABEL, "");
    }
    out->failed |= plain.failed;
    be_text_free(&plain);
    add_value(out, row->a, row->unit);
    add_value(out, row->b, row->unit);
    be_text_add(out, "%*s %s", RATIO - 1, be_format_ratio(ratio, sizeof ratio, row->ratio, "-"),
                be_names_word(&be_names_verdict, (int)row->verdict));
    be_text_end_line(out);
}

static const char *sheet(const struct be_profile *profile) {
    return profile->source == BE_SOURCE_DATA_SHEET ? " (data sheet)" : "";
}

static void add_heading(const struct be_diff *diff, struct be_text *out) {
    char line[BE_NOTE];
    const char *names = "ab";
    for (int i = 0; i < 2; i++) {
        const struct be_profile *profile = diff->profile[i];
        snprintf(line, sizeof line, "%c: %s%s, %.10s%s%s", names[i], profile->name, sheet(profile),
                 profile->environment.date, *profile->machine.cpu ? ", " : "",
                 profile->machine.cpu);
        be_lines_wrap(out, "", line, 3);
    }
}

static bool is_shown(const struct be_diff_row *row) {
    return !row->minor && row->verdict < BE_DIFF_ONLY_A;
}

static size_t add_table(const struct be_diff *diff, struct be_text *out) {
    const char *device = "";
    size_t shown = 0;
    for (size_t i = 0; i < diff->rows; i++) {
        const struct be_diff_row *row = &diff->row[i];
        if (!is_shown(row)) {
            continue;
        }
        if (shown++ == 0) {
            be_text_add(out, "\n%-*s %-*s%-*s%*s\n", LABEL, "", VALUE, "a", VALUE - 1, "b",
                        RATIO - 1, "b/a");
        }
        if (strcmp(device, row->device) != 0) {
            device = row->device;
            bool renamed = strcmp(row->device, row->device_b) != 0;
            struct be_text line = {0};
            be_text_add(&line, "%s%s%s", row->device, renamed ? " and " : "",
                        renamed ? row->device_b : "");
            be_lines_wrap(out, "", line.data ? line.data : "", 2);
            be_text_free(&line);
        }
        add_row(out, row);
    }
    return shown;
}

static const char *device_of(const struct be_diff_row *row) {
    return row->verdict == BE_DIFF_ONLY_A ? row->device : row->device_b;
}

/* Does a row before this one have the same kind of figure of the same device? */
static bool named_before(const struct be_diff_row *first, const struct be_diff_row *row) {
    for (const struct be_diff_row *other = first; other < row; other++) {
        if (other->verdict == row->verdict && strcmp(other->what, row->what) == 0 &&
            strcmp(device_of(other), device_of(row)) == 0) {
            return true;
        }
    }
    return false;
}

/* The figures that only one has: kinds, each named once a device. */
static void add_only(const struct be_diff *diff, enum be_diff_verdict verdict,
                     struct be_text *out) {
    struct be_text line = {0};
    size_t count = 0, named = 0;
    const char *last_device = "";
    for (size_t i = 0; i < diff->rows; i++) {
        const struct be_diff_row *row = &diff->row[i];
        if (row->verdict != verdict) {
            continue;
        }
        const char *device = device_of(row);
        count++;
        if (named_before(diff->row, row)) {
            continue;
        }
        if (named < ONLY_MAX) {
            bool again = strcmp(device, last_device) == 0;
            be_text_add(&line, "%s%s%s%s", named ? "; " : "", again ? "" : device, again ? "" : " ",
                        title_of(row->what));
        }
        named++;
        last_device = device;
    }
    if (named > ONLY_MAX) {
        be_text_add(&line, " and %zu kinds more", named - ONLY_MAX);
    }
    if (count) {
        char head[BE_NAME];
        snprintf(head, sizeof head,
                 "only in %c (%zu figure%s): ", verdict == BE_DIFF_ONLY_A ? 'a' : 'b', count,
                 count == 1 ? "" : "s");
        be_lines_wrap(out, head, line.data ? line.data : "", 2);
    }
    out->failed |= line.failed;
    be_text_free(&line);
}

static void add_facts(const struct be_diff *diff, struct be_text *out) {
    be_text_add(out, "%s", diff->facts ? "\nWhat differs:\n" : "");
    for (size_t i = 0; i < diff->facts; i++) {
        const struct be_diff_fact *fact = &diff->fact[i];
        struct be_text line = {0};
        be_text_add(&line, "%s%s%s: %s | %s", fact->device, *fact->device ? " " : "", fact->name,
                    fact->a, fact->b);
        be_lines_wrap(out, "  ", line.data ? line.data : "", 4);
        out->failed |= line.failed;
        be_text_free(&line);
    }
}

static bool has_sheet(const struct be_diff *diff) {
    return diff->profile[0]->source != diff->profile[1]->source;
}

void be_diff_text(const struct be_diff *diff, struct be_text *out) {
    add_heading(diff, out);
    if (!add_table(diff, out)) {
        be_text_add(out, "\nThe two have no figure in common.\n");
    }
    struct be_text only = {0};
    add_only(diff, BE_DIFF_ONLY_A, &only);
    add_only(diff, BE_DIFF_ONLY_B, &only);
    if (only.length) {
        be_text_add(out, "\n%s", only.data);
    }
    out->failed |= only.failed;
    be_text_free(&only);
    add_facts(diff, out);
    be_text_add(out, "\n");
    be_lines_wrap(
        out, "",
        has_sheet(diff)
            ? "sheet: one is the maker's figure, the other was measured: no verdict. Of what was "
              "measured over sizes the largest; --json has all."
            : "better, worse: b beside a, of a time as of a rate; same: within 1 %; close: "
              "too close to call, since the intervals meet; once: measured once, so it may be "
              "chance. Of what was measured over sizes the largest; --json has all.",
        0);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

void be_diff_json(const struct be_diff *diff, struct be_text *out) {
    be_json_add_head(out, "diff");
    be_json_add_member(out, "a", be_json_text(diff->profile[0]->name));
    be_json_add_member(out, "b", be_json_text(diff->profile[1]->name));
    be_json_add_records(out, "figures", &be_fields_diff, diff->row, diff->rows, sizeof *diff->row);
    be_json_add_records(out, "facts", &be_fields_diff_fact, diff->fact, diff->facts,
                        sizeof *diff->fact);
    be_text_add(out, "}\n");
}
