/*
 * The vendor's convolutions as device/device.h has them, each way, against the loops that define them. A test of
 * something that a device lacks is skipped and says so.
 */
#include "devices.h"

#include "convolution.h"
#include "numbers.h"

enum { SHIFT = 256, MOST = 6000, ROOM = 1 << 24 };

static const struct be_convolution_form forms[] = {
    {BE_FLOAT32, 3, 3, 9, 7, 5, 7, 2, 3},   {BE_FLOAT32, 2, 4, 6, 6, 8, 3, 1, 1},
    {BE_FLOAT32, 5, 8, 5, 4, 4, 1, 1, 0},   {BE_FLOAT32, 4, 8, 7, 7, 16, 1, 2, 0},
    {BE_FLOAT32, 1, 16, 1, 1, 16, 3, 1, 1}, {BE_FLOAT32, 2, 4, 8, 8, 8, 3, 2, 1},
};

/* The arrays of one convolution, here and there: input, weights, output. */
struct arrays {
    float here[3][MOST];
    struct be_buffer there[3], scratch;
    size_t count[3];
};
static struct arrays a;
static double sum[MOST], size[MOST];
static float got[MOST];

static const int written_by[] = {
    [BE_CONVOLVE] = 2, [BE_CONVOLVE_BY_INPUT] = 0, [BE_CONVOLVE_BY_WEIGHTS] = 1};

static void open_dnn(struct be_device *device, struct be_dnn *dnn) {
    need(device, device->ops->dnn, "convolutions of a vendor", NULL);
    const enum be_status status = device->ops->dnn->open(device, dnn, &error);
    need(device, status != BE_ABSENT, "convolutions of a vendor", error.text);
    CHECK(status);
    assert_true(dnn->name[0] != '\0' && dnn->open_s >= 0);
}

static void make_arrays(struct be_device *device, const struct be_convolution_form *f,
                        size_t scratch) {
    const size_t count[] = {numbers_in(f), numbers_weights(f), numbers_out(f)};
    for (int i = 0; i < 3; i++) {
        assert_true(count[i] <= MOST);
        a.count[i] = count[i];
        fill(BE_FLOAT32, a.here[i], 40 + i, count[i]);
        make(device, &a.there[i], SHIFT, a.here[i], count[i] * sizeof(float));
    }
    make(device, &a.scratch, SHIFT, NULL, scratch ? scratch : 1);
}

static void free_arrays(struct be_device *device) {
    for (int i = 0; i < 3; i++) {
        device->ops->memory->release(device, &a.there[i]);
    }
    device->ops->memory->release(device, &a.scratch);
}

/* Each product and sum is rounded, and with tf32 each factor, to ten bits behind the first. */
static void check_way(const struct be_convolution_form *f, enum be_convolve_way way, bool adds) {
    const int to = written_by[way];
    const double terms =
        2 + (double)(f->channels * f->size * f->size) + (double)f->images * f->height * f->width;
    const double share = f->precision == BE_TF32 ? 0x1p-9 : terms * 0x1p-24;
    memset(sum, 0, sizeof sum);
    memset(size, 0, sizeof size);
    add_convolved(f, way, a.here[0], a.here[1], a.here[2], sum, size);
    for (size_t i = 0; i < a.count[to]; i++) {
        const double expected = sum[i] + (adds ? (double)a.here[to][i] : 0);
        const double off = fabs((double)got[i] - expected);
        if (!(off <= share * (size[i] + 1))) {
            fail_msg("way %d of %d x %d by %d, number %zu: %g, not %g", (int)way, f->height,
                     f->width, f->size, i, (double)got[i], expected);
        }
    }
}

