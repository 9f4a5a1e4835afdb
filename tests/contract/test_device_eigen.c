/* Eigenvalues and singular values of batches by the vendor's library, as device/device.h has them. */
#include "devices.h"

#include <math.h>

#include "base/random.h"

/* Orders below and above where the library's methods change; SHIFT: bytes before each part. */
enum { COUNT = 3, ORDER_MAX = 33, SHIFT = 256, NUMBERS = COUNT * ORDER_MAX * ORDER_MAX };
static const int64_t orders[] = {1, 2, 31, 32, ORDER_MAX};

struct made {
    struct be_solver solver;
    struct be_buffer a, values, scratch, info;
    struct be_eigen_batch of;
};

static double number[NUMBERS], vector[NUMBERS], value[NUMBERS];

/* Numbers of either type in place of doubles, and back. */
static void narrow(enum be_precision precision, double *numbers, size_t count) {
    float *to = (float *)(void *)numbers;
    for (size_t i = 0; precision == BE_FLOAT32 && i < count; i++) {
        const float one = (float)numbers[i];
        memcpy(to + i, &one, sizeof one);
    }
}

static void widen(enum be_precision precision, double *numbers, size_t count) {
    const float *from = (const float *)(const void *)numbers;
    for (size_t i = count; precision == BE_FLOAT32 && i-- > 0;) {
        float one;
        memcpy(&one, from + i, sizeof one);
        numbers[i] = (double)one;
    }
}

static void make_buffer(struct be_device *device, struct be_buffer *buffer, size_t bytes) {
    CHECK(device->ops->memory->alloc(device, SHIFT + bytes, buffer, &error));
}

static void open_batch(struct be_device *device, enum be_precision precision, int64_t order,
                       struct made *m) {
    const struct be_solver_ops *ops = device->ops->solver;
    const size_t each = precision == BE_FLOAT64 ? sizeof(double) : sizeof(float);
    const size_t n = (size_t)order;
    size_t bytes = 0;
    *m = (struct made){0};
    need(device, ops, "solver", NULL);
    const enum be_status status = ops->open(device, &m->solver, &error);
    need(device, status != BE_ABSENT, "solver", error.text);
    CHECK(status);
    CHECK(ops->eigen_scratch_bytes(device, &m->solver, precision, order, COUNT, &bytes, &error));
    make_buffer(device, &m->a, COUNT * n * n * each);
    make_buffer(device, &m->values, COUNT * n * each);
    make_buffer(device, &m->scratch, bytes);
    make_buffer(device, &m->info, COUNT * sizeof(int32_t));
    for (size_t i = 0; i < COUNT * n * n; i++) {
        const size_t row = i / n % n;
        const size_t column = i % n;
        const size_t lower = row > column ? row * n + column : column * n + row;
        number[i] = (double)(be_random_float(7, i / (n * n) * n * n + lower) - 0.5F);
    }
    memcpy(vector, number, sizeof vector);
    narrow(precision, vector, COUNT * n * n);
    put(device, &m->a, SHIFT, vector, COUNT * n * n * each);
    m->of = (struct be_eigen_batch){.precision = precision,
                                    .order = order,
                                    .count = COUNT,
                                    .a = {&m->a, SHIFT},
                                    .values = {&m->values, SHIFT},
                                    .scratch = {&m->scratch, SHIFT},
                                    .info = {&m->info, SHIFT}};
}

static void close_batch(struct be_device *device, struct made *m) {
    struct be_buffer *const buffer[] = {&m->info, &m->scratch, &m->values, &m->a};
    for (size_t i = 0; i < BE_COUNT(buffer); i++) {
        device->ops->memory->release(device, buffer[i]);
    }
    device->ops->solver->close(device, &m->solver);
}

/* A v = l v in each number, v of length 1, and values ascending. */
static void check_matrix(const struct made *m, size_t s) {
    const size_t n = (size_t)m->of.order;
    const double allowed = (m->of.precision == BE_FLOAT64 ? 1e-13 : 1e-4);
    for (size_t j = 0; j < n; j++) {
        const double *v = vector + (s * n + j) * n;
        double square = 0;
        assert_true(j == 0 || value[s * n + j] >= value[s * n + j - 1]);
        for (size_t i = 0; i < n; i++) {
            double sum = -value[s * n + j] * v[i];
            for (size_t k = 0; k < n; k++) {
                sum += number[(s * n + i) * n + k] * v[k];
            }
            assert_true(fabs(sum) <= allowed);
            square += v[i] * v[i];
        }
        assert_true(fabs(square - 1) <= allowed);
    }
}

