/* Verdicts on programs whose kinds of work are made up, on a GPU that is made up. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ask/verdict.h"
#include "assert_near.h"
#include "base/error.h"

enum { SIZES = 6, ROWS = 4 * SIZES };

/* One core sorts a number in 10 ns; 16 are ten times as fast. The GPU takes 20 us and 0.1 ns a number, with copies 1 ns. */
static struct be_result result(uint64_t size, const char *device, int threads,
                               enum be_placement placement, double median_s) {
    struct be_result one = {
        .size = size,
        .threads = threads,
        .placement = placement,
        .bytes = 8.0 * (double)size,
        .phase = {
            [BE_TOTAL] = {.n = 5, .median_s = median_s}, [BE_FIRST] = {.n = 1, .median_s = 0.4}}};
    be_copy_text(one.workload, sizeof one.workload, "sort");
    be_copy_text(one.dtype, sizeof one.dtype, "uint32");
    be_copy_text(one.device, sizeof one.device, device);
    return one;
}

static struct be_result row[ROWS];

static struct be_ask_scale *scale(void) {
    static struct be_ask_scale made;
    struct be_results times = {.result = row, .results = ROWS};
    struct be_error error = {0};
    int rows = 0;
    double n = 1000;
    for (int i = 0; i < SIZES; i++, n *= 10) {
        const uint64_t size = (uint64_t)n;
        row[rows++] = result(size, "cpu", 1, BE_HOST, 1e-8 * n);
        row[rows++] = result(size, "cpu", 16, BE_HOST, 1e-9 * n);
        row[rows++] = result(size, "cuda:0", 0, BE_RESIDENT, 2e-5 + 1e-10 * n);
        row[rows++] = result(size, "cuda:0", 0, BE_COPY, 2e-5 + 1e-9 * n);
    }
    times.machine.devices = 1;
    times.machine.device[0].kind = BE_KIND_GPU;
    times.machine.device[0].start_s = 0.3;
    be_copy_text(times.machine.device[0].name, sizeof times.machine.device[0].name, "Made up");
    be_copy_text(times.name, sizeof times.name, "made-up");
    assert_int_equal(be_ask_scale_of(&times, &times, &made, &error), BE_OK);
    return &made;
}

/* All on one core. */
static struct be_ask program(double own_s) {
    return (struct be_ask){.run = {.elapsed_s = own_s, .user_s = own_s},
                           .own_s = own_s,
                           .rate_hz = BE_SAMPLE_HZ,
                           .samples = 199 * own_s,
                           .kernel = true};
}

static void give(struct be_ask *ask, enum be_work_kind kind, double seconds) {
    ask->cpu_s[kind] = seconds;
    ask->wall_s[kind] = seconds;
    ask->later_s[kind] = seconds;
}

static struct be_ask_machine judged(const struct be_ask *ask) {
    struct be_ask_machine machine;
    const struct be_ask_seen seen = {.peak_bytes = NAN};
    be_ask_judge(ask, scale(), &seen, &machine);
    if (isfinite(machine.most)) {
        assert_true(machine.gain_lo <= machine.gain && machine.gain <= machine.gain_hi);
        assert_true(machine.gain_hi <= machine.most * (1 + 1e-12));
    }
    return machine;
}

static void test_scale_has_each_size_once(void **state) {
    (void)state;
    const struct be_ask_scale *s = scale();
    assert_int_equal(s->points[BE_WORK_SORT], SIZES);
    assert_int_equal(s->points[BE_WORK_FFT], 0);
    const struct be_ask_point *last = &s->point[BE_WORK_SORT][SIZES - 1];
    assert_near(last->cpu_s, 1);
    assert_near(last->team, 10);
    assert_near(last->stay, 2e-5 + 0.01);
    assert_near(last->copy, 2e-5 + 0.1);
    assert_near(s->start.lo_s, 0.3);
    assert_near(s->start.typical_s, 0.7);
}

