/* Constraint, QOS, whole nodes and --mem=0: what a script has of them, and what is said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cluster/catalogue.h"
#include "job/job.h"

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

static const char *const command[] = {"./sim"};

static struct be_job_request asked(void) {
    struct be_job_request request = be_job_nothing();
    request.word = command;
    request.words = 1;
    request.time_s = 1800;
    request.account = "a";
    return request;
}

static struct be_job_plan planned(const struct be_job_request *request, const char *cluster) {
    struct be_job_plan plan;
    struct be_error error = {0};
    if (be_job_plan(request, named(cluster), &plan, &error) != BE_OK) {
        fail_msg("%s", error.text);
    }
    return plan;
}

static bool noted(const struct be_job_plan *plan, const char *part) {
    for (int i = 0; i < plan->notes; i++) {
        if (strstr(plan->note[i], part)) {
            return true;
        }
    }
    return false;
}

static void expect_line(const struct be_job_plan *plan, const char *line, bool there) {
    struct be_text text = {0};
    char whole[256];
    be_job_write(plan, NULL, &text);
    snprintf(whole, sizeof whole, "\n%s\n", line);
    if ((strstr(text.data, whole) != NULL) != there) {
        fail_msg("%s \"%s\" in:\n%s", there ? "no" : "a line", line, text.data);
    }
    be_text_free(&text);
}

static void a_constraint_leads_to_its_nodes(void **state) {
    struct be_job_request request = asked();
    (void)state;
    request.gpus = 4;
    struct be_job_plan plan = planned(&request, "perlmutter");
    assert_string_equal(plan.node->name, "gpu");
    expect_line(&plan, "#SBATCH --constraint=gpu", true);
    request.constraint = "gpu&hbm80g";
    plan = planned(&request, "perlmutter");
    assert_string_equal(plan.node->name, "gpu-80");
    expect_line(&plan, "#SBATCH --constraint=\"gpu&hbm80g\"", true);
    request.gpus = 0;
    request.constraint = NULL;
    plan = planned(&request, "perlmutter");
    expect_line(&plan, "#SBATCH --constraint=cpu", true);
    /* The user has to know what the catalogue has nothing like. */
    request.constraint = "milan";
    plan = planned(&request, "narval");
    expect_line(&plan, "#SBATCH --constraint=milan", true);
}

static void a_qos_has_limits_of_its_own(void **state) {
    struct be_job_request request = asked();
    struct be_job_plan plan = planned(&request, "perlmutter");
    struct be_error error = {0};
    (void)state;
    assert_string_equal(plan.qos, "regular"); /* the default would end it after 30 minutes */
    request.qos = "debug";
    plan = planned(&request, "perlmutter");
    expect_line(&plan, "#SBATCH --qos=debug", true);
    request.time_s = 3600;
    assert_int_equal(be_job_plan(&request, named("perlmutter"), &plan, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "the longest job of QOS debug is 30 minutes"));
    /* Above the partition's limit, which it takes the place of. */
    request.time_s = 3 * 86400;
    request.gpus = 1;
    request.qos = NULL;
    assert_int_equal(be_job_plan(&request, named("leonardo"), &plan, &error), BE_USAGE);
    request.qos = "boost_qos_lprod";
    plan = planned(&request, "leonardo");
    request.qos = "nope";
    request.time_s = 3600;
    plan = planned(&request, "leonardo");
    assert_true(noted(&plan, "QOS nope is not known"));
}

static void what_is_required_has_a_line_or_a_note(void **state) {
    struct be_job_request request = asked();
    (void)state;
    request.gpus = 1;
    struct be_job_plan plan = planned(&request, "mn5");
    expect_line(&plan, "##SBATCH --qos=QOS", true);
    assert_true(noted(&plan, "mn5 wants a QOS to be named"));
    assert_true(noted(&plan, "alogin1"));
    request.qos = "acc_ehpc";
    plan = planned(&request, "mn5");
    assert_false(noted(&plan, "wants a QOS"));
    /* The first that such a job may go to: of four nodes at most, or as many as it needs. */
    request.qos = NULL;
    plan = planned(&request, "lumi");
    assert_string_equal(plan.partition, "small-g");
    request.nodes = 8;
    request.gpus = 64;
    plan = planned(&request, "lumi");
    assert_string_equal(plan.partition, "standard-g");
    /* A reminder of GPU nodes is for jobs with GPUs. */
    request = asked();
    plan = planned(&request, "kestrel");
    assert_false(noted(&plan, "GPU login node"));
    request.gpus = 1;
    plan = planned(&request, "kestrel");
    assert_true(noted(&plan, "GPU login node"));
}

static void whole_nodes_count_whole(void **state) {
    struct be_job_request request = asked();
    (void)state;
    request.gpus = 1;
    struct be_job_plan plan = planned(&request, "kestrel");
    assert_float_equal((float)plan.charge, 25.0F, 0.1F);
    request.exclusive = true;
    plan = planned(&request, "kestrel");
    assert_float_equal((float)plan.charge, 100.0F, 0.1F);
    assert_int_equal(plan.cpus, 128);
    expect_line(&plan, "#SBATCH --exclusive", true);
    expect_line(&plan, "#SBATCH --mem=0", true);
    request.memory_mib = 4096;
    plan = planned(&request, "kestrel");
    expect_line(&plan, "#SBATCH --mem=4G", true);
    expect_line(&plan, "#SBATCH --mem=0", false);
}

static void no_memory_is_all_of_it(void **state) {
    struct be_job_request request = asked();
    (void)state;
    request.memory_mib = 0;
    struct be_job_plan plan = planned(&request, "kestrel");
    expect_line(&plan, "#SBATCH --mem=0", true);
    assert_float_equal((float)plan.memory_mib, (float)plan.node->memory_mib, 0.5F);
    assert_float_equal((float)plan.charge, 10.0F, 0.1F); /* the memory is a whole node's */
}

static void a_time_for_bsub_says_how_it_is_read(void **state) {
    static const struct {
        const char *text;
        bool said;
    } cases[] = {{"1:00", true}, {"60", false}, {"1:00:00", false}, {"1-12:00", false}};
    const struct be_cluster lsf = be_cluster_unknown(BE_SCHEDULER_LSF);
    (void)state;
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_job_request request = asked();
        struct be_job_plan plan;
        struct be_error error = {0};
        request.time_text = cases[i].text;
        assert_int_equal(be_job_plan(&request, &lsf, &plan, &error), BE_OK);
        assert_int_equal(noted(&plan, "minutes and seconds"), cases[i].said);
    }
    struct be_job_request request = asked();
    request.time_text = "1:00";
    struct be_job_plan plan = planned(&request, "narval");
    assert_false(noted(&plan, "minutes and seconds"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constraint_leads_to_its_nodes),
        cmocka_unit_test(a_qos_has_limits_of_its_own),
        cmocka_unit_test(what_is_required_has_a_line_or_a_note),
        cmocka_unit_test(whole_nodes_count_whole),
        cmocka_unit_test(no_memory_is_all_of_it),
        cmocka_unit_test(a_time_for_bsub_says_how_it_is_read),
    };
    return cmocka_run_group_tests(tests, open_catalogue, close_catalogue);
}
