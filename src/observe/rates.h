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

/* The maximum of a smaller GPU, of its data sheet, likewise. */
struct be_card_rates {
    char name[BE_NAME]; /* "L4" */
    double gpu32, gpu64, gpu_half, gpu_matrix64, gpu_memory;
    double units, clock_hz, memory_bytes;
    double clock_share; /* of its clock that it keeps with its power, where all units are at work */
};
enum { BE_CARDS_MAX = 2 };

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
        gpu_matrix64;                        /* operations; of matrices in 16 bits, in float64 */
    double gpu_memory, gpu_bus;              /* bytes */
    double units, clock_hz;                  /* multiprocessors */
    struct be_card_rates card[BE_CARDS_MAX]; /* smaller GPUs that one may ask for */
    int cards;
};

#endif
