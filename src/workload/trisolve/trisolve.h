/*
 * Declarations that the files of the workload trisolve share: the system, its
 * data and its code.
 *
 * L is the lower triangle of a grid's matrix with five points, in compressed
 * rows with ascending columns: -1 for the neighbours above and left, 4.1 on the
 * diagonal, last in its row. Rows of the grid have `wide` unknowns, the last
 * one perhaps fewer. Unknowns on a diagonal of the grid wait for those of the
 * diagonal before only: a level. `order` has the rows level after level, and
 * those of level d begin at first[d]: what libraries find out once, before the
 * first solve.
 */
#ifndef BE_WORKLOAD_TRISOLVE_TRISOLVE_H
#define BE_WORKLOAD_TRISOLVE_TRISOLVE_H

#include "workload/workload.h"

enum {
    BE_TRISOLVE_START,
    BE_TRISOLVE_COLUMN,
    BE_TRISOLVE_VALUE,
    BE_TRISOLVE_ORDER,
    BE_TRISOLVE_FIRST,
    BE_TRISOLVE_B,
    BE_TRISOLVE_Y
};

struct be_trisolve_sizes {
    size_t rows, wide, lines, levels, nonzeros;
};
struct be_trisolve_sizes be_trisolve_sizes_of(const struct be_problem *problem);
/* Rows of a level. */
size_t be_trisolve_level(const struct be_trisolve_sizes *s, size_t level);

/* host.c: row after row by one member; level after level by all. */
void be_trisolve_host_serial(const struct be_work *work);
void be_trisolve_host_levels(const struct be_work *work);

/* device.c */
enum be_status be_trisolve_prepare(struct be_device *device, const struct be_problem *problem,
                                   struct be_prepared *prepared, struct be_error *error);
enum be_status be_trisolve_enqueue(const struct be_launch *launch, struct be_error *error);

#endif
