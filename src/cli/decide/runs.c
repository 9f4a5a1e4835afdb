#include "cli/decide/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum be_status be_cli_runs_add(struct be_cli_runs *runs, double p, double seconds,
                               struct be_error *error) {
    if (runs->runs == BE_SCALING_RUNS_MAX) {
        return be_fail(error, BE_USAGE, "at most %d runs of one computation", runs->runs);
    }
    runs->run[runs->runs++] = (struct be_scaling_run){p, seconds};
    return BE_OK;
}

static int by_number(const void *a, const void *b) {
    const struct be_scaling_run *x = a, *y = b;
    const double by = x->p != y->p ? x->p - y->p : x->seconds - y->seconds;
    return (by > 0) - (by < 0);
}

double be_cli_runs_typical(const struct be_cli_runs *runs, double p) {
    const int middle = runs->runs / 2;
    return runs->scales     ? be_scaling_at(&runs->scaling, p)
           : runs->runs % 2 ? runs->run[middle].seconds
                            : (runs->run[middle - 1].seconds + runs->run[middle].seconds) / 2;
}

enum be_status be_cli_runs_end(struct be_cli_runs *runs, struct be_error *error) {
    double times[BE_SCALING_RUNS_MAX];
    qsort(runs->run, (size_t)runs->runs, sizeof *runs->run, by_number);
    runs->scales = be_scaling_fit(runs->run, runs->runs, &runs->scaling);
    runs->varies = runs->runs > runs->scaling.numbers;
    if (!runs->varies) {
        return BE_OK;
    }
    for (int i = 0; i < runs->runs; i++) {
        times[i] = runs->run[i].seconds / be_cli_runs_typical(runs, runs->run[i].p);
    }
    return be_decide_past(times, runs->runs, 0, &runs->spread, error);
}

void be_cli_runs_text(const struct be_cli_runs *runs, const char *one, char *text,
                      size_t capacity) {
    size_t at = 0;
    for (int i = 0, next; i < runs->runs && at < capacity; i = next) {
        for (next = i + 1; next < runs->runs && runs->run[next].p == runs->run[i].p; next++) {
        }
        const double p = runs->run[i].p;
        const int written = snprintf(text + at, capacity - at, "%s%d run%s on %g %s%s",
                                     i == 0               ? ""
                                     : next == runs->runs ? " and "
                                                          : ", ",
                                     next - i, next - i == 1 ? "" : "s", p, one, p == 1 ? "" : "s");
        at += written > 0 ? (size_t)written : 0;
    }
}
