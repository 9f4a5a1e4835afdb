/* A small piece of work for each of the vendor's libraries, one after the other on one device. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "device/dnn.h"
#include "job.h"

enum { BYTES = 8192, PIECES = 6 };

/* The objects that are open; zeroes are released as nothing. */
struct lab {
    struct be_device *device;
    const struct be_device_ops *ops;
    struct be_buffer buffer[PIECES];
    struct be_pinned pinned;
};

static enum be_status open_lab(struct lab *lab, struct be_error *error) {
    struct be_device_info info;
    int count = 0;
    lab->ops = &be_cuda_ops;
    enum be_status status = lab->ops->probe(&info, 1, &count, error);
    status = status == BE_OK ? lab->ops->open(&info, NULL, &lab->device, error) : status;
    status =
        status == BE_OK ? lab->ops->memory->pin(lab->device, BYTES, &lab->pinned, error) : status;
    for (int i = 0; status == BE_OK && i < PIECES; i++) {
        status = lab->ops->memory->alloc(lab->device, BYTES, &lab->buffer[i], error);
    }
    return status;
}

static void close_lab(struct lab *lab) {
    for (int i = 0; lab->device && i < PIECES; i++) {
        lab->ops->memory->release(lab->device, &lab->buffer[i]);
    }
    if (lab->device) {
        lab->ops->memory->unpin(lab->device, &lab->pinned);
        lab->ops->close(lab->device);
    }
}

/* Through page-locked memory, and waits. */
static enum be_status bring(struct lab *lab, int piece, const void *from, size_t bytes,
                            struct be_error *error) {
    memcpy(lab->pinned.host, from, bytes);
    enum be_status status = lab->ops->queue->write(lab->device, BE_QUEUE_WORK, &lab->buffer[piece],
                                                   0, lab->pinned.host, bytes, error);
    return status == BE_OK ? lab->ops->queue->drain(lab->device, BE_QUEUE_WORK, error) : status;
}

static enum be_status fetch(struct lab *lab, int piece, void *to, size_t bytes,
                            struct be_error *error) {
    enum be_status status = lab->ops->queue->read(lab->device, BE_QUEUE_WORK, lab->pinned.host,
                                                  &lab->buffer[piece], 0, bytes, error);
    status = status == BE_OK ? lab->ops->queue->drain(lab->device, BE_QUEUE_WORK, error) : status;
    if (status == BE_OK) {
        memcpy(to, lab->pinned.host, bytes);
    }
    return status;
}

/* The same numbers as float64 or float32. */
static size_t as(enum be_precision precision, void *to, const double *from, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (precision == BE_FLOAT64) {
            ((double *)to)[i] = from[i];
        } else {
            ((float *)to)[i] = (float)from[i];
        }
    }
    return count * (precision == BE_FLOAT64 ? sizeof(double) : sizeof(float));
}

static enum be_status bring_as(struct lab *lab, enum be_precision precision, int piece,
                               const double *from, size_t count, struct be_error *error) {
    double numbers[BYTES / sizeof(double)];
    size_t bytes = as(precision, numbers, from, count);
    return bring(lab, piece, numbers, bytes, error);
}

/* BE_WRONG: not what is wanted, to float32's rounding. */
static enum be_status expect_as(struct lab *lab, enum be_precision precision, int piece,
                                const double *want, size_t count, const char *what,
                                struct be_error *error) {
    double numbers[64];
    size_t bytes = as(precision, numbers, want, count);
    enum be_status status = fetch(lab, piece, numbers, bytes, error);
    for (size_t i = 0; status == BE_OK && i < count; i++) {
        double got = precision == BE_FLOAT64 ? numbers[i] : (double)((float *)(void *)numbers)[i];
        if (!(fabs(got - want[i]) <= 1e-5)) {
            status =
                be_fail(error, BE_WRONG, "%s: number %zu is %g, not %g", what, i, got, want[i]);
        }
    }
    return status;
}

static const enum be_precision both[] = {BE_FLOAT64, BE_FLOAT32};

