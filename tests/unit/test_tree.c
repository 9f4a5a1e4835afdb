/* Made-up processes -> which are the program's, and what they used. */
#include "fake_machine.h"

#include "base/error.h"
#include "observe/sources/gpu_processes.h"
#include "observe/process/tree.h"

static int pids(const struct be_tree *tree) {
    int count;
    be_tree_members(tree, &count);
    return count;
}

static void who_belongs(void **state) {
    (void)state;
    struct be_watched watched = run_of_50();
    struct be_tree *tree;
    struct be_error error = {0};
    fake_process(&(struct fake_process){.pid = 70, .parent = 50, .start = 10000, .pages = 5});
    fake_process(&(struct fake_process){.pid = 65, .parent = 70, .start = 10010}); /* wrapped */
    assert_int_equal(be_tree_open(&watched, &tree, &error), BE_OK);
    assert_int_equal(pids(tree), 2);
    assert_true(be_tree_has(tree, 70) && be_tree_has(tree, 65));
    assert_false(be_tree_has(tree, 60) || be_tree_has(tree, 51) || be_tree_has(tree, 50));
    /* Its parent ends: it stays ours, and so do its children, whoever has become its parent. */
    fake_end(70);
    fake_process(&(struct fake_process){.pid = 65, .parent = 1, .start = 10010});
    fake_process(&(struct fake_process){.pid = 80, .parent = 65, .start = 10100});
    be_tree_look(tree, 1, 1);
    assert_int_equal(pids(tree), 2);
    assert_true(be_tree_has(tree, 65) && be_tree_has(tree, 80));
    /* The number 65 is now another's, begun later. */
    fake_process(&(struct fake_process){.pid = 65, .parent = 1, .start = 10150});
    be_tree_look(tree, 2, 1);
    assert_false(be_tree_has(tree, 65));
    assert_true(be_tree_has(tree, 80));
    be_tree_close(tree);
}

static void what_they_used(void **state) {
    (void)state;
    struct be_watched watched = run_of_50();
    struct be_tree *tree;
    struct be_error error = {0};
    fake_process(&(struct fake_process){.pid = 70, .parent = 50, .start = 10000});
    assert_int_equal(be_tree_open(&watched, &tree, &error), BE_OK);
    fake_process(&(struct fake_process){.pid = 70, .parent = 50, .start = 10000, .user = 100});
    fake_process(&(struct fake_process){.pid = 71, .parent = 70, .start = 10000, .user = 50});
    be_tree_look(tree, 1, 1);
    near(be_tree_grown(tree, BE_GROWN_USER), 1.5);
    near(be_tree_grown(tree, BE_GROWN_WRITTEN), 2 * 8192);
    /* 71 has ended, and nobody has waited for it yet: nothing is lost ... */
    fake_end(71);
    be_tree_look(tree, 2, 1);
    near(be_tree_grown(tree, BE_GROWN_USER), 1.5);
    /* ... and nothing is counted twice when somebody has. */
    fake_process(&(struct fake_process){
        .pid = 70, .parent = 50, .start = 10000, .user = 110, .child_user = 60});
    be_tree_look(tree, 3, 1);
    near(be_tree_grown(tree, BE_GROWN_USER), 1.7);
    /* The command has ended, and who waits has waited for it. */
    fake_end(70);
    fake_process(&(struct fake_process){.pid = 50, .parent = 1, .start = 100, .child_user = 180});
    be_tree_look(tree, 4, 1);
    near(be_tree_grown(tree, BE_GROWN_USER), 1.8);
    be_tree_close(tree);
}

/* The one who waits had a child before there was a command: what comes to it from that one is left
 * out. */
static void from_before_the_command(void **state) {
    (void)state;
    struct be_watched watched = run_of_50();
    struct be_tree *tree;
    struct be_error error = {0};
    double grown[BE_GROWNS];
    struct be_proc_stat stat;
    fake_process(&(struct fake_process){.pid = 40, .parent = 50, .start = 300, .user = 700});
    fake_process(&(struct fake_process){.pid = 70, .parent = 50, .start = 10000});
    assert_int_equal(be_tree_open(&watched, &tree, &error), BE_OK);
    be_tree_look(tree, 1, 1);
    assert_false(be_tree_has(tree, 40));
    assert_true(be_grown_stat(fake_root, 40, &stat));
    be_grown_count(&stat, true, grown);
    be_grown_io(fake_root, 40, grown);
    be_tree_leave_out(tree, grown);
    be_tree_look(tree, 2, 1);
    fake_end(40);
    fake_process(&(struct fake_process){
        .pid = 50, .parent = 1, .start = 100, .child_user = 700, .inherited = 1});
    fake_process(&(struct fake_process){.pid = 70, .parent = 50, .start = 10000, .user = 30});
    be_tree_look(tree, 3, 1);
    near(be_tree_grown(tree, BE_GROWN_USER), 0.3);
    near(be_tree_grown(tree, BE_GROWN_WRITTEN), 8192);
    be_tree_close(tree);
}

