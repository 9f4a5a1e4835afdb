/*
 * The CUDA backend on the fake GPU: what it says of it, what it says when a library, a function in
 * it, a device or memory is missing, and kernels that stay within their arrays.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "breakeven_profile.h"
#include "device/device.h"
#include "harness.h"
#include "job.h"

static struct be_error error;

static void expect(enum be_status status, enum be_status wanted, const char *word) {
    if (status != wanted || (word && !strstr(error.text, word))) {
        fail_msg("%s with \"%s\" was expected, not %s with \"%s\"", be_status_name(wanted),
                 word ? word : "", be_status_name(status), error.text);
    }
    assert_string_equal(fake_untidy(), "");
}

static enum be_status probe(struct be_device_info *info, int *count) {
    memset(&error, 0, sizeof error);
    return be_cuda_ops.probe(info, 1, count, &error);
}

static int start(void **state) {
    (void)state;
    memset(&error, 0, sizeof error);
    fake_reset();
    return 0;
}

/* ---- what is here --------------------------------------------------------------------------- */

static void shows_the_gpu(void **state) {
    (void)state;
    struct be_device_info info;
    int count = 0;
    expect(probe(&info, &count), BE_OK, NULL);
    assert_int_equal(count, 1);
    assert_string_equal(info.id, "cuda:0");
    assert_string_equal(info.backend, "cuda");
    assert_string_equal(info.name, "Fake GPU");
    assert_string_equal(info.driver, "driver 580.0, CUDA 13.0, NVRTC 13.0");
    assert_string_equal(info.address, "0000:0f:00.0");
    assert_int_equal(info.kind, BE_KIND_GPU);
    assert_int_equal(info.units, 4);
    assert_true(info.memory_bytes == (double)(96 << 20));
    assert_true(info.cache_bytes == (double)(1 << 20));
    assert_true(fabs(info.clock_hz - 1.98e9) < 1);
    assert_int_equal(fakes[FAKE_CUDA]->live[FAKE_CONTEXT], 0);
}

static void shows_two_of_three(void **state) {
    (void)state;
    struct be_device_info info[3] = {{.id = ""}, {.id = ""}, {.id = "untouched"}};
    int count = 0;
    fakes[FAKE_CUDA]->devices = 3;
    assert_int_equal(be_cuda_ops.probe(info, 2, &count, &error), BE_OK);
    assert_int_equal(count, 2);
    assert_string_equal(info[1].id, "cuda:1");
    assert_string_equal(info[1].address, "0000:0f:00.1");
    assert_string_equal(info[2].id, "untouched");
}

/* One that cannot be described ends the list there; those before it stay. */
static void keeps_those_before_a_broken_one(void **state) {
    (void)state;
    struct be_device_info info[3];
    int count = 0;
    fakes[FAKE_CUDA]->devices = 3;
    fake_fail("cuDeviceGetName", 2, 2, 999);
    assert_int_equal(be_cuda_ops.probe(info, 3, &count, &error), BE_DRIVER);
    assert_int_equal(count, 1);
    assert_non_null(strstr(error.text, "cuda:1"));
}

static struct be_device *open_gpu(void) {
    struct be_device_info info;
    struct be_device *device = NULL;
    int count = 0;
    assert_int_equal(probe(&info, &count), BE_OK);
    if (be_cuda_ops.open(&info, NULL, &device, &error) != BE_OK) {
        fail_msg("%s", error.text);
    }
    return device;
}

static void says_its_state(void **state) {
    (void)state;
    struct be_device *device = open_gpu();
    struct be_device_state s;
    be_cuda_ops.extras->state(device, &s);
    assert_true(s.clock_hz == 1.95e9 && s.clock_max_hz == 1.98e9 && s.temperature_c == 42);
    assert_int_equal(s.throttle, 4);
    be_cuda_ops.close(device);
    assert_string_equal(fake_untidy(), "");
}

static void holds_one_context_a_device(void **state) {
    (void)state;
    struct be_device *first = open_gpu();
    struct be_device *second = open_gpu();
    be_cuda_ops.close(first);
    struct be_buffer buffer = {0};
    assert_int_equal(be_cuda_ops.memory->alloc(second, 1000, &buffer, &error), BE_OK);
    be_cuda_ops.memory->release(second, &buffer);
    be_cuda_ops.close(second);
    assert_int_equal(fake_calls("cuDevicePrimaryCtxRetain"), 2);
    assert_string_equal(fake_untidy(), "");
}

static void computes(void **state) {
    (void)state;
    expect(job_run(JOB_LARGE, &error), BE_OK, NULL);
    assert_true(fake_calls("cuLaunchKernel") > 3); /* the pipeline cut it */
}

/* Every kernel for real, arrays as small as the caches ask for: the sanitizer looks on. */
static void ceilings_stay_within_their_arrays(void **state) {
    (void)state;
    const int cache[] = {1 << 16, 300000, 1 << 20, 2 << 20};
    for (size_t i = 0; i < BE_COUNT(cache); i++) {
        fake_reset();
        fakes[FAKE_CUDA]->idle = false;
        fakes[FAKE_CUDA]->memory_bytes = (size_t)8 << 20;
        fakes[FAKE_CUDA]->cache_bytes = cache[i];
        expect(job_ceilings(&error), BE_OK, NULL);
    }
}

