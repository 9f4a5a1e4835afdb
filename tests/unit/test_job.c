/* Job scripts: what a request becomes, limits, charges, LSF. */
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
#include "cluster/catalogue.h"
#include "job/job.h"
#include "job/words.h"

static struct be_catalogue catalogue;

static int open_catalogue(void **state) {
    struct be_error error;
    (void)state;
    return be_catalogue_open("share/clusters", &catalogue, &error) == BE_OK ? 0 : -1;
}

static int close_catalogue(void **state) {
    (void)state;
    be_catalogue_close(&catalogue);
    return 0;
}

static const struct be_cluster *named(const char *name) {
    const struct be_cluster *cluster = NULL;
    struct be_error error;
    assert_int_equal(be_catalogue_find(&catalogue, name, &cluster, &error), BE_OK);
    return cluster;
}

static const char *const command[] = {"python", "run/train.py"};

static struct be_job_request asked(void) {
    struct be_job_request request = be_job_nothing();
    request.word = command;
    request.words = 2;
    request.time_s = 1800;
    request.account = "a";
    return request;
}

static bool noted(const struct be_job_plan *plan, const char *part) {
    for (int i = 0; i < plan->notes; i++) {
        if (strstr(plan->note[i], part)) {
            return true;
        }
    }
    return false;
}

/* ---- plans ----------------------------------------------------------------------------------- */

static void a_gpu_comes_with_its_share(void **state) {
    struct be_job_request request = asked();
    struct be_job_plan plan;
    struct be_error error;
    (void)state;
    request.gpus = 2;
    assert_int_equal(be_job_plan(&request, named("narval"), &plan, &error), BE_OK);
    assert_string_equal(plan.gpu->type, "a100");
    assert_int_equal(plan.cpus, 24);
    assert_true(fabs(plan.memory_mib - 255000) < 0.5);
    assert_true(fabs(plan.charge - 8) < 1e-9);
    assert_string_equal(plan.name, "train");
    assert_int_equal(plan.notes, 1); /* narval wants jobs of an hour */
    request.tasks = 2;
    assert_int_equal(be_job_plan(&request, named("narval"), &plan, &error), BE_OK);
    assert_int_equal(plan.cpus, 12);
    request.gpu = "a100_2g.10gb";
    request.gpus = request.tasks = 1;
    assert_int_equal(be_job_plan(&request, named("narval"), &plan, &error), BE_OK);
    assert_int_equal(plan.cpus, 3);
    assert_true(fabs(plan.memory_mib - 31 * 1024) < 0.5);
    assert_true(fabs(plan.charge - 1.1) < 1e-9);
}

static void more_than_a_share_is_said_with_its_cost(void **state) {
    struct be_job_request request = asked();
    struct be_job_plan plan;
    struct be_error error;
    (void)state;
    request.gpus = 1;
    request.cpus = 24;
    assert_int_equal(be_job_plan(&request, named("narval"), &plan, &error), BE_OK);
    assert_true(noted(&plan, "24 cores are more than the 12 that go with this GPU: an hour counts "
                             "8 RGU h, not 4"));
    assert_string_equal(plan.charge_by, "cores");
    /* The example of the cluster's documentation: 270000 MiB, 32 cores, 2 GPUs: 75 AU. */
    request.gpus = 2;
    request.cpus = 32;
    request.memory_mib = 270000;
    assert_int_equal(be_job_plan(&request, named("kestrel"), &plan, &error), BE_OK);
    assert_true(fabs(plan.charge - 75) < 1e-9);
    assert_string_equal(plan.charge_by, "memory");
    assert_true(noted(&plan, "an hour counts 75 AU, not 50"));
    request.gpus = 4; /* as much on each of two nodes */
    request.nodes = request.tasks = 2;
    assert_int_equal(be_job_plan(&request, named("kestrel"), &plan, &error), BE_OK);
    assert_true(fabs(plan.charge - 150) < 1e-9);
    request.nodes = request.tasks = 0;
    /* And of another: 1 GPU, 48 cores: 25 AU. */
    request.gpus = 1;
    request.cpus = 48;
    request.memory_mib = 100000;
    assert_int_equal(be_job_plan(&request, named("swift"), &plan, &error), BE_OK);
    assert_true(fabs(plan.charge - 25) < 1e-9);
    request.cpus = 30;
    assert_int_equal(be_job_plan(&request, named("vermilion"), &plan, &error), BE_OK);
    assert_true(fabs(plan.charge - 12) < 1e-9);
    assert_string_equal(plan.partition, "gpu");
}

