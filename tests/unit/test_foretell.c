/*
 * A built-in workload's times without running it: a size that was measured, between two, beyond them, on a machine of which
 * only a profile is known, and one of which nothing is.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "assert_near.h"
#include "base/error.h"
#include "builtin/builtin.h"
#include "elsewhere/foretell.h"
#include "machine/profile.h"

static struct be_result row(uint64_t size, enum be_placement placement, double median_s) {
    struct be_result r = {.size = size, .placement = placement, .cache = BE_HOT};
    be_copy_text(r.workload, sizeof r.workload, "add");
    be_copy_text(r.dtype, sizeof r.dtype, "float32");
    r.phase[BE_TOTAL] = (struct be_summary){
        .n = 20, .median_s = median_s, .lo_s = 0.9 * median_s, .hi_s = 1.1 * median_s};
    return r;
}

static void add(struct be_profile *profile, const char *device, const char *what, const char *dtype,
                int threads, double bytes, double value) {
    struct be_figure f = {.threads = threads,
                          .bytes = bytes,
                          .value = value,
                          .median = value,
                          .lo = NAN,
                          .hi = NAN,
                          .n = 1,
                          .achievable = NAN};
    struct be_error error;
    be_copy_text(f.device, sizeof f.device, device);
    be_copy_text(f.what, sizeof f.what, what);
    be_copy_text(f.dtype, sizeof f.dtype, dtype);
    assert_int_equal(be_profile_add_figure(profile, &f, &error), BE_OK);
}

/* A CPU of one thread with 1e11 operations and 1e10 bytes a second, and a GPU with 1e13 and 1e12, whose bus has 1e10. */
static void make_profile(struct be_profile *p) {
    *p = (struct be_profile){.machine = {.cache_bytes = 1e6, .devices = 1}};
    struct be_device_info *gpu = &p->machine.device[0];
    *gpu = (struct be_device_info){.kind = BE_KIND_GPU,
                                   .units = 10,
                                   .memory_bytes = 16e9,
                                   .cache_bytes = NAN,
                                   .clock_hz = 1e9};
    be_copy_text(gpu->id, sizeof gpu->id, "cuda:0");
    add(p, "cpu", "fma", "float32", 1, NAN, 1e11);
    add(p, "cpu", "fma", "float64", 1, NAN, 5e10);
    add(p, "cpu", "clock", "", 1, NAN, 4e9);
    add(p, "cpu", "working_set", "", 1, 1e5, 1e10);
    add(p, "cpu", "working_set", "", 1, 1e8, 1e10);
    add(p, "cuda:0", "fma", "float32", 0, NAN, 1e13);
    add(p, "cuda:0", "fma", "float64", 0, NAN, 5e12);
    add(p, "cuda:0", "read", "", 0, NAN, 1e12);
    add(p, "cuda:0", "bus_in_pinned", "", 0, NAN, 1e10);
    add(p, "cuda:0", "bus_out_pinned", "", 0, NAN, 1e10);
    add(p, "cuda:0", "launch_wait", "", 0, NAN, 1e-5);
}

static struct be_problem add_of(uint64_t size) {
    const struct be_problem problem = be_problem_preset(be_workload_find("add"));
    return be_problem_sized(&problem, size);
}

static struct be_prediction at(const struct be_there *cpu, const struct be_there *gpu,
                               uint64_t size, enum be_placement placement) {
    struct be_foretell f;
    struct be_prediction p;
    struct be_error error = {0};
    const struct be_problem problem = add_of(size);
    assert_int_equal(be_foretell_open(cpu, gpu, &f, &error), BE_OK);
    assert_int_equal(be_foretell_at(&f, &problem, placement, &p, &error), BE_OK);
    return p;
}

/* The workload says itself what a call does: it reads 4 bytes an element and writes 4, and copies both ways where asked. */
static void the_rule_takes_the_workloads_own_counts(void **state) {
    (void)state;
    const struct be_problem problem = add_of(1000000);
    const struct be_predict_work there = be_foretell_work(&problem, BE_RESIDENT);
    const struct be_predict_work back = be_foretell_work(&problem, BE_PRELOAD);
    const struct be_predict_work both = be_foretell_work(&problem, BE_COPY);
    assert_near(there.flops, 1e6);
    assert_near(there.bytes, 8e6);
    assert_near(there.each_bytes, 0);
    assert_near(back.each_bytes, 4e6);
    assert_near(both.each_bytes, 8e6);
    struct be_profile profile;
    make_profile(&profile);
    const struct be_there known = {.profile = &profile};
    const struct be_prediction p = at(&known, &known, 1000000, BE_COPY);
    assert_int_equal(p.cpu.origin, BE_PREDICTED_BY_RULE);
    assert_int_equal(p.gpu.origin, BE_PREDICTED_BY_RULE);
    assert_near(p.cpu.time.lo_s, 8e6 / 1e10);
    assert_near(p.gpu.limit_s, 8e6 / 2e10);
    be_profile_free(&profile);
}

