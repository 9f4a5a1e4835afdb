/* Numbers of usual code: factorisations as textbooks count them, and calls of frameworks. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "assert_near.h"
#include "base/error.h"
#include "predict/usual.h"

static void factorisations_have_the_numbers_of_textbooks(void **state) {
    (void)state;
    const struct {
        enum be_factor factor;
        double m, n, flops, kernels;
    } cases[] = {
        {BE_FACTOR_SVD, 1000, 60, 14 * 3.6e6 + 8 * 2.16e5, 300},
        {BE_FACTOR_SVD, 60, 1000, 14 * 3.6e6 + 8 * 2.16e5, 300},
        {BE_FACTOR_LU, 30, 30, 2 * 27e3 / 3, 30},
        {BE_FACTOR_INVERSE, 30, 30, 2 * 27e3, 60},
        {BE_FACTOR_CHOLESKY, 30, 30, 27e3 / 3, 30},
        {BE_FACTOR_QR, 100, 10, 2 * 1e4 - 2 * 1e3 / 3, 50},
        {BE_FACTOR_EIGEN, 10, 10, 9e3, 50},
    };
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_predict_work work = {
            .factor = cases[i].factor, .factor_m = cases[i].m, .factor_n = cases[i].n};
        be_usual_factor(&work);
        assert_near(work.flops, cases[i].flops);
        assert_near(work.bytes, 3 * cases[i].m * cases[i].n * 4);
        assert_near(work.launches, cases[i].kernels);
    }
}

static void numbers_that_are_said_stay(void **state) {
    (void)state;
    struct be_predict_work work = {.factor = BE_FACTOR_SVD,
                                   .factor_m = 9,
                                   .factor_n = 9,
                                   .float64 = true,
                                   .flops = 5,
                                   .launches = 1};
    be_usual_factor(&work);
    assert_near(work.flops, 5);
    assert_near(work.launches, 1);
    assert_near(work.bytes, 3 * 81 * 8);
}

static void a_factorisation_is_one_call_with_all_threads(void **state) {
    (void)state;
    struct be_predict_work work = {.framework = BE_FRAMEWORK_NUMPY, .calls = 2, .launches = 30};
    assert_near(be_usual_calls(&work).count, 60);
    assert_true(be_usual_calls(&work).one_thread);
    work.factor = BE_FACTOR_LU;
    assert_near(be_usual_calls(&work).count, 2);
    assert_false(be_usual_calls(&work).one_thread);
    assert_false(be_usual_calls(&work).each_kernel);
    work = (struct be_predict_work){.framework = BE_FRAMEWORK_NUMPY, .matrix = true};
    assert_false(be_usual_calls(&work).one_thread); /* its products are a library's */
    work = (struct be_predict_work){.calls = 2, .launches = 30};
    assert_near(be_usual_calls(&work).one.hi_s, 0); /* compiled code has none */
}

static void words_are_found_and_others_are_none(void **state) {
    (void)state;
    for (int i = 1; i < BE_FACTORS; i++) {
        assert_int_equal(be_usual_word(be_factor_word, BE_FACTORS, be_factor_word[i]), i);
    }
    for (int i = 1; i < BE_FRAMEWORKS; i++) {
        assert_int_equal(be_usual_word(be_framework_word, BE_FRAMEWORKS, be_framework_word[i]), i);
    }
    assert_int_equal(be_usual_word(be_factor_word, BE_FACTORS, "sv"), 0);
    assert_int_equal(be_usual_word(be_factor_word, BE_FACTORS, ""), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factorisations_have_the_numbers_of_textbooks),
        cmocka_unit_test(numbers_that_are_said_stay),
        cmocka_unit_test(a_factorisation_is_one_call_with_all_threads),
        cmocka_unit_test(words_are_found_and_others_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
