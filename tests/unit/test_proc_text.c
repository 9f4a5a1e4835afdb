/* The kernel's texts, and groups and limits in folders that are made up. */
#include "fake_files.h"

#include <math.h>

#include "base/error.h"
#include "observe/process/group.h"
#include "observe/process/limits.h"
#include "observe/process/proc_text.h"

static void near(double value, double want) {
    if (isnan(want) ? !isnan(value) : !(fabs(value - want) <= 1e-9 * fmax(1, fabs(want)))) {
        fail_msg("%.12g, not %.12g", value, want);
    }
}

static void stat_of_a_process(void **state) {
    (void)state;
    struct be_proc_stat stat;
    /* A name may hold anything. */
    assert_true(be_proc_stat_read(
        "4711 (a) R (b c) S 7 1 1 0 -1 4194304 11 12 13 14 15 16 17 18 20 0 19 0 2021 1000 22 5\n",
        &stat));
    assert_int_equal(stat.pid, 4711);
    assert_string_equal(stat.name, "a) R (b c");
    assert_int_equal(stat.state, 'S');
    assert_int_equal(stat.parent, 7);
    near(stat.minor_faults, 11);
    near(stat.child_minor_faults, 12);
    near(stat.major_faults, 13);
    near(stat.child_major_faults, 14);
    near(stat.user, 15);
    near(stat.system, 16);
    near(stat.child_user, 17);
    near(stat.child_system, 18);
    assert_int_equal(stat.threads, 19);
    near(stat.start, 2021);
    near(stat.resident, 22);
    static const char *const bad[] = {
        "", "4711", "4711 (x", "4711 (x)", "4711 (x) S 1 2 3", "x) S ( 1", "4711 (x) S a b c d"};
    for (size_t i = 0; i < BE_COUNT(bad); i++) {
        assert_false(be_proc_stat_read(bad[i], &stat));
    }
}

static void small_texts(void **state) {
    (void)state;
    struct be_schedstat sched;
    assert_true(be_schedstat_read("543436 91624 2\n", &sched));
    near(sched.wait_ns, 91624);
    assert_false(be_schedstat_read("1 2", &sched));
    near(be_named_value("a 1\nbc 2\nb 3\n", "b"), 3);
    near(be_named_value("MemTotal:       24683672 kB\n", "MemTotal"), 24683672);
    near(be_named_value("bc 2\n", "b"), NAN);
    near(be_named_value("b x\n", "b"), NAN);
    near(be_named_value("", "b"), NAN);
    near(be_pressure_total("some avg10=0.08 avg60=0.95 avg300=3.41 total=2500000\n"
                           "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"),
         2.5);
    near(be_pressure_total("full avg10=0.00 total=7\n"), NAN);
    near(be_group_limit("max\n"), NAN);
    near(be_group_limit("9223372036854771712\n"), NAN);
    near(be_group_limit("1000\n"), 1000);
    assert_int_equal(be_cpus_a_node("16(x2),8"), 16);
    assert_int_equal(be_cpus_a_node("none"), 0);
    assert_int_equal(be_cpus_a_node("-4"), 0);
}

static void paths_of_groups(void **state) {
    (void)state;
    static const char text[] = "5:cpu,cpuacct:/slurm/job_7\n4:memory:/m:n\n3:cpuset:/c\n0::/v2\n";
    char path[64];
    assert_true(be_group_path(text, "cpuacct", path, sizeof path));
    assert_string_equal(path, "/slurm/job_7");
    assert_true(be_group_path(text, "memory", path, sizeof path));
    assert_string_equal(path, "/m:n");
    assert_true(be_group_path(text, "", path, sizeof path));
    assert_string_equal(path, "/v2");
    assert_false(be_group_path(text, "acct", path, sizeof path));
    assert_false(be_group_path(text, "blkio", path, sizeof path));
}

/* ---- groups --------------------------------------------------------------------------------- */

static double group_value(const struct be_group *group, enum be_group_value which) {
    double value[BE_GROUP_VALUES];
    be_group_values(group, value);
    return value[which];
}

