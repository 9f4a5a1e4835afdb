/*
 * Any bytes as a saved trace. A trace that is accepted must come out the same when it is written
 * and read again, and its report is plain text of 80 columns whatever the names in it.
 */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "page.h"
#include "report/together/together.h"
#include "report/saved.h"
#include "report/trace/trace.h"
#include "screen.h"

static const char *const words[] = {
    "cpu_busy",
    "gpu_busy",
    "process_cpu",
    "no_such_signal",
    "proc",
    "nvml",
    "killed",
    "exited",
    "running",
    "lost",
    "end_s",
    "values",
    "ticks",
    "first",
    "of",
    "measured_s",
    "mean",
    "cover",
    "elapsed_s",
    "code",
    "main",
    "slice",
    "null",
    "",
    "\\u0000",
    "\\u001b[2J",
    "\\",
    "\"",
    "\xff",
    "\\ud800",
    "\\u0301",
    "\xf0\x9f\x98\x80",
    "\xe2\x80\xae",
    "a_name_that_no_line_of_eighty_columns_can_hold_together_with_what_stands_beside_it",
};

static enum be_status read_text(const struct be_text *text, struct be_trace *trace,
                                struct be_error *error) {
    FILE *in = be_fuzz_open(text);
    enum be_status status = be_trace_read(in, "fuzzed", trace, error);
    fclose(in);
    return status;
}

static bool refused_well(const struct be_trace *trace, const struct be_error *error) {
    return error->status != BE_OK && strncmp(error->text, "fuzzed", 6) == 0 && !trace->one &&
           !trace->end_s;
}

/* Are they the same? If not, the first lines that differ are shown. */
static bool same(const char *one, const char *other) {
    size_t i = 0, line = 0;
    while (one[i] && one[i] == other[i]) {
        line = one[i++] == '\n' ? i : line;
    }
    if (one[i] != other[i]) {
        fprintf(stderr, "%.*s\n%.*s\n", (int)strcspn(one + line, "\n"), one + line,
                (int)strcspn(other + line, "\n"), other + line);
    }
    return one[i] == other[i];
}

/* Written, and read again. */
static const char *comes_back(const struct be_trace *trace) {
    struct be_text written = {0}, again = {0};
    struct be_trace second = {0};
    struct be_error error = {0};
    const char *wrong = NULL;
    be_trace_json(trace, &written);
    if (read_text(&written, &second, &error) != BE_OK) {
        fprintf(stderr, "%s\n", error.text);
        wrong = "accepted, but not what was written of it";
    } else {
        be_trace_json(&second, &again);
        wrong = same(written.data, again.data) ? NULL : "comes out otherwise";
    }
    be_trace_close(&second);
    be_text_free(&written);
    be_text_free(&again);
    return wrong;
}

enum { PAGE = 16 /* a page takes longer than all else */ };

/* Alone, and beside itself. */
static bool is_shown(struct be_trace *trace) {
    static char name[2][BE_NAME] = {"a", "b<&>"};
    struct be_text page = {0}, both = {0};
    const struct be_saved saved[2] = {{.trace = trace}, {.trace = trace}};
    const struct be_together together = {.saved = saved, .name = name, .count = 2};
    be_trace_html(trace, &page);
    be_together_html(&together, &both);
    const bool is = be_is_page(&page) && be_is_page(&both);
    be_text_free(&page);
    be_text_free(&both);
    return is;
}

static const char *check(const struct be_text *text, long *accepted) {
    struct be_trace trace;
    struct be_error error = {0};
    if (read_text(text, &trace, &error) != BE_OK) {
        return refused_well(&trace, &error) ? NULL : "refused without a word";
    }
    ++*accepted;
    struct be_text shown = {0}, csv = {0};
    be_trace_text(&trace, &shown);
    be_trace_csv(&trace, &csv);
    const char *wrong = comes_back(&trace);
    wrong = wrong || be_fits_screen(&shown, false) ? wrong
                                                   : "a report that is no plain text of 80 columns";
    wrong = wrong || !csv.failed ? wrong : "no CSV";
    wrong = wrong || *accepted % PAGE != 0 || is_shown(&trace) ? wrong : "a page that is none";
    be_trace_close(&trace);
    be_text_free(&shown);
    be_text_free(&csv);
    return wrong;
}

const struct be_fuzz be_fuzzed = {
    .name = "fuzz_trace", .word = words, .words = sizeof words / sizeof *words, .check = check};
