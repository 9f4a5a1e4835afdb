/* breakeven train NET [OPTION...] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/command/command.h"
#include "cli/common/fail.h"
#include "cli/common/output.h"
#include "cli/common/parse.h"
#include "cli/common/settings.h"
#include "cli/common/terminal.h"
#include "cli/common/values.h"
#include "data/images.h"
#include "nn/net.h"
#include "report/common/lines.h"
#include "report/common/out.h"
#include "report/train/train.h"

enum key {
    DATA = 256,
    SYNTHETIC,
    INCOMPLETE,
    IMAGES,
    TEST_IMAGES,
    EPOCHS,
    BATCH,
    WORKERS,
    PREFETCH,
    KEEP,
    THREADS,
    SEED,
    DECODE,
    NO_TEST,
    TOTAL,
    JSON,
    CSV,
};

static const struct argp_option option[] = {
    {NULL, 0, NULL, 0, "Images", 1},
    {"data", DATA, "DIR", 0, "Folder of the data set; without it, the program says where it is", 1},
    {"synthetic", SYNTHETIC, NULL, 0, "Make images of the same shapes from the seed", 1},
    {"incomplete", INCOMPLETE, NULL, 0, "Take what there is of a set with missing or shorter files",
     1},
    {"images", IMAGES, "N", 0, "Train on the first N images only", 1},
    {"test-images", TEST_IMAGES, "N", 0, "Test on the first N test images only", 1},
    {NULL, 0, NULL, 0, "Training", 2},
    {"epochs", EPOCHS, "N", 0, "Epochs (default: the net's own)", 2},
    {"batch", BATCH, "N", 0, "Images of a step (default: the net's own)", 2},
    {"threads", THREADS, "N", 0, "Threads of the net (default: all cores)", 2},
    {"seed", SEED, "N", 0, "Seed of weights, order and dropout (default: 1)", 2},
    {"no-test", NO_TEST, NULL, 0, "Leave out the test images after each epoch", 2},
    {"total", TOTAL, "SECONDS", 0, "End after so long", 2},
    {NULL, 0, NULL, 0, "The loader", 3},
    {"workers", WORKERS, "N", 0,
     "Threads that load images; 0: the net's own thread does (default: 1)", 3},
    {"prefetch", PREFETCH, "N", 0, "Batches that they load ahead (default: 2)", 3},
    {"keep", KEEP, "disk|ram", 0,
     "Read each image from its file, or keep all in memory (default: disk)", 3},
    {"decode", DECODE, "SECONDS", 0,
     "Spend at least so long on each image, as a photograph or an augmentation would", 3},
    {NULL, 0, NULL, 0, "Results", 4},
    {"json", JSON, "FILE", OPTION_ARG_OPTIONAL,
     "Write JSON (no FILE: to standard output, instead of the text)", 4},
    {"csv", CSV, "FILE", OPTION_ARG_OPTIONAL, "Write a row an epoch as CSV, likewise", 4},
    {"quiet", 'q', NULL, 0, "Show no progress", 4},
    {0},
};

struct asked {
    const char *net, *data;
    struct be_cli_outputs outputs;
    uint64_t images, test_images, epochs, batch, threads, seed, workers, prefetch;
    double decode_s, total_s;
    bool synthetic, incomplete, no_test, quiet;
    bool keeps; /* --keep was given: */
    int keep;   /* 1: in memory */
    bool live;  /* the text goes to standard output, each epoch as it ends */
    struct be_error error;
};

static enum be_status set_keep(void *asked, char *text, struct be_error *error) {
    static const char *const word[] = {"disk", "ram", NULL};
    struct asked *a = asked;
    a->keeps = true;
    return be_cli_choice("keep", text, word, &a->keep, error);
}

static enum be_status set_net(void *asked, char *text, struct be_error *error) {
    struct asked *a = asked;
    if (a->net) {
        return be_fail(error, BE_USAGE, "%.60s: one net at a time, and that is %.60s", text,
                       a->net);
    }
    a->net = text;
    return BE_OK;
}

