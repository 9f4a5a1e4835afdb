/*
 * The part of simd.c that builds and searches a k-d tree, of one type. Level l cuts coordinate l, in turn, so that both
 * children have half of the points, however many are equal.
 */

/* A point in the tree's order: its coordinates, then its number, in room of one coordinate. */
#define STRIDE(tree) ((tree)->dimension + 1)

void NAME(be_neighbours_copy)(const struct be_neighbours_tree *tree, const void *points,
                              size_t first, size_t count) {
    REAL *to = (REAL *)tree->order + first * STRIDE(tree);
    for (size_t i = first; i < first + count; i++, to += STRIDE(tree)) {
        const uint32_t number = (uint32_t)i;
        memcpy(to, (const REAL *)points + i * tree->dimension, tree->dimension * sizeof *to);
        memcpy(to + tree->dimension, &number, sizeof number);
    }
}

static void OF_TYPE(exchange)(REAL *a, REAL *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const REAL kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/* Order of numbers with NaN behind all. */
static bool OF_TYPE(before)(REAL a, REAL b) {
    return a < b || (b != b && a == a); // NOLINT(misc-redundant-expression)
}

static REAL OF_TYPE(middle)(REAL a, REAL b, REAL c) {
    if (OF_TYPE(before)(b, a)) {
        const REAL kept = a;
        a = b;
        b = kept;
    }
    return OF_TYPE(before)(c, a) ? a : OF_TYPE(before)(b, c) ? b : c;
}

/* Point `nth` of [low, high] comes to where it were if they were sorted by a coordinate: Hoare's method, which stops at
 * equal ones, so that many of them are halved too. */
static void OF_TYPE(select)(REAL *order, size_t stride, size_t axis, int64_t low, int64_t high,
                            int64_t nth) {
    const int64_t step = (int64_t)stride;
    const REAL *value = order + axis;
    while (low < high) {
        const REAL pivot =
            OF_TYPE(middle)(value[low * step], value[(low + high) / 2 * step], value[high * step]);
        int64_t i = low;
        int64_t j = high;
        while (i <= j) {
            while (OF_TYPE(before)(value[i * step], pivot)) {
                i++;
            }
            while (OF_TYPE(before)(pivot, value[j * step])) {
                j--;
            }
            if (i <= j) {
                OF_TYPE(exchange)(order + i * step, order + j * step, stride);
                i++;
                j--;
            }
        }
        if (nth > j && nth < i) {
            return;
        }
        high = nth <= j ? j : high;
        low = nth >= i ? i : low;
    }
}

/* Where the points of a node begin. */
static size_t OF_TYPE(start)(const struct be_neighbours_tree *tree, int level, size_t node) {
    return tree->points * node >> level;
}

void NAME(be_neighbours_split)(const struct be_neighbours_tree *tree, int level, size_t node) {
    const size_t low = OF_TYPE(start)(tree, level, node);
    const size_t end = OF_TYPE(start)(tree, level, node + 1);
    const size_t nth = OF_TYPE(start)(tree, level + 1, 2 * node + 1);
    const size_t axis = (size_t)level % tree->dimension;
    OF_TYPE(select)
    (tree->order, STRIDE(tree), axis, (int64_t)low, (int64_t)end - 1, (int64_t)nth);
    ((REAL *)tree->cut)[((size_t)1 << level) + node] =
        ((REAL *)tree->order)[nth * STRIDE(tree) + axis];
}

void NAME(be_neighbours_pack)(const struct be_neighbours_tree *tree, size_t first, size_t count) {
    for (size_t leaf = first; leaf < first + count; leaf++) {
        const size_t low = OF_TYPE(start)(tree, tree->depth, leaf);
        const size_t have = OF_TYPE(start)(tree, tree->depth, leaf + 1) - low;
        const REAL *from = (const REAL *)tree->order + low * STRIDE(tree);
        REAL *to = (REAL *)tree->packed + leaf * tree->dimension * tree->room;
        uint32_t *number = tree->number + leaf * tree->room;
        for (size_t i = 0; i < tree->room; i++, from += STRIDE(tree)) {
            for (size_t d = 0; d < tree->dimension; d++) {
                to[d * tree->room + i] = i < have ? from[d] : (REAL)NAN;
            }
            if (i < have) {
                memcpy(&number[i], from + tree->dimension, sizeof *number);
            }
        }
    }
}

/* ---- searching ------------------------------------------------------------------------------ */

struct OF_TYPE(search) {
    const struct be_neighbours_tree *tree;
    const REAL *query;
    struct OF_TYPE(best) best;
    REAL beside
        [BE_NEIGHBOURS_TREE_MAX]; /* how far the query is beside the node, by each coordinate */
};

/* square: of the least distance to the node. The nearer child comes first. */
static void OF_TYPE(descend)(struct OF_TYPE(search) * s, int level, size_t node, REAL square) {
    const struct be_neighbours_tree *tree = s->tree;
    if (level == tree->depth) {
        OF_TYPE(look)(tree, node, s->query, &s->best);
        return;
    }
    const size_t axis = (size_t)level % tree->dimension;
    const REAL away = s->query[axis] - ((const REAL *)tree->cut)[((size_t)1 << level) + node];
    const size_t near = 2 * node + (away < 0 ? 0 : 1);
    const REAL kept = s->beside[axis];
    const REAL farther = square - kept * kept + away * away;
    OF_TYPE(descend)(s, level + 1, near, square);
    if (!(farther >= s->best.last)) { /* also where the cut is no number */
        s->beside[axis] = away;
        OF_TYPE(descend)(s, level + 1, near ^ 1, farther);
        s->beside[axis] = kept;
    }
}

void NAME(be_neighbours_search)(const struct be_neighbours_tree *tree,
                                const struct be_neighbours_queries *q) {
    struct OF_TYPE(search) s = {.tree = tree};
    for (size_t i = q->first; i < q->first + q->count; i++) {
        s.query = (const REAL *)q->queries + i * q->dimension;
        OF_TYPE(begin)(&s.best, q->k, q->n);
        OF_TYPE(descend)(&s, 0, 0, 0);
        OF_TYPE(keep)(q, i, &s.best);
    }
}

#undef VECTOR
#undef LANES
#undef STRIDE
