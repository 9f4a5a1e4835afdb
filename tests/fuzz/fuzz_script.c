/*
 * Any bytes as a job script: they are looked at without harm, every finding is a place in them, and
 * what --fix makes of them has nothing left to put right and no more errors than they had.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lint/lint.h"

static void demand(bool holds, const char *what, const char *text, size_t length) {
    if (!holds) {
        fprintf(stderr, "fuzz_script: %s:\n", what);
        fwrite(text, 1, length, stderr);
        abort();
    }
}

static void look(const char *text, size_t length, const struct be_lint_options *options) {
    struct be_lint_report report = {0};
    struct be_error error = {0};
    size_t made = 0, more = 0;
    if (be_lint(text, length, options, &report, &error) != BE_OK) {
        return;
    }
    for (size_t i = 0; i < report.findings; i++) {
        const struct be_lint_finding *finding = &report.finding[i];
        size_t max = finding->given ? strlen(options->with) : length;
        demand(finding->at + finding->length <= max, "a finding beyond the end", text, length);
        demand(finding->line > 0 && finding->column > 0 && finding->end_line >= finding->line,
               "a finding nowhere", text, length);
        for (size_t k = 0; k < finding->edits; k++) {
            demand(finding->edit[k].at + finding->edit[k].length <= length,
                   "an edit beyond the end", text, length);
        }
    }
    size_t errors = report.count[BE_ERROR];
    be_lint_free(&report);
    struct be_text fixed = {0}, again = {0}, diff = {0};
    if (be_lint_fix(text, length, options, &fixed, &made, &error) == BE_OK && made > 0) {
        demand(be_lint_fix(fixed.data, fixed.length, options, &again, &more, &error) == BE_OK &&
                   more == 0,
               "a fix that does not last", text, length);
        demand(be_lint(fixed.data ? fixed.data : "", fixed.length, options, &report, &error) ==
                       BE_OK &&
                   report.count[BE_ERROR] <= errors,
               "a fix that makes errors", text, length);
        be_lint_free(&report);
        struct be_text before = {0};
        be_text_add_bytes(&before, text, length);
        be_lint_diff("job.sh", &before, &fixed, &diff);
        be_text_free(&before);
    }
    be_text_free(&fixed);
    be_text_free(&again);
    be_text_free(&diff);
}

static const char *const words[] = {"#SBATCH ",
                                    "\n#SBATCH ",
                                    "--",
                                    "=",
                                    "\"",
                                    "'",
                                    "\\",
                                    "\n",
                                    "\r\n",
                                    "#",
                                    "$(",
                                    "<<EOF\n",
                                    "hetjob",
                                    ":",
                                    "--mem=1G ",
                                    "-n",
                                    " ",
                                    "\t",
                                    "\xE2\x80\x94",
                                    "`",
                                    "}",
                                    "&",
                                    "--gres=gpu:1 ",
                                    "#PBS -l ",
                                    "#BSUB -R ",
                                    "--time=2h ",
                                    "srun ",
                                    "EOF\n",
                                    "--array=1-",
                                    "\xEF\xBB\xBF"};

/* Accepted is what names an interpreter: all is looked at. */
static const char *check(const struct be_text *text, long *accepted) {
    static const struct be_lint_options kinds[] = {{0}, {.slurm = "22.05"}, {.lsf = true}};
    look(text->data, text->length, &kinds[text->length % 3]);
    /* Its first line as what sbatch is given beside it. */
    char *with = strndup(text->data ? text->data : "", text->length);
    if (with && text->data) {
        with[strcspn(with, "\r\n")] = '\0';
        look(text->data, text->length, &(struct be_lint_options){.with = with});
        look(text->data, strcspn(text->data, " "), &(struct be_lint_options){.with = with});
    }
    free(with);
    *accepted += text->length >= 2 && memcmp(text->data, "#!", 2) == 0;
    return NULL;
}

const struct be_fuzz be_fuzzed = {
    .name = "fuzz_script", .word = words, .words = sizeof words / sizeof *words, .check = check};
