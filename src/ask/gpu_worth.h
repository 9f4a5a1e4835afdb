/*
 * A program that ran on a GPU: would the cores of its node have done it? From the counters of a trace and the rates of
 * the node. Pure.
 */
#ifndef BE_ASK_GPU_WORTH_H
#define BE_ASK_GPU_WORTH_H

#include "ask/verdict.h"
#include "observe/trace.h"

enum be_gpu_cause {
    BE_GPU_BY_WORK,      /* the work of the GPU decides */
    BE_GPU_BY_SHORTNESS, /* too few samples tell anything */
    BE_GPU_BY_OTHERS,    /* others were on the GPU: its counters are of all */
    BE_GPU_BY_MODEL,     /* there is no data sheet of this GPU */
    BE_GPU_BY_COUNTERS,  /* it has no counters of its units: only the time of use is known */
    BE_GPU_CAUSES
};
extern const char *const be_gpu_cause_words[BE_GPU_CAUSES]; /* "work" */

/* Seconds: 90 % lie within, as far as code was held against these rules (docs/prediction.md). NAN: not known. */
struct be_worth_time {
    double lo_s, typical_s, hi_s;
};

struct be_gpu_worth {
    bool used; /* the program used a GPU; else the rest means nothing */
    enum be_ask_verdict verdict;
    enum be_gpu_cause cause;
    int gpus;                 /* that it used */
    double gpu_s;             /* in which kernels ran, on the GPU with most */
    double kernels;           /* traced; NAN not traced */
    double operations, bytes; /* that the counters saw, of all its GPUs; NAN: no such counters */
    int cores;                /* that the run may use */
    struct be_worth_time all, one; /* the GPU's work on those cores, on one of them */
    struct be_worth_time run;      /* the whole run without a GPU: the rest of it and that work */
    double gain, gain_lo, gain_hi; /* run / the time that it took: above 1 the GPU is faster */
    char smaller[BE_NAME]; /* a part of this GPU that would do: "1g", of seven; empty: none would */
    double smaller_longer; /* the run would take so many times as long there, at most */
};

/* `trace->rates` must be filled in. */
void be_gpu_worth_of(const struct be_trace *trace, struct be_gpu_worth *worth);

#endif
