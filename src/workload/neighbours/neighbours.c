/*
 * neighbours: the k nearest of n points, of each of some other points, the queries: squares of the distances, and which
 * points they are.
 *
 * Operations: a query's results are k squares, and with each coordinate of one comes a difference, a product and a sum, but
 * for the first sum: 3 d - 1. How many more points have to be looked at depends on where they lie; no count is known
 * that holds for every method. So limits are low for whoever looks at all of them.
 */
#include "workload/neighbours/neighbours.h"

#include <math.h>

#include "base/error.h"
#include "workload/numbers.h"

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const size_t n = be_neighbours_of(problem, BE_NEIGHBOURS_POINTS);
    const size_t queries = be_neighbours_of(problem, BE_NEIGHBOURS_QUERIES);
    const size_t d = be_neighbours_of(problem, BE_NEIGHBOURS_DIMENSION);
    const size_t k = be_neighbours_of(problem, BE_NEIGHBOURS_K);
    const size_t number = be_real_bytes(problem->real);
    const size_t found = k < n ? k : n;
    *shape = (struct be_shape){
        .items = 1,
        .item_bytes = {n * d * number, queries * d * number, queries * k * number,
                       queries * k * sizeof(uint32_t)},
        .operations = (double)queries * (double)found * (3 * (double)d - 1),
        .bytes = (double)(n * d + queries * d + queries * k) * (double)number +
                 (double)(queries * k * sizeof(uint32_t)),
        /* A sum of d terms and what makes a term. */
        .tolerance = (8 + (double)d) * be_number_unit(problem->real),
    };
}

static void fill_rows(const struct be_work *work, int array, size_t rows, uint64_t seed) {
    void *to = be_work_array(work, array);
    size_t first;
    size_t count;
    be_work_rows(work, rows * be_neighbours_of(work->problem, BE_NEIGHBOURS_DIMENSION), 1, &first,
                 &count);
    for (size_t i = first; i < first + count; i++) {
        be_number_set(work->problem->real, to, i, be_number_random(work->problem->real, seed, i));
    }
}

static void fill(const struct be_work *work, uint64_t seed) {
    fill_rows(work, BE_NEIGHBOURS_X, be_neighbours_of(work->problem, BE_NEIGHBOURS_POINTS), seed);
    fill_rows(work, BE_NEIGHBOURS_Q, be_neighbours_of(work->problem, BE_NEIGHBOURS_QUERIES),
              seed + 1);
}

/* ---- the plain reference -------------------------------------------------------------------- */

struct arrays {
    enum be_real real;
    size_t n, k, d;
    const void *points, *queries, *squares;
    const uint32_t *which;
};

static struct arrays arrays_of(const struct be_work *work) {
    return (struct arrays){
        .real = work->problem->real,
        .n = be_neighbours_of(work->problem, BE_NEIGHBOURS_POINTS),
        .k = be_neighbours_of(work->problem, BE_NEIGHBOURS_K),
        .d = be_neighbours_of(work->problem, BE_NEIGHBOURS_DIMENSION),
        .points = be_work_array(work, BE_NEIGHBOURS_X),
        .queries = be_work_array(work, BE_NEIGHBOURS_Q),
        .squares = be_work_array(work, BE_NEIGHBOURS_SQUARES),
        .which = be_work_array(work, BE_NEIGHBOURS_WHICH),
    };
}

static double squared(const struct arrays *a, size_t query, size_t point) {
    double sum = 0;
    for (size_t i = 0; i < a->d; i++) {
        const double t = be_number(a->real, a->queries, query * a->d + i) -
                         be_number(a->real, a->points, point * a->d + i);
        sum += t * t;
    }
    return sum;
}

/* The k least squares, ascending; infinite behind the last point. Those that are no numbers are passed over. */
static void nearest(const struct arrays *a, size_t query, double least[BE_NEIGHBOURS_K_MAX]) {
    for (size_t i = 0; i < a->k; i++) {
        least[i] = INFINITY;
    }
    for (size_t j = 0; j < a->n; j++) {
        const double one = squared(a, query, j);
        size_t at = a->k;
        for (; at > 0 && one < least[at - 1]; at--) {
            if (at < a->k) {
                least[at] = least[at - 1];
            }
        }
        if (at < a->k) {
            least[at] = one;
        }
    }
}

/* Is point i of a query one of those before it, or no point at all? Which of several at the same distance come out is
 * left open. */
static bool is_named_wrongly(const struct arrays *a, const uint32_t *which, size_t i,
                             double square) {
    if (isinf(square)) {
        return which[i] > a->n; /* no point, or one that is infinitely far */
    }
    for (size_t before = 0; before < i; before++) {
        if (which[before] == which[i]) {
            return true;
        }
    }
    return which[i] >= a->n;
}

