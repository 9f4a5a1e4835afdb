/* Libraries that wait in a loop, among the mapped files of a process; and the rule about threads that do. */
#include <inttypes.h>

#include "made_findings.h"

#include "observe/sources/where.h"

static void addresses(void **state) {
    (void)state;
    struct be_where_map map = {0};
    static const char *const lines[] = {
        "55d0-55d1 r-xp 00000000 08:01 42   /usr/bin/solver\n",
        "7f00-7f10 r--p 00000000 08:01 43   /usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0\n",
        "7f10-7f20 r-xp 00001000 08:01 43   /usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0\n",
        "7f20-7f30 r-xp 00000000 08:01 44   /opt/my lib/libmpi.so.40\n",
        "7f30-7f40 r-xp 00000000 00:00 0 \n",
        "7f40-7f50 r-xp 00000000 08:01 45   /usr/lib/libopenblas.so.0\n",
        "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0   [vsyscall]\n",
        "no line of it\n",
        "",
    };
    for (size_t i = 0; i < BE_COUNT(lines); i++) {
        be_where_add(&map, lines[i]);
    }
    assert_int_equal(map.count, 2);
    static const struct {
        uint64_t address;
        bool waits;
    } cases[] = {{0x7f0f, false}, {0x7f10, true},  {0x7f1f, true},  {0x7f20, true},
                 {0x7f2f, true},  {0x7f30, false}, {0x7f45, false}, {0x55d0, false}};
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        assert_int_equal(be_where_waits(&map, cases[i].address), cases[i].waits);
    }
    for (int i = 0; i < 100; i++) {
        be_where_add(&map, lines[2]); /* no more than there is room for */
    }
    assert_int_equal(map.count, BE_COUNT(map.code));
}

/* A made-up machine has no threads that the kernel could look at. */
static void made_up_machine(void **state) {
    (void)state;
    const struct be_watched watched = {.files = "/nowhere"};
    assert_null(be_where_open(&watched));
    be_where_close(NULL);
}

static const char *advice(const struct given *list, size_t count, const char *libraries,
                          char to[BE_NOTE]) {
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    make(&made, TICKS, 3.9, list, count);
    be_copy_text(made.libraries, sizeof made.libraries, libraries);
    assert_int_equal(be_trace_findings(&made, found), 1);
    assert_string_equal(found[0].name, "spinning");
    assert_true(fabs(found[0].cost_s - 20 * 0.5) < 1e-3);
    assert_non_null(strstr(found[0].evidence, "50 %"));
    be_copy_text(to, BE_NOTE, found[0].advice);
    be_trace_close(&made);
    return to;
}

static void barriers(void **state) {
    (void)state;
    char said[BE_NOTE];
    struct given team[] = {
        {BE_WAITING_CODE, 0, 0.5}, {BE_THREADS, 0, 4}, {BE_RUNNABLE, 0, 4}, {BE_RUN_WAIT, 0, 0.02}};
    assert_non_null(strstr(advice(team, 4, "gomp", said), "schedule(dynamic)"));
    assert_non_null(strstr(advice(team, 4, "python numba numpy gomp", said), "numba."));
    assert_non_null(strstr(advice(team, 4, "mpi", said), "on every rank"));
    team[0].value = 0.1;
    EXPECT("", 3.9, team[0], team[1], team[2], team[3]);
    team[0].value = 0.5;
    team[3].value = 0.5; /* others take the cores of those who are waited for */
    EXPECT("cores-taken", 1.95, team[0], team[1], team[2], team[3], {BE_CPU_BUSY, 0, 1.95},
           {BE_NODE_CPU, 0, 3.9});
    team[2].value = 12; /* it does so itself */
    EXPECT("oversubscribed", 3.9, team[0], team[1], team[2], team[3]);
}

/* Cores that are given away in a loop; a time slice that ends is nothing of the kind. */
static void yields(void **state) {
    (void)state;
    static const struct {
        double preempted_a_s, slept_a_s;
        const char *found;
    } cases[] = {{3e5, 10, "spinning"},
                 {3e5, 3e5, "oversubscribed"}, /* each that was woken took a core */
                 {3e3, 10, "oversubscribed"},
                 {NAN, NAN, "oversubscribed"}};
    const struct given list[] = {
        {BE_RUNNABLE, 0, 8}, {BE_RUN_WAIT, 0, 0.5}, {BE_THREADS, 0, 8}, {BE_SWITCHES, 0, 6e5}};
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_trace made;
        char text[512];
        make(&made, TICKS, 3.9, list, BE_COUNT(list));
        made.total.preempted = cases[i].preempted_a_s * made.total.user_s;
        made.total.switches = cases[i].slept_a_s * made.total.user_s;
        assert_string_equal(names(&made, text, sizeof text), cases[i].found);
        be_trace_close(&made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses),
        cmocka_unit_test(made_up_machine),
        cmocka_unit_test(barriers),
        cmocka_unit_test(yields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
