/* A net on several devices against the same net on one: losses, gradients and weights with dropout, parts of unequal
 * size, a batch that leaves a device without an image; images that lie there; a loss that is no number; files. Each
 * device takes every part itself. */
#include "devices.h"

#include <math.h>
#include <unistd.h>

#include "base/random.h"
#include "nn/state.h"

enum { BATCH = 7, CHANNELS = 1, HEIGHT = 13, WIDTH = 12, PIXELS = CHANNELS * HEIGHT * WIDTH };

/* One of test_nn_device.c, so that its kernels are there already. */
static const struct be_nn_net net = {
    .kind = {.name = "two", .channels = CHANNELS, .height = HEIGHT, .width = WIDTH},
    .rule = {BE_NN_ADADELTA, .rate = 1, .momentum = 0.9, .epsilon = 1e-6, .decay = 1},
    .layer = {{.kind = BE_NN_CONV, .name = "a", .outputs = 8, .size = 5, .relu = true},
              {.kind = BE_NN_DROPOUT, .drop = 0.25F},
              {.kind = BE_NN_CONV, .name = "b", .outputs = 7, .size = 3, .relu = true},
              {.kind = BE_NN_POOL},
              {.kind = BE_NN_DROPOUT, .drop = 0.25F},
              {.kind = BE_NN_DENSE, .name = "c", .outputs = 13, .relu = true},
              {.kind = BE_NN_DROPOUT, .drop = 0.5F},
              {.kind = BE_NN_DENSE, .name = "d", .outputs = BE_NET_CLASSES}}};

static float images[BATCH * PIXELS], levels[CHANNELS * 256];
static uint8_t bytes[BATCH * PIXELS], labels[BATCH];

static bool has_kernels(const struct be_device *device) {
    return strcmp(device->ops->name, "cpu") != 0 && strcmp(device->ops->name, "null") != 0;
}

static void make_images(void) {
    for (size_t i = 0; i < BE_COUNT(levels); i++) {
        levels[i] = 2 * be_random_float(7, i) - 1;
    }
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)be_random_bits(6, i);
        images[i] = levels[bytes[i]];
    }
    for (size_t i = 0; i < BATCH; i++) {
        labels[i] = (uint8_t)(be_random_bits(3, i) % BE_NET_CLASSES);
    }
}

static struct be_net *open_net(const struct be_nn_net *of, size_t batch, struct be_device *device,
                               int devices) {
    struct be_device *more[BE_NET_DEVICES];
    struct be_net *opened = NULL;
    for (int i = 0; i < devices; i++) {
        more[i] = device;
    }
    const struct be_net_plan plan = {.name = of->kind.name,
                                     .batch = batch,
                                     .seed = 3,
                                     .rate = NAN,
                                     .momentum = NAN,
                                     .decay = NAN,
                                     .device = device,
                                     .more = more,
                                     .mores = devices - 1};
    CHECK(be_nn_open(&plan, of, &opened, &error));
    return opened;
}

static struct be_net *open_on(struct be_device *device, int devices) {
    return open_net(&net, BATCH, device, devices);
}

/* 1e-5 of the length: some hundred roundings of a float. */
static void assert_close_to(const float *a, const float *b, size_t count) {
    double squares = 0;
    double off = 0;
    for (size_t i = 0; i < count; i++) {
        squares += (double)b[i] * (double)b[i];
        off += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    }
    assert_true(off <= 1e-10 * squares);
}

/* It brings the first device's weights to all: losses of later steps say nothing about the others' any more. */
static void assert_alike(struct be_net *several, struct be_net *one) {
    struct be_net_tensor a;
    struct be_net_tensor b;
    for (size_t i = 0; be_net_tensor(one, i, &b); i++) {
        assert_true(be_net_tensor(several, i, &a));
        assert_close_to(a.gradient, b.gradient, b.count);
        assert_close_to(a.weight, b.weight, b.count);
    }
}

static void assert_same_result(const struct be_net_step *a, const struct be_net_step *b) {
    assert_true(fabs(a->loss - b->loss) < 1e-5 * b->loss);
    assert_int_equal(a->correct, b->correct);
}

