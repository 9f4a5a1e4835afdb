/*
 * The vendor's Fourier transforms and sparse matrices as device/device.h has them, against the sums
 * by which they are defined. A test of something that a device lacks is skipped and says so.
 */
#include "devices.h"

#include <math.h>

#include "numbers.h"

enum { SHIFT = 64 };

/* ---- Fourier transforms --------------------------------------------------------------------- */

enum { NUMBERS_MAX = 2 * 4096 }; /* real and imaginary parts */
static float in[NUMBERS_MAX], out[NUMBERS_MAX];

static void open_fft(struct be_device *device, const struct be_fft_form *form, struct be_fft *fft) {
    need(device, device->ops->fft, "Fourier transforms", NULL);
    enum be_status status = device->ops->fft->open(device, form, fft, &error);
    need(device, status != BE_ABSENT, "Fourier transforms", error.text);
    CHECK(status);
    assert_true(fft->name[0] != '\0' && fft->open_s >= 0);
}

static size_t in_floats(const struct be_fft_form *form) {
    return (size_t)(form->rows * form->columns * form->batch) * (form->real ? 1 : 2);
}

static size_t width_of(const struct be_fft_form *form) {
    return (size_t)(form->real ? form->columns / 2 + 1 : form->columns);
}

/* Number i of the results, by the sum that defines it; the root of the sum of the squares of what went into it. */
static double off(const struct be_fft_form *form, size_t i, double *norm) {
    const size_t rows = (size_t)form->rows;
    const size_t columns = (size_t)form->columns;
    const size_t width = width_of(form);
    const size_t image = i / width / rows;
    const size_t k = i / width % rows;
    const float *from = in + image * rows * columns * (form->real ? 1 : 2);
    double real = 0;
    double imaginary = 0;
    double size = 0;
    for (size_t j = 0; j < rows * columns; j++) {
        const double turns = (double)(j / columns * k % rows) / (double)rows +
                             (double)(j % columns * (i % width) % columns) / (double)columns;
        const double angle = -2 * acos(-1.0) * turns;
        const double x = (double)from[form->real ? j : 2 * j];
        const double y = form->real ? 0 : (double)from[2 * j + 1];
        real += x * cos(angle) - y * sin(angle);
        imaginary += x * sin(angle) + y * cos(angle);
        size += x * x + y * y;
    }
    *norm = sqrt(size);
    return hypot((double)out[2 * i] - real, (double)out[2 * i + 1] - imaginary);
}

/* Errors grow with the logarithm of the length and the size of the whole; this is far above. */
static void check_transform(const struct be_fft_form *form) {
    const size_t numbers = (size_t)(form->rows * form->batch) * width_of(form);
    for (size_t i = 0; i < numbers; i++) {
        double norm = 0;
        const double error_of = off(form, i, &norm);
        if (!(error_of <= 2e-6 * norm)) {
            fail_msg("%lld x %lld x %lld points, number %zu: off by %g", (long long)form->batch,
                     (long long)form->rows, (long long)form->columns, i, error_of);
        }
    }
}

static void transform(struct be_device *device, const struct be_fft_form *form) {
    const size_t bytes = in_floats(form) * sizeof(float);
    const size_t results = (size_t)(form->rows * form->batch) * width_of(form) * 2 * sizeof(float);
    struct be_fft fft = {0};
    struct be_buffer from = {0};
    struct be_buffer to = {0};
    open_fft(device, form, &fft);
    make(device, &from, SHIFT, NULL, bytes);
    make(device, &to, (size_t)2 * SHIFT, NULL, results);
    const struct be_part input = {&from, SHIFT};
    const struct be_part output = {&to, (size_t)2 * SHIFT};
    for (int round = 0; round < 2; round++) { /* a plan serves many inputs */
        fill(BE_FLOAT32, in, 11 + round, in_floats(form));
        put(device, &from, SHIFT, in, bytes);
        CHECK(device->ops->fft->forward(device, &fft, &input, &output, &error));
        drain(device);
        get(device, out, &to, (size_t)2 * SHIFT, results);
        check_transform(form);
        get(device, out, &from, SHIFT, bytes);
        assert_memory_equal(out, in, bytes);
    }
    device->ops->memory->release(device, &to);
    device->ops->memory->release(device, &from);
    device->ops->fft->close(device, &fft);
    assert_int_equal(fft.handle, 0);
    device->ops->fft->close(device, &fft); /* a second time: nothing */
}