static void times_that_were_measured_come_first(void **state) {
    (void)state;
    struct be_result rows[] = {row(1000, BE_RESIDENT, 1e-5), row(100000, BE_RESIDENT, 1e-4),
                               row(1000, BE_HOST, 1e-6), row(100000, BE_HOST, 1e-4)};
    const struct be_there there = {
        .times = {.origin = BE_ORIGIN_ELSEWHERE, .result = rows, .results = 4}, .has_times = true};
    struct be_prediction p = at(&there, &there, 1000, BE_RESIDENT);
    assert_near(p.gpu.time.typical_s, 1e-5);
    assert_near(p.gpu.time.hi_s, 1.1e-5);
    assert_int_equal(p.gpu.origin, BE_PREDICTED_MEASURED);
    assert_int_equal(p.verdict, BE_WORTH_CPU);
    assert_near(p.ratio, 0.1);
    p = at(&there, &there, 10000, BE_RESIDENT);
    assert_int_equal(p.gpu.origin, BE_PREDICTED_BETWEEN);
    assert_near(p.gpu.time.typical_s, sqrt(1e-9));
    assert_near(p.cpu.time.typical_s, 1e-5);
    /* Nothing is known of copies, nor of larger sizes. */
    p = at(&there, &there, 1000, BE_COPY);
    assert_int_equal(p.gpu.origin, BE_PREDICTED_UNKNOWN);
    assert_int_equal(p.verdict, BE_WORTH_UNKNOWN);
    p = at(&there, &there, 1000000, BE_RESIDENT);
    assert_int_equal(p.cpu.origin, BE_PREDICTED_UNKNOWN);
    assert_true(isnan(p.cpu.time.typical_s));
}

/* Its least counts are far from what a tree, or all points, take: no figure is better than a wrong one. */
static void no_time_follows_from_counts_of_nobodys_code(void **state) {
    (void)state;
    struct be_profile profile;
    struct be_foretell f;
    struct be_prediction p;
    struct be_error error = {0};
    const struct be_problem problem = be_problem_preset(be_workload_find("neighbours"));
    make_profile(&profile);
    const struct be_there known = {.profile = &profile};
    assert_int_equal(be_foretell_open(&known, &known, &f, &error), BE_OK);
    assert_int_equal(be_foretell_at(&f, &problem, BE_COPY, &p, &error), BE_ABSENT);
    assert_non_null(strstr(error.text, "breakeven compare neighbours"));
    be_profile_free(&profile);
}

static struct be_prediction by_profile(const struct be_problem *problem) {
    struct be_profile profile;
    struct be_foretell f;
    struct be_prediction p;
    struct be_error error = {0};
    make_profile(&profile);
    const struct be_there known = {.profile = &profile};
    assert_int_equal(be_foretell_open(&known, &known, &f, &error), BE_OK);
    assert_int_equal(be_foretell_at(&f, problem, BE_RESIDENT, &p, &error), BE_OK);
    be_profile_free(&profile);
    return p;
}

static struct be_problem problem_of(const char *workload, uint64_t first, uint64_t second) {
    struct be_problem problem = be_problem_preset(be_workload_find(workload));
    problem.value[0] = first;
    problem.value[1] = second;
    return problem;
}

/* A grid that no cache holds passes through memory in each sweep of usual code; only the least time is that of one pass. */
static void steps_go_through_their_bytes_again(void **state) {
    (void)state;
    const double bytes = 2 * 4 * 1e8;
    const struct be_problem grid = problem_of("stencil", 10000, 200);
    const struct be_prediction p = by_profile(&grid);
    assert_true(p.gpu.time.typical_s >= 200 * bytes / 1e12);
    assert_true(p.cpu.time.typical_s >= 200 * bytes / 1e10);
    assert_true(p.gpu.limit_s < 200 * bytes / 1e12);
    assert_true(p.gpu.time.lo_s < 200 * bytes / 1e12);
    const struct be_problem once = problem_of("stencil", 10000, 1);
    assert_true(by_profile(&once).gpu.time.hi_s < 10 * bytes / 1e12);
    const struct be_problem product = problem_of("matvec", 10000, 200);
    assert_true(by_profile(&product).gpu.time.typical_s >= 200 * 4e8 / 1e12);
}

/* One chain of 1e7 steps is no faster on a GPU than its 2e7 multiplications and subtractions, one after the other. */
static void a_chain_of_steps_waits_for_itself(void **state) {
    (void)state;
    const struct be_problem chain = problem_of("steps", 1, 10000000);
    const struct be_prediction p = by_profile(&chain);
    assert_true(p.gpu.time.lo_s >= 1e7 * 2 * 4 / 1e9);
    assert_int_equal(p.verdict, BE_WORTH_CPU);
    assert_int_equal(p.cause, BE_CAUSE_SEQUENTIAL);
}

