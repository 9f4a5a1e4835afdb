/*
 * The rates of a node by which the work of its GPU is held against its cores. Plain data, which a trace keeps. It does
 * not know where they are from (cli/run/node_rates.h).
 */
#ifndef BE_OBSERVE_RATES_H
#define BE_OBSERVE_RATES_H

#include "breakeven.h"

/* A second, of cores. NAN: not known. */
struct be_core_rates {
    double float32, float64; /* operations; a multiply-add counts as two */
    double memory, cache;    /* bytes: of arrays that no cache holds; that the last cache holds */
};

struct be_trace_rates {
    char cpu[BE_NOTE]; /* whose the cores' rates are: "measured here"; empty: nobody has looked */
    double
        off; /* the true rates may be so many times higher or lower than these: 1: measured here */
    int cores; /* `all` is of so many */
    struct be_core_rates one, all;
    double cache_bytes; /* of the CPU */
    /* The GPU's maximum: of its model's profile or data sheet, at its highest clock. */
    char gpu[BE_NOTE]; /* empty: there is none of that model */
    double gpu32, gpu64, gpu_half,
        gpu_matrix64;           /* operations; of matrices in 16 bits, in float64 */
    double gpu_memory, gpu_bus; /* bytes */
    double units, clock_hz;     /* multiprocessors */
};

#endif
