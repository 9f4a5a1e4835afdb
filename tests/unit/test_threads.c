/* Made-up threads, and processes that are listed only when there can be new ones. */
#include "fake_files.h"

#include <math.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "observe/process/threads.h"
#include "observe/process/tree.h"

enum { THREADS = 300, FIRST = 1000 };

static const struct be_watched *run_of_50(void) {
    static struct be_watched watched;
    watched = (struct be_watched){.root = 50, .except = 51, .files = fake_root};
    return &watched;
}

static void fake_thread(int tid, char state, int slices) {
    char path[128];
    snprintf(path, sizeof path, "/proc/1000/task/%d/stat", tid);
    fake_stat(path,
              &(struct fake_process){.pid = tid, .parent = 50, .state = state, .start = 10000});
    snprintf(path, sizeof path, "/proc/1000/task/%d/schedstat", tid);
    fake_file(path, "%d000000 5000000 %d\n", slices, slices);
}

static int make_machine(void **state) {
    int failed = make_root(state);
    fake_file("/proc/uptime", "100.00 100.00\n");
    fake_process(&(struct fake_process){.pid = 50, .parent = 1, .start = 100});
    fake_file("/proc/50/schedstat", "7000000 0 3\n");
    fake_process(
        &(struct fake_process){.pid = FIRST, .parent = 50, .start = 10000, .threads = THREADS});
    for (int i = 0; i < THREADS; i++) {
        fake_thread(FIRST + i, 'S', 10);
    }
    return failed;
}

struct both {
    struct be_tree *tree;
    struct be_threads *threads;
    double now_s;
};

static struct both open_both(void) {
    struct both both = {0};
    struct be_error error = {0};
    assert_int_equal(be_tree_open(run_of_50(), &both.tree, &error), BE_OK);
    assert_int_equal(be_threads_open(run_of_50(), &both.threads, &error), BE_OK);
    return both;
}

static struct be_threads_sum look(struct both *both, double budget_s) {
    struct be_threads_sum sum;
    both->now_s++;
    be_tree_look(both->tree, both->now_s, 1);
    be_threads_look(both->threads, both->tree, both->now_s, budget_s, &sum);
    return sum;
}

static void close_both(struct both *both) {
    be_threads_close(both->threads);
    be_tree_close(both->tree);
}

static void fake_wait(int tid, const char *what) {
    char path[128];
    snprintf(path, sizeof path, "/proc/1000/task/%d/wchan", tid);
    fake_file(path, "%s", what);
}

/* Asked are those that had a core since the look before and sleep now; 0 is no answer. */
static void why_they_sleep(void **state) {
    (void)state;
    struct both both = open_both();
    for (int i = 0; i < 12; i++) {
        look(&both, 1);
    }
    assert_true(isnan(look(&both, 1).lock_wait));
    static const char *const what[] = {"futex_do_wait", "futex_wait_queue_me", "anon_pipe_read",
                                       "hrtimer_nanosleep", "0"};
    for (int i = 0; i < 5; i++) {
        fake_thread(FIRST + i, 'S', 500);
        fake_wait(FIRST + i, what[i]);
    }
    fake_wait(FIRST + 9, "futex_do_wait"); /* it has slept on */
    assert_true(fabs(look(&both, 1).lock_wait - 0.5) < 1e-9);
    assert_true(isnan(look(&both, 1).lock_wait));
    close_both(&both);
}

static void fake_call(int tid, const char *call) {
    char path[128];
    snprintf(path, sizeof path, "/proc/1000/task/%d/syscall", tid);
    fake_file(path, "%s\n", call);
}

