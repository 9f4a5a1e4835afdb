/* Made-up processes and made-up sources -> trace. */
#include "fake_machine.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/error.h"
#include "observe/sampler/sampler.h"

/* ---- the whole ------------------------------------------------------------------------------ */

static double scripted_s;

static double scripted_now(void *context) {
    (void)context;
    return scripted_s;
}

static struct be_sampler *sampler_of(const struct be_signal_source *const *sources) {
    struct be_sampler *sampler;
    struct be_error error = {0};
    struct be_sampler_options options = {.watched = run_of_50(),
                                         .sources = sources,
                                         .interval_s = 1,
                                         .clock = {.now = scripted_now}};
    scripted_s = 1000;
    assert_int_equal(be_sampler_open(&options, &sampler, &error), BE_OK);
    return sampler;
}

static void tick(struct be_sampler *sampler, double length_s) {
    scripted_s += length_s;
    be_sampler_tick(sampler, false);
}

static void a_run(void **state) {
    (void)state;
    static const struct be_signal_source *const sources[] = {
        &be_signal_source_proc, &be_signal_source_cgroup, &be_signal_source_node, NULL};
    struct fake_process main = {.pid = 70, .parent = 50, .start = 10000, .pages = 100};
    struct fake_process child = {.pid = 71, .parent = 70, .start = 10000, .pages = 50};
    fake_file("/proc/stat", "cpu 0 0 0 0 0 0 0 0 0 0\n");
    fake_file("/proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 400 kB\n");
    fake_file("/proc/vmstat", "thp_fault_allocs 9\nthp_fault_alloc 1000\nthp_split_page 7\n");
    fake_process(&main);
    fake_process(&child);
    struct be_sampler *sampler = sampler_of(sources);
    const struct be_trace *trace = be_sampler_trace(sampler);
    main.user = 50;
    child.user = 100;
    child.state = 'R';
    fake_process(&main);
    fake_process(&child);
    fake_file("/proc/stat", "cpu 300 0 50 0 40 0 0 10 0 0\n");
    fake_file("/proc/vmstat", "thp_fault_allocs 9\nthp_fault_alloc 1500\nthp_split_page 7\n");
    tick(sampler, 2);
    double page = (double)sysconf(_SC_PAGESIZE);
    near(be_trace_mean(trace, BE_CPU_BUSY, 0), 0.75);
    near(be_trace_mean(trace, BE_CPU_CHILDREN, 0), 0.5);
    near(be_trace_mean(trace, BE_MEMORY, 0), 150 * page);
    near(be_trace_mean(trace, BE_PROCESSES, 0), 2);
    near(be_trace_mean(trace, BE_RUNNABLE, 0), 1);
    near(be_trace_mean(trace, BE_NODE_CPU, 0), 1.75);
    near(be_trace_mean(trace, BE_NODE_STEAL, 0), 0.05);
    near(be_trace_mean(trace, BE_NODE_HUGE_FAULTS, 0), 250);
    near(be_trace_mean(trace, BE_NODE_MEMORY_AVAILABLE, 0), 409600);
    assert_int_equal(trace->processes, 2);
    for (int i = 0; i < 2; i++) {
        bool is_main = trace->process[i].pid == 70;
        assert_int_equal(trace->process[i].main, is_main);
        near(be_trace_mean(trace, BE_PROCESS_CPU, i), is_main ? 0.25 : 0.5);
    }
    /* A source that is not there says why. */
    assert_true(isnan(be_trace_mean(trace, BE_GROUP_CPU, 0)));
    assert_non_null(strstr(trace->source[1].absent, "/proc/50/cgroup"));
    assert_non_null(strstr(be_trace_why(trace, BE_NODE_PRESSURE_CPU), "no /proc/pressure/cpu"));
    assert_non_null(strstr(be_trace_why(trace, BE_RUN_WAIT), "schedstat"));
    /* The clock does not go on: no tick. It jumps: a long one. */
    tick(sampler, 0);
    assert_int_equal(trace->ticks, 1);
    tick(sampler, 1e6);
    assert_int_equal(trace->ticks, 2);
    near(be_trace_at(trace, BE_CPU_BUSY, 0, 1), 0);
    /* It goes back: no tick until it is where it was, nothing shorter, and then as before. */
    tick(sampler, -3600);
    assert_int_equal(trace->ticks, 2);
    near(trace->elapsed_s, 2 + 1e6);
    assert_true(be_sampler_due(sampler) < 100);
    main.user += 100;
    fake_process(&main);
    tick(sampler, 3602);
    assert_int_equal(trace->ticks, 3);
    near(be_trace_at(trace, BE_CPU_BUSY, 0, 2), 0.5);
    be_sampler_close(sampler);
}

