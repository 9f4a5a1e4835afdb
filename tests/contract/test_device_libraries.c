/*
 * The vendor's libraries as device/device.h has them: general matrix products, small systems in batches, dense systems.
 * Each result against the plain formula. A test of something that a device lacks is skipped and says so.
 */
#include "devices.h"

#include <math.h>

#include "numbers.h"

/* ---- general matrix products ---------------------------------------------------------------- */

static void open_blas(struct be_device *device, struct be_blas *blas) {
    need(device, device->ops->blas, "matrix library", NULL);
    enum be_status status = device->ops->blas->open(device, blas, &error);
    need(device, status != BE_ABSENT, "matrix library", error.text);
    CHECK(status);
}

enum { M = 19, N = 11, K = 23, STRIDE = 29, SQUARE = STRIDE * STRIDE, SHIFT = 64 };

/* op(matrix)(row, column) */
static size_t place(bool transpose, size_t row, size_t column) {
    return transpose ? column + row * STRIDE : row + column * STRIDE;
}

static void check_product(const struct be_gemm *g, const void *a, const void *b, const void *before,
                          const void *after) {
    for (size_t column = 0; column < STRIDE; column++) {
        for (size_t row = 0; row < STRIDE; row++) {
            size_t at = row + column * STRIDE;
            double sum = 0;
            double size = 0;
            double old = g->beta == 0 ? 0 : g->beta * load(g->precision, before, at);
            for (size_t k = 0; k < K; k++) {
                double one = load(g->precision, a, place(g->transpose_a, row % M, k)) *
                             load(g->precision, b, place(g->transpose_b, k, column % N));
                sum += one;
                size += fabs(one);
            }
            double got = load(g->precision, after, at);
            double want = g->alpha * sum + old;
            double allowed = (K + 2) * rounding(g->precision) * (fabs(g->alpha) * size + fabs(old));
            if (row >= M || column >= N) { /* beyond C: as it was, NANs too */
                assert_memory_equal((const char *)after + at * size_of(g->precision),
                                    (const char *)before + at * size_of(g->precision),
                                    size_of(g->precision));
            } else if (!(fabs(got - want) <= allowed)) {
                fail_msg("row %zu, column %zu: %.17g, not %.17g", row, column, got, want);
            }
        }
    }
}

static void multiply(struct be_device *device, const struct be_blas *blas, struct be_gemm *g) {
    static double a[SQUARE], b[SQUARE], c[SQUARE], after[SQUARE];
    struct be_buffer on[3] = {{0}};
    const size_t bytes = SQUARE * size_of(g->precision);
    fill(g->precision, a, 1, SQUARE);
    fill(g->precision, b, 2, SQUARE);
    fill(g->precision, c, 3, SQUARE);
    for (size_t i = 0; g->beta == 0 && i < SQUARE; i++) {
        store(g->precision, c, i, (double)NAN);
    }
    make(device, &on[0], 0, a, bytes);
    make(device, &on[1], SHIFT, b, bytes);
    make(device, &on[2], (size_t)2 * SHIFT, c, bytes);
    g->a = (struct be_matrix){&on[0], 0, STRIDE};
    g->b = (struct be_matrix){&on[1], SHIFT, STRIDE};
    g->c = (struct be_matrix){&on[2], (size_t)2 * SHIFT, STRIDE};
    CHECK(device->ops->blas->gemm(device, blas, g, &error));
    drain(device);
    get(device, after, &on[2], (size_t)2 * SHIFT, bytes);
    check_product(g, a, b, c, after);
    for (size_t i = 0; i < BE_COUNT(on); i++) {
        device->ops->memory->release(device, &on[i]);
    }
}

static void multiplies_any_matrices(struct be_device *device) {
    const double scale[][2] = {{1, 0}, {-0.5, 2}};
    struct be_blas blas = {0};
    open_blas(device, &blas);
    for (size_t p = 0; p < BE_COUNT(both); p++) {
        for (int turn = 0; turn < 4; turn++) {
            for (size_t s = 0; s < BE_COUNT(scale); s++) {
                struct be_gemm gemm = {.precision = both[p],
                                       .transpose_a = turn & 1,
                                       .transpose_b = turn & 2,
                                       .m = M,
                                       .n = N,
                                       .k = K,
                                       .alpha = scale[s][0],
                                       .beta = scale[s][1]};
                multiply(device, &blas, &gemm);
            }
        }
    }
    device->ops->blas->close(device, &blas);
}

