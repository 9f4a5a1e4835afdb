/* Rules about what a job asked for, on traces made up here: memory, cores of tasks, memory that ran out. */
#include "made_findings.h"

static void asked_for(void **state) {
    (void)state;
    const struct given list[] = {{BE_MEMORY, 0, 6.9e9}, {BE_CPU_BUSY, 0, 3}};
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    make(&made, TICKS, 3.9, list, BE_COUNT(list));
    made.limits.memory_bytes = 10e9;
    assert_int_equal(be_trace_findings(&made, found), 0); /* the machine's, not asked for */
    made.limits.asked = true;
    assert_int_equal(be_trace_findings(&made, found), 1);
    assert_string_equal(found[0].name, "memory-asked");
    assert_string_equal(found[0].advice, "#SBATCH --mem=8G"); /* 1.2 times 6.43 GiB, up */
    /* In the words of whom it was asked of. */
    static const struct {
        const char *job, *advice;
    } words[] = {
        {"slurm 4711", "#SBATCH --mem=8G"},
        {"lsf 12", "#BSUB -R \"rusage[mem=...]\" for 8 GiB in all, in the site's unit"},
        {"pbs 7.head", "#PBS -l select=1:mem=8gb"},
        {"slurmish 1", "#SBATCH --mem=8G"},
    };
    for (size_t i = 0; i < BE_COUNT(words); i++) {
        be_copy_text(made.job, sizeof made.job, words[i].job);
        assert_int_equal(be_trace_findings(&made, found), 1);
        assert_string_equal(found[0].advice, words[i].advice);
    }
    made.limits.memory_bytes = 9.8e9;
    assert_int_equal(be_trace_findings(&made, found), 0);
    be_trace_close(&made);
}

/* Little of a little: in whole GiB there is no less to ask for. */
static void asked_for_one_gib(void **state) {
    (void)state;
    const struct given list[] = {{BE_MEMORY, 0, 6e8}, {BE_CPU_BUSY, 0, 3}};
    struct be_trace made;
    char text[512];
    make(&made, TICKS, 3.9, list, BE_COUNT(list));
    made.limits.asked = true;
    made.limits.memory_bytes = 1073741824;
    assert_string_equal(names(&made, text, sizeof text), "");
    made.limits.memory_bytes = 2.0 * 1073741824;
    assert_string_equal(names(&made, text, sizeof text), "memory-asked");
    be_trace_close(&made);
}

/* The finding with so much memory of the job's group (NAN: that cannot be read), "" for none. */
static const char *asked_of(const struct be_trace_limits *limits, double own, double job,
                            const char *process, char text[1024]) {
    const struct given list[] = {
        {BE_MEMORY, 0, own}, {BE_GROUP_MEMORY, 0, 5e9}, {BE_JOB_MEMORY, 0, job}};
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    make(&made, TICKS, 3.9, list, isnan(job) ? 2 : 3);
    made.limits.asked = true;
    made.limits.memory_bytes = 8192 * 1048576.0;
    be_copy_text(made.limits.memory_by, sizeof made.limits.memory_by, limits->memory_by);
    made.limits.tasks_here = limits->tasks_here;
    be_copy_text(made.process[0].name, sizeof made.process[0].name, process);
    made.processes = 1;
    int count = be_trace_findings(&made, found);
    snprintf(text, 1024, "%s > %s", count ? found[0].evidence : "", count ? found[0].advice : "");
    be_trace_close(&made);
    return text;
}

