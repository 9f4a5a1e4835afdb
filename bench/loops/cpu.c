/* One core: every item in turn, for so many seconds; prints seconds a sweep, and the sum of amounts, which the GPU's must equal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include LOOP

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int arguments, char **argument) {
    const double limit_s = arguments > 1 ? atof(argument[1]) : 1;
    real *in = malloc(INPUTS * sizeof *in), *out = malloc(ITEMS * sizeof *out);
    if (!in || !out) {
        return 1;
    }
    for (long i = 0; i < INPUTS; i++) {
        in[i] = input_at(i);
    }
    long sweeps = 0;
    double sum = 0;
    const double from_s = now_s();
    do {
        for (long i = 0; i < ITEMS; i++) {
            out[i] = item(i, in);
        }
        sweeps++;
    } while (now_s() - from_s < limit_s);
    const double sweep_s = (now_s() - from_s) / (double)sweeps;
    for (long i = 0; i < ITEMS; i++) {
        sum += fabs((double)out[i]);
    }
    printf("%.9g %.9g\n", sweep_s, sum);
    free(in);
    free(out);
    return 0;
}