/* Integers, whose sums are exact; between the matrices of the batch there is room, which stays as it was. */
static void multiplies_batches(struct be_device *device) {
    enum { SIDE = 3, EACH = 9, APART = 11, BATCH = 4, ALL = APART * BATCH };
    struct be_blas blas = {0};
    struct be_buffer on[3] = {{0}};
    float matrix[2][ALL], after[ALL];
    open_blas(device, &blas);
    for (int i = 0; i < ALL; i++) {
        matrix[0][i] = (float)(i % 7 - 3);
        matrix[1][i] = (float)(i % 5 - 2);
        after[i] = 77;
    }
    make(device, &on[0], 0, matrix[0], sizeof after);
    make(device, &on[1], SHIFT, matrix[1], sizeof after);
    make(device, &on[2], 0, after, sizeof after);
    struct be_gemm gemm = be_gemm_square(BE_FLOAT32, SIDE, &on[0], &on[1], &on[2]);
    gemm.b.offset = SHIFT;
    gemm.batch = BATCH;
    gemm.a_step = gemm.b_step = gemm.c_step = APART;
    const enum be_status status = device->ops->blas->gemm(device, &blas, &gemm, &error);
    need(device, status != BE_ABSENT, "batches of products", error.text);
    CHECK(status);
    drain(device);
    get(device, after, &on[2], 0, sizeof after);
    for (int i = 0; i < ALL; i++) {
        const int first = i / APART * APART;
        const int row = i % APART % SIDE;
        const int column = i % APART / SIDE;
        float sum = i % APART < EACH ? 0 : 77;
        for (int k = 0; i % APART < EACH && k < SIDE; k++) {
            sum += matrix[0][first + row + k * SIDE] * matrix[1][first + k + column * SIDE];
        }
        assert_true(after[i] == sum);
    }
    gemm.batch = BATCH + 1;
    check_fails(device->ops->blas->gemm(device, &blas, &gemm, &error), BE_USAGE, "A: 9 x 4 bytes");
    for (size_t i = 0; i < BE_COUNT(on); i++) {
        device->ops->memory->release(device, &on[i]);
    }
    device->ops->blas->close(device, &blas);
}

static void refuses_wrong_products(struct be_device *device) {
    struct be_blas blas = {0};
    struct be_buffer small = {0};
    open_blas(device, &blas);
    make(device, &small, 0, NULL, 8 * 4 * sizeof(float));
    const struct be_matrix fits = {&small, 0, 8};
    const struct be_gemm right = {.precision = BE_FLOAT32,
                                  .m = 8,
                                  .n = 4,
                                  .k = 4,
                                  .alpha = 1,
                                  .a = fits,
                                  .b = fits,
                                  .c = fits};
    const struct be_gemm wrong[] = {
        {.precision = BE_FLOAT32, .m = 8, .n = 4, .k = 0, .a = fits, .b = fits, .c = fits},
        {.precision = BE_FLOAT32, .m = 8, .n = 5, .k = 4, .a = fits, .b = fits, .c = fits},
        {.precision = BE_FLOAT32,
         .m = 8,
         .n = 4,
         .k = 4,
         .a = fits,
         .b = {&small, 0, 3},
         .c = fits},
        {.precision = BE_FLOAT32,
         .m = 8,
         .n = 4,
         .k = 4,
         .a = fits,
         .b = fits,
         .c = {&small, 4, 8}},
        {.precision = BE_FLOAT32,
         .m = 7,
         .n = 4,
         .k = 4,
         .a = fits,
         .b = fits,
         .c = {&small, 2, 8}},
    };
    const char *const said[] = {"A: 8 x 0", "B: 36 x 4 bytes", "leading dimension of 3",
                                "C: 32 x 4 bytes from byte 4", "between two elements"};
    CHECK(device->ops->blas->gemm(device, &blas, &right, &error));
    drain(device);
    for (size_t i = 0; i < BE_COUNT(wrong); i++) {
        check_fails(device->ops->blas->gemm(device, &blas, &wrong[i], &error), BE_USAGE, said[i]);
    }
    device->ops->memory->release(device, &small);
    device->ops->blas->close(device, &blas);
}

/* ---- small systems in batches --------------------------------------------------------------- */

enum { COUNT = 37, SINGULAR = 20, ORDER_MAX = 33 };

struct batch {
    struct be_buffer a, b, scratch, info;
    struct be_lu_batch lu;
};
static double batch_a[COUNT * ORDER_MAX * ORDER_MAX], batch_b[COUNT * ORDER_MAX],
    batch_x[COUNT * ORDER_MAX];

