/* A net of residual blocks on every device that has our kernels, against the same net on the CPU: losses, gradients,
 * weights, running statistics, files; the same seed gives the same bits; a loss that is no number changes nothing. */
#include "devices.h"

#include <math.h>
#include <unistd.h>

#include "base/random.h"
#include "convolution.h"
#include "nn/state.h"

enum { MOST = 9, PIXELS = 3 * 19 * 17 };

/* Odd sides, few channels; identity and convolution as shortcuts, with stride and without. */
static const struct be_nn_net small[] = {
    {.kind = {.name = "a", .channels = 3, .height = 19, .width = 17},
     .rule = {BE_NN_SGD, .rate = 0.05, .momentum = 0.9, .decay = 1, .weight_decay = 1e-3},
     .blocks = {{2, 1}, 3, true}},
    {.kind = {.name = "b", .channels = 1, .height = 17, .width = 19},
     .rule = {BE_NN_SGD, .rate = 0.05, .momentum = 0.9, .decay = 1},
     .blocks = {{1, 1}, 5, false}},
};

static float images[MOST * PIXELS];
static uint8_t labels[MOST];

static void make_images(void) {
    for (size_t i = 0; i < BE_COUNT(images); i++) {
        images[i] = be_random_float(3, i) - 0.5F;
    }
    for (size_t i = 0; i < MOST; i++) {
        labels[i] = (uint8_t)(be_random_bits(5, i) % BE_NET_CLASSES);
    }
}

static enum be_status try_net(const struct be_nn_net *net, struct be_device *device,
                              enum be_net_math math, struct be_net **opened) {
    const struct be_net_plan plan = {.name = net->kind.name,
                                     .batch = MOST,
                                     .threads = 1,
                                     .seed = 3,
                                     .rate = NAN,
                                     .momentum = NAN,
                                     .decay = NAN,
                                     .math = math,
                                     .device = device};
    return be_nn_open(&plan, net, opened, &error);
}

static struct be_net *open_net(const struct be_nn_net *net, struct be_device *device) {
    struct be_net *opened;
    CHECK(try_net(net, device, BE_NET_FLOAT32, &opened));
    return opened;
}

static double length_of_difference(const float *a, const float *b, size_t count) {
    double squares = 0;
    double off = 0;
    for (size_t i = 0; i < count; i++) {
        squares += (double)b[i] * (double)b[i];
        off += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    }
    return sqrt(off / squares);
}

/* Gradients go through batch norms, which amplify roundings: 1e-4, as tests/unit/test_nn_deep.c has it. */
static void assert_same_tensors(struct be_net *there, struct be_net *here) {
    struct be_net_tensor a;
    struct be_net_tensor b;
    for (size_t i = 0; be_net_tensor(here, i, &b); i++) {
        assert_true(be_net_tensor(there, i, &a));
        const double weights = length_of_difference(a.weight, b.weight, b.count);
        const double gradients =
            b.gradient ? length_of_difference(a.gradient, b.gradient, b.count) : 0;
        if (!(weights < 1e-4 && gradients < 1e-4)) {
            fail_msg("%s: weights off by %g, gradients by %g", b.name, weights, gradients);
        }
    }
}

static void assert_same_step(const struct be_net_step *there, const struct be_net_step *here) {
    if (!(fabs(there->loss - here->loss) < 1e-5 * here->loss) || there->correct != here->correct) {
        fail_msg("a loss of %.9g and %zu right, not %.9g and %zu", there->loss, there->correct,
                 here->loss, here->correct);
    }
}

static bool has_kernels(const struct be_device *device) {
    return strcmp(device->ops->name, "cpu") != 0 && strcmp(device->ops->name, "null") != 0;
}

/* Each net for three steps, the second one shorter; then as it judges images. */
static void train_beside_the_cpu(struct be_device *device) {
    static const size_t count[] = {MOST, 5, MOST};
    make_images();
    for (size_t n = 0; n < BE_COUNT(small); n++) {
        struct be_net *here = open_net(&small[n], NULL);
        struct be_net *there = open_net(&small[n], device);
        struct be_net_step step[2];
        for (size_t t = 0; t < BE_COUNT(count); t++) {
            CHECK(be_net_step(here, images, labels, count[t], &step[0], &error));
            CHECK(be_net_step(there, images, labels, count[t], &step[1], &error));
            assert_same_step(&step[1], &step[0]);
            assert_same_tensors(there, here);
        }
        CHECK(be_net_evaluate(here, images, labels, 1, &step[0], &error));
        CHECK(be_net_evaluate(there, images, labels, 1, &step[1], &error));
        assert_same_step(&step[1], &step[0]);
        be_net_close(there);
        be_net_close(here);
    }
}

static void trains_as_on_the_cpu(struct be_device *device) {
    need(device, has_kernels(device), "kernels of nets", NULL);
    train_beside_the_cpu(device);
}