static void a_node_that_is_given_whole_is_said(void **state) {
    struct be_job_request request = asked();
    struct be_job_plan plan;
    struct be_error error;
    static const char note[] = "whole: 8 of 192 cores are asked for";
    (void)state;
    request.cpus = 8;
    assert_int_equal(be_job_plan(&request, named("trillium"), &plan, &error), BE_OK);
    assert_true(noted(&plan, note));
    assert_int_equal(be_job_plan(&request, named("rorqual"), &plan, &error), BE_OK);
    assert_false(noted(&plan, note));
    request.cpus = 192;
    assert_int_equal(be_job_plan(&request, named("trillium"), &plan, &error), BE_OK);
    assert_false(noted(&plan, "whole"));
    request.cpus = 8;
    request.gpus = 1;
    assert_int_equal(be_job_plan(&request, named("trillium"), &plan, &error), BE_OK);
    assert_false(noted(&plan, "whole"));
}

static void what_cannot_be_is_an_error_with_the_limit(void **state) {
    static const struct {
        const char *cluster, *gpu;
        int gpus, cpus, nodes, tasks;
        double memory_mib, hours;
        const char *array, *partition, *says;
    } cases[] = {
        {"narval", "h100", 1, 1, 0, 0, NAN, 1, NULL, NULL,
         "no such type; it has: a100, a100_1g.5gb"},
        {"narval", NULL, 5, 1, 0, 0, NAN, 1, NULL, NULL, "have 4 (--nodes=2"},
        {"narval", NULL, 1, 49, 0, 0, NAN, 1, NULL, NULL, "have 48"},
        {"narval", NULL, 4, 13, 0, 4, NAN, 1, NULL, NULL, "52 cores on one node (4 tasks of 13)"},
        {"narval", NULL, 0, 65, 0, 0, NAN, 1, NULL, NULL, "have 64"},
        {"narval", NULL, 1, 1, 0, 0, 510001, 1, NULL, NULL, "498.0 GiB for jobs"},
        {"narval", NULL, 0, 1, 0, 0, 4096001, 1, NULL, NULL, "4000 GiB for jobs"},
        {"narval", NULL, 1, 1, 0, 0, NAN, 169, NULL, NULL, "longest job of narval is 7 days"},
        {"narval", NULL, 640, 1, 160, 0, NAN, 1, NULL, NULL, "there are 159"},
        {"narval", NULL, 3, 1, 2, 0, NAN, 1, NULL, NULL, "multiple of 2"},
        {"narval", NULL, 0, 1, 3, 2, NAN, 1, NULL, NULL, "at least one for each node"},
        {"narval", "a100_1g.5gb", 2, 1, 0, 0, NAN, 1, NULL, NULL, "gives a job 1 at most"},
        {"narval", "a100_1g.5gb", 2, 1, 2, 2, NAN, 1, NULL, NULL, "2 of a100_1g.5gb: narval gives"},
        {"narval", NULL, 0, 1, 0, 0, NAN, 1, "0-1000", NULL, "gives a user 1000"},
        {"narval", NULL, 0, 1, 0, 0, NAN, 1, "0:1", NULL, "--array 0:1: indices are needed"},
        {"trillium", NULL, 2, 1, 0, 0, NAN, 1, NULL, NULL, "given by 1 or 4"},
        {"trillium", NULL, 1, 1, 0, 0, 300000, 1, NULL, NULL, "1 of them brings 187.3 GiB"},
        {"tamia", "h200", 4, 1, 0, 0, NAN, 1, NULL, NULL, "given by 8"},
        {"swift", NULL, 1, 1, 0, 0, NAN, 49, NULL, NULL, "longest job of partition gpu is 2 days"},
        {"swift", NULL, 1, 1, 0, 0, NAN, 1, NULL, "debug", "partition debug of swift has no nodes"},
        {"swift", NULL, 0, 1, 3, 0, NAN, 1, NULL, "debug", "gives a job 2 at most"},
        {"swift", NULL, 0, 1, 0, 0, NAN, 1, NULL, "none", "it has: long, standard, gpu"},
        {"swift", "a100", 1, 1, 0, 0, NAN, 1, NULL, NULL, "takes no type of GPU"},
    };
    (void)state;
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_job_request request = asked();
        struct be_job_plan plan;
        struct be_error error = {0};
        request.gpu = cases[i].gpu;
        request.gpus = cases[i].gpus;
        request.cpus = cases[i].cpus;
        request.nodes = cases[i].nodes;
        request.tasks = cases[i].tasks;
        request.memory_mib = cases[i].memory_mib;
        request.time_s = 3600 * cases[i].hours;
        request.array = cases[i].array;
        request.partition = cases[i].partition;
        enum be_status status = be_job_plan(&request, named(cases[i].cluster), &plan, &error);
        if (status != BE_USAGE || !strstr(error.text, cases[i].says)) {
            fail_msg("case %zu: %s, and not: %s", i, error.text, cases[i].says);
        }
    }
    struct be_job_request request = asked();
    struct be_job_plan plan;
    struct be_error error = {0};
    assert_int_equal(be_job_plan(&request, named("cedar"), &plan, &error), BE_ABSENT);
    assert_non_null(strstr(error.text, "out of service since 2025-09-12; its successor is fir"));
}

