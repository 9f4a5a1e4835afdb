#include "cli/train/shown.h"

#include <math.h>
#include <stdio.h>

#include "cli/common/terminal.h"
#include "report/common/out.h"
#include "report/train/train.h"

static void print(struct be_text *text) {
    be_cli_progress_clear();
    fputs(text->data ? text->data : "", stdout);
    fflush(stdout);
    be_text_free(text);
}

void be_cli_train_begin(void *context, const struct be_train_result *result) {
    const struct be_cli_train_shown *shown = context;
    struct be_text text = {0};
    if (shown->live) {
        be_train_text_head(result, &text);
        print(&text);
    }
}

void be_cli_train_epoch(void *context, const struct be_train_epoch *epoch) {
    const struct be_cli_train_shown *shown = context;
    struct be_text text = {0};
    be_cli_progress_clear();
    if (shown->live) {
        be_train_text_epoch(epoch, &text);
        print(&text);
    }
}

void be_cli_train_remark(void *context, const char *text) {
    (void)context;
    be_cli_progress_clear();
    fprintf(stderr, "breakeven: %s\n", text);
}

void be_cli_train_progress(void *context, const struct be_train_epoch *so_far, uint64_t of_images,
                           double left_s) {
    const struct be_cli_train_shown *shown = context;
    const uint64_t batch = shown->batch;
    char what[BE_NAME], rate[BE_WORD];
    snprintf(what, sizeof what, "epoch %d, loss %.4f, %s images/s", so_far->number, so_far->loss,
             be_format_count(rate, sizeof rate, round(so_far->images_per_s), "-"));
    const struct be_progress progress = {
        .what = what,
        .done = (int)(so_far->images / batch),
        .left = (int)((of_images - so_far->images + batch - 1) / batch),
        .left_s = left_s,
    };
    be_cli_progress(NULL, &progress);
}

/* Head and epochs are there already. */
enum be_status be_cli_train_end(const void *result, enum be_format format, FILE *out,
                                struct be_error *error) {
    struct be_text text = {0};
    if (format != BE_TEXT) {
        return be_train_write(result, format, out, error);
    }
    be_train_text_end(result, &text);
    return be_report_out(&text, out, error);
}

void be_cli_train_way(void *context, const struct be_train_way *way, int done, int left,
                      double left_s) {
    const struct be_cli_train_shown *shown = context;
    char what[BE_NAME];
    snprintf(what, sizeof what, "%d thread%s, %s, %d worker%s", way->threads,
             way->threads == 1 ? "" : "s", way->memory ? "memory" : "disk", way->workers,
             way->workers == 1 ? "" : "s");
    const struct be_progress progress = {
        .what = what, .done = done, .left = left, .left_s = left_s};
    if (!shown->quiet) {
        be_cli_progress(NULL, &progress);
    }
}

void be_cli_train_round(void *context, int done, int left, double left_s) {
    const struct be_cli_train_shown *shown = context;
    const struct be_progress progress = {
        .what = "steps on one device and more", .done = done, .left = left, .left_s = left_s};
    if (!shown->quiet) {
        be_cli_progress(NULL, &progress);
    }
}

void be_cli_train_batch(void *context, uint64_t batch, int done, int left, double left_s) {
    const struct be_cli_train_shown *shown = context;
    char what[BE_NAME];
    snprintf(what, sizeof what, "batches of %llu", (unsigned long long)batch);
    const struct be_progress progress = {
        .what = what, .done = done, .left = left, .left_s = left_s};
    if (!shown->quiet) {
        be_cli_progress(NULL, &progress);
    }
}
