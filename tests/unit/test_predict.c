/*
 * Predictions: times by hand calculation from a profile with round numbers, limits, what grows, causes, changes that
 * turn a verdict, and the size from which a GPU pays.
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

static void add(struct be_profile *profile, const char *device, const char *what, const char *dtype,
                int threads, double bytes, enum be_unit unit, double value, double achievable) {
    struct be_figure f = {.threads = threads,
                          .bytes = bytes,
                          .unit = unit,
                          .value = value,
                          .median = value,
                          .lo = NAN,
                          .hi = NAN,
                          .n = 1,
                          .achievable = achievable};
    struct be_error error;
    be_copy_text(f.device, sizeof f.device, device);
    be_copy_text(f.what, sizeof f.what, what);
    be_copy_text(f.dtype, sizeof f.dtype, dtype);
    assert_int_equal(be_profile_add_figure(profile, &f, &error), BE_OK);
}

/* A CPU of 4 threads: 1e11 float32 and 5e10 float64 operations, 1e10 bytes a second, 4 GHz, and a fourth of that with
 * one thread. */
static void make_cpu(struct be_profile *p) {
    *p = (struct be_profile){.machine = {.cache_bytes = 1e6}};
    const int threads[] = {1, 4};
    for (int i = 0; i < 2; i++) {
        const int t = threads[i];
        const double share = t / 4.0;
        add(p, "cpu", "fma", "float32", t, NAN, BE_UNIT_FLOP_S, share * 1e11, NAN);
        add(p, "cpu", "fma", "float64", t, NAN, BE_UNIT_FLOP_S, share * 5e10, NAN);
        add(p, "cpu", "clock", "", t, NAN, BE_UNIT_HZ, 4e9, NAN);
        add(p, "cpu", "working_set", "", t, 1e5, BE_UNIT_BYTES_S, share * 1e11, NAN);
        add(p, "cpu", "working_set", "", t, 1e8, BE_UNIT_BYTES_S, share * 1e10, NAN);
    }
    add(p, "cpu", "fork_join", "", 4, NAN, BE_UNIT_SECONDS, 1e-6, NAN);
}

/* A GPU: 1e13 float32 operations, of which 80 % are reached; float64 at a 32nd; 1e12 bytes a second, of which 50 % are
 * reached; a bus of 1e10 bytes a second; 16 GB; 1 GHz; a launch takes 10 us. */
static void make_gpu(struct be_profile *p) {
    *p = (struct be_profile){.source = BE_SOURCE_DATA_SHEET, .machine = {.devices = 1}};
    struct be_device_info *gpu = &p->machine.device[0];
    *gpu = (struct be_device_info){.kind = BE_KIND_GPU,
                                   .units = 10,
                                   .memory_bytes = 16e9,
                                   .cache_bytes = NAN,
                                   .clock_hz = 1e9};
    be_copy_text(gpu->id, sizeof gpu->id, "cuda:0");
    be_copy_text(gpu->name, sizeof gpu->name, "a GPU");
    add(p, "cuda:0", "fma", "float32", 0, NAN, BE_UNIT_FLOP_S, 1e13, 0.8);
    add(p, "cuda:0", "fma", "float64", 0, NAN, BE_UNIT_FLOP_S, 1e13 / 32, NAN);
    add(p, "cuda:0", "read", "", 0, NAN, BE_UNIT_BYTES_S, 1e12, 0.5);
    add(p, "cuda:0", "bus_in_pinned", "", 0, NAN, BE_UNIT_BYTES_S, 1e10, NAN);
    add(p, "cuda:0", "bus_out_pinned", "", 0, NAN, BE_UNIT_BYTES_S, 1e10, NAN);
    add(p, "cuda:0", "launch_wait", "", 0, NAN, BE_UNIT_SECONDS, 1e-5, NAN);
}

