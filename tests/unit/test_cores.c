/* A CPU of a profile with more cores: operations and caches grow, memory does not. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "assert_near.h"
#include "base/error.h"
#include "machine/profile.h"
#include "predict/predict.h"
#include "question/cores.h"

static void add(struct be_profile *profile, const char *what, int threads, double bytes,
                enum be_unit unit, double value) {
    struct be_figure f = {.threads = threads,
                          .bytes = bytes,
                          .unit = unit,
                          .value = value,
                          .median = value,
                          .achievable = NAN};
    struct be_error error;
    be_copy_text(f.device, sizeof f.device, "cpu");
    be_copy_text(f.what, sizeof f.what, what);
    assert_int_equal(be_profile_add_figure(profile, &f, &error), BE_OK);
}

static double value_of(const struct be_profile *profile, const char *what, int threads,
                       double bytes) {
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *f = &profile->figure[i];
        if (strcmp(f->what, what) == 0 && f->threads == threads &&
            (isnan(bytes) || f->bytes == bytes)) {
            return f->value;
        }
    }
    return NAN;
}

static void operations_and_caches_grow_and_memory_does_not(void **state) {
    (void)state;
    struct be_profile p = {0};
    struct be_error error;
    for (int threads = 1; threads <= 2; threads++) {
        add(&p, "fma", threads, NAN, BE_UNIT_FLOP_S, threads * 1e11);
        add(&p, "working_set", threads, 1e4, BE_UNIT_BYTES_S, threads * 5e11);
        add(&p, "working_set", threads, 1e9, BE_UNIT_BYTES_S, 4e10);
        add(&p, "clock", threads, NAN, BE_UNIT_HZ, 3e9);
    }
    add(&p, "fork_join", 2, NAN, BE_UNIT_SECONDS, 1e-6);
    assert_int_equal(be_cores_set(&p, 8, &error), BE_OK);
    assert_int_equal(be_predict_threads(&p), 8);
    assert_near(value_of(&p, "fma", 8, NAN), 8e11);
    assert_near(value_of(&p, "fma", 1, NAN), 1e11);
    assert_near(value_of(&p, "working_set", 8, 1e4), 4e10 + (1e12 - 4e10) * 4);
    assert_near(value_of(&p, "working_set", 8, 1e9), 4e10);
    assert_near(value_of(&p, "clock", 8, NAN), 3e9);
    assert_near(value_of(&p, "fork_join", 8, NAN), 1e-6);
    assert_non_null(strstr(p.machine.cpu, "8 cores as a guess"));
    be_profile_free(&p);
    assert_int_equal(be_cores_set(&p, 4, &error), BE_ABSENT);
}

static void fewer_cores_have_what_was_measured_or_a_share(void **state) {
    (void)state;
    struct be_profile p = {0};
    struct be_error error;
    static const int measured[] = {1, 16};
    for (size_t i = 0; i < BE_COUNT(measured); i++) {
        add(&p, "fma", measured[i], NAN, BE_UNIT_FLOP_S, measured[i] * 1e11);
        add(&p, "working_set", measured[i], 1e9, BE_UNIT_BYTES_S, measured[i] == 1 ? 2e10 : 1e11);
        add(&p, "clock", measured[i], NAN, BE_UNIT_HZ, 3e9);
    }
    assert_int_equal(be_cores_set(&p, 8, &error), BE_OK);
    assert_int_equal(be_predict_threads(&p), 8);
    assert_near(value_of(&p, "fma", 8, NAN), 8e11);
    assert_near(value_of(&p, "working_set", 8, 1e9), 1e11); /* all that the memory has */
    assert_true(isnan(value_of(&p, "fma", 16, NAN)));
    assert_int_equal(be_cores_set(&p, 4, &error), BE_OK);
    assert_near(value_of(&p, "working_set", 4, 1e9), 8e10); /* four times one core's */
    assert_near(value_of(&p, "clock", 4, NAN), 3e9);
    p.machine.cpu[0] = '\0';
    assert_int_equal(be_cores_set(&p, 1, &error), BE_OK);
    assert_int_equal(be_predict_threads(&p), 1);
    assert_near(value_of(&p, "fma", 1, NAN), 1e11);
    assert_string_equal(p.machine.cpu, ", with 1 core"); /* no guess */
    be_profile_free(&p);
}

static void a_name_may_end_with_cores(void **state) {
    (void)state;
    char name[32];
    assert_int_equal(be_cores_named("cpu-2:8", name, sizeof name), 8);
    assert_string_equal(name, "cpu-2");
    const char *const others[] = {"cpu-2",   "cpu-2:",   "cpu-2:x",    "cpu-2:8x",
                                  "cpu-2:0", "cpu-2:-3", "cpu-2:99999"};
    for (size_t i = 0; i < BE_COUNT(others); i++) {
        assert_int_equal(be_cores_named(others[i], name, sizeof name), 0);
        assert_string_equal(name, others[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_and_caches_grow_and_memory_does_not),
        cmocka_unit_test(fewer_cores_have_what_was_measured_or_a_share),
        cmocka_unit_test(a_name_may_end_with_cores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
