/* Matrix products of a device through its vendor's library: random numbers, entries checked. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/probe/devices/device.h"

enum { SEED_A = 1, CHECKED = 48, LARGEST = 8192, SMALLEST = 32 };

struct precision {
    const char *dtype;
    enum be_precision precision;
    const char *fill; /* kernel that makes the inputs */
    const struct be_program *program;
    size_t bytes;     /* of a number, inputs and results alike */
    int bits;         /* of the inputs; 48: two of 24 */
    double tolerance; /* of an entry, in units of the inputs' size times sqrt(n) */
};

/* Results are stored in the precision of the inputs: half of its last bit, relative to entries of
 * about sqrt(n) / 3, and what n additions in float32 lose (their roundings add up as a random walk:
 * some 1e-6 to 1e-5). tf32 keeps 11 bits of each input: float32 that was computed so has errors
 * beyond 1e-4 and is found out. */
static const struct precision precisions[] = {
    {"float64", BE_FLOAT64, "k_random_float64", &be_program_probe_float64, 8, 48, 1e-13},
    {"float32", BE_FLOAT32, "k_random_float32", &be_program_probe, 4, 24, 1e-5},
    {"tf32", BE_TF32, "k_random_float32", &be_program_probe, 4, 24, 2e-3},
    {"float16", BE_FLOAT16, "k_random_float16", &be_program_probe, 2, 11, 1e-3},
    {"bfloat16", BE_BFLOAT16, "k_random_bfloat16", &be_program_probe, 2, 8, 5e-3},
};

struct product {
    struct be_bed *bed;
    const struct precision *p;
    struct be_blas blas;
    int n;
};

static enum be_status run_product(void *context, long times, struct be_error *error) {
    struct product *x = context;
    const struct be_device_ops *ops = x->bed->device->ops;
    const struct be_buffer *on = x->bed->buffer;
    const struct be_gemm gemm = be_gemm_square(x->p->precision, x->n, &on[0], &on[1], &on[2]);
    enum be_status status = BE_OK;
    for (long i = 0; status == BE_OK && i < times; i++) {
        status = ops->blas->gemm(x->bed->device, &x->blas, &gemm, error);
    }
    return status == BE_OK ? ops->queue->drain(x->bed->device, BE_QUEUE_WORK, error) : status;
}

/* ---- inputs and check ----------------------------------------------------------------------- */

static int64_t seed_of(const struct product *x, int array) {
    return SEED_A + (int64_t)array * x->n * x->n;
}

static enum be_status fill(struct product *x, struct be_error *error) {
    size_t numbers = (size_t)x->n * (size_t)x->n;
    enum be_status status = BE_OK;
    for (int array = 0; status == BE_OK && array < 2; array++) {
        status = be_bed_kernel(x->bed, x->p->program, x->p->fill, error);
        be_bed_pass_buffer(x->bed, array);
        be_bed_pass_long(x->bed, (int64_t)numbers);
        be_bed_pass_long(x->bed, seed_of(x, array));
        const size_t per_group = (size_t)BE_BED_LANES * BE_RANDOM_PER_LANE;
        x->bed->groups = (numbers + per_group - 1) / per_group;
        status = status == BE_OK ? be_bed_run(x->bed, 1, error) : status;
    }
    return status;
}

static double input(const struct product *x, int array, int64_t index) {
    unsigned i = (unsigned)(seed_of(x, array) + index);
    return x->p->bits == 48 ? (double)be_probe_random(i, 24) +
                                  (double)be_probe_random(~i, 24) * (1.0 / 16777216.0)
                            : (double)be_probe_random(i, x->p->bits);
}

static double entry(const struct product *x, const unsigned char *c, int64_t index) {
    const unsigned char *at = c + (size_t)index * x->p->bytes;
    double wide;
    float single;
    uint16_t half;
    uint32_t bits;
    switch (x->p->bytes) {
    case 8:
        memcpy(&wide, at, sizeof wide);
        return wide;
    case 4:
        memcpy(&single, at, sizeof single);
        return (double)single;
    default:
        memcpy(&half, at, sizeof half);
    }
    if (x->p->precision == BE_BFLOAT16) {
        bits = (uint32_t)half << 16;
        memcpy(&single, &bits, sizeof single);
        return (double)single;
    }
    int exponent = (half >> 10) & 0x1f;
    double fraction = (double)(half & 0x3ff) / 1024;
    double value = exponent ? ldexp(1 + fraction, exponent - 15) : ldexp(fraction, -14);
    return half & 0x8000 ? -value : value;
}

