/* eigen's code on the CPU in every instruction set that runs here: contract tests meet only the best one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "builtin/builtin.h"
#include "workload/numbers.h"
#include "simd_sets.h"
#include "workload/eigen/eigen.h"

/* Rows are read two or four at a time, vectors are as long as 2 to 16 numbers. */
static const size_t orders[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 128};

/* Too few for the lanes of a vector; some more than fill several. */
static const size_t systems[] = {1, 3, 21};
enum { SYSTEMS = 21, GUARD = 4096, GUARDED = 77, LOST = 2 };

static void *memory_for(size_t bytes) {
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(memory);
    memset(memory, 0xff, bytes); /* not a number: what nobody has written must not count */
    return memory;
}

/* A problem with arrays in the type that it has. */
struct batch {
    struct be_problem problem;
    void *array[BE_ARRAYS];
    char *scratch;
    size_t scratch_bytes;
};

/* As many rows as columns with 0. */
static void open_tall_batch(struct batch *b, enum be_real real, uint64_t what, size_t rows,
                            size_t order, size_t count) {
    *b = (struct batch){.problem = be_problem_preset(be_workload_find("eigen"))};
    b->problem.real = real;
    b->problem.value[0] = count;
    b->problem.value[1] = order;
    b->problem.value[EIGEN_WHAT] = what;
    b->problem.value[EIGEN_HEIGHT] = rows;
    const struct be_shape shape = be_problem_shape(&b->problem);
    for (int k = EIGEN_A; k <= EIGEN_VECTORS; k++) {
        b->array[k] = memory_for(count * shape.item_bytes[k]);
    }
    b->scratch_bytes = what == EIGEN_SVD ? be_eigen_singular_bytes(eigen_rows(&b->problem), order)
                                         : be_eigen_lanes_bytes(order);
    b->scratch = memory_for(b->scratch_bytes + GUARD);
    memset(b->scratch + b->scratch_bytes, GUARDED, GUARD);
    const struct be_work work = {
        .problem = &b->problem, .array = b->array, .items = count, .members = 1};
    be_workload_find("eigen")->fill(&work, order);
}

static void open_batch(struct batch *b, enum be_real real, uint64_t what, size_t order,
                       size_t count) {
    open_tall_batch(b, real, what, 0, order, count);
}

static void close_batch(struct batch *b) {
    for (size_t i = 0; i < GUARD; i++) {
        assert_int_equal(b->scratch[b->scratch_bytes + i], GUARDED);
    }
    for (int k = EIGEN_A; k <= EIGEN_VECTORS; k++) {
        free(b->array[k]);
    }
    free(b->scratch);
}

static void run_singular(struct batch *b, int set) {
    static be_eigen_singular_double *const wide[] = EACH(be_eigen_singular_double_run);
    static be_eigen_singular_float *const narrow[] = EACH(be_eigen_singular_float_run);
    const size_t rows = eigen_rows(&b->problem);
    const size_t order = eigen_order(&b->problem);
    if (b->problem.real == BE_REAL64) {
        wide[set](b->array[EIGEN_A], b->array[EIGEN_VALUES], b->array[EIGEN_VECTORS], rows, order,
                  b->problem.value[0], b->scratch);
    } else {
        narrow[set](b->array[EIGEN_A], b->array[EIGEN_VALUES], b->array[EIGEN_VECTORS], rows, order,
                    b->problem.value[0], b->scratch);
    }
}

static void run_set(struct batch *b, int set) {
    static be_eigen_lanes_double *const lanes64[] = EACH(be_eigen_lanes_double_run);
    static be_eigen_lanes_float *const lanes32[] = EACH(be_eigen_lanes_float_run);
    static be_eigen_lanes_double *const factors64[] = EACH(be_eigen_factors_double_run);
    static be_eigen_lanes_float *const factors32[] = EACH(be_eigen_factors_float_run);
    be_eigen_lanes_double *const *wide = eigen_is_qr(&b->problem) ? factors64 : lanes64;
    be_eigen_lanes_float *const *narrow = eigen_is_qr(&b->problem) ? factors32 : lanes32;
    const size_t order = eigen_order(&b->problem);
    if (eigen_is_svd(&b->problem)) {
        run_singular(b, set);
        return;
    }
    if (b->problem.real == BE_REAL64) {
        wide[set](b->array[EIGEN_A], b->array[EIGEN_VALUES], b->array[EIGEN_VECTORS], order,
                  b->problem.value[0], b->scratch);
    } else {
        narrow[set](b->array[EIGEN_A], b->array[EIGEN_VALUES], b->array[EIGEN_VECTORS], order,
                    b->problem.value[0], b->scratch);
    }
}