/* srun starts the tasks: a launcher behind it would start each of them several times. */
static void a_launcher_is_not_started_by_another(void **state) {
    static const struct {
        const char *word[4];
        int words, tasks;
        const char *says; /* NULL: nothing */
        bool refused;
    } cases[] = {
        {{"srun", "./a"}, 2, 4, "srun: job starts the 4 tasks with srun itself", true},
        {{"/opt/bin/mpirun", "./a"}, 2, 2, "leave mpirun out of the command", true},
        {{"mpiexec", "-n", "4", "./a"}, 4, 4, "mpiexec: job starts", true},
        {{"orterun", "./a"}, 2, 4, "orterun: job starts", true},
        {{"srun", "./a"}, 2, 1, NULL, false},
        {{"./a", "srun"}, 2, 4, NULL, false},
        {{"torchrun", "t.py"},
         2,
         4,
         "torchrun starts the processes of a node itself, and srun "
         "starts it 2 times there: --tasks=2",
         false},
        {{"torchrun", "t.py"}, 2, 2, NULL, false},
        {{"python3", "-m", "torch.distributed.run", "t.py"}, 4, 4, "2 times there", false},
        {{"python3", "-m", "mine", "t.py"}, 4, 4, NULL, false},
        {{"python3", "t.py", "torchrun"}, 3, 4, NULL, false},
    };
    (void)state;
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_job_request request = asked();
        struct be_job_plan plan;
        struct be_error error = {0};
        request.word = cases[i].word;
        request.words = cases[i].words;
        request.tasks = cases[i].tasks;
        request.nodes = request.tasks > 1 ? 2 : 1;
        enum be_status status = be_job_plan(&request, named("narval"), &plan, &error);
        assert_int_equal(status, cases[i].refused ? BE_USAGE : BE_OK);
        if (cases[i].refused) {
            assert_non_null(strstr(error.text, cases[i].says));
        } else {
            assert_int_equal(noted(&plan, cases[i].says ? cases[i].says : "itself"),
                             cases[i].says != NULL);
        }
    }
    struct be_cluster cluster = be_cluster_unknown(BE_SCHEDULER_LSF);
    static const char *const words[] = {"mpirun", "./a"};
    struct be_job_request request = asked();
    struct be_job_plan plan;
    struct be_error error = {0};
    request.word = words;
    request.tasks = 4;
    assert_int_equal(be_job_plan(&request, &cluster, &plan, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "mpirun: job starts the 4 tasks with mpirun itself"));
}

