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
#include "observe/nvidia.h"
#include "observe/sources_gpu.h"

enum { UNKNOWN = 999, NOT_PERMITTED = 4 };

/* ---- time: every look at the clock is 0.2 s after the one before; nobody sleeps ---------------- */

static double ticking(void *context) {
    static double now_s;
    (void)context;
    return now_s += 0.2;
}

struct be_clock __wrap_be_clock_host(void);
struct be_clock __wrap_be_clock_host(void) {
    return (struct be_clock){.now = ticking, .step_s = 1e-9};
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left) {
    (void)time;
    (void)left;
    return 0;
}

/* ---- a job: open, three ticks, close ----------------------------------------------------------- */

static pid_t own_pid;

static bool is_own(const struct be_watched *watched, pid_t pid) {
    (void)watched;
    return pid == own_pid;
}

static const char *environment[3];

static struct be_watched watched = {.files = "", .environment = environment, .member = is_own};

static struct be_sink sink;

struct job {
    enum be_status opened, sampled; /* of the last tick */
    struct be_error error;
    struct be_trace_gpu gpu[BE_DEVICES_MAX];
    int gpus;
    double value[BE_SIGNALS][BE_DEVICES_MAX]; /* the last there was */
    int values;                               /* of all ticks */
    char absent[BE_SIGNALS][BE_NOTE];
    char detail[BE_NOTE];
};

static void take_sink(struct job *job) {
    job->values += sink.values;
    for (int i = 0; i < sink.values; i++) {
        job->value[sink.value[i].signal][sink.value[i].id] = sink.value[i].value;
    }
    for (int i = 0; i < sink.absences; i++) {
        be_copy_text(job->absent[sink.absent[i].signal], BE_NOTE, sink.absent[i].reason);
    }
    if (sink.detail[0]) {
        be_copy_text(job->detail, sizeof job->detail, sink.detail);
    }
}

static void run(const struct be_signal_source *source, struct job *job) {
    void *self = NULL;
    memset(job, 0, sizeof *job);
    for (int i = 0; i < BE_SIGNALS * BE_DEVICES_MAX; i++) {
        (&job->value[0][0])[i] = NAN;
    }
    job->opened = source->open(&watched, &self, &job->error);
    if (job->opened != BE_OK) {
        return;
    }
    job->gpus = source->gpus(self, job->gpu, BE_DEVICES_MAX);
    for (int tick = 0; tick < 3; tick++) {
        const struct be_moment moment = {.from_s = tick, .now_s = tick + 1, .budget_s = 1};
        be_sink_clear(&sink);
        job->sampled = source->sample(self, &moment, &sink, &job->error);
        take_sink(job);
    }
    source->close(self);
}

static void expect_is(const struct job *job, enum be_signal signal, int gpu, double value) {
    if (!(fabs(job->value[signal][gpu] - value) <= 1e-9 * fabs(value))) {
        fail_msg("%s of GPU %d is %g, not %g", be_signals[signal].name, gpu,
                 job->value[signal][gpu], value);
    }
}

static void expect_absent(const struct job *job, enum be_signal signal, const char *words) {
    assert_true(isnan(job->value[signal][0]));
    if (!strstr(job->absent[signal], words)) {
        fail_msg("%s: \"%s\" without \"%s\"", be_signals[signal].name, job->absent[signal], words);
    }
}

static void expect_tidy(void) {
    if (fake_untidy()[0]) {
        fail_msg("%s", fake_untidy());
    }
}

static int reset(void **state) {
    (void)state;
    fake_reset();
    memset(environment, 0, sizeof environment);
    watched.node = false;
    watched.with_root = true;
    watched.files = "";
    own_pid = getpid();
    fakes[FAKE_NVML]->pid[0] = own_pid;
    fakes[FAKE_NVML]->pid[1] = 1;
    fakes[FAKE_NVML]->processes = 2;
    return 0;
}

/* ---- values ------------------------------------------------------------------------------------ */

