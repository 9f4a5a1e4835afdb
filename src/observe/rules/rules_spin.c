/* Threads that wait for each other in a loop, at a full core. */
#include <math.h>

#include "base/text.h"
#include "observe/rules/words.h"

/* Waiting in a loop of the program's own is told from work by nothing that is in reach: it is not found. */

/* Threads whose cores others took are waited for, too: that is no fault of the loop. */
static bool in_libraries(const struct be_trace *trace, double waiting) {
    return waiting >= be_t(BE_T_SPINS) && be_trace_mean(trace, BE_THREADS, 0) > 1.5 &&
           !(be_trace_mean(trace, BE_RUN_WAIT, 0) >= be_t(BE_T_RUN_WAIT));
}

static void found_libraries(const struct be_trace *trace, double waiting,
                            struct be_run_finding *finding) {
    const bool mpi = be_look_uses(trace, BE_LIB_MPI);
    char words[BE_NOTE];
    be_found(finding, BE_WEIGHT_COST, be_look_running(trace) * waiting);
    be_found_evidence(finding,
                      "its threads wait for each other at a full core: %.0f %% of the CPU time was "
                      "in the code of %s, which waits in a loop for the %s.",
                      100 * waiting, mpi ? "MPI" : "OpenMP",
                      mpi ? "messages of other ranks" : "slowest thread of a parallel loop");
    be_found_advice(finding, "%s", be_words(trace, BE_SAY_BARRIERS, trace->limits.cpus, words));
}

static void found_yields(double yields_a_s, struct be_run_finding *finding) {
    char times[BE_WORD];
    be_found(finding, BE_WEIGHT_COST, NAN);
    be_found_evidence(finding,
                      "its threads wait in a loop and give their core away in it (sched_yield) %s "
                      "times in a second of CPU time, instead of sleeping until they are woken.",
                      be_format_count(times, sizeof times, round(yields_a_s), ""));
    be_found_advice(finding, "a condition variable, a semaphore or a blocking queue instead of the "
                             "loop; else no more threads than cores");
}

bool be_check_spinning(const struct be_trace *trace, struct be_run_finding *finding) {
    const double cpu_s = trace->total.user_s + trace->total.system_s;
    const double waiting = be_trace_mean(trace, BE_WAITING_CODE, 0) *
                           (1 - be_look_in_kernel(trace)); /* looked for outside of the kernel */
    /* A thread that is woken may take a core at once, too; it had slept before. */
    const double yields_a_s = (trace->total.preempted - trace->total.switches) / cpu_s;
    if (!(be_look_got(trace) >= be_t(BE_T_WORKS)) || be_look_gpus_used(trace) > 0) {
        return false;
    }
    if (in_libraries(trace, waiting)) {
        found_libraries(trace, waiting, finding);
        return true;
    }
    if (yields_a_s >= be_t(BE_T_YIELDS)) {
        found_yields(yields_a_s, finding);
        return true;
    }
    return false;
}
