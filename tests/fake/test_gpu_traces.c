/*
 * Sums that the injected library wrote, as rates of a tick, on a fake NVML; and files that are not what
 * they should be.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "harness.h"
#include "observe/sources/gpu_trace.h"
#include "observe/sources/sources.h"
#include "source_job.h"

static char traces[] = "/tmp/breakeven-traces-XXXXXX";

/* Writes the record as the library would, to the slot whose turn it is. */
static void write_record(const char *name, struct be_gpu_record *record) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", traces, name);
    FILE *file = fopen(path, record->sequence == 0 ? "w" : "r+");
    memcpy(record->magic, BE_GPU_RECORD_MAGIC, sizeof record->magic);
    record->version = BE_GPU_RECORD_VERSION;
    record->bytes = sizeof *record;
    record->sequence++;
    record->sum = be_gpu_record_sum(record);
    assert_non_null(file);
    assert_int_equal(fseek(file, (long)(record->sequence % 2) * BE_GPU_RECORD_SLOT, SEEK_SET), 0);
    assert_int_equal(fwrite(record, sizeof *record, 1, file), 1);
    assert_int_equal(fclose(file), 0);
}

static void add_times(struct be_gpu_tally *tally, unsigned int count, uint64_t ns) {
    tally->count += count;
    tally->total_ns += count * ns;
    tally->bucket[be_gpu_record_bucket(ns)] += count;
}

/* Half a second looked at, in a second: 1000 kernels of 100 us, a tenth of the time in NCCL's. */
static void go_on(struct be_gpu_record *record) {
    struct be_gpu_device *device = &record->device[0];
    record->now_ns += 1000000000;
    record->traced_ns += 500000000;
    add_times(&device->kernels, 1000, 100000);
    add_times(&device->gaps, 999, 400000);
    add_times(&record->runtime_launches, 1000, 6000);
    add_times(&record->syncs[BE_GPU_SYNC_STREAM], 50, 2000000);
    device->kernel_ns += 100000000;
    device->nccl_ns += 50000000;
    device->copies[BE_GPU_TO_DEVICE][BE_GPU_PAGEABLE].bytes += 3000000;
    device->copies[BE_GPU_TO_DEVICE][BE_GPU_PAGEABLE].total_ns += 25000000;
    device->copies[BE_GPU_TO_HOST][BE_GPU_PINNED].bytes += 1000000;
    device->copies[BE_GPU_TO_HOST][BE_GPU_PINNED].total_ns += 5000000;
}

static void sample_at(void *self, double now_s, bool last, struct source_job *job) {
    static struct be_sink sink;
    const struct be_moment moment = {
        .from_s = now_s - 1, .now_s = now_s, .budget_s = 1, .last = last};
    be_sink_clear(&sink);
    assert_int_equal(be_signal_source_cupti.sample(self, &moment, &sink, NULL), BE_OK);
    source_take(job, &sink);
}

static void sample_traces(void *self, double now_s, struct source_job *job) {
    sample_at(self, now_s, false, job);
}

static void expect_rates(const struct source_job *job, double times) {
    source_expect(job, BE_GPU_KERNELS, 1, times * 2000);
    source_expect(job, BE_GPU_KERNEL_SHARE, 1, times * 0.2);
    source_expect(job, BE_GPU_NCCL_SHARE, 1, times * 0.1);
    source_expect(job, BE_GPU_COPY_IN, 1, times * 6e6);
    source_expect(job, BE_GPU_COPY_OUT, 1, times * 2e6);
    source_expect(job, BE_GPU_COPY_IN_SHARE, 1, times * 0.05);
    source_expect(job, BE_GPU_COPY_OUT_SHARE, 1, times * 0.01);
    source_expect(job, BE_GPU_COPY_PAGEABLE, 1, 0.75);
    source_expect(job, BE_GPU_SYNCS, 1, times * 100);
    source_expect(job, BE_GPU_SYNC_SHARE, 1, 0.2); /* each process waits for itself */
}

