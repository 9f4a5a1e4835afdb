/* time(bytes) = latency + bytes / rate, fitted. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "machine/profile.h"
#include "stat/stat.h"

/* Least squares of (latency + bytes * slope - seconds) / seconds: small and large sizes count
 * alike. Normal equations of two unknowns; where one comes out below zero it is zero. */
static void solve(const double *bytes, const double *seconds, int n, double *latency,
                  double *slope) {
    double aa = 0;
    double ab = 0;
    double bb = 0;
    double ay = 0;
    double by = 0;
    for (int i = 0; i < n; i++) {
        double a = 1 / seconds[i];
        double b = bytes[i] / seconds[i];
        aa += a * a;
        ab += a * b;
        bb += b * b;
        ay += a;
        by += b;
    }
    double determinant = aa * bb - ab * ab;
    *latency = (ay * bb - by * ab) / determinant;
    *slope = (aa * by - ab * ay) / determinant;
    if (*latency < 0) {
        *latency = 0;
        *slope = by / bb;
    }
    if (*slope < 0) {
        *slope = 0;
        *latency = ay / aa;
    }
}

static enum be_status check(const double *bytes, const double *seconds, int n,
                            struct be_error *error) {
    int different = 0;
    for (int i = 0; i < n; i++) {
        bool seen = false;
        for (int j = 0; j < i; j++) {
            seen |= bytes[j] == bytes[i];
        }
        different += !seen;
        if (!(bytes[i] >= 0) || !(seconds[i] > 0) || !isfinite(bytes[i]) || !isfinite(seconds[i])) {
            return be_fail(error, BE_USAGE, "fit: point %d is %g bytes in %g s", i, bytes[i],
                           seconds[i]);
        }
    }
    return different >= 3 ? BE_OK
                          : be_fail(error, BE_USAGE,
                                    "fit: %d different sizes: three are needed for a latency, a "
                                    "rate and their error",
                                    different);
}

enum be_status be_fit_line(const double *bytes, const double *seconds, int n, struct be_fit *fit,
                           struct be_error *error) {
    enum be_status status = check(bytes, seconds, n, error);
    if (status != BE_OK) {
        return status;
    }
    double *off = calloc((size_t)n, sizeof *off);
    if (!off) {
        return be_fail(error, BE_NOMEM, "fit: no host memory for %d points", n);
    }
    double latency;
    double slope;
    solve(bytes, seconds, n, &latency, &slope);
    fit->latency_s = latency;
    fit->rate = slope > 0 ? 1 / slope : NAN;
    fit->smallest = fit->largest = bytes[0];
    fit->worst_off = 0;
    fit->points = n;
    for (int i = 0; i < n; i++) {
        off[i] = fabs(latency + bytes[i] * slope - seconds[i]) / seconds[i];
        fit->worst_off = fmax(fit->worst_off, off[i]);
        fit->smallest = fmin(fit->smallest, bytes[i]);
        fit->largest = fmax(fit->largest, bytes[i]);
    }
    fit->typical_off = be_median(off, n);
    free(off);
    return BE_OK;
}