/* The value that a call sleeps on is that of a mutex, or of something else; whoever has gone on says nothing. */
static void mutexes_are_told(void **state) {
    (void)state;
    static const struct {
        const char *format; /* of a call, its number first */
        double share;       /* of mutexes, beside a thread that waits for a pipe */
    } cases[] = {{"%d 0x7f00 0x80 0x2 0x0 0x0 0x0 0x7ffd 0x7f01", 0.5}, /* glibc */
                 {"%d 0x7f00 0x0 0x2 0x0 0x0 0x0 0x7ffd 0x7f01", 0.5},  /* between processes */
                 {"%d 0x7f00 0x80 0xffffffff 0x0 0x0 0x0 0x7ffd 0x7f01", 0.5}, /* omp critical */
                 {"%d 0x7f00 0x89 0x2 0x0 0x0 0xffffffff 0x7ffd 0x7f01", 0.5}, /* Rust */
                 {"%d 0x7f00 0x80 0x80000010 0x0 0x0 0x0 0x7ffd 0x7f01", 0.5}, /* musl */
                 {"%d 0x7f00 0x80 0x3458 0x0 0x0 0x0 0x7ffd 0x7f01", 0},       /* a barrier */
                 {"%d 0x7f00 0x189 0x0 0x0 0x0 0xffffffff 0x7ffd 0x7f01", 0},  /* a condition */
                 {"running", NAN}};
    struct both both = open_both();
    for (int i = 0; i < 2; i++) {
        look(&both, 1);
    }
    for (int i = 0; i < (int)BE_COUNT(cases); i++) {
        char call[128];
        snprintf(call, sizeof call, cases[i].format, (int)SYS_futex);
        fake_thread(FIRST, 'S', 500 * (i + 1));
        fake_wait(FIRST, "futex_do_wait");
        fake_call(FIRST, call);
        if (!isnan(cases[i].share)) {
            fake_thread(FIRST + 1, 'S', 500 * (i + 1));
            fake_wait(FIRST + 1, "anon_pipe_read");
        }
        const double share = look(&both, 1).mutex_wait;
        assert_true(isnan(cases[i].share) ? isnan(share) : fabs(share - cases[i].share) < 1e-9);
    }
    close_both(&both);
}

/* A thread that hardly ever works is asked once, and again when it was given a core: 16 of them in a look. */
static void why_they_rest(void **state) {
    (void)state;
    static const struct {
        const char *function;
        enum be_asleep why;
    } cases[] = {{"hrtimer_nanosleep", BE_ASLEEP_TIMER},
                 {"do_wait", BE_ASLEEP_CHILD},
                 {"anon_pipe_read", BE_ASLEEP_MESSAGE},
                 {"ep_poll", BE_ASLEEP_MESSAGE},
                 {"wait_woken", BE_ASLEEP_MESSAGE},
                 {"inet_csk_accept", BE_ASLEEP_MESSAGE},
                 {"futex_do_wait", BE_ASLEEP_LOCK},
                 {"jbd2_log_wait_commit", BE_ASLEEP_OTHER},
                 {"0", BE_ASLEEP_UNKNOWN}};
    for (int i = 0; i < THREADS; i++) {
        fake_wait(FIRST + i, i == THREADS - 1 ? "hrtimer_nanosleep" : "futex_do_wait");
    }
    struct both both = open_both();
    for (int i = 0; i < THREADS / 16; i++) {
        struct be_threads_sum sum = look(&both, 1);
        assert_true(sum.asleep[BE_ASLEEP_LOCK] + sum.asleep[BE_ASLEEP_TIMER] == 16 * (i + 1));
    }
    struct be_threads_sum sum = look(&both, 1);
    assert_true(sum.asleep[BE_ASLEEP_LOCK] == THREADS - 1 && sum.asleep[BE_ASLEEP_TIMER] == 1);
    for (int i = 0; i < (int)BE_COUNT(cases); i++) {
        fake_wait(FIRST, cases[i].function);
        assert_true(look(&both, 1).asleep[BE_ASLEEP_LOCK] == sum.asleep[BE_ASLEEP_LOCK]);
        fake_thread(FIRST, 'S', 11 + i);
        look(&both, 1); /* one that was given a core just now is busy */
        struct be_threads_sum now = look(&both, 1);
        sum.asleep[BE_ASLEEP_LOCK] = THREADS - 2 + (cases[i].why == BE_ASLEEP_LOCK);
        sum.asleep[BE_ASLEEP_TIMER] = 1;
        sum.asleep[cases[i].why] += cases[i].why != BE_ASLEEP_LOCK;
        assert_memory_equal(now.asleep, sum.asleep, sizeof now.asleep);
        sum.asleep[cases[i].why] -= cases[i].why != BE_ASLEEP_LOCK;
    }
    close_both(&both);
}