/* A process that has begun, with ten runs of one kernel on the second of two GPUs. */
static void begin_record(struct be_gpu_record *record) {
    memset(record, 0, sizeof *record);
    record->state = BE_GPU_RECORD_RUNNING;
    record->start_ns = record->now_ns = 5000000000;
    record->devices = 1;
    record->device[0].used = 1;
    strcpy(record->device[0].uuid, "GPU-0000abc1-0000-0000-0000-000000000000");
    record->kernels = 1;
    strcpy(record->kernel[0].name, "_ZN2at6native11some_kernelIfEEvPT_");
    add_times(&record->kernel[0].time, 10, 100000);
}

/* Two processes on the second of two GPUs, which is 0 to them. */
static void sums_of_traces(void **state) {
    (void)state;
    static struct be_gpu_record record;
    static struct source_job job;
    void *self = NULL;
    begin_record(&record);
    fakes[FAKE_NVML]->devices = 2;
    source_watched.trace_folder = traces;
    assert_int_equal(be_signal_source_cupti.open(&source_watched, &self, &job.error), BE_OK);
    source_clear(&job);
    sample_traces(self, 1, &job);
    assert_int_equal(job.values, 0); /* nothing yet */
    go_on(&record);
    write_record("gpu-1-1.trace", &record);
    sample_traces(self, 2, &job);
    expect_rates(&job, 1);
    assert_true(isnan(job.value[BE_GPU_KERNELS][0]));
    assert_true(job.value[BE_GPU_KERNEL_MEDIAN][1] > 90e-6 &&
                job.value[BE_GPU_KERNEL_MEDIAN][1] < 120e-6);
    assert_true(job.value[BE_GPU_GAP_MEDIAN][1] > 350e-6 &&
                job.value[BE_GPU_GAP_MEDIAN][1] < 470e-6);
    assert_true(job.value[BE_GPU_LAUNCH_MEDIAN][1] > 5e-6 &&
                job.value[BE_GPU_LAUNCH_MEDIAN][1] < 7e-6);
    assert_string_equal(job.detail, "1 process, 1000 kernels in the 50 % of the time looked at, "
                                    "most time in at::native::some_kernel (100 %)");
    source_clear(&job);
    sample_traces(self, 3, &job); /* no news: what was holds */
    expect_rates(&job, 1);
    go_on(&record);
    record.dropped = 3;
    write_record("gpu-1-1.trace", &record);
    struct be_gpu_record other = record;
    other.sequence = 0;
    other.dropped = 4;
    write_record("gpu-2-1.trace", &other); /* both have the same seconds behind them */
    sample_traces(self, 4, &job);
    expect_rates(&job, 2);
    source_expect_absent(&job, BE_GPU_KERNELS, "7 records were dropped");
    sample_traces(self, 11, &job); /* both were killed */
    source_expect(&job, BE_GPU_KERNELS, 1, 0);
    record.state = BE_GPU_RECORD_OFF;
    be_signal_source_cupti.close(self);
    source_expect_tidy();
}

/* No traces from before, two GPUs, and a program that has used one of them. */
static void *open_fresh(struct be_gpu_record *record, struct source_job *job) {
    void *self = NULL;
    char command[128];
    snprintf(command, sizeof command, "rm -f %s/*", traces);
    assert_int_equal(system(command), 0);
    memset(record, 0, sizeof *record);
    record->state = BE_GPU_RECORD_RUNNING;
    record->devices = 1;
    record->device[0].used = 1;
    strcpy(record->device[0].uuid, "GPU-0000abc1-0000-0000-0000-000000000000");
    fakes[FAKE_NVML]->devices = 2;
    source_watched.trace_folder = traces;
    assert_int_equal(be_signal_source_cupti.open(&source_watched, &self, &job->error), BE_OK);
    return self;
}

/* The work of a process that has ended is not added to what its successor does, or to the work on the CPU after it. */
static void what_has_ended_is_over(void **state) {
    (void)state;
    static struct be_gpu_record record;
    static struct source_job job;
    source_clear(&job);
    void *self = open_fresh(&record, &job);
    for (int i = 0; i < 4; i++) { /* a second each */
        char name[64];
        begin_record(&record);
        go_on(&record);
        record.state = BE_GPU_RECORD_ENDED;
        snprintf(name, sizeof name, "gpu-%d-1.trace", i + 1);
        write_record(name, &record);
        sample_traces(self, 2 + i, &job);
        expect_rates(&job, 1);
    }
    sample_traces(self, 6, &job);
    source_expect(&job, BE_GPU_KERNELS, 1, 0);
    be_signal_source_cupti.close(self);
    source_expect_tidy();
}

