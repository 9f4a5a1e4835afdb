/* A training run: what is foretold from rates, what is said of planted numbers, and the same losses whatever loads. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "base/error.h"
#include "report/train/compare.h"
#include "report/train/train.h"
#include "temp_file.h"

/* ---- foretelling ---------------------------------------------------------------------------- */

/* A step of 64 ms for 64 images, which one worker decodes in 192 ms. */
static const struct be_train_rates slow_images = {
    .cores = 16, .threads = 1, .batch = 64, .step_s = 0.064, .compute_s = 0.003};

static void without_workers_all_loading_is_waiting(void **state) {
    (void)state;
    const struct be_train_foretold foretold = be_train_foretell(&slow_images, 0);
    assert_near(foretold.wait_s, 0.192);
    assert_near(foretold.wait_share, 0.75);
    assert_near(foretold.images_per_s, 250);
}

static void the_slower_of_both_rates_decides(void **state) {
    (void)state;
    struct be_train_foretold foretold = be_train_foretell(&slow_images, 2);
    assert_near(foretold.wait_share, 1.0 / 3); /* 96 ms a batch, 64 of them beside the net */
    assert_near(foretold.step_s, 0.064);
    foretold = be_train_foretell(&slow_images, 4);
    assert_near(foretold.wait_s, 0);
    assert_near(foretold.images_per_s, 1000);
    assert_true(be_train_fewest_workers(&slow_images, &foretold));
    assert_int_equal(foretold.workers, 3);
}

/* A public report: 3 steps a second with 2 workers, 13 with 8. Rates in proportion are 12. */
static void workers_that_decide_are_in_proportion(void **state) {
    (void)state;
    const struct be_train_rates rates = {
        .cores = 16, .threads = 1, .batch = 1, .step_s = 0.02, .compute_s = 2.0 / 3};
    assert_near(be_train_foretell(&rates, 2).images_per_s, 3);
    assert_near(be_train_foretell(&rates, 8).images_per_s, 12);
}

/* Two threads of the net and one worker on two cores: no core is idle, and none does more than it can. */
static void shared_cores_are_busy_and_no_busier(void **state) {
    (void)state;
    const struct be_train_rates rates = {
        .cores = 2, .threads = 2, .batch = 10, .step_s = 0.1, .compute_s = 0.005};
    struct be_train_foretold foretold = be_train_foretell(&rates, 1);
    assert_near(foretold.wait_s, 0);
    assert_near(2 * foretold.step_s, 2 * 0.1 + 10 * 0.005);
    struct be_train_rates slow = rates;
    slow.compute_s = 0.1; /* 1 s a batch */
    foretold = be_train_foretell(&slow, 2);
    assert_near(2 * (foretold.step_s + foretold.wait_s), 2 * 0.1 + 10 * 0.1);
    assert_near(be_train_step_alone(&slow, 2, foretold.step_s), 0.1);
    assert_near(be_train_step_alone(&rates, 1, be_train_foretell(&rates, 1).step_s), 0.1);
}

static void waiting_for_a_disk_needs_no_core(void **state) {
    (void)state;
    const struct be_train_rates rates = {
        .cores = 1, .threads = 1, .batch = 10, .step_s = 0.01, .blocked_s = 0.01};
    const struct be_train_foretold foretold = be_train_foretell(&rates, 5);
    assert_near(foretold.step_s, 0.01);
    assert_near(foretold.wait_s, 0.01);
    struct be_train_foretold fewest;
    assert_true(be_train_fewest_workers(&rates, &fewest));
    assert_int_equal(fewest.workers, 10);
}

/* Four workers would hide the waiting, in steps so slow that two train as fast. */
static void more_workers_than_cores_are_not_advised(void **state) {
    (void)state;
    struct be_train_rates rates = {
        .cores = 2, .threads = 1, .batch = 32, .step_s = 1.25e-3, .compute_s = 1e-4};
    struct be_train_foretold fewest;
    assert_true(be_train_fewest_workers(&rates, &fewest));
    const struct be_train_foretold advised = be_train_advised(&rates);
    assert_true(advised.workers < fewest.workers);
    assert_true(advised.images_per_s > 0.99 * fewest.images_per_s);
    rates.cores = 16; /* with cores for all, both are the same number */
    assert_true(be_train_fewest_workers(&rates, &fewest));
    assert_int_equal(be_train_advised(&rates).workers, fewest.workers);
}

