/*
 * The sources of NVIDIA's GPUs on a fake NVML: what values they give and from where, which GPUs they
 * look at, what they say is missing, and that no call that fails, nor a GPU that falls off the bus, takes
 * more with it than its own values.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "harness.h"
#include "observe/sources/nvidia.h"
#include "observe/sources/sources.h"
#include "source_job.h"

/* ---- values ------------------------------------------------------------------------------------ */

static void counters(void **state) {
    (void)state;
    struct source_job job;
    source_run(&be_signal_source_gpm, &job);
    assert_int_equal(job.opened, BE_OK);
    assert_int_equal(job.sampled, BE_OK);
    assert_int_equal(job.gpus, 1);
    source_expect(&job, BE_GPU_SM_ACTIVE, 0, 0.04);
    source_expect(&job, BE_GPU_SM_OCCUPANCY, 0, 0.05);
    source_expect(&job, BE_GPU_TENSOR, 0, 0.07);
    source_expect(&job, BE_GPU_TENSOR_FP64, 0, 0.08);
    source_expect(&job, BE_GPU_TENSOR_HALF, 0, 0.09);
    source_expect(&job, BE_GPU_TENSOR_INT, 0, 0.11);
    source_expect(&job, BE_GPU_DRAM, 0, 0.12);
    source_expect(&job, BE_GPU_FP64, 0, 0.13);
    source_expect(&job, BE_GPU_FP32, 0, 0.14);
    source_expect(&job, BE_GPU_FP16, 0, 0.15);
    source_expect(&job, BE_GPU_BUS_OUT, 0, 2000 * 1048576.0); /* TX: away from the GPU */
    source_expect(&job, BE_GPU_BUS_IN, 0, 2100 * 1048576.0);
    assert_true(isnan(job.value[BE_GPU_INT][0])); /* not a number: not measured, never 0 */
    source_expect_absent(&job, BE_GPU_LINK_IN, "nvml:0: a GPM metric");
    source_expect_tidy();
}

static void driver(void **state) {
    (void)state;
    struct source_job job;
    source_run(&be_signal_source_nvml, &job);
    assert_int_equal(job.sampled, BE_OK);
    assert_string_equal(job.gpu[0].id, "nvml:0");
    assert_string_equal(job.gpu[0].name, "Fake GPU");
    assert_string_equal(job.gpu[0].uuid, "GPU-0000abc0-0000-0000-0000-000000000000");
    assert_true(job.gpu[0].memory_bytes == 80.0 * (1 << 30));
    assert_true(fabs(job.gpu[0].bus_bytes_s - 63.016e9) < 1e6); /* generation 5, 16 lanes */
    assert_true(job.gpu[0].power_limit_w == 650);
    assert_true(job.gpu[0].fp64_ratio == 0.5);
    assert_false(job.gpu[0].slice);
    source_expect(&job, BE_GPU_BUSY, 0, 0.6);
    source_expect(&job, BE_GPU_MEMORY_BUSY, 0, 0.3);
    source_expect(&job, BE_GPU_MEMORY, 0, 6.0 * (1 << 30)); /* without what the driver keeps */
    source_expect(&job, BE_GPU_POWER, 0, 0.1 / 0.2);        /* 0.1 J a call, 0.2 s apart */
    source_expect(&job, BE_GPU_CLOCK, 0, 1950e6);
    source_expect(&job, BE_GPU_MEMORY_CLOCK, 0, 3201e6);
    source_expect(&job, BE_GPU_TEMPERATURE, 0, 42);
    source_expect(&job, BE_GPU_THROTTLED_POWER, 0, 1);
    source_expect(&job, BE_GPU_THROTTLED_HEAT, 0, 0);
    source_expect(&job, BE_GPU_THROTTLED_OTHER, 0, 0);
    source_expect(&job, BE_GPU_OWN_PROCESSES, 0, 1);
    source_expect(&job, BE_GPU_OWN_MEMORY, 0, 1 << 30);
    source_expect(&job, BE_GPU_FOREIGN_PROCESSES, 0, 1);
    assert_true(isnan(job.value[BE_GPU_BUS_IN][0])); /* GPM has it, without waiting 20 ms */
    assert_int_equal(fake_calls("nvmlDeviceGetPcieThroughput"), 0);
    assert_string_equal(job.detail, "driver 580.0");
    source_expect_tidy();
}

