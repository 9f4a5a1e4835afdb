/* Cores that idle while threads wait: threads that may not use them, or that wait for each other. */
#include <math.h>
#include <stdio.h>

#include "observe/rules/words.h"
#include "observe/usage.h"

/* ---- 28 ---------------------------------------------------------------------------------------- */

/* Which CPUs a part of the machine is made of is not known: only for the whole of it can they be named. */
static void advise_unbinding(const struct be_trace *trace, struct be_run_finding *finding) {
    char live[BE_NAME] = "";
    if (trace->limits.cpus == trace->limits.cpus_machine) {
        snprintf(live, sizeof live, ", and taskset -acp 0-%d PID ends it while it runs",
                 trace->limits.cpus_machine - 1);
    }
    be_found_advice(finding,
                    "let them use all: start it without what binds it (taskset, numactl, a "
                    "launcher's or a thread library's binding); taskset -acp PID shows it%s",
                    live);
}

/* Where others are at work on the cores that it may not use, they are not idle, and yet not shared with it. */
bool be_check_cores_bound(const struct be_trace *trace, struct be_run_finding *finding) {
    const int bound = be_look_reach(trace), cpus = trace->limits.cpus;
    const double wait = be_trace_mean(trace, BE_RUN_WAIT, 0);
    const double runnable = be_trace_mean(trace, BE_RUNNABLE, 0);
    const double got = be_look_got(trace);
    const double idle = be_look_left_idle(trace) * be_trace_cores_had(trace);
    char rest[BE_NAME] = "others were at work on the rest";
    if (!(bound < cpus) || !(wait >= be_t(BE_T_RUN_WAIT)) || !(runnable > 1.1 * bound)) {
        return false;
    }
    const bool free_ones = idle >= be_t(BE_T_OTHERS);
    const double usable = fmin(fmin(runnable, cpus), got + idle);
    be_found(finding, free_ones ? BE_WEIGHT_COST : BE_WEIGHT_NOTE,
             free_ones ? be_look_running(trace) * (1 - got / usable) : NAN);
    if (free_ones) {
        snprintf(rest, sizeof rest, "%.2g idled", idle);
    }
    be_found_evidence(finding,
                      "its threads are bound to %d of %d cores: %.3g wanted to run at a time, and "
                      "waited for a core %.0f %% of that time, while %s.",
                      bound, cpus, runnable, 100 * wait, rest);
    advise_unbinding(trace, finding);
    return true;
}

/* ---- 33 ---------------------------------------------------------------------------------------- */

/* Where no whole core is free, threads of a team that meet at a barrier look alike: they are ready, but others run. */
static bool others_in_the_way(const struct be_trace *trace) {
    const double node = be_trace_mean(trace, BE_NODE_CPU, 0);
    return node - be_trace_mean(trace, BE_CPU_BUSY, 0) >= be_t(BE_T_OTHERS) &&
           trace->limits.cpus_machine - node < 1;
}

static void say_lock(const struct be_trace *trace, struct be_run_finding *finding, double kernel,
                     bool idles) {
    const double locked = be_trace_mean(trace, BE_LOCK_WAIT, 0);
    char lost[BE_NAME];
    if (idles) {
        snprintf(lost, sizeof lost, "%.2g of %.3g cores had work", be_look_got(trace),
                 be_trace_cores_had(trace));
    } else {
        snprintf(lost, sizeof lost, "%.0f %% of the CPU time went to the kernel", 100 * kernel);
    }
    const bool meets = be_look_meets(trace);
    be_found_evidence(finding,
                      "its threads %s: %.0f %% of those that slept between work waited for %s, "
                      "%.3g were ready to run, and %s.",
                      meets ? "meet too often, at the ends of parallel loops"
                            : "wait for each other under a lock",
                      100 * locked, meets ? "the others" : "one",
                      be_trace_mean(trace, BE_RUNNABLE, 0), lost);
}

bool be_check_one_lock(const struct be_trace *trace, struct be_run_finding *finding) {
    const double idle = be_look_left_idle(trace);
    const double kernel = be_look_fought(trace);
    const bool idles = idle >= be_t(BE_T_LOCK_IDLE);
    char words[BE_NOTE];
    if (!be_look_hands_on(trace) || !(idles || kernel > 0) ||
        (others_in_the_way(trace) && !be_look_fights(trace))) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, be_look_running(trace) * (idles ? idle : kernel));
    say_lock(trace, finding, kernel, idles);
    be_found_advice(finding, "%s",
                    be_look_meets(trace) ? be_words(trace, BE_SAY_MEET, 0, words)
                    : be_look_uses(trace, BE_LIB_PYTHON)
                        ? be_words(trace, BE_SAY_TURNS, trace->limits.cpus, words)
                        : "do less under the lock, or have one for each part of the data; a sum of "
                          "each thread's own, joined at the end, needs none");
    return true;
}
