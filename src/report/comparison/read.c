/* JSON (docs/json.md) -> a comparison. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/json/reader.h"

static enum be_status read_pass(struct be_json_reader *reader, const cJSON *object, void *record) {
    struct be_pass *pass = record;
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(object, "name");
    if (!be_json_take_text(name, pass->name, sizeof pass->name)) {
        return be_json_wrong_kind(reader, "name", "a string", name);
    }
    return be_json_read_record(reader, &be_fields_summary, object, &pass->time);
}

static const struct be_json_list passes = {"passes", sizeof(struct be_pass), BE_PASSES_MAX,
                                           read_pass, true};

static enum be_status read_result(struct be_json_reader *reader, const cJSON *object,
                                  void *record) {
    struct be_result *result = record;
    enum be_status status = be_json_read_record(reader, &be_fields_result, object, result);
    if (!status && !result->size_name[0]) { /* written before it was said */
        be_copy_text(result->size_name, sizeof result->size_name, "size");
    }
    const cJSON *phases = cJSON_GetObjectItemCaseSensitive(object, "phases");
    if (!status && phases && !cJSON_IsObject(phases)) {
        return be_json_wrong_kind(reader, "phases", "an object", phases);
    }
    if (!status) {
        status = be_json_read_fixed(reader, &passes, object, result->pass, &result->passes);
    }
    size_t length = strlen(reader->path);
    for (int i = 0; !status && i < BE_PHASES; i++) {
        const char *name = be_names_word(&be_names_phase, i);
        const cJSON *phase = cJSON_GetObjectItemCaseSensitive(phases, name);
        snprintf(reader->path + length, BE_JSON_PATH - length, ".phases.%s", name);
        if (phase && !cJSON_IsObject(phase) && !cJSON_IsNull(phase)) {
            return be_json_wrong_kind(reader, "", "an object", phase);
        }
        status = be_json_read_record(reader, &be_fields_summary, phase, &result->phase[i]);
    }
    bool known = !status && result->phase[BE_TOTAL].n > 0 && result->limit_s > 0;
    if (known && isnan(result->times_limit)) { /* written before it was said */
        result->times_limit = result->phase[BE_TOTAL].median_s / result->limit_s;
    }
    return status;
}

static enum be_status read_breakeven(struct be_json_reader *reader, const cJSON *object,
                                     void *record) {
    struct be_breakeven *even = record;
    enum be_status status = be_json_read_record(reader, &be_fields_breakeven, object, even);
    if (!status && !even->dtype[0]) { /* written before it was said: there was no other */
        be_copy_text(even->dtype, sizeof even->dtype, "float32");
    }
    return status;
}

static const struct be_json_list results = {"results", sizeof(struct be_result), BE_JSON_LIST_MAX,
                                            read_result, true};
static const struct be_json_list breakevens = {"breakevens", sizeof(struct be_breakeven),
                                               BE_JSON_LIST_MAX, read_breakeven, true};

static enum be_status check_head(const struct be_json_reader *reader, const cJSON *root,
                                 struct be_comparison *comparison) {
    enum be_status status = be_json_check_command(reader, root, "compare");
    if (!status) {
        status = be_json_read_truth(reader, root, "partial", &comparison->partial);
    }
    if (!status) {
        status = be_json_read_truth(reader, root, "quick", &comparison->quick);
    }
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, results.name);
    return status || list ? status : be_json_wrong_kind(reader, results.name, "a list", list);
}

enum be_status be_json_read_comparison(struct be_json_reader *reader, const cJSON *root,
                                       struct be_comparison *comparison) {
    enum be_status status = check_head(reader, root, comparison);
    if (!status) {
        status = be_json_read_machine(reader, root, &comparison->machine);
    }
    if (!status) {
        status = be_json_read_environment(reader, root, &comparison->environment);
    }
    void *records[3] = {NULL};
    *reader->path = '\0';
    if (!status) {
        status = be_json_read_owned(reader, &results, root, &records[0], &comparison->results);
    }
    if (!status) {
        status =
            be_json_read_owned(reader, &breakevens, root, &records[1], &comparison->breakevens);
    }
    if (!status) {
        status =
            be_json_read_owned(reader, &be_json_remarks, root, &records[2], &comparison->remarks);
    }
    comparison->result = records[0];
    comparison->breakeven = records[1];
    comparison->remark = records[2];
    return status;
}