static const struct be_setting setting[] = {
    BE_OWN(ARGP_KEY_ARG, set_net),
    BE_TEXT(DATA, data),
    BE_FLAG(SYNTHETIC, synthetic),
    BE_FLAG(INCOMPLETE, incomplete),
    BE_WHOLE(IMAGES, images, "--images", 1),
    BE_WHOLE(TEST_IMAGES, test_images, "--test-images", 1),
    BE_WHOLE(EPOCHS, epochs, "--epochs", 1),
    BE_WHOLE(BATCH, batch, "--batch", 1),
    BE_WHOLE(THREADS, threads, "--threads", 1),
    BE_WHOLE(SEED, seed, "--seed", 0),
    BE_FLAG(NO_TEST, no_test),
    BE_SECONDS(TOTAL, total_s, "--total"),
    BE_WHOLE(WORKERS, workers, "--workers", 0),
    BE_WHOLE(PREFETCH, prefetch, "--prefetch", 1),
    BE_OWN(KEEP, set_keep),
    BE_SECONDS(DECODE, decode_s, "--decode"),
    BE_OUTPUT(JSON, outputs.json),
    BE_OUTPUT(CSV, outputs.csv),
    BE_FLAG('q', quiet),
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct asked *asked = state->input;
    struct be_error later = {0};
    struct be_error *error =
        asked->error.status == BE_OK ? &asked->error : &later; /* the first is said */
    return be_cli_set(setting, BE_COUNT(setting), key, text, state, error) == ARGP_ERR_UNKNOWN
               ? ARGP_ERR_UNKNOWN
               : 0;
}

static enum be_status check_together(const struct asked *asked, struct be_error *error) {
    const uint64_t max = INT32_MAX;
    const struct {
        bool wrong;
        const char *text;
    } pair[] = {
        {asked->data && asked->synthetic,
         "--data and --synthetic: both say which images; leave one out"},
        {asked->synthetic && asked->incomplete, "--incomplete: belongs to --data=DIR"},
        {asked->no_test && asked->test_images,
         "--no-test and --test-images: leave one of them out"},
        {asked->epochs > max || asked->workers > max || asked->prefetch > max ||
             asked->threads > max,
         "--epochs, --workers, --prefetch, --threads: too many"},
    };
    for (size_t i = 0; i < BE_COUNT(pair); i++) {
        if (pair[i].wrong) {
            return be_fail(error, BE_USAGE, "%s", pair[i].text);
        }
    }
    return BE_OK;
}

/* ---- without a net, or without images ------------------------------------------------------- */

static int list_nets(void) {
    struct be_error error = {0};
    const struct be_net_kind *kind;
    (void)be_fail(&error, BE_USAGE,
                  "which net? name one, as in `breakeven train mnist --data DIR`");
    const int code = be_cli_fail(&error);
    fputc('\n', stderr);
    for (size_t i = 0; (kind = be_net_kind_at(i)); i++) {
        struct be_text line = {0};
        char head[BE_NAME];
        snprintf(head, sizeof head, "  %-9s ", kind->name);
        be_lines_wrap(&line, head, kind->about, 12);
        fputs(line.data ? line.data : "", stderr);
        be_text_free(&line);
    }
    return code;
}

static int say_where(const struct be_net_kind *kind) {
    const struct be_images_form *form = be_images_form_find(kind->images);
    struct be_error error = {0};
    struct be_text files = {0};
    (void)be_fail(
        &error, BE_USAGE,
        "which images? %s needs %s in a folder of your own: --data=DIR; --synthetic makes "
        "images of the same shapes",
        kind->name, form->title);
    const int code = be_cli_fail(&error);
    be_images_form_files(form, &files);
    fprintf(stderr, "\n%s", files.data ? files.data : "");
    be_text_free(&files);
    return code;
}

/* ---- training ------------------------------------------------------------------------------- */

static void print(struct be_text *text) {
    be_cli_progress_clear();
    fputs(text->data ? text->data : "", stdout);
    fflush(stdout);
    be_text_free(text);
}

static void show_begin(void *context, const struct be_train_result *result) {
    const struct asked *asked = context;
    struct be_text text = {0};
    if (asked->live) {
        be_train_text_head(result, &text);
        print(&text);
    }
}