/* Entries here and there of the first columns, which lie together; column-major. */
static enum be_status check(struct product *x, struct be_error *error) {
    int columns = x->n < 8 ? x->n : 8;
    size_t bytes = (size_t)columns * (size_t)x->n * x->p->bytes;
    unsigned char *c = malloc(bytes);
    if (!c) {
        return be_fail(error, BE_NOMEM, "matrix product: no host memory for %zu bytes", bytes);
    }
    enum be_status status = be_bed_fetch(x->bed, 2, c, bytes, error);
    for (int k = 0; status == BE_OK && k < CHECKED; k++) {
        int64_t row = (int64_t)k * 7919 % x->n;
        int64_t column = k % columns;
        double want = 0;
        for (int64_t i = 0; i < x->n; i++) {
            want += input(x, 0, row + i * x->n) * input(x, 1, i + column * x->n);
        }
        double got = entry(x, c, row + column * x->n);
        if (!(fabs(got - want) <= x->p->tolerance * sqrt(x->n))) {
            status = be_fail(error, BE_WRONG, "%s matrix product: C[%ld,%ld] is %.9g, not %.9g",
                             x->p->dtype, (long)row, (long)column, got, want);
        }
    }
    free(c);
    return status;
}

/* ---- size ----------------------------------------------------------------------------------- */

static enum be_status allocate(struct product *x, struct be_error *error) {
    size_t bytes = (size_t)x->n * (size_t)x->n * x->p->bytes;
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < BE_BED_BUFFERS; i++) {
        x->bed->device->ops->memory->release(x->bed->device, &x->bed->buffer[i]);
        status = be_bed_buffer(x->bed, i, bytes, error);
    }
    status = status == BE_OK ? fill(x, error) : status;
    return status == BE_OK ? run_product(x, 1, error) : status; /* warms up */
}

/* Doubled until one product takes a few milliseconds, so that all of a large device is at work and
 * a small one is not kept for minutes. */
static enum be_status grow(struct be_probe *probe, struct product *x, struct be_error *error) {
    const double enough_s = probe->options->quick ? 1e-3 : 1.2e-3;
    enum be_status status = BE_OK;
    double seconds = 0;
    for (x->n = SMALLEST; status == BE_OK; x->n *= 2) {
        status = allocate(x, error);
        double start = be_now(&probe->clock);
        status = status == BE_OK ? run_product(x, 1, error) : status;
        seconds = be_now(&probe->clock) - start;
        size_t next = 4 * (size_t)x->n * (size_t)x->n * x->p->bytes;
        if (status != BE_OK || x->n >= LARGEST || (seconds > enough_s && x->n < LARGEST / 2) ||
            seconds > 0.1 || be_bed_bytes(x->bed->device, BE_BED_BUFFERS, next) < next) {
            break;
        }
    }
    return status;
}

static enum be_status measure_order(struct be_probe *probe, const struct be_target *target,
                                    struct product *x, struct be_error *error) {
    struct be_figure key = be_figure_key(target, "matmul");
    be_copy_text(key.dtype, sizeof key.dtype, x->p->dtype);
    enum be_status status = check(x, error);
    if (status == BE_OK) {
        double n = x->n;
        snprintf(key.note, sizeof key.note, "%s, n = %d", x->blas.name, x->n);
        status = be_probe_measure(probe, target, &key, 2 * n * n * n, run_product, x, error);
    }
    return status;
}

/* The faster of two orders counts: where a device has only so much power, the larger one keeps it at work so long that
 * its clock falls, and the smaller one may do more a second. */
static enum be_status measure(struct be_probe *probe, const struct be_target *target,
                              const struct precision *p, struct be_error *error) {
    struct be_bed bed = {.device = target->device};
    struct product x = {.bed = &bed, .p = p};
    enum be_status status = target->device->ops->blas->open(target->device, &x.blas, error);
    status = status == BE_OK ? grow(probe, &x, error) : status;
    status = status == BE_OK ? measure_order(probe, target, &x, error) : status;
    if (status == BE_OK && x.n > SMALLEST) {
        x.n /= 2;
        status = allocate(&x, error);
        status = status == BE_OK ? measure_order(probe, target, &x, error) : status;
    }
    target->device->ops->blas->close(target->device, &x.blas);
    be_bed_close(&bed);
    return status;
}

enum be_status be_probe_device_matmul(struct be_probe *probe, const struct be_target *target,
                                      struct be_error *error) {
    if (!target->device->ops->blas) {
        return be_fail(error, BE_ABSENT, "no matrix library is known for %s",
                       target->info->backend);
    }
    for (size_t i = 0; i < BE_COUNT(precisions); i++) {
        struct be_error failure = {0};
        enum be_status status = measure(probe, target, &precisions[i], &failure);
        if (status == BE_STOPPED) {
            return be_fail(error, status, "%s", failure.text);
        }
        if (status != BE_OK) {
            be_probe_remark(probe, "%s: %s matrix product: not measured: %.160s", target->info->id,
                            precisions[i].dtype, failure.text);
        }
    }
    return BE_OK;
}
