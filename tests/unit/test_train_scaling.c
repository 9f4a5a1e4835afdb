/* A training step over the number of devices: what follows from planted times, and how it is said. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "report/train/scaling.h"

/* Eight milliseconds of computing are shared by two; half a millisecond of update is not. */
static struct be_train_scaling planted(void) {
    return (struct be_train_scaling){
        .net = "mnist",
        .device = "cuda:0, cuda:1: Planted GPU",
        .sums = "NCCL 2.27.3",
        .devices = 2,
        .rounds = 3,
        .batch = 4096,
        .off = 2e-7,
        .scales = 3,
        .scale = {{1, 4096, 9e-3, 8.9e-3, 9.2e-3, {8e-3, 0, 0, 0.5e-3, 0.5e-3}},
                  {2, 4096, 6e-3, 5.9e-3, 6.1e-3, {4.1e-3, 0.8e-3, 0.1e-3, 0.5e-3, 0.5e-3}},
                  {2, 8192, 10e-3, 9.9e-3, 10.1e-3, {8e-3, 0.9e-3, 0.1e-3, 0.5e-3, 0.5e-3}}}};
}

static void parts_are_held_against_their_share(void **state) {
    (void)state;
    const struct be_train_scaling s = planted();
    assert_near(be_train_images_per_s(&s.scale[1]), 4096 / 6e-3);
    assert_near(be_train_beyond(&s.scale[0], &s.scale[1], BE_TRAIN_TERM_COMPUTE), 0.1e-3);
    assert_near(be_train_beyond(&s.scale[0], &s.scale[1], BE_TRAIN_TERM_UPDATE), 0.25e-3);
    assert_near(be_train_beyond(&s.scale[0], &s.scale[2], BE_TRAIN_TERM_UPDATE), 0);
    assert_int_equal(be_train_holds_up(&s.scale[0], &s.scale[1]), BE_TRAIN_TERM_SUM);
}

static void assert_verdict(const struct be_train_scaling *scaling, const char *expected) {
    struct be_text text = {0};
    be_train_scaling_verdict(scaling, &text);
    assert_string_equal(text.data, expected);
    be_text_free(&text);
}

static void the_verdict_names_the_largest_part(void **state) {
    (void)state;
    struct be_train_scaling s = planted();
    assert_verdict(&s,
                   "2 devices train 1.50 times as fast as one with the same batch, from 455,111 "
                   "to 682,667 images a second: an efficiency of 75 %. Most of what is missing "
                   "to 2 times is the all-reduce of the gradients: 13.3 % of a step. With "
                   "batches of 8,192, so that each has as many images as one had, they are "
                   "1.80 times as fast.");
    s.scale[1].term_s[BE_TRAIN_TERM_AWAITED] = 3e-3;
    struct be_text text = {0};
    be_train_scaling_verdict(&s, &text);
    assert_non_null(strstr(text.data, "the first device's waiting for the others: 50.0 %"));
    be_text_free(&text);
    s.rounds = 0;
    assert_verdict(&s, "No round was completed: nothing is known.");
}

static void written(const struct be_train_scaling *s, enum be_format format, char got[4096]) {
    FILE *out = fmemopen(got, 4096, "w");
    assert_non_null(out);
    assert_int_equal(be_train_scaling_write(s, format, out, NULL), BE_OK);
    assert_int_equal(fclose(out), 0);
}

static void the_table_of_planted_times(void **state) {
    static char got[4096];
    (void)state;
    const struct be_train_scaling s = planted();
    written(&s, BE_TEXT, got);
    assert_non_null(strstr(
        got, "mnist: one step over the number of devices, median of 3 rounds, images there.\n"
             "  cuda:0, cuda:1: Planted GPU. Their gradients are added through NCCL 2.27.3,\n"
             "  and are off by 2e-07 from those of one.\n"
             "\n"
             "devices     batch      a step          least - most    images/s  times  effic.\n"
             "      1     4,096     9.00 ms    8.90 ms -  9.20 ms     455,111   1.00   100 %\n"
             "      2     4,096     6.00 ms    5.90 ms -  6.10 ms     682,667   1.50    75 %\n"
             "      2     8,192     10.0 ms    9.90 ms -  10.1 ms     819,200   1.80    90 %\n"
             "\n"
             "devices     batch     compute  all-reduce     awaited      update       other\n"
             "      1     4,096     8.00 ms         0 s         0 s      500 us      500 us\n"
             "      2     4,096     4.10 ms      800 us      100 us      500 us      500 us\n"));
    written(&s, BE_CSV, got);
    assert_non_null(strstr(got, "devices,batch,step_s,lo_s,hi_s,compute_s,all_reduce_s,awaited_s,"
                                "update_s,other_s\r\n1,4096,0.009,"));
    written(&s, BE_JSON, got);
    assert_non_null(strstr(got, "\"all_reduce_by\":\"NCCL 2.27.3\""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_held_against_their_share),
        cmocka_unit_test(the_verdict_names_the_largest_part),
        cmocka_unit_test(the_table_of_planted_times),
    };
    return cmocka_run_group_tests_name("training on several devices", tests, NULL, NULL);
}
