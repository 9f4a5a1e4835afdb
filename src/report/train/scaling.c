#include "report/train/scaling.h"

#include <math.h>

#include "base/error.h"
#include "report/common/csv.h"
#include "report/common/field_rows.h"
#include "report/common/lines.h"
#include "report/common/out.h"
#include "report/json/record.h"

#define TERM(called, number)                                                                       \
    {                                                                                              \
        .name = (called), .kind = BE_FIELD_REAL,                                                   \
        .at = offsetof(struct be_train_scale, term_s) + (number) * sizeof(double),                 \
        .capacity = sizeof(double)                                                                 \
    }

static const struct be_field scale[] = {
    FIELD(be_train_scale, INT, devices),     FIELD(be_train_scale, WHOLE, batch),
    FIELD(be_train_scale, REAL, step_s),     FIELD(be_train_scale, REAL, lo_s),
    FIELD(be_train_scale, REAL, hi_s),       TERM("compute_s", BE_TRAIN_TERM_COMPUTE),
    TERM("all_reduce_s", BE_TRAIN_TERM_SUM), TERM("awaited_s", BE_TRAIN_TERM_AWAITED),
    TERM("update_s", BE_TRAIN_TERM_UPDATE),  TERM("other_s", BE_TRAIN_TERM_OTHER),
};
static const struct be_fields scale_fields = FIELDS(scale);

static const struct be_field scaling_field[] = {
    FIELD(be_train_scaling, TEXT, net),     FIELD(be_train_scaling, NOTE, device),
    FIELD(be_train_scaling, INT, devices),  FIELD_AS(be_train_scaling, NOTE, "all_reduce_by", sums),
    FIELD(be_train_scaling, WHOLE, batch),  FIELD(be_train_scaling, INT, rounds),
    FIELD(be_train_scaling, FLAG, partial), FIELD_AS(be_train_scaling, REAL, "gradient_off", off),
};
static const struct be_fields scaling_fields = FIELDS(scaling_field);

static double times_of(const struct be_train_scaling *s, size_t at) {
    return be_train_images_per_s(&s->scale[at]) / be_train_images_per_s(&s->scale[0]);
}

static const char *rate(char word[BE_WORD], double per_s) {
    return be_format_count(word, BE_WORD, round(per_s), "not measured");
}

/* ---- verdict -------------------------------------------------------------------------------- */

static void add_reason(const struct be_train_scaling *s, size_t at, struct be_text *out) {
    static const char *const says[BE_TRAIN_TERMS] = {
        [BE_TRAIN_TERM_COMPUTE] = "forward and backward, longer an image where these are few",
        [BE_TRAIN_TERM_SUM] = "the all-reduce of the gradients",
        [BE_TRAIN_TERM_AWAITED] = "the first device's waiting for the others",
        [BE_TRAIN_TERM_UPDATE] = "the update, which each device makes whole",
        [BE_TRAIN_TERM_OTHER] = "the host, which gives each device its work in turn",
    };
    const struct be_train_scale *all = &s->scale[at];
    const enum be_train_term term = be_train_holds_up(&s->scale[0], all);
    const double beyond_s = be_train_beyond(&s->scale[0], all, term);
    if (beyond_s > 0) {
        be_text_add(out, " Most of what is missing to %d times is %s: %.1f %% of a step.",
                    all->devices, says[term], 100 * beyond_s / all->step_s);
    }
}

void be_train_scaling_verdict(const struct be_train_scaling *scaling, struct be_text *out) {
    char one[BE_WORD], all[BE_WORD], batch[BE_WORD];
    const size_t same = scaling->scales - 2;
    const size_t more = scaling->scales - 1;
    if (!scaling->rounds) {
        be_text_add(out, "No round was completed: nothing is known.");
        return;
    }
    be_text_add(out,
                "%d devices train %.2f times as fast as one with the same batch, from %s to %s "
                "images a second: an efficiency of %.0f %%.",
                scaling->devices, times_of(scaling, same),
                rate(one, be_train_images_per_s(&scaling->scale[0])),
                rate(all, be_train_images_per_s(&scaling->scale[same])),
                100 * times_of(scaling, same) / scaling->devices);
    add_reason(scaling, same, out);
    be_text_add(out,
                " With batches of %s, so that each has as many images as one had, they are %.2f "
                "times as fast.",
                rate(batch, (double)scaling->scale[more].batch), times_of(scaling, more));
}

