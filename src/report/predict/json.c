/* Predictions -> JSON (docs/json.md), one line a prediction. */
#include <math.h>

#include "report/common/names.h"
#include "report/json/record.h"
#include "report/predict/predict.h"

static bool add_number(cJSON *object, const char *name, double number) {
    return isfinite(number) ? cJSON_AddNumberToObject(object, name, number) != NULL
                            : cJSON_AddNullToObject(object, name) != NULL;
}

static bool add_word(cJSON *object, const char *name, const char *word) {
    return word ? be_json_attach(object, name, be_json_text(word))
                : cJSON_AddNullToObject(object, name) != NULL;
}

static bool add_time(cJSON *object, const struct be_predict_time *time) {
    return add_number(object, "lo_s", time->lo_s) &&
           add_number(object, "typical_s", time->typical_s) &&
           add_number(object, "hi_s", time->hi_s);
}

static bool add_side(cJSON *object, const char *name, const struct be_predict_side *side) {
    cJSON *node = cJSON_AddObjectToObject(object, name);
    cJSON *terms = node ? cJSON_AddObjectToObject(node, "terms_s") : NULL;
    bool ok = terms && add_time(node, &side->time) && add_number(node, "limit_s", side->limit_s) &&
              add_word(node, "origin", be_predict_origin_word(side->origin)) &&
              add_word(node, "dominant", be_predict_term_word(side->dominant)) &&
              (side->threads ? add_number(node, "threads", side->threads) : true);
    for (int i = 0; ok && i < BE_TERMS; i++) {
        ok = add_number(terms, be_predict_term_word((enum be_predict_term)i),
                        side->term[i].typical_s);
    }
    return ok;
}

static bool add_flips(cJSON *object, const struct be_prediction *p) {
    cJSON *list = cJSON_AddArrayToObject(object, "changes");
    bool ok = list;
    for (int i = 0; ok && i < p->flips; i++) {
        cJSON *flip = cJSON_CreateObject();
        ok = flip && cJSON_AddItemToArray(list, flip) &&
             add_word(flip, "change", be_predict_change_word(p->flip[i].change)) &&
             add_number(flip, "amount", p->flip[i].amount) &&
             add_number(flip, "ratio", p->flip[i].ratio) &&
             cJSON_AddBoolToObject(flip, "sure", p->flip[i].sure);
    }
    return ok;
}

static bool add_placement(cJSON *object, const struct be_predict_machine *m) {
    return add_word(
        object, "placement",
        m->placement == BE_HOST ? NULL : be_names_word(&be_names_placement, (int)m->placement));
}

static cJSON *prediction_at(const void *whole, size_t i) {
    const struct be_predict_table *t = whole;
    const struct be_predict_machine *m = &t->machine[i / t->sizes];
    const struct be_prediction *p = &m->row[i % t->sizes];
    cJSON *object = cJSON_CreateObject();
    const bool ok = object && add_word(object, "machine", m->name) && add_placement(object, m) &&
                    add_number(object, "size", t->n[i % t->sizes]) &&
                    add_word(object, "verdict", be_predict_verdict_word(p->verdict)) &&
                    add_number(object, "ratio", p->ratio) &&
                    add_number(object, "ratio_lo", p->ratio_lo) &&
                    add_number(object, "ratio_hi", p->ratio_hi) &&
                    add_word(object, "cause", be_predict_cause_word(p->cause)) &&
                    add_side(object, "cpu", &p->cpu) && add_side(object, "gpu", &p->gpu) &&
                    add_flips(object, p);
    if (!ok) {
        cJSON_Delete(object);
        object = NULL;
    }
    return object;
}

static cJSON *machine_at(const void *whole, size_t i) {
    const struct be_predict_table *t = whole;
    const struct be_predict_machine *m = &t->machine[i];
    cJSON *object = cJSON_CreateObject();
    const bool ok = object && add_word(object, "machine", m->name) &&
                    add_word(object, "gpu", m->gpu) && add_placement(object, m) &&
                    add_word(object, "scaled_from", *m->scaled_from ? m->scaled_from : NULL) &&
                    cJSON_AddBoolToObject(object, "data_sheet", m->data_sheet) &&
                    add_number(object, "likely_from", m->worth.likely_from) &&
                    add_number(object, "sure_from", m->worth.sure_from);
    if (!ok) {
        cJSON_Delete(object);
        object = NULL;
    }
    return object;
}

void be_predict_json(const struct be_predict_table *table, struct be_text *out) {
    cJSON *cpu = cJSON_CreateObject();
    if (!cpu || !add_word(cpu, "machine", table->cpu_name) || !add_word(cpu, "cpu", table->cpu)) {
        cJSON_Delete(cpu);
        cpu = NULL;
    }
    be_json_add_head(out, "predict");
    be_json_add_member(out, "cpu", cpu);
    be_json_add_member(out, "dtype",
                       be_json_text(*table->dtype         ? table->dtype
                                    : table->work.float64 ? "float64"
                                                          : "float32"));
    if (*table->workload) {
        be_json_add_member(out, "workload", be_json_text(table->workload));
        be_json_add_member(out, "parameters", be_json_text(table->parameters));
        be_json_add_member(out, "size_name", be_json_text(table->size_name));
    }
    be_json_add_list(out, "machines", table->machines, machine_at, table);
    if (!isnan(table->measured_s)) {
        be_json_add_member(out, "measured_s", cJSON_CreateNumber(table->measured_s));
    }
    be_json_add_list(out, "predictions", table->machines * table->sizes, prediction_at, table);
    be_text_add(out, "}\n");
}

void be_stop_loss_json(const struct be_predict_rates *rates, double operations,
                       struct be_text *out) {
    be_json_add_head(out, "predict");
    const struct {
        const char *name;
        double value;
    } number[] = {
        {"cpu_flop_s", rates->cpu_flop_s},   {"gpu_flop_s", rates->gpu_flop_s},
        {"bus_bytes_s", rates->bus_bytes_s}, {"value_bytes", rates->value_bytes},
        {"operations_a_value", operations},
    };
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
        be_json_add_member(out, number[i].name,
                           isfinite(number[i].value) ? cJSON_CreateNumber(number[i].value)
                                                     : cJSON_CreateNull());
    }
    be_text_add(out, "}\n");
}
