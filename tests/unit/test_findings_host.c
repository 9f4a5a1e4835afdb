/* A GPU that waits for the host: for those that feed it, for compilers, for the program itself. */
#include "made_findings.h"

/* The GPU runs large kernels for a third of the time, and one thread is at a full core meanwhile. */
#define WAITING                                                                                    \
    USED(0), {BE_GPU_BUSY, 0, 0.3}, {BE_GPU_SM_ACTIVE, 0, 0.28}, {BE_GPU_MEMORY, 0, 2e10}, {       \
        BE_BUSIEST_THREAD, 0, 0.99                                                                 \
    }

/* The program of 20 s with those signals, of PyTorch, found to be that alone. */
static void found_of(struct be_trace *made, const char *name, const char *evidence,
                     const char *advice) {
    char text[512];
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    assert_string_equal(names(made, text, sizeof text), name);
    be_copy_text(made->libraries, sizeof made->libraries, "python torch cuda");
    be_trace_findings(made, found);
    if (!strstr(found[0].evidence, evidence) || !strstr(found[0].advice, advice)) {
        fail_msg("%s > %s", found[0].evidence, found[0].advice);
    }
}

static void holds_it_up_itself(void **state) {
    (void)state;
    const struct given list[] = {WAITING,
                                 {BE_CPU_BUSY, 0, 1.2},
                                 {BE_CPU_SYSTEM, 0, 0.05},
                                 {BE_GPU_BUS_IN, 0, 2e6},
                                 {BE_GPU_BUS_OUT, 0, 3e6}};
    struct be_trace made;
    make(&made, TICKS, 1, list, BE_COUNT(list));
    found_of(&made, "host-bound", "waits 70 % of the time for the program itself",
             "does it prepare data? DataLoader(..., num_workers=3)");
    be_trace_close(&made);
}

/* Much time in the kernel alone is none: it may read files. Nor are copies alone. */
static void fetches_each_result(void **state) {
    (void)state;
    static const struct {
        double system, out;
        const char *evidence, *advice;
    } cases[] = {
        {0.5, 3e7, "42 % of its CPU time is in the kernel and 30 MB/s on the bus", ".item()"},
        {0.5, 1e6, "one of its threads is at 99 % of a core", "DataLoader"},
        {0.1, 3e7, "one of its threads is at 99 % of a core", "DataLoader"}};
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        const struct given list[] = {WAITING,
                                     {BE_CPU_BUSY, 0, 1.2},
                                     {BE_CPU_SYSTEM, 0, cases[i].system},
                                     {BE_GPU_BUS_IN, 0, 1e6},
                                     {BE_GPU_BUS_OUT, 0, cases[i].out}};
        struct be_trace made;
        make(&made, TICKS, 1, list, BE_COUNT(list));
        found_of(&made, "host-bound", cases[i].evidence, cases[i].advice);
        be_trace_close(&made);
    }
}

static void start(struct be_trace *trace, const char *name, double start_s, double cpu_s) {
    int at = be_trace_process(trace, 100 + trace->processes, start_s, cpu_s);
    assert_true(at >= 0);
    be_copy_text(trace->process[at].name, BE_NAME, name);
}

static void compiles_to_the_end(void **state) {
    (void)state;
    static const struct {
        const char *compiler;
        double first_s, last_s, each_s;
        const char *found;
    } cases[] = {
        {"ptxas", 0.2, 19.5, 1, "compiling"},
        {"cc1plus", 0.2, 19.5, 1, "compiling"},
        {"ptxas", 0.2, 8, 1, "host-bound"},        /* as it begins, and then no more */
        {"ptxas", 0.2, 19.5, 15, "host-bound"},    /* twice */
        {"ptxasolver", 0.2, 19.5, 1, "host-bound"} /* which only begins like one */
    };
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        const struct given list[] = {WAITING};
        struct be_trace made;
        char text[512];
        make(&made, TICKS, 1, list, BE_COUNT(list));
        for (double at = cases[i].first_s; at < cases[i].last_s; at += cases[i].each_s) {
            start(&made, cases[i].compiler, at, 0.1);
        }
        assert_string_equal(names(&made, text, sizeof text), cases[i].found);
        be_trace_close(&made);
    }
    /* A GPU that is at work all the same does not wait for them. */
    const struct given busy[] = {USED(0), {BE_GPU_BUSY, 0, 0.95}, {BE_GPU_SM_ACTIVE, 0, 0.9}};
    struct be_trace made;
    char text[512];
    make(&made, TICKS, 1, busy, BE_COUNT(busy));
    for (double at = 0; at < 20; at++) {
        start(&made, "ptxas", at, 0.1);
    }
    assert_string_equal(names(&made, text, sizeof text), "");
    be_trace_close(&made);
}

