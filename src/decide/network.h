/*
 * The network between the nodes of a cluster, and how long exchanges over it take:
 *
 *     all-reduce of B bytes on p nodes = min(2 (p - 1) x (L + B / (p W)),  log2(p) x (L + B / W))
 *     halo of B bytes                  = L + B / W
 *
 * L is the latency of a message, W the bandwidth out of a node. The first form goes around a ring, the second doubles the
 * distance in each step (Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH",
 * 2005); libraries take the one that is faster. It knows neither clusters nor programs.
 */
#ifndef BE_DECIDE_NETWORK_H
#define BE_DECIDE_NETWORK_H

#include "breakeven_predict.h"

/* Intervals of 90 %: of a byte out of a node, and of a message. */
struct be_network {
    char name[BE_NAME]; /* "hdr100", "4xslingshot-11", "25 GB/s"; empty: none was named */
    struct be_predict_time byte_s, message_s;
    bool guess; /* nobody said which one it is */
};

/* All exchanges of a program. 0 bytes: none of that kind. */
struct be_exchange {
    double reduce_bytes, reduces; /* summed over all ranks; how often */
    double halo_bytes, halos;     /* that a node sends to all its neighbours; how often */
};

/* A fabric of the table, by its word, or N links of it side by side ("4xhdr200"). false: it is none of them. */
bool be_network_named(const char *word, struct be_network *network);
/* Measured: GB/s out of a node, and microseconds of a message. */
struct be_network be_network_measured(double gigabytes_s, double microseconds);
/* Any of the table, as nobody knows which. */
struct be_network be_network_unknown(void);
/* The words of the table, one after the other; NULL: no more. */
const char *be_network_word(size_t index);

bool be_exchange_any(const struct be_exchange *exchange);
/* Seconds of all exchanges. One node: zeros. The lower end is a tenth of the least: programs compute meanwhile. */
struct be_predict_time be_exchange_s(const struct be_network *network,
                                     const struct be_exchange *exchange, int nodes);

#endif
