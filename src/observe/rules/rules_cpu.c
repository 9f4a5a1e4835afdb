/* Cores and memory: oversubscribed, serial, idle, asked for and not used. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "observe/rules/words.h"
#include "observe/usage.h"

bool be_check_too_short(const struct be_trace *trace, struct be_run_finding *finding) {
    if (!be_trace_too_short(trace)) {
        return false;
    }
    be_found(finding, BE_WEIGHT_NOTE, NAN);
    be_found_evidence(finding, "too short to say how well it ran: %.0f sample%s, %.0f are needed.",
                      trace->samples, trace->samples == 1 ? "" : "s", be_t(BE_T_SAMPLES));
    return true;
}

/* So many digits, and no power of ten where there are more before the point. */
static const char *count_word(char to[BE_WORD], double count, int digits) {
    if (count >= pow(10, digits) - 0.5) {
        snprintf(to, BE_WORD, "%.0f", count);
    } else {
        snprintf(to, BE_WORD, "%.*g", digits, count);
    }
    return to;
}

/* ---- 13 -------------------------------------------------------------------------------------- */

static bool held_by_quota(const struct be_trace *trace, struct be_run_finding *finding) {
    double periods = be_trace_mean(trace, BE_GROUP_THROTTLED_PERIODS, 0);
    double busy = be_trace_mean(trace, BE_CPU_BUSY, 0);
    if (!(periods >= be_t(BE_T_QUOTA)) || !(busy > 0.5 * trace->limits.cpus_quota)) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, trace->elapsed_s * periods);
    be_found_evidence(finding,
                      "more threads than the quota of %.3g cores: it ran out in %.0f %% of its "
                      "periods, and all threads stood until the next.",
                      trace->limits.cpus_quota, 100 * periods);
    be_advise_fewer(trace, finding, (int)fmax(1, floor(trace->limits.cpus_quota)));
    return true;
}

/* " (4 processes x 2 threads)"; of a single process nothing. */
static const char *team_word(const struct be_trace *trace, char to[BE_NAME]) {
    int processes, threads;
    be_look_team(trace, &processes, &threads);
    to[0] = '\0';
    if (processes > 1 && threads > 0) {
        snprintf(to, BE_NAME, " (%d processes x %d thread%s)", processes, threads,
                 threads == 1 ? "" : "s");
    }
    return to;
}

/* Processes of one thread each seldom wait for each other, and then it costs little that they take turns. Ranks of MPI
 * do wait. */
static bool take_turns_at_leisure(const struct be_trace *trace) {
    int processes, threads;
    be_look_team(trace, &processes, &threads);
    return processes > 1 && threads == 1 && !be_look_uses(trace, BE_LIB_MPI);
}

/* Where others are at work too, it would wait with fewer threads as well: of its waiting as much is its own fault
 * as it has threads beyond its cores, and only in the part of the time that it would have taken without the others. */
static void found_too_many(const struct be_trace *trace, int cpus, struct be_run_finding *finding) {
    const double wait = be_trace_mean(trace, BE_RUN_WAIT, 0);
    const double runnable = be_trace_mean(trace, BE_RUNNABLE, 0);
    const double others = be_look_taken(trace), got = be_look_got(trace);
    const double own = others > 0 ? got / (got + others) : 1;
    const bool leisure = take_turns_at_leisure(trace);
    char wanted[BE_WORD], team[BE_NAME], also[BE_NAME * 2] = "";
    be_found(finding, leisure ? BE_WEIGHT_NOTE : BE_WEIGHT_COST,
             leisure ? NAN : trace->elapsed_s * own * fmin(wait, 1 - cpus / runnable));
    if (others > 0) {
        snprintf(also, sizeof also,
                 "; other programs were at work on %.1f of the machine's %d cores", others,
                 trace->limits.cpus_machine);
    }
    be_found_evidence(
        finding,
        "too many threads for %d core%s: %s wanted to run at a time%s, and waited for a core %.0f "
        "%% of that time%s.%s",
        cpus, cpus == 1 ? "" : "s", count_word(wanted, runnable, 3), team_word(trace, team),
        100 * wait, also,
        leisure ? " Processes that do not wait for each other lose little by it, except memory."
                : "");
    be_advise_fewer(trace, finding, cpus);
}

