/*
 * The workloads that a comparison knows: those that the options hand in, and the built-in ones.
 */
#ifndef BE_BENCH_KNOWN_H
#define BE_BENCH_KNOWN_H

#include "own/own.h"

/* Zeroed: none. */
struct be_known {
    const struct be_workload *
        *workload; /* the user's first, then the built-in ones, NULL-terminated */
    int workloads;
    struct be_own **own;
    int owns;
};

/* BE_USAGE: a description is wrong, or two workloads have one name. The list is to be closed also after an error. */
enum be_status be_known_open(const struct be_compare_options *options, struct be_known *known,
                             struct be_error *error);
void be_known_close(struct be_known *known);

const struct be_workload *be_known_find(const struct be_known *known,
                                        const char *name); /* NULL: no such one */

#endif