static struct be_predictor *predictor(void) {
    struct be_profile cpu, gpu;
    struct be_predictor *p;
    struct be_error error;
    make_cpu(&cpu);
    make_gpu(&gpu);
    assert_int_equal(be_predictor_open(&cpu, &gpu, &p, &error), BE_OK);
    be_profile_free(&cpu);
    be_profile_free(&gpu);
    return p;
}

static struct be_prediction predict(const struct be_predict_work *work) {
    struct be_predictor *p = predictor();
    struct be_prediction prediction;
    struct be_error error;
    assert_int_equal(be_predict(p, work, &prediction, &error), BE_OK);
    be_predictor_close(p);
    return prediction;
}

static const struct be_predict_flip *flip_of(const struct be_prediction *p,
                                             enum be_predict_change change) {
    for (int i = 0; i < p->flips; i++) {
        if (p->flip[i].change == change) {
            return &p->flip[i];
        }
    }
    return NULL;
}

/* ---- times ---------------------------------------------------------------------------------- */

static void times_are_those_by_hand(void **state) {
    (void)state;
    const struct be_prediction p =
        predict(&(struct be_predict_work){.flops = 8e12, .bytes = 5e9, .once_bytes = 1e9});
    assert_near(p.gpu.term[BE_TERM_OPERATIONS].lo_s, 1);       /* 8e12 / 80 % of 1e13 */
    assert_near(p.gpu.term[BE_TERM_MEMORY].lo_s, 0.01);        /* 5e9 / 50 % of 1e12 */
    assert_near(p.gpu.term[BE_TERM_LAUNCH].typical_s, 1e-5);   /* one kernel */
    assert_near(p.gpu.term[BE_TERM_BUS].lo_s, 0.05);           /* both directions at once */
    assert_near(p.gpu.term[BE_TERM_BUS].typical_s, 0.1000124); /* and two copies begun */
    assert_near(p.gpu.limit_s, 0.8);                           /* 8e12 / 1e13 */
    assert_near(p.cpu.limit_s, 80);
    assert_int_equal(p.cpu.threads, 4);
    assert_int_equal(p.verdict, BE_WORTH_GPU);
    assert_int_equal(p.cause, BE_CAUSE_OPERATIONS);
    assert_int_equal(p.flips, 0);
}

static void calls_launches_and_items_multiply(void **state) {
    (void)state;
    const struct be_predict_work one = {.flops = 1e9, .bytes = 1e9, .each_bytes = 1e6};
    struct be_predict_work many = one;
    many.calls = 10;
    many.launches = 3;
    many.batch = 2;
    const struct be_prediction a = predict(&one), b = predict(&many);
    assert_near(b.gpu.term[BE_TERM_LAUNCH].typical_s, 30 * a.gpu.term[BE_TERM_LAUNCH].typical_s);
    assert_near(b.gpu.term[BE_TERM_OPERATIONS].typical_s,
                20 * a.gpu.term[BE_TERM_OPERATIONS].typical_s);
    assert_near(b.cpu.term[BE_TERM_MEMORY].typical_s, 20 * a.cpu.term[BE_TERM_MEMORY].typical_s);
    assert_near(b.gpu.term[BE_TERM_BUS].lo_s, 20 * a.gpu.term[BE_TERM_BUS].lo_s);
}