static void finds_values_and_vectors(struct be_device *device) {
    static const enum be_precision both[] = {BE_FLOAT64, BE_FLOAT32};
    for (size_t i = 0; i < 2 * BE_COUNT(orders); i++) {
        struct made m;
        int32_t info[COUNT];
        open_batch(device, both[i % 2], orders[i / 2], &m);
        const size_t n = (size_t)m.of.order;
        const size_t each = i % 2 == 0 ? sizeof(double) : sizeof(float);
        CHECK(device->ops->solver->eigen_batched(device, &m.solver, &m.of, &error));
        CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
        get(device, vector, &m.a, SHIFT, COUNT * n * n * each);
        get(device, value, &m.values, SHIFT, COUNT * n * each);
        get(device, info, &m.info, SHIFT, sizeof info);
        widen(m.of.precision, vector, COUNT * n * n);
        widen(m.of.precision, value, COUNT * n);
        for (size_t s = 0; s < COUNT; s++) {
            assert_int_equal(info[s], 0);
            check_matrix(&m, s);
        }
        close_batch(device, &m);
    }
}

static void refuses_wrong_batches(struct be_device *device) {
    const struct be_solver_ops *ops = device->ops->solver;
    struct made m;
    size_t bytes = 0;
    open_batch(device, BE_FLOAT64, 2, &m);
    struct be_eigen_batch wrong = m.of;
    check_fails(ops->eigen_scratch_bytes(device, &m.solver, BE_TF32, 2, 1, &bytes, &error),
                BE_ABSENT, "float64 and float32");
    check_fails(ops->eigen_scratch_bytes(device, &m.solver, BE_FLOAT64, 0, 1, &bytes, &error),
                BE_USAGE, "1 matrices of order 0");
    wrong.count = COUNT + 1;
    check_fails(ops->eigen_batched(device, &m.solver, &wrong, &error), BE_USAGE, "A: ");
    wrong = m.of;
    wrong.values = (struct be_part){&m.info, SHIFT};
    check_fails(ops->eigen_batched(device, &m.solver, &wrong, &error), BE_USAGE, "values: ");
    close_batch(device, &m);
}

/* ---- singular values ------------------------------------------------------------------------- */

/* A, U and V one behind the other in the place of a. */
enum { SVD_MAX = 32, SQUARES = COUNT * SVD_MAX * SVD_MAX };
static double u[SQUARES], v[SQUARES];

static struct be_svd_batch svd_of(const struct made *m) {
    const size_t each = m->of.precision == BE_FLOAT64 ? sizeof(double) : sizeof(float);
    const size_t n = (size_t)m->of.order;
    const size_t bytes = (COUNT * n * n * each + SHIFT - 1) / SHIFT * SHIFT;
    return (struct be_svd_batch){.precision = m->of.precision,
                                 .order = m->of.order,
                                 .count = COUNT,
                                 .a = {&m->a, SHIFT},
                                 .values = m->of.values,
                                 .u = {&m->a, SHIFT + bytes},
                                 .v = {&m->a, SHIFT + 2 * bytes},
                                 .scratch = m->of.scratch,
                                 .info = m->of.info};
}

/* Numbers of any matrices, and room behind them. */
static struct be_svd_batch open_svd(struct be_device *device, enum be_precision precision,
                                    int64_t order, struct made *m) {
    const size_t n = (size_t)order;
    size_t bytes = 0;
    open_batch(device, precision, order, m);
    device->ops->memory->release(device, &m->a);
    device->ops->memory->release(device, &m->scratch);
    make_buffer(device, &m->a, 3 * (COUNT * n * n * sizeof(double) + SHIFT));
    CHECK(device->ops->solver->svd_scratch_bytes(device, &m->solver, precision, order, COUNT,
                                                 &bytes, &error));
    make_buffer(device, &m->scratch, bytes);
    for (size_t i = 0; i < COUNT * n * n; i++) {
        number[i] = (double)(be_random_float(7, i) - 0.5F);
    }
    memcpy(u, number, sizeof u);
    narrow(precision, u, COUNT * n * n);
    put(device, &m->a, SHIFT, u, COUNT * n * n * (precision == BE_FLOAT64 ? 8 : 4));
    return svd_of(m);
}

