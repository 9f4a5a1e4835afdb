/*
 * How long the computation takes on so many cores, or on a GPU: from its numbers and profiles, or from a run that was
 * watched. It does not know clusters.
 */
#ifndef BE_CLI_DECIDE_WORK_H
#define BE_CLI_DECIDE_WORK_H

#include "breakeven_decide.h"
#include "question/formulas.h"
#include "question/profiles.h"

struct be_trace;

/* The question. Zero-initialise; one of formulas and run. */
struct be_cli_work_asked {
    struct be_formulas *formulas; /* open; NULL: none */
    double n;
    const char *cpu;     /* profile of the CPU; NULL: here */
    const char *run;     /* file of a trace; NULL: none */
    const char *gpu_run; /* of the version for GPUs; NULL: none */
    double speedup_lo,
        speedup_hi;  /* that the version for GPUs is faster than the run; 0: not known */
    double parallel; /* share of the run's work that more cores share; 0: from the run */
    double load_s;   /* before it computes; 0: none */
    bool quiet;
};

struct be_cli_work {
    struct be_cli_work_asked asked;
    struct be_predict_work numbers;
    struct be_here here;
    struct be_profile cpu_profile;
    /* Cores: time(c) = still + serial + parallel / c. `wide`: both ends of the interval over the middle. */
    double still_s, serial_s, parallel_s, lo, hi;
    int measured_cores; /* more are extrapolated; 0: from numbers of a profile, none is known */
    bool scales;        /* the share that more cores do is known */
    /* The version for GPUs as it ran; typical_s 0: not known. */
    struct be_predict_time gpu;
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

/* Fills load, transfer, compute and basis for `share` of the GPU of that profile. BE_ABSENT: its rates do not suffice. */
enum be_status be_cli_work_on_gpu(const struct be_cli_work *work, const struct be_profile *gpu,
                                  double share, struct be_decide_place *place,
                                  struct be_error *error);

#endif
