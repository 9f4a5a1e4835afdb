/* Launches that are kept and put again as one: when they are put plainly, kept, run again, given back, and what a
 * device that refuses changes. The device here counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "nn/device/kept.h"

struct counts {
    int put, captured, replayed, forgotten, capturing;
    bool refuses, breaks;
};

static struct counts counts;

static enum be_status capture(struct be_device *device, enum be_queue queue,
                              struct be_error *error) {
    (void)device, (void)queue;
    if (counts.refuses) {
        return be_fail(error, BE_ABSENT, "no graphs");
    }
    counts.capturing = 1;
    return BE_OK;
}

static enum be_status captured(struct be_device *device, enum be_queue queue,
                               struct be_graph *graph, struct be_error *error) {
    (void)device, (void)queue, (void)error;
    counts.capturing = 0;
    counts.captured++;
    *graph = (struct be_graph){.handle = (uintptr_t)counts.captured};
    return BE_OK;
}

static enum be_status replay(struct be_device *device, enum be_queue queue,
                             const struct be_graph *graph, struct be_error *error) {
    (void)device, (void)queue, (void)error;
    assert_int_equal(graph->handle, counts.captured);
    counts.replayed++;
    return BE_OK;
}

static void forget(struct be_device *device, struct be_graph *graph) {
    (void)device;
    assert_int_not_equal(graph->handle, 0);
    counts.forgotten++;
}

static const struct be_extra_ops extras = {
    .capture = capture, .captured = captured, .replay = replay, .forget_graph = forget};
static const struct be_extra_ops none = {0};
static const struct be_device_ops keeps = {.extras = &extras};
static const struct be_device_ops lacks = {.extras = &none};

static void put(struct be_nn_run *run) {
    counts.put++;
    if (counts.breaks && counts.capturing) {
        run->status = be_fail(run->error, BE_DRIVER, "not while it is captured");
    }
}

struct bed {
    struct be_device device;
    struct be_nn_on_device net;
    struct be_nn_kept kept;
};

/* A pass of so many images; its status. */
static enum be_status pass(struct bed *bed, int64_t images, uint64_t seed, bool training) {
    struct be_error error = {0};
    const struct be_nn_pass one = {.seed = seed, .training = training};
    struct be_nn_run run = {
        .net = &bed->net, .pass = &one, .images = images, .status = BE_OK, .error = &error};
    bed->net.device = &bed->device;
    be_nn_put_kept(&run, &bed->kept, put);
    assert_int_equal(error.status, BE_OK);
    assert_ptr_equal(run.error, &error);
    return run.status;
}

static void expect(int puts, int captures, int replays, int forgets) {
    assert_int_equal(counts.put, puts);
    assert_int_equal(counts.captured, captures);
    assert_int_equal(counts.replayed, replays);
    assert_int_equal(counts.forgotten, forgets);
}

static struct bed bed_of(const struct be_device_ops *ops) {
    counts = (struct counts){0};
    return (struct bed){.device = {.ops = ops}};
}

static void keeps_the_second_pass(void **state) {
    (void)state;
    struct bed bed = bed_of(&keeps);
    pass(&bed, 64, 7, true);
    expect(1, 0, 0, 0);
    pass(&bed, 64, 7, true);
    expect(2, 1, 1, 0);
    pass(&bed, 64, 7, true);
    expect(2, 1, 2, 0);
    be_nn_forget_kept(&bed.device, &bed.kept);
    be_nn_forget_kept(&bed.device, &bed.kept);
    expect(2, 1, 2, 1);
}

static void keeps_anew_what_differs(void **state) {
    (void)state;
    struct bed bed = bed_of(&keeps);
    for (int i = 0; i < 2; i++) {
        pass(&bed, 64, 7, true);
    }
    pass(&bed, 16, 7, true); /* the last batch of an epoch */
    expect(3, 1, 1, 1);
    pass(&bed, 64, 7, true);
    pass(&bed, 64, 8, true);  /* a checkpoint of another seed */
    pass(&bed, 64, 8, false); /* no dropout */
    expect(6, 1, 1, 1);
    pass(&bed, 64, 8, false);
    expect(7, 2, 2, 1);
}

static void puts_plainly_where_it_must(void **state) {
    (void)state;
    struct bed bed = bed_of(&lacks);
    struct be_nn_timing timing = {0};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pass(&bed, 64, 7, true), BE_OK);
    }
    expect(3, 0, 0, 0);
    bed = bed_of(&keeps);
    counts.refuses = true;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pass(&bed, 64, 7, true), BE_OK);
    }
    expect(3, 0, 0, 0);
    bed = bed_of(&keeps);
    bed.net.timing = &timing;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pass(&bed, 64, 7, true), BE_OK);
    }
    expect(3, 0, 0, 0);
}

static void forgets_a_failure_while_it_keeps(void **state) {
    (void)state;
    struct bed bed = bed_of(&keeps);
    counts.breaks = true;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pass(&bed, 64, 7, true), BE_OK);
    }
    expect(4, 1, 0, 1); /* the second pass is put twice */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_second_pass),
        cmocka_unit_test(keeps_anew_what_differs),
        cmocka_unit_test(puts_plainly_where_it_must),
        cmocka_unit_test(forgets_a_failure_while_it_keeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