/* An older driver: fewer functions, and what stands in for them. */
static void an_older_driver(void **state) {
    (void)state;
    struct source_job job;
    fakes[FAKE_NVML]->counters = FAKE_NO_COUNTERS;
    fake_lacks[0] = "nvmlDeviceGetMemoryInfo_v2";
    fake_lacks[1] = "nvmlDeviceGetCurrentClocksEventReasons";
    fake_lacks[2] = "nvmlDeviceGetTotalEnergyConsumption";
    fake_lacks[3] = "nvmlDeviceGetUtilizationRates";
    fake_lacks[4] = "nvmlDeviceGetComputeRunningProcesses_v3";
    source_run(&be_signal_source_nvml, &job);
    source_expect(&job, BE_GPU_MEMORY, 0, 7.0 * (1 << 30));
    source_expect(&job, BE_GPU_THROTTLED_POWER, 0, 1);
    assert_true(job.value[BE_GPU_POWER][0] > 0);
    source_expect(&job, BE_GPU_BUS_IN, 0, 1024 * 2e6);
    source_expect(&job, BE_GPU_BUS_OUT, 0, 1024 * 1e3);
    source_expect_absent(&job, BE_GPU_BUSY,
                         "this driver's NVML has no nvmlDeviceGetUtilizationRates");
    source_expect_absent(&job, BE_GPU_OWN_PROCESSES, "has no nvmlDeviceGetComputeRunningProcesses");
    source_expect_tidy();
}

/* ---- the ladder -------------------------------------------------------------------------------- */

static void no_counters(void **state) {
    (void)state;
    const struct {
        enum be_fake_counters counters;
        const char *lacks, *words;
    } kind[] = {
        {FAKE_NO_COUNTERS, NULL, "no GPM counters"},
        {FAKE_ONLY_SAID, NULL, "nvml:0: nvmlGpmSampleGet"},
        {FAKE_COUNTERS, "nvmlGpmMetricsGet", "NVML has no GPM"},
    };
    for (size_t i = 0; i < BE_COUNT(kind); i++) {
        struct source_job job;
        source_reset(NULL);
        fakes[FAKE_NVML]->counters = kind[i].counters;
        fake_lacks[0] = kind[i].lacks;
        source_run(&be_signal_source_gpm, &job);
        assert_int_equal(job.opened, BE_ABSENT);
        if (!strstr(job.error.text, kind[i].words)) {
            fail_msg("\"%s\" without \"%s\"", job.error.text, kind[i].words);
        }
        source_expect_tidy();
        source_run(&be_signal_source_nvml, &job);
        source_expect(&job, BE_GPU_BUSY, 0, 0.6);
    }
}

static void nothing_here(void **state) {
    (void)state;
    struct source_job job;
    fake_absent[FAKE_NVML] = true;
    source_run(&be_signal_source_gpm, &job);
    assert_int_equal(job.opened, BE_ABSENT);
    assert_non_null(strstr(job.error.text, "libnvidia-ml.so.1"));
    fake_reset();
    fakes[FAKE_NVML]->devices = 0;
    source_run(&be_signal_source_nvml, &job);
    assert_int_equal(job.opened, BE_ABSENT);
    assert_string_equal(job.error.text, "there is no NVIDIA GPU here");
    source_expect_tidy();
}

/* ---- which GPUs -------------------------------------------------------------------------------- */

static void those_that_the_program_may_use(void **state) {
    (void)state;
    const struct {
        const char *visible, *order, *ids;
        int other;
    } kind[] = {
        {NULL, NULL, "nvml:0 nvml:1 nvml:2 ", 0},
        {"CUDA_VISIBLE_DEVICES=1", NULL, "nvml:1 ", 0},
        {"CUDA_VISIBLE_DEVICES=2,0", NULL, "nvml:0 nvml:2 ", 0},
        {"CUDA_VISIBLE_DEVICES=GPU-0000abc2", NULL, "nvml:2 ", 0},
        {"CUDA_VISIBLE_DEVICES=1,nonsense,0", NULL, "nvml:1 ", 0},
        {"CUDA_VISIBLE_DEVICES=-1", NULL, "", 0},
        {"CUDA_VISIBLE_DEVICES=", NULL, "", 0},
        /* Not all alike: number 0 is the fastest, whichever that is. */
        {"CUDA_VISIBLE_DEVICES=0", NULL, "nvml:0 nvml:1 nvml:2 ", 1},
        {"CUDA_VISIBLE_DEVICES=0", "CUDA_DEVICE_ORDER=PCI_BUS_ID", "nvml:0 ", 1},
    };
    for (size_t i = 0; i < BE_COUNT(kind); i++) {
        struct source_job job;
        char ids[128] = "";
        source_reset(NULL);
        fakes[FAKE_NVML]->devices = 3;
        fakes[FAKE_NVML]->other = kind[i].other;
        source_environment[0] = kind[i].visible ? kind[i].visible : "A=b";
        source_environment[1] = kind[i].order;
        source_run(&be_signal_source_nvml, &job);
        for (int k = 0; k < job.gpus; k++) {
            strcat(strcat(ids, job.gpu[k].id), " ");
        }
        if (strcmp(ids, kind[i].ids) != 0) {
            fail_msg("%s: %s instead of %s", source_environment[0], ids, kind[i].ids);
        }
        assert_int_equal(job.opened, job.gpus > 0 ? BE_OK : BE_ABSENT);
        assert_true(job.gpus > 0 || strstr(job.error.text, "leaves none of 3 GPUs"));
    }
    source_watched.node = true;
    struct source_job job;
    source_environment[0] = "CUDA_VISIBLE_DEVICES=1";
    source_run(&be_signal_source_nvml, &job);
    assert_int_equal(job.gpus, 3);
}