static void where_no_number_suffices_the_fastest_is_named(void **state) {
    (void)state;
    const struct be_train_rates rates = {
        .cores = 4, .threads = 1, .batch = 1000, .step_s = 1e-6, .blocked_s = 1};
    struct be_train_foretold fewest;
    assert_false(be_train_fewest_workers(&rates, &fewest));
    assert_int_equal(fewest.workers, 254); /* 256 are a hundredth faster at most */
}

/* ---- words ---------------------------------------------------------------------------------- */

static struct be_train_epoch planted_epoch[] = {
    {.number = 1,
     .images = 60000,
     .loss = 0.23104,
     .accuracy = 0.92917,
     .test_loss = 0.051,
     .test_accuracy = 0.9832,
     .seconds = 100,
     .images_per_s = 600},
    {.number = 2,
     .images = 6400,
     .loss = 0.0875,
     .accuracy = 0.974,
     .test_loss = NAN,
     .test_accuracy = NAN,
     .seconds = 10.67,
     .images_per_s = 599.8},
};

static struct be_train_result planted(void) {
    struct be_train_result result = {
        .net = "mnist",
        .data = "MNIST",
        .cpu = "Planted CPU",
        .folder = "/data",
        .checkpoint = "half.safetensors",
        .images = 60000,
        .test_images = 10000,
        .parameters = 1199882,
        .batch = 64,
        .seed = 1,
        .steps = 1038,
        .workers = 1,
        .prefetch = 2,
        .threads = 1,
        .cores = 8,
        .partial = true,
        .epoch = planted_epoch,
        .epochs = 2,
        .images_per_s = 600,
        .steady_per_s = 600,
        .part_s = {90, 8, 0.07, 9, 0, 3, 0.6},
        .train_s = 110.67,
        .test_s = 4.5,
        .open_s = 0.08,
        .read_s = 2e-6,
        .decode_s = 1.6e-3,
        .rates = {.cores = 8, .threads = 1, .batch = 64, .step_s = 0.02, .compute_s = 1.6e-3},
    };
    result.now = be_train_foretell(&result.rates, 1);
    result.fastest = be_train_fastest(&result.rates);
    result.suffices = be_train_fewest_workers(&result.rates, &result.fewest);
    result.advised = be_train_advised(&result.rates);
    return result;
}

static void assert_written(const struct be_train_result *result, enum be_format format,
                           const char *expected) {
    static char got[8192];
    struct be_error error = {0};
    FILE *out = fmemopen(got, sizeof got, "w");
    assert_non_null(out);
    assert_int_equal(be_train_write(result, format, out, &error), BE_OK);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(got, expected);
}

static void the_table_of_planted_numbers(void **state) {
    (void)state;
    const struct be_train_result result = planted();
    assert_written(
        &result, BE_TEXT,
        "mnist: 60,000 images of MNIST in /data, batches of 64. The net has 1 of 8 cores;\n"
        "  1 worker loads up to 2 batches ahead, from disk. CPU: Planted CPU.\n"
        "\n"
        "epoch    images     loss  accuracy   test loss  test acc.        time images/s\n"
        "    1    60,000   0.2310   92.92 %      0.0510    98.32 %       100 s      600\n"
        "    2     6,400   0.0875   97.40 %           -          -      10.7 s      600\n"
        "\n"
        "where the time went                    time     share\n"
        "  waiting for images                  90.0 s    81.3 %\n"
        "  forward                             8.00 s     7.2 %\n"
        "  loss                               70.0 ms     0.1 %\n"
        "  backward                            9.00 s     8.1 %\n"
        "  update                              3.00 s     2.7 %\n"
        "  other                               600 ms     0.5 %\n"
        "  training                             111 s   100.0 %\n"
        "  test images                         4.50 s\n"
        "  reading and checking the files     80.0 ms\n"
        "\n"
        "An image takes 2.00 us to read and 1.60 ms to decode; the net takes 20.0 ms a\n"
        "step without waiting.\n"
        "81.3 % of the time the net waited for images. Foretold: 5 workers would take it\n"
        "to 2.3 %, and training from 600 to 3,125 images a second.\n"
        "Ended before all epochs were trained.\n"
        "Checkpoint: half.safetensors\n");
}