static void counters(void **state) {
    (void)state;
    struct job job;
    run(&be_signal_source_gpm, &job);
    assert_int_equal(job.opened, BE_OK);
    assert_int_equal(job.sampled, BE_OK);
    assert_int_equal(job.gpus, 1);
    expect_is(&job, BE_GPU_SM_ACTIVE, 0, 0.04);
    expect_is(&job, BE_GPU_SM_OCCUPANCY, 0, 0.05);
    expect_is(&job, BE_GPU_TENSOR, 0, 0.07);
    expect_is(&job, BE_GPU_TENSOR_FP64, 0, 0.08);
    expect_is(&job, BE_GPU_TENSOR_HALF, 0, 0.09);
    expect_is(&job, BE_GPU_TENSOR_INT, 0, 0.11);
    expect_is(&job, BE_GPU_DRAM, 0, 0.12);
    expect_is(&job, BE_GPU_FP64, 0, 0.13);
    expect_is(&job, BE_GPU_FP32, 0, 0.14);
    expect_is(&job, BE_GPU_FP16, 0, 0.15);
    expect_is(&job, BE_GPU_BUS_OUT, 0, 2000 * 1048576.0); /* TX: away from the GPU */
    expect_is(&job, BE_GPU_BUS_IN, 0, 2100 * 1048576.0);
    assert_true(isnan(job.value[BE_GPU_INT][0])); /* not a number: not measured, never 0 */
    expect_absent(&job, BE_GPU_LINK_IN, "nvml:0: a GPM metric");
    expect_tidy();
}

static void driver(void **state) {
    (void)state;
    struct job job;
    run(&be_signal_source_nvml, &job);
    assert_int_equal(job.sampled, BE_OK);
    assert_string_equal(job.gpu[0].id, "nvml:0");
    assert_string_equal(job.gpu[0].name, "Fake GPU");
    assert_string_equal(job.gpu[0].uuid, "GPU-0000abc0-0000-0000-0000-000000000000");
    assert_true(job.gpu[0].memory_bytes == 80.0 * (1 << 30));
    assert_true(fabs(job.gpu[0].bus_bytes_s - 63.016e9) < 1e6); /* generation 5, 16 lanes */
    assert_true(job.gpu[0].power_limit_w == 650);
    assert_true(job.gpu[0].fp64_ratio == 0.5);
    assert_false(job.gpu[0].slice);
    expect_is(&job, BE_GPU_BUSY, 0, 0.6);
    expect_is(&job, BE_GPU_MEMORY_BUSY, 0, 0.3);
    expect_is(&job, BE_GPU_MEMORY, 0, 6.0 * (1 << 30)); /* without what the driver keeps */
    expect_is(&job, BE_GPU_POWER, 0, 1 / 0.2);          /* 1 J a call, 0.2 s apart */
    expect_is(&job, BE_GPU_CLOCK, 0, 1950e6);
    expect_is(&job, BE_GPU_MEMORY_CLOCK, 0, 3201e6);
    expect_is(&job, BE_GPU_TEMPERATURE, 0, 42);
    expect_is(&job, BE_GPU_THROTTLED_POWER, 0, 1);
    expect_is(&job, BE_GPU_THROTTLED_HEAT, 0, 0);
    expect_is(&job, BE_GPU_THROTTLED_OTHER, 0, 0);
    expect_is(&job, BE_GPU_OWN_PROCESSES, 0, 1);
    expect_is(&job, BE_GPU_OWN_MEMORY, 0, 1 << 30);
    expect_is(&job, BE_GPU_FOREIGN_PROCESSES, 0, 1);
    assert_true(isnan(job.value[BE_GPU_BUS_IN][0])); /* GPM has it, without waiting 20 ms */
    assert_int_equal(fake_calls("nvmlDeviceGetPcieThroughput"), 0);
    assert_string_equal(job.detail, "driver 580.0");
    expect_tidy();
}

