/*
 * How much memory a run took: of the several figures that a trace has, the one that is meant.
 */
#ifndef BE_OBSERVE_USAGE_H
#define BE_OBSERVE_USAGE_H

#include "observe/trace.h"

/* Memory of the program at most, bytes, and how that is known ("shared pages counted for each
 * process"; empty: plainly). NAN: not known. */
double be_trace_memory_used(const struct be_trace *trace, const char **how);

#endif
