/* Lines fitted to known points; ceilings from figures; which device is which; how fresh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "machine/profile.h"

/* ---- fits ----------------------------------------------------------------------------------- */

enum { POINTS = 16 };

/* Seconds of 1 byte, 4, 16, ... with this latency and rate, each off by up to `noise`. */
static void make_points(double latency, double rate, double noise, double *bytes, double *seconds) {
    for (int i = 0; i < POINTS; i++) {
        bytes[i] = ldexp(1, 2 * i);
        double off = noise * (i % 2 ? 1 : -1) * (double)(i % 5) / 4;
        seconds[i] = (latency + bytes[i] / rate) * (1 + off);
    }
}

static void test_fit_exact(void **state) {
    (void)state;
    double bytes[POINTS];
    double seconds[POINTS];
    struct be_fit fit = {0};
    make_points(6e-6, 55e9, 0, bytes, seconds);
    assert_int_equal(be_fit_line(bytes, seconds, POINTS, &fit, NULL), BE_OK);
    assert_true(fabs(fit.latency_s - 6e-6) < 1e-12);
    assert_true(fabs(fit.rate / 55e9 - 1) < 1e-6);
    assert_true(fit.worst_off < 1e-6 && fit.typical_off <= fit.worst_off);
    assert_true(fit.smallest == 1 && fit.largest == ldexp(1, 30));
    assert_int_equal(fit.points, POINTS);
}

static void test_fit_noise(void **state) {
    (void)state;
    double bytes[POINTS];
    double seconds[POINTS];
    struct be_fit fit = {0};
    make_points(6e-6, 55e9, 0.05, bytes, seconds);
    assert_int_equal(be_fit_line(bytes, seconds, POINTS, &fit, NULL), BE_OK);
    assert_true(fabs(fit.latency_s / 6e-6 - 1) < 0.05);
    assert_true(fabs(fit.rate / 55e9 - 1) < 0.05);
    assert_true(fit.worst_off > 0.01 && fit.worst_off < 0.12);
}

static void test_fit_no_latency(void **state) {
    (void)state;
    double bytes[POINTS];
    double seconds[POINTS];
    struct be_fit fit = {0};
    make_points(0, 10e9, 0, bytes, seconds);
    assert_int_equal(be_fit_line(bytes, seconds, POINTS, &fit, NULL), BE_OK);
    assert_true(fit.latency_s >= 0 && fit.latency_s < 1e-15);
    assert_true(fabs(fit.rate / 10e9 - 1) < 1e-6);
}

/* Times that fall with size fit no positive latency and rate: there is then none of one. */
static void test_fit_never_below_zero(void **state) {
    (void)state;
    const double bytes[] = {1e3, 1e6, 1e9};
    const double falling[] = {3e-3, 2e-3, 1e-3};
    const double steep[] = {1e-9, 1e-3, 2};
    struct be_fit fit = {0};
    assert_int_equal(be_fit_line(bytes, falling, 3, &fit, NULL), BE_OK);
    assert_true(fit.latency_s > 0 && isnan(fit.rate));
    assert_int_equal(be_fit_line(bytes, steep, 3, &fit, NULL), BE_OK);
    assert_true(fit.latency_s >= 0 && fit.rate > 0);
}

static void test_fit_too_little(void **state) {
    (void)state;
    const double bytes[] = {1, 1, 8, 8};
    const double same[] = {8, 8, 8, 8};
    const double seconds[] = {1e-6, 1e-6, 2e-6, 2e-6};
    const double wrong[] = {1e-6, NAN, 2e-6, 0};
    const double sizes[] = {1, 2, 3, 4};
    struct be_fit fit = {0};
    struct be_error error;
    assert_int_equal(be_fit_line(bytes, seconds, 4, &fit, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "2 different sizes"));
    assert_int_equal(be_fit_line(same, seconds, 4, &fit, &error), BE_USAGE);
    assert_int_equal(be_fit_line(sizes, wrong, 4, &fit, &error), BE_USAGE);
    assert_int_equal(be_fit_line(sizes, seconds, 0, &fit, &error), BE_USAGE);
}

/* ---- ceilings ------------------------------------------------------------------------------- */

static void add(struct be_profile *profile, const char *device, const char *what, const char *dtype,
                int threads, double bytes, double value) {
    struct be_figure f = {.threads = threads, .bytes = bytes, .value = value, .achievable = NAN};
    be_copy_text(f.device, sizeof f.device, device);
    be_copy_text(f.what, sizeof f.what, what);
    be_copy_text(f.dtype, sizeof f.dtype, dtype);
    assert_int_equal(be_profile_add_figure(profile, &f, NULL), BE_OK);
}

