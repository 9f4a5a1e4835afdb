/* The resources that a job asks for, from a run that was watched. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "observe/usage.h"
#include "job/job.h"

static struct be_job_used a_run(void) {
    return (struct be_job_used){.elapsed_s = 3000,
                                .cores = 3.1,
                                .memory_bytes = 8e9,
                                .cores_had = 16,
                                .gpus = 2,
                                .gpus_had = true,
                                .ended = true};
}

static void a_run_says_what_to_ask_for(void **state) {
    struct be_job_request request = be_job_nothing();
    struct be_job_used used = a_run();
    char why[BE_NOTE];
    (void)state;
    be_job_from_run(&used, &request, why);
    assert_true(request.time_s >= 1.5 * used.elapsed_s && request.time_s < 2 * used.elapsed_s);
    assert_int_equal(request.cpus, 3); /* the fourth was hardly touched */
    assert_int_equal(request.gpus, 2);
    double min_mib = 1.25 * used.memory_bytes / 1048576;
    assert_true(request.memory_mib > min_mib && request.memory_mib < min_mib + 600);
    assert_non_null(strstr(why, "3.1 cores of 16, 7.5 GiB of memory, 2 GPUs"));
    /* The user's own wishes stay. */
    struct be_job_request own = {.gpus_given = true, .cpus = 8, .memory_mib = 100, .time_s = 60};
    be_job_from_run(&used, &own, why);
    assert_true(own.gpus == 0 && own.cpus == 8 && own.memory_mib == 100 && own.time_s == 60);
}

/* Half as much again, then up to what people ask for. */
static void times_are_round(void **state) {
    static const struct {
        double took_s, minutes;
    } known[] = {{1, 5},     {200, 5},        {201, 10},       {2400, 60},
                 {2401, 75}, {4 * 3600, 360}, {14401, 7 * 60}, {5 * 3600, 8 * 60}};
    (void)state;
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        struct be_job_request request = be_job_nothing();
        struct be_job_used used = a_run();
        char why[BE_NOTE];
        used.elapsed_s = known[i].took_s;
        be_job_from_run(&used, &request, why);
        assert_true(request.time_s == 60 * known[i].minutes);
    }
}

static void a_run_that_says_little_is_not_believed(void **state) {
    struct be_job_used used = a_run();
    char why[BE_NOTE];
    (void)state;
    /* Killed for memory: its time says nothing, its memory was too little. */
    used.ended = false;
    used.out_of_memory = true;
    struct be_job_request request = be_job_nothing();
    be_job_from_run(&used, &request, why);
    assert_true(isnan(request.time_s));
    assert_true(request.memory_mib >= 2 * used.memory_bytes / 1048576);
    assert_non_null(strstr(why, "did not end in success"));
    /* Several tasks: one run does not say how they share. */
    used = a_run();
    request = be_job_nothing();
    request.tasks = 4;
    be_job_from_run(&used, &request, why);
    assert_true(request.cpus == 0 && isnan(request.memory_mib) && !isnan(request.time_s));
    assert_non_null(strstr(why, "left to you"));
    used.tasks = 2; /* nor do others */
    be_job_from_run(&used, &request, why);
    assert_true(request.cpus == 0 && isnan(request.memory_mib));
    assert_non_null(strstr(why, "2 tasks on one node"));
    used.tasks = 4;
    used.cores = 5.1;
    be_job_from_run(&used, &request, why);
    assert_true(request.cpus == 2 && request.memory_mib > 0);
    assert_null(strstr(why, "left to you"));
    /* Nothing is known but that it ran. */
    used = (struct be_job_used){.elapsed_s = NAN,
                                .cores = NAN,
                                .memory_bytes = NAN,
                                .gpus = -1,
                                .gpus_had = true,
                                .ended = true};
    request = be_job_nothing();
    be_job_from_run(&used, &request, why);
    assert_true(request.cpus == 0 && request.gpus == 0);
    assert_true(isnan(request.memory_mib) && isnan(request.time_s));
    assert_non_null(strstr(why, "which GPUs it used is not known"));
    /* Numbers that cannot be. */
    used = (struct be_job_used){.elapsed_s = 1e300,
                                .cores = 1e300,
                                .memory_bytes = 1e300,
                                .cores_had = 1 << 30,
                                .gpus = 1,
                                .gpus_had = true,
                                .ended = true,
                                .out_of_memory = true};
    request = be_job_nothing();
    be_job_from_run(&used, &request, why);
    assert_true(request.cpus == 0 && isnan(request.memory_mib) && isnan(request.time_s));
}

