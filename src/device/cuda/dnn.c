/* Convolutions through cuDNN. */
#include <limits.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "device/cuda/cuda.h"
#include "device/dnn.h"
#include "device/common/parts.h"
#include "dyn/nvidia/cudnn/cudnn.h"

enum { ALGORITHMS = 16 }; /* cuDNN 9 has eight at most */

struct opened {
    struct be_cudnn cudnn;
    cudnnHandle_t handle;
};

struct way {
    int algorithm;
    cudnnMathType_t math;
    size_t bytes; /* of scratch */
};

struct prepared {
    struct be_convolution_form form;
    cudnnTensorDescriptor_t in, out;
    cudnnFilterDescriptor_t weights;
    cudnnConvolutionDescriptor_t convolution;
    struct way way[BE_CONVOLVE_WAYS];
    int64_t ins, outs; /* numbers */
};

/* ---- errors --------------------------------------------------------------------------------- */

static const struct be_cuda_meaning meanings[] = {
    {CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH, BE_ABSENT, NULL},
    {CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED, BE_ABSENT, NULL},
    {CUDNN_STATUS_NOT_SUPPORTED, BE_ABSENT, NULL},
    {CUDNN_STATUS_NOT_SUPPORTED_SHAPE, BE_ABSENT, NULL},
    {CUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_CUDA_DRIVER, BE_ABSENT, NULL},
    {CUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH, BE_ABSENT, NULL},
    {CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED, BE_NOMEM, NULL},
    {CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED, BE_NOMEM, NULL},
};

static const struct be_cuda_results results = {"cuDNN", meanings, BE_COUNT(meanings)};

/* Advice, where a user can do something about it. */
static const struct {
    int code;
    const char *text;
} advice[] = {
    {CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH,
     "its files are of several versions: install one package of it, whole"},
    {CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED,
     "one of its files is missing: install its package again, whole"},
    {CUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_CUDA_DRIVER,
     "the driver is older than this cuDNN: install nvidia-cudnn-cu12, or a newer driver"},
    {CUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH,
     "this cuDNN has no code for this GPU: install an older one for an old GPU, else a newer one"},
    {CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED, "take a smaller batch"},
    {CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED, "take a smaller batch"},
};

static enum be_status check(const struct be_cudnn *cudnn, cudnnStatus_t result, const char *call,
                            struct be_error *error) {
    if (result == CUDNN_STATUS_SUCCESS) {
        return BE_OK;
    }
    const char *said = cudnn->cudnnGetErrorString ? cudnn->cudnnGetErrorString(result) : NULL;
    const enum be_status status = be_cuda_result(&results, result, said, call, error);
    for (size_t i = 0; i < BE_COUNT(advice); i++) {
        if (advice[i].code == result) {
            const struct be_error first = *error;
            be_fail(error, status, "%s: %s", first.text, advice[i].text);
        }
    }
    return status;
}

/* ---- the library ---------------------------------------------------------------------------- */

static void close_dnn(struct be_device *device, struct be_dnn *dnn) {
    struct opened *opened = (struct opened *)dnn->handle;
    if (opened) {
        be_cuda_enter(device);
        if (opened->handle) {
            opened->cudnn.cudnnDestroy(opened->handle);
        }
        be_dyn_close(opened->cudnn.handle);
        free(opened);
    }
    *dnn = (struct be_dnn){0};
}

static enum be_status open_dnn(struct be_device *device, struct be_dnn *dnn,
                               struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    const struct be_clock clock = be_clock_host();
    const double start = be_now(&clock);
    *dnn = (struct be_dnn){0};
    struct opened *opened = calloc(1, sizeof *opened);
    if (!opened) {
        return be_fail(error, BE_NOMEM, "cuDNN: no host memory");
    }
    dnn->handle = (uintptr_t)opened;
    const struct be_cudnn *cudnn = &opened->cudnn;
    enum be_status status = be_cudnn_open(&opened->cudnn, error);
    if (status == BE_OK) {
        status = check(cudnn, cudnn->cudnnCreate(&opened->handle), "cudnnCreate", error);
    }
    if (status == BE_OK) {
        status = check(cudnn, cudnn->cudnnSetStream(opened->handle, d->stream[BE_QUEUE_WORK]),
                       "cudnnSetStream", error);
    }
    if (status != BE_OK) {
        close_dnn(device, dnn);
        return status;
    }
    const size_t version = cudnn->cudnnGetVersion(); /* 91002 is 9.10.2 */
    (void)snprintf(dnn->name, sizeof dnn->name, "cuDNN %zu.%zu.%zu", version / 10000,
                   version / 100 % 100, version % 100);
    dnn->open_s = be_now(&clock) - start;
    return BE_OK;
}

/* ---- one convolution ------------------------------------------------------------------------ */

static int side(int length, const struct be_convolution_form *form) {
    return (length + 2 * form->pad - form->size) / form->stride + 1;
}

