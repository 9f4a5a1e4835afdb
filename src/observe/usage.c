#include "observe/usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first tick from `tick` on in which shared pages were divided, or trace->ticks. */
static int divided_from(const struct be_trace *trace, const struct be_signal_series *divided,
                        int tick) {
    while (tick < trace->ticks && isnan(divided->value[tick])) {
        tick++;
    }
    return tick;
}

/* The one of two ticks, which may not be there, in which the sum was more like that of `tick`. */
static int nearer(const struct be_trace *trace, const struct be_signal_series *sum, int tick,
                  int before, int after) {
    if (before < 0 || after >= trace->ticks) {
        return before >= 0 ? before : after < trace->ticks ? after : -1;
    }
    float to_before = fabsf(sum->value[before] - sum->value[tick]);
    return fabsf(sum->value[after] - sum->value[tick]) < to_before ? after : before;
}

/* Shared memory is divided every 5 s at most, and a run may need most in between. Then what was counted twice, when the
 * sum was most like it, is taken off. Growth since then counts in full: too much asked for is better than killed. */
static double max_between(const struct be_trace *trace) {
    const struct be_signal_series *divided = be_trace_series(trace, BE_MEMORY_PSS, 0);
    const struct be_signal_series *sum = be_trace_series(trace, BE_MEMORY, 0);
    int before = -1, after = -1;
    double max = NAN;
    for (int i = 0; divided && sum && i < trace->ticks; i++) {
        before = after == i - 1 ? after : before;
        after = after < i ? divided_from(trace, divided, i) : after;
        int like = nearer(trace, sum, i, before, after);
        if (like >= 0 && !isnan(sum->value[i]) && !isnan(sum->value[like])) {
            double twice = fmax((double)sum->value[like] - (double)divided->value[like], 0);
            max = fmax(max, (double)sum->value[i] - twice);
        }
    }
    return max;
}

/* Were there several processes when their sum was largest? */
static bool several_at_max(const struct be_trace *trace) {
    const struct be_signal_series *sum = be_trace_series(trace, BE_MEMORY, 0);
    int max = -1;
    for (int i = 0; sum && i < trace->ticks; i++) {
        if (!isnan(sum->value[i]) && (max < 0 || sum->value[i] > sum->value[max])) {
            max = i;
        }
    }
    return max >= 0 && !(be_trace_at(trace, BE_PROCESSES, 0, max) < 1.5);
}

double be_trace_memory_used(const struct be_trace *trace, const char **how) {
    double divided = be_trace_max(trace, BE_MEMORY_PSS, 0);
    double sum = be_trace_max(trace, BE_MEMORY, 0);
    double process = trace->total.peak_process_bytes;
    bool several = be_trace_max(trace, BE_PROCESSES, 0) > 1.5;
    *how = "";
    if (several && !isnan(divided)) {
        return fmax(fmax(divided, process), max_between(trace));
    }
    *how = several && several_at_max(trace) ? "shared pages counted for each process" : "";
    return fmax(sum, process);
}

/* Others of the job that are on the node and not among its descendants: it is one of several tasks, or lets
 * srun start them. */
static bool others_beside(const struct be_trace *trace) {
    bool beside = trace->limits.tasks_here > 1;
    for (int i = 0; i < trace->processes; i++) {
        beside |= strcmp(trace->process[i].name, "srun") == 0;
    }
    return beside;
}

/* Files in memory (/dev/shm, a tmpfs) count too, and no process has them resident: only the control group
 * knows. Where there is none, the batch system counts processes itself. */
double be_trace_memory_of_job(const struct be_trace *trace) {
    const char *how;
    double own = be_trace_memory_used(trace, &how);
    double job = be_trace_max(trace, BE_JOB_MEMORY, 0);
    if (isnan(job) && others_beside(trace)) {
        return NAN;
    }
    if (isnan(job) && trace->limits.asked && strcmp(trace->limits.memory_by, "cgroup") == 0) {
        job = be_trace_max(trace, BE_GROUP_MEMORY, 0); /* it is what the limit is of */
    }
    return fmax(own, job); /* of NAN: the other */
}

/* A quota of 1.1 cores lets two threads run, for a part of the time: two cores are not what the program has. */
double be_trace_cores_had(const struct be_trace *trace) {
    const double quota = trace->limits.cpus_quota, cpus = trace->limits.cpus;
    return cpus > 0 && quota > 0 ? fmin(quota, cpus) : cpus;
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
