/*
 * The parts that the tests of bench/ share: a team, a CPU place and the pretend device, and
 * workloads that are not as they should be. Ceilings are so high that every limit is about 0.
 */
#ifndef TESTS_UNIT_BENCH_H
#define TESTS_UNIT_BENCH_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "bench/session.h"
#include "workload/elementwise.h"

#define MAYBE_UNUSED __attribute__((unused)) static

MAYBE_UNUSED struct be_error error; /* of the last call that failed */

#define CHECK(call) check(call, #call, __LINE__)
MAYBE_UNUSED void check(enum be_status status, const char *call, int line) {
    if (status != BE_OK) {
        fail_msg("line %d: %s: %s: %s", line, call, be_status_name(status), error.text);
    }
}

MAYBE_UNUSED void expect_failure(enum be_status status, enum be_status expected, const char *word) {
    if (status != expected || !strstr(error.text, word)) {
        fail_msg("\"%s\" with \"%s\" was expected, not \"%s\" with \"%s\"",
                 be_status_name(expected), word, be_status_name(status), error.text);
    }
}

/* ---- problems ------------------------------------------------------------------------------- */

MAYBE_UNUSED struct be_problem problem_of(const struct be_workload *workload, uint64_t size) {
    const struct be_problem preset = be_problem_preset(workload);
    return be_problem_sized(&preset, size);
}

/* A copy of an elementwise workload with a variant of its own, to be changed. */
struct odd {
    struct be_workload workload;
    struct be_variant variant;
};

MAYBE_UNUSED void set_odd(struct odd *odd, const struct be_workload *like) {
    odd->workload = *like;
    odd->variant = like->variant[0];
    odd->workload.variant = &odd->variant;
    odd->workload.variants = 1;
}

/* The tables of some tests lie on their stacks: nothing may be kept that was built from them. */
MAYBE_UNUSED void forget_code(struct be_place *place) {
    for (int i = 0; i < BE_VARIANTS; i++) {
        if (place->prepared[i].ready) {
            place->problem.workload->variant[i].discard(place->device, &place->prepared[i].code);
        }
        memset(&place->prepared[i], 0, sizeof place->prepared[i]);
    }
    place->problem = (struct be_problem){0};
}

/* ---- places --------------------------------------------------------------------------------- */

MAYBE_UNUSED struct be_cores cores;
MAYBE_UNUSED struct be_clock host_clock;
MAYBE_UNUSED struct be_team *team;
MAYBE_UNUSED struct be_place cpu, null;

MAYBE_UNUSED const struct be_ceilings sky = {
    .memory = {{.bytes = 1e3, .rate = 1e30}},
    .points = 1,
    .cache_bytes = 1e6,
    .operations = {1e30, 1e30, 1e30, 1e30},
    .bus_in = 1e30,
    .bus_out = 1e30,
    .launch_s = 0,
};

MAYBE_UNUSED int open_places(void **state) {
    (void)state;
    struct be_machine machine;
    setenv("BREAKEVEN_NULL", "1", 1);
    host_clock = be_clock_host();
    CHECK(be_machine_describe(&machine, &error));
    CHECK(be_cores_find(&cores, &error));
    CHECK(be_team_open(&cores, 3, &team, &error));
    cpu = (struct be_place){.info = machine.device[0], .threads = 3, .team = team, .ceilings = sky};
    null = (struct be_place){
        .info = machine.device[machine.devices - 1], .team = team, .ceilings = sky};
    assert_string_equal(cpu.info.id, "cpu");
    assert_string_equal(null.info.id, "null:0");
    const struct be_device_ops *ops = be_device_backend("null");
    CHECK(ops->open(&null.info, team, &null.device, &error));
    CHECK(be_stage_open(null.device, team, &null.stage, &error));
    return 0;
}

MAYBE_UNUSED int close_places(void **state) {
    (void)state;
    be_place_close(&null);
    be_team_close(team);
    return 0;
}

#endif
