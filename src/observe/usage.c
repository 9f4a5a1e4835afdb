#include "observe/usage.h"

#include <math.h>
#include <stdlib.h>

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

struct busy {
    double cores, length_s;
};

static int by_cores(const void *a, const void *b) {
    const struct busy *left = a, *right = b;
    return left->cores < right->cores ? -1 : left->cores > right->cores;
}

double be_trace_cores_used(const struct be_trace *trace, double share) {
    double mean = (trace->total.user_s + trace->total.system_s) / trace->elapsed_s, all_s = 0;
    struct busy *busy = malloc(((size_t)trace->ticks + 1) * sizeof *busy);
    size_t count = 0;
    for (int i = 0; busy && i < trace->ticks; i++) {
        double cores = be_trace_at(trace, BE_CPU_BUSY, 0, i);
        if (!isnan(cores)) {
            busy[count] = (struct busy){cores, be_trace_length(trace, i)};
            all_s += busy[count++].length_s;
        }
    }
    double used = isfinite(mean) ? mean : NAN, sum_s = 0;
    if (count) {
        qsort(busy, count, sizeof *busy, by_cores);
        size_t at = 0;
        while (at + 1 < count && sum_s + busy[at].length_s < share * all_s) {
            sum_s += busy[at++].length_s;
        }
        used = busy[at].cores;
    }
    free(busy);
    return used;
}
