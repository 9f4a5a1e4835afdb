/* The size of a system: a grid as wide as the root of its rows. */
#include "workload/cg/cg.h"

#include <math.h>

/* Couplings between neighbours are two nonzeros each. */
static size_t nonzeros_of(size_t rows, size_t wide) {
    const size_t lines = (rows + wide - 1) / wide;
    return rows + 2 * (rows - lines) + 2 * (rows - wide);
}

struct be_cg_sizes be_cg_sizes_of(const struct be_problem *problem) {
    const size_t rows = (size_t)problem->value[BE_CG_ROWS];
    const size_t wide = (size_t)sqrt((double)rows);
    return (struct be_cg_sizes){.rows = rows,
                                .iterations = (size_t)problem->value[BE_CG_ITERATIONS],
                                .wide = wide,
                                .nonzeros = nonzeros_of(rows, wide)};
}
