/*
 * A program's time over the number of cores, GPUs or ranks that share it, from runs on several numbers of them:
 *
 *     time(p) = fixed + shared / p + talk x log2(p)
 *
 * The first two terms are Amdahl's rule (1967). The third is communication: a step of an exchange among p ranks takes
 * log2(p) messages in a row (a tree). It knows neither cores nor GPUs: p is a number.
 */
#ifndef BE_DECIDE_SCALING_H
#define BE_DECIDE_SCALING_H

#include <stdbool.h>

enum { BE_SCALING_RUNS_MAX = 64 };

struct be_scaling_run {
    double p, seconds;
};

struct be_scaling {
    double fixed_s, shared_s, talk_s; /* none is negative */
    double least, most;               /* numbers that were measured */
    int numbers;                      /* of them that differ */
};

/* Least squares of relative errors, over the terms that are not negative. Two numbers do not tell communication from work
 * in a row: then the first two terms are fitted, and the third where more took longer. false: fewer than two numbers. */
bool be_scaling_fit(const struct be_scaling_run *run, int runs, struct be_scaling *scaling);
double be_scaling_at(const struct be_scaling *scaling, double p);

#endif