static void version_two(void **state) {
    (void)state;
    struct be_group group;
    struct be_error error = {0};
    fake_file("/proc/9/cgroup", "0::/job/step\n");
    fake_file("/sys/fs/cgroup/cgroup.controllers", "cpu io memory\n");
    fake_file("/sys/fs/cgroup/job/memory.max", "2000\n");
    fake_file("/sys/fs/cgroup/job/cpu.max", "150000 100000\n");
    fake_file("/sys/fs/cgroup/job/step/memory.max", "max\n");
    fake_file("/sys/fs/cgroup/job/step/cpu.max", "max 100000\n");
    fake_file("/sys/fs/cgroup/job/step/cpu.stat", "usage_usec 5000000\nuser_usec 1\n"
                                                  "nr_periods 40\nnr_throttled 10\n"
                                                  "throttled_usec 2000000\n");
    fake_file("/sys/fs/cgroup/job/step/memory.stat", "anon 100\nfile 9999\nkernel 20\nshmem 3\n");
    fake_file("/sys/fs/cgroup/job/step/memory.peak", "11000\n");
    fake_file("/sys/fs/cgroup/job/step/memory.events", "low 0\noom 1\noom_kill 2\n");
    fake_file("/sys/fs/cgroup/job/step/io.stat",
              "8:0 rbytes=10 wbytes=20 rios=1\n8:16 rbytes=5 wbytes=7 rios=1\n");
    fake_file("/sys/fs/cgroup/job/step/io.pressure", "some avg10=0.00 total=3000000\n");
    assert_int_equal(be_group_find(fake_root, 9, &group, &error), BE_OK);
    near(group_value(&group, BE_GROUP_VALUE_CPU), 5);
    near(group_value(&group, BE_GROUP_VALUE_THROTTLED), 2);
    near(group_value(&group, BE_GROUP_VALUE_THROTTLED_PERIODS), 10);
    near(group_value(&group, BE_GROUP_VALUE_MEMORY), 123);
    near(group_value(&group, BE_GROUP_VALUE_PEAK), 11000);
    near(group_value(&group, BE_GROUP_VALUE_OOM_KILLS), 2);
    near(group_value(&group, BE_GROUP_VALUE_READ), 15);
    near(group_value(&group, BE_GROUP_VALUE_WRITTEN), 27);
    near(group_value(&group, BE_GROUP_VALUE_PRESSURE_IO), 3);
    near(group_value(&group, BE_GROUP_VALUE_PRESSURE_CPU), NAN);
    near(be_group_cpus(&group), 1.5); /* of the one above */
    near(be_group_memory(&group), 2000);
    char text[BE_NOTE];
    be_group_describe(&group, text, sizeof text);
    assert_string_equal(text, "v2 at /job/step");
}

