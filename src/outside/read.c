/* Samples as JSON (docs/json.md): read, made into a comparison, given back as a text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/read_all.h"
#include "breakeven_samples.h"
#include "breakeven_text.h"
#include "report/common/field_rows.h"
#include "report/comparison/fields.h"
#include "report/json/reader.h"
#include "report/json/record.h"

enum { CASES_MAX = 100000, SAMPLES_MAX = 1000000 };

static const struct be_field head[] = {
    PART(be_comparison, machine, be_fields_machine),
    PART(be_comparison, environment, be_fields_environment),
    FIELD(be_comparison, TRUTH, partial),
    FIELD(be_comparison, TRUTH, quick),
    OWNED(be_comparison, remark, remarks, NULL),
};
static const struct be_fields heads = FIELDS(head);

static const struct be_field round_of[] = {NEED(be_sampled, INT, round)};
static const struct be_fields rounds = FIELDS(round_of);

/* Cases, and the times behind them, which are ours. */
struct cases {
    struct be_sampled *sampled;
    size_t count;
};

static void free_cases(struct cases *cases) {
    for (size_t i = 0; i < cases->count; i++) {
        for (int phase = 0; phase < BE_PHASES; phase++) {
            free((void *)(size_t)cases->sampled[i].seconds[phase]);
        }
    }
    free(cases->sampled);
}

/* ---- reading -------------------------------------------------------------------------------- */

static enum be_status read_times(struct be_json_reader *reader, const cJSON *list, int phase,
                                 struct be_sampled *sampled) {
    const char *name = be_names_word(&be_names_phase, phase);
    if (!list || cJSON_IsNull(list)) {
        return BE_OK;
    }
    const int count = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : -1;
    if (count < 0) {
        return be_json_wrong_kind(reader, name, "a list of seconds", list);
    }
    if (count > SAMPLES_MAX) {
        return be_json_bad(reader, name, "more than a million samples: fewer suffice");
    }
    double *seconds = malloc(((size_t)count + 1) * sizeof *seconds);
    if (!seconds) {
        return be_fail(reader->error, BE_NOMEM, "%s: no memory for %d samples", reader->name,
                       count);
    }
    sampled->seconds[phase] = seconds;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, list) {
        if (!cJSON_IsNumber(item)) {
            return be_json_wrong_kind(reader, name, "a list of seconds", item);
        }
        seconds[sampled->samples[phase]++] = item->valuedouble;
    }
    return BE_OK;
}

static enum be_status read_case(struct be_json_reader *reader, const cJSON *item, void *context) {
    struct cases *cases = context;
    struct be_sampled *sampled = &cases->sampled[cases->count++];
    const cJSON *samples = cJSON_GetObjectItemCaseSensitive(item, "samples");
    enum be_status status = be_json_read_record(reader, &be_fields_result, item, &sampled->result);
    status = status ? status : be_json_read_record(reader, &rounds, item, sampled);
    for (int phase = 0; status == BE_OK && phase < BE_PHASES; phase++) {
        const char *name = be_names_word(&be_names_phase, phase);
        status =
            read_times(reader, cJSON_GetObjectItemCaseSensitive(samples, name), phase, sampled);
    }
    return status;
}

static enum be_status read_cases(struct be_json_reader *reader, const cJSON *root,
                                 struct cases *cases) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "results");
    enum be_status status = be_json_needs_list(reader, root, "results");
    if (status == BE_OK) {
        cases->sampled = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *cases->sampled);
        status = cases->sampled ? BE_OK
                                : be_fail(reader->error, BE_NOMEM, "%s: no memory for its cases",
                                          reader->name);
    }
    return status ? status : be_json_each(reader, root, "results", CASES_MAX, read_case, cases);
}

/* Where the text has no machine, it was this one. */
static enum be_status read_head(struct be_json_reader *reader, const cJSON *root,
                                struct be_comparison *comparison) {
    enum be_status status = be_json_read_record(reader, &heads, root, comparison);
    if (status == BE_OK && !cJSON_HasObjectItem(root, "machine")) {
        status = be_machine_describe(&comparison->machine, reader->error);
    }
    if (status == BE_OK && !cJSON_HasObjectItem(root, "environment")) {
        status = be_environment_describe(&comparison->environment, reader->error);
    }
    return status;
}

static enum be_status read_all(struct be_json_reader *reader, const char *json,
                               struct be_comparison *comparison, struct cases *cases) {
    struct be_text text = {0};
    cJSON *root = NULL;
    be_text_add_bytes(&text, json, strlen(json));
    enum be_status status =
        text.failed ? be_fail(reader->error, BE_NOMEM, "%s: out of memory", reader->name)
                    : be_whole_json(&text, reader->name, &root, reader->error);
    if (status == BE_OK && !cJSON_IsObject(root)) {
        status = be_fail(reader->error, BE_USAGE, "%s: an object is needed, not %s", reader->name,
                         be_json_kind_of(root));
    }
    status = status ? status : read_head(reader, root, comparison);
    status = status ? status : read_cases(reader, root, cases);
    cJSON_Delete(root);
    be_text_free(&text);
    return status;
}

enum be_status be_samples_string(const char *json, const char *name, enum be_format format,
                                 char **string, uint64_t *narrows, struct be_error *error) {
    struct be_json_reader reader = {.name = name, .error = error};
    struct be_comparison *comparison = calloc(1, sizeof *comparison);
    struct cases cases = {0};
    *string = NULL;
    enum be_status status = comparison ? read_all(&reader, json, comparison, &cases)
                                       : be_fail(error, BE_NOMEM, "%s: out of memory", name);
    status = status
                 ? status
                 : be_comparison_of_samples(cases.sampled, cases.count, comparison, narrows, error);
    status = status ? status : be_comparison_string(comparison, format, string, error);
    free_cases(&cases);
    if (comparison) {
        be_comparison_free(comparison);
    }
    free(comparison);
    return status;
}

/* ---- this machine --------------------------------------------------------------------------- */

enum be_status be_machine_string(char **string, struct be_error *error) {
    struct be_comparison *here = calloc(1, sizeof *here);
    struct be_text text = {0};
    *string = NULL;
    enum be_status status = here ? be_machine_describe(&here->machine, error)
                                 : be_fail(error, BE_NOMEM, "no host memory for a machine");
    status = status ? status : be_environment_describe(&here->environment, error);
    if (status == BE_OK) {
        be_text_add(&text, "{\"machine\":");
        be_json_add(&text, be_json_record(&be_fields_machine, &here->machine));
        be_json_add_member(&text, "environment",
                           be_json_record(&be_fields_environment, &here->environment));
        be_text_add(&text, "}\n");
        status =
            text.failed ? be_fail(error, BE_NOMEM, "this machine as a text: out of memory") : BE_OK;
    }
    if (status == BE_OK) {
        *string = text.data; /* be_string_free frees it */
    } else {
        be_text_free(&text);
    }
    free(here);
    return status;
}