static void transforms(struct be_device *device) {
    static const struct be_fft_form form[] = {
        {1, 2, 1, false},   {1, 8, 3, false}, {1, 60, 1, false}, {1, 97, 5, false},
        {1, 512, 4, false}, {5, 6, 3, false}, {1, 9, 3, true},   {1, 64, 2, true},
        {4, 7, 3, true},    {8, 6, 1, true},
    };
    for (size_t i = 0; i < BE_COUNT(form); i++) {
        transform(device, &form[i]);
    }
}

static void refuses_wrong_transforms(struct be_device *device) {
    static const struct be_fft_form good = {1, 8, 2, false};
    static const struct be_fft_form none = {1, 0, 1, false};
    struct be_fft fft = {0};
    struct be_buffer small = {0};
    open_fft(device, &good, &fft);
    make(device, &small, 0, NULL, 256);
    const struct be_part whole = {&small, 0};
    const struct be_part half = {&small, 128};
    const struct be_part late = {&small, 136};
    const struct be_part odd = {&small, 4};
    CHECK(device->ops->fft->forward(device, &fft, &whole, &half, &error));
    drain(device);
    check_fails(device->ops->fft->forward(device, &fft, &whole, &late, &error), BE_USAGE,
                "output: 16 x 8 bytes from byte 136");
    check_fails(device->ops->fft->forward(device, &fft, &odd, &half, &error), BE_USAGE,
                "between two elements");
    check_fails(device->ops->fft->forward(device, &fft, &whole, &whole, &error), BE_USAGE,
                "another buffer");
    device->ops->memory->release(device, &small);
    device->ops->fft->close(device, &fft);
    check_fails(device->ops->fft->open(device, &none, &fft, &error), BE_USAGE, "x 0 points");
    assert_int_equal(fft.handle, 0);
}

/* ---- sparse matrices ------------------------------------------------------------------------ */

enum { ROWS = 211, COLUMNS = 97, ROW_MAX = 40, NONZEROS_MAX = ROWS * ROW_MAX };

struct sparse {
    struct be_buffer offsets, indices, values, x, y;
    struct be_csr csr;
    struct be_sparse opened;
};
static int32_t offsets[ROWS + 1], indices[NONZEROS_MAX];
static double values[NONZEROS_MAX], x[COLUMNS], y[ROWS];

/* Some rows empty, one long, columns in order and none twice. */
static void make_pattern(void) {
    int32_t count = 0;
    for (int32_t row = 0; row < ROWS; row++) {
        int32_t numbers = row == 7 ? ROW_MAX : row % 5;
        offsets[row] = count;
        for (int32_t i = 0; i < numbers; i++) {
            indices[count++] = (row % 3 + 2 * i) % COLUMNS;
        }
    }
    offsets[ROWS] = count;
}

static void make_sparse(struct be_device *device, enum be_precision precision, struct sparse *s) {
    const size_t each = size_of(precision);
    *s = (struct sparse){0};
    need(device, device->ops->sparse, "sparse matrices", NULL);
    make_pattern();
    const size_t nonzeros = (size_t)offsets[ROWS];
    make(device, &s->offsets, SHIFT, offsets, sizeof offsets);
    make(device, &s->indices, SHIFT, indices, nonzeros * sizeof *indices);
    make(device, &s->values, SHIFT, NULL, nonzeros * each);
    make(device, &s->x, SHIFT, NULL, COLUMNS * each);
    make(device, &s->y, SHIFT, NULL, ROWS * each);
    s->csr = (struct be_csr){.precision = precision,
                             .rows = ROWS,
                             .columns = COLUMNS,
                             .nonzeros = (int64_t)nonzeros,
                             .offsets = {&s->offsets, SHIFT},
                             .indices = {&s->indices, SHIFT},
                             .values = {&s->values, SHIFT},
                             .x = {&s->x, SHIFT},
                             .y = {&s->y, SHIFT}};
    enum be_status status = device->ops->sparse->open(device, &s->csr, &s->opened, &error);
    need(device, status != BE_ABSENT, "sparse matrices", error.text);
    CHECK(status);
    assert_true(s->opened.name[0] != '\0' && s->opened.open_s >= 0);
}

