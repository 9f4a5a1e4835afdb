/* Fourier transforms through cuFFT. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/cuda/cuda.h"
#include "device/common/parts.h"
#include "dyn/nvidia/cufft.h"

struct opened {
    struct be_cufft cufft;
    cufftHandle plan; /* any number */
    bool has_plan, real;
    int64_t in, out; /* numbers of all transforms together */
};

/* The library has no texts of its own. */
static const struct be_cuda_meaning meanings[] = {
    {CUFFT_INVALID_PLAN, BE_DRIVER, "invalid plan"},
    {CUFFT_ALLOC_FAILED, BE_NOMEM, "out of memory"},
    {CUFFT_INVALID_VALUE, BE_DRIVER, "invalid value"},
    {CUFFT_INTERNAL_ERROR, BE_DRIVER, "internal error"},
    {CUFFT_EXEC_FAILED, BE_DRIVER, "the GPU program failed"},
    {CUFFT_SETUP_FAILED, BE_DRIVER, "the library could not start"},
    {CUFFT_INVALID_SIZE, BE_ABSENT, "not of this size"},
    {CUFFT_NOT_IMPLEMENTED, BE_ABSENT, "not implemented"},
    {CUFFT_NOT_SUPPORTED, BE_ABSENT, "not supported"},
};

static const struct be_cuda_results results = {"cuFFT", meanings, BE_COUNT(meanings)};

static enum be_status check(cufftResult result, const char *call, struct be_error *error) {
    return be_cuda_result(&results, result, NULL, call, error);
}

static void close_fft(struct be_device *device, struct be_fft *fft) {
    struct opened *opened = (struct opened *)fft->handle;
    if (opened) {
        be_cuda_enter(device);
        if (opened->has_plan) {
            opened->cufft.cufftDestroy(opened->plan);
        }
        be_dyn_close(opened->cufft.handle);
        free(opened);
    }
    *fft = (struct be_fft){0};
}

/* The plan takes its memory here. No layout is given: numbers and transforms lie side by side. */
static enum be_status make_plan(struct opened *opened, CUstream stream,
                                const struct be_fft_form *form, size_t *scratch_bytes,
                                struct be_error *error) {
    const struct be_cufft *cufft = &opened->cufft;
    long long n[] = {form->rows, form->columns};
    const int rank = form->rows > 1 ? 2 : 1;
    char call[BE_NAME * 2];
    enum be_status status = check(cufft->cufftCreate(&opened->plan), "cufftCreate", error);
    if (status != BE_OK) {
        return status;
    }
    opened->has_plan = true;
    snprintf(call, sizeof call, "cufftMakePlanMany64 of %lld x %lld x %lld %s points",
             (long long)form->batch, n[0], n[1], form->real ? "real" : "complex");
    status = check(cufft->cufftMakePlanMany64(opened->plan, rank, n + 2 - rank, NULL, 1, 0, NULL, 1,
                                              0, form->real ? CUFFT_R2C : CUFFT_C2C, form->batch,
                                              scratch_bytes),
                   call, error);
    return status == BE_OK
               ? check(cufft->cufftSetStream(opened->plan, stream), "cufftSetStream", error)
               : status;
}

/* Numbers of all transforms together; false: too many, or none. */
static bool count(const struct be_fft_form *form, int64_t *in, int64_t *out) {
    int64_t lines = 0;
    return form->rows > 0 && form->columns > 0 && form->batch > 0 &&
           !__builtin_mul_overflow(form->rows, form->batch, &lines) &&
           !__builtin_mul_overflow(lines, form->columns, in) &&
           !__builtin_mul_overflow(lines, form->real ? form->columns / 2 + 1 : form->columns, out);
}

static enum be_status open_fft(struct be_device *device, const struct be_fft_form *form,
                               struct be_fft *fft, struct be_error *error) {
    const struct be_cuda_device *d = be_cuda_enter(device);
    struct be_clock clock = be_clock_host();
    double start = be_now(&clock);
    int64_t in = 0;
    int64_t out = 0;
    int version = 0;
    *fft = (struct be_fft){0};
    if (!count(form, &in, &out)) {
        return be_fail(error, BE_USAGE, "%lld transforms of %lld x %lld points: at least 1 each",
                       (long long)form->batch, (long long)form->rows, (long long)form->columns);
    }
    struct opened *opened = calloc(1, sizeof *opened);
    if (!opened) {
        return be_fail(error, BE_NOMEM, "cuFFT: no host memory");
    }
    fft->handle = (uintptr_t)opened;
    opened->in = in;
    opened->out = out;
    opened->real = form->real;
    enum be_status status = be_cufft_open(&opened->cufft, error);
    if (status == BE_OK) {
        status = check(opened->cufft.cufftGetVersion(&version), "cufftGetVersion", error);
    }
    if (status == BE_OK) {
        status = make_plan(opened, d->stream[BE_QUEUE_WORK], form, &fft->scratch_bytes, error);
    }
    if (status != BE_OK) {
        close_fft(device, fft);
        return status;
    }
    snprintf(fft->name, sizeof fft->name, "cuFFT %d.%d.%d", version / 1000, version / 100 % 10,
             version % 100);
    fft->open_s = be_now(&clock) - start;
    return BE_OK;
}

static enum be_status execute(const struct opened *opened, void *in, void *out,
                              struct be_error *error) {
    return opened->real
               ? check(opened->cufft.cufftExecR2C(opened->plan, in, out), "cufftExecR2C", error)
               : check(opened->cufft.cufftExecC2C(opened->plan, in, out, CUFFT_FORWARD),
                       "cufftExecC2C", error);
}

static enum be_status forward(struct be_device *device, const struct be_fft *fft,
                              const struct be_part *from, const struct be_part *to,
                              struct be_error *error) {
    be_cuda_enter(device);
    const struct opened *opened = (const struct opened *)fft->handle;
    void *in = NULL;
    void *out = NULL;
    enum be_status status =
        be_part_find(from, opened->in, opened->real ? sizeof(cufftReal) : sizeof(cufftComplex),
                     "input", &in, error);
    if (status == BE_OK) {
        status = be_part_find(to, opened->out, sizeof(cufftComplex), "output", &out, error);
    }
    if (status == BE_OK && in == out) {
        status = be_fail(error, BE_USAGE, "output where the input is: take another buffer");
    }
    if (status == BE_OK) {
        status = execute(opened, in, out, error);
    }
    if (status != BE_OK) {
        be_context(error, "Fourier transform of %lld points", (long long)opened->in);
    }
    return status;
}

const struct be_fft_ops be_cuda_fft = {.open = open_fft, .close = close_fft, .forward = forward};