bool be_check_oversubscribed(const struct be_trace *trace, struct be_run_finding *finding) {
    const int cpus = be_look_reach(trace);
    if (cpus && be_trace_mean(trace, BE_RUN_WAIT, 0) >= be_t(BE_T_RUN_WAIT) &&
        be_trace_mean(trace, BE_RUNNABLE, 0) > 1.1 * cpus) {
        found_too_many(trace, cpus, finding);
        return true;
    }
    return held_by_quota(trace, finding);
}

/* ---- 27 -------------------------------------------------------------------------------------- */

/* It has no more threads than cores, and yet they wait: the machine is full of others. */
bool be_check_cores_taken(const struct be_trace *trace, struct be_run_finding *finding) {
    double wait = be_trace_mean(trace, BE_RUN_WAIT, 0);
    double others = be_look_taken(trace);
    double kept = be_look_kept_waiting(trace);
    if (!(wait >= be_t(BE_T_RUN_WAIT)) ||
        !(kept >= be_t(BE_T_KEPT)) || /* of next to nothing any wait is much */
        !(others > 0) || be_look_fights(trace)) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, be_look_running(trace) * kept);
    be_found_evidence(finding,
                      "other programs were at work on %.1f of the machine's %d cores: its threads "
                      "waited for one %.0f %% of the time that they could run.",
                      others, trace->limits.cpus_machine, 100 * wait);
    be_found_advice(finding, "breakeven watch --node --once says which they are%s",
                    trace->job[0] ? "" : "; a batch job has cores of its own");
    return true;
}

/* ---- 14, and cores that are idle for other reasons -------------------------------------------- */

/* A GPU is fed by one core: what that leaves idle is no fault (cores-a-gpu looks at that). */
static bool on_cpus(const struct be_trace *trace) {
    return be_trace_cores_had(trace) >= be_t(BE_T_SEVERAL) && be_look_gpus_used(trace) == 0;
}

/* "4", and of a quota "1.5". */
static const char *cores_word(const struct be_trace *trace, char to[BE_WORD]) {
    return count_word(to, be_trace_cores_had(trace), 3);
}

/* One core each is not one program that knows no threads. */
static const char *of_tasks(const struct be_trace *trace, char to[BE_WORD]) {
    to[0] = '\0';
    if (trace->limits.tasks > 1) {
        snprintf(to, BE_WORD, " (%d tasks)", trace->limits.tasks);
    }
    return to;
}

static bool one_core(double cores) {
    return cores >= be_t(BE_T_SERIAL_FROM) && cores <= be_t(BE_T_SERIAL_TO);
}

/* About one at a time is ready to run. A lock that is handed over makes a few more of many: they are not
 * ready for want of cores if what the others wait for is the lock. */
static bool few_are_ready(const struct be_trace *trace) {
    double max = 1.5;
    if (be_trace_mean(trace, BE_LOCK_WAIT, 0) >= be_t(BE_T_LOCKED)) {
        max = fmax(max, be_t(BE_T_READY) * be_trace_mean(trace, BE_THREADS, 0));
    }
    return be_trace_mean(trace, BE_RUNNABLE, 0) < max;
}

/* Several threads, of which about one runs at a time, each for a part of the time: under a lock, or as it
 * happens. That they wait for a core while a lock is handed over is not for want of cores. */
static bool take_turns(const struct be_trace *trace, double cores) {
    return one_core(cores) && be_trace_max(trace, BE_THREADS, 0) > 1.5 &&
           be_trace_mean(trace, BE_PROCESSES, 0) < 1.5 &&
           be_trace_mean(trace, BE_BUSIEST_THREAD, 0) <= be_t(BE_T_TURNS) && few_are_ready(trace);
}

/* Pipes and pauses can have the same effect on threads as a lock: only what they wait for tells. Where that is not
 * known, neither is said to be so. */