static void free_sparse(struct be_device *device, struct sparse *s) {
    struct be_buffer *const buffer[] = {&s->y, &s->x, &s->values, &s->indices, &s->offsets};
    device->ops->sparse->close(device, &s->opened);
    assert_int_equal(s->opened.handle, 0);
    device->ops->sparse->close(device, &s->opened); /* a second time: nothing */
    for (size_t i = 0; i < BE_COUNT(buffer); i++) {
        device->ops->memory->release(device, buffer[i]);
    }
}

static void check_sparse(enum be_precision precision) {
    for (int32_t row = 0; row < ROWS; row++) {
        double sum = 0;
        double size = 0;
        for (int32_t i = offsets[row]; i < offsets[row + 1]; i++) {
            double one =
                load(precision, values, (size_t)i) * load(precision, x, (size_t)indices[i]);
            sum += one;
            size += fabs(one);
        }
        double got = load(precision, y, (size_t)row);
        if (!(fabs(got - sum) <= (ROW_MAX + 1) * rounding(precision) * size)) {
            fail_msg("row %d: %.17g, not %.17g", (int)row, got, sum);
        }
    }
}

/* The pattern stays, values and vectors change; what y held does not count. */
static void multiplies_sparse_matrices(struct be_device *device) {
    for (size_t p = 0; p < BE_COUNT(both); p++) {
        const size_t each = size_of(both[p]);
        struct sparse s;
        make_sparse(device, both[p], &s);
        const size_t nonzeros = (size_t)s.csr.nonzeros;
        for (int round = 0; round < 3; round++) {
            fill(both[p], values, 20 + round, nonzeros);
            fill(both[p], x, 30 + round, COLUMNS);
            put(device, &s.values, SHIFT, values, nonzeros * each);
            put(device, &s.x, SHIFT, x, COLUMNS * each);
            CHECK(
                device->ops->queue->fill(device, BE_QUEUE_WORK, &s.y, 0, 0xff, s.y.bytes, &error));
            CHECK(device->ops->sparse->multiply(device, &s.opened, &error));
            drain(device);
            get(device, y, &s.y, SHIFT, ROWS * each);
            check_sparse(both[p]);
        }
        free_sparse(device, &s);
    }
}

static void refuses_wrong_sparse_matrices(struct be_device *device) {
    const struct be_sparse_ops *ops = device->ops->sparse;
    struct be_sparse none = {0};
    struct sparse s;
    make_sparse(device, BE_FLOAT32, &s);
    struct be_csr wrong = s.csr;
    wrong.precision = BE_FLOAT16;
    check_fails(ops->open(device, &wrong, &none, &error), BE_ABSENT, "float64 or float32");
    wrong = s.csr;
    wrong.rows = ROWS + 1;
    check_fails(ops->open(device, &wrong, &none, &error), BE_USAGE, "offsets of rows");
    wrong = s.csr;
    wrong.columns = COLUMNS + 1;
    check_fails(ops->open(device, &wrong, &none, &error), BE_USAGE, "x: 98 x 4 bytes");
    wrong = s.csr;
    wrong.nonzeros = (int64_t)1 << 31;
    check_fails(ops->open(device, &wrong, &none, &error), BE_USAGE, "32 bits");
    assert_int_equal(none.handle, 0);
    free_sparse(device, &s);
}

static const struct contract contracts[] = {
    {"transforms", transforms},
    {"refuses wrong transforms", refuses_wrong_transforms},
    {"multiplies sparse matrices", multiplies_sparse_matrices},
    {"refuses wrong sparse matrices", refuses_wrong_sparse_matrices},
};

int main(void) {
    return run_contracts("device transforms", contracts, BE_COUNT(contracts));
}
