/* Which processes are a batch job's: on made-up control groups and environments. */
#include "fake_files.h"
#include <math.h>

#include "base/error.h"
#include "observe/process/job.h"
#include "observe/process/job_group.h"
#include "observe/sources/sources.h"

/* ---- the text of /proc/PID/cgroup ------------------------------------------------------------ */

static const struct {
    const char *text, *job, *step; /* job empty: none is named */
} named[] = {
    /* Slurm, cgroup/v1, and several daemons on a node */
    {"11:memory:/slurm/uid_1000/job_12/step_0/task_0\n1:name=systemd:/system.slice/"
     "slurmd.service\n",
     "12", "0"},
    {"4:cpuset:/slurm_n1/uid_1000/job_12/step_batch\n", "12", "batch"},
    {"4:cpuset:/slurm/uid_0/job_12\n3:memory:/slurm/uid_0/job_12/step_extern\n", "12", "extern"},
    /* Slurm, cgroup/v2 */
    {"0::/system.slice/slurmstepd.scope/job_12/step_0/user/task_0\n", "12", "0"},
    {"0::/system.slice/n1_slurmstepd.scope/job_12/step_interactive/slurm\n", "12", "interactive"},
    {"0::/system.slice/slurmstepd.scope/job_12\n", "12", ""},
    {"0::/../system.slice/slurmstepd.scope/job_12/step_1", "12", "1"}, /* in a cgroup namespace */
    /* version 1 and 2 together */
    {"5:memory:/slurm/uid_7/job_8/step_2/task_1\n0::/system.slice/slurmd.service\n", "8", "2"},
    /* LSF */
    {"9:freezer:/lsf/cluster1/job.12.4711.1763739132\n", "12", ""},
    {"0::/lsf/cluster1/job.12[3].4711.1763739132\n", "12[3]", ""},
    {"0::/lsf/cluster1/job.12\n", "12", ""},
    /* Slurm 26.05, by SLUID */
    {"0::/system.slice/slurmstepd.scope/s8FXKTA79XAR00/step_batch/user/task_special\n",
     "s8FXKTA79XAR00", "batch"},
    {"0::/system.slice/n1_slurmstepd.scope/sEKNKTV3WPV500\n", "sEKNKTV3WPV500", ""},
    /* no SLUID, or not where Slurm has it */
    {"0::/system.slice/slurmstepd.scope/s8FXKTA79XAR0/step_0\n", "", ""},
    {"0::/system.slice/slurmstepd.scope/s8FXKTA79XAR000/step_0\n", "", ""},
    {"0::/system.slice/slurmstepd.scope/s8fxkta79xar00/step_0\n", "", ""},
    {"0::/system.slice/slurmstepd.scope/S8FXKTA79XAR00/step_0\n", "", ""},
    {"0::/system.slice/slurmstepd.scope/system/s8FXKTA79XAR00\n", "", ""},
    {"0::/user.slice/s8FXKTA79XAR00/step_0\n", "", ""},
    {"4:memory:/slurm/s8FXKTA79XAR00/step_0\n", "", ""},
    /* no batch job's */
    {"0::/system.slice/slurmstepd.scope/system\n", "", ""},
    {"0::/user.slice/user-1000.slice/job_12\n", "", ""},
    {"0::/docker/job.12.3\n", "", ""},
    {"0::/system.slice/slurmstepd.scope/job_/step_0\n", "", ""},
    {"0::/system.slice/slurmstepd.scope/job_abc/step_0\n", "", ""},
    {"0::/slurmish/uid_1/job_12\n", "", ""},
    {"0::/slurm/uid_1/myjob_12\n", "", ""},
    {"0::/\n", "", ""},
    {"nonsense", "", ""},
    {":", "", ""},
    {"", "", ""},
};

static void test_paths(void **state) {
    (void)state;
    for (size_t i = 0; i < BE_COUNT(named); i++) {
        struct be_job_group group;
        assert_int_equal(be_job_group_read(named[i].text, &group), named[i].job[0] != '\0');
        assert_string_equal(group.job, named[i].job);
        assert_string_equal(group.step, named[i].step);
    }
}

