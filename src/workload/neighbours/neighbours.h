/*
 * Declarations that the files of the workload neighbours share: its parameters, its data and its code.
 *
 * Points and queries lie row after row. Each query has the squares of the distances to its k nearest points,
 * ascending, and which points those are; with fewer points than k the rest is infinite, of point number `points`.
 */
#ifndef BE_WORKLOAD_NEIGHBOURS_NEIGHBOURS_H
#define BE_WORKLOAD_NEIGHBOURS_NEIGHBOURS_H

#include "host/simd.h"
#include "workload/workload.h"

/* Parameters, arrays. */
enum { BE_NEIGHBOURS_POINTS, BE_NEIGHBOURS_QUERIES, BE_NEIGHBOURS_K, BE_NEIGHBOURS_DIMENSION };
enum { BE_NEIGHBOURS_X, BE_NEIGHBOURS_Q, BE_NEIGHBOURS_SQUARES, BE_NEIGHBOURS_WHICH };

enum { BE_NEIGHBOURS_K_MAX = 32, BE_NEIGHBOURS_TREE_MAX = 16, BE_NEIGHBOURS_DIMENSION_MAX = 128 };

static inline size_t be_neighbours_of(const struct be_problem *problem, int parameter) {
    return (size_t)problem->value[parameter];
}

/* ---- on the CPU: simd.c, plain_simd.c ------------------------------------------------------- */

/* The points in `leaves` parts of nearly the same size, a power of 2; those of part i are
 * [i points / leaves, (i + 1) points / leaves). */
enum { BE_NEIGHBOURS_LEAF = 32 }; /* points in a part, at most */

struct be_neighbours_tree {
    size_t points, dimension, leaves;
    size_t room; /* numbers of a coordinate in a packed part: whole vectors */
    int depth;   /* leaves is 2 to that */
    /* Each point: dimension numbers, and one that holds which it was. */
    void *order;
    /* Node i of level l is number 2^l + i: no coordinate on its left is larger, none on its right smaller. */
    void *cut;
    /* A leaf's points: coordinate after coordinate, `room` of each, NaN behind the last; which points they were. */
    void *packed;
    uint32_t *number;
};

/* Queries [first, first + count). */
struct be_neighbours_queries {
    const void *points, *queries;
    void *squares;
    uint32_t *which;
    size_t n, dimension, k, first, count;
};

/* The node's points are brought into an order in which its halves are its children. */
typedef void be_neighbours_split(const struct be_neighbours_tree *tree, int level, size_t node);
/* Copies points to the tree's order; fills leaves, from that order or from points as they lie: [first, first + count). */
typedef void be_neighbours_copy(const struct be_neighbours_tree *tree, const void *points,
                                size_t first, size_t count);
typedef void be_neighbours_pack(const struct be_neighbours_tree *tree, size_t first, size_t count);
typedef void be_neighbours_search(const struct be_neighbours_tree *tree,
                                  const struct be_neighbours_queries *queries);
typedef void be_neighbours_plain(const struct be_neighbours_queries *queries);

BE_SIMD_DECLARE(be_neighbours_copy, be_neighbours_copy_32);
BE_SIMD_DECLARE(be_neighbours_copy, be_neighbours_copy_64);
BE_SIMD_DECLARE(be_neighbours_split, be_neighbours_split_32);
BE_SIMD_DECLARE(be_neighbours_split, be_neighbours_split_64);
BE_SIMD_DECLARE(be_neighbours_pack, be_neighbours_pack_32);
BE_SIMD_DECLARE(be_neighbours_pack, be_neighbours_pack_64);
BE_SIMD_DECLARE(be_neighbours_copy, be_neighbours_lay_32);
BE_SIMD_DECLARE(be_neighbours_copy, be_neighbours_lay_64);
BE_SIMD_DECLARE(be_neighbours_search, be_neighbours_search_32);
BE_SIMD_DECLARE(be_neighbours_search, be_neighbours_search_64);
BE_SIMD_DECLARE(be_neighbours_search, be_neighbours_all_32);
BE_SIMD_DECLARE(be_neighbours_search, be_neighbours_all_64);
BE_SIMD_DECLARE(be_neighbours_plain, be_neighbours_plain_32);
BE_SIMD_DECLARE(be_neighbours_plain, be_neighbours_plain_64);

/* host.c */
void be_neighbours_host_tree(const struct be_work *work);
size_t be_neighbours_tree_scratch(const struct be_problem *problem, int members);
void be_neighbours_host_all(const struct be_work *work);
size_t be_neighbours_all_scratch(const struct be_problem *problem, int members);
void be_neighbours_host_plain(const struct be_work *work);

/* ---- device.c: on a device ------------------------------------------------------------------ */

enum be_status be_neighbours_prepare(struct be_device *device, const struct be_problem *problem,
                                     struct be_prepared *prepared, struct be_error *error);
enum be_status be_neighbours_enqueue(const struct be_launch *launch, struct be_error *error);
size_t be_neighbours_device_scratch(const struct be_problem *problem);

#endif
