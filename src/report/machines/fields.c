#include "report/machines/fields.h"

#include "report/common/field_rows.h"

static const struct be_field profile[] = {
    FIELD(be_machine_row, TEXT, name),     FIELD(be_machine_row, TEXT, whose),
    WORD(be_machine_row, source, source),  FIELD(be_machine_row, TEXT, date),
    FIELD(be_machine_row, TEXT, hardware), FIELD(be_machine_row, FLAG, taken),
};
static const struct be_fields profiles = FIELDS(profile);

static const struct be_field time_of[] = {
    FIELD(be_machine_row, TEXT, name),   FIELD(be_machine_row, TEXT, whose),
    FIELD(be_machine_row, TEXT, date),   FIELD(be_machine_row, TEXT, hardware),
    FIELD(be_machine_row, WHOLE, times),
};
static const struct be_fields times = FIELDS(time_of);

static const struct be_field whole[] = {
    OWNED(be_machine_rows, profile, profiles, &profiles),
    OWNED(be_machine_rows, time, times, &times),
};
const struct be_fields be_fields_machines = FIELDS(whole);