/* A name that has no room is none, and not another's beginning. */
static void test_endless_names(void **state) {
    (void)state;
    struct be_job_group group;
    char text[1024];
    memset(text, '1', sizeof text);
    memcpy(text, "0::/slurm/job_", 14);
    text[sizeof text - 1] = '\0';
    assert_false(be_job_group_read(text, &group));
}

static void test_group_of_the_whole_job(void **state) {
    (void)state;
    static const char *const paths[][2] = {
        {"/slurm/uid_1000/job_12/step_0/task_0", "/slurm/uid_1000/job_12"},
        {"/system.slice/slurmstepd.scope/job_12/step_0/user/task_0",
         "/system.slice/slurmstepd.scope/job_12"},
        {"/system.slice/slurmstepd.scope/job_12", "/system.slice/slurmstepd.scope/job_12"},
        {"/system.slice/slurmstepd.scope/s8FXKTA79XAR00/step_0/user/task_0",
         "/system.slice/slurmstepd.scope/s8FXKTA79XAR00"},
        {"/lsf/one/job.12.1.2/more", "/lsf/one/job.12.1.2"},
        {"/user.slice/job_12/x", "/user.slice/job_12/x"},
        {"", ""},
    };
    for (size_t i = 0; i < BE_COUNT(paths); i++) {
        char path[128];
        snprintf(path, sizeof path, "%s", paths[i][0]);
        bool cut = be_job_group_cut(path);
        assert_string_equal(path, paths[i][1]);
        assert_int_equal(cut, i < 5);
    }
}

/* The last value of a signal; NAN: none. */
static double sunk(const struct be_sink *sink, enum be_signal signal) {
    double value = NAN;
    for (size_t i = 0; i < (size_t)sink->values; i++) {
        value = sink->value[i].signal == signal ? sink->value[i].value : value;
    }
    return value;
}

static void sample_group(const struct be_watched *watched, struct be_sink *sink) {
    struct be_error error = {0};
    void *self = NULL;
    const struct be_moment moment = {.from_s = 0, .now_s = 1, .budget_s = 1};
    *sink = (struct be_sink){0};
    assert_int_equal(be_signal_source_cgroup.open(watched, &self, &error), BE_OK);
    assert_int_equal(be_signal_source_cgroup.sample(self, &moment, sink, &error), BE_OK);
    be_signal_source_cgroup.close(self);
}

/* The count of the job's group is told, with all its steps. */
static void test_source_counts_the_job(void **state) {
    (void)state;
    struct be_watched watched = {.root = 11, .with_root = true, .job = true, .files = fake_root};
    static struct be_sink sink;
    fake_file("/proc/11/cgroup", "0::%s/job_12/step_0/user/task_0\n",
              "/system.slice/slurmstepd.scope");
    fake_file("/sys/fs/cgroup/cgroup.controllers", "cpu io memory\n");
    for (int step = 0; step < 2; step++) {
        const char *const folder[] = {"job_12", "job_12/step_0/user/task_0"};
        char path[128];
        snprintf(path, sizeof path, "/sys/fs/cgroup/system.slice/slurmstepd.scope/%s/memory.stat",
                 folder[step]);
        fake_file(path, "anon %d\n", step ? 5 : 500);
    }
    sample_group(&watched, &sink);
    assert_string_equal(sink.detail, "v2 at /system.slice/slurmstepd.scope/job_12");
    assert_float_equal(sunk(&sink, BE_GROUP_MEMORY), 500, 1e-9);
    assert_float_equal(sunk(&sink, BE_JOB_MEMORY), 500, 1e-9);
    /* For a program in it: its own group, and the job's memory beside it. */
    watched.job = false;
    sample_group(&watched, &sink);
    assert_string_equal(sink.detail,
                        "v2 at /system.slice/slurmstepd.scope/job_12/step_0/user/task_0");
    assert_float_equal(sunk(&sink, BE_GROUP_MEMORY), 5, 1e-9);
    assert_float_equal(sunk(&sink, BE_JOB_MEMORY), 500, 1e-9);
    /* A login session is no job, and others are in it. */
    fake_file("/proc/11/cgroup", "0::/user.slice/job_12/x\n");
    fake_file("/sys/fs/cgroup/user.slice/job_12/x/memory.stat", "anon 7\n");
    sample_group(&watched, &sink);
    assert_float_equal(sunk(&sink, BE_GROUP_MEMORY), 7, 1e-9);
    assert_true(isnan(sunk(&sink, BE_JOB_MEMORY)));
}