/* ---- products ------------------------------------------------------------------------------- */

/* An outer product, its strides such that the library's 64-bit form must be asked. */
static enum be_status products(struct lab *lab, const struct be_blas *blas,
                               struct be_error *error) {
    const double a[] = {1, 2, 3};
    const double b[] = {10};
    const double c[] = {20, 40, 60};
    enum be_status status = bring_as(lab, BE_FLOAT64, 0, a, 3, error);
    status = status == BE_OK ? bring_as(lab, BE_FLOAT64, 1, b, 1, error) : status;
    for (int shift = 4; status == BE_OK && shift <= 40; shift += 36) {
        const struct be_gemm gemm = {.precision = BE_FLOAT64,
                                     .m = 3,
                                     .n = 1,
                                     .k = 1,
                                     .alpha = 2,
                                     .a = {&lab->buffer[0], 0, 3},
                                     .b = {&lab->buffer[1], 0, (int64_t)1 << shift},
                                     .c = {&lab->buffer[2], 0, 3}};
        status = lab->ops->blas->gemm(lab->device, blas, &gemm, error);
        status = status == BE_OK ? expect_as(lab, BE_FLOAT64, 2, c, 3, "product", error) : status;
    }
    return status;
}

/* Two products of numbers, which lie two apart. */
static enum be_status batch_of_products(struct lab *lab, const struct be_blas *blas,
                                        struct be_error *error) {
    const double a[] = {1, 2, 3};
    const double b[] = {10, 20, 30};
    const double c[] = {10, 90};
    struct be_gemm gemm =
        be_gemm_square(BE_FLOAT64, 1, &lab->buffer[0], &lab->buffer[1], &lab->buffer[2]);
    gemm.batch = 2;
    gemm.a_step = gemm.b_step = 2;
    gemm.c_step = 1;
    enum be_status status = bring_as(lab, BE_FLOAT64, 0, a, 3, error);
    status = status == BE_OK ? bring_as(lab, BE_FLOAT64, 1, b, 3, error) : status;
    status = status == BE_OK ? lab->ops->blas->gemm(lab->device, blas, &gemm, error) : status;
    return status == BE_OK ? expect_as(lab, BE_FLOAT64, 2, c, 2, "batch", error) : status;
}

/* Two systems of order 2, the first in need of its pivot. */
static enum be_status batches(struct lab *lab, const struct be_blas *blas,
                              enum be_precision precision, struct be_error *error) {
    const double a[] = {0, 1, 2, 0, 4, 0, 0, 8};
    const double b[] = {6, 5, 4, 16};
    const double x[] = {5, 3, 1, 2};
    const struct be_lu_batch batch = {.precision = precision,
                                      .order = 2,
                                      .count = 2,
                                      .a = {&lab->buffer[0], 0},
                                      .b = {&lab->buffer[1], 0},
                                      .scratch = {&lab->buffer[2], 0},
                                      .info = {&lab->buffer[3], 0}};
    enum be_status status = bring_as(lab, precision, 0, a, 8, error);
    status = status == BE_OK ? bring_as(lab, precision, 1, b, 4, error) : status;
    if (status == BE_OK) {
        status = lab->ops->blas->lu_prepare(lab->device, blas, &batch, error);
    }
    if (status == BE_OK) {
        status = lab->ops->blas->lu_batched(lab->device, blas, &batch, 0, 2, error);
    }
    return status == BE_OK ? expect_as(lab, precision, 1, x, 4, "batch", error) : status;
}

static enum be_status use_blas(struct lab *lab, struct be_error *error) {
    struct be_blas blas = {0};
    enum be_status status = lab->ops->blas->open(lab->device, &blas, error);
    status = status == BE_OK ? products(lab, &blas, error) : status;
    status = status == BE_OK ? batch_of_products(lab, &blas, error) : status;
    for (size_t i = 0; status == BE_OK && i < BE_COUNT(both); i++) {
        status = batches(lab, &blas, both[i], error);
    }
    lab->ops->blas->close(lab->device, &blas);
    return status;
}

