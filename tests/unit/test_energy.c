/*
 * Energy: the counters of CPU packages in a made-up powercap folder, and what a case is said to take
 * by a made-up counter beside calls that take a made-up time.
 */
#include "fake_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

#include "builtin/builtin.h"
#include "host/team.h"
#include "bench/case/energy.h"

/* ---- powercap ----------------------------------------------------------------------------------- */

#define ZONES "/sys/class/powercap/"
static const struct be_device_info processor = {.id = "cpu", .backend = "cpu", .kind = BE_KIND_CPU};

static void set_zone(const char *zone, const char *file, const char *text) {
    char path[128];
    snprintf(path, sizeof path, ZONES "%s/%s", zone, file);
    fake_file(path, "%s\n", text);
}

static void make_zone(const char *zone, const char *name, const char *energy_uj) {
    set_zone(zone, "name", name);
    set_zone(zone, "energy_uj", energy_uj);
    set_zone(zone, "max_energy_range_uj", "262143328850");
}

static void expect_joules(struct be_energy *energy, double expected) {
    double joules;
    CHECK(be_energy_read(energy, &joules, &error));
    assert_true(fabs(joules - expected) < 1e-9 * (expected + 1));
}

static void packages_and_memory(void **state) {
    (void)state;
    struct be_energy energy;
    make_zone("intel-rapl:0", "package-0", "1000000");
    make_zone("intel-rapl:0:0", "core", "77");
    make_zone("intel-rapl:0:1", "dram", "500000");
    make_zone("intel-rapl:1", "package-1-die-0", "262143000000");
    make_zone("intel-rapl:2", "psys", "5");
    make_zone("intel-rapl-mmio:0", "package-0", "1000000");
    CHECK(be_energy_open(&processor, fake_root, &energy, &error));
    assert_string_equal(energy.name, "powercap (2 packages, 1 dram)");
    expect_joules(&energy, 0);
    set_zone("intel-rapl:0", "energy_uj", "3500000");
    set_zone("intel-rapl:0:0", "energy_uj", "9000000");
    set_zone("intel-rapl:0:1", "energy_uj", "750000");
    set_zone("intel-rapl:2", "energy_uj", "9000000");
    expect_joules(&energy, 2.75);
    set_zone("intel-rapl:1", "energy_uj", "1671150"); /* began anew at 262143328850 */
    expect_joules(&energy, 4.75);
    set_zone("intel-rapl:1", "energy_uj", "2671150");
    expect_joules(&energy, 5.75);
    set_zone("intel-rapl:1", "energy_uj", "");
    double joules;
    expect_failure(be_energy_read(&energy, &joules, &error), BE_ABSENT, "can no longer be read");
    be_energy_close(&energy);
    be_energy_close(&energy); /* empty */
    fake_remove("/sys");
}

/* Nobody knows then how far it had come. */
static void went_back(void **state) {
    (void)state;
    struct be_energy energy;
    double joules;
    make_zone("intel-rapl:0", "package-0", "1000000");
    fake_remove(ZONES "intel-rapl:0/max_energy_range_uj");
    CHECK(be_energy_open(&processor, fake_root, &energy, &error));
    set_zone("intel-rapl:0", "energy_uj", "10");
    expect_failure(be_energy_read(&energy, &joules, &error), BE_ABSENT, "went back");
    be_energy_close(&energy);
    fake_remove("/sys");
}

static void expect_none(const char *words) {
    struct be_energy energy;
    expect_failure(be_energy_open(&processor, fake_root, &energy, &error), BE_ABSENT, words);
    assert_null(energy.source);
}

static void no_counter(void **state) {
    (void)state;
    expect_none("no counter of a CPU package");
    make_zone("intel-rapl:2", "psys", "5");
    expect_none("no counter of a CPU package");
    make_zone("intel-rapl:0", "package-0", "nothing");
    expect_none("intel-rapl:0/energy_uj: not a number");
    fake_remove(ZONES "intel-rapl:0/energy_uj");
    expect_none("intel-rapl:0/energy_uj: No such file");
    set_zone("intel-rapl:0", "energy_uj", "1");
    if (geteuid() != 0) { /* root may read everything */
        char path[128];
        snprintf(path, sizeof path, "%s" ZONES "intel-rapl:0/energy_uj", fake_root);
        assert_int_equal(chmod(path, 0), 0);
        expect_none("Permission denied (root may read it)");
    }
    fake_remove("/sys");
}

static double watched_s;

static double watched_now(void *context) {
    (void)context;
    return watched_s += 1e-3;
}

static void stands_still(void **state) {
    (void)state;
    const struct be_clock clock = {.now = watched_now, .step_s = 1e-3};
    struct be_meter meter;
    make_zone("intel-rapl:0", "package-0", "1000000");
    be_meter_open(&meter, &processor, fake_root, &clock);
    assert_null(meter.energy.source);
    assert_non_null(strstr(meter.why, "moved only 0 times in 2 s"));
    be_meter_close(&meter);
    fake_remove("/sys");
}

