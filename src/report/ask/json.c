/* The answer of `ask` as JSON (docs/json.md), a part a line. */
#include "report/ask/ask.h"
#include "report/common/field_rows.h"
#include "report/json/record.h"

static const struct be_field run_rows[] = {
    FIELD(be_ask_run, TEXT, command),     FIELD(be_ask_run, REAL, elapsed_s),
    FIELD(be_ask_run, REAL, user_s),      FIELD(be_ask_run, REAL, system_s),
    FIELD(be_ask_run, REAL, core_wait_s), FIELD(be_ask_run, GIVEN, threads),
};
static const struct be_fields run_fields = FIELDS(run_rows);

static const struct be_field head_rows[] = {
    PART(be_ask, run, run_fields),
    FIELD(be_ask, REAL, own_s),
    FIELD(be_ask, NOTE, unsampled),
    FIELD(be_ask, REAL, samples),
    FIELD(be_ask, REAL, lost),
    FIELD(be_ask, REAL, rate_hz),
    FIELD_AS(be_ask, FLAG, "kernel_sampled", kernel),
    FIELD_AS(be_ask, REAL, "known_share", known),
    FIELD_AS(be_ask, INT, "missing_files", missing),
};
static const struct be_fields head = FIELDS(head_rows);

static const struct be_field part_rows[] = {
    FIELD(be_ask_part, TEXT, what),     FIELD(be_ask_part, NOTE, library),
    FIELD(be_ask_part, NOTE, function), FIELD(be_ask_part, REAL, samples),
    FIELD(be_ask_part, REAL, cpu_s),    FIELD(be_ask_part, REAL, wall_s),
};
static const struct be_fields part_fields = FIELDS(part_rows);

static cJSON *part_at(const void *whole, size_t i) {
    const struct be_ask *ask = whole;
    const struct be_ask_part *part = &ask->part[i];
    cJSON *object = be_json_record(&part_fields, part);
    if (object && !be_json_attach(object, "kind", be_json_text(be_work_kinds[part->kind].word))) {
        cJSON_Delete(object);
        object = NULL;
    }
    return object;
}

void be_ask_json(const struct be_ask *ask, struct be_text *out) {
    be_json_add_head(out, "ask");
    be_json_add_fields(out, &head, ask);
    be_json_add_list(out, "parts", ask->parts, part_at, ask);
    be_text_add(out, "}\n");
}