static void test_bounds_narrow_the_ratio(void **state) {
    (void)state;
    const struct be_ask_scale *s = scale();
    const struct be_ask_ratio any = be_ask_ratio_of(s, BE_WORK_SORT, 1, 0, NAN);
    const struct be_ask_ratio large = be_ask_ratio_of(s, BE_WORK_SORT, 1, 0.01, NAN);
    const struct be_ask_ratio small = be_ask_ratio_of(s, BE_WORK_SORT, 1, 0, 8e4);
    const struct be_ask_ratio team = be_ask_ratio_of(s, BE_WORK_SORT, 32, 0.01, NAN);
    assert_true(large.hi < any.hi && large.typical < any.typical);
    assert_true(small.lo > any.lo && small.typical > any.typical);
    assert_true(any.lo < any.typical && any.typical < any.hi);
    assert_near(team.lo, 10 * large.lo); /* no more than that machine's cores bring */
    assert_true(large.copy_typical > large.typical);
    assert_true(isnan(be_ask_ratio_of(s, BE_WORK_FFT, 1, 0, NAN).typical));
    /* Calls longer than any that was measured are as the longest that was. */
    assert_near(be_ask_ratio_of(s, BE_WORK_SORT, 1, 100, NAN).lo,
                be_ask_ratio_of(s, BE_WORK_SORT, 1, 1, NAN).lo);
}

static void test_the_interpreter_stays(void **state) {
    (void)state;
    struct be_ask ask = program(100);
    give(&ask, BE_WORK_INTERPRETER, 90);
    give(&ask, BE_WORK_SORT, 10);
    const struct be_ask_machine m = judged(&ask);
    assert_int_equal(m.verdict, BE_ASK_NO);
    assert_int_equal(m.cause, BE_ASK_BY_STAYING);
    const double chance = 2 * sqrt(0.9 * 0.1 / ask.samples);
    assert_near(m.most, 1 / (0.9 - chance));
}

static void test_at_most_holds_when_the_gpu_takes_no_time(void **state) {
    (void)state;
    struct be_ask ask = program(10);
    give(&ask, BE_WORK_WAITING, 4);
    give(&ask, BE_WORK_OWN, 3);
    give(&ask, BE_WORK_COPY, 3);
    assert_near(be_ask_most(&ask), 10.0 / 4);
    give(&ask, BE_WORK_WAITING, 0);
    assert_true(isinf(be_ask_most(&ask)));
}

static void test_long_calls_are_worth_it(void **state) {
    (void)state;
    struct be_ask ask = program(100);
    give(&ask, BE_WORK_INTERPRETER, 0.02); /* at most 50,000 calls: 2 ms each */
    give(&ask, BE_WORK_SORT, 99.98);
    const struct be_ask_machine m = judged(&ask);
    assert_int_equal(m.verdict, BE_ASK_YES);
    assert_true(m.gain_lo > 1.25 && m.gain_copy < m.gain);
}

static void test_unknown_sizes_are_too_close(void **state) {
    (void)state;
    struct be_ask ask = program(100);
    give(&ask, BE_WORK_INTERPRETER, 20);
    give(&ask, BE_WORK_SORT, 80);
    const struct be_ask_machine m = judged(&ask);
    assert_int_equal(m.verdict, BE_ASK_CLOSE);
    assert_int_equal(m.cause, BE_ASK_BY_SIZES);
    assert_true(m.large_gain > 3 && m.large_gain < 5); /* 80 of 100 s move */
}

/* Libraries that are loaded before the first array is there make no calls of arrays. */
static void test_preparation_bounds_no_calls(void **state) {
    (void)state;
    struct be_ask ask = program(100);
    give(&ask, BE_WORK_INTERPRETER, 20);
    give(&ask, BE_WORK_SORT, 80);
    ask.later_s[BE_WORK_INTERPRETER] = 0.01;
    ask.prepare_s = 19.99;
    const struct be_ask_machine m = judged(&ask);
    assert_int_equal(m.verdict, BE_ASK_YES);
    assert_true(m.gain < 5 && m.long_gain > 10); /* 20 of 100 s stay; a longer run has them once */
    assert_int_equal(m.long_verdict, BE_ASK_YES);
    assert_true(m.long_lo <= m.long_gain && m.long_gain <= m.long_hi);
}

static void test_page_faults_and_copies_are_in_calls(void **state) {
    (void)state;
    struct be_ask ask = program(100);
    give(&ask, BE_WORK_INTERPRETER, 1);
    give(&ask, BE_WORK_SORT, 9);
    const double alone = judged(&ask).kind[BE_WORK_SORT].hi_s;
    give(&ask, BE_WORK_KERNEL, 60);
    give(&ask, BE_WORK_COPY, 30);
    assert_true(judged(&ask).kind[BE_WORK_SORT].hi_s < alone);
}

