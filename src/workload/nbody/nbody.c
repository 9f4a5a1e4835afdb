/*
 * nbody: accelerations of n bodies by the gravity of all others, by all pairs:
 * a_i = sum over j of m_j (x_j - x_i) / (|x_j - x_i|^2 + softening)^(3/2).
 */
#include "workload/nbody/nbody.h"

#include <math.h>

#include "base/error.h"
#include "kernels/host.h"
#include "kernel_programs.h"
#include "workload/numbers.h"

/* ---- shape and data ------------------------------------------------------------------------- */

/* A reference is kept for so many bodies: all, or as many as cost some 10^8 pairs. */
static size_t looked_at(size_t n) {
    const size_t pairs = (size_t)1 << 27;
    const size_t min = 64;
    const size_t max = pairs / n > min ? pairs / n : min;
    return n < max ? n : max;
}

/* The k-th of them: one of each stretch, so that all places in a vector or a group come up. */
static size_t looked_at_place(size_t n, size_t k) {
    const size_t count = looked_at(n);
    const size_t from = n * k / count;
    const size_t to = n * (k + 1) / count;
    return from + be_random_bits(0, k) % (to - from);
}

/*
 * Operations: the usual count is 20 a pair, either way round (Nyland, Harris and Prins, GPU Gems 3,
 * chapter 31), and code that looks at each pair once needs fewer. For a pair and both its bodies: a
 * difference of 3, a square of its length of 6, an inverse root of 1, its cube of 2, two masses, 3 for the
 * force and 6 to add it up for one and take it from the other; 23, which is 11.5 a pair either way round.
 * (Forces would have to be divided by masses in the end, which n divisions do; our code has no such, and
 * 26.) A body and itself is no pair.
 */
static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const size_t n = be_nbody_bodies(problem);
    const size_t number = be_real_bytes(problem->real);
    *shape = (struct be_shape){
        .items = 1,
        .item_bytes = {4 * n * number, 3 * n * number},
        .reference = 3 * looked_at(n),
        .operations = 11.5 * (double)n * (double)(n - 1),
        .bytes = 7 * (double)n * (double)number,
        /* A sum of n terms of either sign: their roundings add up like its root. */
        .tolerance = 2 * (16 + sqrt((double)n)) * be_number_unit(problem->real),
    };
}

/* Positions uniform in the unit cube, masses from 1/2 to 3/2 over n: their sum is about 1. */
static void fill(const struct be_work *work, uint64_t seed) {
    const enum be_real real = work->problem->real;
    const size_t n = be_nbody_bodies(work->problem);
    void *x = be_work_array(work, BE_NBODY_BODIES);
    size_t first;
    size_t count;
    be_work_rows(work, 4 * n, 1, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        double value = be_number_random(real, seed, i);
        be_number_set(real, x, i, i < 3 * n ? value : (0.5 + value) / (double)n);
    }
}

/* ---- the plain reference -------------------------------------------------------------------- */

static void acceleration(const struct be_work *work, size_t i, double a[3]) {
    const enum be_real real = work->problem->real;
    const size_t n = be_nbody_bodies(work->problem);
    const void *x = be_work_array(work, BE_NBODY_BODIES);
    a[0] = a[1] = a[2] = 0;
    for (size_t j = 0; j < n; j++) {
        double d[3];
        double r2 = BE_NBODY_SOFTENING;
        for (size_t k = 0; k < 3; k++) {
            d[k] = be_number(real, x, k * n + j) - be_number(real, x, k * n + i);
            r2 += d[k] * d[k];
        }
        const double s = be_number(real, x, 3 * n + j) / (r2 * sqrt(r2));
        for (size_t k = 0; k < 3; k++) {
            a[k] += s * d[k];
        }
    }
}

static void reference(const struct be_work *work, double *reference) {
    const size_t n = be_nbody_bodies(work->problem);
    size_t first;
    size_t count;
    be_work_rows(work, looked_at(n), 1, &first, &count);
    for (size_t k = first; k < first + count; k++) {
        acceleration(work, looked_at_place(n, k), reference + 3 * k);
    }
}

/* For the bodies without a reference it checks that they were written. */
static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    const enum be_real real = work->problem->real;
    const size_t n = be_nbody_bodies(work->problem);
    const void *a = be_work_array(work, BE_NBODY_ACCELERATIONS);
    size_t first;
    size_t count;
    be_work_rows(work, looked_at(n), 1, &first, &count);
    for (size_t k = first; k < first + count; k++) {
        const size_t i = looked_at_place(n, k);
        for (size_t c = 0; c < 3; c++) {
            const double d = be_number(real, a, c * n + i) - reference[3 * k + c];
            *difference += d * d;
            *norm += reference[3 * k + c] * reference[3 * k + c];
        }
    }
    be_work_rows(work, 3 * n, 1, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        if (!isfinite(be_number(real, a, i))) {
            *difference = NAN;
        }
    }
}