/* A script that runs one program on the GPU after the other. */
static void one_after_another(void **state) {
    (void)state;
    enum { PROGRAMS = 70 };
    static struct be_gpu_record record;
    static struct source_job job;
    void *self = NULL;
    char name[64];
    fakes[FAKE_NVML]->devices = 2;
    source_watched.trace_folder = traces;
    assert_int_equal(be_signal_source_cupti.open(&source_watched, &self, &job.error), BE_OK);
    for (int i = 0; i < PROGRAMS; i++) {
        begin_record(&record);
        source_clear(&job);
        go_on(&record);
        snprintf(name, sizeof name, "gpu-%d-1.trace", 1000 + i);
        write_record(name, &record);
        sample_traces(self, 100 * i + 1, &job);
        expect_rates(&job, 1);
        record.state = i % 2 ? BE_GPU_RECORD_ENDED : BE_GPU_RECORD_RUNNING; /* killed */
        record.pid = INT_MAX;
        write_record(name, &record);
        sample_traces(self, 100 * i + 2, &job);
    }
    source_clear(&job);
    sample_traces(self, 100 * PROGRAMS + 1, &job);
    source_expect(&job, BE_GPU_KERNELS, 1, 0);
    assert_non_null(strstr(job.detail, "70 processes, 70000 kernels"));
    be_signal_source_cupti.close(self);
    int left = 0;
    for (int i = 0; i < PROGRAMS; i++) {
        snprintf(name, sizeof name, "%s/gpu-%d-1.trace", traces, 1000 + i);
        left += unlink(name) == 0;
    }
    assert_true(left > 0 && left <= 64);
    source_expect_tidy();
}

/* A program that starts for nine tenths of a second: rates are of the tenth in which something ran. */
static void before_the_first(void **state) {
    (void)state;
    static struct be_gpu_record record;
    static struct source_job job;
    void *self = open_fresh(&record, &job);
    record.start_ns = 5000000000;
    record.now_ns = 6000000000;
    record.traced_ns = 1000000000;
    record.device[0].first_ns = 5900000000;
    add_times(&record.device[0].kernels, 200, 100000);
    write_record("gpu-1-1.trace", &record);
    source_clear(&job);
    sample_traces(self, 1, &job);
    source_expect(&job, BE_GPU_KERNELS, 1, 2000);
    record.now_ns = 7000000000; /* another tenth in the second that follows */
    record.traced_ns += 100000000;
    add_times(&record.device[0].kernels, 100, 100000);
    write_record("gpu-1-1.trace", &record);
    sample_traces(self, 2, &job);
    source_expect(&job, BE_GPU_KERNELS, 1, 1000);
    assert_string_equal(job.detail, "1 process, 300 kernels in the 18 % of the time looked at");
    be_signal_source_cupti.close(self);
}

/* A window has closed, and half of what ran in it comes with a later write: it is of the same time. */
static void what_comes_late(void **state) {
    (void)state;
    static struct be_gpu_record record;
    static struct source_job job;
    void *self = open_fresh(&record, &job);
    for (int window = 1; window <= 2; window++) {
        record.now_ns += 5000000000;
        record.traced_ns += 200000000;
        for (int part = 1; part <= 2; part++) {
            add_times(&record.device[0].kernels, 1000, 50000);
            add_times(&record.syncs[BE_GPU_SYNC_STREAM], 1000, 50000);
            record.device[0].kernel_ns += 1000 * 50000;
            record.device[0].synced_ns += 1000 * 25000;
            write_record("gpu-1-1.trace", &record);
            source_clear(&job);
            sample_traces(self, 2 * window + part, &job);
            source_expect(&job, BE_GPU_KERNELS, 1, part * 5000);
            source_expect(&job, BE_GPU_SYNCS, 1, part * 5000);
            source_expect(&job, BE_GPU_KERNEL_SHARE, 1, part * 0.25);
            source_expect(&job, BE_GPU_SYNC_GAP, 1, part * 0.125);
        }
    }
    record.state = BE_GPU_RECORD_ENDED;
    write_record("gpu-1-1.trace", &record);
    source_clear(&job);
    sample_traces(self, 8, &job);
    source_expect(&job, BE_GPU_KERNELS, 1, 0);
    be_signal_source_cupti.close(self);
}

