/* Sums across GPUs by a fake NCCL: the numbers, and what is said where the library is not here, is too old, or fails. */
#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "device/device.h"
#include "harness.h"
#include "job.h"

enum { SYSTEM_ERROR = 2 };

static struct be_error error;
static struct be_device *device[2];

static int start(void **state) {
    struct be_device_info info[2];
    int count = 0;
    (void)state;
    memset(&error, 0, sizeof error);
    fake_reset();
    fakes[FAKE_CUDA]->devices = 2;
    if (be_cuda_ops.probe(info, 2, &count, &error) != BE_OK || count < 2) {
        return -1;
    }
    for (int i = 0; i < 2; i++) {
        if (be_cuda_ops.open(&info[i], NULL, &device[i], &error) != BE_OK) {
            return -1;
        }
    }
    return 0;
}

static int end(void **state) {
    (void)state;
    be_cuda_ops.close(device[0]);
    be_cuda_ops.close(device[1]);
    assert_string_equal(fake_untidy(), "");
    return 0;
}

static void expect(enum be_status status, enum be_status wanted, const char *text) {
    if (status != wanted || error.status != wanted || !strstr(error.text, text)) {
        fail_msg("%s with \"%s\" was expected, not %s with \"%s\"", be_status_name(wanted), text,
                 be_status_name(status), error.text);
    }
}

static enum be_status open_sums(int count, struct be_reduce *reduce) {
    return be_cuda_ops.reduce->open(device, count, reduce, &error);
}

static void adds_numbers(void **state) {
    (void)state;
    if (job_sums(&error) != BE_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(fake_calls("ncclGroupStart"), 2); /* one a step, whatever is added */
    assert_int_equal(fake_calls("ncclAllReduce"), 8);
}

static void says_its_version(void **state) {
    struct be_reduce reduce;
    (void)state;
    assert_int_equal(open_sums(2, &reduce), BE_OK);
    assert_string_equal(reduce.name, "NCCL 2.27.3");
    assert_true(reduce.open_s >= 0);
    be_cuda_ops.reduce->close(&reduce);
}

static void is_not_here(void **state) {
    struct be_reduce reduce;
    (void)state;
    fake_absent[FAKE_NCCL] = true;
    expect(open_sums(2, &reduce), BE_ABSENT, "NCCL, is not here (libnccl.so.2)");
    fake_absent[FAKE_NCCL] = false;
    fake_lacks[0] = "ncclCommInitAll";
    expect(open_sums(2, &reduce), BE_ABSENT, "too old: it has no ncclCommInitAll");
    assert_int_equal(reduce.handle, 0);
}

static void takes_a_device_once(void **state) {
    struct be_device *twice[] = {device[1], device[1]};
    struct be_reduce reduce;
    (void)state;
    expect(be_cuda_ops.reduce->open(twice, 2, &reduce, &error), BE_USAGE, "cuda:1 is there twice");
    expect(open_sums(0, &reduce), BE_USAGE, "1 to 16");
    assert_int_equal(fake_calls("ncclCommInitAll"), 0);
}

/* Each call's failure has its sentence, and the group that was begun is ended. */
static void says_what_failed(void **state) {
    static const struct {
        const char *function, *text;
    } fails[] = {
        {"ncclGroupStart", "ncclGroupStart: unhandled system error (NCCL error 2)"},
        {"ncclAllReduce", "ncclAllReduce of 2 numbers: unhandled system error (NCCL error 2)"},
        {"ncclGroupEnd", "ncclGroupEnd: unhandled system error (NCCL error 2)"},
    };
    struct be_reduce reduce;
    struct be_buffer buffer[2] = {{0}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(be_cuda_ops.memory->alloc(device[i], 8, &buffer[i], &error), BE_OK);
    }
    const struct be_buffer *both[] = {&buffer[0], &buffer[1]};
    struct be_sum sum = {both, 2};
    fake_fail("ncclCommInitAll", 1, 1, SYSTEM_ERROR);
    expect(open_sums(2, &reduce), BE_DRIVER,
           "ncclCommInitAll of 2 GPUs: unhandled system error (NCCL error 2)");
    assert_int_equal(open_sums(2, &reduce), BE_OK);
    for (size_t i = 0; i < BE_COUNT(fails); i++) {
        fake_fail(fails[i].function, fake_calls(fails[i].function) + 1, LONG_MAX, SYSTEM_ERROR);
        expect(be_cuda_ops.reduce->sum(&reduce, &sum, 1, &error), BE_DRIVER, fails[i].text);
        fake_fail(fails[i].function, 0, 0, 0);
        assert_int_equal(be_cuda_ops.reduce->sum(&reduce, &sum, 1, &error), BE_OK);
    }
    sum.numbers = 3;
    expect(be_cuda_ops.reduce->sum(&reduce, &sum, 1, &error), BE_USAGE, "3 numbers in 8 bytes");
    assert_int_equal(fake_calls("ncclCommAbort"), 0);
    be_cuda_ops.reduce->close(&reduce);
    assert_int_equal(fake_calls("ncclCommAbort"), 2); /* a communicator that failed may hang */
    for (int i = 0; i < 2; i++) {
        be_cuda_ops.memory->release(device[i], &buffer[i]);
    }
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, start, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(adds_numbers),        TEST(says_its_version), TEST(is_not_here),
        TEST(takes_a_device_once), TEST(says_what_failed),
    };
    fake_open_all();
    return cmocka_run_group_tests_name("sums across GPUs", tests, NULL, NULL);
}