static void convolve_each_way(struct be_device *device, const struct be_dnn *dnn,
                              const struct be_convolution_form *f) {
    struct be_convolution convolution;
    CHECK(device->ops->dnn->prepare(device, dnn, f, ROOM, &convolution, &error));
    assert_true(convolution.scratch_bytes <= ROOM);
    make_arrays(device, f, convolution.scratch_bytes);
    struct be_convolve with = {.in = {&a.there[0], SHIFT},
                               .weights = {&a.there[1], SHIFT},
                               .out = {&a.there[2], SHIFT},
                               .scratch = {&a.scratch, SHIFT}};
    for (int i = 0; i < 2 * BE_CONVOLVE_WAYS; i++) {
        const enum be_convolve_way way = (enum be_convolve_way)(i % BE_CONVOLVE_WAYS);
        const int to = written_by[way];
        const size_t bytes = a.count[to] * sizeof(float);
        with.adds = i >= BE_CONVOLVE_WAYS;
        CHECK(device->ops->dnn->convolve(device, dnn, &convolution, way, &with, &error));
        drain(device);
        get(device, got, &a.there[to], SHIFT, bytes);
        check_way(f, way, with.adds);
        put(device, &a.there[to], SHIFT, a.here[to], bytes);
    }
    free_arrays(device);
    device->ops->dnn->forget(device, dnn, &convolution);
    assert_int_equal(convolution.handle, 0);
    device->ops->dnn->forget(device, dnn, &convolution); /* a second time: nothing */
}

static void convolves(struct be_device *device) {
    struct be_dnn dnn;
    open_dnn(device, &dnn);
    for (size_t i = 0; i < BE_COUNT(forms); i++) {
        convolve_each_way(device, &dnn, &forms[i]);
    }
    device->ops->dnn->close(device, &dnn);
    assert_int_equal(dnn.handle, 0);
    device->ops->dnn->close(device, &dnn); /* a second time: nothing */
}

static void convolves_in_tf32(struct be_device *device) {
    struct be_convolution probe = {0};
    struct be_dnn dnn;
    open_dnn(device, &dnn);
    for (size_t i = 0; i < BE_COUNT(forms); i++) {
        struct be_convolution_form f = forms[i];
        f.precision = BE_TF32;
        const enum be_status status =
            device->ops->dnn->prepare(device, &dnn, &f, ROOM, &probe, &error);
        if (status == BE_ABSENT) {
            device->ops->dnn->close(device, &dnn);
        }
        need(device, status != BE_ABSENT, "tf32", error.text);
        device->ops->dnn->forget(device, &dnn, &probe);
        convolve_each_way(device, &dnn, &f);
    }
    device->ops->dnn->close(device, &dnn);
}

static void refuses_wrong_convolutions(struct be_device *device) {
    struct be_convolution convolution = {0};
    struct be_buffer small = {0};
    struct be_dnn dnn;
    open_dnn(device, &dnn);
    const struct be_dnn_ops *ops = device->ops->dnn;
    struct be_convolution_form f = forms[1];
    f.precision = BE_FLOAT64;
    check_fails(ops->prepare(device, &dnn, &f, ROOM, &convolution, &error), BE_USAGE, "float32");
    f = forms[1];
    f.size = 9;
    check_fails(ops->prepare(device, &dnn, &f, ROOM, &convolution, &error), BE_USAGE,
                "2 x 4 x 6 x 6 by 8 of 9 x 9: no such sizes");
    f.size = 3;
    f.images = (int64_t)1 << 31;
    check_fails(ops->prepare(device, &dnn, &f, ROOM, &convolution, &error), BE_USAGE, "no such");
    assert_int_equal(convolution.handle, 0);
    CHECK(ops->prepare(device, &dnn, &forms[1], ROOM, &convolution, &error));
    make(device, &small, 0, NULL, 256);
    const struct be_part whole = {&small, 0};
    const struct be_convolve with = {.in = whole, .weights = whole, .out = whole, .scratch = whole};
    check_fails(ops->convolve(device, &dnn, &convolution, BE_CONVOLVE, &with, &error), BE_USAGE,
                "input: 288 x 4 bytes");
    device->ops->memory->release(device, &small);
    ops->forget(device, &dnn, &convolution);
    ops->close(device, &dnn);
}

int main(void) {
    static const struct contract contracts[] = {
        {"convolves", convolves},
        {"convolves in tf32", convolves_in_tf32},
        {"refuses wrong convolutions", refuses_wrong_convolutions},
    };
    return run_contracts("device convolutions", contracts, BE_COUNT(contracts));
}
