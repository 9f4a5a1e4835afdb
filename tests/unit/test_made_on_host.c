/*
 * A result that the host makes for a device and copies there: it is the device's copy that is looked at, it
 * crosses the bus, and nothing is computed there.
 */
#include "pretend_ceilings.h"

#include "case_bench.h"

#include "host/team.h"
#include "builtin/builtin.h"

enum { SIZE = 300007, INSTANCES = 3 };

static struct odd odd; /* generate, made on the host */

static void use_host(void) {
    set_odd(&odd, be_workload_find("generate"));
    odd.variant = *be_variant_find(be_workload_find("generate"), "host");
    odd.workload.variants = 1;
}

static void test_right_there(void **state) {
    (void)state;
    use_host();
    for (int real = 0; real < BE_REALS; real++) {
        odd.workload.real = (enum be_real)real;
        for (int cache = BE_HOT; cache < BE_CACHES; cache++) {
            struct bench b;
            open_bench(&b, &null, &odd.workload, SIZE, INSTANCES);
            start_case(&b, BE_RESIDENT, (enum be_cache)cache);
            run_case(&b);
            const struct be_result *r = &b.c.result;
            assert_string_equal(r->note, "");
            assert_int_equal(r->status, BE_RESULT_OK);
            assert_true(r->residual == 0);
            assert_true(r->phase[BE_TOTAL].n > 0 && r->phase[BE_IN].n > 0);
            assert_true(r->phase[BE_WORK].n == 0 && r->phase[BE_OUT].n == 0);
            close_bench(&b);
        }
    }
}

/* Once over the bus, once into the device's memory; and nothing of it is the way back. */
static void test_limit(void **state) {
    struct bench b;
    (void)state;
    use_host();
    odd.workload.real = BE_REAL64;
    null.ceilings.bus_in = 1e9;
    open_bench(&b, &null, &odd.workload, SIZE, 1);
    start_case(&b, BE_RESIDENT, BE_HOT);
    be_case_set_limit(&b.c);
    assert_int_equal(b.c.result.limit_by, BE_BY_BUS);
    assert_true(fabs(b.c.result.limit_s / (8. * SIZE / 1e9) - 1) < 0.01);
    close_bench(&b);
    null.ceilings = sky;
}

/* Its own limit is that of memory that is written, where nothing is read; of power a third is written. */
static void test_limit_of_writing(void **state) {
    struct bench b;
    (void)state;
    use_host();
    const struct be_workload *workloads[] = {&odd.workload, &be_workload_power};
    for (int i = 0; i < 2; i++) {
        null.ceilings.bus_in = INFINITY;
        null.ceilings.memory[0].rate = 1e9;
        null.ceilings.write = 2e9;
        open_bench(&b, &null, workloads[i], SIZE, 1);
        start_case(&b, BE_RESIDENT, BE_HOT);
        be_case_set_limit(&b.c);
        double slow_s = b.c.result.bytes / 1e9;
        assert_true(fabs(b.c.result.limit_s / slow_s - (i == 0 ? 0.5 : 1)) < 1e-9);
        close_bench(&b);
    }
    null.ceilings = sky;
}

/* The numbers are in the host's array all the same: that they are there says nothing of the device. */
static enum be_status write_nothing(struct be_device *device, enum be_queue queue,
                                    const struct be_buffer *to, size_t offset, const void *from,
                                    size_t bytes, struct be_error *e) {
    (void)device, (void)queue, (void)to, (void)offset, (void)from, (void)bytes, (void)e;
    return BE_OK;
}

static enum be_status read_nothing(struct be_device *device, enum be_queue queue, void *to,
                                   const struct be_buffer *from, size_t offset, size_t bytes,
                                   struct be_error *e) {
    (void)device, (void)queue, (void)to, (void)from, (void)offset, (void)bytes, (void)e;
    return BE_OK;
}

/* Neither there nor back: what is not copied is not looked at in its place. */
static void test_not_copied(void **state) {
    const struct be_device_ops *ops = null.device->ops;
    (void)state;
    use_host();
    for (int way = 0; way < 2; way++) {
        struct be_device_ops lazy = *ops;
        struct bench b;
        open_bench(&b, &null, &odd.workload, SIZE, 1);
        start_case(&b, BE_RESIDENT, BE_HOT);
        struct be_queue_ops queue = *ops->queue;
        queue.write = way == 0 ? write_nothing : queue.write;
        queue.read = way == 1 ? read_nothing : queue.read;
        lazy.queue = &queue;
        null.device->ops = &lazy;
        be_case_check(&b.c, &host_clock);
        null.device->ops = ops;
        assert_int_equal(b.c.result.status, BE_RESULT_WRONG);
        close_bench(&b);
    }
}

static void test_where(void **state) {
    (void)state;
    use_host();
    assert_true(be_variant_has_code(&odd.variant, true) &&
                be_variant_has_code(&odd.variant, false));
    for (int placement = BE_HOST; placement < BE_PLACEMENTS; placement++) {
        assert_int_equal(be_case_takes(&odd.variant, (enum be_placement)placement),
                         placement == BE_HOST || placement == BE_RESIDENT);
        assert_true(be_case_takes(be_workload_power.variant, (enum be_placement)placement));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_there),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_limit_of_writing),
        cmocka_unit_test(test_not_copied),
        cmocka_unit_test(test_where),
    };
    return cmocka_run_group_tests_name("made on the host", tests, open_places, close_places);
}
