/* The CPU's loops over long arrays, in every instruction set that runs here: stored past the caches,
 * and through them with and without lines asked for ahead. Small integers, so that no order of sums
 * matters; what is beside the results stays as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "simd_sets.h"
#include "workload/elementwise.h"
#include "workload/generate/philox_simd.h"
#include "workload/recurrence/scan_simd.h"
#include "workload/stream_simd.h"

enum { MAX = 70001, BESIDE = 16, CAPACITY = MAX + 3 * BESIDE, ARRAYS = 6 };

static const size_t sizes[] = {1, 15, 17, 127, 128, 1023, 1025, 65535, 65536, MAX};
static const float untouched = -77;

/* A whole number of lines apart, `shift` numbers behind the beginning of one. */
struct arrays {
    float *memory[ARRAYS];
    double *wide[2];
};

static int open_arrays(void **state) {
    static struct arrays a;
    for (int k = 0; k < ARRAYS; k++) {
        a.memory[k] = aligned_alloc(64, (CAPACITY * sizeof(float) + 63) / 64 * 64);
        assert_non_null(a.memory[k]);
    }
    for (int k = 0; k < 2; k++) {
        a.wide[k] = aligned_alloc(64, (CAPACITY * sizeof(double) + 63) / 64 * 64);
        assert_non_null(a.wide[k]);
    }
    *state = &a;
    return 0;
}

static int close_arrays(void **state) {
    struct arrays *a = *state;
    for (int k = 0; k < ARRAYS; k++) {
        free(a->memory[k]);
    }
    free(a->wide[0]);
    free(a->wide[1]);
    return 0;
}

static float number(int k, size_t i) {
    return (float)(be_random_bits((uint64_t)k + 1, i) % 9) - 4;
}

/* Inputs 0 .. 2 and results 3 .. 5 of n numbers from `shift` on. */
static void fill(const struct arrays *a) {
    for (size_t i = 0; i < CAPACITY; i++) {
        for (int k = 0; k < ARRAYS; k++) {
            a->memory[k][i] = k < 3 ? number(k, i) : untouched;
        }
        a->wide[0][i] = (double)number(0, i);
        a->wide[1][i] = (double)untouched;
    }
}

static float right(const struct arrays *a, int k, size_t i) {
    const float d = a->memory[0][i] + 0.5f;
    const float o = a->memory[1][i] + d;
    return k == 3 ? d : k == 4 ? o : a->memory[2][i] + o;
}

/* Result k is what `want` says from `from` on, and untouched beside. */
static void check(const struct arrays *a, int k, size_t from, size_t n,
                  float (*want)(const struct arrays *, int, size_t)) {
    for (size_t i = 0; i < CAPACITY; i++) {
        const bool inside = i >= from && i < from + n;
        const float wanted = inside ? want(a, k, i) : untouched;
        if (!(a->memory[k][i] == wanted)) {
            fail_msg("%zu numbers from %zu on: number %zu is %g, not %g", n, from, i,
                     (double)a->memory[k][i], (double)wanted);
        }
    }
}

static float sum_of_two(const struct arrays *a, int k, size_t i) {
    (void)k;
    return a->memory[0][i] + a->memory[1][i];
}

static float product(const struct arrays *a, int k, size_t i) {
    (void)k;
    return a->memory[0][i] * a->memory[1][i];
}

/* A number that a check puts there itself. */
static float fifth(const struct arrays *a, int k, size_t i) {
    (void)k;
    return a->memory[5][i];
}

static float with_constant(const struct arrays *a, int k, size_t i) {
    (void)k;
    return a->memory[0][i] + 1.25f;
}

BE_ELEMENTWISE_LOOPS(add);
BE_ELEMENTWISE_LOOPS(multiply);

static void check_add(const struct arrays *a, int set, size_t from, size_t n,
                      enum be_stores stores) {
    be_elementwise_loop *const add[] = EACH(be_add_float_run);
    be_elementwise_loop *const plus[] = EACH(be_plus_float_run);
    const void *const two[] = {a->memory[0] + from, a->memory[1] + from};
    const void *const wide[] = {a->wide[0] + from};
    fill(a);
    add[set](two, a->memory[3] + from, n, stores);
    plus[set](two, a->memory[4] + from, n, stores);
    be_add_loops[BE_REAL32][set](two, a->memory[5] + from, n, stores);
    be_add_loops[BE_REAL64][set](wide, a->wide[1] + from, n, stores);
    check(a, 3, from, n, with_constant);
    check(a, 4, from, n, sum_of_two);
    check(a, 5, from, n, with_constant);
    for (size_t i = 0; i < CAPACITY; i++) {
        const bool inside = i >= from && i < from + n;
        assert_true(a->wide[1][i] == (inside ? a->wide[0][i] + 1.25 : (double)untouched));
    }
}