static void test_a_long_run_has_its_start_once(void **state) {
    (void)state;
    struct be_ask ask = program(1);
    give(&ask, BE_WORK_INTERPRETER, 0.5);
    give(&ask, BE_WORK_SORT, 0.5);
    ask.later_s[BE_WORK_INTERPRETER] = 1e-5;
    ask.prepare_s = 0.5;
    struct be_ask_machine m = judged(&ask);
    assert_true(m.gain < 1);
    assert_int_equal(m.long_verdict, BE_ASK_YES);
    ask.prepare_s = NAN; /* no work of arrays ever began */
    m = judged(&ask);
    assert_true(isnan(m.long_gain));
    assert_int_equal(m.long_verdict, BE_ASK_UNKNOWN);
}

static void test_page_faults_of_arrays_go_where_they_go(void **state) {
    (void)state;
    struct be_ask ask = program(100);
    give(&ask, BE_WORK_SORT, 50);
    give(&ask, BE_WORK_KERNEL, 50);
    assert_int_equal(judged(&ask).long_verdict, judged(&ask).verdict);
    const double with_arrays = judged(&ask).gain;
    ask.later_s[BE_WORK_KERNEL] = 0; /* of what was read before there were arrays */
    ask.prepare_s = 50;
    assert_true(judged(&ask).gain < 2 && with_arrays > 10);
}

static void test_frameworks_of_python_start_longer(void **state) {
    (void)state;
    struct be_ask ask = program(10);
    struct be_ask_part python = {.kind = BE_WORK_INTERPRETER, .what = "the Python interpreter"};
    give(&ask, BE_WORK_SORT, 10);
    const double compiled_s = judged(&ask).start.typical_s;
    ask.part = &python;
    ask.parts = 1;
    const struct be_ask_time start = judged(&ask).start;
    assert_true(start.typical_s > compiled_s && start.hi_s > 3 && start.lo_s < start.typical_s);
}

static void test_a_short_run_does_not_pay_for_the_start(void **state) {
    (void)state;
    struct be_ask ask = program(0.27);
    give(&ask, BE_WORK_SORT, 0.27);
    assert_int_equal(judged(&ask).cause, BE_ASK_BY_START);
    assert_int_equal(judged(&ask).verdict, BE_ASK_NO);
    ask = program(0.1);
    give(&ask, BE_WORK_SORT, 0.1);
    assert_int_equal(judged(&ask).verdict, BE_ASK_UNKNOWN);
    assert_int_equal(judged(&ask).cause, BE_ASK_BY_SHORTNESS);
}

/* A program that only calls: 4 us each with the interpreter's part, of which NumPy takes 0.4. */
static struct be_ask_machine calling(const char *library) {
    struct be_ask ask = program(100);
    struct be_ask_part python = {.kind = BE_WORK_INTERPRETER, .what = "the Python interpreter"};
    struct be_ask_machine machine;
    const struct be_ask_seen seen = {.peak_bytes = NAN, .with = be_gpu_library_of(library)};
    give(&ask, BE_WORK_CALLS, 40);
    give(&ask, BE_WORK_INTERPRETER, 40);
    give(&ask, BE_WORK_SORT, 20);
    ask.part = &python;
    ask.parts = 1;
    be_ask_judge(&ask, scale(), &seen, &machine);
    return machine;
}

/* 1e8 calls of 0.4 us on the CPU take 12 us each with CuPy, and no GPU mends that. */
static void test_a_library_for_gpus_prepares_calls_too(void **state) {
    (void)state;
    const struct be_ask_machine any = calling(NULL), cupy = calling("cupy"),
                                torch = calling("torch"), jax = calling("jax");
    assert_near(cupy.kind[BE_WORK_CALLS].typical_s, (40 - 0.015 * 20) / 0.4e-6 * 12e-6);
    assert_true(cupy.gain < 0.1 && torch.gain < cupy.gain && any.gain < 1);
    assert_int_equal(cupy.verdict, BE_ASK_NO);
    assert_int_equal(any.verdict, BE_ASK_NO);
    /* Functions that JAX compiles may leave nothing of it. */
    assert_true(jax.gain_hi > 2 && jax.gain_hi <= jax.most && jax.most > any.most);
    assert_int_equal(jax.verdict, BE_ASK_CLOSE);
    assert_true(torch.start.typical_s > 2 * cupy.start.typical_s);
    assert_true(any.start.lo_s <= cupy.start.lo_s && any.start.hi_s >= torch.start.hi_s);
    assert_null(be_gpu_library_of("cuda"));
}

