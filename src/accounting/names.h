/*
 * Names as small numbers, in the order they were first seen: partitions, users, accounts.
 */
#ifndef BE_ACCOUNTING_NAMES_H
#define BE_ACCOUNTING_NAMES_H

#include "accounting/record.h"

/* Zero-initialise. */
struct be_idents {
    char **name;    /* terminated */
    uint32_t *hash; /* of each */
    int count, capacity;
    int *slot; /* open addressing; -1: free */
    uint32_t slots;
    int last; /* the one found last: jobs of one partition come in rows */
};

/* Its number; -1: no host memory. */
int be_idents_add(struct be_idents *idents, struct be_slice name);
/* -1: not there. */
int be_idents_find(const struct be_idents *idents, struct be_slice name);
/* Fails with BE_USAGE: no job names this partition; the text names those there are. */
enum be_status be_idents_unknown(const struct be_idents *idents, const char *asked,
                                 struct be_error *error);
void be_idents_free(struct be_idents *idents);

#endif
