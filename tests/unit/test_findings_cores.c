/* Rules about cores on traces made up here: who took them, which of them may be used, what the kernel does on
 * them. */
#include "made_findings.h"

#include "report/trace/trace.h"

/* Where a thread waits for a core nothing else of it goes on: what it would do with cores of its own is told by the
 * rest of the time. An fsync loop on a full machine is no core's worth of work. */
static void waiting_is_no_work(void **state) {
    (void)state;
    const struct given loop[] = {
        {BE_RUN_WAIT, 0, 0.98}, {BE_RUNNABLE, 0, 0.9}, {BE_BLOCKED, 0, 0.4}};
    struct be_trace fsyncs;
    make(&fsyncs, TICKS, 0.012, loop, 3);
    assert_true(fabs(be_look_demand(&fsyncs) - 0.012 / (1 - (0.6 - 0.012))) < 1e-3);
    be_trace_close(&fsyncs);
    EXPECT("cores-idle", 0.012, loop[0], loop[1], loop[2]);
    EXPECT("cores-taken", 0.012, loop[0], loop[1], loop[2], {BE_CPU_BUSY, 0, 0.012},
           {BE_NODE_CPU, 0, 3.9});
}

/* The one finding that there is costs so many of the 20 s. */
static void costs(const char *name, double cost_s, double cores, const struct given *list,
                  size_t count) {
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    make(&made, TICKS, cores, list, count);
    assert_int_equal(be_trace_findings(&made, found), 1);
    assert_string_equal(found[0].name, name);
    if (!(fabs(found[0].cost_s - cost_s) < 1e-3)) {
        fail_msg("%s costs %g s, not %g", name, found[0].cost_s, cost_s);
    }
    be_trace_close(&made);
}

/* A serial program that had 0.4 of a core would have been done in 0.4 of the time. The time that others took of the
 * machine is no cost of its own idleness. */
static void costs_are_its_own(void **state) {
    (void)state;
    const struct given serial[] = {
        {BE_RUN_WAIT, 0, 0.6}, {BE_RUNNABLE, 0, 1}, {BE_CPU_BUSY, 0, 0.4}, {BE_NODE_CPU, 0, 3.9}};
    costs("cores-taken", 20 * 0.6, 0.4, serial, 4);
    const struct given wide[] = {
        {BE_RUN_WAIT, 0, 0.6}, {BE_RUNNABLE, 0, 4}, {BE_CPU_BUSY, 0, 1.6}, {BE_NODE_CPU, 0, 3.9}};
    costs("cores-taken", 20 * 0.6, 1.6, wide, 4);
    const struct given alone[] = {{BE_RUNNABLE, 0, 1}, {BE_CPU_BUSY, 0, 1}, {BE_NODE_CPU, 0, 1}};
    costs("serial", 20 * 0.75, 1, alone, 3);
    const struct given beside[] = {{BE_RUNNABLE, 0, 1}, {BE_CPU_BUSY, 0, 1}, {BE_NODE_CPU, 0, 3}};
    costs("serial", 20 * 0.25, 1, beside, 3);
    const struct given resting[] = {{BE_RUNNABLE, 0, 0}, {BE_CPU_BUSY, 0, 0}, {BE_NODE_CPU, 0, 3}};
    costs("cores-idle", 20 * 0.25, 0.001, resting, 3);
}

/* It is compared with what it may use, also where that is no whole number of cores. */
static void quota_of_no_whole_number(void **state) {
    (void)state;
    static const struct {
        double quota, cores;
        const char *found;
    } cases[] = {{1.1, 1, ""},   {0.5, 0.5, ""},           {1.5, 1, "serial"},
                 {2.5, 2.4, ""}, {2.5, 0.5, "cores-idle"}, {NAN, 1, "serial"}};
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        const struct given list[] = {{BE_RUNNABLE, 0, cases[i].cores}};
        struct be_trace made;
        char text[512];
        make(&made, TICKS, cases[i].cores, list, 1);
        made.limits.cpus_quota = cases[i].quota;
        assert_string_equal(names(&made, text, sizeof text), cases[i].found);
        be_trace_close(&made);
    }
    const struct given one[] = {{BE_RUNNABLE, 0, 1}};
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    make(&made, TICKS, 1, one, 1);
    made.limits.cpus_quota = 2.5;
    assert_int_equal(be_trace_findings(&made, found), 1);
    assert_non_null(strstr(found[0].evidence, "serial on 2.5 cores"));
    assert_non_null(strstr(found[0].evidence, "CPU efficiency 40 %"));
    be_trace_close(&made);
}