static void nobody_waits(void **state) {
    (void)state;
    struct be_watched watched = run_of_50();
    struct be_tree *tree;
    struct be_error error = {0};
    fake_process(&(struct fake_process){.pid = 70, .parent = 50, .start = 10000});
    fake_process(&(struct fake_process){.pid = 71, .parent = 70, .start = 10000, .user = 500});
    assert_int_equal(be_tree_open(&watched, &tree, &error), BE_OK);
    near(be_tree_grown(tree, BE_GROWN_USER), 5);
    fake_end(71);
    for (int i = 1; i < 10; i++) { /* what it used stays counted, and what comes is added */
        fake_process(
            &(struct fake_process){.pid = 70, .parent = 50, .start = 10000, .user = 100 * i});
        be_tree_look(tree, i, 1);
    }
    double user_s = be_tree_grown(tree, BE_GROWN_USER);
    assert_true(user_s > 5 + 4 && user_s <= 5 + 9);
    be_tree_close(tree);
}

/* Watching a process that ran before: only what it does from now on counts. */
static void began_before(void **state) {
    (void)state;
    struct be_watched watched = {.root = 60, .with_root = true, .files = fake_root};
    struct be_tree *tree;
    struct be_error error = {0};
    assert_int_equal(be_tree_open(&watched, &tree, &error), BE_OK);
    assert_int_equal(pids(tree), 1);
    near(be_tree_grown(tree, BE_GROWN_USER), 0);
    fake_process(&(struct fake_process){.pid = 60, .parent = 1, .user = 7800, .start = 200});
    be_tree_look(tree, 1, 1);
    near(be_tree_grown(tree, BE_GROWN_USER), 1);
    be_tree_close(tree);
}

/* A root's number is given to another: that one, and its children, are none of ours. */
static void another_root(void **state) {
    (void)state;
    struct be_watched watched = {.root = 60, .with_root = true, .files = fake_root};
    struct be_tree *tree;
    struct be_error error = {0};
    fake_process(&(struct fake_process){.pid = 61, .parent = 60, .start = 9000});
    assert_int_equal(be_tree_open(&watched, &tree, &error), BE_OK);
    assert_int_equal(pids(tree), 2);
    fake_end(60);
    fake_process(&(struct fake_process){.pid = 61, .parent = 1, .start = 9000});
    be_tree_look(tree, 1, 1);
    assert_int_equal(pids(tree), 1);
    fake_process(&(struct fake_process){.pid = 60, .parent = 1, .user = 50, .start = 10150});
    fake_process(&(struct fake_process){.pid = 62, .parent = 60, .user = 50, .start = 10160});
    fake_process(&(struct fake_process){.pid = 63, .parent = 61, .start = 10160});
    be_tree_look(tree, 2, 1);
    assert_true(be_tree_has(tree, 61) && be_tree_has(tree, 63));
    assert_false(be_tree_has(tree, 60) || be_tree_has(tree, 62));
    near(be_tree_grown(tree, BE_GROWN_USER), 0);
    be_tree_close(tree);
}

/* The earlier use of children is no work of the moment in which their parent waits for them. */
static void began_and_ended(void **state) {
    (void)state;
    struct be_watched watched = {.root = 60, .with_root = true, .files = fake_root};
    struct be_tree *tree;
    struct be_error error = {0};
    fake_process(&(struct fake_process){.pid = 61, .parent = 60, .user = 90000, .start = 300});
    fake_process(&(struct fake_process){.pid = 62, .parent = 61, .user = 5000, .start = 300});
    fake_process(&(struct fake_process){.pid = 63, .parent = 60, .user = 700, .start = 300});
    assert_int_equal(be_tree_open(&watched, &tree, &error), BE_OK);
    near(be_tree_grown(tree, BE_GROWN_USER), 0);
    fake_process(&(struct fake_process){.pid = 61, .parent = 60, .user = 90050, .start = 300});
    be_tree_look(tree, 1, 1);
    near(be_tree_grown(tree, BE_GROWN_USER), 0.5);
    near(be_tree_grown(tree, BE_GROWN_READ), 0);
    /* One of those two has waited for the other, and their parent for that one; a second later than they were
     * missed. */
    fake_end(62);
    fake_end(61);
    be_tree_look(tree, 2, 1);
    near(be_tree_grown(tree, BE_GROWN_USER), 0.5);
    struct fake_process parent = {
        .pid = 60, .parent = 1, .user = 7700, .child_user = 95060, .start = 200, .inherited = 2};
    fake_process(&parent);
    be_tree_look(tree, 3, 1);
    near(be_tree_grown(tree, BE_GROWN_USER), 0.6);
    near(be_tree_grown(tree, BE_GROWN_MINOR), 0);
    near(be_tree_grown(tree, BE_GROWN_WRITTEN), 0);
    int count;
    const struct be_member *member = be_tree_members(tree, &count);
    near(member[0].last_io[1], member[0].grown[BE_GROWN_WRITTEN]); /* it wrote nothing itself */
    /* Nobody waits for the third; what their parent does itself counts. */
    fake_end(63);
    for (int i = 4; i < 8; i++) {
        parent.user += 10;
        fake_process(&parent);
        be_tree_look(tree, i, 1);
    }
    near(be_tree_grown(tree, BE_GROWN_USER), 1);
    be_tree_close(tree);
}

