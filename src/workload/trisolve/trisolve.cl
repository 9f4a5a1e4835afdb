/* Rows of a sparse lower triangle that wait for no other of them, a lane each: order[from] to order[from + count - 1]. The
 * diagonal is last in its row. */
#include "kernels/dialect.h"

KERNEL k_level(GLOBAL const int *start, GLOBAL const int *column, GLOBAL const REAL *value,
               GLOBAL const int *order, GLOBAL const REAL *b, GLOBAL REAL *y, LONG from, LONG count) {
    const LONG at = GROUP(0) * LANES(0) + LANE(0);
    if (at < count) {
        const int row = order[from + at];
        const int last = start[row + 1] - 1;
        REAL sum = b[row];
        for (int j = start[row]; j < last; j++)
            sum = REAL_FMA(-value[j], y[column[j]], sum);
        y[row] = sum / value[last];
    }
}