/* Usual code does each of the passes; the least time is that of code which keeps the bytes in a cache. */
static void passes_multiply_memory_and_launches_but_no_limit(void **state) {
    (void)state;
    const struct be_predict_work one = {.flops = 1e9, .bytes = 1e9};
    struct be_predict_work many = one;
    many.passes = 10;
    const struct be_prediction a = predict(&one), b = predict(&many);
    assert_near(b.gpu.term[BE_TERM_MEMORY].typical_s, 10 * a.gpu.term[BE_TERM_MEMORY].typical_s);
    assert_near(b.cpu.term[BE_TERM_MEMORY].hi_s, 10 * a.cpu.term[BE_TERM_MEMORY].hi_s);
    assert_near(b.gpu.term[BE_TERM_MEMORY].lo_s, a.gpu.term[BE_TERM_MEMORY].lo_s);
    assert_near(b.gpu.term[BE_TERM_LAUNCH].lo_s, a.gpu.term[BE_TERM_LAUNCH].lo_s);
    assert_near(b.gpu.term[BE_TERM_LAUNCH].hi_s, 10 * a.gpu.term[BE_TERM_LAUNCH].hi_s);
    assert_true(b.gpu.term[BE_TERM_LAUNCH].typical_s > a.gpu.term[BE_TERM_LAUNCH].typical_s);
    assert_near(b.gpu.limit_s, a.gpu.limit_s);
}

static void a_chain_takes_its_latency_however_many_lanes_there_are(void **state) {
    (void)state;
    const struct be_prediction p =
        predict(&(struct be_predict_work){.flops = 1e9, .chain_flops = 1e9});
    assert_near(p.gpu.limit_s, 4);   /* 4 cycles at 1 GHz */
    assert_near(p.cpu.limit_s, 0.5); /* 2 cycles at 4 GHz */
    assert_int_equal(p.verdict, BE_WORTH_CPU);
    assert_int_equal(p.cause, BE_CAUSE_SEQUENTIAL);
    const struct be_predict_flip *chains = flip_of(&p, BE_CHANGE_BATCH);
    assert_non_null(chains);
    /* With that many chains beside each other it is so, and with half of them it is not as sure. */
    const struct be_prediction after = predict(
        &(struct be_predict_work){.flops = 1e9, .chain_flops = 1e9, .batch = chains->amount});
    assert_near(after.ratio, chains->ratio);
    assert_int_equal(after.verdict, BE_WORTH_GPU);
    const struct be_prediction half = predict(
        &(struct be_predict_work){.flops = 1e9, .chain_flops = 1e9, .batch = chains->amount / 2});
    assert_int_not_equal(half.verdict, BE_WORTH_GPU);
}

static void nothing_is_below_the_limit(void **state) {
    (void)state;
    for (double flops = 1; flops < 1e16; flops *= 10) {
        for (double bytes = 1; bytes < 1e13; bytes *= 10) {
            for (int wide = 0; wide < 2; wide++) {
                const struct be_prediction p = predict(&(struct be_predict_work){
                    .flops = flops, .bytes = bytes, .once_bytes = bytes, .float64 = wide});
                const struct be_predict_side *side[] = {&p.cpu, &p.gpu};
                for (int i = 0; i < 2; i++) {
                    assert_true(side[i]->limit_s <= side[i]->time.lo_s);
                    assert_true(side[i]->time.lo_s <= side[i]->time.typical_s);
                    assert_true(side[i]->time.typical_s <= side[i]->time.hi_s);
                }
                assert_true(p.ratio_lo <= p.ratio && p.ratio <= p.ratio_hi);
            }
        }
    }
}

static void more_work_takes_no_less_time(void **state) {
    (void)state;
    double before_cpu = 0, before_gpu = 0;
    for (double n = 1; n < 1e6; n *= 1.3) {
        const struct be_prediction p =
            predict(&(struct be_predict_work){.flops = n * n, .bytes = 8 * n, .once_bytes = 8 * n});
        assert_true(p.gpu.time.typical_s >= before_gpu);
        assert_true(p.cpu.time.typical_s >= before_cpu);
        before_gpu = p.gpu.time.typical_s;
        before_cpu = p.cpu.time.typical_s;
    }
}

/* ---- shapes --------------------------------------------------------------------------------- */

static double product_s(double m, double n, double k, double batch) {
    return predict(&(struct be_predict_work){.m = m, .n = n, .k = k, .batch = batch})
        .gpu.term[BE_TERM_OPERATIONS]
        .typical_s;
}