/* ---- text ----------------------------------------------------------------------------------- */

static void add_speeds(const struct be_train_scaling *s, struct be_text *out) {
    be_text_add(out, "\ndevices     batch      a step          least - most    images/s  times  "
                     "effic.\n");
    for (size_t i = 0; i < s->scales; i++) {
        const struct be_train_scale *at = &s->scale[i];
        char batch[BE_WORD], step[BE_WORD], lo[BE_WORD], hi[BE_WORD], per_s[BE_WORD];
        be_text_add(
            out, "%7d %9s %11s %10s - %8s %11s %6.2f %5.0f %%\n", at->devices,
            rate(batch, (double)at->batch), be_format_seconds(step, BE_WORD, at->step_s, "-"),
            be_format_seconds(lo, BE_WORD, at->lo_s, "-"),
            be_format_seconds(hi, BE_WORD, at->hi_s, "-"), rate(per_s, be_train_images_per_s(at)),
            times_of(s, i), 100 * times_of(s, i) / at->devices);
    }
}

static void add_terms(const struct be_train_scaling *s, struct be_text *out) {
    be_text_add(out, "\ndevices     batch     compute  all-reduce     awaited      update       "
                     "other\n");
    for (size_t i = 0; i < s->scales; i++) {
        char word[BE_WORD];
        be_text_add(out, "%7d %9s", s->scale[i].devices, rate(word, (double)s->scale[i].batch));
        for (int term = 0; term < BE_TRAIN_TERMS; term++) {
            be_text_add(out, " %11s",
                        be_format_seconds(word, BE_WORD, s->scale[i].term_s[term], "-"));
        }
        be_text_add(out, "\n");
    }
    be_text_add(out, "\n  compute  forward, loss and backward, of the first device, as the rest\n"
                     "  awaited  it waited for the others' gradients\n\n");
}

static void add_text(const struct be_train_scaling *s, struct be_text *out) {
    struct be_text words = {0};
    be_text_add(&words,
                ": one step over the number of devices, median of %d rounds, images there. %s. "
                "Their gradients are added through %s",
                s->rounds, s->device, s->sums);
    if (isnan(s->off)) {
        be_text_add(&words, "; batch norms are of each device's part.");
    } else {
        be_text_add(&words, ", and are off by %.0e from those of one.", s->off);
    }
    be_lines_wrap(out, s->net, words.data ? words.data : "", 2);
    if (s->rounds) {
        add_speeds(s, out);
        add_terms(s, out);
    }
    be_text_free(&words);
    be_train_scaling_verdict(s, &words);
    be_lines_wrap(out, "", words.data ? words.data : "", 0);
    if (s->partial) {
        be_text_add(out, "Ended before all rounds were done.\n");
    }
    out->failed |= words.failed;
    be_text_free(&words);
}

/* ---- formats -------------------------------------------------------------------------------- */

static void add_json(const struct be_train_scaling *s, struct be_text *out) {
    struct be_text verdict = {0};
    be_train_scaling_verdict(s, &verdict);
    be_json_add_head(out, "train");
    be_json_add_fields(out, &scaling_fields, s);
    be_json_add_records(out, "scales", &scale_fields, s->scale, s->scales, sizeof *s->scale);
    be_json_add_member(out, "verdict", be_json_text(verdict.data ? verdict.data : ""));
    be_text_add(out, "}\n");
    out->failed |= verdict.failed;
    be_text_free(&verdict);
}

enum be_status be_train_scaling_write(const struct be_train_scaling *scaling, enum be_format format,
                                      FILE *out, struct be_error *error) {
    struct be_text text = {0};
    switch (format) {
    case BE_TEXT:
        add_text(scaling, &text);
        break;
    case BE_JSON:
        add_json(scaling, &text);
        break;
    case BE_CSV:
        be_csv_records(&scale_fields, scaling->scale, scaling->scales, sizeof *scaling->scale,
                       &text);
        break;
    default:
        return be_report_no_format("write how training scales", format, error);
    }
    return be_report_out(&text, out, error);
}