static void quota_in_the_report(void **state) {
    (void)state;
    static const struct {
        double quota, cores;
        const char *said;
    } cases[] = {{0.5, 0.25, "0.25 of 0.5 cores busy (50 %)"},
                 {1.1, 1.1, "1.1 of 1.1 cores busy (100 %)"},
                 {NAN, 3.9, "3.9 of 4 cores busy (98 %)"}};
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        const struct given list[] = {{BE_RUNNABLE, 0, cases[i].cores}};
        struct be_trace made;
        struct be_text text = {0};
        make(&made, TICKS, cases[i].cores, list, 1);
        made.limits.cpus_quota = cases[i].quota;
        be_trace_text(&made, &text);
        if (!text.data || !strstr(text.data, cases[i].said)) {
            fail_msg("no '%s' in %s", cases[i].said, text.data ? text.data : "nothing");
        }
        be_text_free(&text);
        be_trace_close(&made);
    }
}

/* 6 threads that may use one core of 4: fewer threads are no help, and neither are more. */
static void bound(void **state) {
    (void)state;
    struct given six[] = {{BE_RUN_WAIT, 0, 0.83},
                          {BE_RUNNABLE, 0, 6},
                          {BE_CORES_ALLOWED, 0, 1},
                          {BE_CPU_BUSY, 0, 1},
                          {BE_NODE_CPU, 0, 1}};
    costs("cores-bound", 20 * 0.75, 1, six, 5);
    six[4].value = 2; /* another program has one of the other three */
    costs("cores-bound", 20 * (1 - 1 / 3.0), 1, six, 5);
    struct be_trace taken;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    six[4].value = 4; /* all of them */
    make(&taken, TICKS, 1, six, 5);
    assert_int_equal(be_trace_findings(&taken, found), 1);
    assert_string_equal(found[0].name, "cores-bound");
    assert_int_equal(found[0].weight, BE_WEIGHT_NOTE);
    assert_non_null(strstr(found[0].evidence, "bound to 1 of 4 cores"));
    assert_non_null(strstr(found[0].evidence, "others were at work on the rest"));
    assert_null(strstr(found[0].advice, "THREADS"));
    assert_non_null(strstr(found[0].advice, "taskset -acp 0-3 PID"));
    taken.limits.cpus_machine = 64; /* which four of them are its own? */
    assert_int_equal(be_trace_findings(&taken, found), 1);
    assert_null(strstr(found[0].advice, "0-"));
    be_trace_close(&taken);
    EXPECT("oversubscribed", 3.9, six[0], six[1], {BE_CORES_ALLOWED, 0, 4});
    EXPECT("", 3.9, {BE_RUN_WAIT, 0, 0.01}, {BE_RUNNABLE, 0, 4}, {BE_CORES_ALLOWED, 0, 4});
    EXPECT("serial", 1, {BE_RUN_WAIT, 0, 0.01}, {BE_RUNNABLE, 0, 1}, {BE_CORES_ALLOWED, 0, 1});
}

/* The trace, with so much of its CPU time in the kernel, has those findings. */
static void kernel(const char *expected, double cores, double system, const struct given *list,
                   size_t count) {
    struct be_trace made;
    char text[512];
    make(&made, TICKS, cores, list, count);
    made.total.system_s = system * made.total.user_s;
    made.total.user_s -= made.total.system_s;
    assert_string_equal(names(&made, text, sizeof text), expected);
    be_trace_close(&made);
}

