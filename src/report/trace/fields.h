/*
 * The fields of a trace.
 */
#ifndef BE_REPORT_TRACE_FIELDS_H
#define BE_REPORT_TRACE_FIELDS_H

#include "breakeven.h"
#include "report/common/fields.h"

/* How the end of a tick is written. */
#define BE_TRACE_END_DIGITS "%.12g"

/* A series and an absence as records of JSON. */
struct be_series_row {
    char signal[BE_NAME], unit[BE_NAME], scope[BE_NAME], source[BE_NAME];
    int of;
    int first; /* tick of the first value that is kept: nothing was measured before it */
    double mean, min, max, measured_s, cover;
};
struct be_absent_row {
    char signal[BE_NAME], source[BE_NAME], reason[BE_NOTE];
};

/* A trace as it is read: the whole. As it is written: what stands before its list `absent`; that list,
 * findings, ticks and series are no fields. */
extern const struct be_fields be_fields_trace;
extern const struct be_fields
    be_fields_trace_things; /* what stands behind it: GPUs, processes, threads */
extern const struct be_fields
    be_fields_trace_calls;                      /* of struct be_trace: where calls were asked for */
extern const struct be_fields be_fields_series; /* struct be_series_row */
extern const struct be_fields be_fields_absent; /* struct be_absent_row */
extern const struct be_fields be_fields_run_finding;
extern const struct be_fields be_fields_trace_kinds; /* of struct be_trace: where it was sampled */
extern const struct be_fields be_fields_trace_rates; /* of struct be_trace: where a GPU is */
extern const struct be_fields be_fields_gpu_worth;   /* struct be_gpu_worth; written, never read */

#endif
