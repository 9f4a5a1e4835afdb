/*
 * The sources of AMD's and Intel's GPUs on fakes of their libraries: the values, which GPUs, and that no
 * call that fails takes more with it than its own values. Neither has met real hardware.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "dyn/intel/sysman.h"
#include "harness.h"
#include "observe/sources/sources.h"
#include "source_job.h"

/* Offsets that tests/abi/abi_sysman.c has of the real header. */
#define AT(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #field);
AT(zes_device_properties_t, parts, 384)
AT(zes_device_properties_t, model, 580)
AT(zes_device_properties_t, driver, 708)
AT(zes_pci_properties_t, max, 32)
AT(zes_pci_stats_t, received_bytes, 24)
AT(zes_pci_stats_t, sent_bytes, 32)
AT(zes_engine_properties_t, group, 16)
AT(zes_freq_properties_t, domain, 16)
AT(zes_freq_state_t, actual_mhz, 48)
AT(zes_freq_state_t, throttle, 56)
AT(zes_process_state_t, pid, 16)
AT(zes_process_state_t, bytes, 24)
#include "../abi/sysman_layout.h"

static char files[] = "/tmp/breakeven-sys-XXXXXX";

/* A machine with both drivers; /proc is not there, so we do not see all processes. */
static int reset(void **state) {
    source_reset(state);
    source_watched.files = files;
    return 0;
}

static void make(const char *folder) {
    char path[128];
    snprintf(path, sizeof path, "%s%s", files, folder);
    mkdir(path, 0700);
}

static void amd(void **state) {
    (void)state;
    struct source_job job;
    fakes[FAKE_ROCM]->devices = 2;
    source_run(&be_signal_source_rocm, &job);
    assert_int_equal(job.sampled, BE_OK);
    assert_int_equal(job.gpus, 2);
    assert_string_equal(job.gpu[1].id, "rocm:1");
    assert_string_equal(job.gpu[1].name, "Fake Instinct");
    assert_string_equal(job.gpu[1].uuid, "GPU-000000000000abc1");
    assert_string_equal(job.gpu[1].note, "untested on hardware");
    assert_true(job.gpu[0].memory_bytes == 64.0 * (1 << 30));
    assert_true(job.gpu[0].power_limit_w == 560);
    source_expect(&job, BE_GPU_BUSY, 1, 0.71);
    source_expect(&job, BE_GPU_MEMORY_BUSY, 0, 0.2);
    source_expect(&job, BE_GPU_MEMORY, 0, 5.0 * (1 << 30));
    source_expect(&job, BE_GPU_POWER, 0, 250); /* 500 J in 2 s */
    source_expect(&job, BE_GPU_TEMPERATURE, 0, 50);
    source_expect(&job, BE_GPU_OWN_PROCESSES, 0, 1);
    source_expect(&job, BE_GPU_OWN_MEMORY, 0, 1 << 30);
    source_expect(&job, BE_GPU_FOREIGN_PROCESSES, 0, 0);
    assert_true(isnan(job.value[BE_GPU_SM_ACTIVE][0])); /* not told: not made up */
    source_expect_tidy();
}

static void amd_without_an_energy_counter(void **state) {
    (void)state;
    struct source_job job;
    fake_lacks[0] = "rsmi_dev_energy_count_get";
    fake_lacks[1] = "rsmi_dev_busy_percent_get";
    source_run(&be_signal_source_rocm, &job);
    source_expect(&job, BE_GPU_POWER, 0, 300);
    source_expect_absent(&job, BE_GPU_BUSY, "this ROCm SMI has no rsmi_dev_busy_percent_get");
}

static void amd_that_may_be_used(void **state) {
    (void)state;
    const struct {
        const char *variable, *id;
    } kind[] = {
        {"ROCR_VISIBLE_DEVICES=1", "rocm:1"},
        {"ROCR_VISIBLE_DEVICES=GPU-000000000000abc0", "rocm:0"},
        {"HIP_VISIBLE_DEVICES=1", "rocm:1"},
        {"ROCR_VISIBLE_DEVICES=7", NULL},
    };
    for (size_t i = 0; i < BE_COUNT(kind); i++) {
        struct source_job job;
        reset(NULL);
        fakes[FAKE_ROCM]->devices = 2;
        source_environment[0] = kind[i].variable;
        source_run(&be_signal_source_rocm, &job);
        assert_int_equal(job.opened, kind[i].id ? BE_OK : BE_ABSENT);
        assert_true(!kind[i].id || strcmp(job.gpu[0].id, kind[i].id) == 0);
        assert_int_equal(job.gpus, kind[i].id != NULL);
    }
}

static void intel(void **state) {
    (void)state;
    struct source_job job;
    source_run(&be_signal_source_sysman, &job);
    assert_int_equal(job.sampled, BE_OK);
    assert_int_equal(job.gpus, 1);
    assert_string_equal(job.gpu[0].id, "sysman:0");
    assert_string_equal(job.gpu[0].name, "Fake Data Center GPU Max");
    assert_string_equal(job.gpu[0].uuid, "abababab-abab-abab-abab-abababababab");
    assert_true(job.gpu[0].memory_bytes == 48.0 * (1 << 30));
    assert_true(job.gpu[0].bus_bytes_s == 63e9);
    source_expect(&job, BE_GPU_BUSY, 0, 0.6); /* of what computes, not of what copies */
    source_expect(&job, BE_GPU_MEMORY, 0, 8.0 * (1 << 30));
    source_expect(&job, BE_GPU_DRAM, 0, 0.4);
    source_expect(&job, BE_GPU_POWER, 0, 250);
    source_expect(&job, BE_GPU_TEMPERATURE, 0, 45); /* the hottest place */
    source_expect(&job, BE_GPU_CLOCK, 0, 1550e6);
    source_expect(&job, BE_GPU_MEMORY_CLOCK, 0, 3200e6);
    source_expect(&job, BE_GPU_THROTTLED_HEAT, 0, 1);
    source_expect(&job, BE_GPU_THROTTLED_POWER, 0, 0);
    source_expect(&job, BE_GPU_BUS_IN, 0, 2000);
    source_expect(&job, BE_GPU_BUS_OUT, 0, 1000);
    source_expect(&job, BE_GPU_OWN_PROCESSES, 0, 1);
    source_expect(&job, BE_GPU_OWN_MEMORY, 0, 1 << 30);
    source_expect_tidy();
}

