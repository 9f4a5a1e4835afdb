/* Which of a program's calls to CUDA are told, and with what times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calls.h"

enum { LAUNCH = CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000 };
enum { WAIT = CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020 };
enum { DRIVER_WAIT = CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize };

static CUpti_CallbackFunc callback;
static uint64_t clock_ns;
static CUptiResult answer;
static int told, switched_on, switched_off;
static struct call_time last;

static CUptiResult subscribe(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc function,
                             void *user) {
    (void)subscriber;
    (void)user;
    callback = function;
    return answer;
}

static CUptiResult enable(uint32_t on, CUpti_SubscriberHandle subscriber,
                          CUpti_CallbackDomain domain, CUpti_CallbackId id) {
    (void)subscriber;
    (void)domain;
    (void)id;
    switched_on += on != 0;
    switched_off += on == 0;
    return answer;
}

static CUptiResult look_at_clock(uint64_t *ns) {
    *ns = clock_ns;
    return CUPTI_SUCCESS;
}

static const struct cupti cupti = {
    .cuptiSubscribe = subscribe, .cuptiEnableCallback = enable, .cuptiGetTimestamp = look_at_clock};

static void take(const struct call_time *time) {
    told++;
    last = *time;
}

static int begin(void **state) {
    (void)state;
    answer = CUPTI_SUCCESS;
    told = switched_on = switched_off = 0;
    clock_ns = 1000;
    CUptiResult result = calls_begin(&cupti, take);
    calls_listen(true);
    return result;
}

static void at(CUpti_CallbackDomain domain, CUpti_CallbackId id, int32_t site, uint64_t ns) {
    struct cupti_callback call = {.site = site};
    clock_ns = ns;
    callback(NULL, domain, id, &call);
}

static void tells_a_wait(void **state) {
    (void)state;
    at(CUPTI_CB_DOMAIN_RUNTIME_API, WAIT, CUPTI_API_ENTER, 2000);
    assert_int_equal(told, 0);
    at(CUPTI_CB_DOMAIN_RUNTIME_API, WAIT, CUPTI_API_EXIT, 2500);
    assert_int_equal(told, 1);
    assert_int_equal(last.call, CALL_WAIT_STREAM);
    assert_true(last.runtime);
    assert_int_equal(last.start, 2000);
    assert_int_equal(last.end, 2500);
    assert_true(switched_on > 0);
    assert_int_equal(switched_off, 0);
}

/* The runtime waits by calling the driver. */
static void tells_the_outer_one_alone(void **state) {
    (void)state;
    at(CUPTI_CB_DOMAIN_RUNTIME_API, WAIT, CUPTI_API_ENTER, 2000);
    at(CUPTI_CB_DOMAIN_DRIVER_API, DRIVER_WAIT, CUPTI_API_ENTER, 2100);
    at(CUPTI_CB_DOMAIN_DRIVER_API, DRIVER_WAIT, CUPTI_API_EXIT, 2400);
    assert_int_equal(told, 0);
    at(CUPTI_CB_DOMAIN_RUNTIME_API, WAIT, CUPTI_API_EXIT, 2500);
    assert_int_equal(told, 1);
    assert_int_equal(last.end - last.start, 500);
    at(CUPTI_CB_DOMAIN_DRIVER_API, DRIVER_WAIT, CUPTI_API_ENTER, 3000);
    at(CUPTI_CB_DOMAIN_DRIVER_API, DRIVER_WAIT, CUPTI_API_EXIT, 3100);
    assert_int_equal(told, 2);
    assert_false(last.runtime);
}

/* Nothing is known of a launch whose beginning was told before they were switched off, and whose end is that of a later
 * one. */
static void forgets_what_was_switched_meanwhile(void **state) {
    (void)state;
    assert_true(calls_launches(&cupti, true));
    at(CUPTI_CB_DOMAIN_RUNTIME_API, LAUNCH, CUPTI_API_ENTER, 2000);
    calls_launches(&cupti, false);
    calls_launches(&cupti, true);
    at(CUPTI_CB_DOMAIN_RUNTIME_API, LAUNCH, CUPTI_API_EXIT, 9000000);
    assert_int_equal(told, 0);
    at(CUPTI_CB_DOMAIN_RUNTIME_API, LAUNCH, CUPTI_API_ENTER, 9001000);
    at(CUPTI_CB_DOMAIN_RUNTIME_API, LAUNCH, CUPTI_API_EXIT, 9003000);
    assert_int_equal(told, 1);
    assert_int_equal(last.call, CALL_LAUNCH);
    assert_int_equal(last.end - last.start, 2000);
    /* One that never ends does not hide the waits after it. */
    at(CUPTI_CB_DOMAIN_RUNTIME_API, LAUNCH, CUPTI_API_ENTER, 9100000);
    calls_launches(&cupti, false);
    at(CUPTI_CB_DOMAIN_RUNTIME_API, WAIT, CUPTI_API_ENTER, 9200000);
    at(CUPTI_CB_DOMAIN_RUNTIME_API, WAIT, CUPTI_API_EXIT, 9200100);
    assert_int_equal(told, 2);
    assert_int_equal(last.call, CALL_WAIT_STREAM);
}

/* Nothing is known of a wait that began in one time of listening and ended in another; nor of those
 * in between. */
static void hears_nothing_when_not_listening(void **state) {
    (void)state;
    at(CUPTI_CB_DOMAIN_RUNTIME_API, WAIT, CUPTI_API_ENTER, 2000);
    calls_listen(false);
    at(CUPTI_CB_DOMAIN_RUNTIME_API, WAIT, CUPTI_API_EXIT, 2100);
    at(CUPTI_CB_DOMAIN_RUNTIME_API, WAIT, CUPTI_API_ENTER, 2200);
    calls_listen(true);
    at(CUPTI_CB_DOMAIN_RUNTIME_API, WAIT, CUPTI_API_EXIT, 2300);
    assert_int_equal(told, 0);
    at(CUPTI_CB_DOMAIN_RUNTIME_API, WAIT, CUPTI_API_ENTER, 2400);
    at(CUPTI_CB_DOMAIN_RUNTIME_API, WAIT, CUPTI_API_EXIT, 2500);
    assert_int_equal(told, 1);
}

static void leaves_others_alone(void **state) {
    (void)state;
    at(CUPTI_CB_DOMAIN_RUNTIME_API, WAIT, CUPTI_API_EXIT, 2000); /* began before us */
    at(CUPTI_CB_DOMAIN_RUNTIME_API, 1, CUPTI_API_ENTER, 2000);
    at(CUPTI_CB_DOMAIN_RUNTIME_API, 1, CUPTI_API_EXIT, 2100);
    at(7, WAIT, CUPTI_API_ENTER, 2200);
    at(7, WAIT, CUPTI_API_EXIT, 2300);
    assert_int_equal(told, 0);
}

static void says_what_fails(void **state) {
    (void)state;
    answer = CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    assert_int_equal(calls_begin(&cupti, take), answer);
    assert_false(calls_launches(&cupti, true));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(tells_a_wait, begin),
        cmocka_unit_test_setup(tells_the_outer_one_alone, begin),
        cmocka_unit_test_setup(forgets_what_was_switched_meanwhile, begin),
        cmocka_unit_test_setup(hears_nothing_when_not_listening, begin),
        cmocka_unit_test_setup(leaves_others_alone, begin),
        cmocka_unit_test_setup(says_what_fails, begin),
    };
    return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}