/* The large ones of many that are idle alike are named; those of the kernel have no memory. */
static void idle_ones(void **state) {
    (void)state;
    static const struct be_signal_source *const sources[] = {&be_signal_source_proc, NULL};
    enum { FIRST = 1000, LAST = 1059 };
    for (int pid = FIRST; pid <= LAST; pid++) {
        fake_process(&(struct fake_process){
            .pid = pid, .parent = 50, .start = 10000, .pages = pid == LAST ? 10 : 0});
    }
    struct be_sampler *sampler = sampler_of(sources);
    const struct be_trace *trace = be_sampler_trace(sampler);
    tick(sampler, 2);
    bool named = false;
    for (int i = 0; i < trace->processes; i++) {
        named |= trace->process[i].pid == LAST;
    }
    assert_true(named);
    assert_true(trace->processes < LAST - FIRST);
    be_sampler_close(sampler);
    for (int pid = FIRST; pid <= LAST; pid++) {
        char path[32];
        snprintf(path, sizeof path, "/proc/%d", pid);
        fake_remove(path);
    }
}

/* The bytes that most processes read and wrote may not be seen, being other users': nor is the sum known then. */
static void of_others(void **state) {
    (void)state;
    static const struct be_signal_source *const sources[] = {&be_signal_source_proc, NULL};
    for (int pid = 70; pid < 73; pid++) {
        fake_process(&(struct fake_process){.pid = pid, .parent = 50, .start = 10000});
    }
    fake_remove("/proc/71/io");
    fake_remove("/proc/72/io");
    struct be_sampler *sampler = sampler_of(sources);
    const struct be_trace *trace = be_sampler_trace(sampler);
    tick(sampler, 1);
    near(be_trace_mean(trace, BE_CPU_BUSY, 0), 0);
    assert_true(isnan(be_trace_mean(trace, BE_READ, 0)));
    assert_true(isnan(be_trace_mean(trace, BE_WRITE_CALLS, 0)));
    assert_true(isnan(trace->total.read_bytes) && isnan(trace->total.written_bytes));
    assert_non_null(strstr(be_trace_why(trace, BE_READ), "/proc/PID/io"));
    be_sampler_close(sampler);
    /* The sum of most of them is known, and says of how many. */
    fake_process(&(struct fake_process){.pid = 72, .parent = 50, .start = 10000});
    sampler = sampler_of(sources);
    trace = be_sampler_trace(sampler);
    tick(sampler, 1);
    near(be_trace_mean(trace, BE_READ, 0), 2 * 4096);
    near(be_trace_series(trace, BE_READ, 0)->cover, 2.0 / 3);
    be_sampler_close(sampler);
}

/* Where /proc hides whose processes are others', what those of one user read is not what the machine does. */
static void of_a_machine_that_hides_others(void **state) {
    (void)state;
    static const struct be_signal_source *const sources[] = {&be_signal_source_proc, NULL};
    for (int hidden = 0; hidden < 2; hidden++) {
        struct be_sampler *sampler;
        struct be_error error = {0};
        struct be_sampler_options options = {
            .watched = {.root = 1, .with_root = true, .node = true, .files = fake_root},
            .sources = sources,
            .interval_s = 1,
            .clock = {.now = scripted_now}};
        assert_int_equal(be_sampler_open(&options, &sampler, &error), BE_OK);
        tick(sampler, 1);
        const struct be_trace *trace = be_sampler_trace(sampler);
        assert_int_equal(isnan(be_trace_mean(trace, BE_READ, 0)), hidden);
        assert_int_equal(isnan(trace->total.read_bytes), hidden);
        assert_true(!hidden || strstr(be_trace_why(trace, BE_READ), "hidepid"));
        be_sampler_close(sampler);
        if (!hidden) {
            fake_remove("/proc/1");
        }
    }
}

/* ---- sources that are not well -------------------------------------------------------------- */

static pthread_mutex_t hang = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool hangs_in_sample;

static enum be_status open_fine(const struct be_watched *watched, void **self,
                                struct be_error *error) {
    (void)error;
    *self = (void *)(uintptr_t)watched;
    return BE_OK;
}

