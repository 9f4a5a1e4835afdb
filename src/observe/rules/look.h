/*
 * The values that rules look at: means over the time in which a GPU was in use, CPU figures of a whole run. Each
 * is NAN where it was not measured, or where it has fewer samples than a verdict needs.
 */
#ifndef BE_OBSERVE_RULES_LOOK_H
#define BE_OBSERVE_RULES_LOOK_H

#include "observe/rules/finding.h"

/* One GPU from its first to its last activity. */
struct be_gpu_look {
    bool used;                     /* something ran */
    double from_s, to_s, length_s; /* when; to_s the end of the last tick with activity */
    double running; /* share of the time with anything running: GPM's, else NVML's, else traced */
    double kernel_share;                                               /* traced */
    double busy, sm, occupancy, tensor, tensor_fp64, fp32, fp64, dram; /* shares */
    double bus_in, bus_out, link;                                      /* bytes/s; link both ways */
    double sm_max; /* SM activity; where it was not measured, what it cannot exceed: `running` */
    double kernels, kernel_s, gap_s, copies, pageable, syncs, sync_gap, nccl; /* traced kernels */
    double copy_in, copy_out;            /* traced: shares of the time */
    double copy_in_rate, copy_out_rate;  /* traced: bytes/s while a copy is under way */
    double thread, blocked, io_pressure; /* of the program in that time */
};
void be_look_gpu(const struct be_trace *trace, int gpu, struct be_gpu_look *look);

/* Then it is not idle, though nothing runs. */
bool be_look_copying(const struct be_trace *trace, const struct be_gpu_look *look, int gpu);
/* Without a trace of kernels: one thread at a full core, a quiet bus, and a GPU with pauses. */
bool be_look_fed_by_one(const struct be_trace *trace, const struct be_gpu_look *look, int gpu);

/* Much time in the driver, and something on the bus all the while: calls, each for little. *in_kernel: the share of CPU time
 * there. */
bool be_look_fetches(const struct be_trace *trace, const struct be_gpu_look *look,
                     double *in_kernel);

/* Mean of any signal over from_s..to_s. */
double be_look_mean(const struct be_trace *trace, enum be_signal signal, int of, double from_s,
                    double to_s);
/* Share of from_s..to_s in which the GPU stood still while the program took at least
 * `cores`. */
double be_look_stalled(const struct be_trace *trace, int gpu, double from_s, double to_s,
                       double cores);
/* Processes other than the command itself, and than compilers, that took at least `cores` in that time and were there
 * for most of it; *mean: theirs. */
int be_look_workers(const struct be_trace *trace, double from_s, double to_s, double cores,
                    double *mean);

/* Did the program use it? -1: not known. */
int be_look_used(const struct be_trace *trace, int gpu);
/* GPUs that it used. */
int be_look_gpus_used(const struct be_trace *trace);
/* Processes that are not the program's were on it. */
bool be_look_foreign(const struct be_trace *trace, int gpu);

/* Does the trace name the library? Not where nobody has looked. */
bool be_look_uses(const struct be_trace *trace, enum be_mapped library);
/* A process that compiles: of a compiler or an assembler, by what it is called. */
bool be_look_compiles(const struct be_trace_process *process);

/* It builds: compilers take most of the CPU time of the processes that are listed. */
bool be_look_builds(const struct be_trace *trace);

/* On several nodes, as accounting lists them: cores and memory are those of all of them together. */
bool be_look_spread(const struct be_trace *trace);
/* Seconds of the run in which job control had not stopped it: then nothing can be busy. */
double be_look_running(const struct be_trace *trace);
/* CPU seconds over those seconds times the cores that it had, as seff has it but for the stops; NAN not known. */
double be_look_efficiency(const struct be_trace *trace);
/* Cores' worth of work: what it got; what ran or waited for a core at a time; and what it would have got had it
 * not waited for one. So others on the machine are not taken for the program's own idleness. */
double be_look_got(const struct be_trace *trace);
/* The share of its CPU time that it spent in the kernel; NAN: it took none. */
double be_look_in_kernel(const struct be_trace *trace);
double be_look_wanted(const struct be_trace *trace);
double be_look_demand(const struct be_trace *trace);
/* Do busy threads wait for each other, while more of them are ready than run? */
bool be_look_hands_on(const struct be_trace *trace);
/* The share of its CPU time that the kernel takes, which wakes them; NAN: not much, or page faults may be the reason. */
double be_look_fought(const struct be_trace *trace);
/* Do its threads fight for a mutex: much of its CPU time is the kernel's, which hands it on? Then they wait for a core
 * without wanting it for long. */
bool be_look_fights(const struct be_trace *trace);
/* Are barriers of OpenMP what busy threads wait at, and no mutex? */
bool be_look_meets(const struct be_trace *trace);
/* Share of the run by which waiting for a core made it longer. */
double be_look_kept_waiting(const struct be_trace *trace);
/* CPUs that it may use by the affinity of its threads that work, of those that it has; never 0. */
int be_look_reach(const struct be_trace *trace);
/* Share of its cores that nobody used: what others took of the machine is not the program's idleness. */
double be_look_left_idle(const struct be_trace *trace);
/* Cores that other programs kept at work on a machine that was full; 0: it was not, or not of them. */
double be_look_taken(const struct be_trace *trace);

#endif
