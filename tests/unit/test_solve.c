/* solve's code on the CPU in every instruction set that runs here: contract tests meet only the best
 * one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin/builtin.h"
#include "base/error.h"
#include "base/random.h"
#include "simd_sets.h"
#include "team.h"
#include "workload/solve/solve.h"
#include "workload/solve/simd.h"

/* Each method's last order and the next one; primes; one more than a panel, a block, or two of them. */
static const size_t orders[] = {1,  2,  3,  7,  8,  9,  15, 16, 17, 23,  24,  31,  32,  33,  37,
                                40, 41, 47, 48, 49, 64, 65, 90, 97, 100, 113, 128, 129, 182, 257};

/* Too few for the lanes of a vector; some more than fill several. */
static const size_t systems[] = {3, 21};
enum { SYSTEMS = 21 };

enum { GUARD = 4096, GUARDED = 77 };

struct batch {
    size_t order;
    double *a, *b, *x;
    void *scratch;
    char *guard; /* what lies behind that */
    int32_t info[SYSTEMS];
};

static void *capacity(size_t bytes) {
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(memory);
    return memory;
}

/* each: bytes of the numbers that are solved with. */
static void open_batch(struct batch *b, size_t order, size_t each) {
    const size_t one = order * be_solve_stride(order) * each;
    const size_t small = be_solve_small_bytes(order, each);
    const size_t capacity_for = one > small ? one : small;
    *b = (struct batch){.order = order,
                        .a = capacity(SYSTEMS * order * order * sizeof(double)),
                        .b = capacity(SYSTEMS * order * sizeof(double)),
                        .x = capacity(SYSTEMS * order * sizeof(double)),
                        .scratch = capacity(capacity_for + GUARD)};
    b->guard = (char *)b->scratch + capacity_for;
    memset(b->scratch, 0xff,
           capacity_for); /* not a number: what nobody has written must not count */
    memset(b->guard, GUARDED, GUARD);
    for (size_t i = 0; i < SYSTEMS * order * order; i++) {
        b->a[i] = (double)be_random_float(order, i) - 0.5;
    }
    for (size_t i = 0; i < SYSTEMS * order; i++) {
        b->b[i] = (double)be_random_float(order + 1000, i) - 0.5;
    }
}

static void close_batch(struct batch *b) {
    for (size_t i = 0; i < GUARD; i++) {
        assert_int_equal(b->guard[i], GUARDED);
    }
    free(b->a);
    free(b->b);
    free(b->x);
    free(b->scratch);
}

static double error_of(const struct batch *b, size_t system) {
    const size_t n = b->order;
    const double *a = b->a + system * n * n;
    const double *x = b->x + system * n;
    double rest = 0;
    double matrix = 0;
    double size = 0;
    for (size_t i = 0; i < n; i++) {
        double r = b->b[system * n + i];
        for (size_t j = 0; j < n; j++) {
            r -= a[i * n + j] * x[j];
            matrix += a[i * n + j] * a[i * n + j];
        }
        rest += r * r;
        size += x[i] * x[i];
    }
    return sqrt(rest) / (sqrt(matrix) * sqrt(size));
}

static void check_right(const struct batch *b, size_t system, double epsilon) {
    assert_int_equal(b->info[system], 0);
    assert_true(error_of(b, system) <= (double)(b->order + 8) * epsilon);
}

/* Many systems, of which the second is singular and the fourth has a NaN; of more, the sixth in A. */
static void check_small(be_solve_small_double *run, size_t order, size_t count) {
    struct batch b;
    open_batch(&b, order, sizeof(double));
    for (size_t i = 0; i < order; i++) {
        b.a[order * order + i * order + order / 2] = 0;
    }
    b.b[3 * order + order / 2] = NAN;
    b.a[5 * order * order + (order - 1) * order + order / 2] = NAN;
    run(b.a, b.b, b.x, b.info, order, count, b.scratch);
    for (size_t i = 0; i < count; i++) {
        if (i != 1 && i != 3 && i != 5) {
            check_right(&b, i, 0x1p-53);
        }
    }
    assert_true(b.info[1] > 0);
    assert_true(count <= 3 || (b.info[3] == 0 && b.info[5] == 0));
    for (size_t i = 0; i < order; i++) {
        assert_true(isnan(b.x[order + i]));
        assert_true(count <= 3 || (isnan(b.x[3 * order + i]) && isnan(b.x[5 * order + i])));
    }
    close_batch(&b);
}

static void check_small_float(be_solve_small_float *run, size_t order, size_t count) {
    struct batch b;
    open_batch(&b, order, sizeof(float));
    const size_t numbers = SYSTEMS * (order + 2) * order;
    float *single = capacity(numbers * sizeof *single);
    float *right = single + SYSTEMS * order * order;
    float *x = right + SYSTEMS * order;
    for (size_t i = 0; i < SYSTEMS * order * order; i++) {
        single[i] = (float)b.a[i]; /* as they are solved */
        b.a[i] = (double)single[i];
    }
    for (size_t i = 0; i < SYSTEMS * order; i++) {
        right[i] = (float)b.b[i];
        b.b[i] = (double)right[i];
    }
    run(single, right, x, b.info, order, count, b.scratch);
    for (size_t i = 0; i < count * order; i++) {
        b.x[i] = (double)x[i];
    }
    for (size_t i = 0; i < count; i++) {
        check_right(&b, i, 0x1p-24);
    }
    free(single);
    close_batch(&b);
}