static enum be_status open_not(const struct be_watched *watched, void **self,
                               struct be_error *error) {
    (void)watched;
    (void)self;
    return be_fail(error, BE_ABSENT, "not here");
}

static int two_gpus(void *self, struct be_trace_gpu *list, int capacity) {
    (void)self;
    assert_true(capacity >= 2);
    for (int i = 0; i < 2; i++) {
        list[i] = (struct be_trace_gpu){.memory_bytes = NAN};
        snprintf(list[i].id, sizeof list[i].id, "gpu:%d", 1 - i); /* the other way round */
    }
    return 2;
}

static int one_gpu(void *self, struct be_trace_gpu *list, int capacity) {
    (void)self;
    (void)capacity;
    list[0] = (struct be_trace_gpu){.id = "gpu:0"};
    return 1;
}

static enum be_status sample_busy(void *self, const struct be_moment *moment, struct be_sink *sink,
                                  struct be_error *error) {
    (void)self;
    (void)error;
    be_sink_put(sink, BE_GPU_BUSY, 0, 0.25);
    be_sink_put(sink, BE_GPU_BUSY, 1, 0.75);
    be_sink_put(sink, BE_GPU_BUSY, 2, 0.9); /* no such GPU */
    be_sink_put(sink, BE_GPU_POWER, 0, moment->now_s > 2.5 ? NAN : 100);
    for (int i = 0; i < 2 * BE_SINK_VALUES; i++) {
        be_sink_put(sink, BE_GPU_CLOCK, 0, 1e9);
    }
    return BE_OK;
}

static enum be_status sample_hung(void *self, const struct be_moment *moment, struct be_sink *sink,
                                  struct be_error *error) {
    (void)self;
    (void)moment;
    (void)error;
    be_sink_put(sink, BE_GPU_BUSY, 0, 0.5);
    if (hangs_in_sample) {
        pthread_mutex_lock(&hang);
        pthread_mutex_unlock(&hang);
    }
    return BE_OK;
}

static enum be_status sample_once(void *self, const struct be_moment *moment, struct be_sink *sink,
                                  struct be_error *error) {
    (void)self;
    be_sink_put(sink, BE_NODE_CPU, 0, 3);
    return moment->now_s > 1.5   ? be_fail(error, BE_ABSENT, "fell off the bus")
           : moment->now_s > 0.5 ? be_fail(error, BE_DRIVER, "busy")
                                 : BE_OK;
}

static void close_fine(void *self) {
    (void)self;
}

static const struct be_signal_source busy = {.name = "busy",
                                             .open = open_fine,
                                             .gpus = two_gpus,
                                             .sample = sample_busy,
                                             .close = close_fine};
static const struct be_signal_source hung = {.name = "hung",
                                             .foreign = true,
                                             .open = open_fine,
                                             .gpus = one_gpu,
                                             .sample = sample_hung,
                                             .close = close_fine};
static const struct be_signal_source none = {
    .name = "none", .open = open_not, .gpus = one_gpu, .sample = sample_busy, .close = close_fine};
static const struct be_signal_source once = {
    .name = "once", .open = open_fine, .sample = sample_once, .close = close_fine};
static const struct be_signal_source asked = {.name = "asked",
                                              .on_request = true,
                                              .open = open_fine,
                                              .sample = sample_busy,
                                              .close = close_fine};

static void sources_and_their_things(void **state) {
    (void)state;
    static const struct be_signal_source *const sources[] = {&none, &busy, &once, &asked, NULL};
    struct be_sampler *sampler = sampler_of(sources);
    const struct be_trace *trace = be_sampler_trace(sampler);
    assert_int_equal(trace->sources, 3); /* nobody asked for the last */
    assert_string_equal(trace->source[0].absent, "not here");
    assert_int_equal(trace->gpus, 2);
    assert_string_equal(trace->gpu[0].id, "gpu:1");
    tick(sampler, 0.25);
    tick(sampler, 0.75);
    assert_string_equal(trace->source[2].detail, "busy");
    near(trace->source[2].missed, 1);
    tick(sampler, 1);
    assert_string_equal(trace->source[2].absent, "fell off the bus");
    tick(sampler, 1);
    near(be_trace_mean(trace, BE_GPU_BUSY, 0), 0.25);
    near(be_trace_mean(trace, BE_GPU_BUSY, 1), 0.75);
    near(be_trace_coverage(trace, BE_GPU_POWER, 0), 2.0 / 3);
    near(trace->source[1].sampled, 4);
    near(trace->source[2].sampled, 1);
    be_sampler_close(sampler);
}

