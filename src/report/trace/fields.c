/* The fields of a trace. */
#include "base/error.h"
#include "report/common/field_rows.h"
#include "report/trace/report.h"

static const struct be_field trace[] = {
    FIELD(be_trace, TEXT, date),      FIELD(be_trace, TEXT, host),
    FIELD(be_trace, NOTE, cpu),       FIELD(be_trace, NOTE, command),
    FIELD(be_trace, NOTE, job),       FIELD(be_trace, INT, pid),
    NEED_WORD(be_trace, end, end),    FIELD(be_trace, INT, code),
    FIELD(be_trace, NOTE, note),      FIELD(be_trace, REAL, elapsed_s),
    FIELD(be_trace, REAL, stopped_s), FIELD(be_trace, REAL, interval_s),
    FIELD(be_trace, REAL, own_cpu_s), FIELD(be_trace, REAL, own_peak_bytes),
    FIELD(be_trace, REAL, samples),   FIELD(be_trace, INT, merges),
};

static const struct be_field limits[] = {
    FIELD(be_trace_limits, GIVEN, cpus),
    FIELD(be_trace_limits, NOTE, cpus_by),
    FIELD(be_trace_limits, GIVEN, cpus_machine),
    FIELD(be_trace_limits, REAL, cpus_quota),
    FIELD(be_trace_limits, REAL, memory_bytes),
    FIELD(be_trace_limits, NOTE, memory_by),
    FIELD(be_trace_limits, REAL, memory_machine_bytes),
    FIELD(be_trace_limits, TRUTH, asked),
    FIELD(be_trace_limits, GIVEN, tasks),
    FIELD(be_trace_limits, GIVEN, tasks_here),
};

static const struct be_field totals[] = {
    FIELD(be_trace_totals, REAL, user_s),
    FIELD(be_trace_totals, REAL, system_s),
    FIELD(be_trace_totals, REAL, peak_process_bytes),
    FIELD(be_trace_totals, REAL, peak_group_bytes),
    FIELD(be_trace_totals, REAL, read_bytes),
    FIELD(be_trace_totals, REAL, written_bytes),
    FIELD(be_trace_totals, REAL, major_faults),
    FIELD(be_trace_totals, REAL, minor_faults),
    FIELD(be_trace_totals, REAL, switches),
    FIELD(be_trace_totals, REAL, preempted),
    FIELD(be_trace_totals, REAL, orphans),
    FIELD(be_trace_totals, REAL, left),
};

static const struct be_field gpu[] = {
    NEED(be_trace_gpu, TEXT, id),
    FIELD(be_trace_gpu, TEXT, name),
    FIELD(be_trace_gpu, NOTE, uuid),
    FIELD(be_trace_gpu, NOTE, note),
    FIELD(be_trace_gpu, REAL, memory_bytes),
    FIELD(be_trace_gpu, REAL, bus_bytes_s),
    FIELD(be_trace_gpu, REAL, power_limit_w),
    FIELD(be_trace_gpu, REAL, fp64_ratio),
    FIELD(be_trace_gpu, TRUTH, slice),
};

static const struct be_field process[] = {
    FIELD(be_trace_process, INT, pid),    FIELD(be_trace_process, REAL, start_s),
    FIELD(be_trace_process, TEXT, name),  FIELD(be_trace_process, TRUTH, main),
    FIELD(be_trace_process, REAL, cpu_s), FIELD(be_trace_process, REAL, peak_bytes),
};

static const struct be_field thread[] = {
    FIELD(be_trace_thread, INT, pid),
    FIELD(be_trace_thread, INT, tid),
    FIELD(be_trace_thread, TEXT, name),
    FIELD(be_trace_thread, REAL, cpu_s),
};

static const struct be_field source[] = {
    NEED(be_trace_source, TEXT, name),     FIELD(be_trace_source, TRUTH, gpu),
    FIELD(be_trace_source, NOTE, detail),  FIELD(be_trace_source, NOTE, absent),
    FIELD(be_trace_source, REAL, sampled), FIELD(be_trace_source, REAL, missed),
    FIELD(be_trace_source, REAL, cost_s),
};

static const struct be_field series[] = {
    NEED(be_series_row, TEXT, signal),      FIELD(be_series_row, TEXT, unit),
    FIELD(be_series_row, TEXT, scope),      FIELD(be_series_row, INT, of),
    NEED(be_series_row, TEXT, source),      FIELD(be_series_row, REAL, mean),
    FIELD(be_series_row, REAL, least),      FIELD(be_series_row, REAL, most),
    FIELD(be_series_row, REAL, measured_s), FIELD(be_series_row, REAL, cover),
    FIELD(be_series_row, INT, first),
};

static const struct be_field absent[] = {
    NEED(be_absent_row, TEXT, signal),
    FIELD(be_absent_row, TEXT, source),
    FIELD(be_absent_row, TEXT, reason),
};

static const struct be_field finding[] = {
    FIELD(be_run_finding, INT, number),        NEED(be_run_finding, TEXT, name),
    NEED_WORD(be_run_finding, weight, weight), FIELD(be_run_finding, TEXT, evidence),
    FIELD(be_run_finding, INT, gpu),           FIELD(be_run_finding, REAL, cost_s),
    FIELD(be_run_finding, NOTE, advice),
};

const struct be_fields be_fields_trace = FIELDS(trace);
const struct be_fields be_fields_trace_limits = FIELDS(limits);
const struct be_fields be_fields_trace_totals = FIELDS(totals);
const struct be_fields be_fields_trace_gpu = FIELDS(gpu);
const struct be_fields be_fields_trace_process = FIELDS(process);
const struct be_fields be_fields_trace_thread = FIELDS(thread);
const struct be_fields be_fields_trace_source = FIELDS(source);
const struct be_fields be_fields_series = FIELDS(series);
const struct be_fields be_fields_absent = FIELDS(absent);
const struct be_fields be_fields_run_finding = FIELDS(finding);
