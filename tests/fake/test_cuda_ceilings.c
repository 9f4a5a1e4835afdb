/*
 * A GPU's ceilings on the fake one, by a clock that only its work moves: nobody who tells them to end
 * waits for more than one piece of slow work, and quick work is still put in batches.
 */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "harness.h"
#include "machine/ceilings.h"

static struct be_error error;
static double piece_s; /* what each piece of the device's work takes */

static long pieces(void) {
    static const char *const work[] = {"cuLaunchKernel", "cuMemcpyDtoDAsync_v2",
                                       "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2"};
    long all = 0;
    for (int i = 0; i < 4; i++) {
        all += fake_calls(work[i]);
    }
    return all;
}

static double worked(void *context) {
    (void)context;
    return piece_s * (double)pieces();
}

struct be_clock __wrap_be_clock_host(void);
struct be_clock __wrap_be_clock_host(void) {
    return (struct be_clock){.now = worked, .step_s = 1e-9};
}

/* A user who may tell it to end, and the work that was done between two questions. */
struct user {
    long seen, max; /* pieces of work: so far, and in a row without a question */
    long patience;  /* questions until it is told to end */
};

static bool asked(void *context) {
    struct user *user = context;
    long done = pieces();
    user->max = done - user->seen > user->max ? done - user->seen : user->max;
    user->seen = done;
    return --user->patience < 0;
}

static struct be_ceilings measure(struct user *user) {
    struct be_device_info info;
    struct be_device *device = NULL;
    struct be_ceilings ceilings = {0};
    int count = 0;
    fake_reset();
    fakes[FAKE_CUDA]->idle = true;
    fakes[FAKE_CUDA]->memory_bytes = (size_t)16 << 20;
    const struct be_cancel cancel = {.asked = asked, .context = user};
    if (be_cuda_ops.probe(&info, 1, &count, &error) != BE_OK || count != 1 ||
        be_cuda_ops.open(&info, NULL, &device, &error) != BE_OK ||
        be_ceilings_device(device, cancel, &ceilings, &error) != BE_OK) {
        fail_msg("%s", error.text);
    }
    asked(user); /* of what came after the last question */
    be_cuda_ops.close(device);
    assert_string_equal(fake_untidy(), "");
    return ceilings;
}

static void test_slow(void **state) {
    (void)state;
    struct user user = {.patience = 1L << 30};
    piece_s = 1;
    struct be_ceilings ceilings = measure(&user);
    assert_true(ceilings.points > 0);
    assert_true(ceilings.operations[BE_PLAIN32] > 0 && ceilings.bus_in > 0 && ceilings.bus_out > 0);
    assert_true(fabs(ceilings.launch_s - 1) < 1e-6);
    assert_int_equal(user.max, 1);
}

static void test_quick(void **state) {
    (void)state;
    struct user user = {.patience = 1L << 30};
    piece_s = 1e-6;
    (void)measure(&user);
    assert_int_equal(user.max, 16);
}

/* At whatever question: what was not measured is not known, and no point is made up. */
static void test_ended(void **state) {
    (void)state;
    struct user whole = {.patience = 1L << 30};
    piece_s = 1;
    const int points = measure(&whole).points;
    const long questions = (1L << 30) - whole.patience - 1;
    assert_true(questions > 50);
    for (long patience = 0; patience < questions; patience += 7) {
        struct user user = {.patience = patience};
        struct be_ceilings ceilings = measure(&user);
        assert_true(isnan(ceilings.launch_s));
        assert_in_range(ceilings.points, 0, points);
        for (int i = 0; i < ceilings.points; i++) {
            assert_true(isfinite(ceilings.memory[i].rate) && ceilings.memory[i].rate > 0);
        }
        const double rest[] = {ceilings.operations[BE_PLAIN32], ceilings.bus_in, ceilings.bus_out};
        for (int i = 0; i < 3; i++) {
            assert_true(isnan(rest[i]) || (isfinite(rest[i]) && rest[i] > 0));
        }
        assert_int_equal(user.patience, -2); /* not asked again, but by us */
    }
}

int main(void) {
    fake_open_all();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow),
        cmocka_unit_test(test_quick),
        cmocka_unit_test(test_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