/* The memory of the whole job on the node counts: one of its tasks, or none of its files, says nothing. */
static void asked_for_by_a_job(void **state) {
    (void)state;
    const struct be_trace_limits one = {.memory_by = "SLURM_MEM_PER_NODE", .tasks_here = 1},
                                 eight = {.memory_by = "SLURM_MEM_PER_NODE", .tasks_here = 8},
                                 held = {.memory_by = "cgroup"};
    const char of_one[] = "memory: 700 MB used, 8.59 GB (8G) asked for (8 %). > #SBATCH --mem=1G";
    char text[1024];
    assert_string_equal(asked_of(&one, 7e8, NAN, "rank", text), of_one);
    assert_string_equal(asked_of(&one, 7e8, 6e8, "rank", text), of_one);
    /* Seven more ranks. */
    assert_string_equal(asked_of(&eight, 7e8, NAN, "rank", text), " > ");
    assert_string_equal(
        asked_of(&eight, 7e8, 5.6e9, "rank", text),
        "memory: 5.6 GB used by all of the job, 8.59 GB (8G) asked for (65 %). > #SBATCH --mem=7G");
    assert_string_equal(asked_of(&eight, 7e8, 6.5e9, "rank", text), " > ");
    /* Files in memory. */
    assert_string_equal(
        asked_of(&one, 2e6, 2.1e9, "sh", text),
        "memory: 2.1 GB used by all of the job, 8.59 GB (8G) asked for (24 %). > #SBATCH --mem=3G");
    /* The group is what the limit is of; else others may be in it. */
    assert_string_equal(
        asked_of(&held, 2e6, NAN, "sh", text),
        "memory: 5 GB used by all of the job, 8.59 GB (8G) asked for (58 %). > #SBATCH --mem=6G");
    /* Slurm starts the tasks, not the program: they are not its descendants. */
    assert_string_equal(asked_of(&one, 1e7, NAN, "srun", text), " > ");
    assert_non_null(strstr(asked_of(&one, 1e7, 5.6e9, "srun", text), "--mem=7G"));
}

/* Several tasks of one core are not one program on several: what is asked for is tasks, or cores of each. */
static void cores_of_tasks(void **state) {
    (void)state;
    static const struct {
        int tasks;
        double cores;
        const char *advice;
    } cases[] = {
        {0, 1.9, "#SBATCH --cpus-per-task=2, or let it use what it has"},
        {1, 1.9, "#SBATCH --cpus-per-task=2, or let it use what it has"},
        {2, 1.9, "#SBATCH --cpus-per-task=1, or let it use what it has"},
        {2, 2.3, "#SBATCH --ntasks=2, or let it use what it has"},
        {4, 1.9, "#SBATCH --ntasks=2, or let it use what it has"},
        {4, 0.99, "#SBATCH --ntasks=1, or let it use what it has"},
        {9, 1.9, "#SBATCH --ntasks=2, or let it use what it has"}, /* more than cores */
    };
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        const struct given list[] = {{BE_RUNNABLE, 0, cases[i].cores}};
        struct be_trace made;
        struct be_run_finding found[BE_RUN_FINDINGS_MAX];
        make(&made, TICKS, cases[i].cores, list, 1);
        be_copy_text(made.job, sizeof made.job, "slurm 4711");
        made.limits.tasks = cases[i].tasks;
        assert_int_equal(be_trace_findings(&made, found), 1);
        assert_string_equal(found[0].advice, cases[i].advice);
        assert_true((cases[i].tasks > 1) == (strstr(found[0].evidence, " tasks") != NULL));
        be_trace_close(&made);
    }
}

static void out_of_memory(void **state) {
    (void)state;
    const struct given none[] = {{BE_GROUP_OOM_KILLS, 0, 0}};
    const struct given one[] = {{BE_GROUP_OOM_KILLS, 0, 0.05}}; /* in 20 s */
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    make(&made, TICKS, 3.9, none, 1);
    assert_int_equal(be_trace_findings(&made, found), 0);
    be_trace_close(&made);
    make(&made, TICKS, 3.9, one, 1);
    made.limits.memory_bytes = 10.0 * 1073741824;
    be_copy_text(made.job, sizeof made.job, "1");
    assert_int_equal(be_trace_findings(&made, found), 1);
    assert_string_equal(found[0].advice, "#SBATCH --mem=12G or more");
    assert_true(found[0].cost_s == made.elapsed_s);
    be_trace_close(&made);
    const struct given seven[] = {{BE_GROUP_OOM_KILLS, 0, 0.35}}; /* as a float a little less */
    make(&made, TICKS, 3.9, seven, 1);
    assert_int_equal(be_trace_findings(&made, found), 1);
    assert_non_null(strstr(found[0].evidence, "the kernel killed 7 processes"));
    be_trace_close(&made);
    /* A run that was too short for all else. */
    const struct given soon[] = {{BE_GROUP_OOM_KILLS, 0, 1}};
    make(&made, 2, 3.9, soon, 1);
    assert_int_equal(be_trace_findings(&made, found), 2);
    assert_string_equal(found[0].name, "out-of-memory");
    assert_string_equal(found[1].name, "too-short");
    be_trace_close(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asked_for),          cmocka_unit_test(asked_for_one_gib),
        cmocka_unit_test(asked_for_by_a_job), cmocka_unit_test(cores_of_tasks),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
