#include "report/train/compare.h"

#include <math.h>

#include "base/error.h"
#include "report/common/field_rows.h"
#include "report/common/csv.h"
#include "report/common/lines.h"
#include "report/common/out.h"
#include "report/json/record.h"

static const struct be_field way[] = {
    FIELD(be_train_way, INT, threads),     FIELD(be_train_way, FLAG, memory),
    FIELD(be_train_way, INT, workers),     FIELD(be_train_way, REAL, images_per_s),
    FIELD(be_train_way, REAL, lo),         FIELD(be_train_way, REAL, hi),
    FIELD(be_train_way, REAL, wait_share), FIELD(be_train_way, REAL, foretold_per_s),
    FIELD(be_train_way, REAL, compute_s),  FIELD(be_train_way, REAL, blocked_s),
};
static const struct be_fields way_fields = FIELDS(way);

static const struct be_field comparison_field[] = {
    FIELD(be_train_comparison, TEXT, net),
    FIELD(be_train_comparison, TEXT, data),
    FIELD(be_train_comparison, NOTE, folder),
    FIELD(be_train_comparison, TEXT, cpu),
    FIELD(be_train_comparison, WHOLE, images),
    FIELD(be_train_comparison, WHOLE, batch),
    FIELD(be_train_comparison, WHOLE, seed),
    FIELD(be_train_comparison, INT, prefetch),
    FIELD(be_train_comparison, INT, cores),
    FIELD(be_train_comparison, INT, rounds),
    FIELD_AS(be_train_comparison, REAL, "decode_at_least_s", decode_asked_s),
    FIELD(be_train_comparison, FLAG, partial),
};
static const struct be_fields comparison_fields = FIELDS(comparison_field);

static const char *rate(char word[BE_WORD], double per_s) {
    return be_format_count(word, BE_WORD, round(per_s), "-");
}

/* ---- text ----------------------------------------------------------------------------------- */

static void add_way(const struct be_train_way *w, struct be_text *out) {
    char median[BE_WORD], lo[BE_WORD], hi[BE_WORD], foretold[BE_WORD], range[2 * BE_WORD + 4];
    snprintf(range, sizeof range, isnan(w->lo) ? "-" : "%s - %s", rate(lo, w->lo), rate(hi, w->hi));
    be_text_add(out, "%7d  %-6s %7d %10s %19s", w->threads, w->memory ? "memory" : "disk",
                w->workers, rate(median, w->images_per_s), range);
    if (isnan(w->wait_share)) {
        be_text_add(out, "%9s", "-");
    } else {
        be_text_add(out, " %6.1f %%", 100 * w->wait_share);
    }
    be_text_add(out, " %10s\n", rate(foretold, w->foretold_per_s));
}

static void add_text(const struct be_train_comparison *c, struct be_text *out) {
    struct be_text words = {0};
    char images[BE_WORD], batch[BE_WORD];
    be_text_add(&words, ": %s images of %s%s%s, batches of %s, up to %d ahead; %d rounds. CPU: %s.",
                be_format_count(images, sizeof images, (double)c->images, "-"), c->data,
                *c->folder ? " in " : ", made from the seed", c->folder,
                be_format_count(batch, sizeof batch, (double)c->batch, "-"), c->prefetch, c->rounds,
                c->cpu);
    be_lines_wrap(out, c->net, words.data ? words.data : "", 2);
    be_text_add(out,
                "\nthreads  images workers   images/s               range  waiting   foretold\n");
    for (size_t i = 0; i < c->ways; i++) {
        add_way(&c->way[i], out);
    }
    be_text_add(out, "\n  range     smallest and largest of the rounds\n"
                     "  foretold  images/s, from the row above without workers\n\n");
    be_text_free(&words);
    be_train_verdict(c, &words);
    be_lines_wrap(out, "", words.data ? words.data : "", 0);
    if (c->partial) {
        be_text_add(out, "Ended before all rounds were done.\n");
    }
    out->failed |= words.failed;
    be_text_free(&words);
}

/* ---- verdict -------------------------------------------------------------------------------- */

