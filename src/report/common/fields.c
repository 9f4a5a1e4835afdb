#include "report/common/fields.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "report/common/field_rows.h"
#include "report/profile/diff.h"

static const struct be_field machine[] = {
    FIELD(be_machine, TEXT, host),         FIELD(be_machine, TEXT, cpu),
    FIELD(be_machine, INT, cores),         FIELD(be_machine, INT, cores_allowed),
    FIELD(be_machine, TEXT, allowed_by),   FIELD(be_machine, INT, numa_nodes),
    FIELD(be_machine, REAL, memory_bytes), FIELD(be_machine, REAL, cache_bytes),
};

static const struct be_field device[] = {
    NEED(be_device_info, TEXT, id),           FIELD(be_device_info, TEXT, backend),
    FIELD(be_device_info, TEXT, name),        FIELD(be_device_info, TEXT, driver),
    FIELD(be_device_info, NOTE, address),     FIELD(be_device_info, NOTE, same_as),
    NEED_WORD(be_device_info, kind, kind),    FIELD(be_device_info, INT, index),
    FIELD(be_device_info, GIVEN, units),      FIELD(be_device_info, REAL, memory_bytes),
    FIELD(be_device_info, REAL, cache_bytes), FIELD(be_device_info, REAL, clock_hz),
    FIELD(be_device_info, REAL, start_s),
};

static const struct be_field absence[] = {
    FIELD(be_absence, TEXT, backend),
    FIELD(be_absence, TEXT, reason),
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

static const struct be_field summary[] = {
    FIELD(be_summary, INT, n),      FIELD(be_summary, INT, outliers),
    WORD(be_summary, stop, stop),   FIELD(be_summary, REAL, median_s),
    FIELD(be_summary, REAL, lo_s),  FIELD(be_summary, REAL, hi_s),
    FIELD(be_summary, REAL, mad_s), FIELD(be_summary, REAL, min_s),
    FIELD(be_summary, REAL, max_s),
};

static const struct be_field result[] = {
    NEED(be_result, TEXT, workload),
    FIELD(be_result, TEXT, title),
    FIELD(be_result, TEXT, variant),
    FIELD(be_result, TRUTH, as_written),
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
};

static const struct be_field breakeven[] = {
    NEED(be_breakeven, TEXT, workload),
    FIELD(be_breakeven, TEXT, dtype),
    FIELD(be_breakeven, TRUTH, as_written),
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

static const struct be_field profile[] = {
    FIELD(be_profile, TEXT, name),
    FIELD(be_profile, TEXT, provenance),
    NEED_WORD(be_profile, source, source),
};

static const struct be_field figure[] = {
    NEED(be_figure, TEXT, device),    NEED(be_figure, TEXT, what),
    FIELD(be_figure, NOTE, dtype),    FIELD(be_figure, GIVEN, threads),
    FIELD(be_figure, REAL, bytes),    FIELD(be_figure, NOTE, peer),
    NEED_WORD(be_figure, unit, unit), NEED_WORD(be_figure, source, source),
    NEED(be_figure, REAL, value),     FIELD(be_figure, REAL, median),
    FIELD(be_figure, REAL, lo),       FIELD(be_figure, REAL, hi),
    FIELD(be_figure, INT, n),         FIELD(be_figure, REAL, achievable),
    FIELD(be_figure, NOTE, date),     FIELD(be_figure, NOTE, method),
    FIELD(be_figure, NOTE, note),
};

static const struct be_field fit[] = {
    NEED(be_fit, TEXT, device),    NEED(be_fit, TEXT, what),         FIELD(be_fit, NOTE, peer),
    NEED(be_fit, REAL, latency_s), NEED(be_fit, REAL, rate),         FIELD(be_fit, REAL, smallest),
    FIELD(be_fit, REAL, largest),  FIELD(be_fit, REAL, typical_off), FIELD(be_fit, REAL, worst_off),
    FIELD(be_fit, INT, points),
};

static const struct be_field fact[] = {
    FIELD(be_fact, NOTE, device),
    NEED(be_fact, TEXT, name),
    FIELD(be_fact, NOTE, text),
    FIELD(be_fact, REAL, number),
};

static const struct be_field finding[] = {
    FIELD(be_finding, NOTE, device),
    NEED(be_finding, TEXT, name),
    FIELD(be_finding, TEXT, evidence),
    FIELD(be_finding, TEXT, advice),
};

static const struct be_field diff[] = {
    FIELD(be_diff_row, TEXT, device),    FIELD(be_diff_row, TEXT, device_b),
    FIELD(be_diff_row, TEXT, what),      FIELD(be_diff_row, NOTE, dtype),
    FIELD(be_diff_row, GIVEN, threads),  FIELD(be_diff_row, GIVEN, threads_b),
    FIELD(be_diff_row, REAL, bytes),     FIELD(be_diff_row, REAL, bytes_b),
    FIELD(be_diff_row, NOTE, peer),      WORD(be_diff_row, unit, unit),
    FIELD(be_diff_row, REAL, a),         FIELD(be_diff_row, REAL, b),
    FIELD(be_diff_row, REAL, ratio),     WORD(be_diff_row, verdict, verdict),
    WORD(be_diff_row, source_a, source), WORD(be_diff_row, source_b, source),
};

static const struct be_field diff_fact[] = {
    FIELD(be_diff_fact, NOTE, device),
    FIELD(be_diff_fact, TEXT, name),
    FIELD(be_diff_fact, NOTE, a),
    FIELD(be_diff_fact, NOTE, b),
};

const struct be_fields be_fields_machine = FIELDS(machine);
const struct be_fields be_fields_device = FIELDS(device);
const struct be_fields be_fields_absence = FIELDS(absence);
const struct be_fields be_fields_environment = FIELDS(environment);
const struct be_fields be_fields_summary = FIELDS(summary);
const struct be_fields be_fields_result = FIELDS(result);
const struct be_fields be_fields_breakeven = FIELDS(breakeven);
const struct be_fields be_fields_profile = FIELDS(profile);
const struct be_fields be_fields_figure = FIELDS(figure);
const struct be_fields be_fields_fit = FIELDS(fit);
const struct be_fields be_fields_fact = FIELDS(fact);
const struct be_fields be_fields_finding = FIELDS(finding);
const struct be_fields be_fields_diff = FIELDS(diff);
const struct be_fields be_fields_diff_fact = FIELDS(diff_fact);

static void print_text(const struct be_field *field, const void *place, struct be_text *out) {
    (void)field;
    be_text_add_utf8(out, place);
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
    [BE_FIELD_TEXT] = print_text, [BE_FIELD_NOTE] = print_text,   [BE_FIELD_REAL] = print_real,
    [BE_FIELD_INT] = print_int,   [BE_FIELD_GIVEN] = print_int,   [BE_FIELD_WHOLE] = print_whole,
    [BE_FIELD_WORD] = print_word, [BE_FIELD_TRUTH] = print_truth,
};

void be_field_print(const struct be_field *field, const void *record, struct be_text *out) {
    print[field->kind](field, (const char *)record + field->at, out);
}