/* 10 multiprocessors with 1e13 operations a second; without a power they keep 85 % of their clock. A product of 10 x 10 whole
 * tiles takes its operations at that rate, beside its bytes at 76.6 % of 1e12 a second. */
static void a_product_takes_its_tiles(void **state) {
    (void)state;
    const double n = 1280, k = 8000, bytes = 4 * (n * n + 2 * n * k);
    const double tiles_s = 2 * n * n * k / 0.85e13, bytes_s = bytes / 0.766e12;
    assert_near(product_s(n, n, k, 1), 1.02 * hypot(tiles_s, bytes_s));
    const struct be_prediction p = predict(&(struct be_predict_work){.m = n, .n = n, .k = k});
    assert_near(p.gpu.limit_s, 2 * n * n * k / 1e13);
    assert_near(p.cpu.limit_s, 2 * n * n * k / 1e11);
    /* One row more is a row of tiles more; a batch is as many tiles; the sum goes in steps of 8. */
    assert_true(product_s(n + 1, n, k, 1) > 1.09 * product_s(n, n, k, 1));
    assert_true(product_s(n + 100, n, k, 1) < 1.01 * product_s(n + 1, n, k, 1));
}

static void small_products_leave_multiprocessors_idle(void **state) {
    (void)state;
    /* One tile takes as long as ten that run beside it. */
    assert_true(product_s(32, 32, 64, 10) < 1.05 * product_s(32, 32, 64, 1));
    assert_true(product_s(32, 32, 64, 11) > 1.5 * product_s(32, 32, 64, 10));
    assert_true(product_s(32, 32, 1, 1) > 0.9 * product_s(32, 32, 8, 1));
    double before = 0;
    for (double m = 1; m < 5000; m = ceil(m * 1.2)) {
        const double s = product_s(m, 77, 100, 3);
        assert_true(s >= before);
        before = s;
    }
}

static void streams_have_the_bandwidth_of_their_memory(void **state) {
    (void)state;
    const struct be_predict_work work = {.bytes = 1e9, .stream = true};
    const struct be_prediction p = predict(&work);
    assert_near(p.gpu.term[BE_TERM_MEMORY].typical_s, 0.97 * 1e9 / 0.766e12);
    assert_true(p.gpu.time.hi_s < predict(&(struct be_predict_work){.bytes = 1e9}).gpu.time.hi_s);
}

static void a_product_needs_three_numbers(void **state) {
    (void)state;
    struct be_predictor *p = predictor();
    struct be_prediction prediction;
    struct be_error error = {0};
    const struct be_predict_work two = {.m = 10, .k = 10};
    assert_int_equal(be_predict(p, &two, &prediction, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "needs all three"));
    be_predictor_close(p);
}

/* ---- words that people use ------------------------------------------------------------------- */

static void calls_of_a_framework_take_time_on_both_sides(void **state) {
    (void)state;
    struct be_predict_work work = {.flops = 1e3, .bytes = 1e3, .calls = 100, .launches = 10};
    work.framework = BE_FRAMEWORK_TORCH; /* an operation on an array a kernel */
    struct be_prediction p = predict(&work);
    assert_near(p.cpu.term[BE_TERM_LAUNCH].typical_s, 1000 * 1.2e-6);
    assert_near(p.gpu.term[BE_TERM_LAUNCH].typical_s, 1000 * 1e-5); /* while a kernel starts */
    assert_near(p.gpu.term[BE_TERM_LAUNCH].hi_s, 1000 * 26e-6);
    assert_near(p.ratio_lo / p.ratio, p.cpu.time.lo_s / p.cpu.time.typical_s); /* slow together */
    work.framework = BE_FRAMEWORK_JAX; /* a compiled function a call */
    p = predict(&work);
    assert_near(p.cpu.term[BE_TERM_LAUNCH].typical_s, 100 * 5.8e-6);
    assert_near(p.gpu.term[BE_TERM_LAUNCH].typical_s, 1000 * 1e-5 + 100 * 5.8e-6);
    work = (struct be_predict_work){.flops = 1e12, .bytes = 1e9};
    assert_int_equal(predict(&work).cpu.threads, 4);
    work.framework = BE_FRAMEWORK_NUMPY;
    assert_int_equal(predict(&work).cpu.threads, 1);
}

