/*
 * breakeven: is this computation worth a GPU?
 *
 * This header serves a program that compares computations on the devices of this machine. It has the machine and its
 * environment, results, break-evens, and the functions that lead from one to the next. Its companions are
 * breakeven_error.h (status and error, which it includes), breakeven_workload.h (your own computation),
 * breakeven_profile.h (the maximum of a machine) and breakeven_queue.h (waits of jobs). C11 and C++11 compile it.
 *
 * It does not know how anything is printed on a terminal. The library never prints, exits or aborts. Times
 * are seconds. Sizes are elements unless a name says bytes. A number that was not measured is NAN (a count: 0)
 * and is shown as "not measured", never as 0.
 */
#ifndef BREAKEVEN_H
#define BREAKEVEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "breakeven_error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BE_VERSION "0.1.0"
#define BE_SCHEMA "breakeven/1"

/* ---- the machine and its surroundings ------------------------------------------------------- */

enum { BE_DEVICES_MAX = 16 };

enum be_kind { BE_KIND_CPU, BE_KIND_GPU, BE_KIND_OTHER }; /* what the silicon is */

/* Where the times of a device come from. */
enum be_origin {
    BE_ORIGIN_HERE,      /* measured in this comparison */
    BE_ORIGIN_ELSEWHERE, /* measured by a comparison on another machine (breakeven_results.h) */
    BE_ORIGIN_PREDICTED, /* nobody measured it */
    BE_ORIGINS
};

struct be_device_info {
    char id[BE_NAME];      /* "cpu", "cuda:0", "opencl:1", "null:0" */
    char backend[BE_NAME]; /* "cpu", "cuda", "opencl", "null" */
    char name[BE_NAME * 2];
    char driver[BE_NAME * 2]; /* driver and runtime versions, as text */
    char address[BE_NAME];    /* PCI address or UUID; empty when there is none */
    char same_as[BE_NAME];    /* id of the device that is the same hardware; empty when alone */
    enum be_kind kind;
    int index;             /* within its backend */
    int units;             /* cores, multiprocessors or compute units; 0 not known */
    double memory_bytes;   /* NAN not known */
    double cache_bytes;    /* last-level cache; NAN not known */
    double clock_hz;       /* highest clock; NAN not known */
    double start_s;        /* what starting its driver took when it was looked for; 0: nothing */
    enum be_origin origin; /* BE_ORIGIN_HERE unless be_comparison_add_results added it */
};

/* A backend that found nothing, and why: "cuda: libcuda.so.1 is not here". */
struct be_absence {
    char backend[BE_NAME];
    char reason[BE_NOTE];
};

struct be_machine {
    char host[BE_NAME];
    char cpu[BE_NAME * 2];
    int cores;                /* cores of the machine */
    int cores_allowed;        /* cores this process may use */
    char allowed_by[BE_NAME]; /* what sets cores_allowed: affinity, cgroup quota, SLURM_... */
    int numa_nodes;
    double memory_bytes;
    double cache_bytes; /* all last-level caches of the allowed cores */
    struct be_device_info device[BE_DEVICES_MAX];
    int devices;
    struct be_absence absent[BE_DEVICES_MAX];
    int absences;
};

struct be_environment {
    char date[BE_NAME]; /* ISO 8601, UTC */
    char compiler[BE_NAME * 2];
    char flags[BE_NOTE];
    char kernel[BE_NAME * 2]; /* operating system kernel */
    char affinity[BE_NOTE];   /* CPUs the threads are pinned to */
    char governor[BE_NAME];   /* empty when the system does not say */
    char simd[BE_NAME];       /* instruction set of the CPU code chosen */
    char slurm_job[BE_NAME];
    char libraries
        [BE_NOTE]; /* of others that CPU code was measured with: "OpenBLAS 0.3.21 (SkylakeX)" */
    char order[BE_NAME]; /* how cases were interleaved */
    double load_average; /* 1 minute, before the run */
    double steal;        /* share of the CPUs' time that the hypervisor gave to others during the
                            run; NAN when not shown here */
    double cpu_hz;       /* CPU clock seen before the run; NAN when not shown here */
    uint64_t seed;
};

