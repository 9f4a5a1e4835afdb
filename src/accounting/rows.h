/*
 * Names of the rows of a table of waits, where they are not partitions.
 */
#ifndef BE_ACCOUNTING_ROWS_H
#define BE_ACCOUNTING_ROWS_H

#include "breakeven_queue.h"
#include "accounting/record.h"

/* The row that a job is in; local_s: its submission on the clocks there. */
void be_row_name(enum be_wait_rows kind, const struct be_record *record, int64_t local_s,
                 char name[BE_NAME]);
/* Rows ascend by this. */
double be_row_key(enum be_wait_rows kind, const char *name);

/* Towards minus infinity, b > 0. */
static inline int64_t be_floor_div(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

#endif
