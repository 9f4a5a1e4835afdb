/* The least time that ceilings allow, on ceilings made by hand; and what is found here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "model/limit.h"
#include "machine/describe.h"
#include "team.h"

/* A cache of 1 MB, a memory of 10 GB/s, 1 Gflop/s, half of it in float64; four times as much with
 * matrix units; a bus of 4 GB/s in and 2 out. */
static const struct be_ceilings machine = {
    .memory = {{.bytes = 1e4, .rate = 100e9},
               {.bytes = 1e6, .rate = 50e9},
               {.bytes = 1e8, .rate = 10e9}},
    .points = 3,
    .cache_bytes = 1e6,
    .operations = {1e9, 5e8, 4e9, 2e9},
    .bus_in = 4e9,
    .bus_out = 2e9,
    .launch_s = 1e-6,
};

static const struct be_ceilings nothing = {.cache_bytes = NAN,
                                           .operations = {NAN, NAN, NAN, NAN},
                                           .bus_in = NAN,
                                           .bus_out = NAN,
                                           .launch_s = NAN};

static void check_limit(const struct be_ceilings *ceilings, struct be_demand demand,
                        double expected_s, enum be_limit expected_by, int line) {
    enum be_limit by = BE_LIMITS;
    double limit_s = be_limit_seconds(ceilings, &demand, &by);
    bool same =
        isnan(expected_s) ? isnan(limit_s) : fabs(limit_s - expected_s) <= 1e-12 * fabs(expected_s);
    if (!same || by != expected_by) {
        fail_msg("line %d: %g s by %d, not %g s by %d", line, limit_s, (int)by, expected_s,
                 (int)expected_by);
    }
}
#define LIMIT(ceilings, expected_s, expected_by, ...)                                              \
    check_limit(ceilings, (struct be_demand){__VA_ARGS__}, expected_s, expected_by, __LINE__)

static void test_each_limit(void **state) {
    (void)state;
    LIMIT(&machine, 1.0, BE_BY_MEMORY, .bytes = 10e9, .working_set = 10e9);
    LIMIT(&machine, 1.0, BE_BY_CACHE, .bytes = 100e9, .working_set = 1e6);
    LIMIT(&machine, 3.0, BE_BY_OPERATIONS, .bytes = 10e9, .working_set = 10e9, .operations = 3e9);
    LIMIT(&machine, 5.0, BE_BY_BUS, .bytes = 10e9, .working_set = 10e9, .operations = 3e9,
          .bus_in = 20e9);
    /* Both directions at once: the longer counts, not the sum. */
    LIMIT(&machine, 5.0, BE_BY_BUS, .bus_in = 20e9, .bus_out = 8e9);
    LIMIT(&machine, 6.0, BE_BY_BUS, .bus_in = 20e9, .bus_out = 12e9);
    LIMIT(&machine, NAN, BE_BY_NONE, .bytes = 0);
}

/* Each kind of arithmetic has a ceiling of its own; of one not known there is no limit. */
static void test_arithmetics(void **state) {
    (void)state;
    LIMIT(&machine, 2.0, BE_BY_OPERATIONS, .operations = 2e9, .arithmetic = BE_PLAIN32);
    LIMIT(&machine, 4.0, BE_BY_OPERATIONS, .operations = 2e9, .arithmetic = BE_PLAIN64);
    LIMIT(&machine, 0.5, BE_BY_OPERATIONS, .operations = 2e9, .arithmetic = BE_MATRIX32);
    LIMIT(&machine, 1.0, BE_BY_OPERATIONS, .operations = 2e9, .arithmetic = BE_MATRIX64);

    struct be_ceilings derived = machine;
    be_ceilings_set_operations(&derived, 3e9, true);
    LIMIT(&derived, 1.0, BE_BY_OPERATIONS, .operations = 3e9, .arithmetic = BE_PLAIN32);
    LIMIT(&derived, 2.0, BE_BY_OPERATIONS, .operations = 3e9, .arithmetic = BE_PLAIN64);
    LIMIT(&derived, 1.0, BE_BY_OPERATIONS, .operations = 3e9, .arithmetic = BE_MATRIX32);
    LIMIT(&derived, 2.0, BE_BY_OPERATIONS, .operations = 3e9, .arithmetic = BE_MATRIX64);
    be_ceilings_set_operations(&derived, 3e9, false);
    LIMIT(&derived, 2.0, BE_BY_OPERATIONS, .operations = 3e9, .arithmetic = BE_PLAIN64);
    LIMIT(&derived, 1.0, BE_BY_OPERATIONS, .operations = 3e9, .arithmetic = BE_MATRIX32);
    LIMIT(&derived, NAN, BE_BY_NONE, .operations = 3e9, .arithmetic = BE_MATRIX64);
}