/* ---- causes, and what would change them ----------------------------------------------------- */

static void causes_are_named(void **state) {
    (void)state;
    const struct {
        enum be_predict_cause cause;
        struct be_predict_work work;
    } cases[] = {
        {BE_CAUSE_LAUNCH, {.flops = 1e3, .bytes = 1e3}},
        {BE_CAUSE_LOOPED_BATCH, {.flops = 1e3, .bytes = 1e3, .calls = 1e4}},
        {BE_CAUSE_BATCH_OF_ONE, {.flops = 1e3, .bytes = 1e6, .memory_bytes = 1e6, .calls = 100}},
        {BE_CAUSE_SEQUENTIAL, {.flops = 1e6, .chain_flops = 1e6, .launches = 1e5}},
        {BE_CAUSE_COPY, {.flops = 1e6, .bytes = 1e8, .once_bytes = 1e8}},
        {BE_CAUSE_FIRST_CALL, {.flops = 1e9, .bytes = 1e6, .first_call = true}},
        {BE_CAUSE_FLOAT64, {.flops = 1e12, .bytes = 1e6, .float64 = true}},
        {BE_CAUSE_BANDWIDTH, {.flops = 1e9, .bytes = 1e10}},
        {BE_CAUSE_DOES_NOT_FIT, {.flops = 1e9, .bytes = 2e10, .memory_bytes = 2e10}},
        {BE_CAUSE_OPERATIONS, {.flops = 1e13, .bytes = 1e6}},
    };
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        assert_int_equal(predict(&cases[i].work).cause, cases[i].cause);
    }
}

static void a_memory_that_does_not_suffice_costs_copies(void **state) {
    (void)state;
    const struct be_prediction fits =
        predict(&(struct be_predict_work){.bytes = 15e9, .memory_bytes = 15e9, .calls = 10});
    const struct be_prediction not =
        predict(&(struct be_predict_work){.bytes = 17e9, .memory_bytes = 17e9, .calls = 10});
    assert_false(fits.gpu.overflows);
    assert_true(not .gpu.overflows);
    assert_near(not .gpu.term[BE_TERM_BUS].lo_s, 10 * 1e9 / 2e10);
}

static void changes_turn_the_verdict(void **state) {
    (void)state;
    const struct be_predict_work copied = {
        .flops = 1e6, .bytes = 1e9, .each_bytes = 1e9, .calls = 1000};
    const struct be_prediction p = predict(&copied);
    const struct be_predict_flip *stay = flip_of(&p, BE_CHANGE_STAY);
    assert_true(p.ratio < 1 || p.verdict == BE_WORTH_CLOSE);
    assert_int_equal(p.cause, BE_CAUSE_COPY);
    assert_non_null(stay);
    struct be_predict_work after = copied;
    after.once_bytes = after.each_bytes;
    after.each_bytes = 0;
    assert_near(predict(&after).ratio, stay->ratio);
    assert_true(stay->sure);

    const struct be_prediction small =
        predict(&(struct be_predict_work){.flops = 1e5, .bytes = 1e5, .calls = 1e4});
    const struct be_predict_flip *batch = flip_of(&small, BE_CHANGE_BATCH);
    assert_non_null(batch);
    assert_true(batch->amount > 1 && batch->amount <= 1e4);
    /* Calls that read the same matrix read it once when they are one. */
    const struct be_prediction again = predict(&(struct be_predict_work){
        .flops = 2e6, .bytes = 4e6, .memory_bytes = 4e6, .once_bytes = 4e6, .calls = 64});
    const struct be_predict_flip *some = flip_of(&again, BE_CHANGE_BATCH);
    assert_int_equal(again.cause, BE_CAUSE_BATCH_OF_ONE);
    assert_non_null(some);
    assert_true(some->amount > 1 && some->amount <= 64);
    const struct be_prediction read_once =
        predict(&(struct be_predict_work){.flops = 2e6,
                                          .bytes = 4e6 / some->amount,
                                          .memory_bytes = 4e6,
                                          .once_bytes = 4e6,
                                          .batch = some->amount,
                                          .calls = 64 / some->amount});
    assert_near(some->ratio, read_once.ratio);
    /* One call leaves nothing to put together. */
    const struct be_prediction one = predict(&(struct be_predict_work){.flops = 1e5, .bytes = 1e5});
    assert_null(flip_of(&one, BE_CHANGE_BATCH));
    assert_null(flip_of(&one, BE_CHANGE_STAY));
    assert_null(flip_of(&one, BE_CHANGE_FLOAT32));
}

