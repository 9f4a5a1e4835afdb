/* bench/case/cut.h: how many chunks go together, of calls whose times are given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>

#include "bench/case/cut.h"

/* Work of k chunks: as long as its least time, and as its chunks. */
struct work {
    double least_s, chunk_s;
    size_t most; /* chunks of the longest slice that was timed */
    bool fails;
};

static enum be_status time_work(void *context, size_t chunks, double *seconds,
                                struct be_error *error) {
    struct work *work = context;
    work->most = chunks > work->most ? chunks : work->most;
    *seconds = fmax(work->least_s, (double)chunks * work->chunk_s);
    return work->fails ? be_fail(error, BE_DRIVER, "no time") : BE_OK;
}

static size_t chosen(struct work *work, size_t chunks, double in_s, double out_s) {
    const struct be_cut cut = {
        .chunks = chunks, .in_s = in_s, .out_s = out_s, .time = time_work, .context = work};
    struct be_error error = {0};
    size_t at_a_time = 0;
    assert_int_equal(be_cut_choose(&cut, &at_a_time, &error), BE_OK);
    return at_a_time;
}

/* 100 matrices of order 128 on an H100: 17 ms for one chunk as for all seven of them, whose copies take 0.5 ms. */
static void all_where_a_slice_takes_as_long_as_all(void **state) {
    (void)state;
    struct work work = {.least_s = 17e-3, .chunk_s = 1e-3};
    assert_int_equal(chosen(&work, 7, 0.25e-3, 0.25e-3), 7);
    assert_int_equal(chosen(&work, 7, NAN, NAN), 7);
}

/* Eight chunks fill it: longer slices would only delay the copies. */
static void as_many_as_fill_the_device(void **state) {
    (void)state;
    struct work work = {.least_s = 8, .chunk_s = 1};
    assert_int_equal(chosen(&work, 64, 10, 10), 8);
}

static void one_where_work_grows_with_its_items(void **state) {
    (void)state;
    struct work work = {.least_s = 0, .chunk_s = 1};
    assert_int_equal(chosen(&work, 64, 10, 10), 1);
    assert_int_equal(work.most, 2); /* a second slice said so: no longer one is paid for */
    work.most = 0;
    assert_int_equal(chosen(&work, 1, 10, 10), 1);
    assert_int_equal(work.most, 1);
}

/* The work hides behind its copies as it is, and no other slice is timed. */
static void one_where_copies_take_longer(void **state) {
    (void)state;
    struct work work = {.least_s = 1, .chunk_s = 0.1};
    assert_int_equal(chosen(&work, 64, 100, 10), 1);
    assert_int_equal(work.most, 1);
}

static void errors_come_through(void **state) {
    (void)state;
    struct work work = {.fails = true};
    const struct be_cut cut = {.chunks = 4, .time = time_work, .context = &work};
    struct be_error error = {0};
    size_t at_a_time = 0;
    assert_int_equal(be_cut_choose(&cut, &at_a_time, &error), BE_DRIVER);
    assert_string_equal(error.text, "no time");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_where_a_slice_takes_as_long_as_all),
        cmocka_unit_test(as_many_as_fill_the_device),
        cmocka_unit_test(one_where_work_grows_with_its_items),
        cmocka_unit_test(one_where_copies_take_longer),
        cmocka_unit_test(errors_come_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
