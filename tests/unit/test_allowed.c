/* The CPUs and memory that a program may use: the CPUs of all its threads, and the limits of the control group that it
 * was put into. */
#include "fake_files.h"

#include <math.h>
#include <unistd.h>

#include "base/error.h"
#include "observe/process/allowed.h"
#include "observe/process/limits.h"
#include "observe/process/threads.h"
#include "observe/sampler/sampler.h"
#include "observe/sources/sources.h"

/* ---- sets of CPUs ------------------------------------------------------------------------------ */

static void lists_of_cpus(void **state) {
    (void)state;
    static const struct {
        const char *list;
        int count;
    } cases[] = {{"0", 1},   {"0-3\n", 4},         {"0-3,8", 5}, {"1,3,5\n", 3},
                 {"", 0},    {"4095-5000\n", 1},   {"x", 0},     {"0-1,64-65,128", 5},
                 {"7-7", 1}, {"99999999999999", 0}};
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_cpus cpus;
        assert_int_equal(be_cpus_read(cases[i].list, &cpus), cases[i].count > 0);
        assert_int_equal(be_cpus_count(&cpus), cases[i].count);
    }
}

/* The time before a program binds its threads does not count, nor does a thread that hardly works. */
static void those_that_work_count(void **state) {
    (void)state;
    struct be_allowed allowed = {0};
    struct be_cpus all, one, other;
    be_cpus_read("0-63", &all);
    be_cpus_read("5", &one);
    be_cpus_read("9", &other);
    int of_all = be_allowed_set(&allowed, &all), of_one = be_allowed_set(&allowed, &one);
    int of_other = be_allowed_set(&allowed, &other);
    assert_int_equal(be_allowed_set(&allowed, &one), of_one);
    assert_int_equal(be_allowed_count(&allowed, 10), 0);
    be_allowed_wanted(&allowed, of_all, 0.4);
    be_allowed_wanted(&allowed, of_one, 9);
    assert_int_equal(be_allowed_count(&allowed, 10), 1);
    be_allowed_wanted(&allowed, of_other, 5);
    assert_int_equal(be_allowed_count(&allowed, 10), 2);
    be_allowed_wanted(&allowed, of_all, 0.4);
    assert_int_equal(be_allowed_count(&allowed, 10), 64);
    be_allowed_wanted(&allowed, -1, 5); /* there was no room for its set */
    be_allowed_free(&allowed);
}

static void sets_beyond_the_room(void **state) {
    (void)state;
    struct be_allowed allowed = {0};
    for (int i = 0; i < BE_CPU_SETS_MAX + 5; i++) {
        char list[16];
        struct be_cpus cpus;
        snprintf(list, sizeof list, "%d", i);
        be_cpus_read(list, &cpus);
        assert_int_equal(be_allowed_set(&allowed, &cpus), i < BE_CPU_SETS_MAX ? i : -1);
    }
    be_allowed_free(&allowed);
}

/* ---- threads ----------------------------------------------------------------------------------- */

enum { MAIN = 1000, THREADS = 4 };

static void fake_thread(int tid, int run_ms, int wait_ms, const char *cpus) {
    char path[128];
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", MAIN, tid);
    fake_stat(path, &(struct fake_process){.pid = tid, .parent = 50, .state = 'R', .start = 10000});
    snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", MAIN, tid);
    fake_file(path, "%d000000 %d000000 %d\n", run_ms, wait_ms, 1 + run_ms);
    snprintf(path, sizeof path, "/proc/%d/task/%d/status", MAIN, tid);
    fake_file(path, "Name:\tprog\nCpus_allowed:\tff\nCpus_allowed_list:\t%s\nMems_allowed:\t1\n",
              cpus);
}

static int make_program(void **state) {
    int failed = make_root(state);
    fake_file("/proc/uptime", "100.00 100.00\n");
    fake_file("/proc/loadavg", "0.50 0.40 0.30 1/200 2000\n");
    fake_file("/proc/meminfo", "MemTotal: 1000000 kB\nMemAvailable: 400 kB\n");
    fake_process(&(struct fake_process){.pid = 50, .parent = 1, .start = 100});
    fake_file("/proc/50/schedstat", "7000000 0 3\n");
    fake_file("/proc/50/task/50/status", "Cpus_allowed_list:\t0-7\n");
    fake_process(
        &(struct fake_process){.pid = MAIN, .parent = 50, .start = 10000, .threads = THREADS});
    return failed;
}