static double error_of(const struct batch *b, size_t system) {
    const struct be_shape shape = be_problem_shape(&b->problem);
    double difference = 0;
    double norm = 0;
    void *array[BE_ARRAYS];
    for (int k = EIGEN_A; k <= EIGEN_VECTORS; k++) {
        array[k] = (char *)b->array[k] + system * shape.item_bytes[k];
    }
    const struct be_work work = {.problem = &b->problem, .array = array, .items = 1, .members = 1};
    b->problem.workload->residual(&work, NULL, &difference, &norm);
    return sqrt(difference / norm);
}

/* Own code is far below what the workload allows, which is also for libraries. Roundings of the turns that a number goes
 * through add up about as the root of their number, and there are some even in the smallest matrix: 19 units were seen at
 * order 9, 33 at order 128. */
static double allowed_here(const struct be_problem *problem) {
    enum { FEW = 32 };
    return (double)(eigen_rows(problem) + FEW) * be_number_unit(problem->real);
}

/* All systems right, but the one with a number that is none, which has no answer. */
static void check_set(int set, enum be_real real, uint64_t what, size_t order, size_t count) {
    struct batch b;
    open_batch(&b, real, what, order, count);
    const double allowed = allowed_here(&b.problem);
    if (count > LOST) {
        memset((char *)b.array[EIGEN_A] + (LOST * order * order) * be_real_bytes(real), 0xff,
               be_real_bytes(real));
    }
    run_set(&b, set);
    for (size_t i = 0; i < count; i++) {
        const double error = error_of(&b, i);
        if (i == LOST ? !isnan(error) : !(error <= allowed)) {
            fail_msg("%s, %s, what %d, order %zu, matrix %zu of %zu: %g, allowed %g",
                     be_simd_name[set], be_real_name(real), (int)what, order, i, count, error,
                     allowed);
        }
    }
    close_batch(&b);
}

static void test_sets(void **state) {
    (void)state;
    for (int set = 0; set < sets_here(); set++) {
        for (size_t i = 0; i < BE_COUNT(orders); i++) {
            for (size_t k = 0; k < BE_COUNT(systems); k++) {
                for (uint64_t what = 0; what < EIGEN_KINDS; what++) {
                    check_set(set, BE_REAL64, what, orders[i], systems[k]);
                    check_set(set, BE_REAL32, what, orders[i], systems[k]);
                }
            }
        }
    }
}

/* Matrices of more rows than columns, some of them of a lower rank: columns that are multiples of others, zero or next to
 * nothing. */
static void lower_rank(struct batch *b, size_t system) {
    const size_t rows = eigen_rows(&b->problem);
    const size_t order = eigen_order(&b->problem);
    for (size_t j = 1; j < order; j++) {
        for (size_t i = 0; i < rows; i++) {
            const size_t at = system * rows * order + i;
            const double first = be_number(b->problem.real, b->array[EIGEN_A], at);
            const double number = j % 3 == 0 ? 0 : j % 3 == 1 ? first / 3 : first * 1e-20;
            be_number_set(b->problem.real, b->array[EIGEN_A], at + j * rows, number);
        }
    }
}

