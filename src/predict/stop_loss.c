/*
 * The stop-loss limit. A value of s bytes crosses the bus once, and a operations are done with it by each of r calls:
 * the CPU takes a r / C, the GPU s / B + a r / G. The GPU is ahead where a r > s C G / (B (G - C)).
 */
#include <math.h>

#include "base/error.h"
#include "predict/predict.h"

enum be_status be_stop_loss(const struct be_predict_rates *rates, double *operations,
                            struct be_error *error) {
    const double c = rates->cpu_flop_s, g = rates->gpu_flop_s, b = rates->bus_bytes_s,
                 s = rates->value_bytes;
    if (!(c > 0) || !(g > 0) || !(b > 0) || !(s > 0) || isinf(c) || isinf(g) || isinf(b)) {
        return be_fail(
            error, BE_USAGE,
            "rates %g, %g operations a second and %g bytes a second: each has to be above "
            "0 and finite",
            c, g, b);
    }
    *operations = g > c ? s / b / (1 / c - 1 / g) : INFINITY;
    return BE_OK;
}