/* ---- a dense system ------------------------------------------------------------------------- */

/* In need of its pivot; factored once, and solved for two right sides, then for a third. */
static enum be_status systems(struct lab *lab, const struct be_solver *solver,
                              enum be_precision precision, struct be_error *error) {
    const double a[] = {0, 1, 2, 0};
    const double b[] = {6, 5, 4, 8};
    const double x[] = {5, 3, 8, 2};
    const double b3[] = {10, 1};
    const double x3[] = {1, 5};
    size_t bytes = 0;
    struct be_dense dense = {.precision = precision,
                             .order = 2,
                             .right_sides = 2,
                             .a = {&lab->buffer[0], 0, 2},
                             .b = {&lab->buffer[1], 0, 2},
                             .pivots = {&lab->buffer[2], 0},
                             .scratch = {&lab->buffer[3], 0},
                             .info = {&lab->buffer[4], 0}};
    enum be_status status = bring_as(lab, precision, 0, a, 4, error);
    status = status == BE_OK ? bring_as(lab, precision, 1, b, 4, error) : status;
    if (status == BE_OK) {
        status = lab->ops->solver->scratch_bytes(lab->device, solver, precision, 2, &bytes, error);
    }
    if (status == BE_OK) {
        status = lab->ops->solver->lu_solve(lab->device, solver, &dense, error);
    }
    status =
        status == BE_OK ? expect_as(lab, precision, 1, x, 4, "two right sides", error) : status;
    status = status == BE_OK ? bring_as(lab, precision, 1, b3, 2, error) : status;
    dense.right_sides = 1;
    if (status == BE_OK) {
        status = lab->ops->solver->solve(lab->device, solver, &dense, error);
    }
    return status == BE_OK ? expect_as(lab, precision, 1, x3, 2, "a third", error) : status;
}

/* Numbers on a diagonal, in descending order: so few rows that Jacobi's method is taken, and more. */
static enum be_status eigenvalues(struct lab *lab, const struct be_solver *solver,
                                  enum be_precision precision, size_t order,
                                  struct be_error *error) {
    static double a[BYTES / sizeof(double)];
    double values[BYTES / sizeof(double)];
    size_t bytes = 0;
    const struct be_eigen_batch batch = {.precision = precision,
                                         .order = (int64_t)order,
                                         .count = 1,
                                         .a = {&lab->buffer[0], 0},
                                         .values = {&lab->buffer[1], 0},
                                         .scratch = {&lab->buffer[2], 0},
                                         .info = {&lab->buffer[3], 0}};
    memset(a, 0, sizeof a);
    for (size_t i = 0; i < order; i++) {
        a[i * order + i] = (double)(order - i);
        values[i] = (double)i + 1;
    }
    enum be_status status = lab->ops->solver->eigen_scratch_bytes(
        lab->device, solver, precision, batch.order, batch.count, &bytes, error);
    status = status == BE_OK ? bring_as(lab, precision, 0, a, order * order, error) : status;
    status = status == BE_OK ? lab->ops->solver->eigen_batched(lab->device, solver, &batch, error)
                             : status;
    return status == BE_OK ? expect_as(lab, precision, 1, values, order, "eigenvalues", error)
                           : status;
}

/* Likewise singular values, of which none is negative. */
static enum be_status singular_values(struct lab *lab, const struct be_solver *solver,
                                      enum be_precision precision, struct be_error *error) {
    static const double a[] = {0, 2, -3, 0};
    static const double values[] = {3, 2};
    size_t bytes = 0;
    const struct be_svd_batch batch = {.precision = precision,
                                       .order = 2,
                                       .count = 1,
                                       .a = {&lab->buffer[0], 0},
                                       .values = {&lab->buffer[1], 0},
                                       .u = {&lab->buffer[0], 256},
                                       .v = {&lab->buffer[0], 512},
                                       .scratch = {&lab->buffer[2], 0},
                                       .info = {&lab->buffer[3], 0}};
    enum be_status status = lab->ops->solver->svd_scratch_bytes(
        lab->device, solver, precision, batch.order, batch.count, &bytes, error);
    status = status == BE_OK ? bring_as(lab, precision, 0, a, 4, error) : status;
    status = status == BE_OK ? lab->ops->solver->svd_batched(lab->device, solver, &batch, error)
                             : status;
    return status == BE_OK ? expect_as(lab, precision, 1, values, 2, "singular values", error)
                           : status;
}

