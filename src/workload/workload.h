/*
 * What is computed. A workload is a table: its arrays, its operation and byte counts, a plain
 * reference, the best CPU code, and its device code. Adding one is a file with such a table and a
 * line in workload.c.
 *
 * All work is on ranges of items: an item is the least part that can be computed by itself (one
 * element of an elementwise operation, one system of a batch, or the whole problem). The same
 * range functions serve chunks of a pipeline, threads' shares, and several copies of a problem
 * side by side (which is how cold caches are measured). A workload knows nothing of placements,
 * clocks or statistics.
 */
#ifndef BE_WORKLOAD_WORKLOAD_H
#define BE_WORKLOAD_WORKLOAD_H

#include "device/device.h"

enum { BE_ARRAYS = 8 };

struct be_array {
    const char *name;
    size_t item_bytes;
};

/* A workload's code on one open device. */
struct be_prepared {
    struct be_module module;
    struct be_kernel kernel;
};

struct be_workload {
    const char *name;    /* one word: "power" */
    const char *title;   /* the formula: "z = x^y" */
    const char *summary; /* one line for --help and lists */
    const char *variant; /* "fused", ...; "plain" where there is but one */
    const char *dtype;   /* "float32" */
    uint64_t size_least, size_preset_from, size_preset_to;
    double tolerance; /* largest |z - ref| / |ref| that is right */

    const struct be_array *array; /* inputs first, then outputs */
    int inputs, outputs;
    size_t grain; /* work may be cut at multiples of this many items; 0: not at all */

    /* Of one problem of this size. */
    size_t (*items)(uint64_t size);
    double (*operations)(uint64_t size); /* least floating-point operations; source in the .c */
    double (*bytes)(uint64_t size);      /* least bytes through memory: inputs read once,
                                            outputs written once */

    /* Inputs of items [first, first + items) from the seed: the same for any cut. */
    void (*fill)(void *const *array, size_t first, size_t items, uint64_t seed);
    /* Plain C in double precision, obviously right: reference[i] of the first output. */
    void (*reference)(void *const *array, double *reference, size_t first, size_t items);
    /* Adds up |z - reference|^2 and |reference|^2 over the range; NAN if z has one where the
     * reference has none. */
    void (*residual)(void *const *array, const double *reference, size_t first, size_t items,
                     double *difference, double *norm);
    size_t reference_items; /* doubles an item */

    /* The best CPU code, one thread's share. past_cache: outputs are too large to stay cached. */
    void (*host)(void *const *array, size_t first, size_t items, bool past_cache);
    size_t host_grain; /* shares are multiples of this many items */

    /* Device code: build and look up; then put a range into a queue without waiting. */
    enum be_status (*prepare)(struct be_device *device, struct be_prepared *prepared,
                              struct be_error *error);
    enum be_status (*enqueue)(struct be_device *device, enum be_queue queue,
                              const struct be_prepared *prepared, const struct be_buffer *buffer,
                              size_t first, size_t items, struct be_error *error);
    void (*discard)(struct be_device *device, struct be_prepared *prepared);
};

/* Every workload, NULL-terminated. */
extern const struct be_workload *const be_workloads[];

const struct be_workload *be_workload_find(const char *name); /* NULL: no such one */

#endif