/* Two minutes, 18 s of which the gradients of two devices were added, and for 6 s the first waited for the other. */
static void several_devices_have_a_row_and_a_sentence(void **state) {
    static char got[8192];
    (void)state;
    struct be_train_result result = planted();
    be_copy_text(result.device, sizeof result.device, "cuda:0, cuda:1: Planted GPU");
    be_copy_text(result.sums, sizeof result.sums, "NCCL 2.27.3");
    result.devices = 2;
    result.there = true;
    result.train_s = 120;
    result.part_s[BE_TRAIN_SUM] = 24;
    result.sum_least_s = 18;
    FILE *out = fmemopen(got, sizeof got, "w");
    assert_non_null(out);
    assert_int_equal(be_train_write(&result, BE_TEXT, out, NULL), BE_OK);
    assert_int_equal(fclose(out), 0);
    assert_non_null(
        strstr(got, "2 devices share each\n"
                    "  batch: cuda:0, cuda:1: Planted GPU. Their gradients are added through NCCL\n"
                    "  2.27.3; its images are there, too, as bytes. CPU: Planted CPU.\n"));
    assert_non_null(strstr(got, "  all-reduce of the gradients         24.0 s    20.0 %\n"));
    assert_non_null(strstr(
        got, "The all-reduce took\n"
             "15.0 % of the time, and in 5.0 % the first device waited for the others: without\n"
             "both, 2 devices would train at most 1.25 times as fast.\n"));
}

static void a_row_an_epoch_as_csv(void **state) {
    (void)state;
    const struct be_train_result result = planted();
    assert_written(&result, BE_CSV,
                   "epoch,images,loss,accuracy,test_loss,test_accuracy,seconds,images_per_s\r\n"
                   "1,60000,0.23104,0.92917,0.051,0.9832,100,600\r\n"
                   "2,6400,0.0875,0.974,,,10.67,599.8\r\n");
}

static void assert_finding(const struct be_train_result *result, const char *expected) {
    struct be_text text = {0};
    be_train_finding(result, &text);
    assert_string_equal(text.data, expected);
    be_text_free(&text);
}

static void findings_follow_from_the_numbers(void **state) {
    (void)state;
    struct be_train_result result = planted();
    result.part_s[BE_TRAIN_WAIT] = 1;
    result.workers = 8;
    assert_finding(&result,
                   "0.9 % of the time the net waited for images: images do not hold it up. "
                   "Foretold: with 5 workers it would wait for 2.3 %.");
    result.part_s[BE_TRAIN_WAIT] = 60;
    result.workers = 0;
    result.rates.cores = 2;
    result.rates.threads = 2;
    result.suffices = be_train_fewest_workers(&result.rates, &result.fewest);
    result.fastest = be_train_fastest(&result.rates);
    result.advised = be_train_advised(&result.rates);
    assert_int_equal(result.advised.workers, 2);
    assert_finding(&result,
                   "54.2 % of the time the net waited for images. Foretold: 2 workers "
                   "would take it to 43.8 %, and training from 600 to 899 images a second. "
                   "Net and workers share 2 cores: more workers would train no faster, "
                   "more cores (up to 7.1) would.");
    result.steady_per_s = 600;
    result.now.images_per_s = 3000;
    result.part_s[BE_TRAIN_WAIT] = 1;
    result.workers = 1;
    assert_finding(&result, "0.9 % of the time the net waited for images: images do not hold it "
                            "up. Foretold likewise, this "
                            "run would have trained on 3,000 images a second. Other programs may "
                            "have had a part of its cores; then the forecast is wrong, too.");
    result.steady_per_s = NAN;
    result.part_s[BE_TRAIN_OTHER] = 0.4 * result.train_s; /* most of a step is its copy */
    result.device[0] = '\0';
    assert_finding(&result,
                   "0.9 % of the time the net waited for images: images do not hold it up.");
    be_copy_text(result.device, sizeof result.device, "cuda:0, NVIDIA H200");
    assert_finding(&result,
                   "0.9 % of the time the net waited for images: images do not hold it up. Copying "
                   "images to the device, and what else the host did, took 40.0 %: --keep=device "
                   "copies them once, where they fit there.");
    result.steps = 0;
    assert_finding(&result, "Too few steps for a finding.");
}