/* ---- measurements --------------------------------------------------------------------------- */

/* Why sampling ended. */
enum be_stop {
    BE_STOP_NONE,      /* it has not, or nothing was sampled */
    BE_STOP_PRECISE,   /* the 95 % interval is narrow enough */
    BE_STOP_STABLE,    /* the noise itself no longer changes: more samples would not help */
    BE_STOP_BUDGET,    /* the time budget was used up */
    BE_STOP_CANCELLED, /* the user stopped it */
    BE_STOP_ONCE       /* happens once by its nature (first call) */
};

/* Below so many samples there is no 95 % interval of their median. */
enum { BE_RANKED_FEWEST = 6 };

/* A set of samples, in seconds. lo..hi: non-parametric 95 % interval of the median (order statistics,
 * binomial, widened where samples follow each other), of fewer than BE_RANKED_FEWEST their range; mad:
 * median absolute deviation; outliers: beyond 14.8 MAD, kept. */
struct be_summary {
    int n;
    int outliers;
    enum be_stop stop;
    double median_s, lo_s, hi_s, mad_s, min_s, max_s;
};

enum be_phase { BE_FIRST, BE_IN, BE_WORK, BE_OUT, BE_TOTAL, BE_PHASES };
enum be_placement { BE_HOST, BE_COPY, BE_PRELOAD, BE_RESIDENT, BE_PLACEMENTS };
/* Were the data in cache before each call? BE_BEYOND: they fit none, so there is no difference. */
enum be_cache { BE_HOT, BE_COLD, BE_BEYOND, BE_CACHES };
enum be_limit {
    BE_BY_NONE,
    BE_BY_MEMORY,
    BE_BY_CACHE,
    BE_BY_OPERATIONS,
    BE_BY_BUS,
    BE_BY_LATENCY,
    BE_LIMITS
};

enum be_result_status {
    BE_RESULT_OK,
    BE_RESULT_ABSENT,     /* the device is not here */
    BE_RESULT_SKIPPED,    /* does not fit, or the run was ended before */
    BE_RESULT_WRONG,      /* failed its check against the reference: has no time */
    BE_RESULT_IMPOSSIBLE, /* faster than the hardware allows: never counted */
    BE_RESULT_FAILED,     /* a call failed on the way; note says which */
    BE_RESULT_STATUSES
};

/* Kinds of code, by who can have it. */
enum be_code {
    BE_CODE_EXPERT,  /* ours: more than an hour's work, and nobody else's library */
    BE_CODE_PLAIN,   /* a straightforward loop or kernel, as a good programmer writes in an hour */
    BE_CODE_LIBRARY, /* a call of a library that anybody can call */
    BE_CODES
};

/* The variant of the row that show_async adds: the clock was read before the device was done. It
 * is never a result. */
#define BE_AS_PUBLISHED "as-published"

/* The workload of a comparison of two whole programs (`compare --program`): the first has the device "cpu", the second
 * this one; their variants are their commands. */
#define BE_PROGRAMS "programs"
#define BE_PROGRAM_SECOND "program"

/* One of the passes that a call is made of, timed by itself. */
struct be_pass {
    char name[BE_NAME];
    struct be_summary time;
};
enum { BE_PASSES_MAX = 4 };

