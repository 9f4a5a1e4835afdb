#include "observe/usage.h"

#include <math.h>

double be_trace_memory_used(const struct be_trace *trace, const char **how) {
    double divided = be_trace_most(trace, BE_MEMORY_PSS, 0);
    double sum = be_trace_most(trace, BE_MEMORY, 0);
    double process = trace->total.peak_process_bytes;
    bool several = be_trace_most(trace, BE_PROCESSES, 0) > 1.5;
    *how = "";
    if (several && !isnan(divided)) {
        return fmax(divided, process);
    }
    *how = several ? "shared pages counted for each process" : "";
    return fmax(sum, process);
}