/* y += a x reads x and y and writes y: its reads take what reads take, its update what updates take. */
static void test_mixed_traffic(void **state) {
    (void)state;
    struct be_ceilings here = machine;
    here.memory[2].update = 20e9;
    LIMIT(&here, 1.0 + 1.0, BE_BY_MEMORY, .bytes = 30e9, .updated = 20e9, .working_set = 20e9);
    LIMIT(&here, 3.0, BE_BY_MEMORY, .bytes = 30e9, .working_set = 30e9);
    LIMIT(&here, 1.5, BE_BY_MEMORY, .bytes = 30e9, .updated = 30e9, .working_set = 15e9);
    here.memory[2].update = 0; /* not known: as any other traffic */
    LIMIT(&here, 3.0, BE_BY_MEMORY, .bytes = 30e9, .updated = 20e9, .working_set = 20e9);
}

/* A term that is not known and may decide makes the limit unknown; one that cannot decide does not. */
static void test_what_is_not_known(void **state) {
    (void)state;
    struct be_ceilings device = machine;
    be_ceilings_set_operations(&device, 1e9, false); /* matrix units: not measured */
    LIMIT(&device, NAN, BE_BY_NONE, .bytes = 10e9, .working_set = 10e9, .operations = 2e9,
          .arithmetic = BE_MATRIX64);
    LIMIT(&device, 1.0, BE_BY_MEMORY, .bytes = 10e9, .working_set = 10e9, .operations = 0.45e9,
          .arithmetic = BE_MATRIX64);
    LIMIT(&device, 1.0, BE_BY_BUS, .bus_in = 4e9, .operations = 0.45e9, .arithmetic = BE_MATRIX64);
    device.operations[BE_PLAIN32] = NAN;
    LIMIT(&device, NAN, BE_BY_NONE, .bytes = 10e9, .working_set = 10e9, .operations = 1);
    LIMIT(&device, 1.0, BE_BY_MEMORY, .bytes = 10e9, .working_set = 10e9);
}

/* Operations that may be float32 or float64 take what the faster of the two takes, where both are known. */
static void test_narrow_operations(void **state) {
    (void)state;
    LIMIT(&machine, 2.0, BE_BY_OPERATIONS, .narrow = 8e9, .operations = 1e9,
          .arithmetic = BE_MATRIX64, .bytes = 10e9, .working_set = 10e9);
    LIMIT(&machine, 1.0, BE_BY_MEMORY, .narrow = 3e9, .operations = 1e9, .arithmetic = BE_MATRIX64,
          .bytes = 10e9, .working_set = 10e9);
    struct be_ceilings device = machine;
    device.operations[BE_MATRIX64] = 16e9; /* a GPU for computing */
    LIMIT(&device, 0.5, BE_BY_OPERATIONS, .narrow = 8e9, .arithmetic = BE_MATRIX64);
    be_ceilings_set_operations(&device, 1e9, false); /* its matrix units were not measured */
    LIMIT(&device, NAN, BE_BY_NONE, .narrow = 2e9, .arithmetic = BE_MATRIX64, .bytes = 10e9,
          .working_set = 10e9);
    LIMIT(&device, 1.0, BE_BY_MEMORY, .narrow = 0.9e9, .arithmetic = BE_MATRIX64, .bytes = 10e9,
          .working_set = 10e9);
}

