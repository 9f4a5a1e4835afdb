/* The plain reference of the nets: gradients against central differences in float64, known values, the optimisers'
 * rules, what is refused. */
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
#include "nn/dropout.h"
#include "nn/kinds.h"
#include "nn/plain.h"
#include "nn/update/update.h"

enum { IMAGES = 3, MOST = 4096 };

/* One layer of each kind where it matters, at odd sizes. The pool leaves out a row and a column. */
static const struct be_nn_net small[] = {
    {.kind = {.channels = 2, .height = 9, .width = 8},
     .layer = {{.kind = BE_NN_CONV, .name = "a", .outputs = 3, .size = 3, .relu = true},
               {.kind = BE_NN_POOL},
               {.kind = BE_NN_DENSE, .name = "b", .outputs = BE_NET_CLASSES}}},
    {.kind = {.channels = 3, .height = 11, .width = 10},
     .layer = {{.kind = BE_NN_CONV, .name = "a", .outputs = 3, .size = 5, .relu = true},
               {.kind = BE_NN_CONV, .name = "b", .outputs = 5, .size = 3, .relu = true},
               {.kind = BE_NN_POOL},
               {.kind = BE_NN_DROPOUT, .drop = 0.25F},
               {.kind = BE_NN_DENSE, .name = "c", .outputs = 7, .relu = true},
               {.kind = BE_NN_DROPOUT, .drop = 0.5F},
               {.kind = BE_NN_DENSE, .name = "d", .outputs = BE_NET_CLASSES}}},
    /* both kinds of blocks; odd sides; in the last stage a spot an image, so that three numbers make a variance */
    {.kind = {.channels = 1, .height = 11, .width = 13}, .blocks = {{1, 1, 1}, 2, false}},
    {.kind = {.channels = 2, .height = 13, .width = 11}, .blocks = {{2, 1}, 2, true}},
};

static double weights[MOST], gradients[MOST], images[MOST], *scratch;
static const uint8_t labels[IMAGES] = {3, 0, 9};

static double loss_of(const struct be_nn_shape *shape, bool training) {
    static double thrown_away[MOST];
    static float statistics[MOST], seen[MOST];
    struct be_net_step step;
    const struct be_clock clock = be_clock_host();
    const struct be_nn_pass pass = {.shape = shape,
                                    .labels = labels,
                                    .count = IMAGES,
                                    .training = training,
                                    .statistics = statistics,
                                    .seen = seen,
                                    .seed = 7,
                                    .step = 2,
                                    .clock = &clock,
                                    .result = &step};
    be_nn_plain64(&pass, weights, images, thrown_away, scratch);
    memcpy(gradients, thrown_away, sizeof gradients);
    return step.loss;
}

static void fill(double *to, size_t count, uint64_t seed) {
    assert_in_range(count, 1, MOST);
    for (size_t i = 0; i < count; i++) {
        to[i] = (double)be_random_float(seed, i) - 0.5;
    }
}

/* A step so small that no maximum and no ReLU changes sides, in float64. */
static void test_gradients_are_slopes(void **state) {
    (void)state;
    const double step = 1e-6;
    for (size_t n = 0; n < BE_COUNT(small); n++) {
        struct be_nn_shape shape;
        be_nn_shape_find(&small[n], &shape);
        scratch = calloc(be_nn_plain_numbers(&shape, IMAGES), sizeof *scratch);
        fill(weights, shape.parameters, n + 1);
        fill(images, IMAGES * shape.pixels, n + 9);
        loss_of(&shape, true);
        double gradient[MOST];
        memcpy(gradient, gradients, sizeof gradient);
        double squares = 0;
        for (size_t i = 0; i < shape.parameters; i += shape.deep ? 7 : 1) {
            const double was = weights[i];
            weights[i] = was + step;
            const double above = loss_of(&shape, true);
            weights[i] = was - step;
            const double slope = (above - loss_of(&shape, true)) / (2 * step);
            weights[i] = was;
            assert_true(fabs(slope - gradient[i]) < 1e-8 + 1e-6 * fabs(slope));
            squares += slope * slope;
        }
        assert_true(squares > 0.01); /* they are not all zero */
        free(scratch);
    }
}