static void check_chain(const struct arrays *a, int set, size_t from, size_t n,
                        enum be_stores stores) {
    be_chain_float *const chain[] = EACH(be_chain_run);
    be_chain_here_float *const here[] = EACH(be_chain_here_run);
    const struct be_chain_arrays array = {a->memory[0] + from, a->memory[1] + from,
                                          a->memory[2] + from, a->memory[3] + from,
                                          a->memory[4] + from, a->memory[5] + from};
    double sum = 0;
    fill(a);
    double got = chain[set](&array, 0.5f, n, stores);
    for (int k = 3; k < ARRAYS; k++) {
        check(a, k, from, n, right);
        for (size_t i = from; i < from + n; i++) {
            sum += (double)a->memory[k][i];
        }
    }
    assert_true(got == sum);
    for (int k = 3; k < ARRAYS; k++) {
        memcpy(a->memory[k] + from, a->memory[k - 3] + from, n * sizeof(float));
    }
    got = here[set](a->memory[3] + from, a->memory[4] + from, a->memory[5] + from, 0.5f, n, stores);
    for (int k = 3; k < ARRAYS; k++) {
        check(a, k, from, n, right);
    }
    assert_true(got == sum);
}

static void check_multiply(const struct arrays *a, int set, size_t from, size_t n,
                           enum be_stores stores) {
    const void *const two[] = {a->memory[0] + from, a->memory[1] + from};
    fill(a);
    be_multiply_loops[BE_REAL32][set](two, a->memory[3] + from, n, stores);
    check(a, 3, from, n, product);
}

/* Checks the scan of the first and the second input, by the lowest bit of numbers that are odd as
 * often as not. */
static void check_scan(const struct arrays *a, int set, size_t from, size_t n,
                       enum be_stores stores) {
    be_pick_scan *const scan[] = EACH(be_pick_scan_run);
    static int32_t pick[CAPACITY];
    const float *odd = a->memory[0];
    const float *even = a->memory[1];
    float *sum = a->memory[5];
    double before = 3;
    fill(a);
    for (size_t i = 0; i < CAPACITY; i++) {
        pick[i] = (int32_t)(be_random_bits(9, i) >> 32);
    }
    const double got =
        scan[set](pick + from, odd + from, even + from, a->memory[3] + from, n, before, stores);
    for (size_t i = from; i < from + n; i++) {
        before += (double)(pick[i] % 2 != 0 ? odd[i] : even[i]);
        sum[i] = (float)before;
    }
    check(a, 3, from, n, fifth);
    assert_true(got == before);
}

/* From element 4 on, as the plainest code makes them with plain stores. */
static void check_generate(const struct arrays *a, int set, size_t from, size_t n,
                           enum be_stores stores) {
    be_philox_float *const run[] = EACH(be_philox_float_run);
    be_philox_double *const wide[] = EACH(be_philox_double_run);
    const struct be_philox_key key = {{17, 4}};
    fill(a);
    run[set](a->memory[3] + from, 4, n, key, stores);
    be_philox_float_run_plain(a->memory[5] + from, 4, n, key, BE_STORES_PLAIN);
    check(a, 3, from, n, fifth);
    check(a, 5, from, n, fifth);
    wide[set](a->wide[1] + from, 4, n, key, stores);
    be_philox_double_run_plain(a->wide[0] + from, 4, n, key, BE_STORES_PLAIN);
    for (size_t i = 0; i < CAPACITY; i++) {
        const bool inside = i >= from && i < from + n;
        assert_true(a->wide[1][i] == (inside ? a->wide[0][i] : (double)untouched));
    }
}

static void each(void **state,
                 void (*one)(const struct arrays *, int, size_t, size_t, enum be_stores)) {
    for (int set = 0; set < sets_here(); set++) {
        for (size_t i = 0; i < BE_COUNT(sizes); i++) {
            for (size_t from = BESIDE; from <= 2 * BESIDE; from += from == BESIDE ? 3 : 13) {
                for (int stores = 0; stores < BE_STORES; stores++) {
                    one(*state, set, from, sizes[i], (enum be_stores)stores);
                }
            }
        }
    }
}

static void test_add(void **state) {
    each(state, check_add);
}

static void test_chain(void **state) {
    each(state, check_chain);
}

static void test_multiply(void **state) {
    each(state, check_multiply);
}

static void test_scan(void **state) {
    each(state, check_scan);
}

static void test_generate(void **state) {
    each(state, check_generate);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add),      cmocka_unit_test(test_chain),
        cmocka_unit_test(test_multiply), cmocka_unit_test(test_scan),
        cmocka_unit_test(test_generate),
    };
    return cmocka_run_group_tests(tests, open_arrays, close_arrays);
}
