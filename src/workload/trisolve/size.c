/* The size of a system and of its levels: a grid as wide as the root of its
 * rows. */
#include "workload/trisolve/trisolve.h"

#include <math.h>

struct be_trisolve_sizes be_trisolve_sizes_of(const struct be_problem *problem) {
    const size_t rows = (size_t)problem->value[0];
    const size_t wide = (size_t)sqrt((double)rows);
    const size_t lines = (rows + wide - 1) / wide;
    return (struct be_trisolve_sizes){.rows = rows,
                                      .wide = wide,
                                      .lines = lines,
                                      .levels = wide + lines - 1,
                                      .nonzeros = rows + (rows - lines) + (rows - wide)};
}

/* A point a line of the grid, but where the diagonal leaves it, or the last
 * line is too short. The last level has none where that line is. */
size_t be_trisolve_level(const struct be_trisolve_sizes *s, size_t level) {
    const size_t from = level >= s->wide ? level - s->wide + 1 : 0;
    const size_t to = level < s->lines ? level : s->lines - 1;
    const size_t last = s->lines - 1;
    const bool is_short = to == last && last * s->wide + (level - last) >= s->rows;
    return to + 1 - from - (is_short ? 1 : 0);
}