/* Columns of length 1: A v = s u in each number, and values descend. */
static void check_singular(const struct made *m, size_t s) {
    const size_t n = (size_t)m->of.order;
    const double allowed = (m->of.precision == BE_FLOAT64 ? 1e-13 : 1e-4);
    for (size_t j = 0; j < n; j++) {
        const size_t at = (s * n + j) * n;
        double left = 0;
        double right = 0;
        assert_true(value[s * n + j] >= 0);
        assert_true(j == 0 || value[s * n + j] <= value[s * n + j - 1]);
        for (size_t i = 0; i < n; i++) {
            double sum = -value[s * n + j] * u[at + i];
            for (size_t k = 0; k < n; k++) {
                sum += number[(s * n + k) * n + i] * v[at + k];
            }
            assert_true(fabs(sum) <= allowed);
            left += u[at + i] * u[at + i];
            right += v[at + i] * v[at + i];
        }
        assert_true(fabs(left - 1) <= allowed && fabs(right - 1) <= allowed);
    }
}

static void finds_singular_values(struct be_device *device) {
    static const enum be_precision both[] = {BE_FLOAT64, BE_FLOAT32};
    static const int64_t some[] = {1, 3, SVD_MAX};
    for (size_t i = 0; i < 2 * BE_COUNT(some); i++) {
        struct made m;
        int32_t info[COUNT];
        const struct be_svd_batch of = open_svd(device, both[i % 2], some[i / 2], &m);
        const size_t n = (size_t)of.order;
        const size_t each = i % 2 == 0 ? sizeof(double) : sizeof(float);
        CHECK(device->ops->solver->svd_batched(device, &m.solver, &of, &error));
        CHECK(device->ops->queue->drain(device, BE_QUEUE_WORK, &error));
        get(device, u, of.u.buffer, of.u.offset, COUNT * n * n * each);
        get(device, v, of.v.buffer, of.v.offset, COUNT * n * n * each);
        get(device, value, &m.values, SHIFT, COUNT * n * each);
        get(device, info, &m.info, SHIFT, sizeof info);
        widen(of.precision, u, COUNT * n * n);
        widen(of.precision, v, COUNT * n * n);
        widen(of.precision, value, COUNT * n);
        for (size_t s = 0; s < COUNT; s++) {
            assert_int_equal(info[s], 0);
            check_singular(&m, s);
        }
        close_batch(device, &m);
    }
}

static void refuses_wrong_svds(struct be_device *device) {
    const struct be_solver_ops *ops = device->ops->solver;
    struct made m;
    size_t bytes = 0;
    const struct be_svd_batch right = open_svd(device, BE_FLOAT64, 2, &m);
    struct be_svd_batch wrong = right;
    check_fails(ops->svd_scratch_bytes(device, &m.solver, BE_TF32, 2, 1, &bytes, &error), BE_ABSENT,
                "float64 and float32");
    check_fails(ops->svd_scratch_bytes(device, &m.solver, BE_FLOAT64, 0, 1, &bytes, &error),
                BE_USAGE, "1 matrices of order 0");
    check_fails(
        ops->svd_scratch_bytes(device, &m.solver, BE_FLOAT64, SVD_MAX + 1, 1, &bytes, &error),
        BE_ABSENT, "up to order 32");
    wrong.u = (struct be_part){&m.info, SHIFT};
    check_fails(ops->svd_batched(device, &m.solver, &wrong, &error), BE_USAGE, "U: ");
    wrong = right;
    wrong.v = (struct be_part){&m.info, SHIFT};
    check_fails(ops->svd_batched(device, &m.solver, &wrong, &error), BE_USAGE, "V: ");
    close_batch(device, &m);
}

static const struct contract contracts[] = {
    {"finds values and vectors", finds_values_and_vectors},
    {"refuses wrong batches", refuses_wrong_batches},
    {"finds singular values", finds_singular_values},
    {"refuses wrong svds", refuses_wrong_svds},
};

int main(void) {
    return run_contracts("device eigen", contracts, BE_COUNT(contracts));
}
