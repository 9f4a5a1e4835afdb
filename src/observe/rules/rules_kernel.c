/* Time that the kernel takes: memory that is too small, pages that are filled again and again, processes and
 * messages that are too small. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "observe/rules/words.h"

static const double page_bytes = 4096; /* at least */

/* There is something to speed up, on the CPU. */
static bool works_on_cpu(const struct be_trace *trace) {
    return be_look_got(trace) >= be_t(BE_T_WORKS) && be_look_gpus_used(trace) == 0;
}

/* The time that the run would save if so many of its cores' worth were not needed. */
static double cost_of(const struct be_trace *trace, double cores) {
    return be_look_running(trace) * fmin(cores / fmax(be_look_got(trace), 1), 1);
}

/* ---- 29 ---------------------------------------------------------------------------------------- */

/* The group's counter: others in it may read again what was dropped, and then the program reads less. Where that is
 * not told, a group with a limit is mostly the program's own. */
static bool reads_again(const struct be_trace *trace) {
    double refaults = be_trace_mean(trace, BE_GROUP_REFAULTS, 0);
    double read = be_trace_mean(trace, BE_READ, 0);
    bool own = isnan(read) ? strcmp(trace->limits.memory_by, "cgroup") == 0
                           : read >= 0.5 * refaults * page_bytes;
    return (refaults >= be_t(BE_T_REFAULTS) && own) ||
           be_trace_mean(trace, BE_MAJOR_FAULTS, 0) >= be_t(BE_T_MAJOR_FAULTS);
}

static void advise_memory(const struct be_trace *trace, struct be_run_finding *finding) {
    const double limit = trace->limits.memory_bytes;
    char line[BE_NOTE];
    if (trace->job[0] && limit > 0 && !be_look_spread(trace)) {
        double gib = ceil(be_t(BE_T_MEMORY_SPARE) * limit / 1073741824);
        be_found_advice(finding, "%s or more, or a part of the data at a time",
                        be_batch_line(trace, BE_BATCH_GIB, gib, line));
    } else {
        be_found_advice(finding,
                        "more memory%s, or a part of the data at a time, each read once and in "
                        "the order of the file",
                        limit > 0 ? " for its control group" : "");
    }
}

bool be_check_thrashing(const struct be_trace *trace, struct be_run_finding *finding) {
    const double got = be_look_got(trace), limit = trace->limits.memory_bytes;
    const double blocked = fmax(be_trace_mean(trace, BE_BLOCKED, 0), 0);
    const double lost = be_look_in_kernel(trace) * got + blocked, active = got + blocked;
    const double refaults = be_trace_mean(trace, BE_GROUP_REFAULTS, 0);
    const double faults = be_trace_mean(trace, BE_MAJOR_FAULTS, 0);
    char bytes[BE_WORD], times[BE_WORD];
    if (!reads_again(trace) || !(lost / active >= be_t(BE_T_THRASHES)) ||
        !(lost >= be_t(BE_T_NO_WORK))) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, be_look_running(trace) * lost / fmax(active, 1));
    be_found_evidence(
        finding,
        "its data do not fit into the %s that it may have: %s pages a second were read again that "
        "had just been dropped for want of memory. %.0f %% of its time went into that, in the "
        "kernel and in waiting for storage.",
        be_format_bytes(bytes, sizeof bytes, limit > 0 ? limit : trace->limits.memory_machine_bytes,
                        "memory"),
        be_format_count(times, sizeof times, round(fmax(refaults, faults)), ""),
        100 * lost / active);
    advise_memory(trace, finding);
    return true;
}

/* ---- 30 ---------------------------------------------------------------------------------------- */

/* Pages that its faults filled, a second. The machine counts huge pages, not the program: they can be its own where
 * no other is at work, and no more of them than it has faults. */
static double pages_filled(const struct be_trace *trace) {
    static const double pages_in_huge = 512;
    const double faults = be_trace_mean(trace, BE_MINOR_FAULTS, 0);
    const double huge = be_trace_mean(trace, BE_NODE_HUGE_FAULTS, 0);
    const double others =
        be_trace_mean(trace, BE_NODE_CPU, 0) - be_trace_mean(trace, BE_CPU_BUSY, 0);
    return huge > 0 && others < be_t(BE_T_OTHERS)
               ? faults + (pages_in_huge - 1) * fmin(huge, faults)
               : faults;
}

