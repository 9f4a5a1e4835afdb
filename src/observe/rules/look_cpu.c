/* The CPU figures of a run. */
#include <math.h>
#include <string.h>

#include "observe/rules/look.h"
#include "observe/usage.h"

bool be_look_spread(const struct be_trace *trace) {
    return strpbrk(trace->host, "[,") != NULL;
}

double be_look_running(const struct be_trace *trace) {
    double stopped_s = trace->stopped_s > 0 ? trace->stopped_s : 0;
    return fmax(trace->elapsed_s - stopped_s, 0);
}

/* At most 1: the command may have been stopped while children of it went on. */
double be_look_efficiency(const struct be_trace *trace) {
    double cpu_s = trace->total.user_s + trace->total.system_s;
    double core_s = be_look_running(trace) * be_trace_cores_had(trace);
    return core_s > 0 && !isnan(cpu_s) ? fmin(cpu_s / core_s, 1) : NAN;
}

double be_look_got(const struct be_trace *trace) {
    return be_look_efficiency(trace) * be_trace_cores_had(trace);
}

/* Waiting also stretches what would have been a rest: it wanted no more cores than threads were seen
 * wanting one. */
double be_look_wanted(const struct be_trace *trace) {
    double wait = be_trace_mean(trace, BE_RUN_WAIT, 0);
    double got = be_look_got(trace);
    double wanted = wait > 0 ? got / fmax(1 - wait, 0.001) : got;
    double runnable =
        be_trace_mean(trace, BE_RUNNABLE, 0) * trace->elapsed_s / be_look_running(trace);
    return isnan(got) ? NAN : fmax(got, fmin(wanted, runnable));
}

/* Less than one thread at a time wanted a core: while it waited for one nothing else went on, and the rest of the time
 * is what the work would have taken. With several threads the others work meanwhile. */
double be_look_demand(const struct be_trace *trace) {
    double got = be_look_got(trace), wanted = be_look_wanted(trace);
    return wanted < 1 ? got / (1 - (wanted - got)) : wanted;
}

double be_look_kept_waiting(const struct be_trace *trace) {
    double demand = fmin(be_look_demand(trace), be_trace_cores_had(trace));
    return demand > 0 ? fmax(1 - be_look_got(trace) / demand, 0) : NAN;
}

double be_look_left_idle(const struct be_trace *trace) {
    double cores = be_trace_cores_had(trace), idle = 1 - be_look_efficiency(trace);
    double machine = trace->limits.cpus_machine - be_trace_mean(trace, BE_NODE_CPU, 0);
    return isnan(machine) || !(trace->limits.cpus_machine > 0)
               ? idle
               : fmin(idle, fmax(machine, 0) / cores);
}

double be_look_taken(const struct be_trace *trace) {
    double machine = be_trace_mean(trace, BE_NODE_CPU, 0);
    double others = machine - be_trace_mean(trace, BE_CPU_BUSY, 0);
    return machine >= be_t(BE_T_MACHINE_FULL) * trace->limits.cpus_machine &&
                   others >= be_t(BE_T_OTHERS)
               ? others
               : 0;
}

/* The last value is of all that were seen until then. */
int be_look_reach(const struct be_trace *trace) {
    double allowed = NAN;
    for (int i = trace->ticks - 1; i >= 0 && isnan(allowed); i--) {
        allowed = be_trace_at(trace, BE_CORES_ALLOWED, 0, i);
    }
    return allowed >= 1 && allowed < trace->limits.cpus ? (int)allowed : trace->limits.cpus;
}

/* Share of its CPU time; NAN: not known. */
double be_look_in_kernel(const struct be_trace *trace) {
    double all_s = trace->total.user_s + trace->total.system_s;
    return all_s > 0 ? trace->total.system_s / all_s : NAN;
}

double be_look_fought(const struct be_trace *trace) {
    const double got = be_look_got(trace);
    const double kernel = be_look_in_kernel(trace);
    const double faults = be_trace_mean(trace, BE_MINOR_FAULTS, 0);
    return kernel >= be_t(BE_T_KERNEL) && !(faults >= be_t(BE_T_FAULTS) * got) ? kernel : NAN;
}

bool be_look_hands_on(const struct be_trace *trace) {
    const double got = be_look_got(trace);
    return be_trace_mean(trace, BE_LOCK_WAIT, 0) >= be_t(BE_T_LOCKED) && got >= be_t(BE_T_WORKS) &&
           be_trace_mean(trace, BE_THREADS, 0) > 1.5 &&
           be_trace_mean(trace, BE_RUNNABLE, 0) > 1.1 * got && be_look_gpus_used(trace) == 0;
}

bool be_look_fights(const struct be_trace *trace) {
    return be_look_hands_on(trace) && be_look_fought(trace) > 0 &&
           be_trace_mean(trace, BE_MUTEX_WAIT, 0) >= be_t(BE_T_LOCKED);
}

bool be_look_meets(const struct be_trace *trace) {
    return be_trace_mean(trace, BE_LOCK_WAIT, 0) >= be_t(BE_T_LOCKED) &&
           be_trace_mean(trace, BE_MUTEX_WAIT, 0) < be_t(BE_T_LOCKED) &&
           (be_look_uses(trace, BE_LIB_GOMP) || be_look_uses(trace, BE_LIB_IOMP) ||
            be_look_uses(trace, BE_LIB_OMP));
}
