/*
 * solve: A x = b for many systems of one order, by LU with partial pivoting.
 *
 * Operations: 2/3 n^3 - n^2/2 - n/6 of the factors and 2 n^2 - n of the two triangles a system (Golub
 * and Van Loan, Matrix Computations, 3.2 and 3.1). Where refinement may be used only those of the
 * triangles need the problem's own precision, and those of the factors may be float32. Factors of half
 * precision are not thought of: none of our variants has them. Bytes: A and b read, x written.
 */
#include "workload/solve/solve.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/random.h"

static const struct be_parameter parameter[] = {
    {.name = "systems",
     .what = "independent systems",
     .preset = 1000,
     .min = 1,
     .max = 1000000,
     .from = 1,
     .to = 1000000,
     .look = {100, 1000, 10000}},
    {.name = "order",
     .what = "unknowns of each system",
     .preset = 32,
     .min = 1,
     .max = 16384,
     .from = 8,
     .to = 4096,
     .look = {16, 64, 256}},
};

static const char *const arrays[] = {"A", "b", "x", "info"};

/* As the texts of what is unfit have them. */
_Static_assert(SOLVE_LARGE_MAX_SYSTEMS == 64 && SOLVE_LARGE_MIN == 256 &&
                   SOLVE_BATCHED_MAX == 2048 && SOLVE_BLOCKED_MAX == 16384,
               "texts name other limits");

static const char *unfit_refined(const struct be_problem *problem) {
    if (problem->real != BE_REAL64) {
        return "takes float64 only";
    }
    return solve_order(problem) < SOLVE_LARGE_MIN || problem->value[0] > SOLVE_LARGE_MAX_SYSTEMS
               ? "takes up to 64 systems of order 256 or more"
               : NULL;
}

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const size_t order = solve_order(problem);
    const size_t each = be_real_bytes(problem->real);
    const double systems = (double)problem->value[0];
    const double n = (double)order;
    const double factors = n * (n - 1) * (4 * n + 1) / 6;
    *shape = (struct be_shape){
        .items = (size_t)problem->value[0],
        .item_bytes = {order * order * each, order * each, order * each, sizeof(int32_t)},
        /* Each of the hundreds of launches that large systems take is about as long for a few. */
        .together = order > SOLVE_SMALL_MAX ? 256 : 0,
        .operations = systems * (factors + n * (2 * n - 1)),
        .narrow = unfit_refined(problem) ? 0 : systems * factors,
        .bytes = systems * (n * n + 2 * n) * (double)each,
        /* The backward error of LU with partial pivoting is about this for all but contrived
         * matrices (Trefethen and Schreiber 1990). */
        .tolerance = (n + 8) * (problem->real == BE_REAL64 ? 0x1p-53 : 0x1p-24),
    };
}

/* Uniform in (-1, 1) and never 0: an odd multiple of 2^-24, or of 2^-53. */
static void fill_run(const struct be_work *work, void *to, uint64_t index, size_t count,
                     uint64_t seed) {
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = be_random_bits(seed, index + i);
        if (work->problem->real == BE_REAL64) {
            ((double *)to)[i] = ((double)(bits >> 12) + 0.5) * 0x1p-51 - 1;
        } else {
            ((float *)to)[i] = ((float)(bits >> 41) + 0.5F) * 0x1p-22F - 1;
        }
    }
}

static void fill(const struct be_work *work, uint64_t seed) {
    const size_t order = solve_order(work->problem);
    const size_t each = be_real_bytes(work->problem->real);
    const size_t apiece = order * order + order;
    size_t first;
    size_t count;
    be_work_share(work, 1, &first, &count);
    for (size_t s = first; s < first + count; s++) {
        fill_run(work, (char *)work->array[SOLVE_A] + s * order * order * each, s * apiece,
                 order * order, seed);
        fill_run(work, (char *)work->array[SOLVE_B] + s * order * each, s * apiece + order * order,
                 order, seed);
    }
}