/* The known answer of Random123 for zeros, and evaluation, which drops nothing. */
static void test_dropout(void **state) {
    (void)state;
    static const uint32_t known[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    uint32_t word[4];
    be_nn_philox(0, 0, 0, 0, 0, word);
    assert_memory_equal(word, known, sizeof known);
    struct be_nn_shape shape;
    be_nn_shape_find(&small[1], &shape);
    scratch = calloc(be_nn_plain_numbers(&shape, IMAGES), sizeof *scratch);
    fill(weights, shape.parameters, 1);
    fill(images, IMAGES * shape.pixels, 2);
    const double kept = loss_of(&shape, false);
    assert_true(loss_of(&shape, true) != kept);
    for (int i = 0; i < shape.layers; i++) {
        shape.place[i].layer.drop = 0;
    }
    assert_true(loss_of(&shape, true) == kept);
    free(scratch);
}

static void test_shapes(void **state) {
    (void)state;
    for (size_t i = 0; be_net_kind_at(i); i++) {
        const struct be_net_kind *kind = be_net_kind_at(i);
        struct be_nn_shape shape;
        be_nn_shape_find(be_nn_net_find(kind->name), &shape);
        assert_int_equal(shape.parameters, kind->parameters);
        assert_int_equal(shape.place[shape.layers - 1].out, BE_NET_CLASSES);
        assert_int_equal(shape.pixels, kind->channels * kind->height * kind->width);
    }
    assert_null(be_net_kind_find("alexnet"));
}

/* One number with gradient 2, two steps, by hand. */
static void test_rules(void **state) {
    (void)state;
    static const struct {
        struct be_nn_rule rule;
        float after[2];
    } cases[] = {
        {{BE_NN_SGD, .rate = 0.1}, {0.8F, 0.6F}},
        {{BE_NN_SGD, .rate = 0.1, .momentum = 0.5}, {0.8F, 0.5F}},
        /* 1 - 0.1 (2 + 0.5 x 1) = 0.75; 0.75 - 0.1 (0.5 x 2.5 + 2 + 0.5 x 0.75) = 0.3875 */
        {{BE_NN_SGD, .rate = 0.1, .momentum = 0.5, .weight_decay = 0.5}, {0.75F, 0.3875F}},
        /* s = 0.4, d = 2 sqrt(1e-6 / (0.4 + 1e-6)) = 0.00316227; s = 0.76, u = 1e-6 d as below */
        {{BE_NN_ADADELTA, .rate = 1, .momentum = 0.9, .epsilon = 1e-6}, {0.99683773F, 0.99359330F}},
        /* m / sqrt(v), each without its bias, is 1 */
        {{BE_NN_ADAM, .rate = 0.1, .momentum = 0.9, .second = 0.999, .epsilon = 1e-8},
         {0.9F, 0.8F}},
    };
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        float weight[BE_NN_UPDATE_GRAIN];
        float gradient[BE_NN_UPDATE_GRAIN];
        float history[BE_NN_STATES][BE_NN_UPDATE_GRAIN] = {{0}};
        for (int k = 0; k < BE_NN_UPDATE_GRAIN; k++) {
            weight[k] = 1;
            gradient[k] = 2;
        }
        struct be_nn_update update = {.rule = &cases[i].rule,
                                      .rate = cases[i].rule.rate,
                                      .weights = weight,
                                      .gradients = gradient};
        for (int s = 0; s < be_nn_states(&cases[i].rule); s++) {
            update.state[s] = history[s];
        }
        for (int t = 0; t < 2; t++) {
            update.step = (uint64_t)t + 1;
            be_nn_update(&update, 0, BE_NN_UPDATE_GRAIN);
            for (int k = 0; k < BE_NN_UPDATE_GRAIN; k++) {
                assert_true(fabsf(weight[k] - cases[i].after[t]) < 2e-6F);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradients_are_slopes),
        cmocka_unit_test(test_dropout),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