/* Each factor is rounded to 10 bits behind the first, to 5e-4 of it; sums average that, and batch norms amplify it. A
 * device without such arithmetic says where it is. */
static void trains_in_tf32(struct be_device *device) {
    struct be_net *there;
    struct be_net_step step[2];
    need(device, has_kernels(device), "kernels of nets", NULL);
    make_images();
    const enum be_status status = try_net(&small[1], device, BE_NET_TF32, &there);
    if (status == BE_ABSENT) {
        assert_null(there);
        check_fails(status, BE_ABSENT, "compute capability 8.0");
        return;
    }
    CHECK(status);
    struct be_net *here = open_net(&small[1], NULL);
    for (int t = 0; t < 3; t++) {
        CHECK(be_net_step(here, images, labels, MOST, &step[0], &error));
        CHECK(be_net_step(there, images, labels, MOST, &step[1], &error));
        assert_true(fabs(step[1].loss - step[0].loss) < 1e-2 * step[0].loss);
    }
    be_net_close(here);
    be_net_close(there);
}

/* ---- a vendor's library --------------------------------------------------------------------- */

enum { NUMBERS = MOST * 12 * 10 * 9, SCRATCH = 64 };

static struct be_convolution_form form[64]; /* handle i + 1 is form i */
static int prepared, forgotten, convolved;

static enum be_status open_library(struct be_device *device, struct be_dnn *dnn,
                                   struct be_error *why) {
    (void)device, (void)why;
    *dnn = (struct be_dnn){.handle = 1, .name = "plain loops"};
    prepared = forgotten = convolved = 0;
    return BE_OK;
}

static void close_library(struct be_device *device, struct be_dnn *dnn) {
    (void)device;
    *dnn = (struct be_dnn){0};
}

static enum be_status prepare(struct be_device *device, const struct be_dnn *dnn,
                              const struct be_convolution_form *asked, size_t most,
                              struct be_convolution *convolution, struct be_error *why) {
    (void)device, (void)dnn, (void)why;
    assert_true(most >= SCRATCH && asked->precision == BE_FLOAT32);
    form[prepared % 64] = *asked;
    convolution->handle = (uintptr_t)(prepared++ % 64) + 1;
    convolution->scratch_bytes = SCRATCH;
    return BE_OK;
}

static void forget(struct be_device *device, const struct be_dnn *dnn,
                   struct be_convolution *convolution) {
    (void)device, (void)dnn;
    forgotten += convolution->handle != 0;
    *convolution = (struct be_convolution){0};
}

/* Reads a part of a buffer, or writes it, and waits. */
static void move(struct be_device *device, const struct be_part *part, float *here, size_t count,
                 bool there) {
    const struct be_queue_ops *queue = device->ops->queue;
    const size_t bytes = count * sizeof(float);
    struct be_pinned pinned = {0};
    CHECK(device->ops->memory->pin(device, bytes, &pinned, &error));
    memcpy(pinned.host, here, bytes);
    CHECK(there ? queue->write(device, BE_QUEUE_WORK, part->buffer, part->offset, pinned.host,
                               bytes, &error)
                : queue->read(device, BE_QUEUE_WORK, pinned.host, part->buffer, part->offset, bytes,
                              &error));
    CHECK(queue->drain(device, BE_QUEUE_WORK, &error));
    memcpy(here, pinned.host, bytes);
    device->ops->memory->unpin(device, &pinned);
}

static enum be_status convolve(struct be_device *device, const struct be_dnn *dnn,
                               const struct be_convolution *convolution, enum be_convolve_way way,
                               const struct be_convolve *with, struct be_error *why) {
    static float numbers[3][NUMBERS];
    static double sum[NUMBERS];
    const struct be_convolution_form *f = &form[convolution->handle - 1];
    const struct be_part *part[] = {&with->in, &with->weights, &with->out};
    const size_t count[] = {numbers_in(f), numbers_weights(f), numbers_out(f)};
    const int to = way == BE_CONVOLVE ? 2 : way == BE_CONVOLVE_BY_INPUT ? 0 : 1;
    (void)dnn, (void)why;
    assert_true(with->scratch.buffer->bytes >= SCRATCH);
    for (int i = 0; i < 3; i++) {
        assert_true(count[i] <= NUMBERS);
        move(device, part[i], numbers[i], count[i], false);
    }
    memset(sum, 0, sizeof sum);
    add_convolved(f, way, numbers[0], numbers[1], numbers[2], sum, NULL);
    for (size_t i = 0; i < count[to]; i++) {
        numbers[to][i] = (float)sum[i] + (with->adds ? numbers[to][i] : 0);
    }
    move(device, part[to], numbers[to], count[to], true);
    convolved++;
    return BE_OK;
}

static enum be_status no_library(struct be_device *device, struct be_dnn *dnn,
                                 struct be_error *why) {
    (void)device, (void)dnn;
    return be_fail(why, BE_ABSENT, "the library is not here: install it");
}