/* Four ways, planted: a second core helps, images in memory do not. */
static struct be_train_comparison planted_ways(void) {
    return (struct be_train_comparison){.net = "lenet",
                                        .data = "CIFAR-10",
                                        .cpu = "Planted CPU",
                                        .images = 50000,
                                        .batch = 32,
                                        .seed = 1,
                                        .prefetch = 2,
                                        .cores = 2,
                                        .rounds = 3,
                                        .partial = true,
                                        .ways = 4,
                                        .way = {
                                            {1, 0, false, 9155.4, 8321, 12006, 0.064, NAN, 4e-6, 0},
                                            {1, 1, true, 11314, 9477, 20864, 0.322, 25226, 2e-6, 0},
                                            {2, 0, false, 19388, 18000, 19824, 0.01, NAN, 4e-6, 0},
                                            {2, 4, true, NAN, NAN, NAN, NAN, NAN, NAN, NAN},
                                        }};
}

static void the_table_of_planted_ways(void **state) {
    static char got[4096];
    (void)state;
    const struct be_train_comparison comparison = planted_ways();
    FILE *out = fmemopen(got, sizeof got, "w");
    assert_non_null(out);
    assert_int_equal(be_train_compare_write(&comparison, BE_TEXT, out, NULL), BE_OK);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(
        got, "lenet: 50,000 images of CIFAR-10, made from the seed, batches of 32, up to\n"
             "  2 ahead; 3 rounds. CPU: Planted CPU.\n"
             "\n"
             "threads  images workers   images/s               range  waiting   foretold\n"
             "      1  disk         0      9,155      8,321 - 12,006    6.4 %          -\n"
             "      1  memory       1     11,314      9,477 - 20,864   32.2 %     25,226\n"
             "      2  disk         0     19,388     18,000 - 19,824    1.0 %          -\n"
             "      2  memory       4          -                   -        -          -\n"
             "\n"
             "  range     smallest and largest of the rounds\n"
             "  foretold  images/s, from the row above without workers\n"
             "\n"
             "Fastest: 2 threads, no workers, images on disk: 19,388 images a second,\n"
             "1.71 times the best of one thread. Images in memory are no faster than on disk:\n"
             "the ranges meet. Is it worth a GPU? None was measured here. All 2 cores together\n"
             "load 500,000 images a second, so with a GPU it is at most 26 times as fast:\n"
             "beyond that it waits for its images.\n"
             "Ended before all rounds were done.\n");
}

/* ---- training ------------------------------------------------------------------------------- */

static struct be_train_plan small(int workers) {
    return (struct be_train_plan){.net = "lenet",
                                  .memory = workers % 2 == 0,
                                  .images = 20,
                                  .test_images = 5,
                                  .epochs = 2,
                                  .batch = 8,
                                  .workers = workers,
                                  .prefetch = 2,
                                  .threads = 1,
                                  .seed = 3};
}

static struct be_train_result trained(const struct be_train_plan *plan) {
    struct be_error error = {0};
    struct be_train_result result;
    if (be_train(plan, &result, &error) != BE_OK) {
        fail_msg("%s", error.text);
    }
    return result;
}

static void losses_are_the_same_whatever_the_workers(void **state) {
    (void)state;
    struct be_train_plan plan = small(0);
    struct be_train_result first = trained(&plan);
    assert_int_equal(first.epochs, 2);
    assert_int_equal(first.steps, 6);
    assert_int_equal(first.epoch[1].images, 20);
    assert_true(isfinite(first.epoch[1].test_loss) && first.epoch[0].loss != first.epoch[1].loss);
    plan = small(3);
    struct be_train_result second = trained(&plan);
    for (size_t i = 0; i < 2; i++) {
        assert_true(first.epoch[i].loss == second.epoch[i].loss);
        assert_true(first.epoch[i].test_loss == second.epoch[i].test_loss);
    }
    be_train_free(&first);
    be_train_free(&second);
}

/* The parts are all of the time: none is counted twice, and none is left out. */
static void parts_add_up(void **state) {
    (void)state;
    struct be_train_plan plan = small(1);
    plan.decode_s = 1e-4;
    struct be_train_result result = trained(&plan);
    double sum_s = 0;
    for (int part = 0; part < BE_TRAIN_PARTS; part++) {
        assert_true(result.part_s[part] >= 0);
        sum_s += result.part_s[part];
    }
    assert_near(sum_s, result.train_s);
    assert_true(result.decode_s >= 1e-4);
    be_train_free(&result);
}

