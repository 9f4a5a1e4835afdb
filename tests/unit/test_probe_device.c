/* The device's steps of a probe, on the pretend GPU: every kind of figure comes out, checked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "device/device.h"
#include "kernel_programs.h"
#include "machine/probe/devices/device.h"
#include "machine/probe/probe.h"
#include "machine/profile.h"

static size_t figures_of(const struct be_profile *profile, const char *what) {
    size_t count = 0;
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *f = &profile->figure[i];
        if (strcmp(f->what, what) == 0) {
            count++;
            assert_true(isfinite(f->value) && f->value > 0);
            assert_true(f->n == 1 ? isnan(f->lo) && isnan(f->hi)
                                  : f->lo <= f->median && f->median <= f->hi);
            assert_true(f->method[0] && f->date[0]);
        }
    }
    return count;
}

static void test_every_kind(void **state) {
    (void)state;
    static const char *const kinds[] = {"fma",
                                        "matmul",
                                        "copy",
                                        "triad",
                                        "read",
                                        "write",
                                        "working_set",
                                        "launch",
                                        "launch_wait",
                                        "launch_rate",
                                        "graph_node",
                                        "alloc",
                                        "release",
                                        "bus_in_pinned",
                                        "bus_out_pinned",
                                        "bus_both_pinned",
                                        "bus_in_pageable",
                                        "bus_out_pageable",
                                        "bus_in_staged",
                                        "unified_fault"};
    const struct be_probe_options options = {.device = {"null"}, .devices = 1, .quick = true};
    struct be_profile profile;
    struct be_error error;
    assert_int_equal(be_probe(&options, &profile, &error), BE_OK);
    assert_false(profile.partial);
    for (size_t i = 0; i < BE_COUNT(kinds); i++) {
        if (figures_of(&profile, kinds[i]) == 0) {
            fail_msg("there is no figure %s", kinds[i]);
        }
    }
    assert_true(figures_of(&profile, "bus_in_pinned") >= 3);
    assert_true(be_profile_figure(&profile, "null:0", "alloc", NULL, 0, 1 << 20, NULL)->n >= 50);
    assert_true(profile.fits >= 6);
    be_profile_free(&profile);
}

static bool at_once(void *context) {
    (void)context;
    return true;
}

static void test_stopped(void **state) {
    (void)state;
    const struct be_probe_options options = {
        .device = {"null"}, .devices = 1, .quick = true, .cancelled = at_once};
    struct be_profile profile;
    struct be_error error;
    assert_int_equal(be_probe(&options, &profile, &error), BE_OK);
    assert_true(profile.partial);
    be_profile_free(&profile);
}

/* ---- a device that computes wrongly --------------------------------------------------------- */

static enum be_status broken_read(struct be_device *device, enum be_queue queue, void *to,
                                  const struct be_buffer *from, size_t offset, size_t bytes,
                                  struct be_error *error) {
    enum be_status status = be_null_ops.queue->read(device, queue, to, from, offset, bytes, error);
    status = status == BE_OK ? be_null_ops.queue->drain(device, queue, error) : status;
    if (status == BE_OK && bytes > 0) {
        ((unsigned char *)to)[bytes / 2 / 4 * 4 + 3] ^= 0x10; /* of a number's exponent */
    }
    return status;
}

static void test_wrong_is_found(void **state) {
    (void)state;
    static be_probe_step_run *const steps[] = {be_probe_device_memory, be_probe_device_bus};
    struct be_device_ops broken = be_null_ops;
    struct be_queue_ops queue = *be_null_ops.queue;
    queue.read = broken_read;
    broken.queue = &queue;
    struct be_device_info info;
    struct be_error error = {0};
    int count = 0;
    assert_int_equal(be_null_ops.probe(&info, 1, &count, &error), BE_OK);
    for (size_t i = 0; i < BE_COUNT(steps); i++) {
        const struct be_probe_options options = {.quick = true};
        struct be_profile profile = {0};
        struct be_probe probe = {.options = &options,
                                 .profile = &profile,
                                 .clock = be_clock_host(),
                                 .rule = {.precision = 0.1, .min = 5, .budget_s = 1e-3},
                                 .at = ""};
        struct be_target target = {.info = &info};
        assert_int_equal(be_cores_find(&probe.cores, &error), BE_OK);
        assert_int_equal(be_team_open(&probe.cores, 2, &target.team, &error), BE_OK);
        assert_int_equal(be_null_ops.open(&info, target.team, &target.device, &error), BE_OK);
        target.device->ops = &broken;
        assert_int_equal(steps[i](&probe, &target, &error), BE_WRONG);
        be_null_ops.close(target.device);
        be_team_close(target.team);
        be_profile_free(&profile);
    }
}

