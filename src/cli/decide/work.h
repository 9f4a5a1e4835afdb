/*
 * How long the computation takes on so many cores, or on a GPU: from its numbers and profiles, or from a run that was
 * watched. It does not know clusters.
 */
#ifndef BE_CLI_DECIDE_WORK_H
#define BE_CLI_DECIDE_WORK_H

#include "breakeven_decide.h"
#include "cli/decide/runs.h"
#include "decide/network.h"
#include "question/formulas.h"
#include "question/profiles.h"

struct be_trace;

/* The question. Zero-initialise; one of formulas and run. */
struct be_cli_work_asked {
    struct be_formulas *formulas; /* open; NULL: none */
    double n;
    const char *cpu;        /* profile of the CPU; NULL: here */
    const char *const *run; /* files of traces */
    int runs;
    const char *const *gpu_run; /* of the version for GPUs */
    int gpu_runs;
    double speedup_lo,
        speedup_hi;  /* that the version for GPUs is faster than the run; 0: not known */
    double parallel; /* share of the work that more cores or GPUs share; 0: from the runs */
    int gpus;        /* at most so many; 0: as many as runs had */
    int nodes;       /* its ranks can be on so many nodes; 0: one */
    struct be_exchange exchange; /* between nodes; zeros: not known */
    struct be_network network;   /* of any cluster; name empty: what the catalogue says */
    double load_s;               /* before it computes; 0: none */
    bool quiet;
};

struct be_cli_work {
    struct be_cli_work_asked asked;
    struct be_predict_work numbers;
    struct be_here here;
    struct be_profile cpu_profile;
    /* Cores: time(c) = still + serial + parallel / c + talk x log2(c). lo, hi: both ends of the interval over the middle. */
    double still_s, serial_s, parallel_s, talk_s, lo, hi;
    struct be_cli_runs core_runs, gpu_runs;
    int measured_cores; /* more are extrapolated; 0: from numbers of a profile, none is known */
    bool scales;        /* the share that more cores do is known */
    /* The version for GPUs as it ran; typical_s 0: not known. */
    struct be_predict_time gpu; /* on gpu_at of them */
    int gpu_at;
    double gpu_w;                  /* mean power of one GPU of the runs; NAN: not measured */
    struct be_profile gpu_profile; /* of the one it ran on; name empty: any */
    bool gpu_known;
    char text[BE_NOTE]; /* what the times rest on, one line */
};

/* Zero-initialise; close accepts what open left. BE_USAGE: a file is no trace, or the run failed. */
enum be_status be_cli_work_open(const struct be_cli_work_asked *asked, struct be_cli_work *work,
                                struct be_error *error);
void be_cli_work_close(struct be_cli_work *work);

/* Fills load, compute, basis and extrapolated. elsewhere: cores of a machine whose rates are not known; they are taken to
 * be like those here, within a factor that is part of the interval. */
enum be_status be_cli_work_on_cores(const struct be_cli_work *work, int cores, bool elsewhere,
                                    struct be_decide_place *place, struct be_error *error);

/* Time on few cores over time on more. */
double be_cli_work_gain(const struct be_cli_work *work, int few, int more);

/* Does anything say how long a GPU takes? */
bool be_cli_work_has_gpu(const struct be_cli_work *work);

/* Is it known how it uses several GPUs? */
bool be_cli_work_gpus_scale(const struct be_cli_work *work);

/* The numbers of GPUs that are places of their own, ascending, at most BE_CLI_GPU_COUNTS. */
enum { BE_CLI_GPU_COUNTS = 8 };
int be_cli_work_gpu_counts(const struct be_cli_work *work, int count[BE_CLI_GPU_COUNTS]);

/* Fills load, transfer, compute and basis for `gpus` of that profile, or for a `share` of one. BE_ABSENT: its rates do
 * not suffice, or how it uses so many is not known. */
enum be_status be_cli_work_on_gpu(const struct be_cli_work *work, const struct be_profile *gpu,
                                  int gpus, double share, struct be_decide_place *place,
                                  struct be_error *error);

#endif