static enum be_status use_solver(struct lab *lab, struct be_error *error) {
    struct be_solver solver = {0};
    enum be_status status = lab->ops->solver->open(lab->device, &solver, error);
    for (size_t i = 0; status == BE_OK && i < BE_COUNT(both); i++) {
        status = systems(lab, &solver, both[i], error);
        status = status == BE_OK ? eigenvalues(lab, &solver, both[i], 2, error) : status;
        status = status == BE_OK ? eigenvalues(lab, &solver, both[i], 32, error) : status;
        status = status == BE_OK ? singular_values(lab, &solver, both[i], error) : status;
    }
    lab->ops->solver->close(lab->device, &solver);
    return status;
}

/* ---- transforms and sparse matrices --------------------------------------------------------- */

static enum be_status transform(struct lab *lab, const struct be_fft_form *form, const double *in,
                                size_t in_floats, const double *out, size_t out_floats,
                                struct be_error *error) {
    const struct be_part from = {&lab->buffer[0], 0};
    const struct be_part to = {&lab->buffer[1], 0};
    struct be_fft fft = {0};
    enum be_status status = bring_as(lab, BE_FLOAT32, 0, in, in_floats, error);
    status = status == BE_OK ? lab->ops->fft->open(lab->device, form, &fft, error) : status;
    if (status == BE_OK) {
        status = lab->ops->fft->forward(lab->device, &fft, &from, &to, error);
    }
    status = status == BE_OK ? expect_as(lab, BE_FLOAT32, 1, out, out_floats, "transform", error)
                             : status;
    lab->ops->fft->close(lab->device, &fft);
    return status;
}

/* Two of four points: an impulse, and a wave; and a real image of 2 x 2. */
static enum be_status use_fft(struct lab *lab, struct be_error *error) {
    static const struct be_fft_form form = {.rows = 1, .columns = 4, .batch = 2};
    static const struct be_fft_form image = {.rows = 2, .columns = 2, .batch = 1, .real = true};
    const double in[] = {0, 0, 1, 0, 0, 0, 0, 0, 1, 0, -1, 0, 1, 0, -1, 0};
    const double out[] = {1, 0, 0, -1, -1, 0, 0, 1, 0, 0, 0, 0, 4, 0, 0, 0};
    const double points[] = {1, 2, 4, 8};
    const double spectrum[] = {15, 0, -5, 0, -9, 0, 3, 0};
    enum be_status status = transform(lab, &form, in, BE_COUNT(in), out, BE_COUNT(out), error);
    return status == BE_OK ? transform(lab, &image, points, BE_COUNT(points), spectrum,
                                       BE_COUNT(spectrum), error)
                           : status;
}

/* 3 x 2, the second row empty. */
static enum be_status use_sparse(struct lab *lab, enum be_precision precision,
                                 struct be_error *error) {
    const int32_t offsets[] = {0, 1, 1, 3};
    const int32_t indices[] = {1, 0, 1};
    const double values[] = {2, 3, 4};
    const double x[] = {10, 100};
    const double y[] = {200, 0, 430};
    const struct be_csr csr = {.precision = precision,
                               .rows = 3,
                               .columns = 2,
                               .nonzeros = 3,
                               .offsets = {&lab->buffer[0], 0},
                               .indices = {&lab->buffer[1], 0},
                               .values = {&lab->buffer[2], 0},
                               .x = {&lab->buffer[3], 0},
                               .y = {&lab->buffer[4], 0}};
    struct be_sparse sparse = {0};
    enum be_status status = bring(lab, 0, offsets, sizeof offsets, error);
    status = status == BE_OK ? bring(lab, 1, indices, sizeof indices, error) : status;
    status = status == BE_OK ? bring_as(lab, precision, 2, values, 3, error) : status;
    status = status == BE_OK ? bring_as(lab, precision, 3, x, 2, error) : status;
    status = status == BE_OK ? lab->ops->sparse->open(lab->device, &csr, &sparse, error) : status;
    status = status == BE_OK ? lab->ops->sparse->multiply(lab->device, &sparse, error) : status;
    status = status == BE_OK ? expect_as(lab, precision, 4, y, 3, "sparse", error) : status;
    lab->ops->sparse->close(lab->device, &sparse);
    return status;
}

