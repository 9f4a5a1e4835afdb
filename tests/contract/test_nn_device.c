/* A net on every device that has our kernels, against the plain reference: passes at odd sizes, dropout, updates by
 * each rule, a loss that is no number. */
#include "devices.h"

#include <math.h>
#include <unistd.h>

#include "base/random.h"
#include "nn/device/on_device.h"
#include "nn/plain.h"

enum { MOST = 70, LARGE = 300, CLASSES = BE_NET_CLASSES };

/* Odd sizes, a pool that leaves out a row and a column, dropout behind each kind of layer. More images than chunks of
 * sums come once. */
static const struct be_nn_net small[] = {
    {.kind = {.channels = 2, .height = 9, .width = 8},
     .layer = {{.kind = BE_NN_CONV, .name = "a", .outputs = 3, .size = 3, .relu = true},
               {.kind = BE_NN_POOL},
               {.kind = BE_NN_DENSE, .name = "b", .outputs = CLASSES}}},
    {.kind = {.channels = 1, .height = 13, .width = 12},
     .layer = {{.kind = BE_NN_CONV, .name = "a", .outputs = 8, .size = 5, .relu = true},
               {.kind = BE_NN_DROPOUT, .drop = 0.25F},
               {.kind = BE_NN_CONV, .name = "b", .outputs = 7, .size = 3, .relu = true},
               {.kind = BE_NN_POOL},
               {.kind = BE_NN_DROPOUT, .drop = 0.25F},
               {.kind = BE_NN_DENSE, .name = "c", .outputs = 13, .relu = true},
               {.kind = BE_NN_DROPOUT, .drop = 0.5F},
               {.kind = BE_NN_DENSE, .name = "d", .outputs = CLASSES}}},
    /* Input channels in whole warps before a pool, and before a convolution without one; an image of odd sizes, wider than
     * a warp takes at once; outputs that fill no group. */
    {.kind = {.channels = 1, .height = 8, .width = 21},
     .layer = {{.kind = BE_NN_CONV, .name = "a", .outputs = 32, .size = 3, .relu = true},
               {.kind = BE_NN_DROPOUT, .drop = 0.25F},
               {.kind = BE_NN_CONV, .name = "b", .outputs = 64, .size = 3, .relu = true},
               {.kind = BE_NN_POOL},
               {.kind = BE_NN_DROPOUT, .drop = 0.25F},
               {.kind = BE_NN_DENSE, .name = "c", .outputs = CLASSES}}},
    {.kind = {.channels = 3, .height = 19, .width = 21},
     .layer = {{.kind = BE_NN_CONV, .name = "a", .outputs = 64, .size = 3, .relu = true},
               {.kind = BE_NN_POOL},
               {.kind = BE_NN_CONV, .name = "b", .outputs = 19, .size = 3, .relu = true},
               {.kind = BE_NN_POOL},
               {.kind = BE_NN_CONV, .name = "c", .outputs = 6, .size = 3, .relu = true},
               {.kind = BE_NN_DENSE, .name = "d", .outputs = CLASSES}}},
};

static const struct be_nn_rule rules[] = {
    {BE_NN_SGD, .rate = 0.1, .momentum = 0.5},
    {BE_NN_ADADELTA, .rate = 1, .momentum = 0.9, .epsilon = 1e-6},
    {BE_NN_ADAM, .rate = 0.001, .momentum = 0.9, .second = 0.999, .epsilon = 1e-7},
};

struct made {
    struct be_nn_shape shape;
    size_t padded; /* parameters, as updates want them */
    float *weights, *gradients, *images, *scratch, *seen, *states[BE_NN_STATES];
    struct be_net_step step;
    struct be_clock clock;
};

static uint8_t labels[MOST];

static float *floats(size_t count) {
    float *memory = calloc(count, sizeof *memory);
    assert_non_null(memory);
    return memory;
}