static void version_one(void **state) {
    (void)state;
    struct be_group group;
    struct be_error error = {0};
    fake_file("/proc/9/cgroup", "4:memory:/a/b\n2:cpu,cpuacct:/a\n0::/\n");
    fake_file("/sys/fs/cgroup/cpuacct/a/cpuacct.usage", "7000000000\n");
    fake_file("/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "-1\n");
    fake_file("/sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
    fake_file("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "4000\n");
    fake_file("/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n");
    fake_file("/sys/fs/cgroup/memory/a/b/memory.stat", "cache 9\ntotal_rss 60\ntotal_shmem 1\n");
    assert_int_equal(be_group_find(fake_root, 9, &group, &error), BE_OK);
    near(group_value(&group, BE_GROUP_VALUE_CPU), 7);
    near(group_value(&group, BE_GROUP_VALUE_MEMORY), 61);
    near(group_value(&group, BE_GROUP_VALUE_READ), NAN);
    near(be_group_cpus(&group), NAN);
    near(be_group_memory(&group), 4000);
}

/* In a container the path is the host's, what is mounted is the container's own. */
static void in_a_container(void **state) {
    (void)state;
    struct be_group group;
    struct be_error error = {0};
    fake_file("/proc/9/cgroup", "0::/host/docker/4711\n");
    fake_file("/sys/fs/cgroup/cgroup.controllers", "memory\n");
    fake_file("/sys/fs/cgroup/memory.max", "5000\n");
    assert_int_equal(be_group_find(fake_root, 9, &group, &error), BE_OK);
    near(be_group_memory(&group), 5000);
    assert_int_equal(be_group_find(fake_root, 10, &group, &error), BE_ABSENT);
    fake_remove("/sys");
    assert_int_equal(be_group_find(fake_root, 9, &group, &error), BE_ABSENT);
    assert_non_null(strstr(error.text, "no control group"));
}

/* ---- limits --------------------------------------------------------------------------------- */

static struct be_trace_limits limits_in(const char *const *environment, int affinity) {
    struct be_watched watched = {.root = 9, .files = fake_root, .environment = environment};
    return be_limits(&watched, affinity, 16);
}

static void limits(void **state) {
    (void)state;
    fake_file("/proc/meminfo", "MemTotal: 1000 kB\n");
    struct be_trace_limits none = limits_in(NULL, 16);
    assert_int_equal(none.cpus, 16);
    assert_string_equal(none.cpus_by, "machine");
    near(none.memory_bytes, NAN);
    near(none.memory_machine_bytes, 1024000);
    assert_false(none.asked);
    assert_string_equal(limits_in(NULL, 8).cpus_by, "affinity");

    const char *slurm[] = {"SLURM_JOB_ID=4711", "SLURM_CPUS_PER_TASK=2", "SLURM_CPUS_ON_NODE=6",
                           "SLURM_MEM_PER_CPU=2", NULL};
    struct be_trace_limits job = limits_in(slurm, 16);
    assert_int_equal(job.cpus, 6); /* not a task that srun began: all of the job's */
    assert_string_equal(job.cpus_by, "SLURM_CPUS_ON_NODE");
    near(job.memory_bytes, 12 * 1048576.0);
    assert_true(job.asked);
    char name[BE_NAME];
    be_job_name(slurm, name, sizeof name);
    assert_string_equal(name, "slurm 4711");

    const char *task[] = {"SLURM_CPUS_PER_TASK=2", "SLURM_CPUS_ON_NODE=6", "SLURM_STEP_NUM_TASKS=3",
                          "SLURM_MEM_PER_NODE=0", NULL};
    assert_int_equal(limits_in(task, 16).cpus, 2);
    assert_int_equal(limits_in(task, 16).tasks, 1); /* srun has started it: it is one of them */
    const char *tasks[] = {"SLURM_CPUS_ON_NODE=6", "SLURM_NTASKS=9", "SLURM_TASKS_PER_NODE=3(x3)",
                           NULL};
    assert_int_equal(limits_in(tasks, 16).tasks, 3); /* on this node */
    assert_int_equal(job.tasks, 0);
    assert_int_equal(limits_in(tasks, 16).tasks_here, 0);
    static const struct {
        const char *variable;
        int tasks;
    } here[] = {{"SLURM_STEP_TASKS_PER_NODE=8", 8},
                {"SLURM_STEP_TASKS_PER_NODE=2(x3),4(x2),1", 4}, /* ours may be that one */
                {"SLURM_STEP_TASKS_PER_NODE=1(x4)", 1},
                {"SLURM_STEP_TASKS_PER_NODE=,", 0},
                {"OMPI_COMM_WORLD_LOCAL_SIZE=6", 6},
                {"MPI_LOCALNRANKS=5", 5},
                {"SLURM_TASKS_PER_NODE=8", 0}}; /* of the job: it is not one of them */
    for (size_t i = 0; i < sizeof here / sizeof here[0]; i++) {
        const char *of[] = {here[i].variable, NULL};
        assert_int_equal(limits_in(of, 16).tasks_here, here[i].tasks);
    }
    near(limits_in(task, 16).memory_bytes, NAN);

    fake_file("/proc/9/cgroup", "0::/\n");
    fake_file("/sys/fs/cgroup/cgroup.controllers", "cpu\n");
    fake_file("/sys/fs/cgroup/cpu.max", "250000 100000\n");
    fake_file("/sys/fs/cgroup/memory.max", "900000\n");
    struct be_trace_limits quota = limits_in(NULL, 16);
    assert_int_equal(quota.cpus, 3);
    near(quota.cpus_quota, 2.5);
    near(quota.memory_bytes, 900000);
    assert_string_equal(quota.memory_by, "cgroup");
    fake_file("/sys/fs/cgroup/memory.max", "99000000\n"); /* more than there is */
    near(limits_in(NULL, 16).memory_bytes, NAN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stat_of_a_process),
        cmocka_unit_test(small_texts),
        cmocka_unit_test(paths_of_groups),
        cmocka_unit_test_setup_teardown(version_two, make_root, remove_root),
        cmocka_unit_test_setup_teardown(version_one, make_root, remove_root),
        cmocka_unit_test_setup_teardown(in_a_container, make_root, remove_root),
        cmocka_unit_test_setup_teardown(limits, make_root, remove_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