/* ---- what is missing ------------------------------------------------------------------------ */

static void no_driver(void **state) {
    (void)state;
    struct be_device_info info;
    int count = 1;
    fake_absent[FAKE_CUDA] = true;
    expect(probe(&info, &count), BE_ABSENT, "the CUDA driver is not here (libcuda.so.1)");
    assert_int_equal(count, 0);
}

static void no_device(void **state) {
    (void)state;
    struct be_device_info info;
    int count = 1;
    fakes[FAKE_CUDA]->devices = 0;
    expect(probe(&info, &count), BE_ABSENT, "shows no GPU");
    assert_non_null(strstr(error.text, "CUDA_VISIBLE_DEVICES"));
    assert_int_equal(count, 0);
}

/* An old driver lacks one function: any one. */
static void driver_without_a_function(void **state) {
    (void)state;
    const struct be_fake *cuda = fakes[FAKE_CUDA];
    for (size_t i = 0; i < cuda->functions; i++) {
        struct be_device_info info;
        int count = 1;
        fake_reset();
        fake_lacks[0] = cuda->function[i].name;
        if (!cuda->function[i].must) {
            expect(job_run(JOB_TINY, &error), BE_OK, NULL);
            continue;
        }
        expect(probe(&info, &count), BE_ABSENT, "too old");
        expect(BE_ABSENT, BE_ABSENT, cuda->function[i].name);
        assert_int_equal(count, 0);
    }
    print_message("%zu functions missing in turn\n", cuda->functions);
}

static void no_compiler(void **state) {
    (void)state;
    fake_absent[FAKE_NVRTC] = true;
    expect(job_run(JOB_TINY, &error), BE_ABSENT, "NVRTC is not here (libnvrtc.so.13)");
    assert_non_null(strstr(error.text, "compiling power"));
}

static void compiler_without_a_function(void **state) {
    (void)state;
    const struct be_fake *nvrtc = fakes[FAKE_NVRTC];
    for (size_t i = 0; i < nvrtc->functions; i++) {
        bool must = nvrtc->function[i].must;
        fake_reset();
        fake_lacks[0] = nvrtc->function[i].name;
        expect(job_run(JOB_TINY, &error), must ? BE_ABSENT : BE_OK, must ? fake_lacks[0] : NULL);
        assert_true(must || fake_calls("nvrtcGetPTX") == 1);
    }
}

static bool nothing_said(const struct be_device_state *s) {
    return isnan(s->clock_hz) && isnan(s->clock_max_hz) && isnan(s->temperature_c) &&
           s->throttle == 0;
}

static void no_management_library(void **state) {
    (void)state;
    fake_absent[FAKE_NVML] = true;
    expect(job_run(JOB_TINY, &error), BE_OK, NULL);
    struct be_device *device = open_gpu();
    struct be_device_state s;
    be_cuda_ops.extras->state(device, &s);
    assert_true(nothing_said(&s));
    assert_string_equal(device->info.driver, "CUDA 13.0, NVRTC 13.0");
    be_cuda_ops.close(device);
    assert_string_equal(fake_untidy(), "");
}

/* Without a function that must be there nothing is said; without another, all but that. */
static void management_library_without_a_function(void **state) {
    (void)state;
    const struct be_fake *nvml = fakes[FAKE_NVML];
    for (size_t i = 0; i < nvml->functions; i++) {
        struct be_device_state s;
        fake_reset();
        fake_lacks[0] = nvml->function[i].name;
        struct be_device *device = open_gpu();
        be_cuda_ops.extras->state(device, &s);
        assert_int_equal(nothing_said(&s), nvml->function[i].must);
        be_cuda_ops.close(device);
        assert_string_equal(fake_untidy(), "");
    }
}

/* Each call of NVML that fails leaves its own number unsaid. */
static void management_calls_that_fail(void **state) {
    (void)state;
    struct be_device *device = open_gpu();
    struct be_device_state s;
    fake_fail("nvmlDeviceGetClockInfo", 1, 1, 999);
    fake_fail("nvmlDeviceGetMaxClockInfo", 2, 2, 999);
    fake_fail("nvmlDeviceGetTemperature", 3, 3, 999);
    fake_fail("nvmlDeviceGetCurrentClocksThrottleReasons", 4, 4, 999);
    for (int call = 1; call <= 4; call++) {
        be_cuda_ops.extras->state(device, &s);
        assert_int_equal(isnan(s.clock_hz), call == 1);
        assert_int_equal(isnan(s.clock_max_hz), call == 2);
        assert_int_equal(isnan(s.temperature_c), call == 3);
        assert_int_equal(s.throttle, call == 4 ? 0 : 4);
    }
    be_cuda_ops.close(device);
    assert_string_equal(fake_untidy(), "");
}

/* ---- memory that does not suffice ----------------------------------------------------------- */

