/*
 * Three float32 arrays of a team, and passes of the triad, a copy, a scale, a sum or an update in place over
 * as much of them as is asked for. Each member has a share of the arrays that it touched first, and a working set is the
 * beginning of every share: so memory lies with the core that uses it, whatever the size.
 */
#ifndef BE_MACHINE_CPU_ARRAYS_H
#define BE_MACHINE_CPU_ARRAYS_H

#include "base/clock.h"
#include "host/pages.h"
#include "host/stores.h"
#include "host/team.h"
#include "stat/stat.h"

enum { BE_CPU_GRAIN = 64, BE_CPU_CACHES = 6 /* how many times the cache is surely memory */ };

struct be_cpu_arrays {
    struct be_pages pages;
    float *x, *y, *z;
    size_t n; /* floats an array */
};

/* Bytes of three arrays that are beyond a cache of that size (NAN: not known), as far as a quarter
 * of the free memory allows. */
double be_cpu_arrays_beyond(double cache_bytes);

enum be_status be_cpu_arrays_open(struct be_team *team, double bytes, struct be_cpu_arrays *arrays,
                                  struct be_error *error);
void be_cpu_arrays_close(struct be_cpu_arrays *arrays); /* accepts a zeroed one */

/* In memory that is somebody else's: room for 3 n floats. */
void be_cpu_arrays_lay(struct be_team *team, float *memory, size_t n, struct be_cpu_arrays *arrays);

/* The copy's stores go past the caches; a scale is the triad of x with itself, in two arrays; a sum reads
 * all three; an update changes x where it is, or all three, one after the other. */
enum be_cpu_pass_kind {
    BE_PASS_TRIAD,
    BE_PASS_COPY,
    BE_PASS_SCALE,
    BE_PASS_SUM,
    BE_PASS_UPDATE,
    BE_PASS_UPDATE_ALL,
    BE_PASSES
};

/* Bytes an element of its arrays: that lie there, and that it reads and writes. */
double be_cpu_pass_lies(enum be_cpu_pass_kind kind);
double be_cpu_pass_moves(enum be_cpu_pass_kind kind);

struct be_cpu_pass {
    size_t n; /* floats of each array that it goes over, at most those of the arrays */
    enum be_cpu_pass_kind kind;
    enum be_stores stores; /* the triad's, the scale's and the update's */
    double run_s;          /* one sample takes about this */
};

/*
 * Samples of about run_s: short passes repeat the whole set, long ones walk through it piece by
 * piece, so that the rest of the set has been used since. Appends seconds until `rule` ends it;
 * *bytes: what each sample moved.
 */
enum be_status be_cpu_arrays_sample(struct be_team *team, const struct be_cpu_arrays *arrays,
                                    const struct be_cpu_pass *pass, const struct be_clock *clock,
                                    const struct be_stop_rule *rule, struct be_samples *seconds,
                                    double *bytes, struct be_error *error);

#endif