static void compare_query(const struct arrays *a, size_t query, double *difference, double *norm) {
    const uint32_t *which = a->which + query * a->k;
    double least[BE_NEIGHBOURS_K_MAX];
    nearest(a, query, least);
    for (size_t i = 0; i < a->k; i++) {
        const double square = be_number(a->real, a->squares, query * a->k + i);
        if (is_named_wrongly(a, which, i, square)) {
            *difference += NAN;
        } else if (!isinf(square) || !isinf(least[i])) {
            be_number_compare(square, least[i], difference, norm);
            if (!isinf(square)) {
                be_number_compare(squared(a, query, which[i]), least[i], difference, norm);
            }
        }
    }
}

/* Computed again in double precision: of many only every so-manieth query, an odd number, so that a check takes seconds;
 * that the others were written is looked at. */
static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    const double max = 2e8; /* coordinates of pairs */
    const struct arrays a = arrays_of(work);
    const size_t queries = be_neighbours_of(work->problem, BE_NEIGHBOURS_QUERIES);
    const double all = (double)queries * (double)a.n * (double)a.d;
    const size_t every = 2 * (size_t)(all / max / 2) + 1;
    size_t first;
    size_t count;
    (void)reference;
    be_work_rows(work, queries, 1, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        if (i % every == 0) {
            compare_query(&a, i, difference, norm);
        }
        for (size_t j = 0; j < a.k; j++) {
            *difference += isnan(be_number(a.real, a.squares, i * a.k + j)) ? NAN : 0;
        }
    }
}

/* ---- the table ------------------------------------------------------------------------------ */

static const char *unfit_tree(const struct be_problem *problem) {
    return be_neighbours_of(problem, BE_NEIGHBOURS_DIMENSION) > BE_NEIGHBOURS_TREE_MAX
               ? "takes up to 16 coordinates: with more it would look at nearly all points"
               : NULL;
}

static const struct be_variant variant[] = {
    {
        .name = "plain",
        .summary = "the distance to each point, kept where it is among the least",
        .host_code = BE_CODE_PLAIN,
        .device_code = BE_CODE_PLAIN,
        .host = be_neighbours_host_plain,
        .prepare = be_neighbours_prepare,
        .enqueue = be_neighbours_enqueue,
        .discard = be_discard_kernels,
        .device_scratch = be_neighbours_device_scratch,
        .each_of = 1u << BE_NEIGHBOURS_K | 1u << BE_NEIGHBOURS_DIMENSION,
    },
    {
        .name = "vectors",
        .summary = "the same, several points at a time and several queries (CPU)",
        .host = be_neighbours_host_all,
        .host_scratch = be_neighbours_all_scratch,
    },
    {
        .name = "tree",
        .summary = "a k-d tree, built in each call, up to 16 coordinates (CPU)",
        .unfit = unfit_tree,
        .host = be_neighbours_host_tree,
        .host_scratch = be_neighbours_tree_scratch,
    },
};

static const struct be_parameter parameter[] = {
    {.name = "points",
     .what = "points that are looked through",
     .preset = 10000,
     .min = 1,
     .max = 100000000,
     .from = 100,
     .to = 1000000,
     .look = {1000, 10000, 100000}},
    {.name = "queries",
     .what = "points whose nearest are looked for",
     .preset = 1000,
     .min = 1,
     .max = 100000000,
     .from = 1,
     .to = 1000000,
     .look = {1, 100, 10000}},
    {.name = "k",
     .what = "nearest points of each",
     .preset = 8,
     .min = 1,
     .max = BE_NEIGHBOURS_K_MAX,
     .from = 1,
     .to = BE_NEIGHBOURS_K_MAX,
     .look = {1, 8, 32}},
    {.name = "dimension",
     .what = "coordinates of a point",
     .preset = 3,
     .min = 1,
     .max = BE_NEIGHBOURS_DIMENSION_MAX,
     .from = 1,
     .to = BE_NEIGHBOURS_DIMENSION_MAX,
     .look = {2, 3, 16, 128}},
};

static const char *const array[] = {"points", "queries", "squares", "which"};

const struct be_workload be_workload_neighbours = {
    .name = "neighbours",
    .title = "the k nearest points",
    .summary = "of each query the k nearest of some points",
    .parameter = parameter,
    .parameters = BE_COUNT(parameter),
    .real = BE_REAL64,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .uncounted = true,
    .array = array,
    .inputs = 2,
    .outputs = 2,
    .host_grain = 1,
    .shape = shape,
    .fill = fill,
    .residual = residual,
    BE_WORKLOAD_VARIANTS,
};
