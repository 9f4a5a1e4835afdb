/* From which batch a device pays: on planted times, and as text. tests/cli/train.sh has a small run. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/train/crossing.h"

static struct be_train_timed timed(double step_s) {
    return (struct be_train_timed){step_s, 0.9 * step_s, 1.1 * step_s};
}

/* One core takes 1 ms an image, two cores half of that; the device takes 3 ms and 0.1 ms an image, and without the copy
 * 1 ms less. */
static struct be_train_crossing planted(size_t sizes) {
    struct be_train_crossing crossing = {.net = "lenet",
                                         .cpu = "Planted CPU",
                                         .device = "cuda:0, Planted GPU",
                                         .cores = 2,
                                         .rounds = 3,
                                         .sizes = sizes};
    for (size_t i = 0; i < sizes; i++) {
        const double batch = (double)(1 << i);
        crossing.size[i] = (struct be_train_size){
            .batch = (uint64_t)1 << i,
            .side = {timed(1e-3 * batch), timed(0.5e-3 * batch), timed(3e-3 + 0.1e-3 * batch),
                     timed(2e-3 + 0.1e-3 * batch)},
            .off = 1e-6};
    }
    return crossing;
}

/* 8 images: 4 ms +- 10 % against 3.8 ms +- 10 %: not decided, so not ahead. */
static void ahead_is_ahead_of_all_rounds(void **state) {
    (void)state;
    const struct be_train_crossing crossing = planted(6);
    const struct be_train_crossed copied = be_train_crossed(&crossing, BE_TRAIN_COPIED);
    const struct be_train_crossed there = be_train_crossed(&crossing, BE_TRAIN_THERE);
    assert_int_equal(copied.ahead, BE_TRAIN_FROM);
    assert_int_equal(copied.below, 8);
    assert_int_equal(copied.from, 16);
    assert_int_equal(there.ahead, BE_TRAIN_FROM);
    assert_int_equal(there.from, 8);
}

static void edges(void **state) {
    (void)state;
    struct be_train_crossing crossing = planted(3);
    assert_int_equal(be_train_crossed(&crossing, BE_TRAIN_COPIED).ahead, BE_TRAIN_NEVER);
    crossing = planted(6);
    crossing.size[5].side[BE_TRAIN_THERE] = timed(NAN); /* what is not known is not ahead */
    assert_int_equal(be_train_crossed(&crossing, BE_TRAIN_THERE).ahead, BE_TRAIN_NEVER);
    for (size_t i = 0; i < crossing.sizes; i++) {
        crossing.size[i].side[BE_TRAIN_ALL_CORES] = timed(NAN); /* a machine of one core */
        crossing.size[i].side[BE_TRAIN_COPIED] = timed(1e-6);
    }
    assert_int_equal(be_train_crossed(&crossing, BE_TRAIN_COPIED).ahead, BE_TRAIN_ALWAYS);
    assert_int_equal(be_train_crossed(&crossing, BE_TRAIN_COPIED).from, 1);
    crossing.sizes = 0;
    assert_int_equal(be_train_crossed(&crossing, BE_TRAIN_COPIED).ahead, BE_TRAIN_NOT_KNOWN);
}

static void the_table_of_planted_times(void **state) {
    static char got[4096];
    (void)state;
    struct be_train_crossing crossing = planted(5);
    crossing.partial = true;
    FILE *out = fmemopen(got, sizeof got, "w");
    assert_non_null(out);
    assert_int_equal(be_train_crossing_write(&crossing, BE_TEXT, out, NULL), BE_OK);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(
        got, "lenet: one step over the batch, median of 3 rounds. CPU: Planted CPU. Device:\n"
             "  cuda:0, Planted GPU. Its gradients are those of the plain reference.\n"
             "\n"
             "  batch        one core         2 cores   images copied    images there\n"
             "      1         1.00 ms          500 us         3.10 ms         2.10 ms\n"
             "      2         2.00 ms         1.00 ms         3.20 ms         2.20 ms\n"
             "      4         4.00 ms         2.00 ms         3.40 ms         2.40 ms\n"
             "      8         8.00 ms         4.00 ms         3.80 ms         2.80 ms\n"
             "     16         16.0 ms         8.00 ms         4.60 ms         3.60 ms\n"
             "\n"
             "With images copied in each step, the device is ahead from batches of 16 on; at\n"
             "8 it is not yet (at 16: 1.7 times as fast). With all images there, the device is\n"
             "ahead from batches of 8 on; at 4 it is not yet (at 16: 2.2 times as fast). A\n"
             "side is ahead where all its rounds are faster than all of the CPU's.\n"
             "Larger batches were left out: the time was over (--total=SECONDS).\n");
}

/* The reason why larger batches are missing is said; nothing measured is no verdict about the device. */
static void the_words_for_less(void **state) {
    static char got[4096];
    (void)state;
    struct be_train_crossing crossing = planted(1);
    struct be_text verdict = {0};
    crossing.stopped = (struct be_error){.status = BE_NOMEM, .text = "cuda:0: 2 images fit"};
    FILE *out = fmemopen(got, sizeof got, "w");
    assert_non_null(out);
    assert_int_equal(be_train_crossing_write(&crossing, BE_TEXT, out, NULL), BE_OK);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(got, "Larger batches: cuda:0: 2 images fit"));
    crossing.sizes = 0;
    be_train_crossing_verdict(&crossing, &verdict);
    assert_non_null(strstr(verdict.data, "nothing was measured"));
    be_text_free(&verdict);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ahead_is_ahead_of_all_rounds),
        cmocka_unit_test(edges),
        cmocka_unit_test(the_table_of_planted_times),
        cmocka_unit_test(the_words_for_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