/* Parts of 3, 2 and 2 images; of 1, 0 and 0; of 1, 1 and 0. */
static void trains_as_one(struct be_device *device) {
    static const size_t counts[] = {BATCH, BATCH, 1, 2, BATCH};
    need(device, has_kernels(device), "kernels of nets", NULL);
    make_images();
    struct be_net *several = open_on(device, 3);
    struct be_net *one = open_on(device, 1);
    struct be_net_step a;
    struct be_net_step b;
    assert_non_null(strstr(be_net_sums(several), "host memory"));
    assert_string_equal(be_net_sums(one), "");
    for (size_t t = 0; t < BE_COUNT(counts); t++) {
        CHECK(be_net_step(several, images, labels, counts[t], &a, &error));
        CHECK(be_net_step(one, images, labels, counts[t], &b, &error));
        assert_same_result(&a, &b);
        assert_true(a.sum_s >= a.sum_least_s && a.sum_least_s >= 0 && b.sum_s <= 0);
        CHECK(be_net_evaluate(several, images, labels, counts[t], &a, &error));
        CHECK(be_net_evaluate(one, images, labels, counts[t], &b, &error));
        assert_same_result(&a, &b);
    }
    assert_alike(several, one);
    be_net_close(several);
    be_net_close(one);
}

static void gathers_on_each(struct be_device *device) {
    static const uint32_t order[BATCH] = {4, 0, 0, 6, 5, 3, 1};
    static const size_t counts[] = {BATCH, 4, 1};
    const struct be_net_set set = {
        .count = BATCH, .images = bytes, .labels = labels, .levels = levels};
    need(device, has_kernels(device), "kernels of nets", NULL);
    make_images();
    struct be_net *nets[] = {open_on(device, 2), open_on(device, 1)};
    struct be_net_step step[2];
    for (size_t t = 0; t < BE_COUNT(counts); t++) {
        for (int k = 0; k < 2; k++) {
            CHECK(be_net_hold(nets[k], 0, &set, &error));
            CHECK(be_net_take(nets[k], 0, order, counts[t], &error));
            CHECK(be_net_step(nets[k], NULL, NULL, counts[t], &step[k], &error));
        }
        assert_same_result(&step[0], &step[1]);
    }
    assert_alike(nets[0], nets[1]);
    be_net_close(nets[0]);
    be_net_close(nets[1]);
}

/* The image is one device's, and no device may update. */
static void updates_on_none_without_a_loss(struct be_device *device) {
    need(device, has_kernels(device), "kernels of nets", NULL);
    make_images();
    struct be_net *nets[] = {open_on(device, 2), open_on(device, 1)};
    struct be_net_step step[2];
    images[6 * PIXELS + 40] = NAN;
    check_fails(be_net_step(nets[0], images, labels, BATCH, &step[0], &error), BE_WRONG,
                "nothing was updated");
    make_images();
    for (int t = 0; t < 2; t++) {
        for (int k = 0; k < 2; k++) {
            CHECK(be_net_step(nets[k], images, labels, BATCH, &step[k], &error));
        }
        assert_same_result(&step[0], &step[1]);
    }
    be_net_close(nets[0]);
    be_net_close(nets[1]);
}

/* A checkpoint of several devices goes on on one, and the other way round. */
static void files_go_from_one_to_several(struct be_device *device) {
    char path[] = "/tmp/breakeven_net.XXXXXX";
    char note[BE_NOTE];
    bool resumed = false;
    need(device, has_kernels(device), "kernels of nets", NULL);
    make_images();
    struct be_net *nets[] = {open_on(device, 2), open_on(device, 1)};
    struct be_net_step step[2];
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int from = 0; from < 2; from++) {
        for (int t = 0; t < 2; t++) {
            CHECK(be_net_step(nets[from], images, labels, BATCH, &step[from], &error));
        }
        CHECK(be_net_save(nets[from], path, BE_NET_CHECKPOINT, NULL, &error));
        CHECK(be_net_load(nets[1 - from], path, &resumed, note, &error));
        assert_true(resumed);
        for (int k = 0; k < 2; k++) {
            CHECK(be_net_step(nets[k], images, labels, BATCH, &step[k], &error));
        }
        assert_same_result(&step[0], &step[1]);
        assert_alike(nets[0], nets[1]);
    }
    unlink(path);
    be_net_close(nets[0]);
    be_net_close(nets[1]);
}