/* Pages are read again that were just dropped: no thread variable helps. */
static void thrashing(void **state) {
    (void)state;
    struct given list[] = {{BE_GROUP_REFAULTS, 0, 1e5},
                           {BE_READ, 0, 4.1e8},
                           {BE_BLOCKED, 0, 0.5},
                           {BE_RUNNABLE, 0, 0.4}};
    kernel("thrashing", 0.4, 0.97, list, 4);
    kernel("cores-idle", 0.4, 0.97, &list[1], 3);
    list[1].value = 1e6; /* it is others in the group that read again */
    kernel("cores-idle", 0.4, 0.97, list, 4);
    list[1].value = 4.1e8;
    list[2].value = 0; /* read ahead of time: it computes */
    kernel("cores-idle", 0.4, 0.2, list, 4);
    const struct given untold[] = {list[0], {BE_BLOCKED, 0, 0.5}, {BE_RUNNABLE, 0, 0.4}};
    kernel("cores-idle", 0.4, 0.97, untold,
           3); /* what it reads is not known, nor whose group it is */
    const struct given mapped[] = {{BE_MAJOR_FAULTS, 0, 5160}, {BE_RUNNABLE, 0, 1}};
    kernel("thrashing", 1, 0.97, mapped, 2);
    const struct given beginning[] = {{BE_MAJOR_FAULTS, 0, 50}, {BE_RUNNABLE, 0, 1}};
    kernel("serial", 1, 0.2, beginning, 2);
}

static void page_faults(void **state) {
    (void)state;
    const struct given storm[] = {{BE_MINOR_FAULTS, 0, 2e5}, {BE_RUNNABLE, 0, 4}};
    kernel("page-faults", 3.9, 0.54, storm, 2);
    kernel("", 3.9, 0.1, storm, 2); /* large pages: they cost little */
    const struct given few[] = {{BE_MINOR_FAULTS, 0, 7e4}, {BE_RUNNABLE, 0, 4}};
    kernel("", 3.9, 0.54, few, 2); /* something else in the kernel */
    const struct given serial[] = {{BE_MINOR_FAULTS, 0, 1e5}, {BE_RUNNABLE, 0, 1}};
    kernel("page-faults serial", 1, 0.9, serial, 2);
}

/* NumPy asks for huge pages: few faults fill as many bytes. They are counted for the machine. */
static void huge_pages(void **state) {
    (void)state;
    struct given arrays[] = {{BE_MINOR_FAULTS, 0, 5000},
                             {BE_NODE_HUGE_FAULTS, 0, 1500},
                             {BE_RUNNABLE, 0, 1},
                             {BE_CPU_BUSY, 0, 1},
                             {BE_NODE_CPU, 0, 1.1}};
    kernel("serial page-faults", 1, 0.59, arrays, 5);
    kernel("serial", 1, 0.1, arrays, 5);
    arrays[4].value = 2; /* whose they are is not known */
    kernel("serial", 1, 0.59, arrays, 5);
    arrays[4].value = 1.1;
    arrays[0].value = 30; /* they are not its own: it has no faults */
    kernel("serial", 1, 0.59, arrays, 5);
    arrays[0].value = 5000;
    arrays[1].value = 20; /* something else in the kernel */
    kernel("serial", 1, 0.59, arrays, 5);
}

/* That the processes are the program's is told by its children's CPU time and by what is seen at each look. */
static void short_processes(void **state) {
    (void)state;
    struct given loop[] = {{BE_NODE_SPAWNED, 0, 1800}, {BE_SPAWNED, 0, 1.3},
                           {BE_CPU_CHILDREN, 0, 0.85}, {BE_CPU_BUSY, 0, 0.9},
                           {BE_NODE_CPU, 0, 1.2},      {BE_MINOR_FAULTS, 0, 9e4},
                           {BE_RUNNABLE, 0, 1}};
    kernel("short-processes", 0.9, 0.5, loop, 7);
    loop[1].value = 0.1; /* others begin them */
    kernel("serial page-faults", 0.9, 0.5, loop, 7);
    loop[1].value = 1.3;
    loop[2].value = 0.1; /* a command that does the work itself */
    kernel("serial page-faults", 0.9, 0.5, loop, 7);
    loop[2].value = 0.85;
    loop[5].value = 1.7e4; /* too few faults to begin so many: others do */
    kernel("serial", 0.9, 0.5, loop, 7);
    loop[5].value = 9e4;
    loop[0].value = 20; /* a build: each takes long enough */
    kernel("serial page-faults", 0.9, 0.5, loop, 7);
}