/* A code that takes 3 times as long as the rule says at the largest size that was measured does so beyond it. */
static void the_rule_goes_on_from_what_was_measured(void **state) {
    (void)state;
    struct be_profile profile;
    make_profile(&profile);
    const struct be_there known = {.profile = &profile};
    const double rule_s = at(&known, &known, 1000000, BE_RESIDENT).gpu.time.typical_s;
    const double beyond_s = at(&known, &known, 100000000, BE_RESIDENT).gpu.time.typical_s;
    struct be_result rows[] = {row(1000000, BE_RESIDENT, 3 * rule_s)};
    const struct be_there there = {
        .times = {.origin = BE_ORIGIN_ELSEWHERE, .result = rows, .results = 1},
        .has_times = true,
        .profile = &profile};
    const struct be_prediction p = at(&known, &there, 100000000, BE_RESIDENT);
    assert_int_equal(p.gpu.origin, BE_PREDICTED_BEYOND);
    assert_near(p.gpu.time.typical_s, 3 * beyond_s);
    assert_true(p.gpu.time.lo_s >= p.gpu.limit_s && p.gpu.time.hi_s > p.gpu.time.typical_s);
    be_profile_free(&profile);
}

/* With parameters that nobody measured the code takes as many times the rule as with those that were. */
static void other_parameters_go_on_from_the_preset(void **state) {
    (void)state;
    struct be_profile profile;
    struct be_foretell f;
    struct be_prediction p;
    struct be_error error = {0};
    struct be_problem preset = be_problem_preset(be_workload_find("solve"));
    preset = be_problem_sized(&preset, 1000000);
    struct be_problem other = preset;
    other.value[1] = 2 * preset.value[1];
    const double rule_s = by_profile(&preset).gpu.time.typical_s;
    const struct be_prediction rule = by_profile(&other);
    struct be_result rows[] = {row(1000000, BE_RESIDENT, 3 * rule_s)};
    be_copy_text(rows[0].workload, sizeof rows[0].workload, "solve");
    be_copy_text(rows[0].dtype, sizeof rows[0].dtype, be_real_name(preset.real));
    be_problem_text(&preset, rows[0].parameters, sizeof rows[0].parameters);
    make_profile(&profile);
    const struct be_there known = {.profile = &profile};
    const struct be_there there = {
        .times = {.origin = BE_ORIGIN_ELSEWHERE, .result = rows, .results = 1},
        .has_times = true,
        .profile = &profile};
    assert_int_equal(be_foretell_open(&known, &there, &f, &error), BE_OK);
    assert_int_equal(be_foretell_at(&f, &other, BE_RESIDENT, &p, &error), BE_OK);
    assert_int_equal(p.gpu.origin, BE_PREDICTED_BEYOND);
    assert_near(p.gpu.time.typical_s, 3 * rule.gpu.time.typical_s);
    assert_int_equal(p.cpu.origin, BE_PREDICTED_BY_RULE);
    be_profile_free(&profile);
}

static void a_machine_of_which_nothing_is_known_is_said(void **state) {
    (void)state;
    struct be_profile profile;
    make_profile(&profile);
    const struct be_there known = {.profile = &profile}, none = {0};
    struct be_foretell f;
    struct be_error error = {0};
    assert_int_equal(be_foretell_open(&none, &known, &f, &error), BE_ABSENT);
    assert_non_null(strstr(error.text, "neither figures nor times of a CPU"));
    assert_int_equal(be_foretell_open(&known, &none, &f, &error), BE_ABSENT);
    assert_non_null(strstr(error.text, "nothing is known of a GPU"));
    be_profile_free(&profile);
}

static struct be_prediction ratio_of(double ratio, double spread) {
    return (struct be_prediction){
        .ratio = ratio, .ratio_lo = ratio / spread, .ratio_hi = ratio * spread};
}

/* The GPU has to stay ahead up to the largest size. */
static void rows_say_from_which_size(void **state) {
    (void)state;
    const double n[] = {10, 100, 1000, 10000};
    struct be_prediction p[] = {ratio_of(2, 1.5), ratio_of(0.1, 1.5), ratio_of(10, 1.5),
                                ratio_of(100, 1.5)};
    struct be_worth worth = be_predict_worth_of(n, p, 4);
    assert_near(worth.likely_from, sqrt(100 * 1000));
    assert_true(worth.sure_from > worth.likely_from && worth.sure_from < 1000);
    p[3] = ratio_of(0.5, 1.5);
    worth = be_predict_worth_of(n, p, 4);
    assert_true(isnan(worth.likely_from) && isnan(worth.sure_from));
    for (int i = 0; i < 4; i++) {
        p[i] = ratio_of(2, 1.5);
    }
    worth = be_predict_worth_of(n, p, 4);
    assert_near(worth.likely_from, 10);
    p[1].ratio = p[1].ratio_lo = NAN;
    worth = be_predict_worth_of(n, p, 4);
    assert_near(worth.likely_from, 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rule_takes_the_workloads_own_counts),
        cmocka_unit_test(times_that_were_measured_come_first),
        cmocka_unit_test(steps_go_through_their_bytes_again),
        cmocka_unit_test(a_chain_of_steps_waits_for_itself),
        cmocka_unit_test(the_rule_goes_on_from_what_was_measured),
        cmocka_unit_test(no_time_follows_from_counts_of_nobodys_code),
        cmocka_unit_test(other_parameters_go_on_from_the_preset),
        cmocka_unit_test(a_machine_of_which_nothing_is_known_is_said),
        cmocka_unit_test(rows_say_from_which_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