static bool after_two_steps(void *context) {
    return ++*(int *)context == 2;
}

static void a_run_that_is_stopped_has_what_it_measured(void **state) {
    (void)state;
    int asked = 0;
    struct be_train_plan plan = small(1);
    plan.cancelled = after_two_steps;
    plan.context = &asked;
    struct be_train_result result = trained(&plan);
    assert_true(result.partial);
    assert_int_equal(result.epochs, 1);
    assert_int_equal(result.epoch[0].images, 16);
    assert_true(isnan(result.epoch[0].test_loss));
    be_train_free(&result);
}

/* Two steps of three, a checkpoint, and the rest: the losses of a run that was never ended. */
static void a_run_goes_on_where_it_was_stopped(void **state) {
    (void)state;
    int asked = 0;
    struct be_train_plan plan = small(1);
    struct be_train_result whole = trained(&plan);
    plan.cancelled = after_two_steps;
    plan.context = &asked;
    plan.save = path;
    struct be_train_result cut = trained(&plan);
    assert_string_equal(cut.checkpoint, path);
    plan.cancelled = NULL;
    plan.save = NULL;
    plan.resume = path;
    plan.seed = 77; /* that of the checkpoint counts */
    plan.workers = 2;
    plan.folder = NULL;
    struct be_error error = {0};
    struct be_train_result rest;
    assert_int_equal(be_train(&plan, &rest, &error), BE_USAGE); /* other images */
    assert_non_null(strstr(error.text, "made from seed 3"));
    be_train_free(&rest);
    plan.seed = 3;
    rest = trained(&plan);
    assert_int_equal(rest.epoch[0].images, 4);
    assert_true(rest.epoch[1].loss == whole.epoch[1].loss);
    assert_true(rest.epoch[1].test_loss == whole.epoch[1].test_loss);
    be_train_free(&whole);
    be_train_free(&cut);
    be_train_free(&rest);
}

static void remember(void *context, const char *text) {
    *(int *)context += strstr(text, "no_such_folder") != NULL;
}

static void a_checkpoint_that_cannot_be_written_ends_no_training(void **state) {
    (void)state;
    int remarks = 0;
    struct be_train_plan plan = small(1);
    plan.save = "/tmp/breakeven_no_such_folder/x";
    plan.remark = remember;
    plan.context = &remarks;
    struct be_train_result result = trained(&plan);
    assert_int_equal(result.epochs, 2);
    assert_int_equal(remarks, 2);
    assert_int_equal(result.unsaved.status, BE_IO);
    assert_string_equal(result.checkpoint, "");
    be_train_free(&result);
}

static void nets_that_are_not_there_are_refused(void **state) {
    (void)state;
    struct be_train_plan plan = small(0);
    struct be_train_result result;
    struct be_error error = {0};
    plan.net = "lemon";
    assert_int_equal(be_train(&plan, &result, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "lenet"));
    be_train_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_workers_all_loading_is_waiting),
        cmocka_unit_test(the_slower_of_both_rates_decides),
        cmocka_unit_test(workers_that_decide_are_in_proportion),
        cmocka_unit_test(shared_cores_are_busy_and_no_busier),
        cmocka_unit_test(waiting_for_a_disk_needs_no_core),
        cmocka_unit_test(more_workers_than_cores_are_not_advised),
        cmocka_unit_test(where_no_number_suffices_the_fastest_is_named),
        cmocka_unit_test(the_table_of_planted_numbers),
        cmocka_unit_test(several_devices_have_a_row_and_a_sentence),
        cmocka_unit_test(a_row_an_epoch_as_csv),
        cmocka_unit_test(findings_follow_from_the_numbers),
        cmocka_unit_test(the_table_of_planted_ways),
        cmocka_unit_test(losses_are_the_same_whatever_the_workers),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(a_run_that_is_stopped_has_what_it_measured),
        cmocka_unit_test_setup_teardown(a_run_goes_on_where_it_was_stopped, make_file, remove_file),
        cmocka_unit_test(a_checkpoint_that_cannot_be_written_ends_no_training),
        cmocka_unit_test(nets_that_are_not_there_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
