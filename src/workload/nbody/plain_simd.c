/* nbody as a book writes it: for each body a loop over all of them. Compiled once for each instruction set: the
 * compiler makes vectors of the inner loop. */
#include <math.h>

#include "workload/nbody/nbody.h"

#define PLAIN(REAL, bits, root)                                                                    \
    static void accelerations##bits(const REAL *x, REAL *out, size_t n, size_t first,              \
                                    size_t count) {                                                \
        const REAL *y = x + n, *z = x + 2 * n, *mass = x + 3 * n;                                  \
        for (size_t i = first; i < first + count; i++) {                                           \
            REAL ax = 0, ay = 0, az = 0;                                                           \
            _Pragma("omp simd reduction(+ : ax, ay, az)") for (size_t j = 0; j < n; j++) {         \
                const REAL dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];                   \
                const REAL r2 = dx * dx + dy * dy + dz * dz + (REAL)BE_NBODY_SOFTENING;            \
                const REAL s = mass[j] / (r2 * root(r2));                                          \
                ax += s * dx;                                                                      \
                ay += s * dy;                                                                      \
                az += s * dz;                                                                      \
            }                                                                                      \
            out[i] = ax;                                                                           \
            out[n + i] = ay;                                                                       \
            out[2 * n + i] = az;                                                                   \
        }                                                                                          \
    }
PLAIN(float, 32, sqrtf)
PLAIN(double, 64, sqrt)

void BE_SIMD_NAME(be_nbody_plain_run)(const struct be_work *work) {
    const size_t n = be_nbody_bodies(work->problem);
    const void *bodies = be_work_array(work, BE_NBODY_BODIES);
    void *out = be_work_array(work, BE_NBODY_ACCELERATIONS);
    size_t first;
    size_t count;
    be_work_rows(work, n, BE_NBODY_GRAIN, &first, &count);
    if (work->problem->real == BE_REAL64) {
        accelerations64(bodies, out, n, first, count);
    } else {
        accelerations32(bodies, out, n, first, count);
    }
}
