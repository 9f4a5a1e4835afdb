/*
 * Any bytes as an accounting (sacct with and without a header, CSV, JSON, SWF, compressed or not): every line is
 * a job, a step or counted as neither, what is shown of it is plain, and a forecast of it is a number
 * or none.
 */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "page.h"
#include "report/queue/queue.h"
#include "forecast/forecast.h"

/* The words that change a line: columns and states, marks, and those that would steer a
 * terminal. */
static const char *const words[] = {
    "JobID",
    "Submit",
    "Start",
    "Unknown",
    "None",
    "UNLIMITED",
    "CANCELLED by 5",
    "PENDING",
    "gres",
    "gpu",
    "mem",
    "",
    "\x1b[2J",
    "\xff\xfe",
    "\"<&>",
    "JobName",
    "RUNNING",
    "COMPLETED",
    ".batch",
    "None assigned",
    "Timelimit",
    "||",
    "|",
    ",",
    "[1-99999]",
    "\n",
    "\r\n",
    " ",
    "UnixStartTime: 9e30",
    "2147486648Mn",
    "00:00:60",
    "9999-12-31T23:59:59",
    "+15:00",
    "1.5",
    "\"",
    "\"\"",
    "\t",
    ";",
    "{",
    "}",
    "[",
    "]",
    ":",
    "\\u00e9",
    "\"jobs\":[",
    "\"set\":true",
    "null",
    "1e999",
    "Eligible",
    "Reason",
    "JobArrayTaskLimit",
    "900_[1-20000%50]",
    "a,b",
};

/* A few bits that follow from the text, for what is asked of it. */
static unsigned bits_of(const struct be_text *text) {
    unsigned hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < text->length; i++) {
        hash = (hash ^ (unsigned char)text->data[i]) * 16777619u;
    }
    return hash >> 8;
}

/* ---- what must hold ------------------------------------------------------------------------- */

/* Is all of it in 80 columns of plain signs? Tables of many or long columns are wider. */
static bool plain(const struct be_text *shown) {
    for (size_t i = 0; i < shown->length; i++) {
        char sign = shown->data[i];
        if (sign != '\n' && (sign < ' ' || sign > '~')) {
            return false;
        }
    }
    return true;
}

static bool parses(const struct be_text *json) {
    cJSON *node = cJSON_Parse(json->data);
    cJSON_Delete(node);
    return node != NULL;
}

static const char *shown(const struct be_wait_table *table) {
    struct be_text text = {0}, json = {0}, csv = {0}, page = {0};
    be_wait_text(table, &text);
    be_wait_chart_text(table, &text);
    be_wait_json(table, &json);
    be_wait_csv(table, &csv);
    be_wait_html(table, &page);
    const char *wrong = !plain(&text)        ? "a table that is not plain"
                        : !parses(&json)     ? "JSON that is none"
                        : !be_is_page(&page) ? "a page that is none"
                                             : NULL;
    be_text_free(&text);
    be_text_free(&json);
    be_text_free(&csv);
    be_text_free(&page);
    return wrong;
}

static const char *counted(const struct be_wait_counts *c) {
    return c->jobs + c->steps + c->rejected > c->lines ? "more jobs than lines" : NULL;
}

static struct be_job_input input_of(const struct be_text *text, int descriptor, const char **path) {
    static char name[64];
    if (ftruncate(descriptor, 0) != 0 || lseek(descriptor, 0, SEEK_SET) != 0 ||
        write(descriptor, text->data, text->length) != (ssize_t)text->length) {
        fprintf(stderr, "fuzz_accounting: cannot write\n");
        exit(2);
    }
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    *path = name;
    return (struct be_job_input){.file = path, .files = 1};
}

static const char *tables(const struct be_job_input *input, unsigned bits, bool *accepted) {
    struct be_wait_options options = {.rows = (enum be_wait_rows)(bits % BE_ROWS_KINDS),
                                      .memory_hours = bits >> 8 & 1,
                                      .used = bits >> 9 & 1,
                                      .from_eligible = bits >> 10 & 1,
                                      .arrays = bits >> 11 & 1,
                                      .over_time = true};
    struct be_wait_table table;
    struct be_error error = {0};
    if (be_wait_table_read(input, &options, &table, &error) != BE_OK) {
        *accepted = false;
        return error.text[0] ? NULL : "refused without a word";
    }
    *accepted = true;
    const char *wrong = counted(&table.counts);
    wrong = wrong ? wrong : shown(&table);
    be_wait_table_free(&table);
    return wrong;
}

/* Every job, as if it had asked; trained on the others. */
static const char *forecasts(const struct be_job_input *input) {
    static const struct be_job_filter none;
    const struct be_job_match all = {&none, BE_NO_TIME, BE_NO_TIME, 0};
    struct be_history history;
    struct be_forecaster *f = NULL;
    struct be_error error = {0};
    const char *wrong = NULL;
    if (be_history_read(input, &all, false, &history, &error) != BE_OK ||
        be_forecaster_open(&history, &f, &error) != BE_OK) {
        be_history_free(&history);
        return NULL;
    }
    for (size_t i = 0; i < history.jobs && !wrong; i++) {
        const struct be_past_job *job = &history.job[i];
        struct be_foretold told;
        if (be_forecaster_lead(f, i, job->submit_s, i + 1 == history.jobs, &error) != BE_OK ||
            be_forecaster_ask(f, job, job->submit_s, &told, &error) != BE_OK ||
            be_forecaster_watch(f, i, &error) != BE_OK) {
            wrong = "a forecast that failed";
        } else if (told.enough && !(told.q50_s >= 0 && told.q90_s >= told.q50_s)) {
            wrong = "a forecast that is no time";
        } else if (told.enough && be_wait_odds_share(&told.odds, told.q90_s) < 0.9 - 1e-9) {
            wrong = "a q90 that fewer than nine in ten keep";
        }
    }
    be_forecaster_close(f);
    be_history_free(&history);
    return wrong;
}

static const char *check(const struct be_text *text, long *accepted) {
    const char *path = NULL;
    bool fine = false;
    int descriptor = memfd_create("accounting", MFD_CLOEXEC);
    struct be_job_input input = input_of(text, descriptor, &path);
    const char *wrong = tables(&input, bits_of(text), &fine);
    wrong = wrong ? wrong : forecasts(&input);
    *accepted += fine;
    close(descriptor);
    return wrong;
}

const struct be_fuzz be_fuzzed = {.name = "fuzz_accounting",
                                  .word = words,
                                  .words = sizeof words / sizeof *words,
                                  .check = check};
