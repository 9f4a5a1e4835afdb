/* A net as its callers see it: steps, evaluation, schedules, bad input. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/random.h"
#include "host/team.h"
#include "nn/net.h"

enum { BATCH = 5, PIXELS = 3 * 32 * 32 };

static float images[BATCH * PIXELS];
static const uint8_t labels[BATCH] = {3, 0, 9, 9, 1};

static struct be_net *opened(const char *name, int threads) {
    const struct be_net_plan plan = {.name = name,
                                     .batch = BATCH,
                                     .threads = threads,
                                     .seed = 11,
                                     .rate = NAN,
                                     .momentum = NAN,
                                     .decay = NAN};
    struct be_net *net;
    assert_int_equal(be_net_open(&plan, &net, NULL), BE_OK);
    for (size_t i = 0; i < BE_COUNT(images); i++) {
        images[i] = 2 * be_random_float(5, i) - 1;
    }
    return net;
}

/* Untrained, the loss is about ln 10; on the same images it falls, and evaluation agrees with the next step. */
static void test_it_learns(void **state) {
    (void)state;
    struct be_net *net = opened("tfcnn", 2);
    struct be_net_step first;
    struct be_net_step seen;
    struct be_net_step step;
    assert_int_equal(be_net_step(net, images, labels, BATCH, &first, NULL), BE_OK);
    assert_true(fabs(first.loss - log(10)) < 0.2);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(be_net_evaluate(net, images, labels, BATCH, &seen, NULL), BE_OK);
        assert_true(seen.update_s == 0 && seen.backward_s == 0 && seen.forward_s > 0);
        assert_int_equal(be_net_step(net, images, labels, BATCH, &step, NULL), BE_OK);
        assert_true(step.loss == seen.loss && step.correct == seen.correct);
        assert_true(step.forward_s > 0 && step.backward_s > 0 && step.update_s > 0);
    }
    assert_true(step.loss < first.loss - 0.1);
    assert_int_equal(be_net_steps(net), 4);
    be_net_close(net);
}

static void weights_of(struct be_net *net, float *to) {
    struct be_net_tensor tensor;
    for (size_t i = 0; be_net_tensor(net, i, &tensor); i++) {
        memcpy(to, tensor.weight, tensor.count * sizeof *to);
        to += tensor.count;
    }
}

static void test_threads_change_nothing(void **state) {
    (void)state;
    const char *const names[] = {"lenet", "tfcnn"};
    for (size_t n = 0; n < BE_COUNT(names); n++) {
        const size_t bytes = be_net_kind_find(names[n])->parameters * sizeof(float);
        float *after[2] = {malloc(bytes), malloc(bytes)};
        struct be_net_step step[2];
        for (int k = 0; k < 2; k++) {
            struct be_net *net = opened(names[n], 1 + 2 * k);
            assert_int_equal(be_net_step(net, images, labels, BATCH, &step[k], NULL), BE_OK);
            assert_int_equal(be_net_step(net, images, labels, BATCH - 2, &step[k], NULL), BE_OK);
            weights_of(net, after[k]);
            be_net_close(net);
        }
        assert_true(step[0].loss == step[1].loss);
        assert_memory_equal(after[0], after[1], bytes);
        free(after[0]);
        free(after[1]);
    }
}

/* A pixel that is no number reaches the loss of every small net, and the weights stay as they were. */
static void test_nan_is_said(void **state) {
    (void)state;
    for (size_t n = 0; be_net_kind_at(n); n++) {
        struct be_error error = {0};
        struct be_net_step step;
        const size_t count = be_net_kind_at(n)->parameters;
        if (count > 2000000) { /* nets of residual blocks: test_nn_deep.c has small ones */
            continue;
        }
        struct be_net *net = opened(be_net_kind_at(n)->name, 1);
        float *weights[2] = {malloc(count * sizeof(float)), malloc(count * sizeof(float))};
        images[17] = NAN;
        weights_of(net, weights[0]);
        assert_int_equal(be_net_step(net, images, labels, 1, &step, &error), BE_WRONG);
        assert_non_null(strstr(error.text, "step 1 "));
        assert_int_equal(be_net_steps(net), 0);
        weights_of(net, weights[1]);
        assert_memory_equal(weights[0], weights[1], count * sizeof(float));
        assert_int_equal(be_net_evaluate(net, images, labels, 1, &step, NULL), BE_OK);
        assert_true(isnan(step.loss));
        be_net_close(net);
        free(weights[0]);
        free(weights[1]);
    }
}

static void refused(struct be_net_plan plan, const char *says) {
    struct be_error error = {0};
    struct be_net *net;
    assert_int_equal(be_net_open(&plan, &net, &error), BE_USAGE);
    assert_null(net);
    if (!strstr(error.text, says)) {
        fail_msg("'%s' does not say '%s'", error.text, says);
    }
}

static void test_bad_input(void **state) {
    (void)state;
    const struct be_net_plan own = {.name = "lenet", .rate = NAN, .momentum = NAN, .decay = NAN};
    struct be_net_plan plan = own;
    plan.name = "alexnet";
    refused(plan, "no net alexnet: lenet, mnist");
    plan = own;
    plan.rate = -1;
    refused(plan, "a learning rate of -1");
    plan = own;
    plan.momentum = 1;
    refused(plan, "a momentum of 1");
    plan = own;
    plan.decay = 0;
    refused(plan, "a decay of 0");

    struct be_error error = {0};
    struct be_net_step step;
    struct be_net *net = opened("lenet", 1);
    const uint8_t wrong[] = {3, 10};
    assert_int_equal(be_net_step(net, images, labels, 0, &step, &error), BE_USAGE);
    assert_int_equal(be_net_step(net, images, labels, BATCH + 1, &step, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "a batch of 6 images; it is made for 1 to 5"));
    assert_int_equal(be_net_step(net, images, wrong, 2, &step, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "image 1 of the batch has label 10"));
    be_net_close(net);
    be_net_close(NULL);
}

static void test_schedule(void **state) {
    (void)state;
    struct be_net *net = opened("mnist", 1);
    assert_true(be_net_rate(net) == 1);
    be_net_epoch_end(net);
    be_net_epoch_end(net);
    assert_true(fabs(be_net_rate(net) - 0.49) < 1e-12);
    assert_int_equal(be_net_epochs(net), 2);
    be_net_close(net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_learns),   cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_nan_is_said), cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_schedule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