/* A build beside it begins many; this one's take their time. */
static void long_processes(void **state) {
    (void)state;
    const struct given build[] = {{BE_NODE_SPAWNED, 0, 1800}, {BE_SPAWNED, 0, 1.3},
                                  {BE_CPU_CHILDREN, 0, 0.85}, {BE_CPU_BUSY, 0, 0.9},
                                  {BE_MINOR_FAULTS, 0, 9e4},  {BE_RUNNABLE, 0, 1}};
    struct be_trace made;
    char text[512];
    make(&made, TICKS, 0.9, build, 6);
    assert_string_equal(names(&made, text, sizeof text), "short-processes");
    for (int i = 0; i < 4; i++) {
        made.process[made.processes++] = (struct be_trace_process){.cpu_s = 0.4, .main = i == 0};
    }
    assert_string_equal(names(&made, text, sizeof text), "serial");
    made.process[1].cpu_s = made.process[2].cpu_s = made.process[3].cpu_s = 0.001;
    assert_string_equal(names(&made, text, sizeof text), "short-processes");
    be_trace_close(&made);
}

static void switching(void **state) {
    (void)state;
    const struct given pingpong[] = {
        {BE_SWITCHES, 0, 58700}, {BE_RUNNABLE, 0, 1}, {BE_PROCESSES, 0, 2}};
    kernel("switching", 0.94, 0.9, pingpong, 3);
    kernel("serial", 0.94, 0.1, pingpong, 3);
    const struct given few[] = {{BE_SWITCHES, 0, 2000}, {BE_RUNNABLE, 0, 1}};
    kernel("kernel-calls serial", 0.94, 0.9, few, 2);
    const struct given large[] = {
        {BE_SWITCHES, 0, 58700}, {BE_RUNNABLE, 0, 1}, {BE_WRITE_CALLS, 0, 7e8}};
    kernel("kernel-calls serial", 0.94, 0.9, large, 3);
    /* A lock is no message. */
    const struct given locked[] = {
        {BE_SWITCHES, 0, 58700}, {BE_RUNNABLE, 0, 1}, {BE_LOCK_WAIT, 0, 0.9}};
    kernel("serial", 0.94, 0.9, locked, 3);
}

/* 8 threads under one mutex: fewer of them are no faster while cores idle. */
static void one_lock(void **state) {
    (void)state;
    struct given mutex[] = {{BE_LOCK_WAIT, 0, 1}, {BE_THREADS, 0, 9},
                            {BE_RUNNABLE, 0, 5},  {BE_RUN_WAIT, 0, 0.6},
                            {BE_PROCESSES, 0, 1}, {BE_BUSIEST_THREAD, 0, 0.3}};
    costs("one-lock", 20 * (1 - 2.2 / 4), 2.2, mutex, 6);
    EXPECT("oversubscribed", 3.9, mutex[0], mutex[1], mutex[2], mutex[3]); /* all cores are busy */
    /* All cores are busy with the lock itself. */
    kernel("one-lock", 3.9, 0.55, mutex, 4);
    kernel("oversubscribed", 3.9, 0.1, mutex, 4);
    mutex[0].value = 0.2; /* they wait for something else */
    EXPECT("oversubscribed", 2.2, mutex[0], mutex[1], mutex[2], mutex[3]);
    mutex[0].value = 1;
    mutex[2].value = 2.2; /* a parallel loop whose workers wait for the next */
    EXPECT("cores-idle", 2.2, mutex[0], mutex[1], mutex[2], {BE_RUN_WAIT, 0, 0.01});
}

/* Two threads of a product that meet at a barrier, on a machine that others keep nearly full, wait for no lock. */
static void a_team_beside_others(void **state) {
    (void)state;
    struct given team[] = {{BE_LOCK_WAIT, 0, 1},  {BE_THREADS, 0, 5},  {BE_RUNNABLE, 0, 3.6},
                           {BE_RUN_WAIT, 0, 0.4}, {BE_CPU_BUSY, 0, 2}, {BE_NODE_CPU, 0, 3.2}};
    EXPECT("", 2, team[0], team[1], team[2], team[3], team[4], team[5]);
    team[5].value = 2.2; /* cores idle */
    EXPECT("one-lock", 2, team[0], team[1], team[2], team[3], team[4], team[5]);
}

