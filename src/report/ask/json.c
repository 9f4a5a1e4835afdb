/* The answer of `ask` as JSON (docs/json.md), a part a line. */
#include "report/ask/ask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/common/field_rows.h"
#include "report/common/names.h"
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
    FIELD(be_ask, REAL, prepare_s),
    FIELD(be_ask, NOTE, unsampled),
    FIELD(be_ask, REAL, samples),
    FIELD(be_ask, REAL, lost),
    FIELD(be_ask, REAL, rate_hz),
    FIELD_AS(be_ask, FLAG, "kernel_sampled", kernel),
    FIELD_AS(be_ask, REAL, "known_share", known),
    FIELD_AS(be_ask, INT, "missing_files", missing),
};
static const struct be_fields head = FIELDS(head_rows);

static const struct be_field call_rows[] = {
    FIELD(be_ask_answer, NOTE, no_machines),
    FIELD(be_ask_answer, NOTE, longest_call),
    FIELD(be_ask_answer, NOTE, calls_note),
};
static const struct be_fields call_fields = FIELDS(call_rows);

static const struct be_field loop_rows[] = {
    FIELD(be_code_loop, REAL, share),       FIELD(be_code_loop, INT, instructions),
    FIELD(be_code_loop, REAL, flops32),     FIELD(be_code_loop, REAL, flops64),
    FIELD(be_code_loop, REAL, arithmetic),  FIELD(be_code_loop, REAL, slow),
    FIELD(be_code_loop, INT, lanes),        FIELD(be_code_loop, REAL, read_bytes),
    FIELD(be_code_loop, REAL, write_bytes), FIELD(be_code_loop, INT, calls),
    WORD(be_code_loop, chain, code_chain),  FIELD(be_code_loop, NOTE, callee),
};
static const struct be_fields loop_fields = FIELDS(loop_rows);

static const struct be_field own_rows[] = {
    FIELD(be_ask_own, TEXT, library),    FIELD(be_ask_own, NOTE, function),
    FIELD(be_ask_own, NOTE, why),        FIELD(be_ask_own, REAL, cpu_s),
    FIELD(be_ask_own, REAL, wall_s),     FIELD(be_ask_own, REAL, later_s),
    PART(be_ask_own, loop, loop_fields),
};
static const struct be_fields own_fields = FIELDS(own_rows);

static const struct be_field own_there_rows[] = {
    FIELD(be_ask_own_there, REAL, lo_s),
    FIELD(be_ask_own_there, REAL, typical_s),
    FIELD(be_ask_own_there, REAL, hi_s),
};
static const struct be_fields own_there = FIELDS(own_there_rows);

static const struct be_field part_rows[] = {
    FIELD(be_ask_part, TEXT, what),     FIELD(be_ask_part, NOTE, library),
    FIELD(be_ask_part, NOTE, function), FIELD(be_ask_part, REAL, samples),
    FIELD(be_ask_part, REAL, cpu_s),    FIELD(be_ask_part, REAL, wall_s),
    FIELD(be_ask_part, REAL, later_s),
};
static const struct be_fields part_fields = FIELDS(part_rows);

static const struct be_field time_rows[] = {
    FIELD(be_ask_time, REAL, lo_s),
    FIELD(be_ask_time, REAL, typical_s),
    FIELD(be_ask_time, REAL, hi_s),
    FIELD(be_ask_time, REAL, copy_s),
};
static const struct be_fields time_fields = FIELDS(time_rows);

static const struct be_field machine_rows[] = {
    FIELD_AS(be_ask_machine, TEXT, "machine", name),
    FIELD(be_ask_machine, TEXT, gpu),
    FIELD(be_ask_machine, NOTE, scaled_from),
    FIELD(be_ask_machine, REAL, gain),
    FIELD(be_ask_machine, REAL, gain_lo),
    FIELD(be_ask_machine, REAL, gain_hi),
    FIELD(be_ask_machine, REAL, gain_copy),
    FIELD_AS(be_ask_machine, REAL, "gain_at_most", most),
    FIELD_AS(be_ask_machine, FLAG, "calls_recorded", recorded),
    FIELD(be_ask_machine, REAL, long_gain),
    FIELD(be_ask_machine, REAL, long_lo),
    FIELD(be_ask_machine, REAL, long_hi),
    FIELD(be_ask_machine, REAL, large_gain),
    PART(be_ask_machine, start, time_fields),
    PART(be_ask_machine, all, time_fields),
    PART(be_ask_machine, own, own_there),
};
static const struct be_fields machine_fields = FIELDS(machine_rows);

/* Takes the words' object; NULL where something is missing. */
static cJSON *whole_or_none(cJSON *object, bool whole) {
    if (!whole) {
        cJSON_Delete(object);
        object = NULL;
    }
    return object;
}