static void a_rate_that_is_not_known_makes_the_verdict_so(void **state) {
    (void)state;
    struct be_profile cpu, gpu;
    struct be_predictor *p;
    struct be_prediction prediction;
    struct be_error error;
    make_cpu(&cpu);
    make_gpu(&gpu);
    for (size_t i = 0; i < gpu.figures; i++) {
        if (strcmp(gpu.figure[i].dtype, "float64") == 0) {
            be_copy_text(gpu.figure[i].dtype, sizeof gpu.figure[i].dtype, "other");
        }
    }
    assert_int_equal(be_predictor_open(&cpu, &gpu, &p, &error), BE_OK);
    assert_int_equal(be_predict(p, &(struct be_predict_work){.flops = 1e9, .float64 = true},
                                &prediction, &error),
                     BE_OK);
    assert_int_equal(prediction.verdict, BE_WORTH_UNKNOWN);
    assert_true(isnan(prediction.ratio));
    assert_true(isnan(prediction.gpu.limit_s));
    assert_int_equal(prediction.flips, 0);
    assert_int_equal(be_predict(p, &(struct be_predict_work){.flops = 1e9}, &prediction, &error),
                     BE_OK);
    assert_int_not_equal(prediction.verdict, BE_WORTH_UNKNOWN);
    be_predictor_close(p);
    assert_int_equal(be_predictor_open(&cpu, &cpu, &p, &error), BE_ABSENT);
    assert_int_equal(be_predictor_open(&gpu, &gpu, &p, &error), BE_ABSENT);
    assert_null(p);
    be_profile_free(&cpu);
    be_profile_free(&gpu);
}

static void numbers_that_cannot_be_are_refused(void **state) {
    (void)state;
    struct be_predictor *p = predictor();
    struct be_prediction prediction;
    struct be_error error;
    const struct be_predict_work wrong[] = {
        {0},
        {.flops = -1},
        {.flops = INFINITY},
        {.flops = NAN},
        {.flops = 1e300, .calls = 1e300},
        {.flops = 1, .chain_flops = 2},
    };
    for (size_t i = 0; i < BE_COUNT(wrong); i++) {
        assert_int_equal(be_predict(p, &wrong[i], &prediction, &error), BE_USAGE);
    }
    be_predictor_close(p);
}

/* ---- from which size ------------------------------------------------------------------------ */

static void product(void *context, double n, struct be_predict_work *work) {
    const double *calls = context;
    *work = (struct be_predict_work){
        .flops = 2 * n * n * n, .bytes = 12 * n * n, .once_bytes = 12 * n * n, .calls = *calls};
}