/* Random ones need their pivots; one has a column of zeroes. */
static void make_batch(struct be_device *device, enum be_precision precision, int order,
                       struct batch *batch) {
    const size_t n = (size_t)order;
    const size_t each = size_of(precision);
    *batch = (struct batch){0};
    fill(precision, batch_a, 4, COUNT * n * n);
    fill(precision, batch_b, 5, COUNT * n);
    for (size_t row = 0; row < n; row++) {
        store(precision, batch_a, SINGULAR * n * n + (n - 1) * n + row, 0);
    }
    make(device, &batch->a, SHIFT, NULL, COUNT * n * n * each);
    make(device, &batch->b, SHIFT, NULL, COUNT * n * each);
    make(device, &batch->scratch, SHIFT, NULL, device->ops->blas->lu_scratch_bytes(order, COUNT));
    make(device, &batch->info, SHIFT, NULL, COUNT * sizeof(int32_t));
    batch->lu = (struct be_lu_batch){.precision = precision,
                                     .order = order,
                                     .count = COUNT,
                                     .a = {&batch->a, SHIFT},
                                     .b = {&batch->b, SHIFT},
                                     .scratch = {&batch->scratch, SHIFT},
                                     .info = {&batch->info, SHIFT}};
}

static void free_batch(struct be_device *device, struct batch *batch) {
    device->ops->memory->release(device, &batch->info);
    device->ops->memory->release(device, &batch->scratch);
    device->ops->memory->release(device, &batch->b);
    device->ops->memory->release(device, &batch->a);
}

/* |A x - b| is what backward stable elimination leaves. */
static void check_solution(enum be_precision precision, size_t n, size_t stride, const void *a,
                           size_t a_from, const void *b, const void *x, size_t from,
                           const char *what) {
    for (size_t row = 0; row < n; row++) {
        double sum = 0;
        double size = 0;
        for (size_t column = 0; column < n; column++) {
            double one = load(precision, a, a_from + row + column * stride) *
                         load(precision, x, from + column);
            sum += one;
            size = fmax(size, fabs(load(precision, x, from + column)));
        }
        double want = load(precision, b, from + row);
        double allowed = 8 * (double)n * (double)n * rounding(precision) * (size + fabs(want));
        if (!(fabs(sum - want) <= allowed)) {
            fail_msg("%s, row %zu: residual %g, allowed %g", what, row, sum - want, allowed);
        }
    }
}

static void check_batch(struct be_device *device, const struct batch *batch) {
    int32_t info[COUNT];
    const enum be_precision precision = batch->lu.precision;
    const size_t n = (size_t)batch->lu.order;
    get(device, batch_x, &batch->b, SHIFT, COUNT * n * size_of(precision));
    get(device, info, &batch->info, SHIFT, sizeof info);
    for (size_t i = 0; i < COUNT; i++) {
        char what[BE_NAME];
        snprintf(what, sizeof what, "system %zu of order %zu", i, n);
        assert_int_equal(info[i], i == SINGULAR ? batch->lu.order : 0);
        if (i != SINGULAR) {
            check_solution(precision, n, n, batch_a, i * n * n, batch_b, batch_x, i * n, what);
        }
    }
}

/* Prepared once, then solved several times, whole and in two parts. */
static void solve_batch(struct be_device *device, const struct be_blas *blas,
                        const struct batch *batch) {
    const struct be_blas_ops *ops = device->ops->blas;
    const size_t n = (size_t)batch->lu.order;
    const size_t each = size_of(batch->lu.precision);
    CHECK(ops->lu_prepare(device, blas, &batch->lu, &error));
    for (int parts = 1; parts <= 2; parts++) {
        const int first = COUNT - COUNT / parts;
        put(device, &batch->a, SHIFT, batch_a, COUNT * n * n * each);
        put(device, &batch->b, SHIFT, batch_b, COUNT * n * each);
        CHECK(device->ops->queue->fill(device, BE_QUEUE_WORK, &batch->info, 0, 0xff,
                                       batch->info.bytes, &error));
        CHECK(ops->lu_batched(device, blas, &batch->lu, first, COUNT - first, &error));
        if (first > 0) {
            CHECK(ops->lu_batched(device, blas, &batch->lu, 0, first, &error));
        }
        drain(device);
        check_batch(device, batch);
    }
}

