/*
 * multiply beside the triad, in turns and on the same arrays: what share of the machine's own
 * bandwidth does the CPU code get? A ceiling measured minutes earlier would say more about the
 * neighbours on a shared machine. Both store as the triad is fastest here, as compare does. Prints:
 * floats, threads, that way, GB/s of each, their ratio and its interval; and the triad's bytes over all of
 * its time, as others count.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "host/pages.h"
#include "host/team.h"
#include "machine/cpu_rates.h"
#include "stat/stat.h"
#include "workload/elementwise.h"

BE_ELEMENTWISE_LOOPS(multiply);

enum { GRAIN = 64, ROUNDS = 101 };

struct arrays {
    float *x, *y, *z;
    size_t n;
    enum be_stores stores;
    enum work { TOUCH, TRIAD, MULTIPLY } what;
};

static void share(void *context, int member, int members) {
    const struct arrays *a = context;
    size_t first;
    size_t count;
    be_team_share(a->n, GRAIN, member, members, &first, &count);
    float *x = a->x + first;
    float *y = a->y + first;
    float *z = a->z + first;
    if (a->what == TRIAD) {
        be_cpu_rates()->triad(x, y, z, count, a->stores);
    } else if (a->what == MULTIPLY) {
        be_multiply_loops[BE_REAL32][be_simd_here()]((const void *[]){x, y}, z, count, a->stores);
    }
    for (size_t i = 0; a->what == TOUCH && i < count; i++) {
        x[i] = 0.5f;
        y[i] = 0.25f;
        z[i] = 1.0f;
    }
}

static double seconds(struct be_team *team, struct arrays *a, enum work what) {
    struct be_clock clock = be_clock_host();
    a->what = what;
    double start = be_now(&clock);
    be_team_run(team, share, a);
    return be_now(&clock) - start;
}

static double mean(const struct be_samples *samples) {
    double sum = 0;
    for (int i = 0; i < samples->count; i++) {
        sum += samples->value[i];
    }
    return sum / (double)samples->count;
}

/* The way in which the triad is fastest: the least time of some. */
static enum be_stores fastest(struct be_team *team, struct arrays *a) {
    enum { TURNS = 5 };
    double min = 0;
    enum be_stores best = BE_STORES_PLAIN;
    for (int i = 0; i < TURNS * BE_STORES; i++) {
        a->stores = (enum be_stores)(i % BE_STORES);
        double took = seconds(team, a, TRIAD);
        if (min == 0 || took < min) {
            min = took;
            best = a->stores;
        }
    }
    return best;
}

int main(int argc, char **argv) {
    struct be_cores cores;
    struct be_error error = {0};
    struct be_team *team = NULL;
    struct be_pages pages = {0};
    struct be_samples triad = {0};
    struct be_samples multiply = {0};
    struct arrays a = {.n = argc > 1 ? (size_t)strtod(argv[1], NULL) / GRAIN * GRAIN : 100000000};
    enum be_status status = be_cores_find(&cores, &error);
    status = status == BE_OK ? be_team_open(&cores, cores.count, &team, &error) : status;
    status = status == BE_OK ? be_pages_get(3 * a.n * sizeof(float), &pages, &error) : status;
    if (status == BE_OK) {
        a.x = pages.memory;
        a.y = a.x + a.n;
        a.z = a.y + a.n;
        (void)seconds(team, &a, TOUCH);
        a.stores = fastest(team, &a);
    }
    for (int i = 0; status == BE_OK && i < ROUNDS; i++) {
        /* In turns: neither always follows the other. */
        struct be_samples *first = i % 2 ? &triad : &multiply;
        struct be_samples *second = i % 2 ? &multiply : &triad;
        status = be_samples_add(first, seconds(team, &a, i % 2 ? TRIAD : MULTIPLY), &error);
        if (status == BE_OK) {
            status = be_samples_add(second, seconds(team, &a, i % 2 ? MULTIPLY : TRIAD), &error);
        }
    }
    if (status == BE_OK) {
        double bytes = 12.0 * (double)a.n;
        struct be_ratio ratio = be_compare_samples(&triad, &multiply, BE_MARGIN);
        printf("%zu floats, %d threads, %s: triad %.1f GB/s, multiply %.1f GB/s, "
               "multiply / triad %.3f (%.3f - %.3f); mean triad %.1f GB/s\n",
               a.n, be_team_size(team), be_stores_name[a.stores],
               bytes / 1e9 / be_median(triad.value, triad.count),
               bytes / 1e9 / be_median(multiply.value, multiply.count), ratio.median, ratio.lo,
               ratio.hi, bytes / 1e9 / mean(&triad));
    } else {
        fprintf(stderr, "triad: %s\n", error.text);
    }
    be_samples_free(&triad);
    be_samples_free(&multiply);
    be_pages_give_back(&pages);
    be_team_close(team);
    return status == BE_OK ? 0 : 1;
}