/* ---- memory of several NUMA nodes ------------------------------------------------------------- */

/* The step alone, on a made-up machine, which hwloc then binds no memory on. */
static void cross(const char *machine, const struct be_device_ops *ops, struct be_profile *profile,
                  struct be_error *error) {
    const struct be_probe_options options = {.quick = true};
    struct be_device_info info;
    int count = 0;
    struct be_probe probe = {.options = &options,
                             .profile = profile,
                             .clock = be_clock_host(),
                             .rule = {.precision = 0.1, .min = 5, .budget_s = 1e-3},
                             .at = ""};
    struct be_target target = {.info = &info};
    assert_int_equal(be_null_ops.probe(&info, 1, &count, error), BE_OK);
    assert_int_equal(be_null_ops.open(&info, NULL, &target.device, error), BE_OK);
    target.device->ops = ops;
    setenv("HWLOC_SYNTHETIC", machine, 1);
    enum be_status status = be_probe_device_numa(&probe, &target, error);
    unsetenv("HWLOC_SYNTHETIC");
    be_null_ops.close(target.device);
    if (status != BE_OK) {
        fail_msg("%s", error->text);
    }
    assert_true(probe.rule.budget_s == 1e-3);
}

static void test_far_socket(void **state) {
    (void)state;
    struct be_error error = {0};
    struct be_profile profile = {0};
    const struct be_fact fact = {.device = "null:0", .name = "numa_node", .number = 1};
    assert_int_equal(be_profile_add_fact(&profile, &fact, &error), BE_OK);
    cross("node:2 core:2 pu:1", &be_null_ops, &profile, &error);
    assert_int_equal(profile.figures, 4);
    assert_int_equal(profile.remarks, 0);
    assert_int_equal(figures_of(&profile, "bus_in_node"), 2);
    assert_int_equal(figures_of(&profile, "bus_out_node"), 2);
    for (int node = 0; node < 2; node++) {
        char peer[BE_NAME];
        snprintf(peer, sizeof peer, "node %d", node);
        const struct be_figure *f = be_profile_figure(&profile, "null:0", "bus_in_node", NULL, 0,
                                                      profile.figure[0].bytes, peer);
        assert_non_null(f);
        assert_string_equal(f->note, node == 1 ? "near" : "");
    }
    be_profile_free(&profile);
}

static void test_no_far_socket(void **state) {
    (void)state;
    struct be_error error = {0};
    struct be_profile profile = {0};
    struct be_device_ops lockless = be_null_ops;
    struct be_extra_ops extras = *be_null_ops.extras;
    extras.lock = NULL;
    extras.unlock = NULL;
    lockless.extras = &extras;
    cross("node:1 core:2 pu:1", &be_null_ops, &profile, &error);
    cross("node:2 core:2 pu:1", &lockless, &profile, &error);
    assert_int_equal(profile.figures, 0);
    assert_int_equal(profile.remarks, 1);
    assert_non_null(strstr(profile.remark[0], "page-locks no memory of a node"));
    assert_int_equal(profile.facts, 1);
    assert_string_equal(profile.fact[0].name, "far_socket");
    assert_string_equal(profile.fact[0].text, "none: one NUMA node has cores");
    be_profile_free(&profile);
}

/* ---- random numbers, alike everywhere ------------------------------------------------------- */

static void test_random(void **state) {
    (void)state;
    double sum = 0;
    double squares = 0;
    enum { MANY = 100000 };
    for (unsigned i = 0; i < MANY; i++) {
        double x = (double)be_probe_random(i, 24);
        assert_true(x >= -1 && x < 1);
        assert_true(ldexp(x, 23) == rint(ldexp(x, 23)));
        double coarse = (double)be_probe_random(i, 8);
        assert_true(ldexp(coarse, 7) == rint(ldexp(coarse, 7)));
        sum += x;
        squares += x * x;
    }
    assert_true(fabs(sum / MANY) < 0.01);
    assert_true(fabs(squares / MANY - 1.0 / 3) < 0.01);
}

int main(void) {
    setenv("BREAKEVEN_NULL", "1", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind),     cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_wrong_is_found), cmocka_unit_test(test_far_socket),
        cmocka_unit_test(test_no_far_socket),  cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
