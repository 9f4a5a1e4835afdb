/*
 * The source `libdcgm` on a fake libdcgm and a fake NVML without GPM: values and the time that they are of, which GPUs and
 * parts they are of, and each way in which an nv-hostengine may not help.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "dyn/nvidia/dcgm.h"
#include "observe/sources/sources.h"
#include "source_job.h"

/* Layouts of the published headers, which are not here to be compared with. */
_Static_assert(offsetof(dcgmFieldValue_v2, status) == 16 &&
                   offsetof(dcgmFieldValue_v2, at_us) == 24 &&
                   offsetof(dcgmFieldValue_v2, value) == 32 && sizeof(dcgmFieldValue_v2) == 4128,
               "values");
_Static_assert(offsetof(dcgmMigHierarchyInfo_v2, uuid) == 16 &&
                   offsetof(dcgmMigHierarchyInfo_v2, instance) == 148 &&
                   sizeof(dcgmMigHierarchyInfo_v2) == 164,
               "parts");
_Static_assert(sizeof(dcgmProfGetMetricGroups_t) == 16 + 10 * (8 + 128), "metrics");
_Static_assert(sizeof(dcgmConnectV2Params_t) == 16, "options");

/* A GPU before Hopper. */
static int reset(void **state) {
    source_reset(state);
    fakes[FAKE_NVML]->counters = FAKE_NO_COUNTERS;
    return 0;
}

static void run(struct source_job *job) {
    source_run(&be_signal_source_libdcgm, job);
    source_expect_tidy();
}

/* ---- values -------------------------------------------------------------------------------------- */

static void readings_are_values(void **state) {
    (void)state;
    struct source_job job;
    run(&job);
    assert_int_equal(job.opened, BE_OK);
    assert_int_equal(job.sampled, BE_OK);
    assert_string_equal(job.gpu[0].id, "nvml:0"); /* the same GPU as NVML's */
    source_expect(&job, BE_GPU_SM_ACTIVE, 0, 2 / 64.0);
    source_expect(&job, BE_GPU_SM_OCCUPANCY, 0, 3 / 64.0);
    source_expect(&job, BE_GPU_TENSOR, 0, 4 / 64.0);
    source_expect(&job, BE_GPU_DRAM, 0, 5 / 64.0);
    source_expect(&job, BE_GPU_FP64, 0, 6 / 64.0);
    source_expect(&job, BE_GPU_FP32, 0, 7 / 64.0);
    source_expect(&job, BE_GPU_FP16, 0, 8 / 64.0);
    source_expect(&job, BE_GPU_BUS_OUT, 0, 9e6);
    source_expect(&job, BE_GPU_LINK_IN, 0, 12e6);
    source_expect_absent(&job, BE_GPU_TENSOR_FP64, "does not count DCGM_FI_PROF_PIPE_TENSOR_DFMA");
    /* The first reading may reach back to before the run. */
    assert_int_equal(job.values, 2 * 14);
    assert_string_equal(job.detail, "untested on hardware");
}

static void gpus_are_found_by_uuid(void **state) {
    (void)state;
    struct source_job job;
    fakes[FAKE_NVML]->devices = fakes[FAKE_DCGM]->devices = 3;
    source_environment[0] = "CUDA_VISIBLE_DEVICES=0,1";
    run(&job);
    assert_int_equal(job.gpus, 2);
    source_expect(&job, BE_GPU_SM_ACTIVE, 0, 2 / 64.0 + 2 / 1024.0);
    source_expect(&job, BE_GPU_SM_ACTIVE, 1, 2 / 64.0 + 1 / 1024.0);
}

static void parts_have_counters_of_their_own(void **state) {
    (void)state;
    struct source_job job;
    fakes[FAKE_NVML]->devices = fakes[FAKE_DCGM]->devices = 2;
    fakes[FAKE_NVML]->parts = fakes[FAKE_DCGM]->parts = 2;
    run(&job);
    assert_int_equal(job.gpus, 4);
    assert_string_equal(job.gpu[1].id, "nvml:0.1");
    source_expect(&job, BE_GPU_SM_ACTIVE, 0, 2 / 64.0 + 8 / 1024.0); /* DCGM's GPU 1 */
    source_expect(&job, BE_GPU_SM_ACTIVE, 1, 2 / 64.0 + 9 / 1024.0);
    source_expect(&job, BE_GPU_SM_ACTIVE, 3, 2 / 64.0 + 1 / 1024.0);
}

/* Those that the verdict needs are counted where the hardware cannot count all at a time. */
static void counters_in_one_pass(void **state) {
    (void)state;
    struct source_job job;
    fakes[FAKE_DCGM]->at_once = 5;
    run(&job);
    source_expect(&job, BE_GPU_SM_ACTIVE, 0, 2 / 64.0);
    source_expect(&job, BE_GPU_FP32, 0, 7 / 64.0);
    source_expect(&job, BE_GPU_TENSOR, 0, 4 / 64.0);
    source_expect_absent(&job, BE_GPU_FP16, "not beside the others");
}

/* An engine that does not say what there is: what every DCGM knows is asked for. */
static void groups_of_metrics_are_not_told(void **state) {
    (void)state;
    struct source_job job;
    fake_fail("dcgmProfGetSupportedMetricGroups", 1, 9, DCGM_ST_VER_MISMATCH);
    run(&job);
    assert_int_equal(job.values, 2 * 12);
    fake_lacks[0] = "dcgmProfGetSupportedMetricGroups";
    fake_lacks[1] = "errorString";
    run(&job);
    assert_int_equal(job.values, 2 * 12);
}