/* Between two points the smaller one's rate holds: a limit must not be too long. */
static void test_working_sets(void **state) {
    (void)state;
    LIMIT(&machine, 1.0, BE_BY_CACHE, .bytes = 100e9, .working_set = 1);
    LIMIT(&machine, 1.0, BE_BY_CACHE, .bytes = 100e9, .working_set = 1e4);
    LIMIT(&machine, 1.0, BE_BY_CACHE, .bytes = 100e9, .working_set = 9.9e5);
    LIMIT(&machine, 1.0, BE_BY_CACHE, .bytes = 100e9, .working_set = 1e6); /* in part nearer */
    LIMIT(&machine, 1.0, BE_BY_MEMORY, .bytes = 50e9, .working_set = 1.1e6);
    LIMIT(&machine, 1.0, BE_BY_MEMORY, .bytes = 50e9, .working_set = 9.9e7);
    LIMIT(&machine, 1.0, BE_BY_MEMORY, .bytes = 10e9, .working_set = 1e8);
    LIMIT(&machine, 1.0, BE_BY_MEMORY, .bytes = 10e9, .working_set = 1e12);

    /* A rate that serves a larger set serves a smaller one: a low number in between is noise. */
    struct be_ceilings noisy = machine;
    noisy.memory[0].rate = 20e9;
    LIMIT(&noisy, 1.0, BE_BY_CACHE, .bytes = 50e9, .working_set = 1e4);
    noisy.memory[2].rate = 80e9;
    LIMIT(&noisy, 1.0, BE_BY_CACHE, .bytes = 80e9, .working_set = 1e4);
}

/* Memory that is only written may take it faster than any mix; never slower than what was seen. */
static void test_writes(void **state) {
    (void)state;
    struct be_ceilings writing = machine;
    LIMIT(&writing, 1.0, BE_BY_MEMORY, .bytes = 10e9, .working_set = 1e9, .write = true);
    writing.write = 12.5e9;
    LIMIT(&writing, 0.8, BE_BY_MEMORY, .bytes = 10e9, .working_set = 1e9, .write = true);
    LIMIT(&writing, 1.0, BE_BY_MEMORY, .bytes = 10e9, .working_set = 1e9);
    LIMIT(&writing, 1.0, BE_BY_CACHE, .bytes = 100e9, .working_set = 1e6, .write = true);
    struct be_ceilings other = machine;
    other.write = 20e9;
    be_ceilings_raise(&writing, &other);
    LIMIT(&writing, 0.5, BE_BY_MEMORY, .bytes = 10e9, .working_set = 1e9, .write = true);
    writing.write = 5e9;
    LIMIT(&writing, 1.0, BE_BY_MEMORY, .bytes = 10e9, .working_set = 1e9, .write = true);
}

/* Operations in a row take the latency of each, which no number of cores shortens. */
static void test_in_a_row(void **state) {
    (void)state;
    struct be_ceilings some = machine;
    LIMIT(&some, 1.0, BE_BY_OPERATIONS, .operations = 1e9, .dependent = 1e12); /* not known */
    some.latency_s = NAN;
    LIMIT(&some, 1.0, BE_BY_OPERATIONS, .operations = 1e9, .dependent = 1e12);
    some.latency_s = 2e-9;
    LIMIT(&some, 2.0, BE_BY_LATENCY, .operations = 1e9, .dependent = 1e9);
    LIMIT(&some, 1.0, BE_BY_OPERATIONS, .operations = 1e9, .dependent = 0.4e9);
    struct be_ceilings other = machine;
    be_ceilings_raise(&some, &other); /* which does not know it */
    assert_true(some.latency_s == 2e-9);
    other.latency_s = 3e-9;
    be_ceilings_raise(&some, &other);
    assert_true(some.latency_s == 2e-9);
    other.latency_s = 1e-9;
    be_ceilings_raise(&some, &other);
    assert_true(some.latency_s == 1e-9);
}