/* ---- convolutions --------------------------------------------------------------------------- */

/* An image of 2 x 2 under two weights of 1 x 1, and back. */
static enum be_status convolve_each_way(struct lab *lab, const struct be_dnn *dnn,
                                        const struct be_convolution *convolution,
                                        struct be_error *error) {
    const double in[] = {1, 2, 3, 4};
    const double weights[] = {10, -1};
    const double out[] = {10, 20, 30, 40, -1, -2, -3, -4};
    const double by_input[] = {101, 202, 303, 404};
    const double by_weights[] = {300, -30};
    const struct be_convolve with = {.in = {&lab->buffer[0], 0},
                                     .weights = {&lab->buffer[1], 0},
                                     .out = {&lab->buffer[2], 0},
                                     .scratch = {&lab->buffer[3], 0}};
    const struct {
        int piece;
        const double *numbers;
        size_t count;
    } wanted[BE_CONVOLVE_WAYS] = {{2, out, 8}, {0, by_input, 4}, {1, by_weights, 2}};
    enum be_status status = BE_OK;
    for (int way = 0; status == BE_OK && way < BE_CONVOLVE_WAYS; way++) {
        status = bring_as(lab, BE_FLOAT32, 0, in, 4, error);
        status = status == BE_OK ? bring_as(lab, BE_FLOAT32, 1, weights, 2, error) : status;
        if (status == BE_OK) {
            status = lab->ops->dnn->convolve(lab->device, dnn, convolution,
                                             (enum be_convolve_way)way, &with, error);
        }
        if (status == BE_OK) {
            status = expect_as(lab, BE_FLOAT32, wanted[way].piece, wanted[way].numbers,
                               wanted[way].count, "convolution", error);
        }
    }
    return status;
}

static enum be_status use_dnn(struct lab *lab, struct be_error *error) {
    static const struct be_convolution_form form = {.precision = BE_FLOAT32,
                                                    .images = 1,
                                                    .channels = 1,
                                                    .height = 2,
                                                    .width = 2,
                                                    .outputs = 2,
                                                    .size = 1,
                                                    .stride = 1};
    struct be_dnn dnn = {0};
    struct be_convolution convolution = {0};
    enum be_status status = lab->ops->dnn->open(lab->device, &dnn, error);
    if (status == BE_OK) {
        status = lab->ops->dnn->prepare(lab->device, &dnn, &form, BYTES, &convolution, error);
    }
    status = status == BE_OK ? convolve_each_way(lab, &dnn, &convolution, error) : status;
    lab->ops->dnn->forget(lab->device, &dnn, &convolution);
    lab->ops->dnn->close(lab->device, &dnn);
    return status;
}

/* ---- all of them ---------------------------------------------------------------------------- */

enum be_status job_libraries(struct be_error *error) {
    struct lab lab = {0};
    enum be_status status = open_lab(&lab, error);
    status = status == BE_OK ? use_blas(&lab, error) : status;
    status = status == BE_OK ? use_solver(&lab, error) : status;
    status = status == BE_OK ? use_fft(&lab, error) : status;
    for (size_t i = 0; status == BE_OK && i < BE_COUNT(both); i++) {
        status = use_sparse(&lab, both[i], error);
    }
    status = status == BE_OK ? use_dnn(&lab, error) : status;
    close_lab(&lab);
    return status;
}