/* Nodes may have more than a partition gives its jobs of them. */
static void a_partition_may_give_less_than_its_nodes_have(void **state) {
    struct be_cluster cluster = *named("swift");
    struct be_cluster_partition partition[16];
    struct be_job_request request = asked();
    struct be_job_plan plan;
    struct be_error error = {0};
    (void)state;
    assert_true(cluster.partitions <= BE_COUNT(partition));
    memcpy(partition, cluster.partition, cluster.partitions * sizeof *partition);
    cluster.partition = partition;
    for (size_t i = 0; i < cluster.partitions; i++) {
        if (strcmp(partition[i].name, "gpu") == 0) {
            partition[i].max_cores = 40;
            partition[i].max_memory_mib = 400000;
        }
    }
    request.gpus = 4;
    request.partition = "gpu";
    assert_int_equal(be_job_plan(&request, &cluster, &plan, &error), BE_OK);
    assert_int_equal(plan.cpus, 40);
    assert_true(fabs(plan.memory_mib - 400000) < 0.5);
    request.tasks = 4;
    assert_int_equal(be_job_plan(&request, &cluster, &plan, &error), BE_OK);
    assert_int_equal(plan.cpus, 10);
    request.cpus = 11;
    assert_int_equal(be_job_plan(&request, &cluster, &plan, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "44 cores on one node (4 tasks of 11): partition gpu gives "
                                       "40 of a node"));
    request.cpus = 10;
    request.memory_mib = 400001;
    assert_int_equal(be_job_plan(&request, &cluster, &plan, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "partition gpu gives a job 390.6 GiB"));
    request.memory_mib = 400000;
    assert_int_equal(be_job_plan(&request, &cluster, &plan, &error), BE_OK);
    /* Where none is named: another that gives as much. */
    request = asked();
    request.cpus = 64;
    for (size_t i = 0; i < cluster.partitions; i++) {
        partition[i].preset = strcmp(partition[i].name, "debug") == 0;
        partition[i].max_cores = partition[i].preset ? 32 : 0;
    }
    assert_int_equal(be_job_plan(&request, &cluster, &plan, &error), BE_OK);
    assert_string_equal(plan.partition, "long");
    assert_true(noted(&plan, "the cluster's default (debug) gives less of a node"));
    request.cpus = 32;
    assert_int_equal(be_job_plan(&request, &cluster, &plan, &error), BE_OK);
    assert_null(plan.partition);
}

static void as_much_as_the_limit_can_be_had(void **state) {
    static const struct {
        int gpus, cpus, nodes;
        double hours;
        const char *array;
    } cases[] = {
        {0, 64, 0, 168, NULL}, {1, 48, 0, 1, NULL}, {636, 1, 159, 1, NULL}, {0, 1, 0, 1, "0-999"}};
    (void)state;
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_job_request request = asked();
        struct be_job_plan plan;
        struct be_error error = {0};
        request.gpus = cases[i].gpus;
        request.cpus = cases[i].cpus;
        request.nodes = request.tasks = cases[i].nodes;
        request.time_s = 3600 * cases[i].hours;
        request.array = cases[i].array;
        if (be_job_plan(&request, named("narval"), &plan, &error) != BE_OK) {
            fail_msg("case %zu: %s", i, error.text);
        }
    }
}

/* Never less time than was asked for. */
static void times_are_rounded_up(void **state) {
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{1, "0:01:00"},
                 {60, "0:01:00"},
                 {61, "0:02:00"},
                 {86399, "1-00:00:00"},
                 {93600, "1-02:00:00"}};
    (void)state;
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        char text[BE_WORD];
        be_slurm_time_text(cases[i].seconds, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void words_that_would_leave_a_directive_are_refused(void **state) {
    static const char *const bad[] = {"",     "-x",    "a\nb", "a\"b", "a'b",
                                      "a\\b", "$HOME", "`id`", "a#b"};
    (void)state;
    for (size_t i = 0; i < BE_COUNT(bad); i++) {
        for (int where = 0; where < 4; where++) {
            struct be_job_request request = asked();
            struct be_job_plan plan;
            struct be_error error = {0};
            *(where == 0   ? &request.account
              : where == 1 ? &request.partition
              : where == 2 ? &request.name
                           : &request.output) = bad[i];
            assert_int_equal(be_job_plan(&request, named("narval"), &plan, &error), BE_USAGE);
            assert_non_null(strstr(error.text, "cannot carry this text safely"));
        }
    }
    struct be_job_request request = asked();
    struct be_job_plan plan;
    struct be_error error = {0};
    request.staged[0] = "a/x";
    request.staged[1] = "b/x/";
    request.stages = 2;
    assert_int_equal(be_job_plan(&request, named("narval"), &plan, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "two of the name x"));
}

static void names_come_from_the_command(void **state) {
    static const struct {
        const char *word[3];
        int words;
        const char *name;
    } cases[] = {{{"python3.11", "a/train.py", NULL}, 2, "train"},
                 {{"./sim", "x.py", NULL}, 2, "sim"},
                 {{"bash", "-c", "true"}, 3, "bash"},
                 {{"a b;c", NULL, NULL}, 1, "a_b_c"},
                 {{"..", NULL, NULL}, 1, "."},
                 {{"Rscript", "fit.R", NULL}, 2, "fit"}};
    (void)state;
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_job_request request = asked();
        struct be_job_plan plan;
        struct be_error error = {0};
        request.word = cases[i].word;
        request.words = cases[i].words;
        assert_int_equal(be_job_plan(&request, named("narval"), &plan, &error), BE_OK);
        assert_string_equal(plan.name, cases[i].name);
    }
}