/* An older driver: fewer functions, and what stands in for them. */
static void an_older_driver(void **state) {
    (void)state;
    struct job job;
    fakes[FAKE_NVML]->counters = FAKE_NO_COUNTERS;
    fake_lacks[0] = "nvmlDeviceGetMemoryInfo_v2";
    fake_lacks[1] = "nvmlDeviceGetCurrentClocksEventReasons";
    fake_lacks[2] = "nvmlDeviceGetTotalEnergyConsumption";
    fake_lacks[3] = "nvmlDeviceGetUtilizationRates";
    fake_lacks[4] = "nvmlDeviceGetComputeRunningProcesses_v3";
    run(&be_signal_source_nvml, &job);
    expect_is(&job, BE_GPU_MEMORY, 0, 7.0 * (1 << 30));
    expect_is(&job, BE_GPU_THROTTLED_POWER, 0, 1);
    assert_true(job.value[BE_GPU_POWER][0] > 0);
    expect_is(&job, BE_GPU_BUS_IN, 0, 1024 * 2e6);
    expect_is(&job, BE_GPU_BUS_OUT, 0, 1024 * 1e3);
    expect_absent(&job, BE_GPU_BUSY, "this driver's NVML has no nvmlDeviceGetUtilizationRates");
    expect_absent(&job, BE_GPU_OWN_PROCESSES, "has no nvmlDeviceGetComputeRunningProcesses");
    expect_tidy();
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
        struct job job;
        reset(NULL);
        fakes[FAKE_NVML]->counters = kind[i].counters;
        fake_lacks[0] = kind[i].lacks;
        run(&be_signal_source_gpm, &job);
        assert_int_equal(job.opened, BE_ABSENT);
        if (!strstr(job.error.text, kind[i].words)) {
            fail_msg("\"%s\" without \"%s\"", job.error.text, kind[i].words);
        }
        expect_tidy();
        run(&be_signal_source_nvml, &job);
        expect_is(&job, BE_GPU_BUSY, 0, 0.6);
    }
}

static void nothing_here(void **state) {
    (void)state;
    struct job job;
    fake_absent[FAKE_NVML] = true;
    run(&be_signal_source_gpm, &job);
    assert_int_equal(job.opened, BE_ABSENT);
    assert_non_null(strstr(job.error.text, "libnvidia-ml.so.1"));
    fake_reset();
    fakes[FAKE_NVML]->devices = 0;
    run(&be_signal_source_nvml, &job);
    assert_int_equal(job.opened, BE_ABSENT);
    assert_string_equal(job.error.text, "there is no NVIDIA GPU here");
    expect_tidy();
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
        struct job job;
        char ids[128] = "";
        reset(NULL);
        fakes[FAKE_NVML]->devices = 3;
        fakes[FAKE_NVML]->other = kind[i].other;
        environment[0] = kind[i].visible ? kind[i].visible : "A=b";
        environment[1] = kind[i].order;
        run(&be_signal_source_nvml, &job);
        for (int k = 0; k < job.gpus; k++) {
            strcat(strcat(ids, job.gpu[k].id), " ");
        }
        if (strcmp(ids, kind[i].ids) != 0) {
            fail_msg("%s: %s instead of %s", environment[0], ids, kind[i].ids);
        }
        assert_int_equal(job.opened, job.gpus > 0 ? BE_OK : BE_ABSENT);
        assert_true(job.gpus > 0 || strstr(job.error.text, "leaves none of 3 GPUs"));
    }
    watched.node = true;
    struct job job;
    environment[0] = "CUDA_VISIBLE_DEVICES=1";
    run(&be_signal_source_nvml, &job);
    assert_int_equal(job.gpus, 3);
}

