/* A forecast in one sentence, and the words and the row that it is of. */
#include <math.h>
#include <stdio.h>

#include "report/queue/queue.h"

const struct be_forecast_row *be_forecast_best(const struct be_forecast *f) {
    for (int i = 0; i < f->rows; i++) {
        if (f->row[i].enough && !f->row[i].beyond) {
            return &f->row[i];
        }
    }
    return NULL;
}

const struct be_forecast_row *be_forecast_likely(const struct be_forecast *f) {
    const struct be_forecast_row *best = be_forecast_best(f);
    for (int i = 0; i < f->rows && !best; i++) {
        best = f->row[i].enough ? &f->row[i] : NULL;
    }
    return best;
}

void be_forecast_job_words(const struct be_job_wish *wish, struct be_text *out) {
    char limit[BE_WORD];
    be_text_add(out, "%.0f CPU%s", wish->cpus, wish->cpus > 1 ? "s" : "");
    if (wish->gpus > 0) {
        be_text_add(out, ", %.0f GPU%s", wish->gpus, wish->gpus > 1 ? "s" : "");
    }
    if (wish->memory_bytes > 0) {
        be_text_add(out, ", %.4g GB", wish->memory_bytes / 0x1p30);
    }
    be_text_add(out, ", %s", be_format_wait(limit, sizeof limit, wish->limit_s, "?"));
}

void be_forecast_sentence(const struct be_forecast *f, struct be_text *out) {
    char half[BE_WORD], high[BE_WORD], limit[BE_WORD], chance[BE_WORD];
    const struct be_forecast_row *best = be_forecast_best(f);
    be_text_add(out, "A job of %.0f CPU%s", f->wish.cpus, f->wish.cpus > 1 ? "s" : "");
    if (f->wish.gpus > 0) {
        be_text_add(out, " and %.0f GPU%s", f->wish.gpus, f->wish.gpus > 1 ? "s" : "");
    }
    be_text_add(out, " for %s", be_format_wait(limit, sizeof limit, f->wish.limit_s, "?"));
    if (!best) {
        be_text_add(out, ": not enough jobs like it started to say how long it waits.");
        return;
    }
    be_text_add(out, " starts soonest in %s: half of such jobs within %s, nine in ten within %s.",
                best->partition, be_format_wait(half, sizeof half, best->q50_s, "?"),
                be_format_wait(high, sizeof high, best->q90_s, "?"));
    if (isfinite(best->p_deadline)) {
        be_text_add(out, " It starts by the deadline with a probability of %s.",
                    be_queue_percent(chance, sizeof chance, best->p_deadline));
    }
}