bool be_check_page_faults(const struct be_trace *trace, struct be_run_finding *finding) {
    const double faults = be_trace_mean(trace, BE_MINOR_FAULTS, 0), pages = pages_filled(trace);
    char times[BE_WORD], words[BE_NOTE];
    if (!works_on_cpu(trace) || !(pages >= be_t(BE_T_FAULTS) * be_look_got(trace)) ||
        !(be_look_in_kernel(trace) >= be_t(BE_T_KERNEL))) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST,
             cost_of(trace, be_look_in_kernel(trace) * be_look_got(trace)));
    be_found_evidence(finding,
                      "%.0f %% of its CPU time was spent in the kernel, with %s page faults a "
                      "second%s: memory is taken and given back again and again, and the kernel "
                      "fills each page with zeros before it is used.",
                      100 * be_look_in_kernel(trace),
                      be_format_count(times, sizeof times, round(faults), ""),
                      pages > faults ? ", many of them for huge pages" : "");
    be_found_advice(finding,
                    "%s; without a change, where memory comes from the C library: export "
                    "MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=4294967296",
                    be_words(trace, BE_SAY_AGAIN, 0, words));
    return true;
}

/* ---- 31 ---------------------------------------------------------------------------------------- */

/* Mean CPU time of the children that were seen, seconds; NAN: none was. */
static double seen_children_s(const struct be_trace *trace) {
    double sum_s = 0;
    int count = 0;
    for (int i = 0; i < trace->processes; i++) {
        if (!trace->process[i].main) {
            sum_s += trace->process[i].cpu_s;
            count++;
        }
    }
    return count ? sum_s / count : NAN;
}

/* Nobody counts the processes of a program. The machine tells how many it began; that they are the program's is
 * told by its children, who have its CPU time, of whom a new one is there at most looks and each has next to none,
 * and by as many page faults as beginning a process takes. */
static bool begins_processes(const struct be_trace *trace) {
    static const double faults = 20, seen_s = 0.02, a_look = 0.3;
    const double got = be_trace_mean(trace, BE_CPU_BUSY, 0);
    const double spawned = be_trace_mean(trace, BE_NODE_SPAWNED, 0);
    const double looks = trace->samples / fmax(trace->elapsed_s, 1e-9);
    return spawned >= be_t(BE_T_SHORT) * got &&
           be_trace_mean(trace, BE_SPAWNED, 0) >= a_look * looks &&
           be_trace_mean(trace, BE_CPU_CHILDREN, 0) >= 0.5 * got &&
           be_trace_mean(trace, BE_MINOR_FAULTS, 0) >= faults * spawned &&
           !(seen_children_s(trace) > seen_s);
}

bool be_check_short_processes(const struct be_trace *trace, struct be_run_finding *finding) {
    const double spawned = be_trace_mean(trace, BE_NODE_SPAWNED, 0);
    const double children = be_trace_mean(trace, BE_CPU_CHILDREN, 0);
    char times[BE_WORD], each[BE_WORD];
    if (!works_on_cpu(trace) || !begins_processes(trace)) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, cost_of(trace, children));
    be_found_evidence(finding,
                      "%s processes a second were begun, of %s of CPU time each: beginning and "
                      "ending one takes most of that.",
                      be_format_count(times, sizeof times, round(spawned), ""),
                      be_format_seconds(each, sizeof each, children / spawned, ""));
    be_found_advice(finding,
                    "fewer processes that do more each: one program for all files or lines "
                    "(xargs -n 100), or calls inside of one program");
    return true;
}

/* ---- 32 ---------------------------------------------------------------------------------------- */

bool be_check_switching(const struct be_trace *trace, struct be_run_finding *finding) {
    const double switches = be_trace_mean(trace, BE_SWITCHES, 0), got = be_look_got(trace);
    char times[BE_WORD], each[BE_WORD];
    if (!works_on_cpu(trace) || !(switches >= be_t(BE_T_SWITCHES) * got) ||
        !(be_look_in_kernel(trace) >= be_t(BE_T_KERNEL)) ||
        be_trace_mean(trace, BE_WRITE_CALLS, 0) > be_t(BE_T_MESSAGE) * switches ||
        be_trace_mean(trace, BE_LOCK_WAIT, 0) >= be_t(BE_T_LOCKED) ||
        be_trace_mean(trace, BE_BLOCKED, 0) >= be_t(BE_T_IO_SOME)) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, cost_of(trace, be_look_in_kernel(trace) * got));
    be_found_evidence(finding,
                      "its threads or processes hand work to each other %s times a second, after "
                      "%s each: %.0f %% of the CPU time is the kernel's, which wakes one and puts "
                      "the other to sleep.",
                      be_format_count(times, sizeof times, round(switches), ""),
                      be_format_seconds(each, sizeof each, got / switches, ""),
                      100 * be_look_in_kernel(trace));
    be_found_advice(finding, "larger messages: send many items at a time, and do not wait for the "
                             "answer to each");
    return true;
}