/* The same figures on a machine that others keep full: threads that fight for a mutex are told of it, and a team that
 * meets at a barrier has too many threads. */
static void one_lock_beside_others(void **state) {
    (void)state;
    struct given mutex[] = {{BE_LOCK_WAIT, 0, 1},  {BE_MUTEX_WAIT, 0, 1}, {BE_THREADS, 0, 9},
                            {BE_RUNNABLE, 0, 5.3}, {BE_RUN_WAIT, 0, 0.7}, {BE_PROCESSES, 0, 1},
                            {BE_CPU_BUSY, 0, 2.4}, {BE_NODE_CPU, 0, 3.98}};
    kernel("one-lock", 2.4, 0.35, mutex, 8);
    kernel("oversubscribed", 2.4, 0.1, mutex, 8); /* the lock is not what takes the time */
    mutex[3].value = 3.5;                         /* fewer are ready than there are cores */
    kernel("one-lock", 2.4, 0.35, mutex, 8);
    kernel("cores-taken", 2.4, 0.1, mutex, 8);
    mutex[3].value = 5.3;
    mutex[1].value = 0; /* a barrier, or a condition */
    kernel("oversubscribed", 2.4, 0.35, mutex, 8);
    mutex[1].value = NAN; /* the kernel does not tell */
    kernel("oversubscribed", 2.4, 0.35, mutex, 8);
}

/* Parallel loops that are over at once: their threads meet at barriers, and no lock can be taken for less long. */
static void barriers(void **state) {
    (void)state;
    struct given team[] = {{BE_LOCK_WAIT, 0, 1},       {BE_MUTEX_WAIT, 0, 0}, {BE_THREADS, 0, 4},
                           {BE_RUNNABLE, 0, 3.6},      {BE_RUN_WAIT, 0, 0.3}, {BE_PROCESSES, 0, 1},
                           {BE_BUSIEST_THREAD, 0, 0.5}};
    static const char *const lists[] = {"gomp", "iomp", "openblas gomp", "none"};
    for (int k = 0; k < 8; k++) {
        struct be_trace made;
        struct be_run_finding found[BE_RUN_FINDINGS_MAX];
        const bool serial = k >= 4, meets = k % 4 < 3;
        team[3].value = serial ? 1.2 : 3.6;
        make(&made, TICKS, serial ? 0.95 : 2.2, team, 7);
        be_copy_text(made.libraries, sizeof made.libraries, lists[k % 4]);
        assert_int_equal(be_trace_findings(&made, found), 1);
        assert_string_equal(found[0].name, serial ? "serial" : "one-lock");
        assert_int_equal(strstr(found[0].evidence, "meet too often") != NULL, meets);
        assert_int_equal(strstr(found[0].evidence, "lock") != NULL, !meets);
        assert_int_equal(strstr(found[0].advice, "one parallel region") != NULL, meets);
        be_trace_close(&made);
    }
    team[1].value = 1; /* critical sections */
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    team[3].value = 3.6;
    make(&made, TICKS, 2.2, team, 7);
    be_copy_text(made.libraries, sizeof made.libraries, "gomp");
    assert_int_equal(be_trace_findings(&made, found), 1);
    assert_non_null(strstr(found[0].evidence, "under a lock"));
    be_trace_close(&made);
}

/* Python has one lock for all: there it is processes that help. */
static void python_lock(void **state) {
    (void)state;
    const struct given mutex[] = {{BE_LOCK_WAIT, 0, 1}, {BE_THREADS, 0, 9},
                                  {BE_RUNNABLE, 0, 5},  {BE_RUN_WAIT, 0, 0.6},
                                  {BE_PROCESSES, 0, 1}, {BE_BUSIEST_THREAD, 0, 0.3}};
    struct be_trace made;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    make(&made, TICKS, 2.2, mutex, 6);
    be_copy_text(made.libraries, sizeof made.libraries, "python");
    assert_int_equal(be_trace_findings(&made, found), 1);
    assert_string_equal(found[0].advice, "processes instead of threads: multiprocessing.Pool(4)");
    be_trace_close(&made);
}

/* Eight processes of one thread each: on 4 cores they are done as soon as four would be. Those that have threads which
 * wait for each other, or are ranks that do, are not. */