static cJSON *part_at(const void *whole, size_t i) {
    const struct be_ask *ask = &((const struct be_ask_answer *)whole)->ask;
    const struct be_ask_part *part = &ask->part[i];
    cJSON *object = be_json_record(&part_fields, part);
    return whole_or_none(
        object,
        object && be_json_attach(object, "kind", be_json_text(be_work_kinds[part->kind].word)));
}

static bool add_kinds(const struct be_ask_answer *answer, const struct be_ask_machine *machine,
                      cJSON *object) {
    cJSON *kinds = cJSON_AddObjectToObject(object, "kinds");
    bool whole = kinds;
    for (int i = 0; whole && i < BE_WORK_KINDS; i++) {
        if (answer->ask.wall_s[i] > 0) {
            whole = be_json_attach(kinds, be_work_kinds[i].word,
                                   be_json_record(&time_fields, &machine->kind[i]));
        }
    }
    return whole;
}

static cJSON *machine_at(const void *whole, size_t i) {
    const struct be_ask_answer *answer = whole;
    const struct be_ask_machine *machine = &answer->machine[i];
    const char *cause = be_ask_cause_words[machine->cause];
    cJSON *object = be_json_record(&machine_fields, machine);
    return whole_or_none(
        object,
        object &&
            be_json_attach(object, "verdict",
                           be_json_text(be_ask_verdict_words[machine->verdict])) &&
            be_json_attach(object, "long_verdict",
                           be_json_text(be_ask_verdict_words[machine->long_verdict])) &&
            be_json_attach(object, "cause", cause ? be_json_text(cause) : cJSON_CreateNull()) &&
            add_kinds(answer, machine, object));
}

void be_ask_json(const struct be_ask_answer *answer, struct be_text *out) {
    be_json_add_head(out, "ask");
    be_json_add_fields(out, &head, &answer->ask);
    be_json_add_fields(out, &call_fields, answer);
    be_json_add_member(out, "own",
                       answer->own.library[0] ? be_json_record(&own_fields, &answer->own)
                                              : cJSON_CreateNull());
    be_json_add_list(out, "parts", answer->ask.parts, part_at, answer);
    be_json_add_list(out, "machines", (size_t)answer->machines, machine_at, answer);
    be_text_add(out, "}\n");
}

/* ---- read again ----------------------------------------------------------------------------- */

enum { PARTS_MAX = 10000 };

static int kind_of(const char *word) {
    for (int i = 0; word && i < BE_WORK_KINDS; i++) {
        if (strcmp(be_work_kinds[i].word, word) == 0) {
            return i;
        }
    }
    return -1;
}

/* Files from before there was that kind say it in words. */
static enum be_work_kind newer_kind(const struct be_ask_part *part) {
    return part->kind == BE_WORK_INTERPRETER &&
                   strcmp(part->what, "NumPy's preparation of calls") == 0
               ? BE_WORK_CALLS
               : part->kind;
}

static enum be_status read_part(struct be_json_reader *reader, const cJSON *item, void *context) {
    struct be_ask *ask = context;
    const cJSON *word = cJSON_GetObjectItemCaseSensitive(item, "kind");
    const int kind = kind_of(cJSON_IsString(word) ? word->valuestring : NULL);
    struct be_ask_part *part = &ask->part[ask->parts];
    enum be_status status = be_json_read_record(reader, &part_fields, item, part);
    if (status || kind < 0) {
        return status ? status : be_json_bad(reader, "kind", "is no kind of work");
    }
    part->kind = (enum be_work_kind)kind;
    part->kind = newer_kind(part);
    ask->cpu_s[part->kind] += isnan(part->cpu_s) ? 0 : part->cpu_s;
    ask->wall_s[part->kind] += isnan(part->wall_s) ? 0 : part->wall_s;
    ask->later_s[part->kind] += isnan(part->later_s) ? 0 : part->later_s;
    ask->parts++;
    return BE_OK;
}

enum be_status be_ask_read_json(struct be_json_reader *reader, const cJSON *root,
                                struct be_ask *ask) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "parts");
    *ask = (struct be_ask){0};
    enum be_status status = be_json_needs_list(reader, root, "parts");
    status = status ? status : be_json_read_record(reader, &head, root, ask);
    if (!status && !(ask->own_s > 0 && ask->rate_hz > 0)) {
        status = be_json_bad(reader, "own_s", "seconds above 0 are needed, and a rate_hz");
    }
    ask->part = status ? NULL : calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *ask->part);
    if (!status && !ask->part) {
        status = be_fail(reader->error, BE_NOMEM, "%s: no memory", reader->name);
    }
    return status ? status : be_json_each(reader, root, "parts", PARTS_MAX, read_part, ask);
}
