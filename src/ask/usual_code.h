/*
 * How code that people use on CPUs does: how far above what the rates of cores allow, and on how many cores. By the library
 * that a program has; it does not know what the program computes. Pure tables.
 */
#ifndef BE_ASK_USUAL_CODE_H
#define BE_ASK_USUAL_CODE_H

#include "observe/libraries.h"

/* Times over what the rates allow: 90 % lie within, as far as code was looked at. */
struct be_over_rates {
    double lo, typical, hi;
};

extern const struct be_over_rates be_code_operations, be_code_memory; /* on all cores, used well */
extern const struct be_over_rates be_code_products; /* a library's, on all cores */
extern const struct be_over_rates be_code_arrays;   /* calls on whole arrays, on one core */

/* The CPU's side of a library for GPUs. */
struct be_cpu_side {
    const char *name; /* who works there: "NumPy"; empty: not known */
    bool one_core;    /* all but products may be on one core */
    bool all_cores;   /* it may use all; both: not known */
};
/* `libraries` as be_libraries_write has them. */
const struct be_cpu_side *be_cpu_side_of(const char *libraries);

#endif