static struct be_profile two_gpus(void) {
    struct be_profile profile = {.source = BE_SOURCE_MEASURED};
    static const char *const address[] = {"0000:01:00.0", "0000:41:00.0"};
    be_copy_text(profile.machine.host, BE_NAME, "node1");
    be_copy_text(profile.machine.cpu, BE_NAME, "some CPU");
    be_copy_text(profile.environment.date, BE_NAME, "2026-11-21T03:00:00Z");
    profile.machine.cache_bytes = 30e6;
    for (int i = 0; i < 2; i++) {
        struct be_device_info *info = &profile.machine.device[profile.machine.devices++];
        snprintf(info->id, sizeof info->id, "cuda:%d", i);
        be_copy_text(info->backend, sizeof info->backend, "cuda");
        be_copy_text(info->name, sizeof info->name, "NVIDIA H200");
        be_copy_text(info->driver, sizeof info->driver, "driver 580");
        be_copy_text(info->address, sizeof info->address, address[i]);
        info->kind = BE_KIND_GPU;
        info->cache_bytes = 60e6;
    }
    return profile;
}

static void test_ceilings_of_the_cpu(void **state) {
    (void)state;
    struct be_profile profile = two_gpus();
    struct be_ceilings ceilings;
    struct be_error error;
    add(&profile, "cpu", "working_set", "", 8, 3e8, 1e11);
    add(&profile, "cpu", "working_set", "", 8, 1e6, 5e11); /* not in order */
    add(&profile, "cpu", "working_set", "", 1, 1e6, 9e10);
    assert_int_equal(be_profile_ceilings(&profile, "cpu", 8, &ceilings, &error), BE_ABSENT);
    assert_non_null(
        strstr(error.text, "updates in place")); /* a profile of before there were any */
    add(&profile, "cpu", "update_set", "", 8, 3e8 - 64, 1.2e11); /* whole grains of one array */
    add(&profile, "cpu", "update_set", "", 1, 1e6, 1e11);
    assert_int_equal(be_profile_ceilings(&profile, "cpu", 8, &ceilings, &error), BE_ABSENT);
    add(&profile, "cpu", "update_set", "", 8, 1e6, 9e11);
    assert_int_equal(be_profile_ceilings(&profile, "cpu", 8, &ceilings, &error), BE_ABSENT);
    assert_non_null(strstr(error.text, "multiply-adds"));
    add(&profile, "cpu", "fma", "float32", 8, NAN, 2e12);
    assert_int_equal(be_profile_ceilings(&profile, "cpu", 8, &ceilings, &error), BE_OK);
    assert_int_equal(ceilings.points, 2);
    assert_true(ceilings.memory[0].bytes == 1e6 && ceilings.memory[0].rate == 5e11);
    assert_true(ceilings.memory[1].bytes == 3e8 && ceilings.memory[1].rate == 1e11);
    assert_true(ceilings.memory[0].update == 9e11 && ceilings.memory[1].update == 1.2e11);
    assert_true(ceilings.operations[BE_PLAIN32] == 2e12 && ceilings.cache_bytes == 30e6);
    assert_true(isnan(ceilings.bus_in));
    assert_int_equal(be_profile_ceilings(&profile, "cpu", 4, &ceilings, &error), BE_ABSENT);
    be_profile_free(&profile);
}

static void test_ceilings_of_a_device(void **state) {
    (void)state;
    struct be_profile profile = two_gpus();
    struct be_ceilings ceilings;
    struct be_error error;
    add(&profile, "cuda:0", "working_set", "", 0, 2e9, 4.3e12);
    add(&profile, "cuda:0", "copy", "", 0, 2e9, 4.4e12);
    add(&profile, "cuda:0", "fma", "float32", 0, NAN, 6e13);
    add(&profile, "cuda:0", "launch_wait", "", 0, NAN, 8e-6);
    add(&profile, "cuda:0", "bus_in_pinned", "", 0, 1e9, 55e9);
    add(&profile, "cuda:0", "bus_in_pinned", "", 0, 1, 2e5); /* the smaller comes last */
    assert_int_equal(be_profile_ceilings(&profile, "cuda:0", 0, &ceilings, &error), BE_ABSENT);
    assert_non_null(strstr(error.text, "bus"));
    add(&profile, "cuda:0", "bus_out_pinned", "", 0, 1e9, 54e9);
    assert_int_equal(be_profile_ceilings(&profile, "cuda:0", 0, &ceilings, &error), BE_OK);
    assert_true(ceilings.bus_in == 55e9 && ceilings.bus_out == 54e9);
    assert_true(ceilings.memory[0].rate == 4.4e12); /* what a copy reached */
    assert_true(ceilings.write == 0);
    add(&profile, "cuda:0", "write", "", 0, 2e9, 4.6e12);
    add(&profile, "cuda:0", "write", "", 0, 1e6, 9.9e12); /* the larger counts */
    assert_int_equal(be_profile_ceilings(&profile, "cuda:0", 0, &ceilings, &error), BE_OK);
    assert_true(ceilings.write == 4.6e12);
    assert_true(ceilings.launch_s == 8e-6 && ceilings.cache_bytes == 60e6);
    be_profile_free(&profile);
}

/* ---- devices and freshness ------------------------------------------------------------------ */

