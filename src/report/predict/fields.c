#include "report/predict/fields.h"

#include "report/common/field_rows.h"
#include "report/predict/predict.h"

/* The placement of data that are described by numbers has no word. */
static const char *const placement_words[BE_PLACEMENTS] = {
    [BE_COPY] = "copy", [BE_PRELOAD] = "preload", [BE_RESIDENT] = "resident"};
static const struct be_names be_names_placed = {placement_words, BE_PLACEMENTS};

/* ---- one prediction ------------------------------------------------------------------------- */

#define TERM(called, which) FIELD_AS(be_predict_side, REAL, called, term[which].typical_s)
static const struct be_field term[] = {
    TERM("first", BE_TERM_FIRST),           TERM("launch", BE_TERM_LAUNCH),
    TERM("operations", BE_TERM_OPERATIONS), TERM("memory", BE_TERM_MEMORY),
    TERM("chain", BE_TERM_CHAIN),           TERM("bus", BE_TERM_BUS),
};
static const struct be_fields terms = FIELDS(term);

static const struct be_field side[] = {
    {.name = "terms_s", .kind = BE_FIELD_PART, .of = &terms},
    FIELD_AS(be_predict_side, REAL, "lo_s", time.lo_s),
    FIELD_AS(be_predict_side, REAL, "typical_s", time.typical_s),
    FIELD_AS(be_predict_side, REAL, "hi_s", time.hi_s),
    FIELD(be_predict_side, REAL, limit_s),
    WORD(be_predict_side, origin, predict_origin),
    WORD(be_predict_side, dominant, predict_term),
    {.name = "threads",
     .kind = BE_FIELD_GIVEN,
     PLACE(be_predict_side, threads),
     .unless_empty = true},
};
static const struct be_fields sides = FIELDS(side);

static const struct be_field change[] = {
    WORD(be_predict_flip, change, predict_change),
    FIELD(be_predict_flip, REAL, amount),
    FIELD(be_predict_flip, REAL, ratio),
    FIELD(be_predict_flip, TRUTH, sure),
};
static const struct be_fields changes = FIELDS(change);

#define OF(member) prediction.member
static const struct be_field row[] = {
    FIELD(be_predict_row, TEXT, machine),
    WORD(be_predict_row, placement, placed),
    FIELD(be_predict_row, REAL, size),
    {.name = "verdict",
     .kind = BE_FIELD_WORD,
     PLACE(be_predict_row, OF(verdict)),
     .names = &be_names_predict_verdict},
    FIELD_AS(be_predict_row, REAL, "ratio", OF(ratio)),
    FIELD_AS(be_predict_row, REAL, "ratio_lo", OF(ratio_lo)),
    FIELD_AS(be_predict_row, REAL, "ratio_hi", OF(ratio_hi)),
    {.name = "cause",
     .kind = BE_FIELD_WORD,
     PLACE(be_predict_row, OF(cause)),
     .names = &be_names_predict_cause},
    {.name = "cpu", .kind = BE_FIELD_PART, PLACE(be_predict_row, OF(cpu)), .of = &sides},
    {.name = "gpu", .kind = BE_FIELD_PART, PLACE(be_predict_row, OF(gpu)), .of = &sides},
    FIXED(be_predict_row, "changes", OF(flip), OF(flips), changes),
};
const struct be_fields be_fields_prediction = FIELDS(row);

/* ---- a table -------------------------------------------------------------------------------- */

static const struct be_field cpu[] = {
    FIELD_AS(be_predict_table, TEXT, "machine", cpu_name),
    FIELD(be_predict_table, TEXT, cpu),
};
static const struct be_fields cpus = FIELDS(cpu);

static const struct be_field machine[] = {
    FIELD_AS(be_predict_machine, TEXT, "machine", name),
    FIELD(be_predict_machine, TEXT, gpu),
    WORD(be_predict_machine, placement, placed),
    FIELD(be_predict_machine, NOTE, scaled_from),
    FIELD(be_predict_machine, NOTE, cpu_scaled_from),
    FIELD(be_predict_machine, TRUTH, data_sheet),
    FIELD_AS(be_predict_machine, REAL, "likely_from", worth.likely_from),
    FIELD_AS(be_predict_machine, REAL, "sure_from", worth.sure_from),
};
static const struct be_fields machines = FIELDS(machine);

#define UNLESS_EMPTY(what, called, member)                                                         \
    {                                                                                              \
        .name = called, .kind = BE_FIELD_##what, PLACE(be_predict_rows, table.member),             \
        .unless_empty = true                                                                       \
    }
static const struct be_field whole[] = {
    {.name = "cpu", .kind = BE_FIELD_PART, PLACE(be_predict_rows, table), .of = &cpus},
    FIELD_AS(be_predict_rows, TEXT, "dtype", table.dtype),
    UNLESS_EMPTY(NOTE, "workload", workload),
    UNLESS_EMPTY(NOTE, "parameters", parameters),
    UNLESS_EMPTY(NOTE, "size_name", size_name),
    {.name = "machines",
     .kind = BE_FIELD_OWNED,
     .at = offsetof(struct be_predict_rows, table.machine),
     .of = &machines,
     .record = sizeof(struct be_predict_machine),
     .length_at = offsetof(struct be_predict_rows, table.machines)},
    UNLESS_EMPTY(REAL, "measured_s", measured_s),
    {.name = "predictions",
     .kind = BE_FIELD_OWNED,
     .at = offsetof(struct be_predict_rows, row),
     .of = &be_fields_prediction,
     .record = sizeof(struct be_predict_row),
     .length_at = offsetof(struct be_predict_rows, rows)},
};
const struct be_fields be_fields_predictions = FIELDS(whole);