static void found_turns(const struct be_trace *trace, double cores,
                        struct be_run_finding *finding) {
    const double locked = be_trace_mean(trace, BE_LOCK_WAIT, 0);
    const double busiest = 100 * be_trace_mean(trace, BE_BUSIEST_THREAD, 0);
    const int cpus = trace->limits.cpus;
    char words[BE_NOTE];
    char had[BE_WORD];
    if (locked < be_t(BE_T_LOCKED)) {
        be_found_evidence(finding,
                          "its threads do one core's worth of work (%.2f) on %s cores, the busiest "
                          "at %.0f %% of a core, and wait in between, not for a lock: for a timer, "
                          "a pipe, a socket.",
                          cores, cores_word(trace, had), busiest);
        be_found_advice(finding, "strace -f -c -w COMMAND says what they wait for");
        return;
    }
    if (be_look_meets(trace)) {
        be_found_evidence(finding,
                          "its threads meet too often, at the ends of parallel loops: one core's "
                          "worth of work (%.2f) on %s cores, the busiest thread at %.0f %% of a "
                          "core.",
                          cores, cores_word(trace, had), busiest);
        be_found_advice(finding, "%s", be_words(trace, BE_SAY_MEET, 0, words));
        return;
    }
    be_found_evidence(
        finding,
        "its threads take turns, as under a lock%s: one core's worth of work (%.2f) on %s cores, "
        "the busiest thread at %.0f %% of a core.",
        isnan(locked)                        ? " or when each waits for another"
        : be_look_uses(trace, BE_LIB_PYTHON) ? " (Python's, for one)"
                                             : "",
        cores, cores_word(trace, had), busiest);
    be_found_advice(finding, "%s", be_words(trace, BE_SAY_TURNS, cpus, words));
}

bool be_check_serial(const struct be_trace *trace, struct be_run_finding *finding) {
    char tasks[BE_WORD], had[BE_WORD];
    double cores = be_look_demand(trace);
    double efficiency = be_look_efficiency(trace);
    double got = be_look_got(trace);
    bool turns = take_turns(trace, got);
    if (!on_cpus(trace) || !(turns || one_core(cores))) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, be_look_running(trace) * be_look_left_idle(trace));
    if (turns) {
        found_turns(trace, got, finding);
        return true;
    }
    be_found_evidence(
        finding, "serial on %s cores%s: one core's worth of work (%.2f), CPU efficiency %.0f %%.",
        cores_word(trace, had), of_tasks(trace, tasks), cores, 100 * efficiency);
    be_advise_more(trace, finding, 1);
    return true;
}

/* Share of the time in which a thread waited for storage; NAN: not known. */
static double waiting_for_storage(const struct be_trace *trace) {
    double blocked = be_trace_mean(trace, BE_BLOCKED, 0);
    return blocked > 1 ? 1 : blocked;
}

static void advise_idle(const struct be_trace *trace, struct be_run_finding *finding, double cores,
                        double storage) {
    const struct be_waits waits = be_look_waits(trace);
    if (storage >= be_t(BE_T_IO_SOME)) {
        const bool writes = be_trace_mean(trace, BE_WRITTEN, 0) > be_trace_mean(trace, BE_READ, 0);
        be_found_advice(finding,
                        "data on the node's own disk (cp -r DATA $TMPDIR), and fewer, "
                        "larger %s",
                        writes ? "writes, with the disk waited for (fsync, or a data base's "
                                 "commit) once after many"
                               : "reads and writes");
    } else if (cores < be_t(BE_T_NO_WORK) && !trace->job[0] && waits.why) {
        be_found_advice(finding, "%s", waits.advice);
    } else if (cores < be_t(BE_T_SERIAL_FROM) && !trace->job[0]) {
        be_found_advice(finding,
                        "strace -f -c -w COMMAND says what it waits for; where that is not the "
                        "same for all, several of them at a time share its cores");
    } else {
        be_advise_more(trace, finding, fmax(1, ceil(cores - 0.05)));
    }
}

bool be_check_cores_idle(const struct be_trace *trace, struct be_run_finding *finding) {
    char had_work[BE_WORD], had[BE_WORD], tasks[BE_WORD], why[BE_NOTE] = "";
    double cores = be_look_demand(trace);
    double efficiency = be_look_efficiency(trace);
    double storage = waiting_for_storage(trace);
    if (!on_cpus(trace) || !(cores / be_trace_cores_had(trace) <= be_t(BE_T_CPU_LOW))) {
        return false;
    }
    const struct be_waits waits = be_look_waits(trace);
    const bool stored = storage >= be_t(BE_T_IO_SOME), rests = cores < be_t(BE_T_NO_WORK);
    /* Nothing is lost by waiting for others, unless cores are reserved for it. */
    const bool lost = trace->job[0] || stored || !rests || !waits.why;
    be_found(finding, lost ? BE_WEIGHT_COST : BE_WEIGHT_NOTE,
             lost ? be_look_running(trace) * be_look_left_idle(trace) : NAN);
    if (cores < 0.1) {
        snprintf(had_work, sizeof had_work, "%.2f", cores);
    } else {
        count_word(had_work, cores, 2);
    }
    if (stored) {
        snprintf(why, sizeof why, ", and threads waited for storage %.0f %% of the time",
                 100 * storage);
    } else if (rests) {
        snprintf(why, sizeof why, ": %s",
                 waits.why ? waits.why : "it waited nearly all of the time");
    }
    be_found_evidence(finding, "%s of %s cores had work%s: CPU efficiency %.0f %%%s.", had_work,
                      cores_word(trace, had), of_tasks(trace, tasks), 100 * efficiency, why);
    advise_idle(trace, finding, cores, storage);
    return true;
}

