/*
 * Numbers of usual code, by the words that people use: operations, bytes and kernels of a factorisation, and seconds that
 * the call of a framework takes beside its work. It does not know sizes of anything else. Pure.
 */
#ifndef BE_PREDICT_USUAL_H
#define BE_PREDICT_USUAL_H

#include "breakeven_predict.h"

/* "numpy"; "" of none. */
extern const char *const be_framework_word[BE_FRAMEWORKS];
/* "svd"; "" of none. */
extern const char *const be_factor_word[BE_FACTORS];

/* The index of that word in a list whose first is "", in any case of letters; 0: it is none of them. */
int be_usual_word(const char *const *words, int count, const char *word);

/* The framework of that name, or the one whose calls its own are like: "cudf" is pandas. NONE: it is not known. */
enum be_framework be_usual_framework(const char *word);

/* The numbers of a factorisation of one factor_m x factor_n matrix, where `work` does not say them itself. */
void be_usual_factor(struct be_predict_work *work);

/* The calls of a framework: seconds of one, how many of them all calls of `work` make, and whether its code for arrays
 * runs on one thread. */
struct be_usual_calls {
    struct be_predict_time one;
    double count;
    struct be_predict_time kernel; /* of each kernel on a GPU, where that is longer than a launch */
    bool each_kernel; /* each starts a kernel, so that its seconds are part of a launch */
    bool one_thread;
};
struct be_usual_calls be_usual_calls(const struct be_predict_work *work);

#endif
