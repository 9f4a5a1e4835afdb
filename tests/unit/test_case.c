/*
 * The result of a case on the CPU and on the pretend device: what is right passes in every placement, and
 * what is wrong is caught.
 */
#include "pretend_ceilings.h"

#include "case_bench.h"

#include "builtin/builtin.h"
#include "host/team.h"

/* ---- workloads that are not as they should be ----------------------------------------------- */

static void host_forgets(const struct be_work *work) {
    struct be_work less = *work;
    less.items--;
    be_workload_power.variant[0].host(&less);
}

static void host_is_off(const struct be_work *work) {
    size_t first;
    size_t count;
    be_workload_power.variant[0].host(work);
    be_work_share(work, BE_ELEMENTWISE_GRAIN, &first, &count);
    if (count > 0) {
        ((float *)work->array[2])[first + count / 2] += 0.5f;
    }
}

static void host_does_nothing(const struct be_work *work) {
    (void)work;
}

/* Right until it was checked, as what takes for done what is there. */
static const struct be_result *checked;

static void host_once(const struct be_work *work) {
    if (isnan(checked->residual)) {
        be_workload_power.variant[0].host(work);
    }
}

/* Within what is allowed, and nearer the next time. */
static void host_worse_at_first(const struct be_work *work) {
    const bool first = isnan(checked->residual);
    be_workload_power.variant[0].host(work);
    float *z = be_work_array(work, work->problem->workload->inputs);
    if (first && work->member == 0) { /* of a thousand numbers one: a sixth of what is allowed */
        z[0] *= (float)(1 + 5 * checked->tolerance);
    }
}

static enum be_status enqueue_once(const struct be_launch *launch, struct be_error *e) {
    return isnan(checked->residual) ? be_elementwise_enqueue(launch, e) : BE_OK;
}

static enum be_status enqueue_does_nothing(const struct be_launch *launch, struct be_error *e) {
    (void)launch, (void)e;
    return BE_OK;
}

static enum be_status enqueue_forgets(const struct be_launch *launch, struct be_error *e) {
    struct be_launch less = *launch;
    less.items--;
    return be_elementwise_enqueue(&less, e);
}

/* Always works on the first instance. */
static enum be_status enqueue_stays(const struct be_launch *launch, struct be_error *e) {
    struct be_launch first = *launch;
    first.first = 0;
    return be_elementwise_enqueue(&first, e);
}

/* z *= y, where z begins as x. */
static void host_multiplies_here(const struct be_work *work) {
    size_t first;
    size_t count;
    be_work_share(work, BE_ELEMENTWISE_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        ((float *)work->array[2])[i] *= ((const float *)work->array[1])[i];
    }
}

static enum be_status enqueue_here(const struct be_launch *launch, struct be_error *e) {
    struct be_launch here = *launch;
    const struct be_buffer buffer[] = {launch->buffer[2], launch->buffer[1], launch->buffer[2]};
    here.buffer = buffer;
    return be_elementwise_enqueue(&here, e);
}

static void shape_tolerant(const struct be_problem *problem, struct be_shape *shape) {
    be_workload_power.shape(problem, shape);
    shape->tolerance = 1e30;
}

/* ---- cases ---------------------------------------------------------------------------------- */

static enum be_placement placement_at(const struct be_place *place, int i) {
    return place->device ? (enum be_placement)(BE_COPY + i) : BE_HOST;
}

static void check_right(struct be_place *place, const struct be_workload *w, uint64_t size) {
    struct bench b;
    open_bench(&b, place, w, size, 3);
    if (place->device) {
        upload(&b);
    }
    for (int i = 0; i < (place->device ? 3 : 1); i++) {
        for (int cache = BE_HOT; cache < BE_CACHES; cache++) {
            start_case(&b, placement_at(place, i), (enum be_cache)cache);
            be_case_check(&b.c, &host_clock);
            const struct be_result *r = &b.c.result;
            if (r->status != BE_RESULT_OK) {
                fail_msg("%s of %d on %s, placement %d, cache %d: %s", w->name, (int)size,
                         place->info.id, (int)r->placement, cache, r->note);
            }
            assert_true(r->residual >= 0 && r->residual <= r->tolerance);
            assert_string_equal(r->note, "");
            assert_int_equal(r->phase[BE_FIRST].n, 1);
            assert_int_equal(r->phase[BE_FIRST].stop, BE_STOP_ONCE);
            assert_int_equal(r->phase[BE_TOTAL].n, 0);
            assert_int_equal(r->size, size);
            assert_int_equal(r->threads, place->threads);
            assert_true(r->limit_s > 0);
        }
    }
    close_bench(&b);
}