/* Version 1 counts a kill in the group of the task that the process was in, and in no group above it. */
static void test_kills_in_the_steps_of_a_job(void **state) {
    (void)state;
    static const struct {
        const char *group;
        int before, after;
    } counts[] = {
        {"job_12", 0, 0},
        {"job_12/step_batch/task_0", 1, 1},
        {"job_12/step_0", 0, 1},
        {"job_12/step_0/task_0", 0, 2},
        {"job_12/step_0/task_1", 3, 7},
        {"job_13/step_0/task_0", 0, 50},
    };
    struct be_watched watched = {.root = 11, .with_root = true, .job = true, .files = fake_root};
    const struct be_moment moment = {.from_s = 0, .now_s = 1, .budget_s = 1};
    struct be_error error = {0};
    static struct be_sink sink;
    void *self = NULL;
    fake_file("/proc/11/cgroup", "5:memory:/slurm/uid_1000/job_12/step_0/task_0\n");
    for (int late = 0; late < 2; late++) {
        for (size_t i = 0; i < BE_COUNT(counts); i++) {
            char path[128];
            snprintf(path, sizeof path,
                     "/sys/fs/cgroup/memory/slurm/uid_1000/%s/memory.oom_control", counts[i].group);
            fake_file(path, "oom_kill_disable 0\nunder_oom 0\noom_kill %d\n",
                      late ? counts[i].after : counts[i].before);
        }
        if (!late) {
            assert_int_equal(be_signal_source_cgroup.open(&watched, &self, &error), BE_OK);
        }
    }
    assert_int_equal(be_signal_source_cgroup.sample(self, &moment, &sink, &error), BE_OK);
    be_signal_source_cgroup.close(self);
    assert_float_equal(sunk(&sink, BE_GROUP_OOM_KILLS), 7, 1e-9);
}

static void test_ids(void **state) {
    (void)state;
    const struct be_job_group step = {.job = "12", .step = "0"}, whole = {.job = "12"};
    assert_true(be_job_group_is(&step, "12"));
    assert_true(be_job_group_is(&step, "12.0"));
    assert_false(be_job_group_is(&step, "12.1"));
    assert_false(be_job_group_is(&step, "1"));
    assert_false(be_job_group_is(&step, "120"));
    assert_true(be_job_group_is(&whole, "12"));
    assert_false(be_job_group_is(&whole, "12."));
}

/* ---- processes ------------------------------------------------------------------------------- */

/* `environment`: words with a blank behind each; NULL: nobody may read it. */
static void process(int pid, const char *group, const char *environment) {
    char path[64], whole[sizeof fake_root + 64];
    snprintf(path, sizeof path, "/proc/%d/cgroup", pid);
    fake_file(path, "0::%s\n", group);
    fake_process(&(struct fake_process){.pid = pid, .parent = 1});
    snprintf(path, sizeof path, "/proc/%d/environ", pid);
    if (environment) {
        snprintf(whole, sizeof whole, "%s%s", fake_root, path);
        FILE *file = fopen(whole, "w");
        assert_non_null(file);
        for (const char *at = environment; *at; at++) {
            fputc(*at == ' ' ? '\0' : *at, file);
        }
        assert_int_equal(fclose(file), 0);
    }
}

static const char scope[] = "/system.slice/slurmstepd.scope";