/* Without a GPU: areas of code grow in number to the end. The first steps compile in every program. */
static void compiles_on_the_cpu(void **state) {
    (void)state;
    static const struct {
        double quarter[4];
        const char *found;
    } cases[] = {{{80, 240, 480, 720}, "compiling"},
                 {{80, 240, 240, 240}, "serial"},
                 {{0, 1, 2, 3}, "serial"}, /* one in five seconds */
                 {{300, 400, 450, 460}, "serial"},
                 {{NAN, NAN, NAN, 700}, "serial"}};
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_trace made;
        struct be_error error = {0};
        char text[512];
        assert_int_equal(be_trace_open(&made, &error), BE_OK);
        int source = be_trace_source(&made, "made up");
        for (int tick = 0; tick < TICKS; tick++) {
            assert_true(be_trace_tick(&made, tick_s * (tick + 1)));
            be_trace_add(&made, BE_CODE_MADE, 0, source, cases[i].quarter[4 * tick / TICKS]);
            be_trace_add(&made, BE_RUNNABLE, 0, source, 1);
        }
        made.elapsed_s = made.total.user_s = TICKS * tick_s;
        made.total.system_s = 0;
        made.limits.cpus = made.limits.cpus_machine = 4;
        be_copy_text(made.libraries, sizeof made.libraries, "python jax numpy");
        assert_string_equal(names(&made, text, sizeof text), cases[i].found);
        if (i == 0) {
            struct be_run_finding found[BE_RUN_FINDINGS_MAX];
            be_trace_findings(&made, found);
            assert_non_null(strstr(found[0].evidence, "made 720 areas of code"));
            assert_non_null(strstr(found[0].evidence, "48 a second"));
            assert_non_null(strstr(found[0].advice, "JAX_EXPLAIN_CACHE_MISSES"));
        }
        be_trace_close(&made);
    }
}

/* One that was there for a moment feeds nobody, and neither does a compiler. */
static void those_that_load_last(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int ticks; /* in which it was there */
        const char *found;
    } cases[] = {{"loader", TICKS, "loader-stall"},
                 {"loader", TICKS / 2 + 1, "loader-stall"},
                 {"loader", TICKS / 2 - 1, "host-bound"},
                 {"cicc", TICKS, "host-bound"}};
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        const struct given list[] = {WAITING};
        struct be_trace made;
        char text[512];
        make(&made, 0, 1, list, 0);
        int source = be_trace_source(&made, "made up");
        made.gpus = 1;
        start(&made, cases[i].name, 0, 10);
        for (int tick = 0; tick < TICKS; tick++) {
            assert_true(be_trace_tick(&made, tick_s * (tick + 1)));
            for (size_t k = 0; k < BE_COUNT(list); k++) {
                be_trace_add(&made, list[k].signal, list[k].of, source, list[k].value);
            }
            be_trace_add(&made, BE_PROCESS_CPU, 0, source, tick < cases[i].ticks ? 0.95 : NAN);
        }
        made.elapsed_s = TICKS * tick_s;
        made.total.user_s = made.elapsed_s;
        made.gpu[0] = (struct be_trace_gpu){.memory_bytes = 141e9, .bus_bytes_s = 63e9};
        assert_string_equal(names(&made, text, sizeof text), cases[i].found);
        be_trace_close(&made);
    }
}

/* One worker keeps the GPU at work for 4 % of the time. Each batch takes time in the program's own process, too: 19 % of a
 * core now, all of it with five times the batches, and then the GPU works for 20 % and no more. */
static void the_own_process_is_the_limit(void **state) {
    (void)state;
    static const struct {
        double running, own;
        const char *advice;
    } cases[] = {
        {0.038, 0.19,
         "DataLoader(..., num_workers=6) instead of 1, as many as its own process (19 % of a core) "
         "takes, could keep it at work for about 20 % of the time"},
        {0.038, 0.01,
         "DataLoader(..., num_workers=8) instead of 1 could keep it at work for about 30 % of the "
         "time; or cheaper steps in the loader"},
        {0.4, 1, "cheaper steps in the loader, and in the program's own process"},
    };
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        const struct given list[] = {
            USED(0),
            {BE_GPU_BUSY, 0, cases[i].running},
            {BE_GPU_GRAPHICS, 0, cases[i].running},
            {BE_GPU_SM_ACTIVE, 0, cases[i].running},
            {BE_PROCESS_CPU, 0, cases[i].own},
            {BE_PROCESS_CPU, 1, 0.98},
        };
        struct be_trace made;
        struct be_run_finding found[BE_RUN_FINDINGS_MAX];
        make(&made, TICKS, 1.2, list, BE_COUNT(list));
        made.processes = 2;
        made.process[0].main = true;
        made.limits.cpus = made.limits.cpus_machine = 16;
        be_copy_text(made.libraries, sizeof made.libraries, "python torch");
        assert_true(be_trace_findings(&made, found) >= 1);
        assert_string_equal(found[0].name, "loader-stall");
        if (!strstr(found[0].advice, cases[i].advice)) {
            fail_msg("%s", found[0].advice);
        }
        be_trace_close(&made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_it_up_itself),   cmocka_unit_test(fetches_each_result),
        cmocka_unit_test(compiles_to_the_end),  cmocka_unit_test(compiles_on_the_cpu),
        cmocka_unit_test(those_that_load_last), cmocka_unit_test(the_own_process_is_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
