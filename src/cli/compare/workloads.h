/*
 * Workloads as `breakeven compare --list` shows them: what each computes, what it can be asked for, and in which ways
 * it is computed. Programs that go through all workloads read the JSON.
 */
#ifndef BE_CLI_COMPARE_WORKLOADS_H
#define BE_CLI_COMPARE_WORKLOADS_H

#include <stdio.h>

#include "breakeven.h"

struct be_workload;

/* A NULL-terminated list as text or JSON (docs/json.md). */
enum be_status be_cli_workloads_write(const struct be_workload *const *workload,
                                      enum be_format format, FILE *out, struct be_error *error);

#endif