/* ---- asked for --------------------------------------------------------------------------------- */

bool be_check_memory_asked(const struct be_trace *trace, struct be_run_finding *finding) {
    char used[BE_WORD], plain[BE_WORD], asked[BE_WORD], line[BE_NOTE];
    const char *how;
    double bytes = be_trace_memory_of_job(trace);
    double limit = trace->limits.memory_bytes;
    if (!trace->limits.asked || !(limit > 0) || !(bytes / limit < be_t(BE_T_MEMORY_ASKED))) {
        return false;
    }
    double gib = ceil(be_t(BE_T_MEMORY_SPARE) * bytes / 1073741824);
    if (gib * 1073741824 >= limit) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, NAN);
    be_found_evidence(finding, "memory: %s used%s, %s (%s) asked for (%.0f %%).",
                      be_format_bytes(used, sizeof used, bytes, ""),
                      bytes > be_trace_memory_used(trace, &how) ? " by all of the job" : "",
                      be_format_bytes(plain, sizeof plain, limit, ""),
                      be_format_asked(asked, sizeof asked, limit), 100 * bytes / limit);
    if (be_look_spread(trace)) { /* --mem is of a node, and what each of them had is not known */
        be_found_advice(finding, "ask for %.0f %% of it on each node, where all of them used alike",
                        ceil(100 * be_t(BE_T_MEMORY_SPARE) * bytes / limit));
    } else {
        be_found_advice(finding, "%s", be_batch_line(trace, BE_BATCH_GIB, gib, line));
    }
    return true;
}

/* The counter is the group's: who else is in it may have been the one. */
bool be_check_out_of_memory(const struct be_trace *trace, struct be_run_finding *finding) {
    const struct be_signal_series *kills = be_trace_series(trace, BE_GROUP_OOM_KILLS, 0);
    double count = kills ? round(kills->integral) : 0;
    double limit = trace->limits.memory_bytes;
    char allowed[BE_WORD] = "", line[BE_NOTE];
    if (!(count >= 1)) {
        return false;
    }
    if (limit > 0) {
        be_format_bytes(allowed, sizeof allowed, limit, "");
    }
    be_found(finding, BE_WEIGHT_COST, trace->elapsed_s); /* what is left has a part missing */
    be_found_evidence(finding,
                      "out of memory: the kernel killed %.0f process%s of its control group, which "
                      "had used up %s%s.",
                      count, count > 1.5 ? "es" : "", limit > 0 ? "the allowed " : "its memory",
                      allowed);
    if (be_look_spread(trace)) {
        be_found_advice(finding, "more memory on each node, or less data at a time");
    } else if (trace->job[0] && limit > 0) {
        double gib = ceil(be_t(BE_T_MEMORY_SPARE) * limit / 1073741824);
        be_found_advice(finding, "%s or more", be_batch_line(trace, BE_BATCH_GIB, gib, line));
    } else {
        be_found_advice(finding, "more memory for its control group, or less data at a time");
    }
    return true;
}

bool be_check_cores_a_gpu(const struct be_trace *trace, struct be_run_finding *finding) {
    int used = be_look_gpus_used(trace);
    int max = (int)be_t(BE_T_CORES_A_GPU);
    char line[BE_NOTE];
    double busy = be_trace_mean(trace, BE_CPU_BUSY, 0);
    if (!used || !trace->limits.asked || trace->limits.cpus <= max * used || !(busy < max * used)) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, NAN);
    be_found_evidence(finding, "%d cores for %d GPU%s, of which %.1f were busy.",
                      trace->limits.cpus, used, used == 1 ? "" : "s", busy);
    double cores = fmin(max * used, fmax(2 * used, ceil(1.2 * busy)));
    if (be_look_spread(trace)) {
        be_found_advice(finding, "%.0f cores in all", cores);
    } else {
        be_found_advice(finding, "%s", be_batch_cores(trace, cores, line));
    }
    return true;
}
