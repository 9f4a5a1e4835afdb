/*
 * Declarations that the files of the workload histogram share: its parameters,
 * its data and its code.
 *
 * Bins are equally wide in [0, 1]. The bin of x is the integer part of x times
 * bins, rounded once in the type of x, and at most the last one; what is below
 * 0, above 1 or no number is in none. So all code counts the same.
 */
#ifndef BE_WORKLOAD_HISTOGRAM_HISTOGRAM_H
#define BE_WORKLOAD_HISTOGRAM_HISTOGRAM_H

#include "host/simd.h"
#include "workload/workload.h"

enum { BE_HISTOGRAM_SIZE, BE_HISTOGRAM_BINS }; /* parameters */
enum { BE_HISTOGRAM_X, BE_HISTOGRAM_COUNTS };  /* arrays */

enum { BE_HISTOGRAM_BINS_MAX = 65536 };

/* Adds `count` elements to tables of bins + 1 counts: the last one is of those
 * in no bin. */
struct be_histogram_part {
    const void *x;
    size_t count, bins;
    uint32_t *counts; /* be_histogram_copies tables, or one */
};
typedef void be_histogram_run(const struct be_histogram_part *part);

/* Tables side by side, so that neighbours in one bin do not wait for each
 * other; fewer where they would leave the cache. */
static inline size_t be_histogram_copies(size_t bins) {
    return bins <= 2048 ? 4 : 1;
}

/* simd.c: several elements at a time, into all tables. plain_simd.c: one after
 * the other, into the first one. */
BE_SIMD_DECLARE(be_histogram_run, be_histogram_tables_32);
BE_SIMD_DECLARE(be_histogram_run, be_histogram_tables_64);
BE_SIMD_DECLARE(be_histogram_run, be_histogram_plain_32);
BE_SIMD_DECLARE(be_histogram_run, be_histogram_plain_64);

/* device.c */
enum be_status be_histogram_prepare(struct be_device *device, const struct be_problem *problem,
                                    struct be_prepared *prepared, struct be_error *error);
enum be_status be_histogram_enqueue_plain(const struct be_launch *launch, struct be_error *error);
enum be_status be_histogram_enqueue_tables(const struct be_launch *launch, struct be_error *error);

#endif
