/*
 * The part of simd.c that finds the k nearest, of one type: REAL, OF_TYPE(name) the name for it, NAME(name) a public one.
 */
#define VECTOR OF_TYPE(vector)
#define LANES ((size_t)OF_TYPE(lanes))

/* The nearest points of a query so far, ascending. */
struct OF_TYPE(best) {
    REAL square[BE_NEIGHBOURS_K_MAX];
    uint32_t which[BE_NEIGHBOURS_K_MAX];
    REAL last; /* of the k squares */
    size_t k;
};

static void OF_TYPE(begin)(struct OF_TYPE(best) * best, size_t k, size_t points) {
    best->k = k;
    best->last = (REAL)INFINITY;
    for (size_t i = 0; i < k; i++) {
        best->square[i] = (REAL)INFINITY;
        best->which[i] = (uint32_t)points;
    }
}

static void OF_TYPE(insert)(struct OF_TYPE(best) * best, REAL square, uint32_t which) {
    size_t at = best->k - 1;
    for (; at > 0 && best->square[at - 1] > square; at--) {
        best->square[at] = best->square[at - 1];
        best->which[at] = best->which[at - 1];
    }
    best->square[at] = square;
    best->which[at] = which;
    best->last = best->square[best->k - 1];
}

/* A part of the points. NaN is nearer than nothing. */
VECTOR_INLINE void OF_TYPE(look)(const struct be_neighbours_tree *tree, size_t leaf,
                                 const REAL *query, struct OF_TYPE(best) * best) {
    const REAL *packed = (const REAL *)tree->packed + leaf * tree->dimension * tree->room;
    const uint32_t *number = tree->number + leaf * tree->room;
    for (size_t at = 0; at < tree->room; at += LANES) {
        VECTOR sum = OF_TYPE(spread)(0);
        REAL square[LANES];
        for (size_t d = 0; d < tree->dimension; d++) {
            const VECTOR t =
                OF_TYPE(spread)(query[d]) - OF_TYPE(load)(packed + d * tree->room + at);
            sum += t * t;
        }
        OF_TYPE(store)(square, sum);
        for (size_t v = 0; v < LANES; v++) {
            if (square[v] < best->last) {
                OF_TYPE(insert)(best, square[v], number[at + v]);
            }
        }
    }
}

static void OF_TYPE(keep)(const struct be_neighbours_queries *q, size_t i,
                          const struct OF_TYPE(best) * best) {
    memcpy((REAL *)q->squares + i * q->k, best->square, q->k * sizeof(REAL));
    memcpy(q->which + i * q->k, best->which, q->k * sizeof *q->which);
}

void NAME(be_neighbours_lay)(const struct be_neighbours_tree *tree, const void *points,
                             size_t first, size_t count) {
    for (size_t leaf = first; leaf < first + count; leaf++) {
        REAL *to = (REAL *)tree->packed + leaf * tree->dimension * tree->room;
        for (size_t i = 0; i < tree->room; i++) {
            const size_t point = leaf * tree->room + i;
            for (size_t d = 0; d < tree->dimension; d++) {
                to[d * tree->room + i] = point < tree->points
                                             ? ((const REAL *)points)[point * tree->dimension + d]
                                             : (REAL)NAN;
            }
            tree->number[point] = (uint32_t)point;
        }
    }
}

void NAME(be_neighbours_all)(const struct be_neighbours_tree *tree,
                             const struct be_neighbours_queries *q) {
    enum { BLOCK = 8 }; /* queries that go over a part together */
    for (size_t first = q->first; first < q->first + q->count; first += BLOCK) {
        const size_t left = q->first + q->count - first;
        const size_t count = left < BLOCK ? left : BLOCK;
        struct OF_TYPE(best) best[BLOCK];
        for (size_t i = 0; i < count; i++) {
            OF_TYPE(begin)(&best[i], q->k, q->n);
        }
        for (size_t leaf = 0; leaf < tree->leaves; leaf++) {
            for (size_t i = 0; i < count; i++) {
                OF_TYPE(look)
                (tree, leaf, (const REAL *)q->queries + (first + i) * q->dimension, &best[i]);
            }
        }
        for (size_t i = 0; i < count; i++) {
            OF_TYPE(keep)(q, first + i, &best[i]);
        }
    }
}