static void test_not_known(void **state) {
    (void)state;
    LIMIT(&nothing, NAN, BE_BY_NONE, .bytes = 1e9, .working_set = 1e9, .operations = 1e9,
          .bus_in = 1e9, .bus_out = 1e9);
    struct be_ceilings zeroed = {0};
    LIMIT(&zeroed, NAN, BE_BY_NONE, .bytes = 0);

    struct be_ceilings some = machine;
    some.bus_in = some.bus_out = NAN; /* a CPU */
    LIMIT(&some, 1.0, BE_BY_MEMORY, .bytes = 10e9, .working_set = 10e9, .bus_in = 1e12);
    some = nothing;
    some.operations[BE_PLAIN32] = 1e9;
    LIMIT(&some, 2.0, BE_BY_OPERATIONS, .bytes = 1e12, .working_set = 1e12, .operations = 2e9);
    some = nothing;
    some.bus_in = 1e9;
    LIMIT(&some, 2.0, BE_BY_BUS, .bytes = 1e12, .bus_in = 2e9);
    LIMIT(&some, 2.0, BE_BY_BUS, .bytes = 1e12, .bus_in = 2e9, .bus_out = 0);
    some = machine; /* no cache known: what limits is called memory */
    some.cache_bytes = NAN;
    LIMIT(&some, 1.0, BE_BY_MEMORY, .bytes = 100e9, .working_set = 1e4);
    some = machine; /* a point that was not measured */
    some.memory[2].rate = NAN;
    LIMIT(&some, 3.0, BE_BY_OPERATIONS, .bytes = 10e9, .working_set = 1e9, .operations = 3e9);
}

static void test_raise(void **state) {
    (void)state;
    struct be_ceilings raised = machine;
    struct be_ceilings again = machine;
    again.memory[0].rate = 90e9;
    again.memory[1].rate = 60e9;
    again.memory[2].rate = NAN;
    again.operations[BE_PLAIN32] = 2e9;
    again.operations[BE_PLAIN64] = 4e8;
    again.operations[BE_MATRIX32] = NAN;
    again.operations[BE_MATRIX64] = 3e9;
    again.bus_in = 3e9;
    again.bus_out = 2.5e9;
    be_ceilings_raise(&raised, &again);
    assert_true(raised.memory[0].rate == 100e9);
    assert_true(raised.memory[1].rate == 60e9);
    assert_true(raised.memory[2].rate == 10e9);
    assert_true(raised.operations[BE_PLAIN32] == 2e9);
    assert_true(raised.operations[BE_PLAIN64] == 5e8);
    assert_true(raised.operations[BE_MATRIX32] == 4e9);
    assert_true(raised.operations[BE_MATRIX64] == 3e9);
    assert_true(raised.bus_in == 4e9);
    assert_true(raised.bus_out == 2.5e9);
    assert_true(raised.cache_bytes == 1e6 && raised.points == 3);

    /* A rate that was not known before is known now, and never the other way round. */
    struct be_ceilings unknown = nothing;
    be_ceilings_raise(&unknown, &machine);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < BE_ARITHMETICS; k++) {
            assert_true(unknown.operations[k] == machine.operations[k]);
        }
        assert_true(unknown.bus_in == 4e9 && unknown.bus_out == 2e9);
        be_ceilings_raise(&unknown, &nothing);
    }
}

/* ---- what is here --------------------------------------------------------------------------- */