/* A batch system hides the first of two: to CUDA the second is number 0. */
static void those_that_may_be_opened(void **state) {
    (void)state;
    struct source_job job;
    fakes[FAKE_NVML]->devices = 2;
    source_environment[0] = "CUDA_VISIBLE_DEVICES=0";
    fake_lacks[0] = "nvmlDeviceGetName"; /* so that each is opened once only */
    fake_fail("nvmlDeviceGetHandleByIndex_v2", 1, 1, NVML_ERROR_NO_PERMISSION);
    source_run(&be_signal_source_nvml, &job);
    assert_int_equal(job.gpus, 1);
    assert_string_equal(job.gpu[0].id, "nvml:0");
    assert_string_equal(job.gpu[0].uuid, "GPU-0000abc1-0000-0000-0000-000000000000");
    source_reset(NULL);
    fake_fail("nvmlDeviceGetHandleByIndex_v2", 1, 9, NVML_ERROR_NO_PERMISSION);
    source_run(&be_signal_source_nvml, &job);
    assert_int_equal(job.opened, BE_ABSENT);
    assert_non_null(strstr(job.error.text, "none of 1 GPUs can be opened"));
    source_expect_tidy();
}

static void parts(void **state) {
    (void)state;
    struct source_job job;
    fakes[FAKE_NVML]->parts = 2;
    fakes[FAKE_NVML]->devices = 2;
    source_run(&be_signal_source_gpm, &job);
    assert_int_equal(job.gpus, 4);
    assert_string_equal(job.gpu[3].id, "nvml:1.1");
    assert_true(job.gpu[3].slice);
    source_expect(&job, BE_GPU_SM_ACTIVE, 3, 0.04);
    assert_int_equal(fake_calls("nvmlGpmSampleGet"), 0);
    source_expect_tidy();
    source_run(&be_signal_source_nvml, &job);
    source_expect_absent(&job, BE_GPU_BUSY, "nvml:"); /* NVML has no share of time of them */
    source_expect(&job, BE_GPU_OWN_PROCESSES, 0, 1);
    source_expect(&job, BE_GPU_OWN_PROCESSES, 1, 0); /* the other process is in that part */
    source_expect(&job, BE_GPU_FOREIGN_PROCESSES, 1, 1);
    source_environment[0] = "CUDA_VISIBLE_DEVICES=MIG-0000abc5-0000-0000-0000-000000000000";
    source_run(&be_signal_source_nvml, &job);
    assert_int_equal(job.gpus, 1);
    assert_string_equal(job.gpu[0].id, "nvml:0.1");
    source_environment[0] = "CUDA_VISIBLE_DEVICES=MIG-GPU-0000abc1-0000-0000-0000-000000000000/8/0";
    source_run(&be_signal_source_nvml, &job);
    assert_int_equal(job.gpus, 1);
    assert_string_equal(job.gpu[0].id, "nvml:1.1");
    source_expect_tidy();
}

/* ---- processes --------------------------------------------------------------------------------- */

/* In a container the driver's numbers may be the machine's: 4000000 is nobody here. */
static void numbers_of_another_place(void **state) {
    (void)state;
    struct source_job job;
    source_watched.files = "/nowhere"; /* so we do not see all processes */
    source_watched.with_root = false;
    fakes[FAKE_NVML]->pid[0] = 4000000;
    fakes[FAKE_NVML]->processes = 1;
    source_run(&be_signal_source_nvml, &job);
    source_expect(&job, BE_GPU_FOREIGN_PROCESSES, 0, 1); /* it was there before the program */
    source_expect(&job, BE_GPU_OWN_PROCESSES, 0, 0);
    source_watched.with_root = true; /* it ran before we came: it may be the program's */
    source_run(&be_signal_source_nvml, &job);
    source_expect(&job, BE_GPU_FOREIGN_PROCESSES, 0, 0);
    source_expect_absent(&job, BE_GPU_OWN_PROCESSES, "container");
    fakes[FAKE_NVML]->pid[0] = 0;
    source_run(&be_signal_source_nvml, &job);
    source_expect_absent(&job, BE_GPU_OWN_MEMORY, "container");
}

