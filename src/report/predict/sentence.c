/* The answer of a prediction in one sentence a machine. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "report/predict/predict.h"

static void add_of_one_size(const struct be_worth *w, struct be_text *out) {
    char ratio[BE_WORD], lo[BE_WORD], hi[BE_WORD];
    const bool cpu = w->verdict == BE_WORTH_CPU;
    be_format_ratio(ratio, sizeof ratio, cpu ? 1 / w->margin : w->margin, "-");
    be_format_ratio(lo, sizeof lo, cpu ? 1 / w->margin_hi : w->margin_lo, "-");
    be_format_ratio(hi, sizeof hi, cpu ? 1 / w->margin_lo : w->margin_hi, "-");
    if (w->verdict == BE_WORTH_CLOSE) {
        be_text_add(out, "it is too close to call: the GPU is %s x as fast (%s to %s).", ratio, lo,
                    hi);
    } else {
        be_text_add(out, "the %s is %s x as fast as the %s (%s to %s).", cpu ? "CPU" : "GPU", ratio,
                    cpu ? "GPU" : "CPU", lo, hi);
    }
}

static void add_over_sizes(const struct be_predict_table *table, const struct be_worth *w,
                           struct be_text *out) {
    char likely[BE_WORD], sure[BE_WORD], most[BE_WORD];
    const char *size = be_predict_size_word(table);
    be_format_size(likely, sizeof likely, w->likely_from, "-");
    be_format_size(sure, sizeof sure, w->sure_from, "-");
    be_format_n(most, sizeof most, table->n[table->sizes - 1]);
    if (!isnan(w->sure_from)) {
        be_text_add(out, "the GPU is faster than the CPU from %s = %s on, likely from %s on", size,
                    sure, likely);
    } else if (!isnan(w->likely_from)) {
        be_text_add(out, "it is too close to call; the GPU is likely faster from %s = %s on", size,
                    likely);
    } else if (w->verdict == BE_WORTH_CLOSE) {
        be_text_add(out, "it is too close to call; the CPU is likely faster everywhere");
    } else {
        be_text_add(out, "the CPU is faster at every size");
    }
    be_text_add(out, " (sizes up to %s).", most);
}

void be_predict_sentence(const struct be_predict_table *table,
                         const struct be_predict_machine *machine, struct be_text *out) {
    char title[5 * BE_NAME];
    be_predict_title(machine, title, sizeof title);
    be_text_add(out, "With %s: ", title);
    if (machine->worth.verdict == BE_WORTH_UNKNOWN) {
        be_text_add(out, "it is not known which is faster.");
    } else if (table->sizes == 1) {
        add_of_one_size(&machine->worth, out);
    } else {
        add_over_sizes(table, &machine->worth, out);
    }
}

const char *be_predict_title(const struct be_predict_machine *machine, char *to, size_t capacity) {
    static const char *const placed[BE_PLACEMENTS] = {[BE_HOST] = "",
                                                      [BE_COPY] = ", data copied in each call",
                                                      [BE_PRELOAD] = ", inputs there",
                                                      [BE_RESIDENT] = ", data there"};
    snprintf(to, capacity, "%s%s%s%s%s", machine->name, *machine->gpu ? " (" : "", machine->gpu,
             *machine->gpu ? ")" : "", placed[machine->placement]);
    return to;
}