static void parts(void **state) {
    (void)state;
    struct job job;
    fakes[FAKE_NVML]->parts = 2;
    fakes[FAKE_NVML]->devices = 2;
    run(&be_signal_source_gpm, &job);
    assert_int_equal(job.gpus, 4);
    assert_string_equal(job.gpu[3].id, "nvml:1.1");
    assert_true(job.gpu[3].slice);
    expect_is(&job, BE_GPU_SM_ACTIVE, 3, 0.04);
    assert_int_equal(fake_calls("nvmlGpmSampleGet"), 0);
    expect_tidy();
    run(&be_signal_source_nvml, &job);
    expect_absent(&job, BE_GPU_BUSY, "nvml:"); /* NVML has no share of time of them */
    expect_is(&job, BE_GPU_OWN_PROCESSES, 0, 1);
    expect_is(&job, BE_GPU_OWN_PROCESSES, 1, 0); /* the other process is in that part */
    expect_is(&job, BE_GPU_FOREIGN_PROCESSES, 1, 1);
    environment[0] = "CUDA_VISIBLE_DEVICES=MIG-0000abc5-0000-0000-0000-000000000000";
    run(&be_signal_source_nvml, &job);
    assert_int_equal(job.gpus, 1);
    assert_string_equal(job.gpu[0].id, "nvml:0.1");
    environment[0] = "CUDA_VISIBLE_DEVICES=MIG-GPU-0000abc1-0000-0000-0000-000000000000/8/0";
    run(&be_signal_source_nvml, &job);
    assert_int_equal(job.gpus, 1);
    assert_string_equal(job.gpu[0].id, "nvml:1.1");
    expect_tidy();
}

/* ---- processes --------------------------------------------------------------------------------- */

/* In a container the driver's numbers may be the machine's: 4000000 is nobody here. */
static void numbers_of_another_place(void **state) {
    (void)state;
    struct job job;
    watched.files = "/nowhere"; /* so we do not see all processes */
    watched.with_root = false;
    fakes[FAKE_NVML]->pid[0] = 4000000;
    fakes[FAKE_NVML]->processes = 1;
    run(&be_signal_source_nvml, &job);
    expect_is(&job, BE_GPU_FOREIGN_PROCESSES, 0, 1); /* it was there before the program */
    expect_is(&job, BE_GPU_OWN_PROCESSES, 0, 0);
    watched.with_root = true; /* it ran before we came: it may be the program's */
    run(&be_signal_source_nvml, &job);
    expect_is(&job, BE_GPU_FOREIGN_PROCESSES, 0, 0);
    expect_absent(&job, BE_GPU_OWN_PROCESSES, "container");
    fakes[FAKE_NVML]->pid[0] = 0;
    run(&be_signal_source_nvml, &job);
    expect_absent(&job, BE_GPU_OWN_MEMORY, "container");
}

/* ---- failures ---------------------------------------------------------------------------------- */

static const struct be_signal_source *const both[] = {&be_signal_source_gpm,
                                                      &be_signal_source_nvml};

static int jobs, gone_on;

/* Everything but what the call is for is still there: of a single failure more than half. */
static void judge(const struct job *job, const struct job *whole, const char *function, long call,
                  bool lost) {
    jobs++;
    if (fake_untidy()[0]) {
        fake_complain("%s, call %ld%s: %s", function, call, lost ? ", lost" : "", fake_untidy());
    }
    if (job->opened != BE_OK && (job->opened != BE_ABSENT || strlen(job->error.text) < 10)) {
        fake_complain("%s, call %ld: opening: %s", function, call, job->error.text);
    }
    if (job->opened == BE_OK && !lost && job->values < whole->values / 2) {
        fake_complain("%s, call %ld: %d values of %d", function, call, job->values, whole->values);
    }
    if (job->opened == BE_OK && job->sampled != BE_OK &&
        (!lost || job->sampled != BE_ABSENT || !strstr(job->error.text, "fell off the bus"))) {
        fake_complain("%s, call %ld: %s", function, call, job->error.text);
    }
    gone_on += job->opened == BE_OK && job->sampled == BE_OK;
}

