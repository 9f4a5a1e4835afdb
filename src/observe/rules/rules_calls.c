/* Time that goes into system calls: data sent between processes, and calls of other kinds. */
#include <math.h>

#include "base/text.h"
#include "observe/rules/words.h"

/* On CPUs, with something to speed up, and not waiting for storage or a lock: other rules say that. */
static bool calls(const struct be_trace *trace, double share) {
    return be_look_got(trace) >= be_t(BE_T_WORKS) && be_look_gpus_used(trace) == 0 &&
           be_look_in_kernel(trace) >= share &&
           !(be_trace_mean(trace, BE_BLOCKED, 0) >= be_t(BE_T_IO_SOME)) &&
           !(be_trace_mean(trace, BE_LOCK_WAIT, 0) >= be_t(BE_T_LOCKED));
}

static double cost_of_kernel(const struct be_trace *trace) {
    const double cores = be_look_in_kernel(trace) * be_look_got(trace);
    return be_look_running(trace) * fmin(cores / fmax(be_look_got(trace), 1), 1);
}

/* ---- 37 ---------------------------------------------------------------------------------------- */

/* Bytes a second that are written and read by calls, and go to no storage: files in memory count as well, so that both
 * are needed, in several processes. */
static double sent(const struct be_trace *trace) {
    const double written = fmax(be_trace_mean(trace, BE_WRITTEN, 0), 0);
    return fmin(be_trace_mean(trace, BE_WRITE_CALLS, 0) - written,
                be_trace_mean(trace, BE_READ_CALLS, 0));
}

bool be_check_sending(const struct be_trace *trace, struct be_run_finding *finding) {
    const double bytes_s = sent(trace);
    char rate[BE_WORD], words[BE_NOTE];
    if (!calls(trace, be_t(BE_T_KERNEL)) || !(be_trace_mean(trace, BE_PROCESSES, 0) > 1.5) ||
        !(bytes_s >= be_t(BE_T_SENT))) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, cost_of_kernel(trace));
    be_found_evidence(finding,
                      "its processes send %s through pipes or sockets: %.0f %% of the CPU time is "
                      "the kernel's, which copies it and makes room for it.",
                      be_format_rate(rate, sizeof rate, bytes_s, ""),
                      100 * be_look_in_kernel(trace));
    be_found_advice(finding, "%s", be_words(trace, BE_SAY_SHARE, 0, words));
    return true;
}

/* ---- 38 ---------------------------------------------------------------------------------------- */

/* Pages are filled by the kernel, too. Huge ones are counted for the machine: they may be the program's, so that with
 * many of them nothing is said. */
static bool fills_pages(const struct be_trace *trace) {
    static const double pages_in_huge = 512, part = 0.25;
    const double faults = fmax(be_trace_mean(trace, BE_MINOR_FAULTS, 0), 0);
    const double huge = fmax(be_trace_mean(trace, BE_NODE_HUGE_FAULTS, 0), 0);
    return faults + pages_in_huge * fmin(huge, faults) >=
           part * be_t(BE_T_FAULTS) * be_look_got(trace);
}

bool be_check_kernel_calls(const struct be_trace *trace, struct be_run_finding *finding) {
    if (!calls(trace, be_t(BE_T_CALLS)) || fills_pages(trace)) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, cost_of_kernel(trace));
    be_found_evidence(finding,
                      "%.0f %% of its CPU time was spent in the kernel, in system calls: on files, "
                      "sockets, processes and the like.",
                      100 * be_look_in_kernel(trace));
    be_found_advice(finding, "strace -f -c COMMAND says in which calls: fewer and larger ones "
                             "(reads, writes, messages), fewer and larger files");
    return true;
}
