#include "report/common/fields.h"

#include <inttypes.h>
#include <string.h>

#include "breakeven.h"
#include "report/common/field_rows.h"

static const struct be_field device[] = {
    NEED(be_device_info, TEXT, id),
    FIELD(be_device_info, TEXT, backend),
    FIELD(be_device_info, TEXT, name),
    FIELD(be_device_info, TEXT, driver),
    FIELD(be_device_info, NOTE, address),
    FIELD(be_device_info, NOTE, same_as),
    NEED_WORD(be_device_info, kind, kind),
    FIELD(be_device_info, INT, index),
    FIELD(be_device_info, GIVEN, units),
    FIELD(be_device_info, REAL, memory_bytes),
    FIELD(be_device_info, REAL, cache_bytes),
    FIELD(be_device_info, REAL, clock_hz),
    FIELD(be_device_info, REAL, start_s),
    {.name = "origin",
     .kind = BE_FIELD_WORD,
     PLACE(be_device_info, origin),
     .names = &be_names_origin,
     .unless_empty = true},
};
static const struct be_fields devices = FIELDS(device);

static const struct be_field absence[] = {
    FIELD(be_absence, TEXT, backend),
    FIELD(be_absence, TEXT, reason),
};
static const struct be_fields absences = FIELDS(absence);

static const struct be_field machine[] = {
    FIELD(be_machine, TEXT, host),
    FIELD(be_machine, TEXT, cpu),
    FIELD(be_machine, INT, cores),
    FIELD(be_machine, INT, cores_allowed),
    FIELD(be_machine, TEXT, allowed_by),
    FIELD(be_machine, INT, numa_nodes),
    FIELD(be_machine, REAL, memory_bytes),
    FIELD(be_machine, REAL, cache_bytes),
    FIXED(be_machine, "devices", device, devices, devices),
    FIXED(be_machine, "absent", absent, absences, absences),
};

static const struct be_field environment[] = {
    FIELD(be_environment, TEXT, date),     FIELD(be_environment, TEXT, compiler),
    FIELD(be_environment, TEXT, flags),    FIELD(be_environment, TEXT, kernel),
    FIELD(be_environment, NOTE, affinity), FIELD(be_environment, NOTE, governor),
    FIELD(be_environment, TEXT, simd),     FIELD(be_environment, NOTE, slurm_job),
    FIELD(be_environment, TEXT, order),    FIELD(be_environment, REAL, load_average),
    FIELD(be_environment, REAL, cpu_hz),   FIELD(be_environment, REAL, steal),
    FIELD(be_environment, WHOLE, seed),    FIELD(be_environment, NOTE, libraries),
};

const struct be_fields be_fields_machine = FIELDS(machine);
const struct be_fields be_fields_environment = FIELDS(environment);

static void print_text(const struct be_field *field, const void *place, struct be_text *out) {
    (void)field;
    be_text_add_utf8(out, place);
}

static void print_cited(const struct be_field *field, const void *place, struct be_text *out) {
    const char *text;
    (void)field;
    memcpy(&text, place, sizeof text);
    be_text_add_utf8(out, text ? text : "");
}

static void print_real(const struct be_field *field, const void *place, struct be_text *out) {
    (void)field;
    char number[BE_WORD];
    be_text_add(out, "%s", be_format_exact(number, sizeof number, *(const double *)place, ""));
}

static void print_int(const struct be_field *field, const void *place, struct be_text *out) {
    int value = *(const int *)place;
    if (value || field->kind == BE_FIELD_INT) {
        be_text_add(out, "%d", value);
    }
}

static void print_whole(const struct be_field *field, const void *place, struct be_text *out) {
    (void)field;
    be_text_add(out, "%" PRIu64, *(const uint64_t *)place);
}

static void print_word(const struct be_field *field, const void *place, struct be_text *out) {
    int value; /* the enums have the size of int */
    memcpy(&value, place, sizeof value);
    const char *word = be_names_word(field->names, value);
    be_text_add(out, "%s", word ? word : "");
}

static void print_truth(const struct be_field *field, const void *place, struct be_text *out) {
    (void)field;
    be_text_add(out, "%s", *(const bool *)place ? "true" : "false");
}

static void (*const print[])(const struct be_field *, const void *, struct be_text *) = {
    [BE_FIELD_TEXT] = print_text,   [BE_FIELD_NOTE] = print_text,   [BE_FIELD_REAL] = print_real,
    [BE_FIELD_INT] = print_int,     [BE_FIELD_GIVEN] = print_int,   [BE_FIELD_WHOLE] = print_whole,
    [BE_FIELD_WORD] = print_word,   [BE_FIELD_TRUTH] = print_truth, [BE_FIELD_FLAG] = print_truth,
    [BE_FIELD_CITED] = print_cited,
};

void be_field_print(const struct be_field *field, const void *record, struct be_text *out) {
    print[field->kind](field, (const char *)record + field->at, out);
}