static void make_processes(void) {
    char path[128];
    snprintf(path, sizeof path, "%s/job_12/step_extern/user", scope);
    process(10, path, NULL); /* another user's, or root's: the group alone says so */
    snprintf(path, sizeof path, "%s/job_12/step_0/user/task_0", scope);
    process(11, path, "A=1 SLURM_JOB_ID=12 SLURM_STEP_ID=0 ");
    snprintf(path, sizeof path, "%s/job_13/step_0/user/task_0", scope);
    process(12, path, "SLURM_JOB_ID=12 "); /* of another job, with a variable that was left */
    process(13, "/user.slice", "SLURM_JOB_ID=12 ");
    process(14, "/user.slice", "SLURM_JOB_ID=120 LSB_JOBID=1 ");
    process(15, "/", "LSB_JOBID=77 LSB_JOBINDEX=3 ");
    process(16, "/lsf/one/job.77.1.2", "LSB_JOBID=77 LSB_JOBINDEX=0 ");
    process(17, "/", "PBS_JOBID=5.host ");
    snprintf(path, sizeof path, "%s/job_99/step_batch/user/task_0", scope);
    process(18, path, "SLURM_JOB_ID=99 SLURM_ARRAY_JOB_ID=90 SLURM_ARRAY_TASK_ID=4 ");
    process(19, "/lsf/one/job.80[2].1.2", "LSB_JOBID=80 LSB_JOBINDEX=2 ");
}

static void test_belongs(void **state) {
    (void)state;
    static const struct {
        const char *id, *pids;
    } expected[] = {
        {"12", " 10 11 13"}, {"12.0", " 11"},  {"12.extern", " 10"},
        {"13", " 12"},       {"120", " 14"},   {"1", " 14"},
        {"77", " 15 16"},    {"77[3]", " 15"}, {"5.host", " 17"},
        {"99", " 18"},       {"90_4", " 18"},  {"90_5", ""},
        {"80[2]", " 19"},    {"80", " 19"},    {"4", ""},
        {"5", " 17"},        {"5.ho", ""},     {"", ""},
    };
    make_processes();
    for (size_t i = 0; i < BE_COUNT(expected); i++) {
        char pids[64] = "";
        for (int pid = 9; pid < 21; pid++) {
            const struct be_job_wanted wanted = {.id = expected[i].id};
            if (be_job_has(fake_root, pid, &wanted)) {
                size_t at = strlen(pids);
                snprintf(pids + at, sizeof pids - at, " %d", pid);
            }
        }
        if (strcmp(pids, expected[i].pids) != 0) {
            fail_msg("%s: expected%s, got%s", expected[i].id, expected[i].pids, pids);
        }
    }
}

/* The first process of a job; 0: there is none. */
static int found_first(const char *id, const char *sluid, bool unnamed) {
    struct be_error error = {0};
    struct be_job_wanted wanted = {.id = id};
    bool some_unnamed = false;
    pid_t pid = 0;
    enum be_status status = be_job_find(fake_root, &wanted, &pid, &some_unnamed, &error);
    assert_string_equal(wanted.sluid, sluid);
    assert_int_equal(some_unnamed, unnamed);
    if (status != BE_OK) {
        char advice[64];
        snprintf(advice, sizeof advice, "srun --jobid=%s ", id);
        assert_int_equal(status, BE_ABSENT);
        assert_non_null(strstr(error.text, advice));
        return 0;
    }
    return pid;
}

/* One whose environment can be read is preferred: it tells what was asked for. */
static void test_found(void **state) {
    (void)state;
    make_processes();
    assert_int_equal(found_first("12", "", false), 11);
    assert_int_equal(found_first("12.extern", "", false), 10);
    assert_int_equal(found_first("4", "", false), 0);
}

/* ---- groups with a SLUID --------------------------------------------------------------------- */

static const char here[] = "s8FXKTA79XAR00", there[] = "sEKNKTV3WPV500";

static void sluid_process(int pid, const char *sluid, const char *below, const char *environment) {
    char path[160];
    snprintf(path, sizeof path, "%s/%s/%s", scope, sluid, below);
    process(pid, path, environment);
}

