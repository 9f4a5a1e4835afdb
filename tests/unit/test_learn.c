/*
 * A profile that learns from a run: numbers that times were made from come back, each workload is foretold from the others,
 * predictions take what was learned, and what cannot be learned from is named.
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
#include "breakeven_predict.h"
#include "machine/profile.h"

enum { WORKLOADS = 5, SIZES = 6, ROWS = WORKLOADS * SIZES };

static void add(struct be_profile *profile, const char *device, const char *what, const char *dtype,
                double bytes, double value) {
    struct be_figure f = {.threads = strcmp(device, "cpu") == 0,
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

/* A GPU of 1e13 operations and 1e12 bytes a second, 3.6e12 within its 1e7 bytes of cache; a CPU of one core. */
static void make_profile(struct be_profile *p) {
    *p = (struct be_profile){.machine = {.cache_bytes = 1e6, .devices = 1, .cores_allowed = 1}};
    struct be_device_info *gpu = &p->machine.device[0];
    *gpu = (struct be_device_info){.kind = BE_KIND_GPU,
                                   .units = 100,
                                   .memory_bytes = 16e9,
                                   .cache_bytes = 1e7,
                                   .clock_hz = 1e9};
    be_copy_text(p->machine.cpu, sizeof p->machine.cpu, "a CPU");
    be_copy_text(gpu->id, sizeof gpu->id, "cuda:0");
    be_copy_text(gpu->name, sizeof gpu->name, "a GPU");
    add(p, "cuda:0", "fma", "float32", NAN, 1e13);
    add(p, "cuda:0", "fma", "float64", NAN, 5e12);
    add(p, "cuda:0", "read", "", NAN, 1e12);
    add(p, "cuda:0", "bus_in_pinned", "", NAN, 1e10);
    add(p, "cuda:0", "bus_out_pinned", "", NAN, 1e10);
    add(p, "cuda:0", "launch_wait", "", NAN, 1e-5);
    add(p, "cpu", "fma", "float32", NAN, 1e11);
    add(p, "cpu", "fma", "float64", NAN, 5e10);
    add(p, "cpu", "clock", "", NAN, 4e9);
    add(p, "cpu", "working_set", "", 1e5, 1e11);
    add(p, "cpu", "working_set", "", 2e6, 1e10);
}

/* Times of code that launches in 20 us, and reaches half of the operations, 80 % of memory and 25 % of the cache. */
static double made_s(const struct be_result *r) {
    const double rate = r->bytes <= 1e7 ? 0.25 * 3.6e12 : 0.8e12;
    return 2e-5 + fmax(r->operations / 0.5e13, r->bytes / rate);
}

static void make_rows(struct be_result row[ROWS]) {
    for (int i = 0; i < ROWS; i++) {
        struct be_result *r = &row[i];
        *r = (struct be_result){.placement = BE_RESIDENT, .cache = BE_HOT};
        snprintf(r->workload, sizeof r->workload, "w%d", i / SIZES);
        be_copy_text(r->dtype, sizeof r->dtype, "float32");
        be_copy_text(r->device, sizeof r->device, "cuda:0");
        r->size = (uint64_t)pow(10, i % SIZES + 4);
        r->bytes = 8.0 * (double)r->size;
        r->operations = (i / SIZES % 2 ? 300.0 : 1.0) * (double)r->size;
        r->phase[BE_TOTAL].median_s = made_s(r);
    }
}

static void numbers_come_back(void **state) {
    (void)state;
    struct be_profile profile;
    struct be_result row[ROWS];
    struct be_learned learned;
    struct be_error error = {0};
    make_profile(&profile);
    make_rows(row);
    const struct be_machine machine = profile.machine;
    assert_int_equal(be_profile_learn(&profile, &machine, row, ROWS, &learned, &error), BE_OK);
    assert_true(learned.gpu.learned);
    assert_false(learned.cpu.learned);
    assert_int_equal(learned.gpu.times, ROWS);
    assert_int_equal(learned.gpu.workloads, WORKLOADS);
    assert_true(fabs(learned.gpu.launch_s / 2e-5 - 1) < 0.05);
    assert_true(fabs(learned.gpu.operations / 0.5 - 1) < 0.05);
    assert_true(fabs(learned.gpu.memory / 0.8 - 1) < 0.05);
    assert_true(fabs(learned.gpu.cache / 0.25 - 1) < 0.05);
    assert_true(learned.gpu.off_before > 0.2);
    assert_true(learned.gpu.off_after < 0.05 && learned.gpu.off_left_out < 0.05);
    assert_true(learned.gpu.lo <= 1 && learned.gpu.lo > 0.9);
    assert_true(learned.gpu.hi >= 1 && learned.gpu.hi < 1.1);

    /* Predictions take it, and not twice. */
    struct be_predictor *p;
    struct be_prediction prediction;
    const struct be_predict_work work = {.flops = 1e12, .bytes = 1e9};
    assert_int_equal(be_predictor_open(&profile, &profile, &p, &error), BE_OK);
    assert_int_equal(be_predict(p, &work, &prediction, &error), BE_OK);
    assert_near(prediction.gpu.time.typical_s,
                learned.gpu.launch_s + 1e12 / (1e13 * learned.gpu.operations));
    assert_near(prediction.gpu.limit_s, 0.1);
    be_predictor_close(p);
    assert_int_equal(be_profile_learn(&profile, &machine, row, ROWS, &learned, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "has learned from a run before"));
    be_profile_free(&profile);
}