static void test_machine_here(void **state) {
    (void)state;
    struct be_machine m;
    struct be_cores cores;
    struct be_error error = {0};
    assert_int_equal(be_machine_find(&m, &cores, &error), BE_OK);
    assert_string_not_equal(m.host, "");
    assert_string_not_equal(m.cpu, "");
    assert_string_not_equal(m.allowed_by, "");
    assert_true(m.cores >= 1 && m.cores_allowed >= 1 && m.cores_allowed <= m.cores);
    assert_int_equal(m.cores_allowed, cores.count);
    assert_true(m.numa_nodes >= 1);
    assert_true(m.memory_bytes > 64e6 && m.memory_bytes < 1e16);
    assert_true(isnan(m.cache_bytes) || (m.cache_bytes > 1e4 && m.cache_bytes < 1e11));

    assert_in_range(m.devices, 1, BE_DEVICES_MAX);
    assert_string_equal(m.device[0].id, "cpu");
    assert_int_equal(m.device[0].kind, BE_KIND_CPU);
    for (int i = 0; i < m.devices; i++) {
        const struct be_device_info *device = &m.device[i];
        const char *backend = device->backend;
        assert_string_not_equal(device->name, "");
        assert_memory_equal(device->id, backend, strlen(backend));
        assert_string_not_equal(backend, "null"); /* not asked for */
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(device->id, m.device[k].id);
        }
    }
    for (int i = 0; i < m.absences; i++) {
        assert_string_not_equal(m.absent[i].backend, "");
        assert_string_not_equal(m.absent[i].reason, "");
        assert_null(strchr(m.absent[i].reason, '\n'));
    }

    setenv("BREAKEVEN_NULL", "1", 1);
    int without = m.devices;
    assert_int_equal(be_machine_describe(&m, &error), BE_OK);
    unsetenv("BREAKEVEN_NULL");
    assert_int_equal(m.devices, without + 1);
    assert_string_equal(m.device[without].id, "null:0");
}

static void test_environment_here(void **state) {
    (void)state;
    struct be_machine m;
    struct be_cores cores;
    struct be_environment e;
    assert_int_equal(be_machine_find(&m, &cores, NULL), BE_OK);
    setenv("SLURM_JOB_ID", "4711", 1);
    be_environment_find(&cores, &e);
    unsetenv("SLURM_JOB_ID");
    int year;
    int month;
    int day;
    int hour;
    int minute;
    int second;
    char zone;
    assert_int_equal(sscanf(e.date, "%4d-%2d-%2dT%2d:%2d:%2d%c", &year, &month, &day, &hour,
                            &minute, &second, &zone),
                     7);
    assert_in_range(year, 2024, 2200);
    assert_int_equal(zone, 'Z');
    assert_string_not_equal(e.compiler, "");
    assert_non_null(strstr(e.flags, "-std=c17"));
    assert_string_not_equal(e.kernel, "");
    assert_string_equal(e.slurm_job, "4711");
    assert_true(isnan(e.load_average) || e.load_average >= 0);
    assert_true(isnan(e.cpu_hz) || (e.cpu_hz > 1e7 && e.cpu_hz < 1e11));
}

static void check_affinity(int count, const int *cpu, const char *expected) {
    struct be_cores cores = {.count = count};
    struct be_environment e;
    memcpy(cores.cpu, cpu, (size_t)count * sizeof *cpu);
    be_environment_find(&cores, &e);
    assert_string_equal(e.affinity, expected);
}

static void test_affinity_text(void **state) {
    (void)state;
    check_affinity(1, (int[]){0}, "0");
    check_affinity(4, (int[]){0, 1, 2, 3}, "0-3");
    check_affinity(5, (int[]){0, 2, 3, 7, 9}, "0,2-3,7,9");
    check_affinity(3, (int[]){4, 2, 0}, "4,2,0");

    /* Longer than the room: cut, and terminated. */
    struct be_cores many = {.count = BE_CORES_MAX};
    struct be_environment e;
    for (int i = 0; i < BE_CORES_MAX; i++) {
        many.cpu[i] = 2 * i;
    }
    be_environment_find(&many, &e);
    assert_true(strlen(e.affinity) < sizeof e.affinity);
    assert_memory_equal(e.affinity, "0,2,4,", 6);
}