/* Batch norms are each part's own. Where both parts have the same images these are those of the whole batch. */
static void norms_are_of_each_part(struct be_device *device) {
    enum { HALF = 4, ALL = 2 * HALF, NUMBERS = 17 * 19 };
    static const struct be_nn_net residual = {
        /* of test_nn_residual.c */
        .kind = {.name = "b", .channels = 1, .height = 17, .width = 19},
        .rule = {BE_NN_SGD, .rate = 0.05, .momentum = 0.9, .decay = 1},
        .blocks = {{1, 1}, 5, false}};
    static float twice[ALL * NUMBERS];
    static uint8_t twice_labels[ALL];
    struct be_net *nets[2];
    struct be_net_step step[2];
    need(device, has_kernels(device), "kernels of nets", NULL);
    for (size_t i = 0; i < BE_COUNT(twice); i++) {
        twice[i] = be_random_float(3, i % (HALF * NUMBERS)) - 0.5F;
    }
    for (size_t i = 0; i < ALL; i++) {
        twice_labels[i] = (uint8_t)(i % HALF);
    }
    for (int k = 0; k < 2; k++) {
        nets[k] = open_net(&residual, ALL, device, 1 + k);
        for (int t = 0; t < 3; t++) {
            CHECK(be_net_step(nets[k], twice, twice_labels, ALL, &step[k], &error));
        }
    }
    assert_same_result(&step[1], &step[0]);
    /* Judged by the first device's statistics, also on the second: each half as the other. */
    struct be_net_step half;
    CHECK(be_net_evaluate(nets[1], twice, twice_labels, ALL, &step[1], &error));
    CHECK(be_net_evaluate(nets[1], twice, twice_labels, HALF, &half, &error));
    assert_same_result(&step[1],
                       &(struct be_net_step){.loss = half.loss, .correct = 2 * half.correct});
    be_net_close(nets[0]);
    be_net_close(nets[1]);
}

/* A device whose events can be told to fail. */
static const struct be_queue_ops *real_queue;
static int records; /* that still succeed */

static enum be_status record(struct be_device *device, enum be_queue queue, struct be_event *event,
                             struct be_error *to) {
    return records-- > 0 ? real_queue->record(device, queue, event, to)
                         : be_fail(to, BE_DRIVER, "told to fail");
}

static void names_the_device_that_failed(struct be_device *device) {
    need(device, has_kernels(device), "kernels of nets", NULL);
    make_images();
    struct be_net *two = open_on(device, 2);
    const struct be_device_ops *real = device->ops;
    struct be_device_ops ops = *real;
    struct be_queue_ops queue = *real->queue;
    struct be_net_step step;
    char expected[2 * BE_NAME];
    real_queue = real->queue;
    queue.record = record;
    ops.queue = &queue;
    device->ops = &ops;
    snprintf(expected, sizeof expected, "%s: told to fail", device->info.id);
    for (int before = 0; before < 12; before++) { /* each of both devices' six */
        records = before;
        check_fails(be_net_step(two, images, labels, BATCH, &step, &error), BE_DRIVER, expected);
        CHECK(real->queue->drain(device, BE_QUEUE_WORK, &error));
    }
    records = 12;
    CHECK(be_net_step(two, images, labels, BATCH, &step, &error));
    device->ops = real;
    be_net_close(two);
}

/* ---- a vendor's library for sums -------------------------------------------------------------- */

/* It stands in for NCCL on a device that has none: adds numbers that it reads, waiting. */
static struct {
    struct be_device *device;
    int devices, opened, closed, sums;
    bool absent, fails;
} library;

static enum be_status open_library(struct be_device *const *device, int count,
                                   struct be_reduce *reduce, struct be_error *to) {
    if (library.absent) {
        return be_fail(to, BE_ABSENT, "the library is not here");
    }
    library.device = device[0];
    library.devices = count;
    library.opened++;
    *reduce = (struct be_reduce){.handle = 1, .name = "stand-in 1.0"};
    return BE_OK;
}

static void close_library(struct be_reduce *reduce) {
    library.closed++;
    *reduce = (struct be_reduce){0};
}

