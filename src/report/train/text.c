/* A training run as text: epochs, where the time went, the finding. */
#include <math.h>
#include <stdio.h>

#include "report/common/lines.h"
#include "report/train/train.h"

static const char *plural(int count) {
    return count == 1 ? "" : "s";
}

static const char *percent(char *to, double share, int digits) {
    snprintf(to, BE_WORD, isnan(share) ? "-" : "%.*f %%", digits, 100 * share);
    return to;
}

static const char *loss_of(char *to, double loss) {
    snprintf(to, BE_WORD, isnan(loss) ? "-" : "%.4f", loss);
    return to;
}

/* ---- head and epochs ------------------------------------------------------------------------ */

void be_train_text_head(const struct be_train_result *result, struct be_text *out) {
    struct be_text words = {0};
    char images[BE_WORD], batch[BE_WORD];
    be_text_add(&words, ": %s images of %s%s%s, batches of %s. ",
                be_format_count(images, sizeof images, (double)result->images, "-"), result->data,
                *result->folder ? " in " : ", made from the seed", result->folder,
                be_format_count(batch, sizeof batch, (double)result->batch, "-"));
    if (result->devices > 1) {
        be_text_add(&words,
                    "%d devices share each batch: %s. Their gradients are added through %s%s; ",
                    result->devices, result->device, result->sums,
                    result->tf32 ? ", products are in tf32" : "");
    } else if (*result->device) {
        be_text_add(&words, "The net is on %s%s; ", result->device,
                    result->tf32 ? ", and multiplies in tf32" : "");
    } else {
        be_text_add(&words, "The net has %d of %d core%s; ", result->threads, result->cores,
                    plural(result->cores));
    }
    if (result->there) {
        be_text_add(&words, "its images are there, too, as bytes");
    } else if (result->workers) {
        be_text_add(&words, "%d worker%s load%s up to %d batch%s ahead", result->workers,
                    plural(result->workers), result->workers == 1 ? "s" : "", result->prefetch,
                    result->prefetch == 1 ? "" : "es");
    } else {
        be_text_add(&words, "it loads its images itself");
    }
    be_text_add(&words, "%s. CPU: %s.",
                result->there    ? ""
                : result->memory ? ", from memory"
                                 : ", from disk",
                result->cpu);
    be_lines_wrap(out, result->net, words.data ? words.data : "", 2);
    be_text_add(out, "\nepoch    images     loss  accuracy   test loss  test acc.        time "
                     "images/s\n");
    out->failed |= words.failed;
    be_text_free(&words);
}

void be_train_text_epoch(const struct be_train_epoch *epoch, struct be_text *out) {
    char images[BE_WORD], loss[BE_WORD], test_loss[BE_WORD], right[BE_WORD], test_right[BE_WORD];
    char seconds[BE_WORD], rate[BE_WORD];
    be_text_add(out, "%5d %9s %8s %9s %11s %10s %11s %8s\n", epoch->number,
                be_format_count(images, sizeof images, (double)epoch->images, "-"),
                loss_of(loss, epoch->loss), percent(right, epoch->accuracy, 2),
                loss_of(test_loss, epoch->test_loss), percent(test_right, epoch->test_accuracy, 2),
                be_format_seconds(seconds, sizeof seconds, epoch->seconds, "-"),
                be_format_count(rate, sizeof rate, round(epoch->images_per_s), "-"));
}

/* ---- where the time went -------------------------------------------------------------------- */

static void add_row(struct be_text *out, const char *name, double seconds, double of_s) {
    char time[BE_WORD], share[BE_WORD];
    be_text_add(out, "  %-30s %11s", name, be_format_seconds(time, sizeof time, seconds, "-"));
    if (of_s > 0) {
        be_text_add(out, " %9s", percent(share, seconds / of_s, 1));
    }
    be_text_end_line(out);
}

static const char *part_name(const struct be_train_result *result, int part) {
    static const char *const name[BE_TRAIN_PARTS] = {
        [BE_TRAIN_WAIT] = "waiting for images",
        [BE_TRAIN_FORWARD] = "forward",
        [BE_TRAIN_LOSS] = "loss",
        [BE_TRAIN_BACKWARD] = "backward",
        [BE_TRAIN_SUM] = "all-reduce of the gradients",
        [BE_TRAIN_UPDATE] = "update",
        [BE_TRAIN_OTHER] = "other",
    };
    return part == BE_TRAIN_OTHER && result->there     ? "gathering images, other"
           : part == BE_TRAIN_WAIT && !result->workers ? "loading images"
           : part == BE_TRAIN_OTHER && *result->device ? "copying images there, other"
                                                       : name[part];
}

static void add_parts(const struct be_train_result *result, struct be_text *out) {
    be_text_add(out, "\nwhere the time went                    time     share\n");
    for (int part = 0; part < BE_TRAIN_PARTS; part++) {
        if (part == BE_TRAIN_SUM && result->devices < 2) {
            continue;
        }
        add_row(out, part_name(result, part), result->part_s[part], result->train_s);
    }
    add_row(out, "training", result->train_s, result->train_s);
    if (result->test_s > 0) {
        add_row(out, "test images", result->test_s, 0);
    }
    add_row(out, "reading and checking the files", result->open_s, 0);
}

/* ---- the end -------------------------------------------------------------------------------- */

static void add_loader(const struct be_train_result *result, struct be_text *out) {
    struct be_text words = {0};
    char read[BE_WORD], decode[BE_WORD], step[BE_WORD];
    if (result->there) {
        char rate[BE_WORD];
        be_text_add(&words, "The net takes %s a step, its images included.",
                    be_format_seconds(rate, sizeof rate, result->rates.step_s, "not measured"));
        be_lines_wrap(out, "", words.data ? words.data : "", 0);
        out->failed |= words.failed;
        be_text_free(&words);
        return;
    }
    be_text_add(&words, "An image takes ");
    if (!result->memory) {
        be_text_add(&words, "%s to read and ",
                    be_format_seconds(read, sizeof read, result->read_s, "-"));
    }
    be_text_add(&words, "%s to decode",
                be_format_seconds(decode, sizeof decode, result->decode_s, "-"));
    if (result->decode_asked_s > 0) {
        be_text_add(&words, " (--decode asked for %s)",
                    be_format_seconds(read, sizeof read, result->decode_asked_s, "-"));
    }
    if (!isnan(result->rates.step_s)) {
        be_text_add(&words, "; the net takes %s a step without waiting",
                    be_format_seconds(step, sizeof step, result->rates.step_s, "-"));
    }
    be_text_add(&words, ".");
    be_lines_wrap(out, "", words.data ? words.data : "", 0);
    out->failed |= words.failed;
    be_text_free(&words);
}

void be_train_text_end(const struct be_train_result *result, struct be_text *out) {
    struct be_text finding = {0};
    if (result->steps == 0) {
        be_text_add(out, "\nNo step was made.\n");
        return;
    }
    add_parts(result, out);
    be_text_add(out, "\n");
    add_loader(result, out);
    be_train_finding(result, &finding);
    be_lines_wrap(out, "", finding.data ? finding.data : "", 0);
    if (result->partial) {
        be_text_add(out, "Ended before all epochs were trained.\n");
    }
    if (*result->checkpoint) {
        be_text_add(out, "Checkpoint: ");
        be_lines_ascii(out, result->checkpoint);
        be_text_add(out, "\n");
    }
    out->failed |= finding.failed;
    be_text_free(&finding);
}