static struct be_tree *looked_at;

static bool was_seen(const struct be_watched *watched, pid_t pid) {
    (void)watched;
    return be_tree_has(looked_at, pid);
}

static bool is_72(const struct be_watched *watched, pid_t pid) {
    (void)watched;
    return pid == 72;
}

/* A process may be on the GPU before the next look at processes: it is not somebody else's. */
static void on_the_gpu_at_once(void **state) {
    (void)state;
    static const int pid[] = {70, 71, 72, 60, 51};
    struct be_watched watched = run_of_50();
    struct be_error error = {0};
    struct be_gpu_before before = {.taken = true};
    struct be_gpu_user user[BE_COUNT(pid)];
    fake_process(&(struct fake_process){.pid = 69, .parent = 50, .start = 10000});
    assert_int_equal(be_tree_open(&watched, &looked_at, &error), BE_OK);
    watched.member = was_seen;
    watched.also = is_72;
    fake_process(&(struct fake_process){.pid = 70, .parent = 69, .start = 10010});
    fake_process(&(struct fake_process){.pid = 71, .parent = 70, .start = 10010});
    fake_process(&(struct fake_process){.pid = 72, .parent = 1, .start = 10010});
    for (size_t i = 0; i < BE_COUNT(pid); i++) {
        user[i] = (struct be_gpu_user){.pid = pid[i], .bytes = 1e9};
    }
    struct be_gpu_use use = be_gpu_count_users(&watched, user, BE_COUNT(user), &before);
    assert_int_equal(use.own, 3);
    near(use.own_bytes, 3e9);
    assert_int_equal(use.foreign, 2); /* one of before, and the one who watches */
    be_tree_close(looked_at);
}

/* A large machine: looking at all of it ends, though not all of it is kept. */
static void more_than_there_is_capacity_for(void **state) {
    (void)state;
    struct be_watched watched = {.node = true, .files = fake_root};
    struct be_tree *tree;
    struct be_error error = {0};
    for (int pid = 1000; pid < 1000 + BE_TREE_MAX + 1100; pid++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/stat", pid);
        fake_stat(path, &(struct fake_process){.pid = pid, .parent = 1, .start = 300});
    }
    assert_int_equal(be_tree_open(&watched, &tree, &error), BE_OK);
    assert_int_equal(pids(tree), BE_TREE_MAX);
    assert_true(be_tree_has(tree, 1) && be_tree_has(tree, 1000));
    be_tree_look(tree, 1, 1);
    assert_int_equal(pids(tree), BE_TREE_MAX);
    be_tree_close(tree);
}

static void more_than_it_may_look_at(void **state) {
    (void)state;
    struct be_watched watched = run_of_50();
    struct be_tree *tree;
    struct be_error error = {0};
    assert_int_equal(be_tree_open(&watched, &tree, &error), BE_OK);
    fake_process(&(struct fake_process){.pid = 1000, .parent = 50, .start = 10001});
    for (int i = 1; i < 600; i++) {
        fake_process(
            &(struct fake_process){.pid = 1000 + i, .parent = 1000, .start = 10001, .user = 100});
    }
    int looks = 0;
    for (int before = -1; pids(tree) > before || pids(tree) < 600; looks++) {
        before = pids(tree);
        be_tree_look(tree, looks + 1, 0); /* no time at all */
        assert_true(looks < 100);
        assert_true(pids(tree) - before <= 256);
    }
    assert_true(looks > 2);
    near(be_tree_grown(tree, BE_GROWN_USER), 599);
    assert_true(be_tree_cover(tree) < 1);
    be_tree_close(tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(who_belongs, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(what_they_used, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(from_before_the_command, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(nobody_waits, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(began_before, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(on_the_gpu_at_once, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(another_root, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(began_and_ended, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(more_than_it_may_look_at, make_machine, remove_root),
        cmocka_unit_test_setup_teardown(more_than_there_is_capacity_for, make_machine, remove_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