static void test_right_everywhere(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1, 7, 1000, 54773};
    /* Others: contract/test_workloads.c. */
    static const struct be_workload *const workloads[] = {&be_workload_power,
                                                          &be_workload_multiply};
    for (size_t i = 0; i < BE_COUNT(sizes); i++) {
        for (size_t w = 0; w < BE_COUNT(workloads); w++) {
            check_right(&cpu, workloads[w], sizes[i]);
            check_right(&null, workloads[w], sizes[i]);
        }
    }
}

/* copy brings its inputs, preload and resident do not. */
static void test_inputs_come_with_copy(void **state) {
    (void)state;
    struct bench b;
    open_bench(&b, &null, &be_workload_power, 1000, 1);
    for (int placement = BE_PRELOAD; placement < BE_PLACEMENTS; placement++) {
        start_case(&b, (enum be_placement)placement, BE_HOT);
        be_case_check(&b.c, &host_clock);
        assert_int_equal(b.c.result.status, BE_RESULT_WRONG);
    }
    start_case(&b, BE_COPY, BE_HOT);
    be_case_check(&b.c, &host_clock);
    assert_int_equal(b.c.result.status, BE_RESULT_OK);
    close_bench(&b);
}

static void check_wrong(struct be_place *place, const struct be_workload *w, enum be_cache cache,
                        bool is_nan) {
    struct bench b;
    open_bench(&b, place, w, 1000, 3);
    if (place->device) {
        upload(&b);
    }
    for (int i = 0; i < (place->device ? 3 : 1); i++) {
        start_case(&b, placement_at(place, i), cache);
        run_case(&b);
        const struct be_result *r = &b.c.result;
        assert_int_equal(r->status, BE_RESULT_WRONG);
        assert_non_null(strstr(r->note, "differs from the reference"));
        assert_true(!isnan(r->residual) != is_nan);
        assert_int_equal(r->phase[BE_TOTAL].n, 0); /* a wrong result has no time */
        assert_true(isnan(r->phase[BE_TOTAL].median_s));
        assert_int_equal(r->phase[BE_WORK].n, 0);
    }
    close_bench(&b);
}

static void test_wrong_is_caught(void **state) {
    (void)state;
    struct odd odd;
    set_odd(&odd, &be_workload_power);
    odd.variant.host = host_forgets;
    check_wrong(&cpu, &odd.workload, BE_HOT, true);
    check_wrong(&cpu, &odd.workload, BE_COLD, true);
    odd.variant.host = host_is_off;
    check_wrong(&cpu, &odd.workload, BE_HOT, false);
    set_odd(&odd, &be_workload_power);
    odd.variant.enqueue = enqueue_forgets;
    check_wrong(&null, &odd.workload, BE_HOT, true);
    check_wrong(&null, &odd.workload, BE_COLD, true);
    odd.variant.enqueue = enqueue_stays; /* hot it is right */
    check_wrong(&null, &odd.workload, BE_COLD, true);
    odd.workload.shape = shape_tolerant; /* NaN passes no tolerance */
    check_wrong(&null, &odd.workload, BE_COLD, true);
}

/* Right when it was checked, and in the calls that were timed no more: it has no time. */
static void test_wrong_when_timed(void **state) {
    (void)state;
    struct odd odd;
    struct bench b;
    set_odd(&odd, &be_workload_power);
    odd.variant.host = host_once;
    odd.variant.enqueue = enqueue_once;
    for (int device = 0; device <= 1; device++) {
        struct be_place *place = device ? &null : &cpu;
        open_bench(&b, place, &odd.workload, 1000, 1);
        checked = &b.c.result;
        if (device) {
            upload(&b);
        }
        for (int i = 0; i < (device ? 3 : 1); i++) {
            start_case(&b, placement_at(place, i), BE_HOT);
            run_case(&b);
            const struct be_result *r = &b.c.result;
            assert_int_equal(r->status, BE_RESULT_WRONG);
            assert_non_null(strstr(r->note, "after it was timed, not before"));
            for (int phase = 0; phase < BE_PHASES; phase++) {
                assert_int_equal(r->phase[phase].n, 0);
            }
        }
        close_bench(&b);
    }
}

