/*
 * fft: z[k] = sum over j of x[j] exp(-2 pi i j k / n), of n complex float32 numbers. The transform
 * is one item.
 *
 * Operations: 5 n log2 n is the convention, and more than split-radix code needs; nobody has proved
 * how many there must be. Certain is that each result depends on every number of x: n results of n
 * numbers each take at least a sum of two complex numbers a result, 2 n operations. Bytes: x read
 * once and z written once, 16 n.
 */
#include "workload/fft/fft.h"

#include <math.h>

#include "base/error.h"
#include "base/random.h"

/* The largest size for which the formula itself is the reference. */
enum { NAIVE_MAX = 2048 };

static const struct be_parameter parameter[] = {{.name = "size",
                                                 .what = "complex numbers",
                                                 .preset = 1 << 20,
                                                 .min = 2,
                                                 .max = 1 << 27,
                                                 .from = 256,
                                                 .to = 1 << 26,
                                                 .look = {1024, 65536, 4194304}}};

static const char *const array[] = {"x", "z"};

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const size_t n = (size_t)problem->value[0];
    *shape =
        (struct be_shape){.items = 1,
                          .item_bytes = {n * 2 * sizeof(float), n * 2 * sizeof(float)},
                          .reference = 2 * n + (n > NAIVE_MAX ? be_fft_reference_capacity(n) : 0),
                          .operations = 2 * (double)n,
                          .bytes = 16 * (double)n,
                          .tolerance = 3e-7 * fmax(1, log2((double)n))};
}

/* Both parts uniform in [-1, 1). */
static void fill(const struct be_work *work, uint64_t seed) {
    const size_t n = (size_t)work->problem->value[0];
    float *x = be_work_array(work, 0);
    size_t first;
    size_t count;
    be_work_rows(work, 2 * n, 64, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        x[i] = 2 * be_random_float(seed, (uint64_t)work->first * 2 * n + i) - 1;
    }
}

/* A long one is done by one member, in what lies behind the result. */
static void reference(const struct be_work *work, double *z) {
    const size_t n = (size_t)work->problem->value[0];
    const float *x = work->array[0];
    size_t first;
    size_t count;
    if (n <= NAIVE_MAX) {
        be_work_rows(work, n, 1, &first, &count);
        be_fft_naive(n, x, z, first, count);
    } else if (work->member == 0) {
        be_fft_reference(n, x, z, z + 2 * n);
    }
}

static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    const size_t n = (size_t)work->problem->value[0];
    const float *z = work->array[1];
    double sum = 0;
    double all = 0;
    size_t first;
    size_t count;
    be_work_rows(work, 2 * n, 64, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        double d = (double)z[i] - reference[i];
        sum += d * d;
        all += reference[i] * reference[i];
    }
    *difference += sum;
    *norm += all;
}

static const struct be_variant variant[] = {
    {.name = "own",
     .summary = "few passes with large radices; powers of two",
     .unfit = be_fft_unfit,
     .host = be_fft_host,
     .host_scratch = be_fft_host_scratch,
     .prepare = be_fft_prepare,
     .enqueue = be_fft_enqueue,
     .discard = be_discard_kernels,
     .each_size = true},
    {.name = "library",
     .summary = "FFTW; on a GPU its vendor's library",
     .host_code = BE_CODE_LIBRARY,
     .device_code = BE_CODE_LIBRARY,
     .host = be_fft_library_host,
     .host_ready = be_fft_library_host_ready,
     .host_scratch = be_fft_library_host_scratch,
     .prepare = be_fft_library_prepare,
     .enqueue = be_fft_library_enqueue,
     .discard = be_fft_library_discard,
     .each_size = true},
};

const struct be_workload be_workload_fft = {
    .name = "fft",
    .title = "z = Fourier transform of x",
    .summary = "one forward transform of complex numbers",
    .parameter = parameter,
    .parameters = 1,
    .real = BE_REAL32,
    .reals = BE_TAKES(BE_REAL32),
    .array = array,
    .inputs = 1,
    .outputs = 1,
    .wants_fftw = true,
    BE_WORKLOAD_FUNCTIONS,
    BE_WORKLOAD_VARIANTS,
};
