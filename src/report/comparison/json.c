/*
 * A comparison -> JSON (docs/json.md). One line a record, so that files can be searched and
 * compared by line.
 */
#include "report/json/record.h"
#include "report/report.h"

static cJSON *passes_node(const struct be_result *result) {
    cJSON *list = cJSON_CreateArray();
    bool whole = list != NULL;
    for (int i = 0; whole && i < result->passes; i++) {
        cJSON *pass = be_json_record(&be_fields_summary, &result->pass[i].time);
        whole = pass && be_json_attach(pass, "name", be_json_text(result->pass[i].name)) &&
                cJSON_AddItemToArray(list, pass);
        if (!whole) {
            cJSON_Delete(pass);
        }
    }
    if (!whole) {
        cJSON_Delete(list);
        list = NULL;
    }
    return list;
}

static cJSON *result_node(const struct be_result *result) {
    cJSON *phases = cJSON_CreateObject();
    bool whole = phases != NULL;
    for (int i = 0; whole && i < BE_PHASES; i++) {
        whole = be_json_attach(phases, be_names_word(&be_names_phase, i),
                               be_json_record(&be_fields_summary, &result->phase[i]));
    }
    cJSON *object = whole ? be_json_record(&be_fields_result, result) : NULL;
    if (!object) {
        cJSON_Delete(phases);
        return NULL;
    }
    if (!be_json_attach(object, "phases", phases) ||
        (result->passes > 0 && !be_json_attach(object, "passes", passes_node(result)))) {
        cJSON_Delete(object);
        object = NULL;
    }
    return object;
}

static cJSON *result_at(const void *whole, size_t i) {
    const struct be_comparison *comparison = whole;
    return result_node(&comparison->result[i]);
}

static cJSON *breakeven_at(const void *whole, size_t i) {
    const struct be_comparison *comparison = whole;
    return be_json_record(&be_fields_breakeven, &comparison->breakeven[i]);
}

static cJSON *remark_at(const void *whole, size_t i) {
    const struct be_comparison *comparison = whole;
    return be_json_text(comparison->remark[i]);
}

void be_report_json(const struct be_comparison *comparison, struct be_text *out) {
    be_json_add_head(out, "compare");
    be_json_add_member(out, "machine", be_json_machine(&comparison->machine));
    be_json_add_member(out, "environment",
                       be_json_record(&be_fields_environment, &comparison->environment));
    be_text_add(out, ",\n\"partial\":%s", comparison->partial ? "true" : "false");
    be_text_add(out, ",\n\"quick\":%s", comparison->quick ? "true" : "false");
    be_json_add_list(out, "results", comparison->results, result_at, comparison);
    be_json_add_list(out, "breakevens", comparison->breakevens, breakeven_at, comparison);
    be_json_add_list(out, "remarks", comparison->remarks, remark_at, comparison);
    be_text_add(out, "}\n");
}