static struct made made(const struct be_nn_net *net) {
    struct made m = {.clock = be_clock_host()};
    be_nn_shape_find(net, &m.shape);
    m.padded =
        (m.shape.parameters + BE_NN_UPDATE_GRAIN - 1) / BE_NN_UPDATE_GRAIN * BE_NN_UPDATE_GRAIN;
    m.weights = floats(m.padded);
    m.gradients = floats(m.padded);
    m.states[0] = floats(m.padded);
    m.states[1] = floats(m.padded);
    m.seen = floats(m.padded);
    m.images = floats(MOST * m.shape.pixels);
    m.scratch = floats(be_nn_plain_numbers(&m.shape, MOST));
    for (size_t i = 0; i < m.shape.parameters; i++) {
        m.weights[i] = be_random_float(1, i) - 0.5F;
    }
    for (size_t i = 0; i < MOST * m.shape.pixels; i++) {
        m.images[i] = be_random_float(2, i) - 0.5F;
    }
    for (size_t i = 0; i < MOST; i++) {
        labels[i] = (uint8_t)(be_random_bits(3, i) % CLASSES);
    }
    return m;
}

static void drop_made(struct made *m) {
    float *all[] = {m->weights, m->gradients, m->states[0], m->states[1],
                    m->seen,    m->images,    m->scratch};
    for (size_t i = 0; i < BE_COUNT(all); i++) {
        free(all[i]);
    }
}

static struct be_nn_pass pass_of(struct made *m, size_t count, bool training) {
    return (struct be_nn_pass){.shape = &m->shape,
                               .weights = m->weights,
                               .gradients = m->gradients,
                               .images = m->images,
                               .labels = labels,
                               .count = count,
                               .training = training,
                               .seed = 0x123456789abcULL,
                               .step = 5,
                               .clock = &m->clock,
                               .result = &m->step};
}

static void assert_close_to(const float *a, const float *b, size_t count) {
    double squares = 0;
    double off = 0;
    for (size_t i = 0; i < count; i++) {
        squares += (double)b[i] * (double)b[i];
        off += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    }
    assert_true(squares > 0);
    assert_true(off < 1e-10 * squares); /* 1e-5: some hundred roundings of a float */
}

/* On a device made for batches of `batch`: small dense layers of small batches are computed in another way.
 * Two updates on the device: the first from known weights, the gradient of the second one is seen, too. */
static void same_as_plain(struct be_device *device, const struct be_nn_net *net,
                          const struct be_nn_rule *rule, size_t batch, size_t count) {
    struct made m = made(net);
    struct be_nn_on_device *there;
    CHECK(be_nn_on_device_open(&m.shape, rule, batch, BE_FLOAT32, device, &there, &error));
    CHECK(be_nn_on_device_put(
        there, &(struct be_nn_arrays){.weights = m.weights, .state = {m.states[0], m.states[1]}},
        &error));
    for (uint64_t t = 1; t <= 2; t++) {
        struct be_nn_pass pass = pass_of(&m, count, true);
        struct be_nn_update update = {.rule = rule,
                                      .rate = rule->rate,
                                      .step = t,
                                      .weights = m.weights,
                                      .gradients = m.gradients,
                                      .state = {m.states[0], m.states[1]}};
        be_nn_plain32(&pass, m.scratch);
        const struct be_net_step expected = m.step;
        if (t == 2) {
            pass.images = NULL; /* they are there already */
        }
        CHECK(be_nn_on_device_pass(there, &pass, &update, &error));
        assert_true(fabs(m.step.loss - expected.loss) < 1e-5 * expected.loss);
        assert_int_equal(m.step.correct, expected.correct);
        CHECK(be_nn_on_device_get(there, &(struct be_nn_arrays){.gradients = m.seen}, &error));
        for (int i = 0; i < m.shape.layers; i++) {
            const struct be_nn_place *p = &m.shape.place[i];
            if (p->weights) {
                assert_close_to(m.seen + p->weight, m.gradients + p->weight, p->weights);
                assert_close_to(m.seen + p->bias, m.gradients + p->bias, (size_t)p->out_channels);
            }
        }
        /* From the device's own gradients, since Adam's first steps are their signs. */
        memcpy(m.gradients, m.seen, m.shape.parameters * sizeof(float));
        be_nn_update(&update, 0, m.padded);
        CHECK(be_nn_on_device_get(there, &(struct be_nn_arrays){.weights = m.seen}, &error));
        assert_close_to(m.seen, m.weights, m.shape.parameters);
        memcpy(m.weights, m.seen, m.shape.parameters * sizeof(float));
    }
    const struct be_nn_pass seen = pass_of(&m, 3, false);
    be_nn_plain32(&seen, m.scratch);
    const struct be_net_step expected = m.step;
    CHECK(be_nn_on_device_pass(there, &seen, NULL, &error));
    assert_true(fabs(m.step.loss - expected.loss) < 1e-5 * expected.loss);
    be_nn_on_device_close(there);
    drop_made(&m);
}