/* Preparation that grows with arrays, and one sample, are no calls: the arrays are large. */
static void test_few_preparations_are_long_calls(void **state) {
    (void)state;
    struct be_ask ask = program(100);
    give(&ask, BE_WORK_SORT, 99);
    give(&ask, BE_WORK_CALLS, 1);
    const struct be_ask_machine few = judged(&ask);
    ask = program(100);
    give(&ask, BE_WORK_SORT, 50);
    give(&ask, BE_WORK_CALLS, 50);
    const struct be_ask_machine many = judged(&ask);
    assert_true(few.gain > 10 && many.gain < 0.2);
    assert_near(few.kind[BE_WORK_CALLS].typical_s, 0);
    assert_true(many.kind[BE_WORK_SORT].hi_s / 50 >
                10 * few.kind[BE_WORK_SORT].hi_s / 99); /* shorter calls */
}

static void test_own_code_is_not_known(void **state) {
    (void)state;
    struct be_ask ask = program(100);
    give(&ask, BE_WORK_OWN, 95);
    give(&ask, BE_WORK_INTERPRETER, 5);
    const struct be_ask_machine m = judged(&ask);
    assert_int_equal(m.verdict, BE_ASK_UNKNOWN);
    assert_int_equal(m.cause, BE_ASK_BY_OWN);
}

/* 10 TFLOP/s, 1 TB/s, a bus of 10 GB/s, 10 us a launch. */
static void place_it(struct be_ask_scale *s) {
    s->has_place = true;
    s->place = (struct be_predict_place){.launch = {1e-5, 1e-5, 2e-5},
                                         .bus = 1e10,
                                         .bus_limit = 2e10,
                                         .bus_slow = 5e9,
                                         .memory_bytes = 1e11,
                                         .step_s = 1e-9,
                                         .least_step_s = 1e-9,
                                         .thin64 = 1};
    for (int i = 0; i < BE_ARITHMETICS; i++) {
        s->place.reached.operations[i] = s->place.limit.operations[i] = 1e13;
    }
    s->place.reached.points = s->place.limit.points = 1;
    s->place.reached.memory[0].bytes = s->place.limit.memory[0].bytes = 1;
    s->place.reached.memory[0].rate = s->place.limit.memory[0].rate = 1e12;
}

static struct be_trace_calls products(double n, double count, double seconds) {
    struct be_trace_calls calls = {.asked = true, .rows = 1};
    struct be_trace_call *call = &calls.row[0];
    *call = (struct be_trace_call){.m = n,
                                   .n = n,
                                   .k = n,
                                   .batch = 1,
                                   .calls = count,
                                   .seconds = seconds,
                                   .flops = count * 2 * n * n * n,
                                   .fresh = 16 * n * n,
                                   .same = (count - 1) * 16 * n * n,
                                   .written = count * 8 * n * n};
    be_copy_text(call->function, sizeof call->function, "dgemm");
    be_copy_text(call->kind, sizeof call->kind, be_call_kinds[BE_CALLS_PRODUCT]);
    return calls;
}

static void test_recorded_calls_are_judged_by_their_shapes(void **state) {
    (void)state;
    static const struct {
        double n, count, seconds; /* on the CPU */
        enum be_ask_verdict verdict;
    } order[] = {{4000, 100, 128, BE_ASK_YES}, {16, 1e6, 5, BE_ASK_NO}};
    for (size_t i = 0; i < BE_COUNT(order); i++) {
        struct be_ask ask = program(order[i].seconds);
        struct be_ask_machine m;
        struct be_ask_scale *s = scale();
        place_it(s);
        give(&ask, BE_WORK_MATRIX, order[i].seconds);
        const struct be_trace_calls calls = products(order[i].n, order[i].count, order[i].seconds);
        const struct be_ask_seen seen = {.peak_bytes = NAN, .calls = &calls};
        be_ask_judge(&ask, s, &seen, &m);
        assert_true(m.recorded);
        assert_int_equal(m.verdict, order[i].verdict);
        assert_int_equal(m.cause, BE_ASK_BY_SPEED);
        const struct be_ask_time *there = &m.kind[BE_WORK_MATRIX];
        assert_true(there->typical_s >= calls.row[0].flops / 1e13);
        assert_true(there->copy_s > there->typical_s);
    }
}