/* One case (workload x variant x size x device x placement x cache) and what was measured. */
struct be_result {
    char workload[BE_NAME];
    char title[BE_NAME]; /* the formula, "z = x^y" */
    char like
        [BE_NAME]; /* a workload that does the same to memory, byte by byte; empty: none is said */
    char variant[BE_NAME];
    char library
        [BE_NAME]; /* the CPU's library that it calls: "OpenBLAS 0.3.21 (SkylakeX)"; empty: none, or not said */
    bool as_written;   /* the variant does as published code does */
    enum be_code code; /* on this device; an older file does not say: BE_CODE_EXPERT */
    char dtype[BE_NAME];
    char parameters[BE_NOTE]; /* those that are not the size: "order 32, steps 100"; may be empty */
    uint64_t size;
    char size_name[BE_NAME]; /* the parameter that is the size: "points"; or just "size" */
    char device[BE_NAME];    /* be_device_info.id */
    int threads;             /* of a CPU case; 0 otherwise */
    enum be_placement placement;
    enum be_cache cache;
    enum be_result_status status;
    char note[BE_NOTE]; /* empty when there is nothing to say */
    double residual;    /* |z - ref| / |ref|, ref in double precision; NAN not checked */
    double tolerance;
    double bytes;      /* minimum bytes through memory a call */
    double operations; /* minimum floating-point operations a call */
    double limit_s;    /* minimum time the hardware allows */
    enum be_limit limit_by;
    double times_limit; /* median of BE_TOTAL over limit_s; NAN: one of them is not known */
    struct be_summary phase[BE_PHASES];
    struct be_pass
        pass[BE_PASSES_MAX]; /* of variants that name theirs; on a device those of BE_WORK */
    int passes;
    double clock_hz;      /* median device clock seen beside the samples; NAN not known */
    int slow_clock;       /* samples whose clock was below 75 % of the highest, estimated from
                             readings at most 20 times a second */
    int refines;          /* 1: a size measured only to narrow a break-even, not asked for */
    uint64_t throttle;    /* device's throttle-reason bits seen (NVML's), or 0 */
    double temperature_c; /* highest seen; NAN not known */
    /* Energy a call of all the hardware that the device is, idle power and other users included; lo
     * and hi: what the steps of its counter leave open. NAN not measured. */
    double joules, joules_lo, joules_hi;
    double
        host_joules; /* of a device that is not the CPU: what the CPU takes meanwhile; NAN not known */
    double energy_s; /* seconds a call of those whose energy that is, not of the samples */
    char energy_source[BE_NAME]; /* who counted: "NVML" */
    char energy_note[BE_NOTE];   /* asked for, and why there is none */
};

enum be_breakeven_status {
    BE_EVEN_ALWAYS,  /* ahead at every size measured */
    BE_EVEN_FROM,    /* stays ahead from `from` on */
    BE_EVEN_NEVER,   /* ahead at no size measured */
    BE_EVEN_BETWEEN, /* ahead in between only: from .. until */
    BE_EVEN_CLOSE,   /* too close to call at the largest size */
    BE_EVEN_STATUSES
};

/* Do calls on data that stay on the device win back what is done once? */
enum be_repaid {
    BE_REPAID_UNKNOWN, /* not measured, or not said in an older file */
    BE_REPAID_CALLS,   /* after some: one there is shorter beyond doubt */
    BE_REPAID_NEVER,   /* one there is longer beyond doubt */
    BE_REPAID_CLOSE,   /* too close to call */
    BE_REPAIDS
};

/* The smallest size from which a device stays ahead of the best CPU case of the same run. */
struct be_breakeven {
    char workload[BE_NAME];
    char dtype[BE_NAME];
    bool as_written; /* of variants that do as published code does; else the best of each side */
    bool
        callable; /* of code that anybody can call or write: plain and library, on both sides, less what
                      does as published code does; else the best of each side */
    char device[BE_NAME];
    char against[BE_NAME]; /* "cpu" */
    int threads;           /* of the CPU case it was held against (headline: the best) */
    enum be_placement placement;
    enum be_cache cache;
    enum be_breakeven_status status;
    double from, lo, hi; /* elements; NAN where the status has none */
    /* BE_EVEN_BETWEEN: where it falls behind again; NAN otherwise, lo and hi in an older file */
    double until, until_lo, until_hi;
    double smallest, largest; /* sizes the answer rests on */
    enum be_repaid repaid;    /* at the largest size; calls below are NAN unless BE_REPAID_CALLS */
    /* Calls on the same data until copy in + out is won back, from the interval of the ratio of a
     * call there to one on the CPU and those of the copies; NAN: not measured, lo and hi: no interval. */
    double calls_to_repay_copy, calls_to_repay_copy_lo, calls_to_repay_copy_hi;
    /* Likewise what the first call of the device takes beyond a call, which it is too. It is measured
     * once: lo and hi are those of a call and of what a call saves. */
    double calls_to_repay_first, calls_to_repay_first_lo, calls_to_repay_first_hi;
    char why[BE_NOTE]; /* what dominates, in one clause */
};

