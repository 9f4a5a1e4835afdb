/*
 * Any bytes as a saved comparison. A comparison that is accepted must come out the same when it is written and read
 * again, its report is plain text of 80 columns, and a job is made after it, or is refused with a word.
 */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "page.h"
#include "report/together/together.h"
#include "report/comparison/comparison.h"
#include "screen.h"
#include "job/job.h"

static const char *const words[] = {
    "results",
    "breakevens",
    "phases",
    "power",
    "float32",
    "opencl:0",
    "cuda:0",
    "cpu",
    "resident",
    "host",
    "hot",
    "beyond",
    "ok",
    "wrong",
    "skipped",
    "median_s",
    "limit_s",
    "size_name",
    "devices",
    "picture",
    "parameters",
    "null",
    "",
    "\\u0000",
    "\\u001b[2J",
    "\\",
    "\"",
    "\xff",
    "\\ud800",
    "\xf0\x9f\x98\x80",
    "a_name_that_no_line_of_eighty_columns_can_hold_together_with_what_stands_beside_it",
};

static enum be_status read_text(const struct be_text *text, struct be_comparison *comparison,
                                struct be_error *error) {
    FILE *in = be_fuzz_open(text);
    enum be_status status = be_comparison_read(in, "fuzzed", comparison, error);
    fclose(in);
    return status;
}

/* Written, and read again. */
static const char *comes_back(const struct be_comparison *comparison) {
    struct be_text written = {0}, again = {0};
    struct be_comparison second = {0};
    struct be_error error = {0};
    const char *wrong = NULL;
    be_report_json(comparison, &written);
    if (read_text(&written, &second, &error) != BE_OK) {
        fprintf(stderr, "%s\n", error.text);
        wrong = "accepted, but not what was written of it";
    } else {
        be_report_json(&second, &again);
        wrong = strcmp(written.data, again.data) == 0 ? NULL : "comes out otherwise";
    }
    be_comparison_free(&second);
    be_text_free(&written);
    be_text_free(&again);
    return wrong;
}

enum { PAGE = 16 /* a page takes longer than all else */ };

/* Alone, and beside itself. */
static bool is_shown(const struct be_comparison *comparison) {
    static char name[2][BE_NAME] = {"a", "b<&>"};
    struct be_text page = {0}, both = {0};
    const struct be_saved saved[2] = {{.comparison = *comparison}, {.comparison = *comparison}};
    const struct be_together together = {.saved = saved, .name = name, .count = 2};
    be_report_html(comparison, &page);
    be_together_html(&together, &both);
    const bool is = be_is_page(&page) && be_is_page(&both);
    be_text_free(&page);
    be_text_free(&both);
    return is;
}

static const char *check(const struct be_text *text, long *accepted) {
    struct be_comparison comparison;
    struct be_error error = {0};
    if (read_text(text, &comparison, &error) != BE_OK) {
        bool said = error.status != BE_OK && strncmp(error.text, "fuzzed", 6) == 0;
        return said && !comparison.result ? NULL : "refused without a word";
    }
    ++*accepted;
    struct be_text shown = {0}, csv = {0};
    struct be_job_request request = be_job_nothing();
    char why[BE_NOTE] = "";
    be_report_text(&comparison, &shown);
    be_report_csv(&comparison, &csv);
    const char *wrong = comes_back(&comparison);
    wrong = wrong || be_fits_screen(&shown, true) ? wrong
                                                  : "a report that is no plain text of 80 columns";
    error.text[0] = '\0';
    if (be_job_from(&comparison, NULL, &request, why, &error) != BE_OK && !*error.text) {
        wrong = "no job, without a word";
    }
    wrong = wrong || *accepted % PAGE != 0 || is_shown(&comparison) ? wrong : "a page that is none";
    be_comparison_free(&comparison);
    be_text_free(&shown);
    be_text_free(&csv);
    return wrong;
}

const struct be_fuzz be_fuzzed = {.name = "fuzz_comparison",
                                  .word = words,
                                  .words = sizeof words / sizeof *words,
                                  .check = check};
