/* Time that goes into system calls, and tools and builds that take one core. */
#include "made_findings.h"

/* A run of 20 s with so much of its CPU time in the kernel; its findings, and the advice of the first. */
static const char *found_in(const struct given *list, size_t count, double kernel,
                            const char *libraries, char advice[BE_NOTE]) {
    static char text[512];
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    make(&made, TICKS, 1.5, list, count);
    made.total.system_s = kernel * made.total.user_s;
    made.total.user_s -= made.total.system_s;
    be_copy_text(made.libraries, sizeof made.libraries, libraries);
    names(&made, text, sizeof text);
    if (be_trace_findings(&made, found) > 0) {
        be_copy_text(advice, BE_NOTE, found[0].advice);
    }
    be_trace_close(&made);
    return text;
}

static void sending(void **state) {
    (void)state;
    char advice[BE_NOTE];
    struct given queue[] = {{BE_WRITE_CALLS, 0, 2e8},
                            {BE_READ_CALLS, 0, 2e8},
                            {BE_PROCESSES, 0, 2},
                            {BE_RUNNABLE, 0, 1.5},
                            {BE_WRITTEN, 0, 0}};
    assert_string_equal(found_in(queue, 5, 0.8, "python numpy", advice), "sending cores-idle");
    assert_non_null(strstr(advice, "shared_memory"));
    assert_string_equal(found_in(queue, 5, 0.8, "none", advice), "sending cores-idle");
    assert_null(strstr(advice, "numpy"));
    assert_string_equal(found_in(queue, 5, 0.1, "none", advice), "cores-idle");
    queue[4].value = 2e8; /* it is files that are written */
    assert_string_equal(found_in(queue, 5, 0.4, "none", advice), "cores-idle");
    queue[4].value = 0;
    queue[2].value = 1; /* one process sends nothing to itself */
    assert_string_equal(found_in(queue, 5, 0.4, "none", advice), "cores-idle");
}

static void other_calls(void **state) {
    (void)state;
    char advice[BE_NOTE];
    struct given files[] = {{BE_RUNNABLE, 0, 1.5}, {BE_BLOCKED, 0, 0}, {BE_LOCK_WAIT, 0, 0}};
    assert_string_equal(found_in(files, 3, 0.9, "none", advice), "kernel-calls cores-idle");
    assert_non_null(strstr(advice, "strace -f -c COMMAND"));
    assert_string_equal(found_in(files, 3, 0.4, "none", advice), "cores-idle");
    files[1].value = 0.6; /* it waits for storage */
    assert_string_equal(found_in(files, 3, 0.9, "none", advice), "cores-idle");
    files[1].value = 0;
    files[2].value = 0.9; /* it hands a lock on */
    assert_string_equal(found_in(files, 3, 0.9, "none", advice), "cores-idle");
    /* Memory that is filled anew says more. */
    const struct given faults[] = {{BE_RUNNABLE, 0, 1.5}, {BE_MINOR_FAULTS, 0, 3e5}};
    assert_string_equal(found_in(faults, 2, 0.9, "none", advice), "page-faults cores-idle");
}

/* One core of four: a build is told of its own option, and so are tools that have one. */
static void serial(void **state) {
    (void)state;
    static const struct {
        const char *libraries, *process, *advice;
    } cases[] = {{"none", "cc1plus", "make -j4"},
                 {"python", "cc1", "MAKEFLAGS=-j4"},
                 {"gzip", "gzip", "pigz -p 4"},
                 {"xz", "xz", "xz -T4"},
                 {"none", "solver", "perf record"}};
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        const struct given one[] = {{BE_RUNNABLE, 0, 1}};
        struct be_trace made;
        struct be_run_finding found[BE_RUN_FINDINGS_MAX];
        make(&made, TICKS, 1, one, 1);
        made.processes = 2;
        be_copy_text(made.process[0].name, sizeof made.process[0].name, "main");
        made.process[0].cpu_s = 1;
        be_copy_text(made.process[1].name, sizeof made.process[1].name, cases[i].process);
        made.process[1].cpu_s = 19;
        be_copy_text(made.libraries, sizeof made.libraries, cases[i].libraries);
        assert_int_equal(be_trace_findings(&made, found), 1);
        assert_string_equal(found[0].name, "serial");
        if (!strstr(found[0].advice, cases[i].advice)) {
            fail_msg("no '%s' in %s", cases[i].advice, found[0].advice);
        }
        be_trace_close(&made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sending),
        cmocka_unit_test(other_calls),
        cmocka_unit_test(serial),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