/* ---- a case ------------------------------------------------------------------------------------- */

/* The time goes on by calls alone, and the counter follows in steps. */
static struct {
    double now_s, call_s, step_s, watts, limit_w;
    double slower; /* calls take so many times as long as they are said to */
    double host_step_s;
    long calls, cancel_at, fail_at;
    bool host, host_fails;
} made_up = {.limit_w = 200, .slower = 1, .host_step_s = 1e-3};

static double now(void *context) {
    (void)context;
    return made_up.now_s;
}

static const struct be_clock clock_of_calls = {.now = now, .step_s = 1e-9};

static void host_takes_time(const struct be_work *work) {
    if (work->member == 0) {
        made_up.now_s += made_up.call_s * made_up.slower;
        made_up.calls++;
    }
}

static enum be_status read_made_up(struct be_energy *energy, double *joules, struct be_error *e) {
    (void)energy;
    *joules = made_up.watts * made_up.step_s * floor(made_up.now_s / made_up.step_s);
    return made_up.fail_at > 0 && made_up.calls >= made_up.fail_at
               ? be_fail(e, BE_ABSENT, "the counter is gone")
               : BE_OK;
}

static void close_made_up(struct be_energy *energy) {
    (void)energy;
}

static const struct be_energy_source source_made_up = {.read = read_made_up,
                                                       .close = close_made_up};

static bool cancelled(void *context) {
    (void)context;
    return made_up.cancel_at > 0 && made_up.calls >= made_up.cancel_at;
}

static const struct be_cancel cancel = {.asked = cancelled};

/* The energy of the CPU beside a device. */
static enum be_status read_host(struct be_energy *energy, double *joules, struct be_error *e) {
    (void)energy, (void)e;
    *joules = 50 * made_up.host_step_s * floor(made_up.now_s / made_up.host_step_s);
    return made_up.host_fails ? BE_ABSENT : BE_OK;
}

static const struct be_energy_source source_host = {.read = read_host, .close = close_made_up};

/* The energy of calls that are made to take so long. */
static struct be_result take(double call_s, double step_s, double until_s) {
    struct odd odd;
    struct be_data data;
    struct be_scratch scratch = {0};
    struct be_case c;
    set_odd(&odd, &be_workload_power);
    odd.variant.host = host_takes_time;
    const struct be_problem problem = problem_of(&odd.workload, 1000);
    CHECK(be_data_open(&problem, 1, team, 1, &data, &error));
    be_case_init(&c, &cpu, &data, NULL, &scratch, 0, BE_HOST, BE_HOT);
    c.result.phase[BE_TOTAL].median_s = call_s;
    made_up.now_s = 0.0123;
    made_up.calls = 0;
    made_up.call_s = call_s;
    made_up.step_s = step_s;
    made_up.watts = 200;
    struct be_meter meter = {
        .energy = {.source = &source_made_up, .name = "made up", .limit_w = made_up.limit_w},
        .step_s = step_s,
        .read_s = 1e-5};
    struct be_meter host = {.energy = {.source = &source_host, .limit_w = NAN},
                            .step_s = made_up.host_step_s,
                            .read_s = 1e-5};
    be_case_energy(&c, &meter, made_up.host ? &host : NULL, &clock_of_calls, until_s, &cancel);
    const struct be_result result = c.result;
    be_case_free(&c);
    be_data_close(&data);
    return result;
}

static void expect_energy(double call_s, double step_s) {
    const struct be_result r = take(call_s, step_s, INFINITY);
    const double right = 200 * call_s;
    if (!(r.joules_lo <= right && right <= r.joules_hi && r.joules_hi < 1.05 * r.joules_lo)) {
        fail_msg("calls of %g s, steps of %g s: %g (%g - %g) J, not %g: %s", call_s, step_s,
                 r.joules, r.joules_lo, r.joules_hi, right, r.energy_note);
    }
    assert_true(fabs(r.energy_s - call_s) < 1e-9 * call_s);
    assert_string_equal(r.energy_source, "made up");
    assert_string_equal(r.energy_note, "");
    assert_true(made_up.now_s > 1 && made_up.now_s < 11);
}

static void right_within_its_interval(void **state) {
    (void)state;
    static const double calls[] = {3e-5, 1.1e-3, 7e-3, 0.0991, 0.25, 1.3, 4.7};
    static const double steps[] = {1e-3, 0.02, 0.1};
    for (size_t i = 0; i < BE_COUNT(calls); i++) {
        for (size_t k = 0; k < BE_COUNT(steps); k++) {
            expect_energy(calls[i], steps[k]);
        }
    }
}

static void expect_no_energy(const struct be_result *r, const char *words) {
    assert_true(isnan(r->joules) && isnan(r->joules_lo) && isnan(r->joules_hi));
    assert_true(isnan(r->host_joules) && isnan(r->energy_s));
    assert_string_equal(r->energy_source, "");
    if (!strstr(r->energy_note, words)) {
        fail_msg("\"%s\", not \"%s\"", r->energy_note, words);
    }
}