/* One of eight ranks: what the seven others took is not known, nor what is not in a process. */
static void one_of_several_tasks_says_nothing_of_memory(void **state) {
    struct be_job_used used = a_run();
    struct be_job_request request = be_job_nothing();
    char why[BE_NOTE];
    (void)state;
    used.tasks = 1;
    used.tasks_here = 8;
    be_job_from_run(&used, &request, why);
    assert_true(isnan(request.memory_mib) && request.cpus == 3);
    assert_non_null(strstr(why, "one of 8 tasks on its node: memory is left to you"));
    used.tasks_here = 1;
    be_job_from_run(&used, &request, why);
    assert_true(request.memory_mib > 0);
}

/* Accounting knows a mean, and the sum of several nodes. */
static void accounting_says_less(void **state) {
    struct be_job_used used = a_run();
    struct be_job_request request = be_job_nothing();
    char why[BE_NOTE];
    (void)state;
    used.mean = true;
    be_job_from_run(&used, &request, why);
    assert_int_equal(request.cpus, 4); /* fewer than the mean would make it longer */
    assert_non_null(strstr(why, "3.1 cores of 16 on average"));
    used.spread = true;
    request = be_job_nothing();
    be_job_from_run(&used, &request, why);
    assert_true(request.cpus == 0 && isnan(request.memory_mib) && request.time_s > 0);
    assert_non_null(strstr(why, "of several nodes, and left to you"));
}

/* Nearly always two cores, eight for a moment: the moment is not asked for. */
static void a_moment_of_many_cores_is_not_asked_for(void **state) {
    struct be_trace trace;
    struct be_error error = {0};
    (void)state;
    assert_int_equal(be_trace_open(&trace, &error), BE_OK);
    int source = be_trace_source(&trace, "proc");
    for (int i = 1; i <= 100; i++) {
        assert_true(be_trace_tick(&trace, i));
        be_trace_add(&trace, BE_CPU_BUSY, 0, source, i == 50 ? 8 : i <= 90 ? 1 : 2);
    }
    assert_true(fabs(be_trace_cores_used(&trace, 0.95) - 2) < 1e-6);
    assert_true(fabs(be_trace_cores_used(&trace, 0.99) - 2) < 1e-6); /* all but that moment */
    assert_true(fabs(be_trace_cores_used(&trace, 1) - 8) < 1e-6);
    be_trace_close(&trace);
}

static void a_run_too_short_to_sample_has_its_mean(void **state) {
    struct be_trace trace;
    struct be_error error = {0};
    (void)state;
    assert_int_equal(be_trace_open(&trace, &error), BE_OK);
    assert_true(isnan(be_trace_cores_used(&trace, 0.95)));
    trace.elapsed_s = 0.1;
    trace.total.user_s = 0.25;
    trace.total.system_s = 0.05;
    assert_true(fabs(be_trace_cores_used(&trace, 0.95) - 3) < 1e-9);
    be_trace_close(&trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_says_what_to_ask_for),
        cmocka_unit_test(times_are_round),
        cmocka_unit_test(a_run_that_says_little_is_not_believed),
        cmocka_unit_test(one_of_several_tasks_says_nothing_of_memory),
        cmocka_unit_test(accounting_says_less),
        cmocka_unit_test(a_moment_of_many_cores_is_not_asked_for),
        cmocka_unit_test(a_run_too_short_to_sample_has_its_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