/* The device as it would be with such a library; each batch of another size has its convolutions made ready. */
static void takes_a_library(struct be_device *device) {
    static const struct be_dnn_ops library = {open_library, close_library, prepare, forget,
                                              convolve};
    const struct be_device_ops *own = device->ops;
    struct be_device_ops with = *own;
    need(device, has_kernels(device), "kernels of nets", NULL);
    need(device, !own->dnn, "room for another library", NULL);
    with.dnn = &library;
    device->ops = &with;
    train_beside_the_cpu(device);
    device->ops = own;
    assert_true(convolved > 0);
    assert_int_equal(prepared, forgotten);
}

static void goes_without_a_library(struct be_device *device) {
    static const struct be_dnn_ops library = {no_library, close_library, prepare, forget, convolve};
    const struct be_device_ops *own = device->ops;
    struct be_device_ops with = *own;
    need(device, has_kernels(device), "kernels of nets", NULL);
    make_images();
    with.dnn = &library;
    device->ops = &with;
    struct be_net *net = open_net(&small[0], device);
    struct be_net_step step;
    assert_string_equal(be_net_without(net), "the library is not here: install it");
    CHECK(be_net_step(net, images, labels, MOST, &step, &error));
    be_net_close(net);
    device->ops = own;
}

/* ---- bits, files, refusals ------------------------------------------------------------------ */

/* Two nets of one seed: equal to the last bit. The second one goes on from a checkpoint of the first. */
static void repeats_to_the_bit(struct be_device *device) {
    char path[] = "/tmp/breakeven_net.XXXXXX";
    char note[BE_NOTE];
    bool resumed = false;
    struct be_net_step step[2];
    need(device, has_kernels(device), "kernels of nets", NULL);
    make_images();
    struct be_net *one = open_net(&small[0], device);
    struct be_net *other = open_net(&small[0], device);
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    CHECK(be_net_step(one, images, labels, MOST, &step[0], &error));
    CHECK(be_net_save(one, path, BE_NET_CHECKPOINT, NULL, &error));
    CHECK(be_net_load(other, path, &resumed, note, &error));
    unlink(path);
    assert_true(resumed);
    for (int t = 0; t < 3; t++) {
        CHECK(be_net_step(one, images, labels, MOST, &step[0], &error));
        CHECK(be_net_step(other, images, labels, MOST, &step[1], &error));
        assert_memory_equal(&step[0].loss, &step[1].loss, sizeof step[0].loss);
    }
    CHECK(be_net_evaluate(one, images, labels, MOST, &step[0], &error));
    CHECK(be_net_evaluate(other, images, labels, MOST, &step[1], &error));
    assert_memory_equal(&step[0].loss, &step[1].loss, sizeof step[0].loss);
    be_net_close(other);
    be_net_close(one);
}

/* Statistics neither: a batch that a NaN was in would spoil them for all images that are judged later. */
static void changes_nothing_without_a_loss(struct be_device *device) {
    struct be_net_step step[2];
    need(device, has_kernels(device), "kernels of nets", NULL);
    make_images();
    struct be_net *net = open_net(&small[1], device);
    CHECK(be_net_step(net, images, labels, MOST, &step[0], &error));
    CHECK(be_net_evaluate(net, images, labels, MOST, &step[0], &error));
    const float before = images[40];
    images[40] = NAN;
    check_fails(be_net_step(net, images, labels, MOST, &step[1], &error), BE_WRONG,
                "the loss of step 2");
    images[40] = before;
    CHECK(be_net_evaluate(net, images, labels, MOST, &step[1], &error));
    assert_memory_equal(&step[0].loss, &step[1].loss, sizeof step[0].loss);
    be_net_close(net);
}

static void refuses_one_image(struct be_device *device) {
    struct be_net_step step;
    need(device, has_kernels(device), "kernels of nets", NULL);
    static const struct be_nn_net narrow = {
        .kind = {.name = "c", .channels = 1, .height = 7, .width = 5},
        .rule = {BE_NN_SGD, .rate = 0.05, .decay = 1},
        .blocks = {{1, 1}, 2, false}};
    struct be_net *net = open_net(&narrow, device);
    check_fails(be_net_step(net, images, labels, 1, &step, &error), BE_USAGE, "no variance");
    be_net_close(net);
}

int main(void) {
    static const struct contract contracts[] = {
        {"a residual net trains as on the CPU", trains_as_on_the_cpu},
        {"a residual net trains in tf32, or says where it is", trains_in_tf32},
        {"a residual net takes a vendor's library", takes_a_library},
        {"a residual net goes without a library", goes_without_a_library},
        {"a residual net repeats to the bit", repeats_to_the_bit},
        {"a residual net changes nothing without a loss", changes_nothing_without_a_loss},
        {"a residual net refuses one image", refuses_one_image},
    };
    return run_contracts("residual nets on devices", contracts, BE_COUNT(contracts));
}