static void show_epoch(void *context, const struct be_train_epoch *epoch) {
    const struct asked *asked = context;
    struct be_text text = {0};
    be_cli_progress_clear();
    if (asked->live) {
        be_train_text_epoch(epoch, &text);
        print(&text);
    }
}

static void show_progress(void *context, const struct be_train_epoch *so_far, uint64_t of_images,
                          double left_s) {
    const struct asked *asked = context;
    const uint64_t batch = asked->batch;
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
static enum be_status write_run(const void *result, enum be_format format, FILE *out,
                                struct be_error *error) {
    struct be_text text = {0};
    if (format != BE_TEXT) {
        return be_train_write(result, format, out, error);
    }
    be_train_text_end(result, &text);
    return be_report_out(&text, out, error);
}

static struct be_train_plan plan_of(struct asked *asked, const struct be_net_kind *kind) {
    asked->batch = asked->batch || !kind ? asked->batch : kind->batch;
    asked->live = asked->outputs.json.out != stdout && asked->outputs.csv.out != stdout;
    return (struct be_train_plan){
        .net = asked->net,
        .folder = asked->data,
        .memory = asked->keeps ? asked->keep == 1 : asked->synthetic,
        .incomplete = asked->incomplete,
        .images = asked->images,
        .test_images = asked->test_images,
        .epochs = (int)asked->epochs,
        .batch = asked->batch,
        .workers = (int)asked->workers,
        .prefetch = (int)asked->prefetch,
        .threads = (int)asked->threads,
        .seed = asked->seed,
        .decode_s = asked->decode_s,
        .total_s = asked->total_s,
        .no_test = asked->no_test,
        .begin = show_begin,
        .epoch = show_epoch,
        .progress = asked->quiet ? NULL : show_progress,
        .cancelled = be_cli_interrupted,
        .context = asked,
    };
}

/* A run that failed on its way has measured something: that is shown, and the failure after it. */
static enum be_status train(struct asked *asked, const struct be_net_kind *kind,
                            struct be_error *error) {
    struct be_train_result result;
    enum be_status status = be_cli_outputs_open(&asked->outputs, error);
    if (status) {
        return status;
    }
    const struct be_train_plan plan = plan_of(asked, kind);
    status = be_train(&plan, &result, error);
    be_cli_progress_clear();
    if (!status || result.steps > 0) {
        struct be_error unwritten = {0};
        const enum be_status wrote =
            be_cli_outputs_write(&asked->outputs, write_run, &result, status ? &unwritten : error);
        status = status ? status : wrote;
    }
    be_train_free(&result);
    return status;
}

int be_cli_train(int argc, char **argv) {
    static const struct argp argp = {
        option,
        parse,
        "NET",
        "This command trains a small network on real images and says where the time went: loss and "
        "accuracy of each epoch, seconds of each part of a step, how long the net waited for its "
        "images, and the number of workers that would change that.\vExamples:\n  breakeven train "
        "mnist --data=DIR --epochs=3\n  breakeven train lenet --synthetic --batch=512 --workers=2",
        NULL,
        NULL,
        NULL};
    struct asked asked = {.seed = 1, .workers = 1, .prefetch = 2};
    struct be_error error = {0};
    if (be_cli_parse(&argp, argc, argv, 0, &asked) != 0) {
        return BE_EXIT_USAGE;
    }
    if (asked.error.status != BE_OK || check_together(&asked, &asked.error) != BE_OK) {
        return be_cli_fail(&asked.error);
    }
    if (!asked.net) {
        return list_nets();
    }
    const struct be_net_kind *kind = be_net_kind_find(asked.net);
    if (kind && !asked.data && !asked.synthetic) {
        return say_where(kind);
    }
    be_cli_catch_interrupt();
    const enum be_status status = train(&asked, kind, &error);
    be_cli_outputs_close(&asked.outputs);
    return status                     ? be_cli_fail(&error)
           : be_cli_interrupted(NULL) ? BE_EXIT_INTERRUPTED
                                      : BE_EXIT_OK;
}