/* It is looked at twice, and the worse of the two is said. */
static void test_the_worse_residual_counts(void **state) {
    (void)state;
    struct odd odd;
    struct bench b;
    set_odd(&odd, &be_workload_power);
    odd.variant.host = host_worse_at_first;
    open_bench(&b, &cpu, &odd.workload, 1000, 1);
    checked = &b.c.result;
    start_case(&b, BE_HOST, BE_HOT);
    be_case_check(&b.c, &host_clock);
    const double first = b.c.result.residual;
    assert_int_equal(b.c.result.status, BE_RESULT_OK);
    be_case_check_again(&b.c, &host_clock);
    assert_int_equal(b.c.result.status, BE_RESULT_OK);
    assert_true(be_data_residual(&b.data, 0) < first);
    assert_true(b.c.result.residual == first);
    close_bench(&b);
}

/* The results that an earlier case left there, on either side, are not taken for this one's. */
static void test_stale_results(void **state) {
    (void)state;
    struct be_place *places[] = {&cpu, &null};
    for (size_t i = 0; i < BE_COUNT(places); i++) {
        struct odd odd;
        struct bench b;
        set_odd(&odd, &be_workload_power);
        open_bench(&b, places[i], &odd.workload, 1000, 1);
        if (places[i]->device) {
            upload(&b);
        }
        for (int k = 0; k < (places[i]->device ? 3 : 1); k++) {
            odd.variant.host = be_workload_power.variant[0].host;
            odd.variant.enqueue = be_workload_power.variant[0].enqueue;
            start_case(&b, placement_at(places[i], k), BE_HOT);
            be_case_check(&b.c, &host_clock);
            assert_int_equal(b.c.result.status, BE_RESULT_OK);
            odd.variant.host = host_does_nothing;
            odd.variant.enqueue = enqueue_does_nothing;
            start_case(&b, placement_at(places[i], k), BE_HOT);
            be_case_check(&b.c, &host_clock);
            assert_int_equal(b.c.result.status, BE_RESULT_WRONG);
        }
        close_bench(&b);
    }
}

/* An update in place finds its inputs where its outputs will be, in every placement, and only there; one
 * that does nothing leaves them, which is not the result; and the inputs stay for who comes after. */
static void test_in_place(void **state) {
    (void)state;
    struct be_place *places[] = {&cpu, &null};
    for (size_t i = 0; i < BE_COUNT(places); i++) {
        struct odd odd;
        struct bench b;
        set_odd(&odd, &be_workload_multiply);
        open_bench(&b, places[i], &odd.workload, 1000, 3);
        if (places[i]->device) {
            upload(&b);
        }
        for (int k = 0; k < (places[i]->device ? 6 : 2); k++) {
            const enum be_placement placement = placement_at(places[i], k / 2);
            const enum be_cache cache = k % 2 ? BE_COLD : BE_HOT;
            odd.variant.updates = 1;
            odd.variant.host = host_multiplies_here;
            odd.variant.enqueue = enqueue_here;
            start_case(&b, placement, cache);
            run_case(&b);
            assert_string_equal(b.c.result.note, "");
            assert_int_equal(b.c.result.status, BE_RESULT_OK);
            odd.variant.host = host_does_nothing;
            odd.variant.enqueue = enqueue_does_nothing;
            start_case(&b, placement, cache);
            be_case_check(&b.c, &host_clock);
            assert_int_equal(b.c.result.status, BE_RESULT_WRONG);
            assert_true(b.c.result.residual > 0.1); /* it is the inputs, and no NaN */
            odd.variant = be_workload_multiply.variant[0];
            start_case(&b, placement, cache);
            be_case_check(&b.c, &host_clock);
            assert_int_equal(b.c.result.status, BE_RESULT_OK);
        }
        close_bench(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_everywhere),
        cmocka_unit_test(test_inputs_come_with_copy),
        cmocka_unit_test(test_wrong_is_caught),
        cmocka_unit_test(test_wrong_when_timed),
        cmocka_unit_test(test_the_worse_residual_counts),
        cmocka_unit_test(test_stale_results),
        cmocka_unit_test(test_in_place),
    };
    return cmocka_run_group_tests_name("case", tests, open_places, close_places);
}