/* Its steps are as long as all the calls that there is time for. */
static void too_few_steps(void **state) {
    (void)state;
    const struct be_result r = take(2.5, 6, INFINITY);
    expect_no_energy(&r, "too few updates of the counter (one in 6 s)");
    assert_true(made_up.now_s < 13);
    const struct be_result s = take(1e-3, 30, INFINITY);
    expect_no_energy(&s, "too few updates of the counter (one in 30 s)");
    assert_true(made_up.now_s < 11);
}

/* As where a GPU lowers its clocks: joules over the median would be 229 W. */
static void slower_while_counted(void **state) {
    (void)state;
    made_up.slower = 8.0 / 7;
    const struct be_result r = take(7e-3, 0.02, INFINITY);
    assert_true(fabs(r.energy_s - 8e-3) < 1e-9);
    assert_true(fabs(r.joules / r.energy_s - 200) < 0.02 * 200);
    assert_true(r.joules / 7e-3 > 1.1 * made_up.limit_w);
    made_up.slower = 1;
}

static void beyond_the_limit(void **state) {
    (void)state;
    made_up.host = true;
    made_up.limit_w = 200 / 1.12;
    const struct be_result r = take(7e-3, 0.02, INFINITY);
    expect_no_energy(&r, "made up counted 200 W, beyond the power limit of 179 W");
    made_up.limit_w = 200 / 1.08;
    assert_true(take(7e-3, 0.02, INFINITY).joules > 0);
    made_up.limit_w = NAN;
    assert_true(take(7e-3, 0.02, INFINITY).joules > 0);
    made_up.limit_w = 200;
    made_up.host = false;
}

static void no_time(void **state) {
    (void)state;
    const struct be_result r = take(1e-3, 0.02, 0.9);
    expect_no_energy(&r, "no time was left for it");
    assert_int_equal(made_up.calls, 0);
    const struct be_result s = take(3, 0.02, 2);
    expect_no_energy(&s, "no time was left for it");
    assert_int_equal(made_up.calls, 0);
}

static void ended(void **state) {
    (void)state;
    made_up.cancel_at = 500;
    const struct be_result r = take(1e-3, 0.02, INFINITY);
    expect_no_energy(&r, "ended before it was measured");
    assert_int_equal(made_up.calls, 500);
    assert_int_equal(r.status, BE_RESULT_OK);
    made_up.cancel_at = 0;
}

static void beside_a_device(void **state) {
    (void)state;
    assert_true(isnan(take(7e-3, 0.02, INFINITY).host_joules));
    made_up.host = true;
    const struct be_result r = take(7e-3, 0.02, INFINITY);
    assert_true(fabs(r.host_joules - 50 * 7e-3) < 0.02 * 50 * 7e-3);
    assert_true(fabs(r.joules - 200 * 7e-3) < 0.02 * 200 * 7e-3);
    made_up.host_step_s = 0.2; /* of a second: no interval is kept that could say so */
    assert_true(isnan(take(100e-3, 0.02, INFINITY).host_joules));
    made_up.host_step_s = 1e-3;
    made_up.host_fails = true;
    const struct be_result s = take(7e-3, 0.02, INFINITY);
    assert_true(isnan(s.host_joules) && s.joules > 0);
    made_up.host = made_up.host_fails = false;
}

static void counter_fails(void **state) {
    (void)state;
    made_up.fail_at = 700;
    const struct be_result r = take(1e-3, 0.02, INFINITY);
    expect_no_energy(&r, "the counter is gone");
    made_up.fail_at = 0;
}

/* A team of one: of the hundred thousands of calls, none has anything for others to do. */
static int open_place(void **state) {
    (void)state;
    CHECK(be_cores_find(&cores, &error));
    CHECK(be_team_open(&cores, 1, &team, &error));
    cpu = (struct be_place){.info = processor, .threads = 1, .team = team, .ceilings = sky};
    return 0;
}

static int close_place(void **state) {
    (void)state;
    be_team_close(team);
    return 0;
}

int main(void) {
    const struct CMUnitTest counters[] = {
        cmocka_unit_test(packages_and_memory),
        cmocka_unit_test(went_back),
        cmocka_unit_test(no_counter),
        cmocka_unit_test(stands_still),
    };
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(right_within_its_interval),
        cmocka_unit_test(too_few_steps),
        cmocka_unit_test(slower_while_counted),
        cmocka_unit_test(beyond_the_limit),
        cmocka_unit_test(no_time),
        cmocka_unit_test(ended),
        cmocka_unit_test(beside_a_device),
        cmocka_unit_test(counter_fails),
    };
    int failed =
        cmocka_run_group_tests_name("energy of packages", counters, make_root, remove_root);
    return failed + cmocka_run_group_tests_name("energy of cases", cases, open_place, close_place);
}
