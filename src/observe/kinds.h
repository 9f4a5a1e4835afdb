/*
 * The kinds of work of a run on CPUs, and a GPU's worth for them, as its trace keeps them: plain data of bounded size. It
 * does not know how they came about (ask/).
 */
#ifndef BE_OBSERVE_KINDS_H
#define BE_OBSERVE_KINDS_H

#include "breakeven.h"

enum { BE_TRACE_KINDS_MAX = 24 };

struct be_trace_kind {
    char kind[BE_NAME]; /* a word of share/kinds.json: "interpreter" */
    char what[BE_NAME]; /* "the Python interpreter" */
    double cpu_s;       /* of all threads */
    double wall_s;      /* of the run */
};

/* NAN: not known. */
struct be_trace_kinds {
    bool asked;              /* samples were to be taken */
    char unsampled[BE_NOTE]; /* why there are none; empty: there are */
    double samples,
        own_s;    /* own_s: the time of the run without waiting for cores that others had */
    double known; /* share of the CPU time whose kind is known */
    struct be_trace_kind part[BE_TRACE_KINDS_MAX]; /* the longest first */
    int parts;
    double
        most; /* as fast at most with any GPU, as the program is; INFINITY: nothing stays on the CPU */
    char gpu[BE_NAME], verdict[BE_NAME],
        cause[BE_NAME];            /* "h100" "no" "staying"; empty: none was asked about */
    double gain, gain_lo, gain_hi; /* so many times as fast with that GPU */
};

#endif
