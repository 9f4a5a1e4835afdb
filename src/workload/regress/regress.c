/*
 * regress: least squares by gradient descent, w <- w - 2 rate / n X'(Xw - y), from 0, so many steps.
 * X has n rows (samples) of k features; the first feature is uniform in [0, 1), the last is 1, the
 * others are uniform in [-1, 1), and y = X (2 .. 5) + noise of deviation 0.1. All is one item.
 *
 * Operations: the least of what is known to do it. Going through X in each step takes 2nk for Xw and
 * 2nk for X'r, the first step only the latter, since w is 0. X'X and X'y once take n k (k + 1), of
 * the symmetric half, and 2nk; or XX', where there are fewer samples than features, n k (n + 1) and
 * as much for X'r at the end; what the steps then take is not counted. Bytes: X and y read once, w
 * written.
 */
#include "workload/regress/regress.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "workload/numbers.h"

static const struct be_parameter parameter[] = {
    {.name = "samples",
     .what = "rows of X",
     .preset = 10000,
     .min = 1,
     .max = 20000000,
     .from = 64,
     .to = 1000000,
     .look = {1000, 10000, 100000}},
    {.name = "features",
     .what = "columns of X, the last of them 1",
     .preset = 51,
     .min = 1,
     .max = BE_REGRESS_MAX,
     .from = 2,
     .to = BE_REGRESS_MAX,
     .look = {2, 16, 128}},
    {.name = "steps",
     .what = "steps of the descent",
     .preset = 1000,
     .min = 1,
     .max = 1000000,
     .from = 10,
     .to = 100000,
     .look = {10, 1000, 10000}},
};

static const char *const array[] = {"X", "y", "w"};

/* ---- shape ---------------------------------------------------------------------------------- */

/* Where the reference goes through X in each step: so many products at most. */
static const double plain_max = 6e7;

static bool is_plain(const struct be_regress_size *s) {
    return (double)s->n * (double)s->k * (double)s->steps <= plain_max;
}

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const struct be_regress_size s = be_regress_size(problem);
    const size_t real = be_real_bytes(problem->real);
    const double min = (double)(s.n < s.k ? s.n : s.k);
    *shape = (struct be_shape){
        .items = 1,
        .item_bytes = {s.n * s.k * real, s.n * real, s.k * real},
        .reference = s.k + (is_plain(&s) ? 0 : s.k * (s.k + 1)),
        .operations = (double)s.n * (double)s.k * fmin(4 * (double)s.steps - 2, min + 3),
        .bytes = (double)((s.n * s.k + s.n + s.k) * real),
        .passes = (double)s.steps,
        /* A step may round by a unit, and they may add up where X'X hardly damps them; and the
         * condition of X'X, 20 to 100, times what sums of it and of X'y lose. */
        .tolerance = be_number_unit(problem->real) * (1000 + (double)s.steps)};
}

/* ---- inputs --------------------------------------------------------------------------------- */

static double truth(size_t j, size_t k) {
    return k > 1 ? 2 + 3 * (double)j / (double)(k - 1) : 2;
}

static void fill(const struct be_work *work, uint64_t seed) {
    const struct be_regress_size s = be_regress_size(work->problem);
    const enum be_real real = work->problem->real;
    const double width = 0.34641016151377546; /* of a uniform number of deviation 0.1 */
    void *x = be_work_array(work, BE_REGRESS_X);
    void *y = be_work_array(work, BE_REGRESS_Y);
    size_t first;
    size_t count;
    be_work_rows(work, s.n, 1, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        const uint64_t row = (uint64_t)work->first * s.n + i;
        double sum = width * (be_number_random(BE_REAL64, seed + 1, row) - 0.5);
        for (size_t j = 0; j < s.k; j++) {
            const double u = be_number_random(real, seed, row * s.k + j);
            be_number_set(real, x, i * s.k + j, j == s.k - 1 ? 1 : j == 0 ? u : 2 * u - 1);
            sum += be_number(real, x, i * s.k + j) * truth(j, s.k);
        }
        be_number_set(real, y, i, sum);
    }
}

/* ---- reference ------------------------------------------------------------------------------ */

static double x_of(const struct be_work *work, size_t i) {
    return be_number(work->problem->real, work->array[BE_REGRESS_X], i);
}

static double y_of(const struct be_work *work, size_t i) {
    return be_number(work->problem->real, work->array[BE_REGRESS_Y], i);
}

static void descend_plainly(const struct be_work *work, double *w) {
    const struct be_regress_size s = be_regress_size(work->problem);
    memset(w, 0, s.k * sizeof *w);
    for (size_t step = 0; step < s.steps; step++) {
        double gradient[BE_REGRESS_MAX] = {0};
        for (size_t i = 0; i < s.n; i++) {
            double r = -y_of(work, i);
            for (size_t j = 0; j < s.k; j++) {
                r += x_of(work, i * s.k + j) * w[j];
            }
            for (size_t j = 0; j < s.k; j++) {
                gradient[j] += r * x_of(work, i * s.k + j);
            }
        }
        for (size_t j = 0; j < s.k; j++) {
            w[j] -= s.factor * gradient[j];
        }
    }
}