/* The first thread may use all and waits; those that work share two cores. */
static void threads_of_a_run(void **state) {
    (void)state;
    static const struct be_watched watched = {.root = 50, .except = 51, .files = fake_root};
    struct be_tree *tree;
    struct be_threads *threads;
    struct be_threads_sum sum;
    struct be_error error = {0};
    assert_int_equal(be_tree_open(&watched, &tree, &error), BE_OK);
    assert_int_equal(be_threads_open(&watched, &threads, &error), BE_OK);
    for (int second = 0; second < 4; second++) {
        fake_thread(MAIN, 5, 0, "0-7");
        fake_thread(MAIN + 1, 1 + 300 * second, 700 * second, "3");
        fake_thread(MAIN + 2, 1 + 300 * second, 700 * second, "3");
        fake_thread(MAIN + 3, 1 + 300 * second, 700 * second, "4");
        be_tree_look(tree, second + 1, 1);
        be_threads_look(threads, tree, second + 1, 1, &sum);
    }
    assert_int_equal(sum.allowed, 2);
    be_threads_close(threads);
    be_tree_close(tree);
}

/* ---- limits ------------------------------------------------------------------------------------ */

static double scripted_s;

static double scripted_now(void *context) {
    (void)context;
    return scripted_s;
}

static struct be_sampler *sampler_of(const struct be_watched *watched) {
    static const struct be_signal_source *const sources[] = {&be_signal_source_proc,
                                                             &be_signal_source_cgroup, NULL};
    struct be_sampler *sampler;
    struct be_error error = {0};
    struct be_sampler_options options = {
        .watched = *watched, .sources = sources, .interval_s = 1, .clock = {.now = scripted_now}};
    scripted_s = 1000;
    assert_int_equal(be_sampler_open(&options, &sampler, &error), BE_OK);
    return sampler;
}

/* Its first thread is bound to one core, as OpenMP binds it; so is each of the others. */
static void all_threads_of_what_is_watched(void **state) {
    (void)state;
    static const struct be_watched watched = {.root = MAIN, .with_root = true, .files = fake_root};
    for (int i = 0; i < THREADS; i++) {
        char cpus[16];
        snprintf(cpus, sizeof cpus, "%d", i);
        fake_thread(MAIN + i, 1, 0, cpus);
    }
    struct be_sampler *sampler = sampler_of(&watched);
    assert_int_equal(be_sampler_trace(sampler)->limits.cpus, THREADS);
    be_sampler_close(sampler);
}

/* The command is started in a group of its own: its limits are what holds. */
static void group_of_the_command(void **state) {
    (void)state;
    static const struct be_watched watched = {.root = 50, .except = 51, .files = fake_root};
    fake_file("/sys/fs/cgroup/cgroup.controllers", "cpu io memory\n");
    fake_file("/sys/fs/cgroup/mine/memory.stat", "anon 1\n");
    fake_file("/sys/fs/cgroup/box/memory.stat", "anon 7\nworkingset_refault_file 10\n");
    fake_file("/sys/fs/cgroup/box/memory.max", "104857600\n");
    fake_file("/sys/fs/cgroup/box/cpu.max", "50000 100000\n");
    fake_file("/proc/50/cgroup", "0::/mine\n");
    fake_file("/proc/1000/cgroup", "0::/mine\n");
    struct fake_process command = {.pid = MAIN, .parent = 50, .start = 10000, .user = 10};
    fake_process(&command);
    struct be_sampler *sampler = sampler_of(&watched);
    const struct be_trace *trace = be_sampler_trace(sampler);
    assert_true(isnan(trace->limits.cpus_quota));
    scripted_s += 2;
    be_sampler_tick(sampler, false);
    assert_true(isnan(trace->limits.cpus_quota));
    fake_file("/proc/1000/cgroup", "0::/box\n");
    for (int i = 0; i < 3; i++) {
        command.user += 100;
        fake_process(&command);
        fake_file("/sys/fs/cgroup/box/memory.stat", "anon 7\nworkingset_refault_file %d\n",
                  10 + 4000 * i);
        scripted_s += 2;
        be_sampler_tick(sampler, false);
    }
    assert_true(trace->limits.cpus_quota == 0.5);
    assert_int_equal(trace->limits.cpus, 1);
    assert_string_equal(trace->limits.cpus_by,
                        sysconf(_SC_NPROCESSORS_ONLN) > 1 ? "cgroup quota" : trace->limits.cpus_by);
    assert_true(trace->limits.memory_bytes == 104857600);
    assert_string_equal(trace->limits.memory_by, "cgroup");
    assert_non_null(strstr(trace->source[1].detail, "/box"));
    assert_true(be_trace_at(trace, BE_GROUP_REFAULTS, 0, trace->ticks - 1) == 2000);
    be_sampler_close(sampler);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_of_cpus),
        cmocka_unit_test(those_that_work_count),
        cmocka_unit_test(sets_beyond_the_room),
        cmocka_unit_test_setup_teardown(threads_of_a_run, make_program, remove_root),
        cmocka_unit_test_setup_teardown(all_threads_of_what_is_watched, make_program, remove_root),
        cmocka_unit_test_setup_teardown(group_of_the_command, make_program, remove_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
