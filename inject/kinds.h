/*
 * The kinds of records that CUPTI is asked for.
 */
#ifndef INJECT_KINDS_H
#define INJECT_KINDS_H

#include "cupti_table.h"

/* Kernels and copies. False: nothing is recorded, for the reason written to `why`. */
bool kinds_enable(const struct cupti *cupti, char *why, size_t capacity);
void kinds_disable(const struct cupti *cupti);

#endif
