/*
 * One job of an accounting: from a line of `sacct -P`, of `squeue`, or of a Standard Workload Format file. It does
 * not know where it came from, nor which questions are asked of it. It is plain data.
 */
#ifndef BE_ACCOUNTING_RECORD_H
#define BE_ACCOUNTING_RECORD_H

#include "base/slice.h"
#include "breakeven_queue.h"

/* A moment in seconds since 1970, UTC where the zone is known, else as the clocks there showed
 * it. */
#define BE_NO_TIME INT64_MIN

/* Slurm's job states (slurm.h, enum job_states), and what no other is. */
enum be_job_state {
    BE_JOB_UNKNOWN,
    BE_JOB_PENDING,
    BE_JOB_RUNNING,
    BE_JOB_SUSPENDED,
    BE_JOB_COMPLETED,
    BE_JOB_CANCELLED,
    BE_JOB_FAILED,
    BE_JOB_TIMEOUT,
    BE_JOB_NODE_FAIL,
    BE_JOB_PREEMPTED,
    BE_JOB_BOOT_FAIL,
    BE_JOB_DEADLINE,
    BE_JOB_OUT_OF_MEMORY,
    BE_JOB_REQUEUED,
    BE_JOB_RESIZING,
    BE_JOB_REVOKED,
    BE_JOB_STATES
};

struct be_record {
    struct be_slice id, partition, user, account, qos;
    struct be_slice gpu_type; /* empty: none, or not said */
    uint64_t array;           /* number of the job, or of the array it is a task of; 0: none */
    uint32_t tasks;           /* array tasks that this one record stands for, at least 1 */
    int64_t submit_s, eligible_s, start_s, end_s; /* BE_NO_TIME where not known */
    double elapsed_s, limit_s;                    /* NAN not known; limit INFINITY: unlimited */
    double cpus, nodes, gpus; /* allocated, or requested while pending; NAN not known, gpus 0 */
    double memory_bytes;      /* of the whole job; NAN not known */
    enum be_job_state state;
    enum be_hold
        hold; /* as the reason says why it waits, or last could not run; NONE: not said either */
    bool reasoned;      /* a reason was told, whichever */
    bool eligible_told; /* eligible_s is what was told: not known, if it could not run yet */
    bool started;       /* it had nodes: a start time alone does not say so */
};

/* ---- values as Slurm writes them ------------------------------------------------------------ */

/* "2024-03-31T01:59:59", the same with a blank, 'Z' or "+01:00", or seconds since 1970.
 * False: none of these. "Unknown", "None", "N/A" and nothing are true with BE_NO_TIME.
 * *zoned: it says of which zone it is. */
bool be_parse_time(struct be_slice text, int64_t *seconds, bool *zoned);
/* "MM", "MM:SS", "HH:MM:SS", "D-HH", "D-HH:MM", "D-HH:MM:SS", any with ".mmm": as --time reads
 * them, so "30" is minutes. UNLIMITED is INFINITY; Partition_Limit, INVALID and nothing are NAN. */
bool be_parse_span(struct be_slice text, double *seconds);
/* "8000M", "3G": bytes. A bare number is MB. 'n' or 'c' behind it: a node's or a CPU's share,
 * and then *per is that letter, else 0. Slurm's mark of memory per CPU, bit 31 or 63 of the
 * number, where an old sacct printed it as part of the number, reads as 'c'. "16?", with no unit that
 * Slurm has, is NAN. */
bool be_parse_memory(struct be_slice text, double *bytes, char *per);
/* A whole number, perhaps with K, M or G behind it, as sacct shortens counts. */
bool be_parse_count(struct be_slice text, double *count);
enum be_job_state be_parse_state(struct be_slice text);
const char *be_job_state_name(enum be_job_state state);
/* The value of `name` in "cpu=4,mem=8G,gres/gpu:a100=2", empty when it is not there. */
struct be_slice be_tres_find(struct be_slice tres, const char *name);
/* GPUs in a TRES or GRES list ("gres/gpu=2", "gres/gpu:a100=2", "gpu:tesla:2(S:0)"), and their
 * type. */
double be_tres_gpus(struct be_slice tres, struct be_slice *type);
/* The reason that squeue and sacct give for a job that waits: "Resources" is none to hold it. */
enum be_hold be_parse_reason(struct be_slice text);
/* Since when it could run: when it was submitted, where nothing else is known or that makes no sense. */
int64_t be_record_ready_s(const struct be_record *record);
/* Tasks in the bracket of an array's number: "4103947_[1-3,9]" has 4. 1 where there is no
 * bracket. */
uint32_t be_array_tasks(struct be_slice id);

#endif