/* A result as a picture. */
struct be_picture {
    uint32_t width, height;
    uint8_t *rgb; /* three bytes a pixel, rows from the top; NULL: there is none */
};

struct be_comparison {
    struct be_machine machine;
    struct be_environment environment;
    bool partial; /* ended by the user: not everything asked for is here */
    bool quick;   /* a look: a few sizes, short samples */
    struct be_result *result;
    size_t results;
    struct be_breakeven *breakeven;
    size_t breakevens;
    char (*remark)[BE_NOTE]; /* one line each: skipped sizes, devices left out */
    size_t remarks;
    struct be_picture picture; /* where the options ask for it; not part of what is saved */
};

/* ---- running a comparison ------------------------------------------------------------------- */

struct be_progress {
    const char *what; /* what runs now: "power 1e6 on cuda:0, copy" */
    int done, left;   /* cases; of a probe: figures, and nobody counts those that are left */
    double elapsed_s, left_s;
};

struct be_profile;     /* breakeven_profile.h */
struct be_computation; /* breakeven_workload.h */

enum { BE_LIST_MAX = 64 };

enum { BE_CHOICES_MAX = 16 };

/* The value of a parameter: one value, several, or a range. Several values or a range make it the size that
 * is swept. */
struct be_choice {
    const char *name; /* "order" */
    uint64_t value[BE_LIST_MAX];
    int values;
    uint64_t from, to; /* a range, in steps of 1, 3, 10; 0: none */
};

/* Zero-initialise, then set what differs; a zero means the default said beside it. */
struct be_compare_options {
    const char *workload
        [BE_LIST_MAX]; /* names; none: your own, or where there are none all built-in ones */
    int workloads;
    const struct be_computation *const
        *own; /* computations of your own, beside the built-in ones */
    int owns;
    const char *device[BE_LIST_MAX]; /* ids or backends ("cuda"); none: every device here */
    int devices;
    int threads[BE_LIST_MAX]; /* thread counts of the CPU cases; none: 1 and all */
    int thread_counts;
    uint64_t size[BE_LIST_MAX]; /* none: size_from..size_to in steps of 1, 3, 10 */
    int sizes;
    uint64_t size_from, size_to;             /* default: the workload's, or what fits */
    struct be_choice choice[BE_CHOICES_MAX]; /* of parameters by name; others have their presets */
    int choices;
    const char *type;                 /* "float32" or "float64"; NULL: the workload's own */
    const char *variant[BE_LIST_MAX]; /* names; none: all */
    int variants;
    const char *blas;  /* CPU library of matrices: "mkl" or another kind, or a file; NULL:
                                      BREAKEVEN_BLAS, else of all that are here the fastest of each case */
    bool quick;        /* a look at a few sizes of warm data, with a fifth of
                                      the budget */
    uint64_t seed;     /* default 1 */
    double budget_s;   /* sampling time a case; default 0.25 */
    double patience_s; /* longest call that is made, as foreseen from smaller sizes;
                                      default 10, quick 0.2 */
    double total_s;    /* for all of it, shared among what is left: then larger sizes
                                      are left out; default: as long as it takes, quick 150,
                                      with energy 300 */
    double precision;  /* width of the interval / median; default 0.02 */
    bool placement[BE_PLACEMENTS]; /* none: copy, preload, resident */
    bool cache[BE_CACHES];         /* none: both, where the data fit a cache */
    bool energy;     /* also the energy a call, which takes a second and more a case */
    bool show_async; /* add the row of the clock read before the device is done */
    bool no_refine;  /* only the sizes asked for: no bisection */
    bool picture;    /* keep one of the largest right result of the first workload
                                      that can be drawn */
    bool shuffle;    /* order of the cases within a round: random, not fixed */
    /* Where limits come from: the first of these that is of this machine, drivers included, and
     * fresh (30 days); with profile_asked the first whatever its age, as far as its CPU and devices
     * are those here. A figure that no profile has is measured. */
    const struct be_profile *const *profile;
    int profiles;
    bool profile_asked;
    void (*progress)(void *context, const struct be_progress *progress); /* may be NULL */
    bool (*cancelled)(void *context); /* asked between samples; may be NULL */
    void *context;
};