static const struct be_train_way *fastest(const struct be_train_comparison *c, int threads,
                                          int memory) {
    const struct be_train_way *best = NULL;
    for (size_t i = 0; i < c->ways; i++) {
        const struct be_train_way *w = &c->way[i];
        const bool fits =
            (threads == 0 || w->threads == threads) && (memory < 0 || w->memory == (memory == 1));
        if (fits && isfinite(w->images_per_s) && (!best || w->images_per_s > best->images_per_s)) {
            best = w;
        }
    }
    return best;
}

static void add_fastest(const struct be_train_comparison *c, const struct be_train_way *best,
                        struct be_text *out) {
    char word[BE_WORD];
    const struct be_train_way *one = fastest(c, 1, -1);
    char workers[BE_WORD];
    snprintf(workers, sizeof workers, best->workers ? "%d" : "no", best->workers);
    be_text_add(out, "Fastest: %d thread%s, %s worker%s, images %s: %s images a second",
                best->threads, best->threads == 1 ? "" : "s", workers,
                best->workers == 1 ? "" : "s", best->memory ? "in memory" : "on disk",
                rate(word, best->images_per_s));
    if (best->threads > 1 && one) {
        be_text_add(out, ", %.2f times the best of one thread",
                    best->images_per_s / one->images_per_s);
    }
    be_text_add(out, ".");
}

/* A difference counts where the ranges do not meet. */
static void add_keep(const struct be_train_comparison *c, struct be_text *out) {
    const struct be_train_way *disk = fastest(c, 0, 0), *memory = fastest(c, 0, 1);
    const bool apart = disk->hi < memory->lo || memory->hi < disk->lo;
    if (apart) {
        be_text_add(out, " Images in memory are %.2f times as fast as on disk.",
                    memory->images_per_s / disk->images_per_s);
    } else {
        be_text_add(out, " Images in memory are no faster than on disk: the ranges meet.");
    }
}

/* The loader here is all that is known of a run with a GPU. */
static void add_gpu(const struct be_train_comparison *c, const struct be_train_way *best,
                    struct be_text *out) {
    char word[BE_WORD];
    const double per_s = c->cores / best->compute_s;
    be_text_add(out,
                " Is it worth a GPU? None was measured here. All %d cores together load %s images "
                "a second, so with a GPU it is at most %.2g times as fast: beyond that it waits "
                "for its images.",
                c->cores, rate(word, per_s), per_s / best->images_per_s);
}

void be_train_verdict(const struct be_train_comparison *comparison, struct be_text *out) {
    const struct be_train_way *best = fastest(comparison, 0, -1);
    if (!best) {
        be_text_add(out, "No round was completed: nothing is known.");
        return;
    }
    add_fastest(comparison, best, out);
    add_keep(comparison, out);
    add_gpu(comparison, best, out);
}

/* ---- formats -------------------------------------------------------------------------------- */

static void add_json(const struct be_train_comparison *c, struct be_text *out) {
    struct be_text verdict = {0};
    be_train_verdict(c, &verdict);
    be_json_add_head(out, "train");
    be_json_add_fields(out, &comparison_fields, c);
    be_json_add_records(out, "ways", &way_fields, c->way, c->ways, sizeof *c->way);
    be_json_add_member(out, "verdict", be_json_text(verdict.data ? verdict.data : ""));
    be_text_add(out, "}\n");
    out->failed |= verdict.failed;
    be_text_free(&verdict);
}

enum be_status be_train_compare_write(const struct be_train_comparison *comparison,
                                      enum be_format format, FILE *out, struct be_error *error) {
    struct be_text text = {0};
    switch (format) {
    case BE_TEXT:
        add_text(comparison, &text);
        break;
    case BE_JSON:
        add_json(comparison, &text);
        break;
    case BE_CSV:
        be_csv_records(&way_fields, comparison->way, comparison->ways, sizeof *comparison->way,
                       &text);
        break;
    default:
        return be_report_no_format("write a comparison of training", format, error);
    }
    return be_report_out(&text, out, error);
}