/* The driver need not fill a list that is too short: then nothing is known, and nothing is made up. */
static void more_processes_than_capacity(void **state) {
    (void)state;
    struct source_job job;
    static struct be_sink sink;
    void *self = NULL;
    fakes[FAKE_NVML]->processes = 1;
    assert_int_equal(be_signal_source_nvml.open(&source_watched, &self, &job.error), BE_OK);
    for (int i = 1; i <= 2; i++) { /* nor does what was known before hold */
        const struct be_moment moment = {.from_s = i - 1, .now_s = i, .budget_s = 1};
        source_clear(&job);
        be_sink_clear(&sink);
        assert_int_equal(be_signal_source_nvml.sample(self, &moment, &sink, &job.error), BE_OK);
        source_take(&job, &sink);
        assert_int_equal(isnan(job.value[BE_GPU_FOREIGN_PROCESSES][0]), i == 2);
        fakes[FAKE_NVML]->processes = 1000;
    }
    be_signal_source_nvml.close(self);
    assert_true(isnan(job.value[BE_GPU_OWN_PROCESSES][0]));
    assert_true(isnan(job.value[BE_GPU_FOREIGN_PROCESSES][0]));
    source_expect_absent(&job, BE_GPU_OWN_PROCESSES, "nvmlDeviceGetComputeRunningProcesses: ");
}

/* ---- failures ---------------------------------------------------------------------------------- */

static const struct be_signal_source *const both[] = {&be_signal_source_gpm,
                                                      &be_signal_source_nvml};

static void each_call_fails(void **state) {
    (void)state;
    int gone_on = 0;
    int jobs = 0;
    for (size_t s = 0; s < BE_COUNT(both); s++) {
        source_fail_each(both[s], FAKE_NVML, NVML_ERROR_GPU_IS_LOST, &jobs, &gone_on);
    }
    assert_true(jobs > 200 && gone_on > jobs / 3);
    fake_settle();
}

/* One of two falls off the bus half-way: the other is seen to the end. */
static void one_gpu_is_lost(void **state) {
    (void)state;
    struct source_job job;
    fakes[FAKE_NVML]->devices = 2;
    fake_fail("nvmlDeviceGetUtilizationRates", 3, 3, NVML_ERROR_GPU_IS_LOST);
    source_run(&be_signal_source_nvml, &job);
    assert_int_equal(job.sampled, BE_OK);
    assert_non_null(strstr(job.absent[BE_GPU_BUSY], "nvml:0: nvmlDeviceGetUtilizationRates: the "
                                                    "GPU fell off the bus"));
    assert_int_equal(fake_calls("nvmlDeviceGetUtilizationRates"), 5); /* 2, 2, 1 */
    source_expect_tidy();
}

static void counters_are_lost_later(void **state) {
    (void)state;
    struct source_job job;
    fakes[FAKE_NVML]->counters = FAKE_NO_MORE_LATER;
    source_run(&be_signal_source_gpm, &job);
    assert_int_equal(job.opened, BE_OK);
    assert_int_equal(job.sampled, BE_ABSENT);
    assert_string_equal(job.error.text, "the GPU fell off the bus");
    source_expect(&job, BE_GPU_SM_ACTIVE, 0, 0.04); /* what was seen before stays */
    source_expect_tidy();
}

/* ---- pace -------------------------------------------------------------------------------------- */

/* A source that took long waits until its budget has caught up; at the end it is asked in any case. */
static void pace(void **state) {
    (void)state;
    struct be_pace pace = {.owed_s = 1};
    struct be_moment moment = {.budget_s = 0.1}; /* times 1 to 8, as there are cores */
    int turns = 0;
    assert_false(be_pace_begin(&pace, &moment));
    while (!be_pace_begin(&pace, &moment)) {
        turns++;
    }
    assert_true(turns < 10);
    pace.owed_s = 1;
    moment.last = true;
    assert_true(be_pace_begin(&pace, &moment));
    moment.last = false;
    moment.budget_s = 0.001;
    for (int i = 0; i < 2000;
         i++) { /* more than what is owed and what can be saved, with one core too */
        be_pace_begin(&pace, &moment);
    }
    pace.owed_s += 0.15; /* once, after it took nothing for long */
    assert_true(be_pace_begin(&pace, &moment));
    pace.owed_s += 0.15;
    assert_false(be_pace_begin(&pace, &moment));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, source_reset)
    const struct CMUnitTest tests[] = {
        TEST(counters),
        TEST(driver),
        TEST(an_older_driver),
        TEST(no_counters),
        TEST(nothing_here),
        TEST(those_that_the_program_may_use),
        TEST(those_that_may_be_opened),
        TEST(parts),
        TEST(numbers_of_another_place),
        TEST(more_processes_than_capacity),
        TEST(each_call_fails),
        TEST(one_gpu_is_lost),
        TEST(counters_are_lost_later),
        TEST(pace),
    };
    fake_open_all();
    return cmocka_run_group_tests_name("GPU sources", tests, NULL, NULL);
}
