/*
 * A program that ran on a GPU: would the cores of its node have done it? From the counters of a trace and the rates of
 * the node. Pure.
 */
#ifndef BE_ASK_GPU_WORTH_H
#define BE_ASK_GPU_WORTH_H

#include "ask/gpu_work.h"
#include "ask/verdict.h"
#include "observe/trace.h"

enum be_gpu_cause {
    BE_GPU_BY_WORK,      /* the work of the GPU decides */
    BE_GPU_BY_SHORTNESS, /* too few samples tell anything */
    BE_GPU_BY_OTHERS,    /* others were on the GPU: its counters are of all */
    BE_GPU_BY_MODEL,     /* there is no data sheet of this GPU */
    BE_GPU_BY_COUNTERS,  /* it has no counters of its units: only the time of use is known */
    BE_GPU_BY_IDLENESS,  /* the program had memory on it, and next to nothing ran */
    BE_GPU_CAUSES
};
extern const char *const be_gpu_cause_words[BE_GPU_CAUSES]; /* "work" */

/* The run on a smaller GPU, as its data sheet allows: so many times as long, at least and at most. */
struct be_gpu_on_card {
    char name[BE_NAME];
    double longer_lo, longer_hi;
};

struct be_gpu_worth {
    bool used; /* the program used a GPU, or had memory on one; else the rest means nothing */
    enum be_ask_verdict verdict;
    enum be_gpu_cause cause;
    int gpus;                 /* that it used */
    double gpu_s;             /* in which kernels ran, on the GPU with most */
    double held_bytes;        /* of a GPU on which next to nothing ran; else NAN */
    double kernels;           /* traced; NAN not traced */
    double operations, bytes; /* that the counters saw, of all its GPUs; NAN: no such counters */
    int cores;                /* that the run may use */
    struct be_worth_time all; /* the GPU's work on those cores, used well */
    struct be_worth_time
        one; /* that work as NumPy does it: products on those cores, the rest on one */
    /* The whole run without a GPU: the rest of it and that work, with the cores used well; and from there up to the way in
     * which the CPU's side of the program's libraries works. */
    struct be_worth_time well, run;
    char one_core
        [BE_NAME]; /* that side works on one core: "NumPy"; "-": it may, and is not known; empty: it uses all */
    double gain, gain_lo, gain_hi; /* run / the time that it took: above 1 the GPU is faster */
    char smaller[BE_NAME]; /* a part of this GPU that would do: "1g", of seven; empty: none would */
    double smaller_longer; /* the run would take so many times as long there, at most */
    struct be_gpu_on_card card[BE_CARDS_MAX]; /* where the GPU is worth it, and its memory fits */
    int cards;
};

/* `trace->rates` must be filled in. */
void be_gpu_worth_of(const struct be_trace *trace, struct be_gpu_worth *worth);

#endif
