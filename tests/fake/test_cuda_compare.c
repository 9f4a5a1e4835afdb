/*
 * A whole comparison on the fake GPU while one driver call after the other fails: the device's
 * cases get a status and a note, the CPU's are measured all the same, and nothing is left behind.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "harness.h"
#include "machine/ceilings.h"

enum { LAUNCH_FAILED = 719 };
static double budget_s = 0.02;

/* The workload that is compared, and how many cases it has. */
struct asked {
    const char *workload, *variant;
    int cpu, device;
};
static const struct asked own = {"multiply", NULL, 2, 6}, sparse = {"spmv", "library", 0, 6},
                          made = {"generate", "host", 2, 2};
static const struct asked *asked = &own;

/* ---- ceilings: quick, and so high that no result is impossible on memory that is the host's - */

enum be_status __real_be_ceilings_device(struct be_device *device, struct be_cancel cancel,
                                         struct be_ceilings *ceilings, struct be_error *error);
enum be_status __wrap_be_ceilings_device(struct be_device *device, struct be_cancel cancel,
                                         struct be_ceilings *ceilings, struct be_error *error);
enum be_status __wrap_be_ceilings_cpu(struct be_team *team, double cache_bytes, double limit_s,
                                      struct be_cancel cancel, struct be_ceilings *ceilings,
                                      struct be_error *error);

static void raise(struct be_ceilings *ceilings) {
    ceilings->memory[0].bytes = 1e9;
    ceilings->memory[0].rate = 1e15;
    ceilings->points = 1;
    for (int i = 0; i < BE_ARITHMETICS; i++) {
        ceilings->operations[i] = 1e18;
    }
    ceilings->bus_in = ceilings->bus_out = 1e15;
}

enum be_status __wrap_be_ceilings_device(struct be_device *device, struct be_cancel cancel,
                                         struct be_ceilings *ceilings, struct be_error *error) {
    enum be_status status = __real_be_ceilings_device(device, cancel, ceilings, error);
    raise(ceilings);
    return status;
}

enum be_status __wrap_be_ceilings_cpu(struct be_team *team, double cache_bytes, double limit_s,
                                      struct be_cancel cancel, struct be_ceilings *ceilings,
                                      struct be_error *error) {
    (void)team, (void)limit_s, (void)cancel, (void)error;
    *ceilings = (struct be_ceilings){.cache_bytes = cache_bytes, .launch_s = NAN};
    raise(ceilings);
    return BE_OK;
}

/* ---- one comparison ------------------------------------------------------------------------- */

static enum be_status compare(struct be_comparison *comparison, struct be_error *error) {
    struct be_compare_options options = {.workload = {asked->workload},
                                         .workloads = 1,
                                         .device = {"cuda"},
                                         .devices = 1,
                                         .threads = {1},
                                         .thread_counts = 1,
                                         .size = {1000, 3000},
                                         .sizes = 2,
                                         .budget_s = budget_s,
                                         .no_refine = true};
    options.cache[BE_HOT] = true;
    if (asked->variant) {
        options.variant[options.variants++] = asked->variant;
    }
    memset(error, 0, sizeof *error);
    fakes[FAKE_CUDA]->memory_bytes = (size_t)16 << 20;
    return be_compare(&options, comparison, error);
}

/* How the comparisons came out. */
struct tally {
    int clean, marked, ended; /* all measured; some cases with a status; an error for all */
    int cases[BE_RESULT_STATUSES];
};

static bool measured(const struct be_result *r) {
    return r->status == BE_RESULT_OK && r->phase[BE_TOTAL].n > 0 &&
           r->phase[BE_TOTAL].median_s > 0 && r->residual <= r->tolerance;
}

static void judge_results(const struct be_comparison *comparison, const char *failure,
                          struct tally *tally) {
    int cpu = 0;
    int device = 0;
    bool all = true;
    for (size_t i = 0; i < comparison->results; i++) {
        const struct be_result *r = &comparison->result[i];
        bool is_cpu = strcmp(r->device, "cpu") == 0;
        cpu += is_cpu;
        device += !is_cpu;
        tally->cases[r->status] += !is_cpu;
        all &= measured(r);
        bool explained =
            r->note[0] != '\0' && (r->status == BE_RESULT_FAILED || r->status == BE_RESULT_ABSENT ||
                                   r->status == BE_RESULT_SKIPPED);
        if (!measured(r) && (is_cpu || !explained)) {
            fake_complain("%s: %s of %llu: status %d, %d samples, residual %g: \"%s\"", failure,
                          r->device, (unsigned long long)r->size, (int)r->status,
                          r->phase[BE_TOTAL].n, r->residual, r->note);
        }
    }
    if (cpu != asked->cpu || device != asked->device) {
        fake_complain("%s: %d CPU cases, %d of the device", failure, cpu, device);
    }
    tally->clean += all;
    tally->marked += !all;
}

static void run(const char *failure, struct tally *tally) {
    struct be_comparison comparison;
    struct be_error error;
    enum be_status status = compare(&comparison, &error);
    if (status == BE_OK) {
        judge_results(&comparison, failure, tally);
    } else {
        tally->ended++;
        if (status != BE_ABSENT || !strstr(error.text, "device cuda: ")) {
            fake_complain("%s: %s: \"%s\"", failure, be_status_name(status), error.text);
        }
    }
    be_comparison_free(&comparison);
    if (fake_untidy()[0]) {
        fake_complain("%s: %s", failure, fake_untidy());
    }
}