/* ---- on a device ---------------------------------------------------------------------------- */

enum { ONE, MANY, END };

/* As nbody.cl has them. */
enum { LANES = 128, MANY32 = 4, MANY64 = 2, SPAN = 32 };

/* From so many bodies on a lane has several: that saves reading those that pull so often. */
enum { MANY_FROM = 32768 };

static size_t over(size_t n, size_t each) {
    return (n + each - 1) / each;
}

static size_t bodies_a_group(const struct be_problem *problem) {
    if (be_nbody_bodies(problem) < MANY_FROM) {
        return LANES;
    }
    return (size_t)LANES * (problem->real == BE_REAL64 ? MANY64 : MANY32);
}

/* How many of those that pull a group goes through: so few that there are several groups for each of
 * a large GPU's 150 or so processors. */
static size_t span(const struct be_problem *problem) {
    const size_t wanted = 1056;
    const size_t n = be_nbody_bodies(problem);
    const size_t parts = over(wanted, over(n, bodies_a_group(problem)));
    return over(over(n, parts), SPAN) * SPAN;
}

/* One part's sums are the result. */
static size_t device_scratch(const struct be_problem *problem) {
    const size_t n = be_nbody_bodies(problem);
    const size_t parts = over(n, span(problem));
    return parts > 1 ? parts * 3 * n * be_real_bytes(problem->real) : 0;
}

static enum be_status prepare(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_nbody_one", "k_nbody_many", "k_nbody_end", NULL};
    return be_prepare_kernels(device, problem, &be_program_nbody, NULL, names, prepared, error);
}

static enum be_status enqueue(const struct be_launch *launch, struct be_error *error) {
    const size_t n = be_nbody_bodies(launch->problem);
    const size_t each = bodies_a_group(launch->problem);
    const size_t parts = over(n, span(launch->problem));
    const struct be_argument scratch = BE_BUFFER(launch->scratch);
    const struct be_argument out = be_launch_array(launch, BE_NBODY_ACCELERATIONS);
    const struct be_argument pull[] = {
        be_launch_array(launch, BE_NBODY_BODIES),
        parts > 1 ? scratch : out,
        BE_LONG(n),
        BE_LONG(span(launch->problem)),
    };
    const struct be_argument end[] = {scratch, out, BE_LONG(n), BE_LONG(parts)};
    enum be_status status =
        be_launch_kernel(launch, each == LANES ? ONE : MANY, over(n, each) * parts, LANES, pull,
                         BE_COUNT(pull), error);
    return status == BE_OK && parts > 1
               ? be_launch_kernel(launch, END, over(3 * n, LANES), LANES, end, BE_COUNT(end), error)
               : status;
}

/* ---- the table ------------------------------------------------------------------------------ */

static void host_plain(const struct be_work *work) {
    BE_SIMD_BEST(be_nbody_plain_run)(work);
}

static const struct be_variant variant[] = {
    {
        .name = "all-pairs",
        .summary = "every pair: on the CPU once, in vectors; on devices from either side, in tiles",
        .device_code = BE_CODE_PLAIN,
        .host = be_nbody_host,
        .host_scratch = be_nbody_host_scratch,
        .prepare = prepare,
        .enqueue = enqueue,
        .discard = be_discard_kernels,
        .device_scratch = device_scratch,
    },
    {
        .name = "plain",
        .summary = "two loops over the bodies (CPU)",
        .host_code = BE_CODE_PLAIN,
        .host = host_plain,
    },
};

static const struct be_parameter parameter[] = {{.name = "bodies",
                                                 .what = "bodies",
                                                 .preset = 10000,
                                                 .min = 1,
                                                 .max = 10000000,
                                                 .from = 256,
                                                 .to = 300000,
                                                 .look = {1024, 8192, 65536}}};

static const char *const array[] = {"bodies", "accelerations"};

const struct be_workload be_workload_nbody = {
    .name = "nbody",
    .title = "a[i] = sum of m[j] r/|r|^3, r = x[j] - x[i]",
    .summary = "gravity of n bodies by all pairs",
    .parameter = parameter,
    .parameters = BE_COUNT(parameter),
    .real = BE_REAL32,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .array = array,
    .inputs = 1,
    .outputs = 1,
    .host_grain = 1,
    BE_WORKLOAD_FUNCTIONS,
    BE_WORKLOAD_VARIANTS,
};