static void solves_small_systems(struct be_device *device) {
    const int orders[] = {1, 5, ORDER_MAX};
    struct be_blas blas = {0};
    need(device, device->ops->blas && device->ops->blas->lu_batched, "batches of systems", NULL);
    open_blas(device, &blas);
    for (size_t p = 0; p < BE_COUNT(both); p++) {
        for (size_t o = 0; o < BE_COUNT(orders); o++) {
            struct batch batch;
            make_batch(device, both[p], orders[o], &batch);
            solve_batch(device, &blas, &batch);
            free_batch(device, &batch);
        }
    }
    device->ops->blas->close(device, &blas);
}

static void refuses_wrong_batches(struct be_device *device) {
    struct be_blas blas = {0};
    struct batch batch;
    need(device, device->ops->blas && device->ops->blas->lu_batched, "batches of systems", NULL);
    open_blas(device, &blas);
    const struct be_blas_ops *ops = device->ops->blas;
    make_batch(device, BE_FLOAT32, 5, &batch);
    struct be_lu_batch wrong = batch.lu;
    wrong.precision = BE_FLOAT16;
    check_fails(ops->lu_prepare(device, &blas, &wrong, &error), BE_ABSENT, "float64 and float32");
    wrong = batch.lu;
    wrong.count = COUNT + 1;
    check_fails(ops->lu_prepare(device, &blas, &wrong, &error), BE_USAGE, "A: 950 x 4 bytes");
    wrong = batch.lu;
    wrong.scratch.offset += sizeof(uintptr_t);
    check_fails(ops->lu_prepare(device, &blas, &wrong, &error), BE_USAGE, "scratch");
    wrong = batch.lu;
    wrong.order = 0;
    check_fails(ops->lu_batched(device, &blas, &wrong, 0, 1, &error), BE_USAGE, "order 0");
    check_fails(ops->lu_batched(device, &blas, &batch.lu, 1, COUNT, &error), BE_USAGE, "1 to 38");
    free_batch(device, &batch);
    device->ops->blas->close(device, &blas);
}

/* ---- dense systems -------------------------------------------------------------------------- */

enum { LARGE = 131, WIDE = LARGE + 5, SIDES = 3 };

struct dense {
    struct be_solver solver;
    struct be_buffer a, b, pivots, scratch, info;
    struct be_dense of;
};
static double dense_a[WIDE * LARGE], dense_b[WIDE * SIDES], dense_x[WIDE * SIDES];

static void make_dense(struct be_device *device, enum be_precision precision, struct dense *dense) {
    const struct be_solver_ops *ops = device->ops->solver;
    const size_t each = size_of(precision);
    size_t bytes = 0;
    *dense = (struct dense){0};
    need(device, ops, "solver", NULL);
    enum be_status status = ops->open(device, &dense->solver, &error);
    need(device, status != BE_ABSENT, "solver", error.text);
    CHECK(status);
    assert_true(dense->solver.name[0] != '\0' && dense->solver.open_s >= 0);
    CHECK(ops->scratch_bytes(device, &dense->solver, precision, LARGE, &bytes, &error));
    fill(precision, dense_a, 6, WIDE * LARGE);
    fill(precision, dense_b, 7, WIDE * SIDES);
    make(device, &dense->a, SHIFT, dense_a, WIDE * LARGE * each);
    make(device, &dense->b, SHIFT, dense_b, WIDE * SIDES * each);
    make(device, &dense->pivots, SHIFT, NULL, LARGE * sizeof(int64_t));
    make(device, &dense->scratch, 0, NULL, bytes);
    make(device, &dense->info, SHIFT, NULL, 2 * sizeof(int32_t));
    CHECK(device->ops->queue->fill(device, BE_QUEUE_WORK, &dense->info, 0, 0xff, dense->info.bytes,
                                   &error));
    dense->of = (struct be_dense){.precision = precision,
                                  .order = LARGE,
                                  .right_sides = SIDES,
                                  .a = {&dense->a, SHIFT, WIDE},
                                  .b = {&dense->b, SHIFT, WIDE},
                                  .pivots = {&dense->pivots, SHIFT},
                                  .scratch = {&dense->scratch, 0},
                                  .info = {&dense->info, SHIFT}};
}

static void free_dense(struct be_device *device, struct dense *dense) {
    struct be_buffer *const buffer[] = {&dense->info, &dense->scratch, &dense->pivots, &dense->b,
                                        &dense->a};
    for (size_t i = 0; i < BE_COUNT(buffer); i++) {
        device->ops->memory->release(device, buffer[i]);
    }
    device->ops->solver->close(device, &dense->solver);
    assert_int_equal(dense->solver.handle, 0);
    device->ops->solver->close(device, &dense->solver); /* a second time: nothing */
}

