/*
 * What CUPTI is asked to record.
 */
#ifndef INJECT_KINDS_H
#define INJECT_KINDS_H

#include "cupti_table.h"

/* Kernels, copies, waits. False: nothing is recorded, for the reason written to `why`. */
bool kinds_enable(const struct cupti *cupti, char *why, size_t room);
void kinds_disable(const struct cupti *cupti);
/* Records of launches too, or no longer. False: this CUPTI cannot record them alone. */
bool kinds_launches(const struct cupti *cupti, bool on);

#endif
