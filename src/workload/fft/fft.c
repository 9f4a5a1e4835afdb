/*
 * fft: z[k] = sum over j of x[j] exp(-2 pi i j k / n), of n complex or real float32 numbers; of images along their rows
 * and then along their columns. A batch has several such side by side. All of it is one item.
 *
 * Operations: 5 n log2 n is the convention, and more than split-radix code needs; nobody has proved how many there
 * must be. Certain is that each result depends on every number of x, so that each takes a sum at least: 2 operations a
 * complex number, 1 a real one, since a half spectrum has as many independent parts as x has numbers. Bytes: x read
 * once and z written once.
 */
#include "workload/fft/fft.h"

#include <math.h>

#include "base/error.h"
#include "base/random.h"

static const char *const kinds[] = {"fft", "rfft", "fft2", "rfft2", NULL};

/* A preset has no name in results: those of one complex transform are called as they were before there were
 * others. */
static bool is_plain(const struct be_problem *problem) {
    return problem->value[BE_FFT_KIND] == BE_FFT_COMPLEX;
}

static bool is_alone(const struct be_problem *problem) {
    return problem->value[BE_FFT_BATCH] == 1;
}

static bool has_no_rows(const struct be_problem *problem) {
    return !be_fft_size(problem).image || problem->value[BE_FFT_ROWS] == 0;
}

static const struct be_parameter parameter[] = {
    {.name = "size",
     .what = "numbers of a transform, or of a row of an image",
     .preset = 1 << 20,
     .min = 2,
     .max = 1 << 27,
     .from = 256,
     .to = 1 << 26,
     .look = {1024, 65536, 4194304}},
    {.name = "rows",
     .what = "rows of an image; 0: as many as it has numbers in a row",
     .preset = 0,
     .min = 0,
     .max = 1 << 15,
     .from = 16,
     .to = 4096,
     .look = {64, 512, 4096},
     .idle = has_no_rows,
     .unless = "--kind=fft2 or rfft2"},
    {.name = "batch",
     .what = "transforms side by side",
     .preset = 1,
     .min = 1,
     .max = 100000,
     .from = 1,
     .to = 10000,
     .look = {1, 32, 1024},
     .idle = is_alone},
    {.name = "kind",
     .what = "fft: of complex numbers; rfft: of real ones; fft2, rfft2: of images of such",
     .preset = BE_FFT_COMPLEX,
     .min = 0,
     .max = BE_FFT_KINDS - 1,
     .kind = kinds,
     .idle = is_plain},
};

static const char *const array[] = {"x", "z"};

static void shape(const struct be_problem *problem, struct be_shape *shape) {
    const struct be_fft_size size = be_fft_size(problem);
    const size_t in = be_fft_input_floats(&size) * sizeof(float);
    const size_t out = size.lines * size.width * 2 * sizeof(float);
    *shape = (struct be_shape){.items = 1,
                               .item_bytes = {in, out},
                               .reference = be_fft_reference_doubles(&size),
                               .operations = (double)be_fft_input_floats(&size),
                               .bytes = (double)in + (double)out,
                               .tolerance =
                                   3e-7 * fmax(1, log2((double)size.columns * (double)size.rows))};
}

/* Uniform in [-1, 1), both parts of complex numbers. */
static void fill(const struct be_work *work, uint64_t seed) {
    const struct be_fft_size size = be_fft_size(work->problem);
    const size_t floats = be_fft_input_floats(&size);
    float *x = be_work_array(work, 0);
    size_t first;
    size_t count;
    be_work_rows(work, floats, 64, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        x[i] = 2 * be_random_float(seed, (uint64_t)work->first * floats + i) - 1;
    }
}

static void residual(const struct be_work *work, const double *reference, double *difference,
                     double *norm) {
    const struct be_fft_size size = be_fft_size(work->problem);
    const float *z = work->array[1];
    double sum = 0;
    double all = 0;
    size_t first;
    size_t count;
    be_work_rows(work, 2 * size.lines * size.width, 64, &first, &count);
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
    {.name = "mixed",
     .summary = "CPU: steps of radices up to 16; images and batches of prime factors up to 13",
     .unfit = be_fft_mixed_unfit,
     .host = be_fft_many,
     .host_scratch = be_fft_many_scratch,
     .each_size = true},
    {.name = "library",
     .summary = "FFTW; on a GPU its vendor's library",
     .host_code = BE_CODE_LIBRARY,
     .device_code = BE_CODE_LIBRARY,
     .unfit = be_fft_too_large,
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
    .summary = "forward transforms of complex or real numbers, and of images",
    .parameter = parameter,
    .parameters = BE_COUNT(parameter),
    .real = BE_REAL32,
    .reals = BE_TAKES(BE_REAL32),
    .array = array,
    .inputs = 1,
    .outputs = 1,
    .wants_fftw = true,
    .shape = shape,
    .fill = fill,
    .reference = be_fft_references,
    .residual = residual,
    BE_WORKLOAD_VARIANTS,
};