/* `b` is what stood on the right. */
static void check_dense(struct be_device *device, const struct dense *dense, const void *b) {
    const enum be_precision precision = dense->of.precision;
    const size_t each = size_of(precision);
    int32_t info[2];
    drain(device);
    get(device, info, &dense->info, SHIFT, sizeof info);
    assert_int_equal(info[0], 0);
    assert_int_equal(info[1], 0);
    get(device, dense_x, &dense->b, SHIFT, WIDE * SIDES * each);
    for (int64_t side = 0; side < dense->of.right_sides; side++) {
        char what[BE_NAME];
        snprintf(what, sizeof what, "%zu-byte numbers, right side %d", each, (int)side);
        check_solution(precision, LARGE, WIDE, dense_a, 0, b, dense_x, (size_t)side * WIDE, what);
    }
}

static void solves_a_dense_system(struct be_device *device) {
    for (size_t p = 0; p < BE_COUNT(both); p++) {
        struct dense dense;
        make_dense(device, both[p], &dense);
        CHECK(device->ops->solver->lu_solve(device, &dense.solver, &dense.of, &error));
        check_dense(device, &dense, dense_b);
        free_dense(device, &dense);
    }
}

/* Factors serve several solves, as refining a solution needs them. */
static void solves_with_kept_factors(struct be_device *device) {
    for (size_t p = 0; p < BE_COUNT(both); p++) {
        struct dense dense;
        static double other[WIDE * SIDES];
        make_dense(device, both[p], &dense);
        CHECK(device->ops->solver->factor(device, &dense.solver, &dense.of, &error));
        for (int round = 0; round < 2; round++) {
            fill(both[p], other, 8 + round, WIDE * SIDES);
            put(device, &dense.b, SHIFT, other, WIDE * SIDES * size_of(both[p]));
            dense.of.right_sides = 1 + round;
            CHECK(device->ops->solver->solve(device, &dense.solver, &dense.of, &error));
            check_dense(device, &dense, other);
        }
        free_dense(device, &dense);
    }
}

static void says_that_a_matrix_is_singular(struct be_device *device) {
    struct dense dense;
    int32_t info[2];
    make_dense(device, BE_FLOAT64, &dense);
    memset(dense_a + (size_t)(LARGE - 1) * WIDE, 0, LARGE * sizeof *dense_a);
    put(device, &dense.a, SHIFT, dense_a, sizeof dense_a);
    CHECK(device->ops->solver->factor(device, &dense.solver, &dense.of, &error));
    drain(device);
    get(device, info, &dense.info, SHIFT, sizeof info);
    assert_int_equal(info[0], LARGE);
    free_dense(device, &dense);
}

static void refuses_wrong_systems(struct be_device *device) {
    const struct be_solver_ops *ops = device->ops->solver;
    struct dense dense;
    size_t bytes = 0;
    make_dense(device, BE_FLOAT32, &dense);
    const struct be_solver *solver = &dense.solver;
    check_fails(ops->scratch_bytes(device, solver, BE_TF32, LARGE, &bytes, &error), BE_ABSENT,
                "float64 and float32");
    check_fails(ops->scratch_bytes(device, solver, BE_FLOAT32, 0, &bytes, &error), BE_USAGE,
                "order 0");
    struct be_dense wrong = dense.of;
    wrong.order = LARGE + 1;
    check_fails(ops->lu_solve(device, solver, &wrong, &error), BE_USAGE, "A: ");
    wrong = dense.of;
    wrong.scratch = (struct be_part){&dense.info, 0};
    check_fails(ops->factor(device, solver, &wrong, &error), BE_USAGE, "scratch");
    wrong = dense.of;
    wrong.right_sides = SIDES + 1;
    check_fails(ops->solve(device, solver, &wrong, &error), BE_USAGE, "B: ");
    wrong.precision = BE_FLOAT16;
    check_fails(ops->solve(device, solver, &wrong, &error), BE_ABSENT, "float64 and float32");
    free_dense(device, &dense);
}

static const struct contract contracts[] = {
    {"multiplies any matrices", multiplies_any_matrices},
    {"multiplies batches", multiplies_batches},
    {"refuses wrong products", refuses_wrong_products},
    {"solves small systems", solves_small_systems},
    {"refuses wrong batches", refuses_wrong_batches},
    {"solves a dense system", solves_a_dense_system},
    {"solves with kept factors", solves_with_kept_factors},
    {"says that a matrix is singular", says_that_a_matrix_is_singular},
    {"refuses wrong systems", refuses_wrong_systems},
};

int main(void) {
    return run_contracts("device libraries", contracts, BE_COUNT(contracts));
}