/* A member's rows of [X'X X'y]. */
static void gram_rows(const struct be_work *work, size_t first, size_t count, double *gram) {
    const struct be_regress_size s = be_regress_size(work->problem);
    const size_t across = s.k + 1;
    memset(gram + first * across, 0, count * across * sizeof *gram);
    for (size_t i = 0; count > 0 && i < s.n; i++) {
        double row[BE_REGRESS_MAX + 1];
        for (size_t j = 0; j < s.k; j++) {
            row[j] = x_of(work, i * s.k + j);
        }
        row[s.k] = y_of(work, i);
        for (size_t a = first; a < first + count; a++) {
            for (size_t b = 0; b < across; b++) {
                gram[a * across + b] += row[a] * row[b];
            }
        }
    }
}

static void descend_gram(const struct be_regress_size *s, const double *gram, double *w) {
    memset(w, 0, s->k * sizeof *w);
    for (size_t step = 0; step < s->steps; step++) {
        double gradient[BE_REGRESS_MAX];
        for (size_t a = 0; a < s->k; a++) {
            const double *row = gram + a * (s->k + 1);
            gradient[a] = -row[s->k];
            for (size_t b = 0; b < s->k; b++) {
                gradient[a] += row[b] * w[b];
            }
        }
        for (size_t a = 0; a < s->k; a++) {
            w[a] -= s->factor * gradient[a];
        }
    }
}

/* The loop as it stands in the title, by one member; where that takes minutes, the same steps with
 * X'X and X'y, of which each member sums some rows. */
static void reference(const struct be_work *work, double *reference) {
    const struct be_regress_size s = be_regress_size(work->problem);
    double *gram = reference + s.k;
    size_t first;
    size_t count;
    if (is_plain(&s)) {
        if (work->member == 0) {
            descend_plainly(work, reference);
        }
        return;
    }
    be_work_rows(work, s.k, 1, &first, &count);
    gram_rows(work, first, count, gram);
    be_team_barrier(work->team);
    if (work->member == 0) {
        descend_gram(&s, gram, reference);
    }
}

static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    size_t first;
    size_t count;
    be_work_rows(work, be_regress_size(work->problem).k, 1, &first, &count);
    for (size_t j = first; j < first + count; j++) {
        const double d =
            be_number(work->problem->real, work->array[BE_REGRESS_W], j) - reference[j];
        *difference += d * d;
        *norm += reference[j] * reference[j];
    }
}

/* ---- the table ------------------------------------------------------------------------------ */

static const struct be_variant variant[] = {
    {.name = "as-written",
     .summary = "two passes over X a step: Xw - y, then X'r",
     .device_code = BE_CODE_PLAIN,
     .as_written = true,
     .host = be_regress_host_written,
     .host_scratch = be_regress_host_scratch_written,
     .prepare = be_regress_prepare_written,
     .enqueue = be_regress_enqueue_written,
     .discard = be_discard_kernels,
     .device_scratch = be_regress_scratch_written,
     .each_of = 1u << BE_REGRESS_FEATURES},
    {.name = "fused",
     .summary = "one pass over X a step; on CUDA all steps in one launch",
     .host = be_regress_host_fused,
     .host_scratch = be_regress_host_scratch_fused,
     .prepare = be_regress_prepare_fused,
     .enqueue = be_regress_enqueue_fused,
     .discard = be_discard_kernels,
     .device_scratch = be_regress_scratch_fused,
     .each_of = 1u << BE_REGRESS_FEATURES},
    {.name = "gram",
     .summary = "X'X and X'y once, then k x k a step",
     .host = be_regress_host_gram,
     .host_scratch = be_regress_host_scratch_gram,
     .prepare = be_regress_prepare_gram,
     .enqueue = be_regress_enqueue_gram,
     .discard = be_discard_kernels,
     .device_scratch = be_regress_scratch_gram,
     .each_of = 1u << BE_REGRESS_FEATURES},
    {.name = "plain",
     .summary = "as gram, in plain loops",
     .host_code = BE_CODE_PLAIN,
     .device_code = BE_CODE_PLAIN,
     .host = be_regress_host_plain,
     .host_scratch = be_regress_host_scratch_plain,
     .prepare = be_regress_prepare_plain,
     .enqueue = be_regress_enqueue_plain,
     .discard = be_discard_kernels,
     .device_scratch = be_regress_scratch_plain},
};

const struct be_workload be_workload_regress = {
    .name = "regress",
    .title = "w <- w - c X'(Xw - y)",
    .summary = "least squares by gradient descent",
    .parameter = parameter,
    .parameters = BE_COUNT(parameter),
    .real = BE_REAL32,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .array = array,
    .inputs = 2,
    .outputs = 1,
    BE_WORKLOAD_FUNCTIONS,
    .tell = be_regress_tell,
    .picture = be_regress_picture,
    BE_WORKLOAD_VARIANTS,
};