static void addresses(void **state) {
    (void)state;
    const struct {
        const char *variable, *words; /* NULL: it is asked */
    } cases[] = {
        {"BREAKEVEN_HOSTENGINE=5556", NULL},
        {"BREAKEVEN_HOSTENGINE=/run/nv.sock", NULL},
        {"BREAKEVEN_HOSTENGINE=", NULL},
        {"BREAKEVEN_HOSTENGINE=0", "BREAKEVEN_HOSTENGINE=0: not asked"},
        {"BREAKEVEN_HOSTENGINE=node7", "not asked"},
    };
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct source_job job;
        reset(NULL);
        source_environment[0] = cases[i].variable;
        run(&job);
        assert_int_equal(job.opened, cases[i].words ? BE_ABSENT : BE_OK);
        assert_int_equal(fake_calls("dcgmInit"), cases[i].words ? 0 : 1);
        assert_true(!cases[i].words || strstr(job.error.text, cases[i].words));
    }
}

/* ---- why there is nothing --------------------------------------------------------------------------- */

static void absent(const char *words) {
    struct source_job job;
    run(&job);
    assert_int_equal(job.opened, BE_ABSENT);
    if (!strstr(job.error.text, words)) {
        fail_msg("\"%s\" without \"%s\"", job.error.text, words);
    }
}

static void each_reason_is_a_sentence(void **state) {
    (void)state;
    const struct {
        const char *function;
        int code;
        const char *words;
    } cases[] = {
        {"dcgmConnect_v2", DCGM_ST_CONNECTION_NOT_VALID,
         "no nv-hostengine answers at 127.0.0.1:5555"},
        {"dcgmConnect_v2", DCGM_ST_VER_MISMATCH, "of different versions"},
        {"dcgmWatchFields", DCGM_ST_NO_PERMISSION, "an administrator can let it run as root"},
        {"dcgmWatchFields", DCGM_ST_REQUIRES_ROOT, "an administrator can let it run as root"},
        {"dcgmWatchFields", DCGM_ST_MODULE_NOT_LOADED, "datacenter-gpu-manager-4-proprietary"},
        {"dcgmWatchFields", DCGM_ST_IN_USE, "another profiler (ncu, nsys) holds"},
        {"dcgmWatchFields", DCGM_ST_PAUSED, "dcgmi profile --resume"},
        {"dcgmWatchFields", DCGM_ST_PROFILING_NOT_SUPPORTED, "no counters of this GPU"},
        {"dcgmWatchFields", -99, "dcgmWatchFields: The fake says no"},
        {"dcgmGetAllDevices", -3, "does not know this GPU"},
    };
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        reset(NULL);
        fake_fail(cases[i].function, 1, 99, cases[i].code);
        absent(cases[i].words);
    }
}

static void no_library_and_no_need(void **state) {
    (void)state;
    fake_absent[FAKE_DCGM] = true;
    absent("NVIDIA's libdcgm is not here");
    reset(NULL);
    fake_lacks[0] = "dcgmWatchFields";
    absent("too old");
    source_reset(NULL); /* with GPM */
    absent("the same counters in NVML");
    assert_int_equal(fake_calls("dcgmInit"), 0);
}

static void blank_readings(void **state) {
    (void)state;
    static const char *const words[] = {"paused, or another profiler",
                                        "paused, or another profiler",
                                        "does not count DCGM_FI_PROF_SM_ACTIVE", "run as root"};
    for (int i = 0; i < 4; i++) {
        struct source_job job;
        reset(NULL);
        fakes[FAKE_DCGM]->blank = 1 + i;
        run(&job);
        assert_int_equal(job.values, 0);
        assert_int_equal(job.sampled, BE_OK);
        source_expect_absent(&job, BE_GPU_SM_ACTIVE, words[i]);
        source_expect_absent(&job, BE_GPU_BUS_IN, i == 2 ? "PCIE_RX" : words[i]);
    }
}

/* Its values stay; the source has no more. */
static void the_engine_ends(void **state) {
    (void)state;
    struct source_job job;
    fake_fail("dcgmEntitiesGetLatestValues", 4, 99, DCGM_ST_CONNECTION_NOT_VALID);
    run(&job);
    assert_int_equal(job.sampled, BE_ABSENT);
    assert_non_null(strstr(job.error.text, "does not answer any more"));
    source_expect(&job, BE_GPU_SM_ACTIVE, 0, 2 / 64.0);
}

static void each_call_fails(void **state) {
    (void)state;
    int jobs = 0;
    int gone_on = 0;
    source_before_each = reset;
    source_fail_each(&be_signal_source_libdcgm, FAKE_DCGM, DCGM_ST_GPU_IS_LOST, &jobs, &gone_on);
    assert_true(jobs > 40 && gone_on > jobs / 4);
    fake_settle();
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, reset)
    const struct CMUnitTest tests[] = {
        TEST(readings_are_values),
        TEST(gpus_are_found_by_uuid),
        TEST(parts_have_counters_of_their_own),
        TEST(counters_in_one_pass),
        TEST(groups_of_metrics_are_not_told),
        TEST(addresses),
        TEST(each_reason_is_a_sentence),
        TEST(no_library_and_no_need),
        TEST(blank_readings),
        TEST(the_engine_ends),
        TEST(each_call_fails),
    };
    fake_open_all();
    return cmocka_run_group_tests_name("nv-hostengine", tests, NULL, NULL);
}