static double number_at(const struct be_work *work, int k, size_t i) {
    return work->problem->real == BE_REAL64 ? ((const double *)work->array[k])[i]
                                            : (double)((const float *)work->array[k])[i];
}

/* A row of a system. */
struct row {
    double rest, square, right; /* of b - A x; of A's numbers, squared; of b */
};

static struct row row_of(const struct be_work *work, size_t system, size_t i) {
    const size_t order = solve_order(work->problem);
    struct row row = {.right = number_at(work, SOLVE_B, system * order + i)};
    row.rest = row.right;
    for (size_t j = 0; j < order; j++) {
        const double a = number_at(work, SOLVE_A, (system * order + i) * order + j);
        row.rest -= a * number_at(work, SOLVE_X, system * order + j);
        row.square += a * a;
    }
    return row;
}

/* The square of the backward error |b - A x| / (|A| |x| + |b|), norms of Euclid and Frobenius, of
 * the rows [first, first + count) of a system: it needs no reference. */
static double backward(const struct be_work *work, size_t system, size_t first, size_t count) {
    const size_t order = solve_order(work->problem);
    double rest = 0;
    double matrix = 0;
    double right = 0;
    double x = 0;
    for (size_t i = 0; i < order; i++) {
        const struct row row = row_of(work, system, i);
        const double answer = number_at(work, SOLVE_X, system * order + i);
        rest += i >= first && i < first + count ? row.rest * row.rest : 0;
        matrix += row.square;
        right += row.right * row.right;
        x += answer * answer;
    }
    const double whole = sqrt(matrix) * sqrt(x) + sqrt(right);
    if (((const int32_t *)work->array[SOLVE_INFO])[system] != 0) {
        return NAN;
    }
    return rest / (whole * whole);
}

/* The root of the mean of all systems' squares; one that is beyond what is allowed weighs as much
 * as all of them, so that none is lost among the others. If there are few systems, each member
 * takes rows. */
static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    const struct be_shape shape = be_problem_shape(work->problem);
    const double allowed = shape.tolerance * shape.tolerance;
    const size_t order = solve_order(work->problem);
    size_t first;
    size_t count;
    (void)reference;
    if (work->items < (size_t)work->members) {
        be_work_rows(work, order, 1, &first, &count);
        for (size_t i = 0; i < work->items; i++) {
            *difference += backward(work, i, first, count);
        }
        *norm += work->member == 0 ? 1 : 0;
        return;
    }
    be_work_share(work, 1, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        const double square = backward(work, i, 0, order);
        *difference += square <= allowed ? square : square * (double)work->items;
    }
    *norm += (double)count;
}

/* False: nothing to be said of this system. */
static bool explain_system(const struct be_work *work, size_t system, char note[BE_NOTE]) {
    const size_t order = solve_order(work->problem);
    const size_t at = work->first + system;
    const int info = ((const int32_t *)work->array[SOLVE_INFO])[at];
    const int pivot = info < 0 ? SOLVE_SLOW - info : info;
    bool number = true;
    for (size_t j = at * order; j < (at + 1) * order; j++) {
        number &= !isnan(number_at(work, SOLVE_X, j));
    }
    if (pivot > 0 && (size_t)pivot <= order) {
        snprintf(note, BE_NOTE, "system %zu of order %zu is singular%s: pivot %d is 0", system,
                 order, info < 0 ? " in float32" : "", pivot);
    } else if (info != 0 || !number) {
        snprintf(note, BE_NOTE, "system %zu of order %zu %s", system, order,
                 info == SOLVE_SLOW    ? "does not converge from its float32 factors"
                 : info == SOLVE_VAGUE ? "is singular, or too near it without exchanges of rows"
                 : info != 0           ? "has no answer"
                                       : "has an x that is not a number");
    } else {
        return false;
    }
    return true;
}