static void add_one(const struct be_sum *sum) {
    float *all = calloc(sum->numbers, sizeof *all);
    float *own = calloc(sum->numbers, sizeof *own);
    assert_true(all && own);
    CHECK(library.device->ops->queue->drain(library.device, BE_QUEUE_WORK, &error));
    for (int i = 0; i < library.devices; i++) {
        get(library.device, own, sum->buffer[i], 0, sum->numbers * sizeof *own);
        for (size_t n = 0; n < sum->numbers; n++) {
            all[n] += own[n];
        }
    }
    for (int i = 0; i < library.devices; i++) {
        put(library.device, sum->buffer[i], 0, all, sum->numbers * sizeof *all);
    }
    free(own);
    free(all);
}

static enum be_status add_by_library(const struct be_reduce *reduce, const struct be_sum *sum,
                                     int sums, struct be_error *to) {
    assert_int_equal(reduce->handle, 1);
    library.sums++;
    for (int k = 0; k < sums && !library.fails; k++) {
        add_one(&sum[k]);
    }
    return library.fails ? be_fail(to, BE_DRIVER, "told to fail") : BE_OK;
}

static const struct be_reduce_ops library_ops = {
    .open = open_library, .close = close_library, .sum = add_by_library};

static void adds_by_a_library(struct be_device *device) {
    need(device, has_kernels(device), "kernels of nets", NULL);
    make_images();
    const struct be_device_ops *real = device->ops;
    struct be_device_ops ops = *real;
    struct be_net_step step[2];
    memset(&library, 0, sizeof library);
    ops.reduce = &library_ops;
    device->ops = &ops;
    struct be_net *nets[] = {open_on(device, 2), open_on(device, 1)};
    assert_string_equal(be_net_sums(nets[0]), "stand-in 1.0");
    for (int t = 0; t < 3; t++) {
        for (int k = 0; k < 2; k++) {
            CHECK(be_net_step(nets[k], images, labels, BATCH, &step[k], &error));
        }
        assert_same_result(&step[0], &step[1]);
    }
    assert_int_equal(library.sums, 3); /* one call a step */
    assert_alike(nets[0], nets[1]);
    library.fails = true;
    check_fails(be_net_step(nets[0], images, labels, BATCH, &step[0], &error), BE_DRIVER,
                "told to fail");
    be_net_close(nets[0]);
    be_net_close(nets[1]);
    assert_true(library.opened == 1 && library.closed == 1);
    library.absent = true;
    nets[0] = open_on(device, 2);
    assert_string_equal(be_net_sums(nets[0]), "host memory (the library is not here)");
    be_net_close(nets[0]);
    assert_int_equal(library.closed, 1);
    device->ops = real;
}

static void says_what_cannot_be(struct be_device *device) {
    struct be_device *more[BE_NET_DEVICES];
    struct be_net *opened = NULL;
    need(device, has_kernels(device), "kernels of nets", NULL);
    for (int i = 0; i < BE_NET_DEVICES; i++) {
        more[i] = device;
    }
    struct be_net_plan plan = {.name = "lenet",
                               .batch = 1,
                               .rate = NAN,
                               .momentum = NAN,
                               .decay = NAN,
                               .device = device,
                               .more = more,
                               .mores = 1};
    check_fails(be_net_open(&plan, &opened, &error), BE_USAGE, "take a larger --batch");
    plan.batch = BATCH;
    plan.mores = BE_NET_DEVICES;
    check_fails(be_net_open(&plan, &opened, &error), BE_USAGE, "16 at most");
    assert_null(opened);
}

int main(void) {
    static const struct contract contracts[] = {
        {"a net on several devices trains as on one", trains_as_one},
        {"a net on several devices gathers on each", gathers_on_each},
        {"a net on several devices updates on none without a loss", updates_on_none_without_a_loss},
        {"files go from one device to several", files_go_from_one_to_several},
        {"batch norms are of each part", norms_are_of_each_part},
        {"a vendor's library adds gradients", adds_by_a_library},
        {"a net names the device that failed", names_the_device_that_failed},
        {"a net on several devices says what cannot be", says_what_cannot_be},
    };
    return run_contracts("nets on several devices", contracts, BE_COUNT(contracts));
}