static void the_size_from_which_it_pays_is_where_the_ratio_passes_one(void **state) {
    (void)state;
    struct be_predictor *p = predictor();
    struct be_worth worth, at;
    struct be_error error;
    double calls = 100;
    assert_int_equal(be_worth(p, product, &calls, 1e4, 1e4, &worth, &error), BE_OK);
    assert_int_equal(worth.verdict, BE_WORTH_GPU);
    assert_true(1 < worth.likely_from && worth.likely_from < worth.sure_from);
    for (double beside = 0.97; beside < 1.1; beside += 0.06) {
        assert_int_equal(be_worth(p, product, &calls, worth.sure_from * beside, 1e4, &at, &error),
                         BE_OK);
        assert_int_equal(at.margin_lo > 1, beside > 1);
        assert_int_equal(be_worth(p, product, &calls, worth.likely_from * beside, 1e4, &at, &error),
                         BE_OK);
        assert_int_equal(at.margin > 1, beside > 1);
    }
    assert_int_equal(be_worth(p, product, &calls, 0, 1e4, &at, &error), BE_USAGE);
    assert_int_equal(be_worth(p, product, &calls, 10, 1, &at, &error), BE_USAGE);
    be_predictor_close(p);
}

static void sum_that_travels(void *context, double n, struct be_predict_work *work) {
    (void)context;
    *work = (struct be_predict_work){.flops = n, .bytes = 4 * n, .each_bytes = 4 * n};
}

static void where_it_never_pays_there_is_no_size(void **state) {
    (void)state;
    struct be_predictor *p = predictor();
    struct be_worth worth;
    struct be_error error;
    assert_int_equal(be_worth(p, sum_that_travels, NULL, 1e5, 1e5, &worth, &error), BE_OK);
    assert_int_equal(worth.verdict, BE_WORTH_CPU);
    assert_int_equal(worth.reason, BE_CAUSE_COPY);
    assert_true(isnan(worth.likely_from) && isnan(worth.sure_from));
    be_predictor_close(p);
}

static void the_stop_loss_limit_is_where_both_times_are_equal(void **state) {
    (void)state;
    struct be_error error;
    double operations;
    struct be_predict_rates r = {1e9, 1e12, 15e9, 4};
    assert_int_equal(be_stop_loss(&r, &operations, &error), BE_OK);
    assert_near(operations / r.cpu_flop_s,
                r.value_bytes / r.bus_bytes_s + operations / r.gpu_flop_s);
    assert_near(operations, 4 / (15 * 0.999));
    r.gpu_flop_s = 1e9;
    assert_int_equal(be_stop_loss(&r, &operations, &error), BE_OK);
    assert_true(isinf(operations));
    r.bus_bytes_s = 0;
    assert_int_equal(be_stop_loss(&r, &operations, &error), BE_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_those_by_hand),
        cmocka_unit_test(calls_launches_and_items_multiply),
        cmocka_unit_test(passes_multiply_memory_and_launches_but_no_limit),
        cmocka_unit_test(a_chain_takes_its_latency_however_many_lanes_there_are),
        cmocka_unit_test(nothing_is_below_the_limit),
        cmocka_unit_test(more_work_takes_no_less_time),
        cmocka_unit_test(a_product_takes_its_tiles),
        cmocka_unit_test(small_products_leave_multiprocessors_idle),
        cmocka_unit_test(streams_have_the_bandwidth_of_their_memory),
        cmocka_unit_test(a_product_needs_three_numbers),
        cmocka_unit_test(calls_of_a_framework_take_time_on_both_sides),
        cmocka_unit_test(causes_are_named),
        cmocka_unit_test(a_memory_that_does_not_suffice_costs_copies),
        cmocka_unit_test(changes_turn_the_verdict),
        cmocka_unit_test(a_rate_that_is_not_known_makes_the_verdict_so),
        cmocka_unit_test(numbers_that_cannot_be_are_refused),
        cmocka_unit_test(the_size_from_which_it_pays_is_where_the_ratio_passes_one),
        cmocka_unit_test(where_it_never_pays_there_is_no_size),
        cmocka_unit_test(the_stop_loss_limit_is_where_both_times_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