/* Without any time a look comes to some of them, and a few looks to each. */
static void some_in_turn(void **state) {
    (void)state;
    struct both both = open_both();
    static const int which[] = {0, 1, THREADS / 2, THREADS - 2, THREADS - 1};
    for (size_t i = 0; i < BE_COUNT(which); i++) {
        fake_thread(FIRST + which[i], 'R', 11);
        int found = 0;
        for (int k = 0; k < 8 && !found; k++) {
            struct be_threads_sum sum = look(&both, 0);
            assert_true(sum.all >= THREADS && sum.looked >= 48 && sum.looked < THREADS / 2);
            found = sum.runnable > 0;
        }
        if (!found) {
            fail_msg("nobody came to thread %d of %d", which[i], THREADS);
        }
        fake_thread(FIRST + which[i], 'S', 12);
        for (int k = 0; k < 8; k++) { /* once round, so that it is known to sleep */
            look(&both, 0);
        }
    }
    close_both(&both);
}

static void all_at_once(void **state) {
    (void)state;
    struct both both = open_both();
    for (int i = 0; i < 3; i++) { /* wherever the turn stands */
        struct be_threads_sum sum = look(&both, 1000);
        assert_true(sum.looked == sum.all && sum.looked == THREADS);
    }
    fake_remove("/proc/1000/task"); /* it ends just now */
    assert_true(look(&both, 1000).looked == 0);
    fake_end(FIRST);
    struct be_threads_sum sum = look(&both, 1000);
    assert_true(sum.all == 0 && sum.looked == 0);
    close_both(&both);
}

/* A thread that was given no core is still asleep, whatever has become of its name; one that was,
 * is looked at. */
static void asleep(void **state) {
    (void)state;
    struct both both = open_both();
    look(&both, 1000);
    fake_remove("/proc/1000/task/1007/stat"); /* so nobody can have read it */
    struct be_threads_sum sum = look(&both, 1000);
    assert_true(sum.looked == THREADS && sum.runnable == 0);
    fake_thread(1007, 'R', 310);
    sum = look(&both, 1000);
    assert_true(sum.runnable == 1 && sum.busies == 1);
    assert_int_equal(sum.busy[0]->tid, 1007);
    assert_true(fabs(sum.busy[0]->rate - 0.3 / 1) < 1e-9);
    assert_true(fabs(sum.slices_a_s - 300) < 1e-6);
    sum = look(&both, 1000); /* waits for a core since: was not seen asleep, and is asked again */
    assert_true(sum.runnable == 1);
    close_both(&both);
}

/* A thread of the same number with less behind it is another: nothing is known of it yet. */
static void another_thread(void **state) {
    (void)state;
    struct both both = open_both();
    fake_thread(1007, 'R', 310);
    look(&both, 1000);
    fake_thread(1007, 'R', 5);
    struct be_threads_sum sum = look(&both, 1000);
    assert_true(sum.runnable == 1 && sum.busies == 0);
    assert_true(sum.slices_a_s == 0 && !(sum.run_wait < 0));
    fake_thread(1007, 'R', 105);
    sum = look(&both, 1000);
    assert_true(sum.busies == 1 && fabs(sum.busy[0]->rate - 0.1) < 1e-9);
    assert_true(fabs(sum.slices_a_s - 100) < 1e-6);
    close_both(&both);
}

/* A kernel without scheduler statistics has the files, and zeros in them: then stat tells who works. */
static void nothing_counted(void **state) {
    (void)state;
    const struct fake_process busy = {
        .pid = FIRST, .parent = 50, .state = 'R', .user = 80, .start = 10000, .threads = 1};
    fake_file("/proc/50/schedstat", "0 0 0\n");
    fake_file("/proc/1000/schedstat", "0 0 0\n");
    fake_remove("/proc/1000/task");
    fake_process(&(struct fake_process){.pid = FIRST, .parent = 50, .start = 10000});
    fake_file("/proc/1000/task/1000/schedstat", "0 0 0\n");
    struct both both = open_both();
    look(&both, 1000);
    fake_process(&busy);
    struct be_threads_sum sum = look(&both, 1000);
    assert_false(sum.schedstat);
    assert_true(isnan(sum.run_wait) && isnan(sum.slices_a_s));
    assert_int_equal(sum.busies, 1);
    assert_true(fabs(sum.busy[0]->rate - 0.8) < 1e-9);
    close_both(&both);
}

