/*
 * generate: z uniform in [0, 1) by Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3", SC11): element i depends on the key and i alone, and is the same
 * bit for bit wherever it is made. The whole is one item: elements count from its start. There are
 * no inputs. `device` makes it where it is used; `host` makes it on the CPU and copies it there, as
 * published code does, at the cost of the CPU's time and the bus.
 *
 * Operations: one product an element. The integer ones, 20 multiplications of 32 to 64 bits and 40
 * exclusive-ors a block of 16 bytes, are not floating point and bind nowhere known before memory
 * does. Bytes: z is written once.
 */
#include <stdio.h>

#include "base/error.h"
#include "kernel_programs.h"
#include "workload/elementwise.h"
#include "workload/generate/philox_simd.h"
#include "workload/generate/plain_simd.h"
#include "workload/numbers.h"
#include "workload/stream.h"

static const struct be_philox_key key = {{0x243f6a88U, 0x85a308d3U}}; /* digits of pi */

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    double n = (double)problem->value[0];
    size_t bytes = be_real_bytes(problem->real);
    *shape = (struct be_shape){.items = 1,
                               .item_bytes = {(size_t)problem->value[0] * bytes},
                               .operations = n,
                               .bytes = (double)bytes * n,
                               .tolerance = 0};
}

/* No inputs, so none from the seed. */
static void fill(const struct be_work *work, uint64_t seed) {
    (void)work;
    (void)seed;
}

/* The generator as its paper writes it. */
static void block_of(uint64_t block, uint32_t c[4]) {
    uint32_t k[2] = {key.word[0], key.word[1]};
    c[0] = (uint32_t)block;
    c[1] = (uint32_t)(block >> 32);
    c[2] = 0;
    c[3] = 0;
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xd2511f53U * c[0];
        uint64_t p1 = (uint64_t)0xcd9e8d57U * c[2];
        c[0] = (uint32_t)(p1 >> 32) ^ c[1] ^ k[0];
        c[1] = (uint32_t)p1;
        c[2] = (uint32_t)(p0 >> 32) ^ c[3] ^ k[1];
        c[3] = (uint32_t)p0;
        k[0] += 0x9e3779b9U;
        k[1] += 0xbb67ae85U;
    }
}

static double element(enum be_real real, uint64_t i) {
    uint32_t c[4];
    if (real == BE_REAL64) {
        block_of(i / 2, c);
        uint64_t bits = c[2 * (i % 2)] | (uint64_t)c[2 * (i % 2) + 1] << 32;
        return (double)(bits >> 11) * 0x1p-53;
    }
    block_of(i / 4, c);
    return (double)(c[i % 4] >> 8) * 0x1p-24;
}

static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    size_t first;
    size_t count;
    (void)reference;
    be_work_rows(work, work->problem->value[0], BE_STREAM_GRAIN, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        be_number_compare(be_number(work->problem->real, work->array[0], i),
                          element(work->problem->real, i), difference, norm);
    }
}

static void host(const struct be_work *work) {
    size_t first;
    size_t n;
    be_work_rows(work, work->problem->value[0], BE_STREAM_GRAIN, &first, &n);
    void *z = be_work_array(work, 0);
    if (work->problem->real == BE_REAL64) {
        BE_SIMD_BEST(be_philox_double_run)((double *)z + first, first, n, key, work->stores);
    } else {
        BE_SIMD_BEST(be_philox_float_run)((float *)z + first, first, n, key, work->stores);
    }
}

static void host_plain(const struct be_work *work) {
    size_t first;
    size_t n;
    be_work_rows(work, work->problem->value[0], BE_STREAM_GRAIN, &first, &n);
    void *z = be_work_array(work, 0);
    if (work->problem->real == BE_REAL64) {
        BE_SIMD_BEST(be_philox_plain64_run)((double *)z + first, first, n, key);
    } else {
        BE_SIMD_BEST(be_philox_plain32_run)((float *)z + first, first, n, key);
    }
}

static enum be_status prepare(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_philox", NULL};
    char defines[BE_NAME * 2];
    snprintf(defines, sizeof defines, "#define PHILOX_KEY0 %uu\n#define PHILOX_KEY1 %uu\n",
             (unsigned)key.word[0], (unsigned)key.word[1]);
    return be_prepare_kernels(device, problem, &be_program_generate_philox, defines, names,
                              prepared, error);
}

enum { LANES = 256, BLOCKS = 4, BLOCK_BYTES = 16 }; /* as in philox.cl */

static enum be_status enqueue(const struct be_launch *launch, struct be_error *error) {
    size_t n = launch->problem->value[0];
    const struct be_argument argument[] = {be_launch_array(launch, 0), BE_LONG(n)};
    size_t tile = (size_t)LANES * BLOCKS * BLOCK_BYTES / be_real_bytes(launch->problem->real);
    return be_launch_kernel(launch, 0, (n + tile - 1) / tile, LANES, argument, 2, error);
}

/* One way to make it for each side, and the way of those who make it on the other. */
static const struct be_variant variant[] = {
    {
        .name = "device",
        .summary = "made on the device, where it is used, in one pass",
        .device_code = BE_CODE_PLAIN,
        .prepare = prepare,
        .enqueue = enqueue,
        .discard = be_discard_kernels,
    },
    {
        .name = "host",
        .summary = "made on the CPU; for a device, copied there",
        .as_written = true,
        .made_on_host = true,
        .host = host,
    },
    {
        .name = "plain",
        .summary = "a loop over the blocks of the generator (CPU)",
        .host_code = BE_CODE_PLAIN,
        .host = host_plain,
    },
};

static const char *const array[] = {"z"};

const struct be_workload be_workload_generate = {
    .name = "generate",
    .title = "z uniform in [0,1)",
    .summary = "random numbers from a counter (Philox), the same bits everywhere",
    .parameter = be_elementwise_parameter,
    .parameters = 1,
    .real = BE_REAL64,
    .reals = BE_TAKES(BE_REAL32) | BE_TAKES(BE_REAL64),
    .array = array,
    .inputs = 0,
    .outputs = 1,
    .shape = shape,
    .fill = fill,
    .residual = residual,
    BE_WORKLOAD_VARIANTS,
};
