/* Nets of residual blocks: the pass in vectors and threads against the plain one, in every instruction set here; that
 * threads change no bit; running statistics, files, and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/random.h"
#include "nn/deep/deep.h"
#include "nn/deep/slots.h"
#include "nn/kinds.h"
#include "nn/plain.h"
#include "nn/state.h"
#include "simd_sets.h"
#include "team.h"

enum { MOST = 21 };

/* Odd sides, few channels; identity and convolution as shortcuts, with stride and without. */
static const struct be_nn_net small[] = {
    {.kind = {.name = "a", .channels = 3, .height = 19, .width = 17},
     .rule = {BE_NN_SGD, .rate = 0.05, .momentum = 0.9, .decay = 1, .weight_decay = 1e-3},
     .blocks = {{2, 1}, 3, true}},
    {.kind = {.name = "b", .channels = 1, .height = 17, .width = 22},
     .rule = {BE_NN_SGD, .rate = 0.05, .momentum = 0.9, .decay = 1},
     .blocks = {{1, 2}, 5, false}},
};

static float images[MOST * 3 * 19 * 17];
static uint8_t labels[MOST];

static void fill(float *to, size_t count, uint64_t seed) {
    for (size_t i = 0; i < count; i++) {
        to[i] = be_random_float(seed, i) - 0.5F;
    }
}

static int make_images(void **state) {
    (void)state;
    fill(images, BE_COUNT(images), 3);
    for (size_t i = 0; i < MOST; i++) {
        labels[i] = (uint8_t)(be_random_bits(5, i) % BE_NET_CLASSES);
    }
    return 0;
}

static float *numbers(size_t count, uint64_t seed) {
    float *made = malloc(count * sizeof *made);
    assert_non_null(made);
    fill(made, count, seed);
    return made;
}

static void assert_close_to(const float *a, const float *b, size_t count, double share) {
    double squares = 0;
    double off = 0;
    for (size_t i = 0; i < count; i++) {
        squares += (double)b[i] * (double)b[i];
        off += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    }
    assert_true(squares > 0);
    assert_true(sqrt(off / squares) < share);
}

/* Gradients go through batch norms, which amplify roundings: 1e-4. */
static void same_as_plain(const struct be_nn_net *net, const struct be_nn_row_code *code,
                          struct be_team *team, size_t count) {
    struct be_nn_shape shape;
    struct be_nn_deep *deep;
    struct be_net_step step[2];
    const struct be_clock clock = be_clock_host();
    be_nn_shape_find(net, &shape);
    float *weights = numbers(shape.parameters, 7);
    float *scratch = numbers(be_nn_plain_numbers(&shape, count), 1);
    float *gradients[] = {numbers(shape.parameters, 1), numbers(shape.parameters, 2)};
    float *seen[] = {numbers(shape.statistics, 1), numbers(shape.statistics, 2)};
    float *running = numbers(shape.statistics, 11);
    for (size_t i = 0; i < shape.statistics; i++) {
        running[i] += 0.75F; /* variances are above 0 */
    }
    assert_int_equal(be_nn_deep_open(&shape, MOST, team, code, &deep, NULL), BE_OK);
    for (int training = 1; training >= 0; training--) {
        struct be_nn_pass pass = {.shape = &shape,
                                  .weights = weights,
                                  .images = images,
                                  .labels = labels,
                                  .count = count,
                                  .training = training,
                                  .statistics = running,
                                  .clock = &clock};
        for (int fast = 0; fast < 2; fast++) {
            pass.gradients = gradients[fast];
            pass.seen = seen[fast];
            pass.result = &step[fast];
            if (fast) {
                be_nn_deep_pass(deep, &pass);
            } else {
                be_nn_plain32(&pass, scratch);
            }
        }
        assert_true(fabs(step[1].loss - step[0].loss) < 1e-5 * step[0].loss);
        assert_int_equal(step[1].correct, step[0].correct);
        assert_close_to(gradients[1], gradients[0], shape.parameters, 1e-4);
        assert_close_to(seen[1], seen[0], shape.statistics, 1e-5);
    }
    be_nn_deep_close(deep);
    free(running);
    free(seen[1]);
    free(seen[0]);
    free(gradients[1]);
    free(gradients[0]);
    free(scratch);
    free(weights);
}

static void test_same_as_plain(void **state) {
    (void)state;
    static const struct be_nn_row_code *const each[] = EACH(&be_nn_row_code);
    for (size_t n = 0; n < BE_COUNT(small); n++) {
        for (int set = 0; set < sets_here(); set++) {
            struct be_team *team = open_team(1 + set % 2);
            same_as_plain(&small[n], each[set], team, set == BE_SIMD_PLAIN ? 3 : MOST);
            be_team_close(team);
        }
    }
}

/* No gradient is overwritten while it is needed: a deep net needs as much memory for them as a flat one. */
static void test_slots(void **state) {
    (void)state;
    static const char *const name[] = {"resnet18", "resnet50", "resnet152"};
    for (size_t i = 0; i < BE_COUNT(name); i++) {
        struct be_nn_shape shape;
        struct be_nn_slots slots;
        be_nn_shape_find(be_nn_net_find(name[i]), &shape);
        be_nn_slots_find(&shape, &slots);
        assert_in_range(slots.slots, 3, BE_NN_SLOTS_MAX - 1);
        for (int k = 0; k < shape.layers; k++) {
            const struct be_nn_place *p = &shape.place[k];
            assert_true(p->input < 0 || slots.of[p->input] != slots.of[k]);
            assert_true(p->add < 0 || slots.of[p->add] != slots.of[k]);
        }
        assert_true(slots.begins[shape.layers - 1]);
    }
}

