#include "report/train/crossing.h"

#include <math.h>

#include "base/error.h"
#include "report/common/csv.h"
#include "report/common/field_rows.h"
#include "report/common/lines.h"
#include "report/common/out.h"
#include "report/json/record.h"

#define SIDE(called, number, part)                                                                 \
    {                                                                                              \
        .name = (called), .kind = BE_FIELD_REAL,                                                   \
        .at = offsetof(struct be_train_size, side) + (number) * sizeof(struct be_train_timed) +    \
              offsetof(struct be_train_timed, part),                                               \
        .capacity = sizeof(double)                                                                 \
    }
#define TIMES(called, number)                                                                      \
    SIDE(called "_s", number, step_s), SIDE(called "_lo_s", number, lo_s),                         \
        SIDE(called "_hi_s", number, hi_s)

static const struct be_field size[] = {
    FIELD(be_train_size, WHOLE, batch),     TIMES("one_core", BE_TRAIN_ONE_CORE),
    TIMES("all_cores", BE_TRAIN_ALL_CORES), TIMES("copied", BE_TRAIN_COPIED),
    TIMES("there", BE_TRAIN_THERE),         FIELD_AS(be_train_size, REAL, "gradient_off", off),
};
static const struct be_fields size_fields = FIELDS(size);

static const struct be_field crossing_field[] = {
    FIELD(be_train_crossing, TEXT, net),    FIELD(be_train_crossing, TEXT, cpu),
    FIELD(be_train_crossing, NOTE, device), FIELD(be_train_crossing, INT, cores),
    FIELD(be_train_crossing, INT, rounds),  FIELD(be_train_crossing, FLAG, partial),
};
static const struct be_fields crossing_fields = FIELDS(crossing_field);

/* ---- verdict -------------------------------------------------------------------------------- */

static double gain_of(const struct be_train_crossing *c, enum be_train_side side) {
    const struct be_train_size *last = &c->size[c->sizes - 1];
    return fmin(last->side[BE_TRAIN_ONE_CORE].step_s, last->side[BE_TRAIN_ALL_CORES].step_s) /
           last->side[side].step_s;
}

static void add_side(const struct be_train_crossing *c, enum be_train_side side, const char *how,
                     struct be_text *out) {
    const struct be_train_crossed crossed = be_train_crossed(c, side);
    const unsigned long long most = c->sizes ? c->size[c->sizes - 1].batch : 0;
    switch (crossed.ahead) {
    case BE_TRAIN_NEVER:
        be_text_add(out, "%s the device is not ahead of this CPU up to batches of %llu", how, most);
        break;
    case BE_TRAIN_FROM:
        be_text_add(out, "%s the device is ahead from batches of %llu on; at %llu it is not yet",
                    how, (unsigned long long)crossed.from, (unsigned long long)crossed.below);
        break;
    case BE_TRAIN_ALWAYS:
        be_text_add(out, "%s the device is ahead from batches of %llu on, the smallest", how,
                    (unsigned long long)crossed.from);
        break;
    case BE_TRAIN_NOT_KNOWN:
        be_text_add(out, "%s nothing was measured. ", how);
        return;
    }
    be_text_add(out, " (at %llu: %.2g times as fast). ", most, gain_of(c, side));
}

void be_train_crossing_verdict(const struct be_train_crossing *crossing, struct be_text *out) {
    add_side(crossing, BE_TRAIN_COPIED, "With images copied in each step,", out);
    add_side(crossing, BE_TRAIN_THERE, "With all images there,", out);
    be_text_add(out, "A side is ahead where all its rounds are faster than all of the CPU's.");
}

/* ---- text ----------------------------------------------------------------------------------- */

static void add_size(const struct be_train_size *s, struct be_text *out) {
    be_text_add(out, "%7llu", (unsigned long long)s->batch);
    for (int side = 0; side < BE_TRAIN_SIDES; side++) {
        char word[BE_WORD];
        be_text_add(out, " %15s",
                    be_format_seconds(word, sizeof word, s->side[side].step_s, "not measured"));
    }
    be_text_add(out, "\n");
}

static void add_text(const struct be_train_crossing *c, struct be_text *out) {
    struct be_text words = {0};
    char all[BE_WORD];
    be_text_add(&words,
                ": one step over the batch, median of %d rounds. CPU: %s. Device: %s. Its "
                "gradients are those of the plain reference.",
                c->rounds, c->cpu, c->device);
    be_lines_wrap(out, c->net, words.data ? words.data : "", 2);
    snprintf(all, sizeof all, "%d cores", c->cores);
    be_text_add(out, "\n  batch %15s %15s %15s %15s\n", "one core", all, "images copied",
                "images there");
    for (size_t i = 0; i < c->sizes; i++) {
        add_size(&c->size[i], out);
    }
    be_text_free(&words);
    be_train_crossing_verdict(c, &words);
    be_text_add(out, "\n");
    be_lines_wrap(out, "", words.data ? words.data : "", 0);
    if (c->stopped.status) {
        be_lines_wrap(out, "Larger batches: ", c->stopped.text, 2);
    }
    if (c->partial) {
        be_text_add(out, "Larger batches were left out: the time was over (--total=SECONDS).\n");
    }
    out->failed |= words.failed;
    be_text_free(&words);
}

/* ---- formats -------------------------------------------------------------------------------- */

static void add_crossed(const struct be_train_crossing *c, const char *name,
                        enum be_train_side side, struct be_text *out) {
    const struct be_train_crossed crossed = be_train_crossed(c, side);
    be_json_add_member(
        out, name, crossed.from ? cJSON_CreateNumber((double)crossed.from) : cJSON_CreateNull());
}

static void add_json(const struct be_train_crossing *c, struct be_text *out) {
    struct be_text verdict = {0};
    be_train_crossing_verdict(c, &verdict);
    be_json_add_head(out, "train");
    be_json_add_fields(out, &crossing_fields, c);
    be_json_add_records(out, "batches", &size_fields, c->size, c->sizes, sizeof *c->size);
    add_crossed(c, "pays_copied_from", BE_TRAIN_COPIED, out);
    add_crossed(c, "pays_there_from", BE_TRAIN_THERE, out);
    be_json_add_member(out, "verdict", be_json_text(verdict.data ? verdict.data : ""));
    be_text_add(out, "}\n");
    out->failed |= verdict.failed;
    be_text_free(&verdict);
}

enum be_status be_train_crossing_write(const struct be_train_crossing *crossing,
                                       enum be_format format, FILE *out, struct be_error *error) {
    struct be_text text = {0};
    switch (format) {
    case BE_TEXT:
        add_text(crossing, &text);
        break;
    case BE_JSON:
        add_json(crossing, &text);
        break;
    case BE_CSV:
        be_csv_records(&size_fields, crossing->size, crossing->sizes, sizeof *crossing->size,
                       &text);
        break;
    default:
        return be_report_no_format("write a crossing of training", format, error);
    }
    return be_report_out(&text, out, error);
}
