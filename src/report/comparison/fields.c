#include "report/comparison/fields.h"

#include <math.h>

#include "breakeven.h"
#include "report/common/field_rows.h"

/* `in`: where the summary lies in `type`. */
#define SUMMARY(type, in)                                                                          \
    {.name = "n", .kind = BE_FIELD_INT, PLACE(type, in n)},                                        \
        {.name = "outliers", .kind = BE_FIELD_INT, PLACE(type, in outliers)},                      \
        {.name = "stop", .kind = BE_FIELD_WORD, PLACE(type, in stop), .names = &be_names_stop},    \
        {.name = "median_s", .kind = BE_FIELD_REAL, PLACE(type, in median_s)},                     \
        {.name = "lo_s", .kind = BE_FIELD_REAL, PLACE(type, in lo_s)},                             \
        {.name = "hi_s", .kind = BE_FIELD_REAL, PLACE(type, in hi_s)},                             \
        {.name = "mad_s", .kind = BE_FIELD_REAL, PLACE(type, in mad_s)},                           \
        {.name = "min_s", .kind = BE_FIELD_REAL, PLACE(type, in min_s)}, {                         \
        .name = "max_s", .kind = BE_FIELD_REAL, PLACE(type, in max_s)                              \
    }

static const struct be_field summary[] = {SUMMARY(be_summary, )};
const struct be_fields be_fields_summary = FIELDS(summary);

static const struct be_field pass[] = {SUMMARY(be_pass, time.), NEED(be_pass, TEXT, name)};
static const struct be_fields passes = FIELDS(pass);

/* A phase that a case does not have is null. */
#define PHASE(called, which)                                                                       \
    {                                                                                              \
        .name = called, .kind = BE_FIELD_PART, PLACE(be_result, phase[which]),                     \
        .of = &be_fields_summary, .may_be_null = true                                              \
    }
static const struct be_field phase[] = {
    PHASE("first", BE_FIRST), PHASE("in", BE_IN),       PHASE("work", BE_WORK),
    PHASE("out", BE_OUT),     PHASE("total", BE_TOTAL),
};
static const struct be_fields phases = FIELDS(phase);

static const struct be_field result[] = {
    NEED(be_result, TEXT, workload),
    FIELD(be_result, TEXT, title),
    FIELD(be_result, TEXT, variant),
    FIELD(be_result, TRUTH, as_written),
    WORD(be_result, code, code),
    FIELD(be_result, TEXT, dtype),
    FIELD(be_result, NOTE, parameters),
    NEED(be_result, WHOLE, size),
    FIELD(be_result, TEXT, size_name),
    NEED(be_result, TEXT, device),
    FIELD(be_result, GIVEN, threads),
    NEED_WORD(be_result, placement, placement),
    WORD(be_result, cache, cache),
    NEED_WORD(be_result, status, status),
    FIELD(be_result, NOTE, note),
    FIELD(be_result, REAL, residual),
    FIELD(be_result, REAL, tolerance),
    FIELD(be_result, REAL, bytes),
    FIELD(be_result, REAL, operations),
    FIELD(be_result, REAL, limit_s),
    WORD(be_result, limit_by, limit),
    FIELD(be_result, REAL, times_limit),
    FIELD(be_result, REAL, clock_hz),
    FIELD(be_result, INT, slow_clock),
    FIELD(be_result, WHOLE, throttle),
    FIELD(be_result, REAL, temperature_c),
    FIELD(be_result, REAL, joules),
    FIELD(be_result, REAL, joules_lo),
    FIELD(be_result, REAL, joules_hi),
    FIELD(be_result, REAL, host_joules),
    FIELD(be_result, REAL, energy_s),
    FIELD(be_result, NOTE, energy_source),
    FIELD(be_result, NOTE, energy_note),
    FIELD(be_result, INT, refines),
    /* The last four are no columns of CSV. */
    {.name = "like", .kind = BE_FIELD_NOTE, PLACE(be_result, like), .unless_empty = true},
    {.name = "library", .kind = BE_FIELD_NOTE, PLACE(be_result, library), .unless_empty = true},
    {.name = "phases", .kind = BE_FIELD_PART, .of = &phases},
    {.name = "passes",
     .kind = BE_FIELD_FIXED,
     PLACE(be_result, pass),
     .of = &passes,
     .record = sizeof(struct be_pass),
     .max = BE_PASSES_MAX,
     .length_at = offsetof(struct be_result, passes),
     .unless_empty = true},
};