static void each_call_fails(void **state) {
    (void)state;
    const int codes[] = {UNKNOWN, NOT_PERMITTED, NVML_ERROR_GPU_IS_LOST};
    jobs = gone_on = 0;
    for (size_t s = 0; s < BE_COUNT(both); s++) {
        struct job whole;
        long calls[128];
        reset(NULL);
        run(both[s], &whole);
        for (size_t i = 0; i < fakes[FAKE_NVML]->functions; i++) {
            calls[i] = fakes[FAKE_NVML]->function[i].calls;
        }
        for (size_t i = 0; i < fakes[FAKE_NVML]->functions; i++) {
            long chosen[FAKE_CHOSEN];
            int count = fake_choose(calls[i], chosen);
            for (int k = 0; k < count * (int)BE_COUNT(codes); k++) {
                struct job job;
                int code = codes[k % (int)BE_COUNT(codes)];
                const char *function = fakes[FAKE_NVML]->function[i].name;
                reset(NULL);
                fakes[FAKE_NVML]->lose = code == NVML_ERROR_GPU_IS_LOST;
                fake_fail(function, chosen[k / (int)BE_COUNT(codes)],
                          chosen[k / (int)BE_COUNT(codes)], code);
                run(both[s], &job);
                judge(&job, &whole, function, chosen[k / (int)BE_COUNT(codes)],
                      code == NVML_ERROR_GPU_IS_LOST);
            }
        }
    }
    print_message("%d failures, %d went on\n", jobs, gone_on);
    assert_true(jobs > 200 && gone_on > jobs / 3);
    fake_settle();
}

/* One of two falls off the bus half-way: the other is seen to the end. */
static void one_gpu_is_lost(void **state) {
    (void)state;
    struct job job;
    fakes[FAKE_NVML]->devices = 2;
    fake_fail("nvmlDeviceGetUtilizationRates", 3, 3, NVML_ERROR_GPU_IS_LOST);
    run(&be_signal_source_nvml, &job);
    assert_int_equal(job.sampled, BE_OK);
    assert_non_null(strstr(job.absent[BE_GPU_BUSY], "nvml:0: nvmlDeviceGetUtilizationRates: the "
                                                    "GPU fell off the bus"));
    assert_int_equal(fake_calls("nvmlDeviceGetUtilizationRates"), 5); /* 2, 2, 1 */
    expect_tidy();
}

static void counters_are_lost_later(void **state) {
    (void)state;
    struct job job;
    fakes[FAKE_NVML]->counters = FAKE_NO_MORE_LATER;
    run(&be_signal_source_gpm, &job);
    assert_int_equal(job.opened, BE_OK);
    assert_int_equal(job.sampled, BE_ABSENT);
    assert_string_equal(job.error.text, "the GPU fell off the bus");
    expect_is(&job, BE_GPU_SM_ACTIVE, 0, 0.04); /* what was seen before stays */
    expect_tidy();
}

/* ---- pace -------------------------------------------------------------------------------------- */

/* A source that took long waits until its budget has caught up; at the end it is asked in any case. */
static void pace(void **state) {
    (void)state;
    struct be_pace pace = {.owed_s = 0.01};
    struct be_moment moment = {.budget_s = 0.004};
    assert_false(be_pace_begin(&pace, &moment));
    assert_false(be_pace_begin(&pace, &moment));
    assert_true(be_pace_begin(&pace, &moment));
    pace.owed_s = 1;
    moment.last = true;
    assert_true(be_pace_begin(&pace, &moment));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, reset)
    const struct CMUnitTest tests[] = {
        TEST(counters),
        TEST(driver),
        TEST(an_older_driver),
        TEST(no_counters),
        TEST(nothing_here),
        TEST(those_that_the_program_may_use),
        TEST(parts),
        TEST(numbers_of_another_place),
        TEST(each_call_fails),
        TEST(one_gpu_is_lost),
        TEST(counters_are_lost_later),
        TEST(pace),
    };
    fake_open_all();
    return cmocka_run_group_tests_name("GPU sources", tests, NULL, NULL);
}