static void no_trace_and_why(void **state) {
    (void)state;
    static struct be_gpu_record record;
    static struct source_job job;
    void *self = NULL;
    char command[128];
    snprintf(command, sizeof command, "rm -f %s/*", traces);
    assert_int_equal(system(command), 0);
    memset(&record, 0, sizeof record);
    strcpy(record.reason, "another profiler holds CUPTI in this program");
    source_watched.trace_folder = traces;
    assert_int_equal(be_signal_source_cupti.open(&source_watched, &self, &job.error), BE_OK);
    source_clear(&job);
    sample_at(self, 1, false, &job);
    assert_string_equal(job.absent[BE_GPU_KERNELS], ""); /* that may come */
    sample_at(self, 2, true, &job);
    source_expect_absent(&job, BE_GPU_KERNELS, "no process told of itself");
    write_record("gpu-1-1.trace", &record);
    record.sequence = 0;
    write_record("something else", &record);
    source_clear(&job);
    sample_at(self, 3, true, &job);
    source_expect_absent(&job, BE_GPU_KERNELS, "trace unavailable: another profiler holds CUPTI");
    assert_int_equal(job.values, 0);
    be_signal_source_cupti.close(self);
}

/* The file is the program's: whatever stands in it is refused or within bounds. */
static void damaged_traces(void **state) {
    (void)state;
    static struct be_gpu_record record;
    char path[128];
    snprintf(path, sizeof path, "%s/gpu-3-1.trace", traces);
    memset(&record, 0, sizeof record);
    record.devices = record.kernels = 4000000000u;
    memset(record.reason, 'x', sizeof record.reason);
    memset(record.kernel[255].name, 'y', BE_GPU_RECORD_NAME);
    write_record("gpu-3-1.trace", &record);
    assert_int_equal(be_gpu_record_load(path, &record, NULL), BE_OK);
    assert_int_equal(record.devices, BE_GPU_RECORD_DEVICES);
    assert_int_equal(record.kernels, BE_GPU_RECORD_KERNELS);
    assert_int_equal(strlen(record.reason), sizeof record.reason - 1);
    assert_int_equal(strlen(record.kernel[255].name), BE_GPU_RECORD_NAME - 1);
    FILE *file = fopen(path, "w");
    fputs("nothing of the kind", file);
    fclose(file);
    assert_int_equal(be_gpu_record_load(path, &record, NULL), BE_WRONG);
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(be_gpu_record_load(path, &record, NULL), BE_ABSENT);
    assert_int_equal(be_gpu_record_load("/nowhere", &record, NULL), BE_IO);
}

static void names_of_kernels(void **state) {
    (void)state;
    const char *const kind[][2] = {
        {"_ZN2at6native11some_kernelIfEEvPT_", "at::native::some_kernel"},
        {"_Z4fma3Pfi", "fma3"},
        {"_ZN12_GLOBAL__N_14workEv", "work"},
        {"ncclDevKernel_AllReduce", "ncclDevKernel_AllReduce"},
        {"_ZN999999999999999999999x", "_ZN999999999999999999999x"},
        {"_Z", "_Z"},
        {"", ""},
    };
    for (size_t i = 0; i < BE_COUNT(kind); i++) {
        char name[64];
        be_kernel_name(kind[i][0], name, sizeof name);
        assert_string_equal(name, kind[i][1]);
    }
    char small[8];
    be_kernel_name(kind[0][0], small, sizeof small);
    assert_string_equal(small, "at::nat");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, source_reset)
    const struct CMUnitTest tests[] = {
        TEST(sums_of_traces),    TEST(before_the_first),       TEST(what_comes_late),
        TEST(no_trace_and_why),  TEST(damaged_traces),         TEST(names_of_kernels),
        TEST(one_after_another), TEST(what_has_ended_is_over),
    };
    char command[128];
    fake_open_all();
    if (!mkdtemp(traces)) {
        return 1;
    }
    int failed = cmocka_run_group_tests_name("GPU traces", tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf %s", traces);
    return system(command) != 0 || failed;
}