static bool asked_so_often(void *context) {
    int *left = context;
    return --*left < 0;
}

/* Told to end, they are those measured until then, and nothing is made up for the others. */
static void test_cut_short(void **state) {
    (void)state;
    struct be_team *team = open_team(1);
    for (int sets = 0; sets < 2; sets++) {
        int left = 7 * sets; /* it is asked before each way to go over a set */
        struct be_ceilings ceilings;
        struct be_error error = {0};
        struct be_cancel cancel = {.asked = asked_so_often, .context = &left};
        assert_int_equal(be_ceilings_cpu(team, 1e6, INFINITY, cancel, &ceilings, &error), BE_OK);
        assert_int_equal(ceilings.points, sets);
        for (int i = 0; i < BE_ARITHMETICS; i++) {
            assert_true(isnan(ceilings.operations[i]));
        }
    }
    be_team_close(team);
}

/* No time: the rates of the nearest cache and of memory all the same, and the arithmetic. */
static void test_no_time(void **state) {
    (void)state;
    struct be_team *team = open_team(1);
    struct be_ceilings ceilings;
    struct be_error error = {0};
    assert_int_equal(be_ceilings_cpu(team, 1e6, 0, (struct be_cancel){0}, &ceilings, &error),
                     BE_OK);
    assert_int_equal(ceilings.points, 2); /* the smallest set: missing ones take its rate */
    assert_true(ceilings.memory[0].bytes < 2e4 && ceilings.memory[1].bytes > 1e8);
    for (int i = 0; i < 2; i++) {
        assert_true(ceilings.memory[i].rate > 0 && ceilings.memory[i].update > 0);
    }
    assert_true(ceilings.operations[BE_PLAIN32] > 0 && ceilings.latency_s > 0);
    be_team_close(team);
}

/* The set that decides over such calls is measured again, and no other one. */
static void test_again(void **state) {
    (void)state;
    struct be_team *team = open_team(1);
    struct be_ceilings known = {
        .memory = {{.bytes = 3e4, .rate = 1}, {.bytes = 1e5, .rate = 1}, {.bytes = 1e7, .rate = 1}},
        .points = 3,
        .cache_bytes = 1e6};
    struct be_ceilings again;
    struct be_error error = {0};
    assert_int_equal(be_ceilings_set(&known, 1e4), 0);
    assert_int_equal(be_ceilings_set(&known, 2e5),
                     0); /* it fits the cache: that of the set before */
    assert_int_equal(be_ceilings_set(&known, 2e6), 1);
    assert_int_equal(be_ceilings_set(&(struct be_ceilings){0}, 2e6), 0);
    assert_int_equal(
        be_ceilings_cpu_again(team, &known, 2e6, (struct be_cancel){0}, &again, &error), BE_OK);
    assert_int_equal(again.points, 1);
    assert_true(again.memory[0].bytes > 0.9e5 && again.memory[0].bytes < 1.1e5);
    be_ceilings_raise(&known, &again);
    assert_true(known.memory[1].rate > 1e6 && known.memory[2].rate == 1);
    assert_true(be_ceilings_memory(&known, 2e6, false, false) == known.memory[1].rate);
    be_team_close(team);
}

static enum be_status count_sets(void *context, const struct be_ceiling_samples *samples,
                                 struct be_error *error) {
    (void)error;
    *(int *)context += samples->seconds.count > 0;
    return BE_OK;
}

/* The largest set is a part of what there is, also where that is no multiple of what a thread takes. */
static void test_odd_caches(void **state) {
    (void)state;
    struct be_team *team = open_team(1);
    int sets = 0;
    struct be_error error = {0};
    assert_int_equal(be_ceilings_cpu_sets(team, 33000001, 1e-4, INFINITY, (struct be_cancel){0},
                                          count_sets, &sets, &error),
                     BE_OK);
    assert_int_equal(sets, 2 * BE_CEILING_POINTS); /* apart, and in place */
    be_team_close(team);
}