/* Completes what older files do not say. */
static enum be_status complete_result(struct be_json_reader *reader, const struct cJSON *object,
                                      void *record) {
    (void)reader;
    (void)object;
    struct be_result *of = record;
    if (!of->size_name[0]) {
        be_copy_text(of->size_name, sizeof of->size_name, "size");
    }
    if (of->phase[BE_TOTAL].n > 0 && of->limit_s > 0 && isnan(of->times_limit)) {
        of->times_limit = of->phase[BE_TOTAL].median_s / of->limit_s;
    }
    return BE_OK;
}

const struct be_fields be_fields_result = FIELDS_CHECKED(result, complete_result);
const struct be_fields be_fields_result_row = {.field = result, .count = BE_COUNT(result) - 4};

static const struct be_field breakeven[] = {
    NEED(be_breakeven, TEXT, workload),
    FIELD(be_breakeven, TEXT, dtype),
    FIELD(be_breakeven, TRUTH, as_written),
    FIELD(be_breakeven, TRUTH, callable),
    NEED_WORD(be_breakeven, placement, placement),
    WORD(be_breakeven, cache, cache),
    NEED(be_breakeven, TEXT, device),
    FIELD(be_breakeven, TEXT, against),
    FIELD(be_breakeven, GIVEN, threads),
    NEED_WORD(be_breakeven, status, breakeven),
    FIELD(be_breakeven, REAL, from),
    FIELD(be_breakeven, REAL, lo),
    FIELD(be_breakeven, REAL, hi),
    FIELD(be_breakeven, REAL, until),
    FIELD(be_breakeven, REAL, until_lo),
    FIELD(be_breakeven, REAL, until_hi),
    FIELD(be_breakeven, REAL, smallest),
    FIELD(be_breakeven, REAL, largest),
    WORD(be_breakeven, repaid, repaid),
    FIELD(be_breakeven, REAL, calls_to_repay_copy),
    FIELD(be_breakeven, REAL, calls_to_repay_copy_lo),
    FIELD(be_breakeven, REAL, calls_to_repay_copy_hi),
    FIELD(be_breakeven, REAL, calls_to_repay_first),
    FIELD(be_breakeven, REAL, calls_to_repay_first_lo),
    FIELD(be_breakeven, REAL, calls_to_repay_first_hi),
    FIELD(be_breakeven, NOTE, why),
};

/* Older files do not say the type: there was no other. */
static enum be_status complete_breakeven(struct be_json_reader *reader, const struct cJSON *object,
                                         void *record) {
    (void)reader;
    (void)object;
    struct be_breakeven *even = record;
    if (!even->dtype[0]) {
        be_copy_text(even->dtype, sizeof even->dtype, "float32");
    }
    return BE_OK;
}

static const struct be_fields breakevens = FIELDS_CHECKED(breakeven, complete_breakeven);

static const struct be_field comparison[] = {
    NEED_PART(be_comparison, machine, be_fields_machine),
    PART(be_comparison, environment, be_fields_environment),
    FIELD(be_comparison, FLAG, partial),
    FIELD(be_comparison, FLAG, quick),
    NEED_OWNED(be_comparison, result, results, &be_fields_result),
    OWNED(be_comparison, breakeven, breakevens, &breakevens),
    OWNED(be_comparison, remark, remarks, NULL),
};
const struct be_fields be_fields_comparison = FIELDS(comparison);
