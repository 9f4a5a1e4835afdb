/*
 * The time that recorded calls of BLAS and LAPACK would take on a GPU, by their shapes. It reads no file.
 */
#ifndef BE_ASK_RECORDED_H
#define BE_ASK_RECORDED_H

#include "ask/ask.h"
#include "observe/calls/trace_calls.h"
#include "predict/predict.h"

/* The program's time there: data that stay on the GPU, but for the last. */
struct be_ask_time {
    double lo_s, typical_s, hi_s, copy_s; /* NAN not known */
};

/* Calls of one kind of work. */
struct be_ask_recorded {
    double calls, cpu_s; /* on the CPU, as it was recorded */
    struct be_ask_time there;
};

/* Adds the calls to their kinds, of BE_WORK_KINDS. Calls of several kinds together, and those of unknown length, are left
 * out. An interpreter had so much time for calls (NAN: there is none): more of them than that allows came several at a time, as a
 * stack of matrices does that one call of NumPy solves. */
void be_ask_recorded_of(const struct be_trace_calls *calls, const struct be_predict_place *gpu,
                        double interpreter_s, struct be_ask_recorded *recorded);

/* "dgemm 600 x 600 x 600: 1,234 calls", of the longest; empty: none. */
const char *be_ask_longest_call(const struct be_trace_calls *calls, char *to, size_t capacity);

#endif
