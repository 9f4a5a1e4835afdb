/* The ranking -> JSON (docs/json.md), one line a place. */
#include <math.h>

#include "report/decide/decide.h"
#include "report/json/record.h"

static const char *const reason_word[BE_REASONS] = {
    [BE_REASON_ONLY] = "only",         [BE_REASON_CLOSE] = "close",
    [BE_REASON_COMPUTES] = "computes", [BE_REASON_WAITS] = "waits",
    [BE_REASON_DESPITE] = "despite",   [BE_REASON_DEADLINE] = "deadline",
    [BE_REASON_NO_WAITS] = "no-waits",
};

const char *be_decide_reason_word(enum be_decide_reason reason) {
    return reason_word[reason];
}

static bool add_number(cJSON *object, const char *name, double number) {
    return isfinite(number) ? cJSON_AddNumberToObject(object, name, number) != NULL
                            : cJSON_AddNullToObject(object, name) != NULL;
}

static bool add_spread(cJSON *object, const char *name, const struct be_decide_spread *spread) {
    cJSON *node = cJSON_AddObjectToObject(object, name);
    return node && add_number(node, "q10_s", spread->q10_s) &&
           add_number(node, "q50_s", spread->q50_s) && add_number(node, "q90_s", spread->q90_s);
}

static bool add_place(cJSON *object, const struct be_decide_place *place) {
    return be_json_attach(object, "place", be_json_text(place->name)) &&
           be_json_attach(object, "where", be_json_text(place->where)) &&
           be_json_attach(object, "partition", be_json_text(place->partition)) &&
           add_number(object, "cores", place->cores) && add_number(object, "gpus", place->gpus) &&
           cJSON_AddBoolToObject(object, "extrapolated", place->extrapolated) &&
           add_number(object, "network_s",
                      place->network.typical_s > 0 ? place->network.typical_s : (double)NAN);
}

static cJSON *row_at(const void *whole, size_t i) {
    const struct be_decide_table *table = whole;
    const struct be_decide_row *row = &table->decision.row[i];
    const struct be_decide_place *place = &table->place[row->place];
    cJSON *object = cJSON_CreateObject();
    const bool ok =
        object && add_place(object, place) && add_number(object, "wait_q50_s", row->wait_q50_s) &&
        add_spread(object, "busy", &row->busy) && add_spread(object, "result", &row->result) &&
        add_number(object, "p_deadline", row->p_deadline) &&
        add_number(object, "p_first", row->p_first) &&
        add_number(object, "p_limit", row->p_limit) &&
        add_number(object, "core_hours", row->core_hours) &&
        add_number(object, "gpu_hours", row->gpu_hours) &&
        add_number(object, "energy_j", row->energy_j) && add_number(object, "cost", row->cost) &&
        be_json_attach(object, "unit", be_json_text(place->unit));
    if (!ok) {
        cJSON_Delete(object);
        object = NULL;
    }
    return object;
}

static cJSON *remark_at(const void *whole, size_t i) {
    return be_json_text(((const struct be_decide_table *)whole)->remark[i]);
}

static cJSON *number(double value) {
    return isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull();
}

void be_decide_json(const struct be_decide_table *table, struct be_text *out) {
    const struct be_decision *d = &table->decision;
    struct be_text sentence = {0};
    be_decide_sentence(table, &sentence);
    be_json_add_head(out, "decide");
    be_json_add_member(out, "work", be_json_text(table->work));
    be_json_add_member(out, "deadline_s", number(d->deadline_s));
    be_json_add_member(out, "reason", be_json_text(be_decide_reason_word(d->reason)));
    be_json_add_member(out, "answer", be_json_text(sentence.data ? sentence.data : ""));
    be_json_add_member(out, "next", number(d->next < 0 ? (double)NAN : d->next));
    be_json_add_member(out, "faster", number(d->faster));
    be_json_add_member(out, "turns_at", number(d->turns_at));
    be_json_add_member(out, "turns_first_s", number(d->turns_first_s));
    be_json_add_member(out, "extra_wait_s", number(d->extra_wait_s));
    be_json_add_member(out, "unknown", number(d->unknown < 0 ? (double)NAN : d->unknown));
    be_json_add_member(out, "unknown_wait_s", number(d->unknown_wait_s));
    be_json_add_list(out, "places", (size_t)d->rows, row_at, table);
    be_json_add_list(out, "remarks", (size_t)table->remarks, remark_at, table);
    be_text_add(out, "}\n");
    out->failed |= sentence.failed;
    be_text_free(&sentence);
}