/* Memory that is left behind is no leak: the driver still looks at it. */
static struct be_sampler *volatile left_behind;

/* Opening and answering take a moment. */
static void tick_until_answered(struct be_sampler *sampler) {
    const struct be_trace *trace = be_sampler_trace(sampler);
    double before = trace->source[0].sampled;
    for (int i = 0; !(trace->source[0].sampled > before); i++) {
        assert_true(i < 100000);
        tick(sampler, 1);
        usleep(1000);
    }
}

/* A driver that hangs takes its own values with it, and nothing else. */
static void a_driver_hangs(void **state) {
    (void)state;
    static const struct be_signal_source *const sources[] = {&hung, &busy, NULL};
    struct be_sampler *sampler = sampler_of(sources);
    struct be_trace *trace = be_sampler_trace(sampler);
    hangs_in_sample = false;
    tick_until_answered(sampler);
    pthread_mutex_lock(&hang);
    hangs_in_sample = true;
    for (int i = 0; i < 4; i++) {
        tick(sampler, 1);
    }
    assert_string_equal(trace->source[0].absent, "its driver does not answer any more");
    hangs_in_sample = false;
    pthread_mutex_unlock(&hang);
    tick_until_answered(sampler); /* after all */
    assert_string_equal(trace->source[0].absent, "");
    pthread_mutex_lock(&hang);
    hangs_in_sample = true;
    int before = trace->ticks;
    for (int i = 0; i < 5; i++) {
        tick(sampler, 1);
    }
    assert_int_equal(trace->ticks, before + 5);
    assert_true(trace->source[0].missed >= 4);
    near(trace->source[1].sampled, trace->ticks);
    be_sampler_tick(sampler, true);
    left_behind = sampler;
    be_sampler_close(sampler); /* leaves it where it is */
    hangs_in_sample = false;
    pthread_mutex_unlock(&hang);
    usleep(100000); /* it finds that nobody waits any more, and frees itself */
}

/* A dear look: paid for by pauses, unless it says that it has a budget of its own. */
static bool dear_apart;

static enum be_status sample_dear(void *self, const struct be_moment *moment, struct be_sink *sink,
                                  struct be_error *error) {
    double begin = be_thread_time();
    (void)self;
    (void)moment;
    (void)error;
    while (be_thread_time() - begin < 0.05) {
    }
    sink->apart_s = dear_apart ? be_thread_time() - begin : 0;
    return BE_OK;
}

static void a_dear_look(void **state) {
    (void)state;
    static const struct be_signal_source dear = {
        .name = "dear", .open = open_fine, .sample = sample_dear, .close = close_fine};
    static const struct be_signal_source *const sources[] = {&dear, NULL};
    for (int apart = 0; apart < 2; apart++) {
        dear_apart = apart;
        struct be_sampler *sampler = sampler_of(sources);
        tick(sampler, 1);
        double due_s = be_sampler_due(sampler);
        assert_true(apart ? due_s < 10 : due_s > 15); /* 50 ms at a quarter of a percent: 20 s */
        be_sampler_close(sampler);
    }
}

static void rates_of_ticks(void **state) {
    (void)state;
    static const struct be_signal_source *const sources[] = {&once, NULL};
    struct be_sampler_options options = {.watched = run_of_50(),
                                         .sources = sources,
                                         .overhead = 1e9,
                                         .clock = {.now = scripted_now}};
    struct be_sampler *sampler;
    struct be_error error = {0};
    scripted_s = 0;
    assert_int_equal(be_sampler_open(&options, &sampler, &error), BE_OK);
    near(be_sampler_due(sampler), 0.1);
    tick(sampler, 1);
    near(be_sampler_due(sampler), 0.1);
    tick(sampler, 99);
    near(be_sampler_due(sampler), 0.5);
    tick(sampler, 900);
    near(be_sampler_due(sampler), 1);
    be_sampler_close(sampler);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(idle_ones, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(of_others, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(of_a_machine_that_hides_others, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(a_run, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(sources_and_their_things, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(a_driver_hangs, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(a_dear_look, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(rates_of_ticks, make_machine, remove_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