/* ---- all calls ------------------------------------------------------------------------------ */

static void say(const char *what, const struct tally *tally) {
    print_message("%s: %d comparisons whole, %d with marked cases, %d ended; device cases: %d ok, "
                  "%d absent, %d skipped, %d failed\n",
                  what, tally->clean, tally->marked, tally->ended, tally->cases[BE_RESULT_OK],
                  tally->cases[BE_RESULT_ABSENT], tally->cases[BE_RESULT_SKIPPED],
                  tally->cases[BE_RESULT_FAILED]);
}

static void whole(void **state) {
    (void)state;
    struct tally tally = {0};
    fake_reset();
    run("nothing fails", &tally);
    fake_settle();
    assert_int_equal(tally.clean, 1);
}

/* The first call and one half-way; `lost`: only that one, and every call after it. */
static void fail_each(bool lost, struct tally *tally) {
    static long calls[FAKE_LIBRARIES][128];
    struct tally ignored = {0};
    fake_reset();
    run("nothing fails", &ignored);
    for (int library = 0; library < FAKE_LIBRARIES; library++) {
        for (size_t i = 0; i < fakes[library]->functions; i++) {
            calls[library][i] = fakes[library]->function[i].calls;
        }
    }
    for (int library = 0; library < FAKE_LIBRARIES; library++) {
        for (size_t i = 0; i < fakes[library]->functions; i++) {
            const char *name = fakes[library]->function[i].name;
            const long middle = (calls[library][i] + 1) / 2;
            const long chosen[] = {lost ? middle : 1, middle};
            long before = 0;
            for (size_t k = 0; k < BE_COUNT(chosen); k++) {
                char failure[128];
                if (chosen[k] <= before || chosen[k] > calls[library][i]) {
                    continue;
                }
                before = chosen[k];
                snprintf(failure, sizeof failure, "%s, call %ld%s", name, before,
                         lost ? ", GPU lost" : "");
                fake_reset();
                fakes[library]->lose = lost;
                fake_fail(name, before, before, LAUNCH_FAILED);
                run(failure, tally);
            }
        }
    }
}

static void each_call_fails(void **state) {
    (void)state;
    struct tally tally = {0};
    budget_s = 0.002;
    fail_each(false, &tally);
    say("one call", &tally);
    fake_settle();
}

static void each_call_loses_the_gpu(void **state) {
    (void)state;
    struct tally tally = {0};
    budget_s = 0.002;
    fail_each(true, &tally);
    say("GPU lost", &tally);
    fake_settle();
}

/* A case that copies is checked with its inputs on the device poisoned. When that check fails, the
 * cases after it on the same inputs must be right all the same. */
static void a_failed_check_spoils_no_other(void **state) {
    (void)state;
    enum { OF_CEILINGS = 3, OF_A_SIZE = 5 };
    struct tally tally = {0};
    budget_s = 0.002;
    for (long fill = OF_CEILINGS + 1; fill <= OF_CEILINGS + OF_A_SIZE; fill++) {
        char failure[128];
        snprintf(failure, sizeof failure, "filling, call %ld", fill);
        fake_reset();
        fake_fail("cuMemsetD8Async", fill, fill, LAUNCH_FAILED);
        run(failure, &tally);
    }
    fake_settle();
    assert_int_equal(tally.cases[BE_RESULT_FAILED], OF_A_SIZE);
}

/* A library that keeps something for each matrix that it has looked at, and where that lies. */
static void a_sparse_library(void **state) {
    (void)state;
    struct tally tally = {0};
    budget_s = 0.002;
    asked = &sparse;
    fake_reset();
    run("nothing fails", &tally);
    assert_int_equal(tally.clean, 1);
    fail_each(false, &tally);
    fail_each(true, &tally);
    say("a library", &tally);
    asked = &own;
    fake_settle();
    assert_true(tally.cases[BE_RESULT_FAILED] > 0);
}

/* Made by the CPU and copied: bit for bit, since nothing else is allowed of these numbers. */
static void made_on_the_host(void **state) {
    (void)state;
    struct tally tally = {0};
    budget_s = 0.002;
    asked = &made;
    fake_reset();
    run("nothing fails", &tally);
    assert_int_equal(tally.clean, 1);
    fail_each(false, &tally);
    say("made on the host", &tally);
    asked = &own;
    fake_settle();
    assert_true(tally.cases[BE_RESULT_FAILED] > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole),
        cmocka_unit_test(each_call_fails),
        cmocka_unit_test(each_call_loses_the_gpu),
        cmocka_unit_test(a_failed_check_spoils_no_other),
        cmocka_unit_test(a_sparse_library),
        cmocka_unit_test(made_on_the_host),
    };
    setenv("SLURM_CPUS_PER_TASK", "1", 1); /* one thread: as quick on a busy machine */
    fake_open_all();
    return cmocka_run_group_tests_name("compare on a fake GPU", tests, NULL, NULL);
}