static void intel_that_may_be_used(void **state) {
    (void)state;
    struct source_job job;
    fakes[FAKE_SYSMAN]->devices = 3;
    source_environment[0] = "ZE_AFFINITY_MASK=0.1,2";
    source_run(&be_signal_source_sysman, &job);
    assert_int_equal(job.gpus, 2);
    assert_string_equal(job.gpu[1].id, "sysman:2");
    source_environment[0] = "ZE_AFFINITY_MASK=5";
    source_run(&be_signal_source_sysman, &job);
    assert_int_equal(job.opened, BE_ABSENT);
    assert_non_null(strstr(job.error.text, "leaves none of 3 GPUs"));
}

/* In a container the drivers' numbers may be the machine's: 4000000 is nobody here. Which processes are the
 * program's is not known then, and not none. */
static void numbers_of_another_place(void **state) {
    static const struct {
        const struct be_signal_source *source;
        enum fake_library library;
    } each[] = {{&be_signal_source_rocm, FAKE_ROCM}, {&be_signal_source_sysman, FAKE_SYSMAN}};
    (void)state;
    for (size_t i = 0; i < BE_COUNT(each); i++) {
        struct source_job job;
        fakes[each[i].library]->processes = 1;
        fakes[each[i].library]->pid[0] = 4000000;
        source_run(each[i].source, &job);
        assert_int_equal(job.sampled, BE_OK);
        assert_true(isnan(job.value[BE_GPU_OWN_PROCESSES][0]));
        assert_true(isnan(job.value[BE_GPU_OWN_MEMORY][0]));
        source_expect_absent(&job, BE_GPU_OWN_PROCESSES, "container");
        source_expect_absent(&job, BE_GPU_OWN_MEMORY, "container");
        source_expect(&job, BE_GPU_FOREIGN_PROCESSES, 0, 0);
        fakes[each[i].library]->processes = 0; /* nobody is nobody */
        source_run(each[i].source, &job);
        source_expect(&job, BE_GPU_OWN_PROCESSES, 0, 0);
        source_expect(&job, BE_GPU_OWN_MEMORY, 0, 0);
    }
    source_expect_tidy();
}

/* ROCm SMI may list a process and not say which GPUs it is on. */
static void amd_does_not_say_where(void **state) {
    (void)state;
    struct source_job job;
    fakes[FAKE_ROCM]->processes = 1;
    fake_fail("rsmi_compute_process_gpus_get", 1, 1000, 2);
    source_run(&be_signal_source_rocm, &job);
    assert_true(isnan(job.value[BE_GPU_OWN_PROCESSES][0]));
    source_expect(&job, BE_GPU_BUSY, 0, 0.7);
}

/* Their libraries are not even opened: one of them writes to the terminal then. */
static void no_driver(void **state) {
    (void)state;
    struct source_job job;
    source_watched.files = "/nowhere";
    source_run(&be_signal_source_rocm, &job);
    assert_int_equal(job.opened, BE_ABSENT);
    assert_non_null(strstr(job.error.text, "/sys/class/kfd"));
    source_run(&be_signal_source_sysman, &job);
    assert_int_equal(job.opened, BE_ABSENT);
    assert_int_equal(fake_calls("rsmi_init") + fake_calls("zesInit"), 0);
    source_watched.files = files;
    fake_absent[FAKE_ROCM] = fake_absent[FAKE_SYSMAN] = true;
    source_run(&be_signal_source_rocm, &job);
    assert_int_equal(job.opened, BE_ABSENT);
    source_run(&be_signal_source_sysman, &job);
    assert_int_equal(job.opened, BE_ABSENT);
}

static void each_call_fails(void **state) {
    (void)state;
    int jobs = 0;
    int gone_on = 0;
    source_before_each = reset;
    source_fail_each(&be_signal_source_rocm, FAKE_ROCM, 2, &jobs, &gone_on);
    source_fail_each(&be_signal_source_sysman, FAKE_SYSMAN, ZE_RESULT_ERROR_DEVICE_LOST, &jobs,
                     &gone_on);
    assert_true(jobs > 100 && gone_on > jobs / 3);
    fake_settle();
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, reset)
    const struct CMUnitTest tests[] = {
        TEST(amd),
        TEST(amd_without_an_energy_counter),
        TEST(amd_that_may_be_used),
        TEST(intel),
        TEST(intel_that_may_be_used),
        TEST(numbers_of_another_place),
        TEST(amd_does_not_say_where),
        TEST(no_driver),
        TEST(each_call_fails),
    };
    if (!mkdtemp(files)) {
        return 1;
    }
    make("/sys");
    make("/sys/class");
    make("/sys/class/kfd");
    make("/sys/class/drm");
    fake_open_all();
    int failed = cmocka_run_group_tests_name("GPUs of AMD and Intel", tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", files);
    return system(command) != 0 || failed;
}