static struct be_net *opened(const struct be_nn_net *of, int threads, enum be_net_code code) {
    const struct be_net_plan plan = {.name = of->kind.name,
                                     .batch = MOST,
                                     .threads = threads,
                                     .seed = 4,
                                     .rate = NAN,
                                     .momentum = NAN,
                                     .decay = NAN,
                                     .code = code};
    struct be_net *net;
    assert_int_equal(be_nn_open(&plan, of, &net, NULL), BE_OK);
    return net;
}

static double loss_of(struct be_net *net, size_t count) {
    struct be_net_step step;
    assert_int_equal(be_net_step(net, images, labels, count, &step, NULL), BE_OK);
    return step.loss;
}

static void assert_same_tensors(struct be_net *a, struct be_net *b) {
    struct be_net_tensor one, other;
    for (size_t i = 0; be_net_tensor(a, i, &one); i++) {
        assert_true(be_net_tensor(b, i, &other));
        assert_string_equal(one.name, other.name);
        assert_memory_equal(one.weight, other.weight, one.count * sizeof(float));
    }
}

/* Threads change no bit; the loss falls; running statistics are a tenth of a batch's after one step. */
static void test_training(void **state) {
    (void)state;
    struct be_net *net[] = {opened(&small[0], 1, BE_NET_FASTEST),
                            opened(&small[0], 2, BE_NET_FASTEST)};
    struct be_net_tensor tensor;
    const double first = loss_of(net[0], MOST);
    double last = first;
    assert_true(loss_of(net[1], MOST) == first);
    assert_int_equal(be_net_tensors(net[0]), 5 * 12 + 2);
    for (size_t i = 0; be_net_tensor(net[0], i, &tensor); i++) {
        if (strcmp(tensor.name, "bn1.running_var") == 0) {
            assert_true(fabsf(tensor.weight[0] - (0.9F + 0.1F * net[0]->seen[3])) < 1e-6F);
        }
        assert_int_equal(tensor.gradient == NULL, strstr(tensor.name, "running") != NULL);
    }
    for (int i = 0; i < 25; i++) {
        last = loss_of(net[0], MOST);
        assert_true(loss_of(net[1], MOST) == last);
    }
    assert_same_tensors(net[0], net[1]);
    assert_true(last < 0.8 * first);
    be_net_close(net[1]);
    be_net_close(net[0]);
}

/* A checkpoint has the running statistics: it continues to the same bit, and evaluates alike. */
static void test_resume(void **state) {
    (void)state;
    char path[] = "/tmp/be-deep-XXXXXX";
    struct be_net *net = opened(&small[1], 1, BE_NET_FASTEST);
    struct be_net *other = opened(&small[1], 2, BE_NET_FASTEST);
    struct be_net_step step[2];
    char note[BE_NOTE];
    bool resumed;
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    loss_of(net, MOST);
    loss_of(net, 7);
    assert_int_equal(be_net_save(net, path, BE_NET_CHECKPOINT, NULL, NULL), BE_OK);
    assert_int_equal(be_net_load(other, path, &resumed, note, NULL), BE_OK);
    assert_true(resumed);
    assert_int_equal(be_net_evaluate(net, images, labels, 5, &step[0], NULL), BE_OK);
    assert_int_equal(be_net_evaluate(other, images, labels, 5, &step[1], NULL), BE_OK);
    assert_true(step[0].loss == step[1].loss);
    assert_true(loss_of(net, MOST) == loss_of(other, MOST));
    assert_same_tensors(net, other);
    be_net_close(other);
    be_net_close(net);
    unlink(path);
}

/* A loss that is no number updates nothing, running statistics included; one number has no variance. */
static void test_refused(void **state) {
    (void)state;
    static const struct be_nn_net one_spot = {
        .kind = {.name = "c", .channels = 1, .height = 7, .width = 7},
        .rule = {BE_NN_SGD, .rate = 0.1, .decay = 1},
        .blocks = {{1, 1}, 2, false}};
    struct be_net *net = opened(&one_spot, 1, BE_NET_PLAIN);
    struct be_net_step step;
    struct be_error error = {0};
    const float was = images[3];
    const float variance = net->statistics[2];
    images[3] = NAN;
    assert_int_equal(be_net_step(net, images, labels, 3, &step, &error), BE_WRONG);
    assert_true(net->statistics[2] == variance);
    images[3] = was;
    assert_int_equal(be_net_step(net, images, labels, 1, &step, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "batch of 1 image: a single one has no variance"));
    assert_int_equal(be_net_evaluate(net, images, labels, 1, &step, &error), BE_OK);
    assert_int_equal(be_net_step(net, images, labels, 2, &step, &error), BE_OK);
    be_net_close(net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_plain), cmocka_unit_test(test_slots),
        cmocka_unit_test(test_training),      cmocka_unit_test(test_resume),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, make_images, NULL);
}
