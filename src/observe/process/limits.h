/*
 * The limits of the program and their origin: affinity, control group, batch system; and its host and job. The
 * variables of batch systems are from the manual pages of sbatch and srun (Slurm) and from the environment variables of
 * LSF's and PBS Professional's reference guides.
 */
#ifndef BE_OBSERVE_PROCESS_LIMITS_H
#define BE_OBSERVE_PROCESS_LIMITS_H

#include "observe/process/watched.h"
#include "observe/trace.h"

/* The least of those that apply. `affinity`: CPUs that affinity leaves; `machine`: there are. */
struct be_trace_limits be_limits(const struct be_watched *watched, int affinity, int machine);

/* The same where the program was put into another control group; NAN: that limits nothing. */
void be_limits_lower(struct be_trace_limits *limits, double cpus_quota, double memory_bytes);

/* "slurm 4711", "lsf 12", "pbs 3.host"; empty: no batch job. */
void be_job_name(const char *const *environment, char *to, size_t capacity);

/* Which of the several processes of a parallel program it is; ranks 0: it is none, or how many there are is not
 * known. */
struct be_rank {
    int rank, ranks;
};
struct be_rank be_rank_of(const char *const *environment);

/* Host, CPU model, date, limits and job into the trace. */
void be_trace_describe(struct be_trace *trace, const struct be_watched *watched);

#endif