/* ---- when processes are listed -------------------------------------------------------------- */

/* So many numbers after our own. */
static void newest(int after) {
    fake_file("/proc/loadavg", "0.50 0.40 0.30 1/200 %d\n", (int)getpid() + after);
}

/* Where /proc/self says who we are, and three looks, after which nobody is new. */
static struct both open_settled(const char *self) {
    char path[128];
    snprintf(path, sizeof path, "%s/proc/self", fake_root);
    assert_int_equal(symlink(self, path), 0);
    newest(0);
    struct both both = open_both();
    for (int i = 0; i < 3; i++) {
        look(&both, 0);
    }
    return both;
}

static void a_number_each(void **state) {
    (void)state;
    char self[32];
    snprintf(self, sizeof self, "%d", (int)getpid());
    struct both both = open_settled(self);
    /* No number was given: nobody looks, until some seconds are over. */
    fake_process(&(struct fake_process){.pid = 1300, .parent = 50, .start = 10400});
    look(&both, 0);
    assert_false(be_tree_has(both.tree, 1300));
    newest(1);
    look(&both, 0);
    assert_true(be_tree_has(both.tree, 1300));
    /* One that had its number before the list, and came into it later. */
    fake_process(&(struct fake_process){.pid = 1301, .parent = 50, .start = 10500});
    look(&both, 0);
    assert_true(be_tree_has(both.tree, 1301));
    /* A thread that has ended is missed without a list. */
    look(&both, 0);
    fake_end(1301);
    look(&both, 0);
    assert_false(be_tree_has(both.tree, 1301));
    fake_process(&(struct fake_process){.pid = 1302, .parent = 50, .start = 11000});
    both.now_s += 5;
    look(&both, 0);
    assert_true(be_tree_has(both.tree, 1302));
    close_both(&both);
}

/* A process that was here before the run began is not asked for a parent; but where the newest number cannot be right,
 * everybody is. */
static void who_was_before(void **state) {
    (void)state;
    for (int again = 0; again < 2; again++) {
        char path[128], self[32];
        struct both both = {0};
        struct be_error error = {0};
        snprintf(path, sizeof path, "%s/proc/self", fake_root);
        snprintf(self, sizeof self, "%d", (int)getpid());
        assert_true(again || symlink(self, path) == 0);
        newest(again ? -1 : 0);
        fake_process(&(struct fake_process){.pid = 40, .parent = 50, .start = 10000});
        assert_int_equal(be_tree_open(run_of_50(), &both.tree, &error), BE_OK);
        assert_int_equal(be_tree_has(both.tree, 40), again);
        assert_true(be_tree_has(both.tree, FIRST));
        be_tree_look(both.tree, 31, 1); /* all are asked again some time */
        assert_true(be_tree_has(both.tree, 40));
        be_tree_close(both.tree);
    }
}

/* A list that is seconds old tells of nobody new. */
static void an_old_number(void **state) {
    (void)state;
    char path[128], self[32];
    snprintf(path, sizeof path, "%s/proc/self", fake_root);
    snprintf(self, sizeof self, "%d", (int)getpid());
    assert_int_equal(symlink(self, path), 0);
    newest(-3);
    struct both both = open_both();
    for (int i = 0; i < 3; i++) {
        look(&both, 0);
    }
    fake_process(&(struct fake_process){.pid = 1300, .parent = 50, .start = 10400});
    look(&both, 0);
    assert_true(be_tree_has(both.tree, 1300));
    close_both(&both);
}

/* Our newest number says nothing about another's /proc. */
static void another_proc(void **state) {
    (void)state;
    struct both both = open_settled("1");
    fake_process(&(struct fake_process){.pid = 1300, .parent = 50, .start = 10400});
    look(&both, 0);
    assert_true(be_tree_has(both.tree, 1300));
    close_both(&both);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(why_they_rest, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(why_they_sleep, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(mutexes_are_told, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(some_in_turn, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(all_at_once, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(asleep, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(another_thread, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(nothing_counted, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(a_number_each, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(who_was_before, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(an_old_number, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(another_proc, make_machine, remove_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