static bool has_kernels(const struct be_device *device) {
    return strcmp(device->ops->name, "cpu") != 0 && strcmp(device->ops->name, "null") != 0;
}

static void gives_plain_results(struct be_device *device) {
    need(device, has_kernels(device), "kernels of nets", NULL);
    same_as_plain(device, &small[0], &rules[0], MOST, MOST);
    same_as_plain(device, &small[1], &rules[1], MOST, 19);
    same_as_plain(device, &small[1], &rules[1], LARGE, 19);
    same_as_plain(device, &small[0], &rules[2], MOST, 1);
    same_as_plain(device, &small[2], &rules[0], MOST, 3);
    same_as_plain(device, &small[3], &rules[0], MOST, 2);
}

static void updates_nothing_without_a_loss(struct be_device *device) {
    need(device, has_kernels(device), "kernels of nets", NULL);
    struct made m = made(&small[0]);
    struct be_nn_on_device *there;
    const struct be_nn_update update = {.rule = &rules[0], .rate = 1, .step = 1};
    const struct be_nn_pass pass = pass_of(&m, 2, true);
    CHECK(be_nn_on_device_open(&m.shape, &rules[0], MOST, BE_FLOAT32, device, &there, &error));
    CHECK(be_nn_on_device_put(
        there, &(struct be_nn_arrays){.weights = m.weights, .state = {m.states[0]}}, &error));
    m.images[40] = NAN;
    CHECK(be_nn_on_device_pass(there, &pass, &update, &error));
    assert_true(isnan(m.step.loss));
    CHECK(be_nn_on_device_get(there, &(struct be_nn_arrays){.weights = m.seen}, &error));
    assert_memory_equal(m.seen, m.weights, m.shape.parameters * sizeof(float));
    be_nn_on_device_close(there);
    drop_made(&m);
}

static void says_which_batch_fits(struct be_device *device) {
    need(device, has_kernels(device), "kernels of nets", NULL);
    struct made m = made(&small[0]);
    struct be_nn_on_device *there;
    check_fails(be_nn_on_device_open(&m.shape, &rules[0], (size_t)1 << 40, BE_FLOAT32, device,
                                     &there, &error),
                BE_NOMEM, "images fit");
    assert_null(there);
    drop_made(&m);
}

/* As callers see it: the same losses as on the CPU, weights that may be written between steps, files that go from one
 * to the other. */
static void is_a_net(struct be_device *device) {
    enum { BATCH = 3, PIXELS = 3 * 32 * 32 };
    static float images[BATCH * PIXELS];
    need(device, has_kernels(device), "kernels of nets", NULL);
    struct be_net_plan plan = {.name = "lenet",
                               .batch = BATCH,
                               .threads = 1,
                               .seed = 3,
                               .rate = 0.1,
                               .momentum = NAN,
                               .decay = NAN};
    struct be_net *nets[2];
    struct be_net_step step[2];
    struct be_net_tensor tensor;
    char path[] = "/tmp/breakeven_net.XXXXXX";
    char note[BE_NOTE];
    bool resumed = false;
    for (size_t i = 0; i < BE_COUNT(images); i++) {
        images[i] = 2 * be_random_float(5, i) - 1;
    }
    CHECK(be_net_open(&plan, &nets[0], &error));
    plan.device = device;
    CHECK(be_net_open(&plan, &nets[1], &error));
    for (int t = 0; t < 3; t++) {
        for (int k = 0; k < 2; k++) {
            CHECK(be_net_step(nets[k], images, labels, BATCH, &step[k], &error));
            assert_true(be_net_tensor(nets[k], 2 * (size_t)t, &tensor));
            tensor.weight[0] += 0.5F;
        }
        assert_true(fabs(step[0].loss - step[1].loss) < 1e-4 * step[0].loss);
        assert_true(step[1].forward_s >= 0 && step[1].backward_s >= 0 && step[1].update_s >= 0);
    }
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    CHECK(be_net_save(nets[1], path, BE_NET_CHECKPOINT, NULL, &error));
    CHECK(be_net_load(nets[0], path, &resumed, note, &error));
    unlink(path);
    assert_true(resumed);
    for (int k = 0; k < 2; k++) {
        CHECK(be_net_evaluate(nets[k], images, labels, BATCH, &step[k], &error));
        be_net_close(nets[k]);
    }
    assert_true(fabs(step[0].loss - step[1].loss) < 1e-5 * step[0].loss);
}

