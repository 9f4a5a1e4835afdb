/* A device's matrix units in float64, through its vendor's library: what no kernel of ours can measure. */
#include <math.h>

#include "base/error.h"
#include "machine/ceilings.h"

enum { SMALLEST = 256, LARGEST = 4096, TRIES = 5 };

static const double enough_s = 1e-3; /* a product that takes so long keeps a large device at work */

struct product {
    struct be_device *device;
    struct be_clock clock;
    struct be_blas blas;
    struct be_buffer matrix[3];
};

static void close_matrices(struct product *p) {
    for (int i = 0; i < 3; i++) {
        p->device->ops->memory->release(p->device, &p->matrix[i]);
    }
}

static enum be_status open_matrices(struct product *p, int64_t n, struct be_error *error) {
    const size_t bytes = (size_t)n * (size_t)n * sizeof(double);
    const struct be_device_ops *ops = p->device->ops;
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < 3; i++) {
        status = ops->memory->alloc(p->device, bytes, &p->matrix[i], error);
        if (status == BE_OK) { /* 0x3f3f... is a number near 5e-4: not zeros */
            status =
                ops->queue->fill(p->device, BE_QUEUE_WORK, &p->matrix[i], 0, 0x3f, bytes, error);
        }
    }
    return status;
}

/* Least seconds of a product of order n, of `tries`; the first of them warms up. */
static enum be_status min_time(struct product *p, int64_t n, int tries, double *min_s,
                               struct be_error *error) {
    const struct be_gemm gemm =
        be_gemm_square(BE_FLOAT64, n, &p->matrix[0], &p->matrix[1], &p->matrix[2]);
    const struct be_device_ops *ops = p->device->ops;
    enum be_status status = BE_OK;
    *min_s = INFINITY;
    for (int i = 0; status == BE_OK && i <= tries; i++) {
        const double start = be_now(&p->clock);
        status = ops->blas->gemm(p->device, &p->blas, &gemm, error);
        status = status == BE_OK ? ops->queue->drain(p->device, BE_QUEUE_WORK, error) : status;
        const double seconds = be_now(&p->clock) - start;
        *min_s = i > 0 ? fmin(*min_s, seconds) : *min_s;
    }
    return status;
}

static enum be_status measure(struct product *p, struct be_cancel cancel, double *rate,
                              struct be_error *error) {
    double seconds = 0;
    int64_t n = SMALLEST / 2;
    enum be_status status = BE_OK;
    while (status == BE_OK && n < LARGEST && seconds < enough_s && !be_cancel_asked(&cancel)) {
        n *= 2;
        close_matrices(p);
        status = open_matrices(p, n, error);
        status = status == BE_OK ? min_time(p, n, 1, &seconds, error) : status;
    }
    if (status == BE_OK && !be_cancel_asked(&cancel)) {
        status = min_time(p, n, TRIES, &seconds, error);
        *rate = 2 * (double)n * (double)n * (double)n / seconds;
    }
    return status;
}

enum be_status be_ceilings_matrix(struct be_device *device, struct be_cancel cancel,
                                  struct be_ceilings *ceilings, struct be_error *error) {
    double *const matrix = &ceilings->operations[BE_MATRIX64];
    struct product p = {.device = device, .clock = be_clock_host()};
    double rate = NAN;
    if (!device->ops->blas) { /* then our own code multiplies, which uses no such units */
        *matrix = ceilings->operations[BE_PLAIN64];
        return BE_OK;
    }
    enum be_status status = device->ops->blas->open(device, &p.blas, error);
    status = status == BE_OK ? measure(&p, cancel, &rate, error) : status;
    close_matrices(&p);
    device->ops->blas->close(device, &p.blas);
    *matrix = isnan(rate) ? *matrix : fmax(rate, ceilings->operations[BE_PLAIN64]);
    return status == BE_OK
               ? BE_OK
               : be_context(error, "%s: measuring its matrix products", device->info.id);
}
