#include "decide/scaling.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

enum { TERMS = 3 };

static void basis(double p, double term[TERMS]) {
    term[0] = 1;
    term[1] = 1 / p;
    term[2] = log2(p);
}

/* Gauss's elimination with pivots, of the terms in `used`; false: they do not follow from these runs. */
static bool solve(double a[TERMS][TERMS + 1], int used, double x[TERMS]) {
    for (int i = 0; i < used; i++) {
        int best = i;
        for (int k = i + 1; k < used; k++) {
            best = fabs(a[k][i]) > fabs(a[best][i]) ? k : best;
        }
        if (fabs(a[best][i]) < 1e-12) {
            return false;
        }
        for (int c = 0; c <= TERMS && best != i; c++) {
            const double kept = a[i][c];
            a[i][c] = a[best][c];
            a[best][c] = kept;
        }
        for (int k = 0; k < used; k++) {
            const double by = k == i ? 0 : a[k][i] / a[i][i];
            for (int c = 0; c <= TERMS; c++) {
                a[k][c] -= by * a[i][c];
            }
        }
    }
    for (int i = 0; i < used; i++) {
        x[i] = a[i][TERMS] / a[i][i];
    }
    return true;
}

/* With the terms of `mask` alone: their factors, and the squares that are left; INFINITY: that cannot be. */
static double fit_some(const struct be_scaling_run *run, int runs, int mask, double factor[TERMS]) {
    double a[TERMS][TERMS + 1] = {{0}}, x[TERMS], term[TERMS], left = 0;
    int of[TERMS] = {0}, used = 0;
    for (int t = 0; t < TERMS; t++) {
        factor[t] = 0;
        if (mask & 1 << t) {
            of[used++] = t;
        }
    }
    for (int r = 0; r < runs; r++) {
        basis(run[r].p, term);
        for (int i = 0; i < used; i++) {
            const double one = term[of[i]] / run[r].seconds;
            for (int k = 0; k < used; k++) {
                a[i][k] += one * term[of[k]] / run[r].seconds;
            }
            a[i][TERMS] += one;
        }
    }
    if (!solve(a, used, x)) {
        return INFINITY;
    }
    for (int i = 0; i < used; i++) {
        if (x[i] < 0) {
            return INFINITY;
        }
        factor[of[i]] = x[i];
    }
    for (int r = 0; r < runs; r++) {
        basis(run[r].p, term);
        const double told = factor[0] * term[0] + factor[1] * term[1] + factor[2] * term[2];
        left += pow(told / run[r].seconds - 1, 2);
    }
    return left;
}

static void count(const struct be_scaling_run *run, int runs, struct be_scaling *s) {
    for (int i = 0; i < runs; i++) {
        bool seen = false;
        for (int k = 0; k < i; k++) {
            seen |= run[k].p == run[i].p;
        }
        s->numbers += !seen;
        s->least = i == 0 ? run[i].p : fmin(s->least, run[i].p);
        s->most = fmax(s->most, run[i].p);
    }
}

bool be_scaling_fit(const struct be_scaling_run *run, int runs, struct be_scaling *s) {
    /* Fewer terms first: one more must halve what is left. */
    static const int masks[] = {1, 2, 3, 5, 6, 7};
    double best = INFINITY, factor[TERMS];
    *s = (struct be_scaling){0};
    count(run, runs, s);
    for (size_t i = 0; i < BE_COUNT(masks) && s->numbers > 1; i++) {
        const bool three = masks[i] == 7;
        const double left =
            three && s->numbers < 3 ? INFINITY : fit_some(run, runs, masks[i], factor);
        if (left < best / 2 - 1e-12) {
            best = left;
            s->fixed_s = factor[0];
            s->shared_s = factor[1];
            s->talk_s = factor[2];
        }
    }
    return isfinite(best);
}

double be_scaling_at(const struct be_scaling *s, double p) {
    return s->fixed_s + s->shared_s / p + s->talk_s * log2(p);
}