/* A million products in a second, of which the interpreter took 4 ms: it made 10,000 calls at most, of a hundred each. */
static void test_more_calls_than_an_interpreter_makes_are_batches(void **state) {
    (void)state;
    struct be_ask ask = program(100);
    struct be_ask_machine m;
    struct be_ask_scale *s = scale();
    place_it(s);
    give(&ask, BE_WORK_MATRIX, 100);
    const struct be_trace_calls calls = products(16, 1e6, 100);
    const struct be_ask_seen seen = {.peak_bytes = NAN, .calls = &calls};
    be_ask_judge(&ask, s, &seen, &m);
    const double one_by_one_s = m.kind[BE_WORK_MATRIX].typical_s;
    give(&ask, BE_WORK_INTERPRETER, 0.004);
    be_ask_judge(&ask, s, &seen, &m);
    assert_true(m.recorded && m.kind[BE_WORK_MATRIX].typical_s < one_by_one_s / 10);
    /* It was there, and never seen between the calls. */
    give(&ask, BE_WORK_INTERPRETER, 1);
    ask.later_s[BE_WORK_INTERPRETER] = 0;
    ask.prepare_s = 1;
    be_ask_judge(&ask, s, &seen, &m);
    assert_true(m.kind[BE_WORK_MATRIX].typical_s < one_by_one_s / 10);
    ask.prepare_s = 0;
    give(&ask, BE_WORK_INTERPRETER, 4);
    be_ask_judge(&ask, s, &seen, &m);
    assert_near(m.kind[BE_WORK_MATRIX].typical_s, one_by_one_s);
}

static void test_few_recorded_calls_decide_nothing(void **state) {
    (void)state;
    struct be_ask ask = program(100);
    struct be_ask_machine m;
    struct be_ask_scale *s = scale();
    place_it(s);
    give(&ask, BE_WORK_MATRIX, 100);
    const struct be_trace_calls calls = products(16, 1000, 1);
    const struct be_ask_seen seen = {.peak_bytes = NAN, .calls = &calls};
    be_ask_judge(&ask, s, &seen, &m);
    assert_false(m.recorded);
}

static void test_the_longest_call_is_told(void **state) {
    (void)state;
    char text[BE_NOTE];
    const struct be_trace_calls calls = products(600, 1000, 3), none = {0};
    assert_string_equal(be_ask_longest_call(&calls, text, sizeof text),
                        "dgemm 600 x 600 x 600: 1,000 calls");
    assert_string_equal(be_ask_longest_call(&none, text, sizeof text), "");
}

static void test_nothing_sampled_is_not_known(void **state) {
    (void)state;
    struct be_ask ask = program(100);
    give(&ask, BE_WORK_UNKNOWN, 100);
    be_copy_text(ask.unsampled, sizeof ask.unsampled, "it is forbidden");
    const struct be_ask_machine m = judged(&ask);
    assert_int_equal(m.verdict, BE_ASK_UNKNOWN);
    assert_true(isnan(m.gain) && isnan(m.most));
}

static void test_times_without_a_common_workload_are_refused(void **state) {
    (void)state;
    struct be_ask_scale made;
    struct be_error error = {0};
    const struct be_results none = {.name = "none"};
    assert_int_equal(be_ask_scale_of(&none, &none, &made, &error), BE_ABSENT);
    assert_non_null(strstr(error.text, "none"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scale_has_each_size_once),
        cmocka_unit_test(test_bounds_narrow_the_ratio),
        cmocka_unit_test(test_the_interpreter_stays),
        cmocka_unit_test(test_at_most_holds_when_the_gpu_takes_no_time),
        cmocka_unit_test(test_long_calls_are_worth_it),
        cmocka_unit_test(test_unknown_sizes_are_too_close),
        cmocka_unit_test(test_preparation_bounds_no_calls),
        cmocka_unit_test(test_page_faults_and_copies_are_in_calls),
        cmocka_unit_test(test_a_long_run_has_its_start_once),
        cmocka_unit_test(test_page_faults_of_arrays_go_where_they_go),
        cmocka_unit_test(test_frameworks_of_python_start_longer),
        cmocka_unit_test(test_a_short_run_does_not_pay_for_the_start),
        cmocka_unit_test(test_a_library_for_gpus_prepares_calls_too),
        cmocka_unit_test(test_few_preparations_are_long_calls),
        cmocka_unit_test(test_own_code_is_not_known),
        cmocka_unit_test(test_recorded_calls_are_judged_by_their_shapes),
        cmocka_unit_test(test_more_calls_than_an_interpreter_makes_are_batches),
        cmocka_unit_test(test_few_recorded_calls_decide_nothing),
        cmocka_unit_test(test_the_longest_call_is_told),
        cmocka_unit_test(test_nothing_sampled_is_not_known),
        cmocka_unit_test(test_times_without_a_common_workload_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