/* ---- scripts --------------------------------------------------------------------------------- */

static void expect_lines(const struct be_job_request *request, const struct be_cluster *cluster,
                         const char *const *line, size_t lines) {
    struct be_job_plan plan;
    struct be_text text = {0};
    struct be_error error = {0};
    if (be_job_plan(request, cluster, &plan, &error) != BE_OK) {
        fail_msg("%s", error.text);
    }
    be_job_write(&plan, NULL, &text);
    for (size_t i = 0; i < lines; i++) {
        char whole[512];
        snprintf(whole, sizeof whole, "\n%s\n", line[i]);
        if (!strstr(text.data, whole)) {
            fail_msg("no line \"%s\" in:\n%s", line[i], text.data);
        }
    }
    be_text_free(&text);
}

static void lsf_has_its_own_words(void **state) {
    static const char *const words[] = {"./x", "{index}"};
    static const char *const lines[] = {
        "#BSUB -J \"x[1-10]%3\"",
        "#BSUB -n 4",
        "#BSUB -W 2:05",
        "#BSUB -R \"span[hosts=1]\"",
        "#BSUB -R \"rusage[mem=2048, ngpus_excl_p=1]\"", /* as the seed's notebook asks */
        "#BSUB -P a",
        "export OMP_NUM_THREADS=4",
        "./x \"$LSB_JOBINDEX\"",
    };
    struct be_job_request request = asked();
    (void)state;
    request.word = words;
    request.gpus = 1;
    request.cpus = 4;
    request.memory_mib = 8192;
    request.time_s = 7500;
    request.array = "1-10%3";
    struct be_cluster lsf = be_cluster_unknown(BE_SCHEDULER_LSF);
    expect_lines(&request, &lsf, lines, BE_COUNT(lines));
    struct be_cluster euler = *named("euler-lsf");
    *euler.ended = '\0';
    expect_lines(&request, &euler, lines, BE_COUNT(lines));
    request.array = "0-9";
    struct be_job_plan plan;
    struct be_error error = {0};
    assert_int_equal(be_job_plan(&request, &lsf, &plan, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "LSF counts from 1"));
}

static void slurm_gets_each_sites_words(void **state) {
    static const struct {
        const char *cluster;
        int gpus, nodes;
        const char *line;
    } cases[] = {{"narval", 2, 0, "#SBATCH --gpus-per-node=a100:2"},
                 {"kestrel", 8, 2, "#SBATCH --gpus=8"},
                 {"swift", 1, 0, "#SBATCH --partition=gpu"},
                 {"adroit", 2, 0, "#SBATCH --gres=gpu:2"},
                 {"fir", 4, 0, "#SBATCH --mem=1125G"},
                 {"trillium", 4, 0, "#SBATCH --cpus-per-task=96"},
                 {"scc", 1, 0, "#SBATCH --gres=gpu:1"}};
    (void)state;
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_job_request request = asked();
        request.gpus = cases[i].gpus;
        request.nodes = cases[i].nodes;
        expect_lines(&request, named(cases[i].cluster), &cases[i].line, 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gpu_comes_with_its_share),
        cmocka_unit_test(more_than_a_share_is_said_with_its_cost),
        cmocka_unit_test(a_node_that_is_given_whole_is_said),
        cmocka_unit_test(what_cannot_be_is_an_error_with_the_limit),
        cmocka_unit_test(a_launcher_is_not_started_by_another),
        cmocka_unit_test(a_partition_may_give_less_than_its_nodes_have),
        cmocka_unit_test(as_much_as_the_limit_can_be_had),
        cmocka_unit_test(times_are_rounded_up),
        cmocka_unit_test(words_that_would_leave_a_directive_are_refused),
        cmocka_unit_test(names_come_from_the_command),
        cmocka_unit_test(lsf_has_its_own_words),
        cmocka_unit_test(slurm_gets_each_sites_words),
    };
    return cmocka_run_group_tests(tests, open_catalogue, close_catalogue);
}