/* Code of one workload that takes 10 times as long is in the interval, and does not move the others. */
static void one_slow_workload_widens_the_interval(void **state) {
    (void)state;
    struct be_profile profile;
    struct be_result row[ROWS];
    struct be_learned learned;
    struct be_error error = {0};
    make_profile(&profile);
    make_rows(row);
    for (int i = 0; i < SIZES; i++) {
        row[i].phase[BE_TOTAL].median_s *= 10;
    }
    const struct be_machine machine = profile.machine;
    assert_int_equal(be_profile_learn(&profile, &machine, row, ROWS, &learned, &error), BE_OK);
    assert_true(fabs(learned.gpu.operations / 0.5 - 1) < 0.05);
    assert_true(learned.gpu.hi > 5);
    be_profile_free(&profile);
}

/* Cold caches, copies, wrong results, slower code of the same case and other devices do not count. */
static void what_does_not_count(void **state) {
    (void)state;
    struct be_profile profile;
    struct be_result row[2 * ROWS];
    struct be_learned learned;
    struct be_error error = {0};
    make_profile(&profile);
    make_rows(row);
    make_rows(row + ROWS);
    for (int i = ROWS; i < 2 * ROWS; i++) {
        row[i].phase[BE_TOTAL].median_s *= 3;
        row[i].cache = i % 5 == 0 ? BE_COLD : BE_HOT;
        row[i].placement = i % 5 == 1 ? BE_COPY : BE_RESIDENT;
        row[i].status = i % 5 == 2 ? BE_RESULT_WRONG : BE_RESULT_OK;
        row[i].phase[BE_TOTAL].median_s /= i % 5 == 2 ? 100 : 1;
        be_copy_text(row[i].device, sizeof row[i].device, i % 5 == 3 ? "cuda:1" : "cuda:0");
    }
    const struct be_machine machine = profile.machine;
    assert_int_equal(be_profile_learn(&profile, &machine, row, 2 * ROWS, &learned, &error), BE_OK);
    assert_int_equal(learned.gpu.times, ROWS);
    assert_true(fabs(learned.gpu.operations / 0.5 - 1) < 0.05);
    be_profile_free(&profile);
}

static void the_cpu_learns_as_well(void **state) {
    (void)state;
    struct be_profile profile;
    struct be_result row[ROWS];
    struct be_learned learned;
    struct be_error error = {0};
    make_profile(&profile);
    make_rows(row);
    for (int i = 0; i < ROWS; i++) {
        be_copy_text(row[i].device, sizeof row[i].device, "cpu");
        row[i].placement = BE_HOST;
        row[i].threads = 1;
        row[i].phase[BE_TOTAL].median_s = fmax(
            row[i].operations / 0.2e11, row[i].bytes / (row[i].bytes <= 1e6 ? 0.3e11 : 0.5e10));
    }
    const struct be_machine machine = profile.machine;
    assert_int_equal(be_profile_learn(&profile, &machine, row, ROWS, &learned, &error), BE_OK);
    assert_true(learned.cpu.learned && !learned.gpu.learned);
    assert_true(fabs(learned.cpu.operations / 0.2 - 1) < 0.05);
    assert_true(fabs(learned.cpu.memory / 0.5 - 1) < 0.05);
    assert_true(learned.cpu.off_after < 0.05);
    be_profile_free(&profile);
}

static void another_machine_teaches_nothing(void **state) {
    (void)state;
    struct be_profile profile;
    struct be_result row[ROWS];
    struct be_learned learned;
    struct be_error error = {0};
    make_profile(&profile);
    make_rows(row);
    struct be_machine machine = profile.machine;
    assert_int_equal(be_profile_learn(&profile, &machine, row, 2 * SIZES, &learned, &error),
                     BE_USAGE);
    assert_non_null(strstr(error.text, "at least 3 workloads"));
    be_copy_text(machine.device[0].name, sizeof machine.device[0].name, "another GPU");
    assert_int_equal(be_profile_learn(&profile, &machine, row, ROWS, &learned, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "the machine that was measured"));
    assert_int_equal(be_profile_learn(&profile, &machine, row, 0, &learned, &error), BE_USAGE);
    be_profile_free(&profile);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_back),
        cmocka_unit_test(one_slow_workload_widens_the_interval),
        cmocka_unit_test(what_does_not_count),
        cmocka_unit_test(the_cpu_learns_as_well),
        cmocka_unit_test(another_machine_teaches_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