static void test_small(void **state) {
    static be_solve_small_double *const run[] = EACH(be_solve_small_double_run);
    static be_solve_small_float *const run_float[] = EACH(be_solve_small_float_run);
    (void)state;
    for (int set = 0; set < sets_here(); set++) {
        for (size_t i = 0; i < BE_COUNT(orders); i++) {
            for (size_t k = 0; k < BE_COUNT(systems); k++) {
                check_small(run[set], orders[i], systems[k]);
                check_small_float(run_float[set], orders[i], systems[k]);
            }
        }
    }
}

/* Plain elimination with partial pivoting, in long double. */
static void reference(const double *a, const double *b, size_t n, long double *x) {
    long double *m = capacity(n * n * sizeof *m);
    for (size_t i = 0; i < n * n; i++) {
        m[i] = (long double)a[i];
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = (long double)b[i];
    }
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k; i < n; i++) {
            best = fabsl(m[i * n + k]) > fabsl(m[best * n + k]) ? i : best;
        }
        for (size_t j = 0; j < n; j++) {
            const long double t = m[k * n + j];
            m[k * n + j] = m[best * n + j];
            m[best * n + j] = t;
        }
        const long double t = x[k];
        x[k] = x[best];
        x[best] = t;
        for (size_t i = k + 1; i < n; i++) {
            const long double l = m[i * n + k] / m[k * n + k];
            for (size_t j = k; j < n; j++) {
                m[i * n + j] -= l * m[k * n + j];
            }
            x[i] -= l * x[k];
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++) {
            x[k] -= m[k * n + j] * x[j];
        }
        x[k] /= m[k * n + k];
    }
    free(m);
}

/* Each row's one large number is in another column, far from the diagonal: condition of about 1. */
static void permute(struct batch *b, size_t system) {
    const size_t n = b->order;
    for (size_t i = 0; i < n; i++) {
        b->a[(system * n + i) * n + (n - 1 - i + n / 3) % n] += 4 * (double)n;
    }
}

/* Rows and columns of all magnitudes. */
static void grade(struct batch *b, size_t system) {
    const size_t n = b->order;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            b->a[(system * n + i) * n + j] *= pow(10, -(double)(i % 17) - (double)(j % 13));
        }
        b->b[system * n + i] *= pow(10, -(double)(i % 17));
    }
}

/* Pivots whose reciprocals overflow; numbers keep 42 bits. */
enum { TINY_EXPONENT = -1030 };
static void shrink(struct batch *b, size_t system, int exponent) {
    const size_t n = b->order;
    for (size_t i = 0; i < n * n; i++) {
        b->a[system * n * n + i] = ldexp(b->a[system * n * n + i], exponent);
    }
    for (size_t i = 0; i < n; i++) {
        b->b[system * n + i] = ldexp(b->b[system * n + i], exponent);
    }
}

static void check_hard(be_solve_small_double *run, size_t order, size_t count) {
    struct batch b;
    open_batch(&b, order, sizeof(double));
    long double *x = capacity(order * sizeof *x);
    permute(&b, 0);
    grade(&b, 1);
    shrink(&b, 2, TINY_EXPONENT);
    run(b.a, b.b, b.x, b.info, order, count, b.scratch);
    reference(b.a, b.b, order, x);
    for (size_t i = 0; i < order; i++) {
        assert_true(fabsl((long double)b.x[i] - x[i]) <= 0x1p-50L * (1 + fabsl(x[i])));
    }
    check_right(&b, 0, 0x1p-53);
    check_right(&b, 1, 0x1p-53);
    shrink(&b, 2, -TINY_EXPONENT);
    check_right(&b, 2, 0x1p-42);
    free(x);
    close_batch(&b);
}

static void test_hard(void **state) {
    static be_solve_small_double *const run[] = EACH(be_solve_small_double_run);
    (void)state;
    for (int set = 0; set < sets_here(); set++) {
        for (size_t i = 0; i < BE_COUNT(orders); i++) {
            for (size_t k = 0; k < BE_COUNT(systems); k++) {
                check_hard(run[set], orders[i], systems[k]);
            }
        }
    }
}

/* Every second pivot is far smaller than what is right of the one before, and all that is left in its
 * column. */
static void stairs(struct batch *b, size_t system) {
    const size_t n = b->order;
    for (size_t i = 0; i < n; i++) {
        double *row = b->a + (system * n + n - 1 - i) * n;
        memset(row, 0, n * sizeof *row);
        row[i] = i % 2 == 0 ? 49 : 1e-30; /* 49 * (1 / 49) is not 1 */
        b->b[system * n + n - 1 - i] = row[i];
        if (i % 2 == 0 && i + 1 < n) {
            row[i + 1] = 1.0 / 3;
            b->b[system * n + n - 1 - i] += row[i + 1];
        }
    }
}