static void says_how_much_was_needed(void **state) {
    (void)state;
    fakes[FAKE_CUDA]->memory_bytes = (size_t)100000000;
    struct be_device *device = open_gpu();
    struct be_buffer large = {0};
    struct be_buffer more = {0};
    assert_int_equal(be_cuda_ops.memory->alloc(device, 60000000, &large, &error), BE_OK);
    assert_int_equal(be_cuda_ops.memory->alloc(device, 50000000, &more, &error), BE_NOMEM);
    assert_int_equal(error.status, BE_NOMEM);
    assert_string_equal(error.text,
                        "cuMemAlloc of 50 MB (40 MB free): out of memory (CUDA error 2)");
    assert_int_equal(more.handle, 0);
    be_cuda_ops.memory->release(device, &more);
    be_cuda_ops.memory->release(device, &large);
    assert_int_equal(be_cuda_ops.memory->alloc(device, 100000000, &more, &error), BE_OK);
    be_cuda_ops.memory->release(device, &more);
    be_cuda_ops.close(device);
    assert_string_equal(fake_untidy(), "");
}

/* Others hold all of it: a probe says so, and what needs none of it is measured. */
static void a_probe_of_a_full_gpu(void **state) {
    (void)state;
    const struct be_probe_options options = {.device = {"cuda:0"}, .devices = 1, .quick = true};
    struct be_profile profile;
    int remarks = 0;
    fakes[FAKE_CUDA]->memory_bytes = 64;
    fakes[FAKE_CUDA]->idle = true;
    assert_int_equal(be_probe(&options, &profile, &error), BE_OK);
    assert_false(profile.partial);
    assert_non_null(be_profile_figure(&profile, "cuda:0", "first_context", NULL, 0, NAN, NULL));
    for (size_t i = 0; i < profile.remarks; i++) {
        remarks += strstr(profile.remark[i], "not measured: cuMemAlloc of") != NULL;
    }
    assert_true(remarks > 2);
    be_profile_free(&profile);
    assert_string_equal(fake_untidy(), "");
}

static void page_locked_memory_that_fails(void **state) {
    (void)state;
    struct be_device *device = open_gpu();
    struct be_pinned pinned = {0};
    fake_fail("cuMemHostAlloc", 1, 1, 2);
    assert_int_equal(be_cuda_ops.memory->pin(device, 4000000, &pinned, &error), BE_NOMEM);
    assert_string_equal(error.text, "cuMemHostAlloc of 4.0 MB: out of memory (CUDA error 2)");
    be_cuda_ops.memory->unpin(device, &pinned);
    be_cuda_ops.close(device);
    assert_string_equal(fake_untidy(), "");
}

/* ---- the fake itself: it must see what a real driver does not forgive ----------------------- */

static void the_fake_sees_mistakes(void **state) {
    (void)state;
    struct be_device *device = open_gpu();
    struct be_buffer buffer = {0};
    float ordinary[4] = {0};
    assert_int_equal(be_cuda_ops.memory->alloc(device, 64, &buffer, &error), BE_OK);
    assert_int_equal(
        be_cuda_ops.queue->write(device, BE_QUEUE_IN, &buffer, 0, ordinary, 16, &error), BE_DRIVER);
    assert_non_null(strstr(fake_untidy(), "cuMemcpyHtoDAsync_v2 of 16 bytes"));
    fakes[FAKE_CUDA]->misuse[0] = '\0';
    assert_int_equal(be_cuda_ops.queue->fill(device, BE_QUEUE_IN, &buffer, 60, 0, 5, &error),
                     BE_DRIVER);
    assert_non_null(strstr(fake_untidy(), "beyond"));
    fakes[FAKE_CUDA]->misuse[0] = '\0';
    assert_non_null(strstr(fake_untidy(), "1 device memory left; 3 streams left; 1 contexts left"));
    struct be_buffer twice = buffer;
    be_cuda_ops.memory->release(device, &buffer);
    be_cuda_ops.memory->release(device, &twice);
    assert_non_null(strstr(fake_untidy(), "cuMemFree_v2 of what is not allocated"));
    be_cuda_ops.close(device);
}

#define TEST(name) cmocka_unit_test_setup(name, start)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(shows_the_gpu),
        TEST(shows_two_of_three),
        TEST(keeps_those_before_a_broken_one),
        TEST(says_its_state),
        TEST(holds_one_context_a_device),
        TEST(computes),
        TEST(ceilings_stay_within_their_arrays),
        TEST(no_driver),
        TEST(no_device),
        TEST(driver_without_a_function),
        TEST(no_compiler),
        TEST(compiler_without_a_function),
        TEST(no_management_library),
        TEST(management_library_without_a_function),
        TEST(management_calls_that_fail),
        TEST(says_how_much_was_needed),
        TEST(a_probe_of_a_full_gpu),
        TEST(page_locked_memory_that_fails),
        TEST(the_fake_sees_mistakes),
    };
    fake_open_all();
    job_prepare();
    int failed = cmocka_run_group_tests_name("cuda on a fake GPU", tests, NULL, NULL);
    job_end();
    return failed;
}
