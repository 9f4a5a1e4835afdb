#include "forecast/forest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum {
    TREES = 32,
    SAMPLES_MAX = 5000, /* a tree sees at most so many examples, drawn at random */
    LEAF_MIN = 8,
    LEVELS = 64, /* a feature's values, as ranks of examples */
    DEPTH_MAX = 24
};

struct node {
    int feature;     /* -1: a leaf */
    float edge;      /* at or below: left */
    int left, right; /* of a leaf: its outcomes, first and past the last */
    int guess;       /* of a leaf: the feature that its outcomes are counted from; -1: none */
};

struct tree {
    struct node *node;
    int nodes, capacity;
    float *outcome; /* of all leaves */
    int outcomes;
};

struct be_forest {
    struct tree tree[TREES];
    int features;
};

static uint64_t draw(uint64_t *state) { /* splitmix64 (Steele, Lea, Flood 2014) */
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* ---- levels --------------------------------------------------------------------------------- */

/* Examples with each feature as one of LEVELS, cut where equally many lie between. */
struct levels {
    float edge[BE_FOREST_FEATURES_MAX][LEVELS]; /* upper end of each level */
    int count[BE_FOREST_FEATURES_MAX];
    uint8_t *level; /* count x features */
    const struct be_examples *examples;
};

static int by_value(const void *a, const void *b) {
    float left = *(const float *)a, right = *(const float *)b;
    return left < right ? -1 : left > right;
}

static int level_of(const struct levels *levels, int feature, float value) {
    int low = 0, high = levels->count[feature] - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (value <= levels->edge[feature][middle]) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* Edges from at most 2000 examples: a rank needs no more. */
static void cut_feature(struct levels *levels, int feature, float *scratch) {
    enum { PROBES = 2000 };
    const struct be_examples *e = levels->examples;
    size_t step = e->count / PROBES + 1, probes = 0;
    for (size_t i = 0; i < e->count; i += step) {
        scratch[probes++] = e->feature[i * (size_t)e->features + (size_t)feature];
    }
    qsort(scratch, probes, sizeof *scratch, by_value);
    int count = 0;
    for (size_t i = 1; i <= LEVELS; i++) {
        float edge = scratch[probes * i / LEVELS - (probes * i / LEVELS > 0)];
        if (count == 0 || edge > levels->edge[feature][count - 1]) {
            levels->edge[feature][count++] = edge;
        }
    }
    levels->count[feature] = count;
}

static bool cut(struct levels *levels) {
    const struct be_examples *e = levels->examples;
    size_t features = (size_t)e->features;
    float *scratch = malloc((e->count + 1) * sizeof *scratch);
    levels->level = malloc(e->count * features + 1);
    if (!scratch || !levels->level) {
        free(scratch);
        return false;
    }
    for (int k = 0; k < e->features; k++) {
        cut_feature(levels, k, scratch);
        for (size_t i = 0; i < e->count; i++) {
            levels->level[i * features + (size_t)k] =
                (uint8_t)level_of(levels, k, e->feature[i * features + (size_t)k]);
        }
    }
    free(scratch);
    return true;
}

/* ---- growing -------------------------------------------------------------------------------- */

struct growing {
    const struct levels *levels;
    struct tree *tree;
    uint32_t *sample; /* numbers of examples, rearranged as they are split */
    float *rest;      /* of each example: what its node's guess leaves of the outcome */
    int samples;
    uint64_t random;
    bool failed;
};

struct split {
    int feature, level;
    double gain;
};

/* The best cut of one feature: most variance taken away. */
static void try_feature(const struct growing *g, int first, int last, int feature, double sum,
                        struct split *best) {
    double sums[LEVELS] = {0};
    int counts[LEVELS] = {0};
    const struct be_examples *e = g->levels->examples;
    size_t features = (size_t)e->features;
    for (int i = first; i < last; i++) {
        uint32_t at = g->sample[i];
        int level = g->levels->level[at * features + (size_t)feature];
        sums[level] += g->rest[at];
        counts[level]++;
    }
    double left_sum = 0;
    int left = 0, all = last - first;
    for (int level = 0; level + 1 < g->levels->count[feature]; level++) {
        left_sum += sums[level];
        left += counts[level];
        int right = all - left;
        if (left < LEAF_MIN || right < LEAF_MIN || counts[level] == 0) {
            continue;
        }
        double right_sum = sum - left_sum;
        double gain = left_sum * left_sum / left + right_sum * right_sum / right - sum * sum / all;
        if (gain > best->gain) {
            *best = (struct split){feature, level, gain};
        }
    }
}

/* A third of the features, drawn anew for each node. */
static struct split find_split(struct growing *g, int first, int last) {
    struct split best = {-1, 0, 1e-9};
    const struct be_examples *e = g->levels->examples;
    int order[BE_FOREST_FEATURES_MAX] = {0};
    int features = e->features, tries = (features + 2) / 3;
    double sum = 0;
    for (int i = first; i < last; i++) {
        sum += g->rest[g->sample[i]];
    }
    for (int k = 0; k < features; k++) {
        order[k] = k;
    }
    for (int k = 0; k < tries; k++) {
        int other = k + (int)(draw(&g->random) % (uint64_t)(features - k));
        int feature = order[other];
        order[other] = order[k];
        try_feature(g, first, last, feature, sum, &best);
    }
    return best;
}

static float rest_of(const struct be_examples *e, size_t at, int guess) {
    return e->outcome[at] - (guess < 0 ? 0 : e->feature[at * (size_t)e->features + (size_t)guess]);
}

/* The guess whose distance from the outcome varies least; -1: none takes half of the variance. */
static int choose_guess(struct growing *g, int first, int last) {
    const struct be_examples *e = g->levels->examples;
    int best = -1;
    double min = INFINITY;
    for (int k = -1; k < e->guesses; k++) {
        int guess = k < 0 ? -1 : e->features - e->guesses + k;
        double sum = 0, squares = 0, n = last - first;
        for (int i = first; i < last; i++) {
            double rest = rest_of(e, g->sample[i], guess);
            sum += rest;
            squares += rest * rest;
        }
        double worth = guess < 0 ? 1 : 2; /* half of the variance is to go, or it is chance */
        double variance = (squares - sum * sum / n) * worth;
        if (variance < min) {
            min = variance;
            best = guess;
        }
    }
    for (int i = first; i < last; i++) {
        g->rest[g->sample[i]] = rest_of(e, g->sample[i], best);
    }
    return best;
}

static int add_node(struct growing *g) {
    struct tree *tree = g->tree;
    if (tree->nodes == tree->capacity) {
        int capacity = tree->capacity ? tree->capacity * 2 : 256;
        struct node *node = realloc(tree->node, (size_t)capacity * sizeof *node);
        if (!node) {
            g->failed = true;
            return -1;
        }
        tree->node = node;
        tree->capacity = capacity;
    }
    return tree->nodes++;
}

static int partition(struct growing *g, int first, int last, const struct split *split) {
    size_t features = (size_t)g->levels->examples->features;
    int middle = first;
    for (int i = first; i < last; i++) {
        uint32_t at = g->sample[i];
        if (g->levels->level[at * features + (size_t)split->feature] <= split->level) {
            g->sample[i] = g->sample[middle];
            g->sample[middle++] = at;
        }
    }
    return middle;
}

/* The node of samples first .. last - 1; -1: no host memory. */
static int grow(struct growing *g, int first, int last, int depth) {
    int at = add_node(g);
    if (at < 0) {
        return -1;
    }
    struct split split = {-1, 0, 0};
    int guess = choose_guess(g, first, last);
    if (last - first >= 2 * LEAF_MIN && depth < DEPTH_MAX) {
        split = find_split(g, first, last);
    }
    if (split.feature < 0) {
        g->tree->node[at] = (struct node){-1, 0, first, last, guess};
        return at;
    }
    int middle = partition(g, first, last, &split);
    int left = grow(g, first, middle, depth + 1);
    int right = left < 0 ? -1 : grow(g, middle, last, depth + 1);
    g->tree->node[at] =
        (struct node){split.feature, g->levels->edge[split.feature][split.level], left, right, -1};
    return right < 0 ? -1 : at;
}

static bool grow_tree(const struct levels *levels, struct tree *tree, uint64_t seed) {
    const struct be_examples *e = levels->examples;
    int samples = e->count < SAMPLES_MAX ? (int)e->count : SAMPLES_MAX;
    struct growing g = {.levels = levels, .tree = tree, .samples = samples, .random = seed};
    g.sample = malloc((size_t)samples * sizeof *g.sample);
    tree->outcome = malloc((size_t)samples * sizeof *tree->outcome);
    g.rest = malloc(e->count * sizeof *g.rest);
    if (!g.sample || !tree->outcome || !g.rest) {
        free(g.rest);
        free(g.sample);
        return false;
    }
    for (int i = 0; i < samples; i++) {
        g.sample[i] = (uint32_t)(draw(&g.random) % e->count);
    }
    grow(&g, 0, samples, 0);
    for (int i = 0; i < samples; i++) {
        tree->outcome[i] = g.rest[g.sample[i]];
    }
    tree->outcomes = samples;
    free(g.sample);
    free(g.rest);
    return !g.failed;
}

enum be_status be_forest_grow(const struct be_examples *examples, uint64_t seed,
                              struct be_forest **forest, struct be_error *error) {
    if (examples->count == 0 || examples->features > BE_FOREST_FEATURES_MAX) {
        return be_fail(error, BE_USAGE, "forest: no examples, or more than %d features",
                       (int)BE_FOREST_FEATURES_MAX);
    }
    struct be_forest *f = calloc(1, sizeof *f);
    struct levels *levels = calloc(1, sizeof *levels);
    bool fits = f && levels;
    if (fits) {
        f->features = examples->features;
        levels->examples = examples;
        fits = cut(levels);
    }
    for (int i = 0; i < TREES && fits; i++) {
        fits = grow_tree(levels, &f->tree[i], seed * TREES + (uint64_t)i + 1);
    }
    if (levels) {
        free(levels->level);
    }
    free(levels);
    if (!fits) {
        be_forest_free(f);
        return be_fail(error, BE_NOMEM, "forest: no host memory");
    }
    *forest = f;
    return BE_OK;
}

void be_forest_free(struct be_forest *forest) {
    for (int i = 0; forest && i < TREES; i++) {
        free(forest->tree[i].node);
        free(forest->tree[i].outcome);
    }
    free(forest);
}

/* ---- what to expect ------------------------------------------------------------------------- */

static int by_outcome(const void *a, const void *b) {
    const struct be_expected_item *left = a, *right = b;
    return left->outcome < right->outcome ? -1 : left->outcome > right->outcome;
}

static const struct node *leaf_of(const struct tree *tree, const float *feature) {
    const struct node *node = tree->node;
    while (node->feature >= 0) {
        node = &tree->node[feature[node->feature] <= node->edge ? node->left : node->right];
    }
    return node;
}

enum be_status be_forest_expect(const struct be_forest *forest, const float *feature,
                                struct be_expected *expected, struct be_error *error) {
    size_t items = 0;
    const struct node *leaf[TREES];
    for (int i = 0; i < TREES; i++) {
        leaf[i] = leaf_of(&forest->tree[i], feature);
        items += (size_t)(leaf[i]->right - leaf[i]->left);
    }
    if (items > expected->capacity) {
        struct be_expected_item *item = realloc(expected->item, items * 2 * sizeof *item);
        if (!item) {
            return be_fail(error, BE_NOMEM, "forecast: no host memory");
        }
        expected->item = item;
        expected->capacity = items * 2;
    }
    expected->items = 0;
    for (int i = 0; i < TREES; i++) {
        float weight = 1.0f / (float)(TREES * (leaf[i]->right - leaf[i]->left));
        float from = leaf[i]->guess < 0 ? 0 : feature[leaf[i]->guess];
        for (int k = leaf[i]->left; k < leaf[i]->right; k++) {
            expected->item[expected->items++] =
                (struct be_expected_item){forest->tree[i].outcome[k] + from, weight};
        }
    }
    qsort(expected->item, expected->items, sizeof *expected->item, by_outcome);
    return BE_OK;
}

void be_expected_free(struct be_expected *expected) {
    free(expected->item);
    *expected = (struct be_expected){0};
}

double be_expected_quantile(const struct be_expected *expected, double q) {
    double sum = 0;
    const double rounding = 1e-6;
    for (size_t i = 0; i < expected->items; i++) {
        sum += expected->item[i].weight;
        if (sum >= q - rounding) {
            return expected->item[i].outcome;
        }
    }
    return expected->items ? expected->item[expected->items - 1].outcome : NAN;
}

double be_expected_share(const struct be_expected *expected, double outcome) {
    double sum = 0;
    for (size_t i = 0; i < expected->items && expected->item[i].outcome <= outcome; i++) {
        sum += expected->item[i].weight;
    }
    return sum < 1 ? sum : 1;
}
