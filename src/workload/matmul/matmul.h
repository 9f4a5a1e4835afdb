/*
 * Declarations that the files of the workload matmul share: its parameters, its data and its code.
 *
 * A is m x k, B k x n, C m x n, each row after row. A batch is many such products, their matrices one behind the other.
 */
#ifndef BE_WORKLOAD_MATMUL_MATMUL_H
#define BE_WORKLOAD_MATMUL_MATMUL_H

#include "host/simd.h"
#include "workload/workload.h"

enum { BE_MATMUL_A, BE_MATMUL_B, BE_MATMUL_C };                                   /* arrays */
enum { BE_MATMUL_ORDER, BE_MATMUL_M, BE_MATMUL_N, BE_MATMUL_K, BE_MATMUL_BATCH }; /* parameters */

struct be_matmul_sizes {
    size_t m, n, k, batch;
};

/* Sizes that were not given are the order. */
static inline struct be_matmul_sizes be_matmul_sizes_of(const struct be_problem *problem) {
    const uint64_t *value = problem->value;
    const uint64_t order = value[BE_MATMUL_ORDER];
    return (struct be_matmul_sizes){
        .m = (size_t)(value[BE_MATMUL_M] ? value[BE_MATMUL_M] : order),
        .n = (size_t)(value[BE_MATMUL_N] ? value[BE_MATMUL_N] : order),
        .k = (size_t)(value[BE_MATMUL_K] ? value[BE_MATMUL_K] : order),
        .batch = (size_t)value[BE_MATMUL_BATCH],
    };
}

/* The matrix of the range's product i. */
static inline void *be_matmul_at(const struct be_work *work, int array, size_t i) {
    const struct be_shape shape = be_problem_shape(work->problem);
    return (char *)work->array[array] + (work->first + i) * shape.item_bytes[array];
}

/* One product of squares, which begin on multiples of 16 bytes. */
static inline bool be_matmul_is_square(const struct be_matmul_sizes *s) {
    return s->batch == 1 && s->m == s->n && s->n == s->k;
}

/* Up to so many rows or columns are small. */
enum { BE_MATMUL_SMALL = 128 };
/* Up to so many, the larger matrix goes by once. */
enum { BE_MATMUL_FEW = 8 };

/* ---- on the CPU ----------------------------------------------------------------------------- */

/* A part of C = A B: `rows` x `columns` of C from these addresses on, whose rows lie *_down numbers apart. */
struct be_matmul_part {
    const void *a, *b;
    void *c;
    size_t rows, columns, depth;
    size_t a_down, b_down, c_down;
    void *room;  /* of small: depth x BE_MATMUL_EDGE numbers */
    size_t more; /* of small: so many more such products stand behind it */
};
enum { BE_MATMUL_EDGE = 16 };
typedef void be_matmul_run(const struct be_matmul_part *part);

/* plain_simd.c: three loops. */
BE_SIMD_DECLARE(be_matmul_run, be_matmul32_plain);
BE_SIMD_DECLARE(be_matmul_run, be_matmul64_plain);
/* simd.c: small matrices; few rows; few columns, where b is B's columns, one after the other. */
BE_SIMD_DECLARE(be_matmul_run, be_matmul_small_32);
BE_SIMD_DECLARE(be_matmul_run, be_matmul_small_64);
BE_SIMD_DECLARE(be_matmul_run, be_matmul_wide_32);
BE_SIMD_DECLARE(be_matmul_run, be_matmul_wide_64);
BE_SIMD_DECLARE(be_matmul_run, be_matmul_tall_32);
BE_SIMD_DECLARE(be_matmul_run, be_matmul_tall_64);

/* host.c */
void be_matmul_host_plain(const struct be_work *work);
void be_matmul_host_library(const struct be_work *work);
enum be_status be_matmul_host_ready(const struct be_host_libraries *library, int members,
                                    struct be_error *error);
void be_matmul_host_tiled(const struct be_work *work);
size_t be_matmul_host_scratch(const struct be_problem *problem, int members);
void be_matmul_host_small(const struct be_work *work);
size_t be_matmul_small_scratch(const struct be_problem *problem, int members);

/* ---- device.c: on a device ------------------------------------------------------------------ */

enum be_status be_matmul_plain_prepare(struct be_device *device, const struct be_problem *problem,
                                       struct be_prepared *prepared, struct be_error *error);
enum be_status be_matmul_plain_enqueue(const struct be_launch *launch, struct be_error *error);
enum be_status be_matmul_library_prepare(struct be_device *device, const struct be_problem *problem,
                                         struct be_prepared *prepared, struct be_error *error);
enum be_status be_matmul_library_enqueue(const struct be_launch *launch, struct be_error *error);
void be_matmul_library_discard(struct be_device *device, struct be_prepared *prepared);
enum be_status be_matmul_tiled_prepare(struct be_device *device, const struct be_problem *problem,
                                       struct be_prepared *prepared, struct be_error *error);
enum be_status be_matmul_tiled_enqueue(const struct be_launch *launch, struct be_error *error);
enum be_status be_matmul_small_prepare(struct be_device *device, const struct be_problem *problem,
                                       struct be_prepared *prepared, struct be_error *error);
enum be_status be_matmul_small_enqueue(const struct be_launch *launch, struct be_error *error);

#endif