/* Fills *machine with what is here. Absent backends are listed, not an error. */
enum be_status be_machine_describe(struct be_machine *machine, struct be_error *error);

/* Runs the comparison here. On success, and when the caller stopped it (BE_OK, partial set),
 * *comparison owns memory: be_comparison_free. BE_USAGE: unknown names, sizes that make no sense;
 * BE_ABSENT: a device asked for by name is not here; BE_NOMEM: a size asked for by name does not
 * fit the host. */
enum be_status be_compare(const struct be_compare_options *options,
                          struct be_comparison *comparison, struct be_error *error);
void be_comparison_free(struct be_comparison *comparison); /* accepts a zeroed one */

/* A case against itself, `pairs` times on each device here; how often the two came out as the
 * same, faster, slower, too close to call. */
struct be_self_test {
    struct be_device_info device[BE_DEVICES_MAX];
    int devices;
    int pairs;
    int same[BE_DEVICES_MAX], differ[BE_DEVICES_MAX], close[BE_DEVICES_MAX];
};
enum be_status be_compare_self_test(const struct be_compare_options *options, int pairs,
                                    struct be_self_test *result, struct be_error *error);

/* ---- results out and in --------------------------------------------------------------------- */

enum be_format {
    BE_TEXT,
    BE_JSON,
    BE_CSV,
    BE_PNG,   /* of a comparison: its picture; BE_USAGE where it has none */
    BE_SVG,   /* the chart alone, where there is one */
    BE_SARIF, /* of findings in job scripts */
    BE_HTML   /* one self-contained page, where there is one */
};

/* How an answer was made, for its page. Zeros: not told. */
struct be_made {
    const char *command; /* as one types it in a shell */
    char date[BE_NAME];  /* ISO 8601, UTC */
};

/* Writes the whole comparison to `out`. JSON: docs/json.md. */
enum be_status be_comparison_write(const struct be_comparison *comparison, enum be_format format,
                                   FILE *out, struct be_error *error);

/* Reads what be_comparison_write(..., BE_JSON) wrote. `name` is for messages. */
enum be_status be_comparison_read(FILE *in, const char *name, struct be_comparison *comparison,
                                  struct be_error *error);

/* ---- what there is -------------------------------------------------------------------------- */

/* Parameter `index` of workload `name`: its name and what it is; false: no such one. */
bool be_workload_parameter(const char *name, int index, const char **parameter,
                           const char **summary);

/* The name of value `value` of a parameter whose values are kinds ("window", 3: "deep"), in the first
 * workload that has such a parameter. NULL: it has no name. */
const char *be_parameter_kind(const char *parameter, uint64_t value);

/* Name and one-line summary of workload `index`, from 0; false: no such one. */
bool be_workload_describe(int index, const char **name, const char **summary);

#ifdef __cplusplus
}
#endif
#endif
