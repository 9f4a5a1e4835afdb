/* Where the times of a table come from, as lines above it. */
#include "report/common/lines.h"
#include "report/predict/predict.h"

static const char *const origin_text[BE_PREDICT_ORIGINS] = {
    [BE_PREDICTED_BY_RULE] = "by the rule, from the counts of one call and a profile",
    [BE_PREDICTED_SCALED] = "scaled",
    [BE_PREDICTED_BETWEEN] = "between two sizes that were measured there",
    [BE_PREDICTED_MEASURED] = "measured there",
    [BE_PREDICTED_BEYOND] = "by the rule, going on from the nearest that has a time",
    [BE_PREDICTED_UNKNOWN] = "not known",
};

static enum be_predict_origin origin_at(const struct be_predict_machine *m, size_t row, bool gpu) {
    return gpu ? m->row[row].gpu.origin : m->row[row].cpu.origin;
}

static void add_size(double n, struct be_text *out) {
    char size[BE_WORD];
    be_text_add(out, "%s", be_format_n(size, sizeof size, n));
}

/* "GPU times: scaled from those of h100 up to 1e5, then by the rule": a clause for each run of sizes of one origin. */
static void add_side(const struct be_predict_table *table, const struct be_predict_machine *m,
                     bool gpu, struct be_text *out) {
    struct be_text line = {0};
    be_text_add(&line, "%s times: ", gpu ? "GPU" : "CPU");
    for (size_t from = 0, to; from < table->sizes; from = to) {
        const enum be_predict_origin origin = origin_at(m, from, gpu);
        to = from + 1;
        while (to < table->sizes && origin_at(m, to, gpu) == origin) {
            to++;
        }
        be_text_add(&line, "%s%s", from ? "; " : "", origin_text[origin]);
        if (origin == BE_PREDICTED_SCALED) {
            be_text_add(&line, " from times of %s, by the rates of both %s",
                        gpu ? m->scaled_from : m->cpu_scaled_from, gpu ? "GPUs" : "CPUs");
        }
        if (to < table->sizes) {
            be_text_add(&line, " (up to ");
            add_size(table->n[to - 1], &line);
            be_text_add(&line, ")");
        }
    }
    be_lines_wrap(out, "", line.data ? line.data : "", 2);
    out->failed |= line.failed;
    be_text_free(&line);
}

void be_predict_add_origins(const struct be_predict_table *table,
                            const struct be_predict_machine *machine, struct be_text *out) {
    add_side(table, machine, false, out);
    add_side(table, machine, true, out);
}