/* The first system that has no answer. */
static void explain(const struct be_work *work, const double *reference, char note[BE_NOTE]) {
    (void)reference;
    size_t i = 0;
    while (i < work->items && !explain_system(work, i, note)) {
        i++;
    }
}

static const char *unfit_batched(const struct be_problem *problem) {
    return solve_order(problem) > SOLVE_BATCHED_MAX ? "takes systems up to order 2048" : NULL;
}

static const char *unfit_blocked(const struct be_problem *problem) {
    return solve_order(problem) > SOLVE_BLOCKED_MAX || solve_order(problem) < SOLVE_LARGE_MIN ||
                   problem->value[0] > SOLVE_LARGE_MAX_SYSTEMS
               ? "takes up to 64 systems of order 256 to 16384"
               : NULL;
}

static const char *unfit_butterfly(const struct be_problem *problem) {
    return problem->real != BE_REAL64 ? "takes float64 only" : unfit_blocked(problem);
}

static const struct be_variant variant[] = {
    {
        .name = "library",
        .summary = "LAPACK, one system a core or all cores a system; cuBLAS or cuSOLVER",
        .host_code = BE_CODE_LIBRARY,
        .device_code = BE_CODE_LIBRARY,
        .host_ready = be_solve_host_ready,
        .host = be_solve_library_host,
        .host_scratch = be_solve_host_scratch,
        .prepare = be_solve_library_prepare,
        .enqueue = be_solve_library_enqueue,
        .discard = be_solve_library_discard,
        .each_size = true,
    },
    {
        .name = "batched",
        .summary = "one system in each vector lane; on a GPU in registers up to order 128",
        .unfit = unfit_batched,
        .host = be_solve_batched_host,
        .host_scratch = be_solve_host_scratch,
        .prepare = be_solve_batched_prepare,
        .enqueue = be_solve_batched_enqueue,
        .discard = be_discard_kernels,
        .device_scratch = be_solve_batched_scratch,
        .each_of = 1u << 1, /* the order: code does not know how many systems there are */
    },
    {
        .name = "blocked",
        .summary = "large systems one after the other, panels in the registers of a cluster (GPU)",
        .unfit = unfit_blocked,
        .prepare = be_solve_blocked_prepare,
        .enqueue = be_solve_blocked_enqueue,
        .discard = be_solve_blocked_discard,
        .device_scratch = be_solve_blocked_scratch,
        .each_of = 1u << 1,
    },
    {
        .name = "butterfly",
        .summary = "rows and columns mixed at random, blocks factored without exchanges, corrected "
                   "(devices)",
        .unfit = unfit_butterfly,
        .prepare = be_solve_butterfly_prepare,
        .enqueue = be_solve_butterfly_enqueue,
        .discard = be_solve_blocked_discard,
        .device_scratch = be_solve_butterfly_scratch,
        .each_of = 1u << 1,
    },
    {
        .name = "refined",
        .summary = "factors in float32, corrected in float64",
        .unfit = unfit_refined,
        .host_ready = be_solve_host_ready,
        .host = be_solve_refined_host,
        .host_scratch = be_solve_refined_host_scratch,
        .prepare = be_solve_refined_prepare,
        .enqueue = be_solve_refined_enqueue,
        .discard = be_solve_library_discard,
        .each_size = true,
    },
};

const struct be_workload be_workload_solve = {
    .name = "solve",
    .title = "A x = b",
    .summary = "independent dense systems, LU with partial pivoting",
    .parameter = parameter,
    .parameters = 2,
    .real = BE_REAL64,
    .reals = BE_TAKES(BE_REAL64) | BE_TAKES(BE_REAL32),
    .matrix = true,
    .array = arrays,
    .inputs = 2,
    .outputs = 2,
    .grain = 1,
    .host_grain = 1,
    .wants_blas = true,
    .shape = shape,
    .fill = fill,
    .residual = residual,
    .explain = explain,
    BE_WORKLOAD_VARIANTS,
};
