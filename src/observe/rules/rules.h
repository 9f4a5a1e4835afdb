/*
 * The checks of the rules, by what they are about; rules.c has what each is called and says.
 */
#ifndef BE_OBSERVE_RULES_RULES_H
#define BE_OBSERVE_RULES_RULES_H

#include "observe/rules/look.h"

/* The parts of a finding: its weight, and its two texts. */
void be_found(struct be_run_finding *finding, enum be_weight weight, double cost_s);
void be_found_evidence(struct be_run_finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void be_found_advice(struct be_run_finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "#SBATCH --mem=12G": the line of a job script that asks for so many, in the words of the batch system
 * that the trace is of. */
enum be_batch_ask { BE_BATCH_TASKS, BE_BATCH_CORES, BE_BATCH_GIB, BE_BATCH_GPUS, BE_BATCH_ASKS };
const char *be_batch_line(const struct be_trace *trace, enum be_batch_ask what, double count,
                          char to[BE_NOTE]);

/* The same for so many cores in all: of each task where there are several, or fewer tasks. */
const char *be_batch_cores(const struct be_trace *trace, double cores, char to[BE_NOTE]);

/* For a whole machine: leaves out what is about one program, takes costs and advice to one program away, and names the
 * busiest. How many are left. */
int be_findings_node(const struct be_trace *trace, struct be_run_finding *list, int count);

typedef bool be_rule_check(const struct be_trace *trace, struct be_run_finding *finding);

/* rules_cpu.c: cores, memory, and whether there is enough to go by */
be_rule_check be_check_too_short, be_check_oversubscribed, be_check_serial, be_check_cores_idle,
    be_check_memory_asked, be_check_cores_a_gpu, be_check_out_of_memory, be_check_cores_taken;
/* rules_bound.c: cores that idle while threads wait */
be_rule_check be_check_cores_bound, be_check_one_lock;
/* rules_calls.c: what goes into system calls */
be_rule_check be_check_sending, be_check_kernel_calls;
/* rules_spin.c: threads that wait at a full core */
be_rule_check be_check_spinning;
/* rules_kernel.c: what the kernel's time goes into */
be_rule_check be_check_thrashing, be_check_page_faults, be_check_short_processes,
    be_check_switching;
/* rules_waits.c: where a program that hardly works waits for something else than storage */
struct be_waits {
    const char *why, *advice; /* NULL: what it waits for is not known */
};
struct be_waits be_look_waits(const struct be_trace *trace);
/* rules_gpu.c: which GPUs, and how full */
be_rule_check be_check_gpu_shared, be_check_gpu_unused, be_check_gpus_uneven, be_check_gpu_empty,
    be_check_sm_low, be_check_gpu_too_big, be_check_gpu_memory_full, be_check_startup,
    be_check_throttled;
/* rules_units.c: which of its units */
be_rule_check be_check_occupancy, be_check_tensor_idle, be_check_fp64, be_check_memory_bound;
/* rules_wait.c: what it waits for */
be_rule_check be_check_bus_bound, be_check_pageable, be_check_launch_bound, be_check_wait_bound,
    be_check_communication;
/* rules_host.c: on the host */
be_rule_check be_check_loader_stall, be_check_host_bound, be_check_compiling,
    be_check_compiling_cpu;

#endif
