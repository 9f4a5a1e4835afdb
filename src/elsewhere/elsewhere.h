/*
 * Times of other machines beside those measured here: which they are at a size, what they would be on a machine of
 * which only a data sheet is known, and from which size that machine stays ahead of the CPU here. It measures
 * nothing.
 */
#ifndef BE_ELSEWHERE_ELSEWHERE_H
#define BE_ELSEWHERE_ELSEWHERE_H

#include "breakeven_profile.h"
#include "breakeven_results.h"
#include "stat/stat.h"

/* Which times of another machine. */
struct be_times_key {
    const struct be_result *like; /* of this workload, type and parameters */
    enum be_placement placement;
    enum be_cache cache; /* or in no state of the caches; BE_BEYOND: or cold */
    bool callable;       /* only code that anybody can call or write */
};

/* A time at a size. lo and hi: its 95 % interval, NAN where it has none. */
struct be_time {
    double median_s, lo_s, hi_s;
    const struct be_result
        *of;      /* the time measured there at that size, or at the next size below */
    bool between; /* interpolated between two sizes */
    bool alike;   /* of another workload, at equal bytes */
};

/* The fastest at this size; between two sizes as a straight line in log size and log time, with an interval that is
 * wider by what such a line would have been off at those two. false: this size is not between any that were
 * measured there. */
bool be_times_at(const struct be_results *there, const struct be_times_key *key, uint64_t size,
                 struct be_time *time);

/* The same at the size next to `size` that was measured there, to either side. false: at no size. */
bool be_times_nearest(const struct be_results *there, const struct be_times_key *key, uint64_t size,
                      struct be_time *time);

/* The same of a workload that was not measured there, from the one that it is `like` (be_result.like), at equal bytes;
 * the interval is wider by how far apart such workloads were. false: it is like none, or that was not measured. */
bool be_times_alike(const struct be_results *there, const struct be_times_key *key,
                    struct be_time *time);

/* A remark of the comparison. */
enum be_status be_comparison_remark(struct be_comparison *comparison, const char *text,
                                    struct be_error *error);

/* The 95 % interval of a summary. Few samples have their range, stretched by half to each side; one has none. */
void be_times_interval(const struct be_summary *summary, double *lo_s, double *hi_s);

/* there / here, of two times that were not measured in the same rounds: each end of the interval is the worst of
 * both. The verdict is that of be_compare_samples. */
struct be_ratio be_times_ratio(const struct be_time *there, const struct be_time *here);

/*
 * Times of the GPU of `target`, made from those measured on the GPU of `base`: what a call takes beyond the shortest
 * call of its kind grows as the least time by data sheet does (memory or operations, whichever is longer), and
 * copies as the bus does. `base_sheet` and `target`: profiles, measured or data sheets, rates times what programs
 * reach of them.
 *
 * The interval is how far off this was where it could be checked (docs/prediction.md). BE_ABSENT: a profile lacks
 * a rate that is needed.
 */
enum be_status be_results_scale(const struct be_results *base, const struct be_profile *base_sheet,
                                const struct be_profile *target, struct be_results *predicted,
                                struct be_error *error);

/*
 * Adds to `predicted` times of the CPU of `target`, made from those measured on the CPU of `base`, whose profile is
 * `base_profile`: with one thread, and with all that either machine has. The interval is how far off this was between two
 * CPUs (docs/prediction.md). BE_ABSENT: a profile lacks a rate of its CPU that is needed.
 */
enum be_status be_results_scale_cpu(const struct be_results *base,
                                    const struct be_profile *base_profile,
                                    const struct be_profile *target, struct be_results *predicted,
                                    struct be_error *error);

/* All that is known of a machine by its name. Zero-initialise. */
struct be_there {
    struct be_results times; /* measured on it, or scaled for its GPU; none: has_times is false */
    const struct be_profile *profile; /* NULL: none */
    struct be_profile own;            /* `profile`, where it was read for this */
    bool has_times;
    char scaled_from[BE_NAME];     /* the machine whose times were scaled; empty: none were */
    char cpu_scaled_from[BE_NAME]; /* the same of its CPU */
};

/* Its times were measured on it. */
static inline bool be_there_measured(const struct be_there *there) {
    return there->has_times && !*there->scaled_from && !*there->cpu_scaled_from;
}

/* It has times of a GPU: those of its CPU alone may have been scaled. */
static inline bool be_there_has_gpu_times(const struct be_there *there) {
    return there->has_times && (*there->scaled_from || !*there->cpu_scaled_from);
}

/* Looks for the times of that name, and for the profile or data sheet of that name or of the GPU that was measured; a
 * path is a file of either. Where there are no times of it, they are scaled for its GPU and its CPU from those of
 * another machine, as far as there are some. BE_USAGE: there is nothing of that name; the text lists what there is. */
enum be_status be_there_open(const char *name, struct be_there *there, struct be_error *error);

/* The same of a profile, which stays the caller's until be_there_close. */
enum be_status be_there_of_profile(const struct be_profile *profile, struct be_there *there,
                                   struct be_error *error);
void be_there_close(struct be_there *there); /* accepts a zeroed one */

/* Break-evens of the device `device`, which be_comparison_add_results added, against the CPU here. */
enum be_status be_elsewhere_breakevens(struct be_comparison *comparison, const char *device,
                                       struct be_error *error);

#endif
