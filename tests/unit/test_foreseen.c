/* The time that a call may take, after smaller sizes of the same code. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "builtin/builtin.h"
#include "bench/session.h"
#include "workload/elementwise.h"

static struct be_record record(uint64_t size, double bytes, double operations, double seconds) {
    struct be_record r = {.result = {.workload = "some",
                                     .variant = "plain",
                                     .device = "cpu",
                                     .dtype = "float32",
                                     .size = size,
                                     .threads = 2,
                                     .bytes = bytes,
                                     .operations = operations}};
    r.result.phase[BE_TOTAL].median_s = 10 * seconds; /* a busy machine */
    r.result.phase[BE_TOTAL].min_s = seconds;
    return r;
}

static void test_grows_with_what_grows_max(void **state) {
    (void)state;
    struct be_record known[] = {record(10, 80, 100, 1), record(30, 240, 900, 7)};
    const struct be_session session = {.record = {.item = known, .items = 2}};
    const struct be_result next = record(60, 480, 3600, NAN).result;
    assert_float_equal(be_session_foreseen(&session, &next), 7 * 4, 1e-12);
    const struct be_result wide = record(60, 2400, 3600, NAN).result;
    assert_float_equal(be_session_foreseen(&session, &wide), 7 * 10, 1e-12);
    const struct be_result between = record(20, 160, 400, NAN).result;
    assert_float_equal(be_session_foreseen(&session, &between), 4, 1e-12);
}

static void test_without_operations_grows_with_bytes(void **state) {
    (void)state;
    struct be_record known[] = {record(10, 80, 0, 2)};
    const struct be_session session = {.record = {.item = known, .items = 1}};
    const struct be_result next = record(40, 320, 0, NAN).result;
    assert_float_equal(be_session_foreseen(&session, &next), 8, 1e-12);
}

/* A sum of one element is none. */
static void test_from_no_operations_grows_with_bytes(void **state) {
    (void)state;
    struct be_record known[] = {record(1, 8, 0, 2)};
    const struct be_session session = {.record = {.item = known, .items = 1}};
    const struct be_result next = record(4, 32, 3, NAN).result;
    assert_float_equal(be_session_foreseen(&session, &next), 8, 1e-12);
}

static void test_only_the_same_code_tells(void **state) {
    (void)state;
    struct be_record known[6];
    for (int i = 0; i < 6; i++) {
        known[i] = record(10, 80, 100, 1);
    }
    strcpy(known[0].result.workload, "other");
    strcpy(known[1].result.variant, "fused");
    strcpy(known[2].result.device, "cuda:0");
    known[3].result.threads = 1;
    known[4].result.placement = BE_COPY;
    known[5].result.status = BE_RESULT_WRONG;
    const struct be_session session = {.record = {.item = known, .items = 6}};
    const struct be_result next = record(20, 160, 400, NAN).result;
    assert_true(isnan(be_session_foreseen(&session, &next)));
    const struct be_result smaller = record(5, 40, 50, NAN).result;
    known[5].result.status = BE_RESULT_OK;
    assert_true(isnan(be_session_foreseen(&session, &smaller)));
    assert_float_equal(be_session_foreseen(&session, &next), 4, 1e-12);
}

/* The data, and six calls of each case of the run before that patience allows; seven where the first one leaves
 * open whether it is long. */
static void test_size(void **state) {
    (void)state;
    const struct be_problem preset = be_problem_preset(&be_workload_power);
    const struct be_problem from = be_problem_sized(&preset, 1000);
    const struct be_problem to = be_problem_sized(&preset, 3000);
    const struct be_shape shape = be_problem_shape(&from);
    struct be_record known[4];
    for (int i = 0; i < 4; i++) {
        known[i] = record(1000, shape.bytes, shape.operations, 0.1);
        known[i].round = 2;
        strcpy(known[i].result.workload, "power");
    }
    known[1].result.phase[BE_TOTAL].min_s = 0.2;
    known[2].result.status = BE_RESULT_FAILED;
    known[3].round = 1; /* of a smaller size */
    struct be_session session = {
        .plan = {.patience_s = 1},
        .record = {
            .item = known, .items = 4, .round = 2, .opened = {shape.bytes, shape.operations, 2}}};
    assert_float_equal(be_session_foreseen_size(&session, &to), (float)(3 * (2 + 7 * 0.3)), 1e-5);
    session.plan.patience_s = 0.5; /* the second would take 0.6 s: it will not be called */
    assert_float_equal(be_session_foreseen_size(&session, &to), (float)(3 * (2 + 7 * 0.1)), 1e-5);
    session.plan.patience_s = 5;
    known[0].result.phase[BE_TOTAL].min_s =
        0.01; /* 30 ms and 1.2 s: it is known which of them are long */
    known[1].result.phase[BE_TOTAL].min_s = 0.4;
    assert_float_equal(be_session_foreseen_size(&session, &to), (float)(3 * (2 + 6 * 0.41)), 1e-5);
    strcpy(known[0].result.workload, "other");
    strcpy(known[1].result.workload, "other");
    strcpy(known[2].result.workload, "other");
    assert_true(isnan(be_session_foreseen_size(&session, &to)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grows_with_what_grows_max),
        cmocka_unit_test(test_without_operations_grows_with_bytes),
        cmocka_unit_test(test_from_no_operations_grows_with_bytes),
        cmocka_unit_test(test_only_the_same_code_tells),
        cmocka_unit_test(test_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
