/*
 * Nearest points on the CPU. Members share the nodes of each level of the tree, then its leaves, then the queries.
 */
#include "workload/neighbours/neighbours.h"

enum { ALIGN = 64 };

static size_t aligned(size_t bytes) {
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static size_t over(size_t n, size_t each) {
    return (n + each - 1) / each;
}

#define OF(name, real)                                                                             \
    ((real) == BE_REAL64 ? BE_SIMD_BEST(be_neighbours_##name##_64)                                 \
                         : BE_SIMD_BEST(be_neighbours_##name##_32))

static struct be_neighbours_queries queries_of(const struct be_work *work) {
    const struct be_problem *problem = work->problem;
    struct be_neighbours_queries q = {.points = be_work_array(work, BE_NEIGHBOURS_X),
                                      .queries = be_work_array(work, BE_NEIGHBOURS_Q),
                                      .squares = be_work_array(work, BE_NEIGHBOURS_SQUARES),
                                      .which = be_work_array(work, BE_NEIGHBOURS_WHICH),
                                      .n = be_neighbours_of(problem, BE_NEIGHBOURS_POINTS),
                                      .dimension =
                                          be_neighbours_of(problem, BE_NEIGHBOURS_DIMENSION),
                                      .k = be_neighbours_of(problem, BE_NEIGHBOURS_K)};
    be_work_rows(work, be_neighbours_of(problem, BE_NEIGHBOURS_QUERIES), 1, &q.first, &q.count);
    return q;
}

/* Parts of the scratch for what the tree says; and their bytes. */
static size_t lay_out(const struct be_problem *problem, bool ordered, char *scratch,
                      struct be_neighbours_tree *tree) {
    const size_t each = be_real_bytes(problem->real);
    const size_t order = ordered ? aligned(tree->points * (tree->dimension + 1) * each) : 0;
    const size_t cut = ordered ? aligned(tree->leaves * each) : 0;
    const size_t packed = aligned(tree->leaves * tree->dimension * tree->room * each);
    if (scratch) {
        tree->order = scratch;
        tree->cut = scratch + order;
        tree->packed = scratch + order + cut;
        tree->number = (void *)(scratch + order + cut + packed);
    }
    return order + cut + packed + tree->leaves * tree->room * sizeof(uint32_t);
}

static struct be_neighbours_tree points_of(const struct be_problem *problem) {
    return (struct be_neighbours_tree){
        .points = be_neighbours_of(problem, BE_NEIGHBOURS_POINTS),
        .dimension = be_neighbours_of(problem, BE_NEIGHBOURS_DIMENSION),
        .leaves = 1,
        .room = BE_NEIGHBOURS_LEAF,
    };
}

/* As few leaves as BE_NEIGHBOURS_LEAF allows. */
static size_t lay_out_tree(const struct be_problem *problem, char *scratch,
                           struct be_neighbours_tree *tree) {
    const size_t lanes = ALIGN / be_real_bytes(problem->real);
    *tree = points_of(problem);
    while (over(tree->points, tree->leaves) > BE_NEIGHBOURS_LEAF) {
        tree->leaves *= 2;
        tree->depth++;
    }
    tree->room = over(over(tree->points, tree->leaves), lanes) * lanes;
    return lay_out(problem, true, scratch, tree);
}

static size_t lay_out_all(const struct be_problem *problem, char *scratch,
                          struct be_neighbours_tree *tree) {
    *tree = points_of(problem);
    tree->leaves = over(tree->points, tree->room);
    return lay_out(problem, false, scratch, tree);
}

size_t be_neighbours_tree_scratch(const struct be_problem *problem, int members) {
    struct be_neighbours_tree tree;
    (void)members;
    return lay_out_tree(problem, NULL, &tree);
}

size_t be_neighbours_all_scratch(const struct be_problem *problem, int members) {
    struct be_neighbours_tree tree;
    (void)members;
    return lay_out_all(problem, NULL, &tree);
}

/* The points come into the tree's order, level after level. */
static void build(const struct be_work *work, const struct be_neighbours_tree *tree) {
    const enum be_real real = work->problem->real;
    size_t first;
    size_t count;
    be_work_rows(work, tree->points, 1, &first, &count);
    OF(copy, real)(tree, be_work_array(work, BE_NEIGHBOURS_X), first, count);
    be_team_barrier(work->team);
    for (int level = 0; level < tree->depth; level++) {
        be_work_rows(work, (size_t)1 << level, 1, &first, &count);
        for (size_t node = first; node < first + count; node++) {
            OF(split, real)(tree, level, node);
        }
        be_team_barrier(work->team);
    }
    be_work_rows(work, tree->leaves, 1, &first, &count);
    OF(pack, real)(tree, first, count);
    be_team_barrier(work->team);
}

void be_neighbours_host_tree(const struct be_work *work) {
    const struct be_neighbours_queries queries = queries_of(work);
    struct be_neighbours_tree tree;
    (void)lay_out_tree(work->problem, work->scratch, &tree);
    build(work, &tree);
    OF(search, work->problem->real)(&tree, &queries);
}

void be_neighbours_host_all(const struct be_work *work) {
    const struct be_neighbours_queries queries = queries_of(work);
    struct be_neighbours_tree tree;
    size_t first;
    size_t count;
    (void)lay_out_all(work->problem, work->scratch, &tree);
    be_work_rows(work, tree.leaves, 1, &first, &count);
    OF(lay, work->problem->real)(&tree, queries.points, first, count);
    be_team_barrier(work->team);
    OF(all, work->problem->real)(&tree, &queries);
}

void be_neighbours_host_plain(const struct be_work *work) {
    const struct be_neighbours_queries queries = queries_of(work);
    OF(plain, work->problem->real)(&queries);
}
