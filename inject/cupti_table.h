/*
 * CUPTI as a table of functions, found in a process that uses CUDA. Part of what is loaded into other
 * people's programs: see trace.c for what that asks of the code here.
 */
#ifndef INJECT_CUPTI_TABLE_H
#define INJECT_CUPTI_TABLE_H

#include <stdbool.h>

#include "cupti_types.h"

#define CONST(name, value) enum { name = value };
#include "cupti_constants.h"
#undef CONST

#define FN(need, type, name, arguments) type(*name) arguments;
struct cupti {
#include "cupti_list.h"
    void *handle;
};
#undef FN

/* Opens the CUPTI that this process has already, else the one beside its CUDA runtime, else that of
 * the usual places. False: none fits, for the reason written to `why`. */
bool cupti_open(struct cupti *cupti, char *why, size_t capacity);

/* "CUPTI_ERROR_NOT_INITIALIZED (15)", or the number alone. */
const char *cupti_said(const struct cupti *cupti, CUptiResult result, char *text, size_t capacity);

/* Version of the driver in this process, 13000 for 13.0; 0: it does not say. */
int cupti_driver_version(void);
/* "GPU-..." or "MIG-..." of a CUDA device of this process; empty where it cannot be asked. */
void cupti_device_uuid(int device, char *text, size_t capacity);

#endif