/* Images that lie on the device as bytes train as the same ones do that are copied: bit for bit, with a number that comes
 * twice, and with fewer images than the batch has room for. */
static void gathers_what_it_holds(struct be_device *device) {
    enum { BATCH = 4, CHANNELS = 3, SPOTS = 32 * 32, PIXELS = CHANNELS * SPOTS, HELD = 5 };
    static uint8_t bytes[HELD * PIXELS], held_labels[HELD], taken_labels[BATCH];
    static float levels[CHANNELS * 256], images[BATCH * PIXELS];
    static const uint32_t order[][BATCH] = {{4, 0, 0, 3}, {2, 1, 4}};
    need(device, has_kernels(device), "kernels of nets", NULL);
    const struct be_net_plan plan = {.name = "lenet",
                                     .batch = BATCH,
                                     .seed = 3,
                                     .rate = 0.1,
                                     .momentum = NAN,
                                     .decay = NAN,
                                     .device = device};
    const struct be_net_set set = {
        .count = HELD, .images = bytes, .labels = held_labels, .levels = levels};
    struct be_net *nets[2];
    struct be_net_step step[2];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)be_random_bits(6, i);
    }
    for (size_t i = 0; i < BE_COUNT(levels); i++) {
        levels[i] = 2 * be_random_float(7, i) - 1;
    }
    for (size_t i = 0; i < HELD; i++) {
        held_labels[i] = (uint8_t)(9 - i);
    }
    for (int k = 0; k < 2; k++) {
        CHECK(be_net_open(&plan, &nets[k], &error));
    }
    CHECK(be_net_hold(nets[0], 0, &set, &error));
    for (size_t t = 0; t < BE_COUNT(order); t++) {
        const size_t count = BATCH - t;
        for (size_t i = 0; i < count * PIXELS; i++) {
            const size_t at = i % PIXELS;
            images[i] = levels[at / SPOTS * 256 + bytes[order[t][i / PIXELS] * PIXELS + at]];
            taken_labels[i / PIXELS] = held_labels[order[t][i / PIXELS]];
        }
        CHECK(be_net_take(nets[0], 0, order[t], count, &error));
        CHECK(be_net_step(nets[0], NULL, NULL, count, &step[0], &error));
        CHECK(be_net_step(nets[1], images, taken_labels, count, &step[1], &error));
        assert_true(step[0].loss > 0);
        assert_memory_equal(&step[0].loss, &step[1].loss, sizeof step[0].loss);
        assert_int_equal(step[0].correct, step[1].correct);
    }
    for (int k = 0; k < 2; k++) {
        be_net_close(nets[k]);
    }
}

int main(void) {
    static const struct contract contracts[] = {
        {"a net gives the plain results", gives_plain_results},
        {"a net updates nothing without a loss", updates_nothing_without_a_loss},
        {"a net says which batch fits", says_which_batch_fits},
        {"a net is as on the CPU", is_a_net},
        {"a net gathers what it holds", gathers_what_it_holds},
    };
    return run_contracts("nets on devices", contracts, BE_COUNT(contracts));
}
