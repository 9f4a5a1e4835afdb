/*
 * The calls of BLAS and LAPACK of a run, as its trace keeps them: the rows of calls.h as plain data of bounded size.
 */
#ifndef BE_OBSERVE_CALLS_TRACE_CALLS_H
#define BE_OBSERVE_CALLS_TRACE_CALLS_H

#include "observe/calls/calls.h"

enum { BE_TRACE_CALLS_MAX = 48 };

struct be_trace_call {
    char function[BE_NAME]; /* "dgemm"; "others": all for which there was no room */
    char kind[BE_NAME];     /* a word of be_call_kinds; empty: of several kinds */
    bool rounded;           /* several shapes, and their means */
    double m, n, k, batch;  /* as struct be_call_row has them, here and below */
    double calls, seconds, flops;
    double fresh, changed, same, made, written;
};

struct be_trace_calls {
    bool asked;         /* calls were to be recorded */
    char note[BE_NOTE]; /* why some or all could not be; may be empty */
    double processes;   /* that made calls */
    double lost;        /* calls, or threads, for which there was no room */
    double flops32,
        flops64; /* a second, that this machine's matrix products reach; NAN: not measured */
    struct be_trace_call row[BE_TRACE_CALLS_MAX]; /* longest first */
    int rows;
};

/* All but `asked`, the note and the rates. */
void be_trace_calls_take(struct be_trace_calls *to, const struct be_calls *from);

#endif