static void test_tall(void **state) {
    static const size_t shapes[][2] = {{2, 1}, {9, 4}, {31, 17}, {60, 3}, {200, 33}, {1024, 5}};
    enum { FEW = 11, FLAT = 3 };
    (void)state;
    for (size_t k = 0; k < 2 * BE_COUNT(shapes); k++) {
        const enum be_real real = k % 2 == 0 ? BE_REAL64 : BE_REAL32;
        const size_t rows = shapes[k / 2][0];
        const size_t order = shapes[k / 2][1];
        for (int set = 0; set < sets_here(); set++) {
            struct batch b;
            open_tall_batch(&b, real, EIGEN_SVD, rows, order, FEW);
            for (size_t i = FLAT; i < FEW; i++) {
                lower_rank(&b, i);
            }
            run_set(&b, set);
            for (size_t i = 0; i < FEW; i++) {
                if (!(error_of(&b, i) <= allowed_here(&b.problem))) {
                    fail_msg("%s, %s, %zu x %zu, matrix %zu: %g, allowed %g", be_simd_name[set],
                             be_real_name(real), rows, order, i, error_of(&b, i),
                             allowed_here(&b.problem));
                }
            }
            close_batch(&b);
        }
    }
}

/* The values of a matrix of ones are the root of all its numbers' count, and 0; those of a triangle of ones are known
 * from the path's eigenvalues: 1 / (2 sin((2 k - 1) pi / (4 n + 2))). */
static void test_known_singular(void **state) {
    enum { ORDER = 7, ROWS = 9, SYSTEMS_HERE = 2 };
    const double pi = acos(-1);
    (void)state;
    for (int set = 0; set < sets_here(); set++) {
        struct batch b;
        open_tall_batch(&b, BE_REAL64, EIGEN_SVD, ROWS, ORDER, SYSTEMS_HERE);
        double *a = b.array[EIGEN_A];
        for (size_t i = 0; i < ROWS * ORDER; i++) {
            a[i] = 1;
            a[ROWS * ORDER + i] = i % ROWS < ORDER && i % ROWS >= i / ROWS ? 1 : 0;
        }
        run_set(&b, set);
        const double *values = b.array[EIGEN_VALUES];
        for (size_t k = 0; k < ORDER; k++) {
            const double ones = k == 0 ? sqrt(ROWS * ORDER) : 0;
            const double triangle = 0.5 / sin((double)(2 * k + 1) * pi / (4 * ORDER + 2));
            assert_true(fabs(values[k] - ones) <= 0x1p-48);
            assert_true(fabs(values[ORDER + k] - triangle) <= 0x1p-49);
        }
        close_batch(&b);
    }
}

/* Values known by hand: 2 and 1 on and beside the diagonal have 2 + 2 cos(k pi / (n + 1)). */
static void test_known(void **state) {
    enum { ORDER = 7 };
    const double pi = acos(-1);
    (void)state;
    for (int set = 0; set < sets_here(); set++) {
        struct batch b;
        open_batch(&b, BE_REAL64, EIGEN_EIGEN, ORDER, 1);
        double *a = b.array[EIGEN_A];
        for (size_t i = 0; i < ORDER; i++) {
            for (size_t j = 0; j < ORDER; j++) {
                a[i * ORDER + j] = i == j ? 2 : i == j + 1 || j == i + 1 ? 1 : 0;
            }
        }
        run_set(&b, set);
        const double *values = b.array[EIGEN_VALUES];
        for (size_t i = 0; i < ORDER; i++) {
            const double known = 2 + 2 * cos((double)(ORDER - i) * pi / (ORDER + 1));
            assert_true(fabs(values[i] - known) <= 0x1p-49);
        }
        close_batch(&b);
    }
}

static void test_without_lapack(void **state) {
    struct be_error error = {0};
    static struct be_host_libraries made;
    (void)state;
    assert_int_equal(be_eigen_library_ready(NULL, 1, &error), BE_ABSENT);
    be_fail(&made.blas_error, BE_ABSENT, "no BLAS: install one");
    assert_int_equal(be_eigen_library_ready(&made, 1, &error), BE_ABSENT);
    assert_string_equal(error.text, "no BLAS: install one");
    made.blas.handle = &made; /* one that has products only */
    assert_int_equal(be_eigen_library_ready(&made, 1, &error), BE_ABSENT);
    assert_non_null(strstr(error.text, "no LAPACK"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets),           cmocka_unit_test(test_known),
        cmocka_unit_test(test_tall),           cmocka_unit_test(test_known_singular),
        cmocka_unit_test(test_without_lapack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