/* The processes of a job once it was looked for. */
static void expect_members(const char *id, const char *sluid, const char *expected) {
    struct be_error error = {0};
    struct be_job_wanted wanted = {.id = id};
    bool unnamed = false;
    pid_t pid = 0;
    char pids[64] = "";
    be_job_find(fake_root, &wanted, &pid, &unnamed, &error);
    assert_string_equal(wanted.sluid, sluid);
    for (pid = 9; pid < 21; pid++) {
        size_t at = strlen(pids);
        if (be_job_has(fake_root, pid, &wanted)) {
            snprintf(pids + at, sizeof pids - at, " %d", (int)pid);
        }
    }
    if (strcmp(pids, expected) != 0) {
        fail_msg("%s: expected%s, got%s", id, expected, pids);
    }
}

/* The title of Slurm's own process in a group says whose the group is, before what environments say: in job 13 somebody
 * works with the variables of job 12. */
static void test_sluid_by_title(void **state) {
    (void)state;
    sluid_process(9, here, "step_0/slurm", NULL);
    fake_file("/proc/9/cmdline", "slurmstepd: [12.0]");
    sluid_process(10, here, "step_0/user/task_0", NULL); /* its environment may not be read */
    sluid_process(11, here, "step_batch/user/task_special", NULL);
    sluid_process(12, there, "step_extern/slurm", NULL);
    fake_file("/proc/12/cmdline", "slurmstepd: [13.extern]");
    sluid_process(13, there, "step_extern/user", "SLURM_JOB_ID=12 ");
    sluid_process(14, there, "step_0/slurm", NULL);
    fake_file("/proc/14/cmdline", "slurmstepd: [120.0]");
    expect_members("12", here, " 9 10 11");
    expect_members("12.batch", here, " 11");
    expect_members("12.0", here, " 9 10");
    expect_members("13", there, " 12 13 14");
    expect_members("1", "", "");
    expect_members(here, "", " 9 10 11");
    assert_int_equal(found_first("12", here, false), 9);
}

/* Where nobody may see that title, the environment says it: of a task of an array it is the only one that knows
 * both numbers. */
static void test_sluid_by_environment(void **state) {
    (void)state;
    sluid_process(10, here, "step_0/user/task_0", NULL);
    sluid_process(11, here, "step_0/user/task_1",
                  "SLURM_JOB_ID=99 SLURM_ARRAY_JOB_ID=90 SLURM_ARRAY_TASK_ID=4 ");
    sluid_process(12, there, "step_batch/user",
                  "SLURM_JOB_ID=99 SLURM_JOB_SLUID=s8FXKTA79XAR00 "); /* left from job 99 */
    expect_members("99", here, " 10 11");
    expect_members("90_4", here, " 10 11");
    expect_members("90_5", "", "");
    assert_int_equal(found_first("99", here, false), 11);
}

/* Nothing on the machine tells: then it is said that somebody else may know, and taken as known. */
static void test_sluid_from_elsewhere(void **state) {
    (void)state;
    sluid_process(10, here, "step_0/user/task_0", NULL);
    sluid_process(11, there, "step_0/user/task_0", NULL);
    assert_int_equal(found_first("12", "", true), 0);
    struct be_job_wanted wanted = {.id = "12.0"};
    struct be_error error = {0};
    bool unnamed = false;
    pid_t pid = 0;
    be_copy_text(wanted.sluid, sizeof wanted.sluid, there);
    assert_int_equal(be_job_find(fake_root, &wanted, &pid, &unnamed, &error), BE_OK);
    assert_int_equal(pid, 11);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_endless_names),
        cmocka_unit_test_setup_teardown(test_kills_in_the_steps_of_a_job, make_root, remove_root),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_group_of_the_whole_job),
        cmocka_unit_test_setup_teardown(test_source_counts_the_job, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_belongs, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_found, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_sluid_by_title, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_sluid_by_environment, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_sluid_from_elsewhere, make_root, remove_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
