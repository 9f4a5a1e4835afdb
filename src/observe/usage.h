/*
 * How much memory a run took, and how many cores: of the several figures that a trace has, the one
 * that is meant.
 */
#ifndef BE_OBSERVE_USAGE_H
#define BE_OBSERVE_USAGE_H

#include "observe/trace.h"

/* Memory of the program at most, bytes, and how that is known ("shared pages counted for each
 * process"; empty: plainly). NAN: not known. */
double be_trace_memory_used(const struct be_trace *trace, const char **how);
/* The maximum of the bytes that counted against the memory that was asked for on its node. NAN: not known: others of
 * the job may have taken some. */
double be_trace_memory_of_job(const struct be_trace *trace);
/* Cores' worth of time that it may use: a quota that is no whole number counts as what it is. 0: not known. */
double be_trace_cores_had(const struct be_trace *trace);
/* Cores that it took no more than for that share of the time (0.95: nearly always); of a run too
 * short to be sampled the mean. NAN: not known. */
double be_trace_cores_used(const struct be_trace *trace, double share);

#endif