static void test_same_name_told_apart(void **state) {
    (void)state;
    struct be_profile profile = two_gpus();
    struct be_device_info here = profile.machine.device[1];
    be_copy_text(here.id, sizeof here.id, "cuda:0"); /* as CUDA_VISIBLE_DEVICES=1 shows it */
    assert_string_equal(be_profile_device(&profile, &here), "cuda:1");
    here.address[0] = '\0';
    assert_null(be_profile_device(&profile, &here)); /* either of two */
    profile.machine.devices = 1;
    assert_string_equal(be_profile_device(&profile, &here), "cuda:0");
    be_copy_text(here.name, sizeof here.name, "NVIDIA H100");
    assert_null(be_profile_device(&profile, &here));
}

static void test_days(void **state) {
    (void)state;
    assert_true(be_days_between("2026-11-21T03:00:00Z", "2026-12-22T15:00:00Z") == 31.5);
    assert_true(be_days_between("2026-03-01T00:00:00Z", "2026-02-28T00:00:00Z") == -1);
    assert_true(isnan(be_days_between("2026-11-21", "2026-12-22T15:00:00Z")));
    assert_true(isnan(be_days_between("2026-13-21T03:00:00Z", "2026-12-22T15:00:00Z")));
    assert_true(isnan(be_days_between("", "")));
}

static void expect_stale(const struct be_profile *profile, const struct be_machine *machine,
                         const char *now, const char *fragment) {
    char why[BE_NOTE];
    assert_false(be_profile_is_fresh(profile, machine, now, why));
    if (!strstr(why, fragment)) {
        fail_msg("\"%s\" does not say \"%s\"", why, fragment);
    }
}

static void test_freshness(void **state) {
    (void)state;
    const struct be_profile good = two_gpus();
    const struct be_machine here = good.machine;
    const char *now = "2026-12-20T03:00:00Z";
    char why[BE_NOTE];
    assert_true(be_profile_is_fresh(&good, &here, now, why));
    assert_int_equal(why[0], '\0');
    expect_stale(&good, &here, "2026-12-22T03:00:01Z", "days ago");
    struct be_profile other = good;
    other.partial = true;
    expect_stale(&other, &here, now, "not whole");
    other = good;
    other.source = BE_SOURCE_DATA_SHEET;
    expect_stale(&other, &here, now, "data sheet");
    other = good;
    be_copy_text(other.machine.host, BE_NAME, "node2");
    expect_stale(&other, &here, now, "node2");
    other = good;
    be_copy_text(other.machine.cpu, BE_NAME, "another");
    expect_stale(&other, &here, now, "another CPU");
    other = good;
    be_copy_text(other.machine.device[1].driver, BE_NAME, "driver 590");
    expect_stale(&other, &here, now, "cuda:1");
    other = good;
    be_copy_text(other.machine.device[0].address, BE_NAME, "0000:81:00.0");
    expect_stale(&other, &here, now, "cuda:0");
    other = good;
    be_copy_text(other.environment.date, BE_NAME, "yesterday");
    expect_stale(&other, &here, now, "yesterday");
}

/* However they were come by: by device, kind, type, threads, bytes and the other end. */
static void test_figures_have_an_order(void **state) {
    (void)state;
    static const struct be_figure known[] = {
        {.device = "cpu", .what = "fma", .dtype = "float32", .threads = 1, .bytes = NAN},
        {.device = "cpu", .what = "fma", .dtype = "float32", .threads = 4, .bytes = NAN},
        {.device = "cpu", .what = "fma", .dtype = "float64", .threads = 1, .bytes = NAN},
        {.device = "cpu", .what = "triad", .threads = 1, .bytes = NAN},
        {.device = "cpu", .what = "triad", .threads = 1, .bytes = 10},
        {.device = "cpu", .what = "triad", .threads = 1, .bytes = 9000},
        {.device = "cpu", .what = "of another version", .bytes = NAN},
        {.device = "a gpu", .what = "fma", .dtype = "float32", .bytes = NAN},
        {.device = "a gpu", .what = "peer_copy", .bytes = 10, .peer = "cuda:1"},
        {.device = "a gpu", .what = "peer_copy", .bytes = 10, .peer = "cuda:2"},
        {.device = "not listed", .what = "fma", .bytes = NAN},
    };
    enum { MANY = BE_COUNT(known) };
    struct be_profile profile = {
        .machine = {.devices = 2, .device = {{.id = "cpu"}, {.id = "a gpu"}}}};
    for (int step = 1; step < MANY; step++) { /* 11 is prime: each step visits all */
        struct be_figure figure[MANY];
        for (int i = 0; i < MANY; i++) {
            figure[i] = known[i * step % MANY];
        }
        profile.figure = figure;
        profile.figures = MANY;
        be_profile_sort(&profile);
        assert_memory_equal(figure, known, sizeof known);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures_have_an_order),
        cmocka_unit_test(test_fit_exact),
        cmocka_unit_test(test_fit_noise),
        cmocka_unit_test(test_fit_no_latency),
        cmocka_unit_test(test_fit_never_below_zero),
        cmocka_unit_test(test_fit_too_little),
        cmocka_unit_test(test_ceilings_of_the_cpu),
        cmocka_unit_test(test_ceilings_of_a_device),
        cmocka_unit_test(test_same_name_told_apart),
        cmocka_unit_test(test_days),
        cmocka_unit_test(test_freshness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