/* One number a row, which has but its lowest bits. */
static void dwarf(struct batch *b, size_t system) {
    const size_t n = b->order;
    memset(b->a + system * n * n, 0, n * n * sizeof *b->a);
    for (size_t i = 0; i < n; i++) {
        b->a[(system * n + i) * n + (i + n / 3) % n] = 0x1p-1070;
        b->b[system * n + i] = 0x1p-1070;
    }
}

static void test_far_apart(void **state) {
    static be_solve_small_double *const run[] = EACH(be_solve_small_double_run);
    (void)state;
    for (int set = 0; set < sets_here(); set++) {
        for (size_t i = 0; i < BE_COUNT(orders); i++) {
            struct batch b;
            open_batch(&b, orders[i], sizeof(double));
            stairs(&b, 0);
            dwarf(&b, 1);
            run[set](b.a, b.b, b.x, b.info, orders[i], 3, b.scratch);
            assert_true(b.info[0] == 0 && b.info[1] == 0);
            for (size_t j = 0; j < 2 * orders[i]; j++) {
                assert_true(fabs(b.x[j] - 1) <= 0x1p-50);
            }
            close_batch(&b);
        }
    }
}

static void test_one(void **state) {
    static be_solve_one_double *const run[] = EACH(be_solve_one_double_run);
    const struct be_solve_team alone = {.members = 1};
    int32_t pivot[512];
    (void)state;
    for (int set = 0; set < sets_here(); set++) {
        for (size_t i = 0; i < BE_COUNT(orders); i++) {
            struct batch b;
            open_batch(&b, orders[i], sizeof(double));
            run[set](b.a, b.b, b.x, b.info, orders[i], b.scratch, pivot, &alone);
            check_right(&b, 0, 0x1p-53);
            close_batch(&b);
        }
    }
}

/* The same by several members, each of whom waits for the others' part. */
struct shared {
    be_solve_one_double *run;
    struct be_team *team;
    struct batch *batch;
    int32_t *pivot;
};

static void run_member(void *context, int member, int members) {
    const struct shared *s = context;
    const struct be_solve_team team = {s->team, member, members};
    s->run(s->batch->a, s->batch->b, s->batch->x, s->batch->info, s->batch->order,
           s->batch->scratch, s->pivot, &team);
}

static void test_one_together(void **state) {
    static be_solve_one_double *const run[] = EACH(be_solve_one_double_run);
    int32_t pivot[512];
    (void)state;
    for (int members = 2; members <= 5; members++) {
        struct shared s = {.team = open_team(members), .pivot = pivot};
        for (int set = 0; set < sets_here(); set++) {
            for (size_t i = 0; i < BE_COUNT(orders); i++) {
                struct batch b;
                open_batch(&b, orders[i], sizeof(double));
                s.run = run[set];
                s.batch = &b;
                be_team_run(s.team, run_member, &s);
                check_right(&b, 0, 0x1p-53);
                close_batch(&b);
            }
        }
        be_team_close(s.team);
    }
}

static void test_without_lapack(void **state) {
    struct be_error error = {0};
    static struct be_host_libraries made;
    (void)state;
    assert_int_equal(be_solve_host_ready(NULL, 1, &error), BE_ABSENT);
    be_fail(&made.blas_error, BE_ABSENT, "no BLAS: install one");
    assert_int_equal(be_solve_host_ready(&made, 1, &error), BE_ABSENT);
    assert_string_equal(error.text, "no BLAS: install one");
    made.blas.handle = &made; /* one that has products only */
    assert_int_equal(be_solve_host_ready(&made, 1, &error), BE_ABSENT);
    assert_non_null(strstr(error.text, "no LAPACK"));
}

/* On a device without a vendor's solvers, the limits of our own code are said where they are the reason. */
static void test_without_solvers(void **state) {
    static const struct be_device_ops ops = {.name = "bare"};
    struct be_device device = {.ops = &ops, .info = {.id = "bare:0"}};
    struct be_problem problem = be_problem_preset(&be_workload_solve);
    struct be_prepared prepared;
    struct be_error error;
    (void)state;
    assert_int_equal(be_solve_library_prepare(&device, &problem, &prepared, &error), BE_ABSENT);
    assert_string_equal(error.text, "bare:0: no solvers are known for bare devices");
    problem.value[1] = SOLVE_BATCHED_MAX + 1;
    assert_int_equal(be_solve_library_prepare(&device, &problem, &prepared, &error), BE_ABSENT);
    assert_non_null(strstr(error.text, "devices; our own code takes orders up to 2048"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),           cmocka_unit_test(test_hard),
        cmocka_unit_test(test_far_apart),       cmocka_unit_test(test_one),
        cmocka_unit_test(test_one_together),    cmocka_unit_test(test_without_lapack),
        cmocka_unit_test(test_without_solvers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
