#include "bench/case/cut.h"

#include <math.h>
#include <stdbool.h>

/* A slice that is better by less than this may be so by noise. */
static const double better = 0.95;

static double known(double seconds) {
    return isfinite(seconds) ? seconds : 0;
}

static double slices_of(const struct be_cut *cut, size_t at_a_time) {
    return ceil((double)cut->chunks / (double)at_a_time);
}

/* Copies of the first and the last slice stand alone, all others beside the work of some slice. */
static double foreseen(const struct be_cut *cut, size_t at_a_time, double slice_s) {
    const double count = slices_of(cut, at_a_time);
    const double in_s = known(cut->in_s);
    const double out_s = known(cut->out_s);
    return (in_s + out_s) / count + fmax(fmax(in_s, out_s), count * slice_s);
}

static bool may_help(const struct be_cut *cut, size_t at_a_time, double slice_s) {
    const double count = slices_of(cut, at_a_time);
    return count > 1 && count * slice_s > fmax(known(cut->in_s), known(cut->out_s));
}

enum be_status be_cut_choose(const struct be_cut *cut, size_t *at_a_time, struct be_error *error) {
    double best_s = INFINITY;
    bool more = true;
    enum be_status status = BE_OK;
    *at_a_time = 1;
    for (size_t k = 1; status == BE_OK && more; k *= 2) {
        const size_t chunks = k < cut->chunks ? k : cut->chunks;
        double slice_s = NAN;
        status = cut->time(cut->context, chunks, &slice_s, error);
        const double call_s = foreseen(cut, chunks, slice_s);
        more = call_s < better * best_s && may_help(cut, chunks, slice_s);
        if (status == BE_OK && call_s < better * best_s) {
            best_s = call_s;
            *at_a_time = chunks;
        }
    }
    return status;
}