static void leisure(void **state) {
    (void)state;
    static const struct {
        const char *libraries;
        double runnable, cost_s;
    } cases[] = {{"python", 8, NAN}, {"python mpi", 8, 10}, {"python", 16, 12}};
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        const struct given list[] = {{BE_RUNNABLE, 0, cases[i].runnable},
                                     {BE_RUN_WAIT, 0, i == 2 ? 0.6 : 0.5},
                                     {BE_PROCESSES, 0, 9}};
        struct be_trace made;
        struct be_run_finding found[BE_RUN_FINDINGS_MAX];
        make(&made, TICKS, 3.9, list, BE_COUNT(list));
        made.processes = 9;
        for (int k = 0; k < 8; k++) {
            made.process[k].cpu_s = 10;
        }
        be_copy_text(made.libraries, sizeof made.libraries, cases[i].libraries);
        assert_int_equal(be_trace_findings(&made, found), 1);
        assert_string_equal(found[0].name, "oversubscribed");
        const bool note = isnan(cases[i].cost_s);
        assert_int_equal(found[0].weight, note ? BE_WEIGHT_NOTE : BE_WEIGHT_COST);
        assert_int_equal(strstr(found[0].evidence, "lose little") != NULL, note);
        assert_true(note ? isnan(found[0].cost_s) : fabs(found[0].cost_s - cases[i].cost_s) < 1e-3);
        assert_non_null(strstr(found[0].advice, "4 processes"));
        be_trace_close(&made);
    }
}

/* For a machine with several programs nothing is said that is meant for one; who they are is. */
static void machine(void **state) {
    (void)state;
    const struct given crowd[] = {
        {BE_RUN_WAIT, 0, 0.6},      {BE_RUNNABLE, 0, 12},     {BE_CPU_BUSY, 0, 3.9},
        {BE_NODE_CPU, 0, 3.9},      {BE_PROCESS_CPU, 0, 0.9}, {BE_PROCESS_CPU, 1, 2.5},
        {BE_PROCESS_CPU, 2, 0.001}, {BE_PROCESS_CPU, 3, 0.2}, {BE_PROCESS_CPU, 4, 0.3}};
    static const char *const name[] = {"small", "large", "idle", "least", "little"};
    struct be_trace busy;
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    char text[512];
    make(&busy, TICKS, 3.9, crowd, BE_COUNT(crowd));
    for (int i = 0; i < 5; i++) {
        busy.process[busy.processes++] = (struct be_trace_process){.pid = 100 + i};
        be_copy_text(busy.process[i].name, sizeof busy.process[i].name, name[i]);
    }
    busy.node = true;
    assert_int_equal(be_trace_findings(&busy, found), 1);
    assert_string_equal(found[0].name, "oversubscribed");
    assert_int_equal(found[0].weight, BE_WEIGHT_NOTE);
    assert_true(isnan(found[0].cost_s));
    assert_string_equal(found[0].advice,
                        "the busiest: large (101, 2.5 cores), small (100, 0.9 cores), little (104, "
                        "0.3 cores); breakeven watch 101 is about one of them");
    be_trace_close(&busy);
    const struct given one[] = {{BE_RUNNABLE, 0, 1}};
    make(&busy, TICKS, 1, one, 1);
    assert_string_equal(names(&busy, text, sizeof text), "serial");
    busy.node = true;
    assert_string_equal(names(&busy, text, sizeof text), "");
    be_trace_close(&busy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_is_no_work),
        cmocka_unit_test(costs_are_its_own),
        cmocka_unit_test(quota_of_no_whole_number),
        cmocka_unit_test(quota_in_the_report),
        cmocka_unit_test(bound),
        cmocka_unit_test(thrashing),
        cmocka_unit_test(page_faults),
        cmocka_unit_test(huge_pages),
        cmocka_unit_test(short_processes),
        cmocka_unit_test(long_processes),
        cmocka_unit_test(switching),
        cmocka_unit_test(one_lock),
        cmocka_unit_test(one_lock_beside_others),
        cmocka_unit_test(barriers),
        cmocka_unit_test(a_team_beside_others),
        cmocka_unit_test(python_lock),
        cmocka_unit_test(leisure),
        cmocka_unit_test(machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