/* An update in place is compared with such updates, where they are known. */
static void test_updates(void **state) {
    (void)state;
    struct be_ceilings here = machine;
    LIMIT(&here, 1.0, BE_BY_MEMORY, .bytes = 10e9, .updated = 10e9, .working_set = 10e9);
    here.memory[2].update = 20e9;
    here.memory[2].update_stores = BE_STORES_AHEAD;
    LIMIT(&here, 0.5, BE_BY_MEMORY, .bytes = 10e9, .updated = 10e9, .working_set = 10e9);
    LIMIT(&here, 1.0, BE_BY_MEMORY, .bytes = 10e9, .working_set = 10e9);
    assert_int_equal(be_ceilings_stores(&here, 10e9, true), BE_STORES_AHEAD);
    assert_int_equal(be_ceilings_stores(&here, 10e9, false), BE_STORES_PLAIN);
    struct be_ceilings again = here;
    again.memory[2].update = 25e9;
    be_ceilings_raise(&here, &again);
    LIMIT(&here, 0.4, BE_BY_MEMORY, .bytes = 10e9, .updated = 10e9, .working_set = 10e9);
    LIMIT(&here, 1.0, BE_BY_MEMORY, .bytes = 10e9, .working_set = 10e9);
}

/* The ratio of the nearest working set; the rate of the largest beyond all; plain where none is
 * known. */
static void test_stores(void **state) {
    (void)state;
    struct be_ceilings ceilings = {.points = 0};
    assert_int_equal(be_ceilings_stores(&ceilings, 1e6, false), BE_STORES_PLAIN);
    ceilings.points = 3;
    for (int i = 0; i < BE_STORES; i++) {
        ceilings.memory[i].bytes = 1e6 * (i + 1);
        ceilings.memory[i].stores = (enum be_stores)i;
        assert_int_equal(be_stores_named(be_stores_name[i], BE_STORES), i);
    }
    assert_int_equal(be_ceilings_stores(&ceilings, 1, false), BE_STORES_PLAIN);
    assert_int_equal(be_ceilings_stores(&ceilings, 1e6, false), BE_STORES_PLAIN);
    assert_int_equal(be_ceilings_stores(&ceilings, 1.41e6, false), BE_STORES_PLAIN);
    assert_int_equal(be_ceilings_stores(&ceilings, 1.42e6, false), BE_STORES_AHEAD);
    assert_int_equal(be_ceilings_stores(&ceilings, 2.44e6, false), BE_STORES_AHEAD);
    assert_int_equal(be_ceilings_stores(&ceilings, 2.46e6, false), BE_STORES_NONTEMPORAL);
    assert_int_equal(be_ceilings_stores(&ceilings, 9e9, false), BE_STORES_NONTEMPORAL);
    assert_int_equal(be_stores_named("", BE_STORES_AHEAD), BE_STORES_AHEAD);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_updates),
        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_no_time),
        cmocka_unit_test(test_again),
        cmocka_unit_test(test_each_limit),
        cmocka_unit_test(test_arithmetics),
        cmocka_unit_test(test_mixed_traffic),
        cmocka_unit_test(test_what_is_not_known),
        cmocka_unit_test(test_narrow_operations),
        cmocka_unit_test(test_working_sets),
        cmocka_unit_test(test_writes),
        cmocka_unit_test(test_in_a_row),
        cmocka_unit_test(test_not_known),
        cmocka_unit_test(test_raise),
        cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_odd_caches),
        cmocka_unit_test(test_machine_here),
        cmocka_unit_test(test_environment_here),
        cmocka_unit_test(test_affinity_text),
    };
    unsetenv("BREAKEVEN_NULL");
    return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
