/* How long does my function take? Any function and its data, timed as breakeven times its own. */
#include <breakeven_workload.h>
#include <stdio.h>

enum { N = 100000 };

struct data {
    double x[N], sum;
};

static void sum_of_squares(void *payload) {
    struct data *d = payload;
    d->sum = 0;
    for (int i = 0; i < N; i++)
        d->sum += d->x[i] * d->x[i];
}

int main(void) {
    static struct data d;
    struct be_summary time;
    struct be_error error;
    for (int i = 0; i < N; i++)
        d.x[i] = i;
    if (be_measure(sum_of_squares, &d, NULL, &time, &error) != BE_OK)
        return fprintf(stderr, "%s\n", error.text), 1;
    printf("%.3g us (%.3g - %.3g) in %d samples, sum %g\n", 1e6 * time.median_s, 1e6 * time.lo_s,
           1e6 * time.hi_s, time.n, d.sum);
    return 0;
}