static void forget(struct be_device *device, const struct be_dnn *dnn,
                   struct be_convolution *convolution) {
    struct prepared *p = (struct prepared *)convolution->handle;
    if (p) {
        const struct be_cudnn *cudnn = &((const struct opened *)dnn->handle)->cudnn;
        be_cuda_enter(device);
        if (p->convolution) {
            cudnn->cudnnDestroyConvolutionDescriptor(p->convolution);
        }
        if (p->weights) {
            cudnn->cudnnDestroyFilterDescriptor(p->weights);
        }
        if (p->out) {
            cudnn->cudnnDestroyTensorDescriptor(p->out);
        }
        if (p->in) {
            cudnn->cudnnDestroyTensorDescriptor(p->in);
        }
        free(p);
    }
    *convolution = (struct be_convolution){0};
}

/* Calls one function after the other until one fails. */
#define CALL(name, ...)                                                                            \
    status = status == BE_OK ? check(cudnn, cudnn->name(__VA_ARGS__), #name, error) : status

static enum be_status describe(const struct be_cudnn *cudnn, struct prepared *p,
                               struct be_error *error) {
    const struct be_convolution_form *f = &p->form;
    enum be_status status = BE_OK;
    CALL(cudnnCreateTensorDescriptor, &p->in);
    CALL(cudnnSetTensor4dDescriptor, p->in, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, (int)f->images,
         f->channels, f->height, f->width);
    CALL(cudnnCreateTensorDescriptor, &p->out);
    CALL(cudnnSetTensor4dDescriptor, p->out, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, (int)f->images,
         f->outputs, side(f->height, f), side(f->width, f));
    CALL(cudnnCreateFilterDescriptor, &p->weights);
    CALL(cudnnSetFilter4dDescriptor, p->weights, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, f->outputs,
         f->channels, f->size, f->size);
    CALL(cudnnCreateConvolutionDescriptor, &p->convolution);
    CALL(cudnnSetConvolution2dDescriptor, p->convolution, f->pad, f->pad, f->stride, f->stride, 1,
         1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
    CALL(cudnnSetConvolutionMathType, p->convolution,
         f->precision == BE_TF32 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH);
    return status;
}

/* The first of those found, fastest first, that repeats to the bit in the memory that there is. */
static enum be_status choose(const cudnnConvolutionFwdAlgoPerf_t *result, int found, size_t most,
                             bool plain, const char *what, struct way *way,
                             struct be_error *error) {
    for (int i = 0; i < found; i++) {
        const cudnnConvolutionFwdAlgoPerf_t *r = &result[i];
        if (r->status == CUDNN_STATUS_SUCCESS && r->determinism == CUDNN_DETERMINISTIC &&
            r->memory <= most) {
            *way = (struct way){r->algo, plain ? CUDNN_FMA_MATH : r->mathType, r->memory};
            return BE_OK;
        }
    }
    return be_fail(error, BE_ABSENT,
                   "%s: cuDNN has no algorithm for it that repeats to the bit in %zu MB of memory",
                   what, most >> 20);
}

static enum be_status find_ways(const struct opened *opened, struct prepared *p, size_t most,
                                struct be_error *error) {
    const struct be_cudnn *cudnn = &opened->cudnn;
    const bool plain = p->form.precision != BE_TF32;
    cudnnConvolutionFwdAlgoPerf_t result[ALGORITHMS];
    enum be_status status = BE_OK;
    int found = 0;
    CALL(cudnnGetConvolutionForwardAlgorithm_v7, opened->handle, p->in, p->weights, p->convolution,
         p->out, ALGORITHMS, &found, result);
    if (status == BE_OK) {
        status = choose(result, found, most, plain, "forward", &p->way[BE_CONVOLVE], error);
    }
    CALL(cudnnGetConvolutionBackwardDataAlgorithm_v7, opened->handle, p->weights, p->out,
         p->convolution, p->in, ALGORITHMS, &found, result);
    if (status == BE_OK) {
        status =
            choose(result, found, most, plain, "by input", &p->way[BE_CONVOLVE_BY_INPUT], error);
    }
    CALL(cudnnGetConvolutionBackwardFilterAlgorithm_v7, opened->handle, p->in, p->out,
         p->convolution, p->weights, ALGORITHMS, &found, result);
    if (status == BE_OK) {
        status = choose(result, found, most, plain, "by weights", &p->way[BE_CONVOLVE_BY_WEIGHTS],
                        error);
    }
    return status;
}

static void add_form(struct be_error *error, const struct be_convolution_form *f) {
    be_context(error, "convolution of %lld x %d x %d x %d by %d of %d x %d", (long long)f->images,
               f->channels, f->height, f->width, f->outputs, f->size, f->size);
}

static enum be_status check_form(const struct be_device *device,
                                 const struct be_convolution_form *f, struct be_error *error) {
    const struct be_cuda_device *d = (const struct be_cuda_device *)device;
    if (f->precision != BE_FLOAT32 && f->precision != BE_TF32) {
        return be_fail(error, BE_USAGE, "in float32 and tf32 only");
    }
    if (f->precision == BE_TF32 && d->major < 8) {
        return be_fail(error, BE_ABSENT,
                       "%s: tf32 needs compute capability 8.0, this device has %d.%d",
                       device->info.id, d->major, d->minor);
    }
    if (f->images < 1 || f->images > INT_MAX || f->channels < 1 || f->outputs < 1 || f->size < 1 ||
        f->stride < 1 || f->pad < 0 || f->height + 2 * f->pad < f->size ||
        f->width + 2 * f->pad < f->size) {
        return be_fail(error, BE_USAGE, "no such sizes");
    }
    return BE_OK;
}

static enum be_status prepare(struct be_device *device, const struct be_dnn *dnn,
                              const struct be_convolution_form *form, size_t most,
                              struct be_convolution *convolution, struct be_error *error) {
    const struct opened *opened = (const struct opened *)dnn->handle;
    be_cuda_enter(device);
    *convolution = (struct be_convolution){0};
    enum be_status status = check_form(device, form, error);
    struct prepared *p = status == BE_OK ? calloc(1, sizeof *p) : NULL;
    if (status == BE_OK && !p) {
        status = be_fail(error, BE_NOMEM, "no host memory");
    }
    if (p) {
        convolution->handle = (uintptr_t)p;
        p->form = *form;
        p->ins = form->images * form->channels * form->height * form->width;
        p->outs = form->images * form->outputs * side(form->height, form) * side(form->width, form);
        status = describe(&opened->cudnn, p, error);
        status = status == BE_OK ? find_ways(opened, p, most, error) : status;
    }
    for (int i = 0; status == BE_OK && i < BE_CONVOLVE_WAYS; i++) {
        if (p->way[i].bytes > convolution->scratch_bytes) {
            convolution->scratch_bytes = p->way[i].bytes;
        }
    }
    if (status != BE_OK) {
        add_form(error, form);
        forget(device, dnn, convolution);
    }
    return status;
}

/* Where the operands lie. */
struct places {
    void *in, *weights, *out, *scratch;
};

static enum be_status find(const struct prepared *p, const struct be_convolve *with, size_t scratch,
                           struct places *at, struct be_error *error) {
    const struct be_convolution_form *f = &p->form;
    const int64_t weights = (int64_t)f->outputs * f->channels * f->size * f->size;
    enum be_status status = be_part_find(&with->in, p->ins, sizeof(float), "input", &at->in, error);
    if (status == BE_OK) {
        status =
            be_part_find(&with->weights, weights, sizeof(float), "weights", &at->weights, error);
    }
    if (status == BE_OK) {
        status = be_part_find(&with->out, p->outs, sizeof(float), "output", &at->out, error);
    }
    if (status == BE_OK && scratch) {
        status = be_part_find(&with->scratch, (int64_t)scratch, 1, "scratch", &at->scratch, error);
    }
    return status;
}

static enum be_status convolve(struct be_device *device, const struct be_dnn *dnn,
                               const struct be_convolution *convolution, enum be_convolve_way way,
                               const struct be_convolve *with, struct be_error *error) {
    static const float one = 1;
    static const float none = 0;
    const struct opened *opened = (const struct opened *)dnn->handle;
    const struct be_cudnn *cudnn = &opened->cudnn;
    const struct prepared *p = (const struct prepared *)convolution->handle;
    const struct way *w = &p->way[way];
    const float *beta = with->adds ? &one : &none;
    struct places at = {0};
    be_cuda_enter(device);
    enum be_status status = find(p, with, w->bytes, &at, error);
    CALL(cudnnSetConvolutionMathType, p->convolution, w->math);
    switch (way) {
    case BE_CONVOLVE:
        CALL(cudnnConvolutionForward, opened->handle, &one, p->in, at.in, p->weights, at.weights,
             p->convolution, w->algorithm, at.scratch, w->bytes, beta, p->out, at.out);
        break;
    case BE_CONVOLVE_BY_INPUT:
        CALL(cudnnConvolutionBackwardData, opened->handle, &one, p->weights, at.weights, p->out,
             at.out, p->convolution, w->algorithm, at.scratch, w->bytes, beta, p->in, at.in);
        break;
    case BE_CONVOLVE_BY_WEIGHTS:
        CALL(cudnnConvolutionBackwardFilter, opened->handle, &one, p->in, at.in, p->out, at.out,
             p->convolution, w->algorithm, at.scratch, w->bytes, beta, p->weights, at.weights);
        break;
    case BE_CONVOLVE_WAYS:
        break;
    }
    if (status != BE_OK) {
        add_form(error, &p->form);
    }
    return status;
}

const struct be_dnn_ops be_cuda_dnn = {.open = open_dnn,
                                       .close = close_dnn,
                                       .prepare = prepare,
                                       .forget = forget,
                                       .convolve = convolve};
