/* A fake cuDNN: convolutions by the plain loops, put into the fake driver's stream. Three algorithms are offered for each
 * way, fastest first: one that does not repeat, one that wants more memory than there is, and the one that works. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "driver.h"
#include "dyn/nvidia/cudnn/cudnn.h"

enum { SCRATCH = 512, ALGORITHM = 1, UNSTEADY = 0, GREEDY = 2, TENSOR_MATH = 1 };

struct cudnnContext {
    cudaStream_t stream;
};
struct cudnnTensorStruct {
    int n, c, h, w;
};
struct cudnnFilterStruct {
    int k, c, h, w;
};
struct cudnnConvolutionStruct {
    int pad, stride;
    cudnnMathType_t math;
};

size_t cudnnGetVersion(void) {
    (void)fake_call(AT_cudnnGetVersion);
    return 91002;
}

const char *cudnnGetErrorString(cudnnStatus_t status) {
    return fake_call(AT_cudnnGetErrorString) != 0    ? NULL
           : status == CUDNN_STATUS_EXECUTION_FAILED ? "CUDNN_STATUS_EXECUTION_FAILED"
                                                     : "CUDNN_STATUS";
}

/* ---- objects -------------------------------------------------------------------------------- */

static cudnnStatus_t make(int at, enum be_fake_kind kind, size_t bytes, void **made) {
    const cudnnStatus_t code = fake_call(at);
    if (code != 0) {
        return code;
    }
    *made = calloc(1, bytes);
    fake.live[kind] += *made != NULL;
    return *made ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED;
}

static cudnnStatus_t drop(int at, enum be_fake_kind kind, void *object) {
    const cudnnStatus_t code = fake_call(at);
    fake.live[kind] -= object != NULL;
    free(object);
    return code == 0 && !object ? fake_misuse(CUDNN_STATUS_BAD_PARAM, "cuDNN: nothing to destroy")
                                : code;
}

static cudnnStatus_t begin(int at, const void *object) {
    const cudnnStatus_t code = fake_call(at);
    return code == 0 && !object
               ? fake_misuse(CUDNN_STATUS_BAD_PARAM, "%s without an object", fake.function[at].name)
               : code;
}

cudnnStatus_t cudnnCreate(cudnnHandle_t *handle) {
    return make(AT_cudnnCreate, FAKE_DNN, sizeof **handle, (void **)handle);
}

cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
    return drop(AT_cudnnDestroy, FAKE_DNN, handle);
}

cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
    const cudnnStatus_t code = begin(AT_cudnnSetStream, handle);
    if (code == 0) {
        handle->stream = stream;
    }
    return code;
}

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *tensor) {
    return make(AT_cudnnCreateTensorDescriptor, FAKE_DESCRIPTOR, sizeof **tensor, (void **)tensor);
}

cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensor) {
    return drop(AT_cudnnDestroyTensorDescriptor, FAKE_DESCRIPTOR, tensor);
}

cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t tensor, cudnnTensorFormat_t format,
                                         cudnnDataType_t type, int n, int c, int h, int w) {
    const cudnnStatus_t code = begin(AT_cudnnSetTensor4dDescriptor, tensor);
    if (code == 0 && (format != CUDNN_TENSOR_NCHW || type != CUDNN_DATA_FLOAT || n < 1 || c < 1 ||
                      h < 1 || w < 1)) {
        return fake_misuse(CUDNN_STATUS_BAD_PARAM, "a tensor of %d x %d x %d x %d", n, c, h, w);
    }
    if (code == 0) {
        *tensor = (struct cudnnTensorStruct){n, c, h, w};
    }
    return code;
}

cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t *filter) {
    return make(AT_cudnnCreateFilterDescriptor, FAKE_DESCRIPTOR, sizeof **filter, (void **)filter);
}

cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t filter) {
    return drop(AT_cudnnDestroyFilterDescriptor, FAKE_DESCRIPTOR, filter);
}

cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t filter, cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int k, int c, int h, int w) {
    const cudnnStatus_t code = begin(AT_cudnnSetFilter4dDescriptor, filter);
    if (code == 0 && (format != CUDNN_TENSOR_NCHW || type != CUDNN_DATA_FLOAT || k < 1 || c < 1 ||
                      h < 1 || w < 1)) {
        return fake_misuse(CUDNN_STATUS_BAD_PARAM, "a filter of %d x %d x %d x %d", k, c, h, w);
    }
    if (code == 0) {
        *filter = (struct cudnnFilterStruct){k, c, h, w};
    }
    return code;
}

cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t *convolution) {
    return make(AT_cudnnCreateConvolutionDescriptor, FAKE_DESCRIPTOR, sizeof **convolution,
                (void **)convolution);
}

cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t convolution) {
    return drop(AT_cudnnDestroyConvolutionDescriptor, FAKE_DESCRIPTOR, convolution);
}

cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t convolution, int pad_h,
                                              int pad_w, int u, int v, int dilation_h,
                                              int dilation_w, cudnnConvolutionMode_t mode,
                                              cudnnDataType_t compute) {
    const cudnnStatus_t code = begin(AT_cudnnSetConvolution2dDescriptor, convolution);
    if (code == 0 && (pad_h != pad_w || u != v || dilation_h != 1 || dilation_w != 1 ||
                      mode != CUDNN_CROSS_CORRELATION || compute != CUDNN_DATA_FLOAT)) {
        return fake_misuse(CUDNN_STATUS_BAD_PARAM, "a convolution of another kind");
    }
    if (code == 0) {
        convolution->pad = pad_h;
        convolution->stride = u;
    }
    return code;
}

cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t convolution,
                                          cudnnMathType_t math) {
    const cudnnStatus_t code = begin(AT_cudnnSetConvolutionMathType, convolution);
    if (code == 0) {
        convolution->math = math;
    }
    return code;
}

/* ---- algorithms ----------------------------------------------------------------------------- */

static cudnnStatus_t offer(int at, cudnnHandle_t handle, cudnnConvolutionDescriptor_t convolution,
                           int asked, int *found, cudnnConvolutionFwdAlgoPerf_t *result) {
    static const struct {
        int algorithm, determinism;
        size_t bytes;
    } offers[] = {{UNSTEADY, 0, 0},
                  {GREEDY, CUDNN_DETERMINISTIC, (size_t)1 << 50},
                  {ALGORITHM, CUDNN_DETERMINISTIC, SCRATCH}};
    const cudnnStatus_t code = begin(at, handle);
    *found = 0;
    for (int i = 0; code == 0 && i < 3 && i < asked; i++) {
        result[(*found)++] = (cudnnConvolutionFwdAlgoPerf_t){
            .algo = offers[i].algorithm,
            .determinism = offers[i].determinism,
            .memory = offers[i].bytes,
            .mathType = convolution->math == CUDNN_FMA_MATH ? CUDNN_FMA_MATH : TENSOR_MATH};
    }
    return code;
}

cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const cudnnFilterDescriptor_t w,
    const cudnnConvolutionDescriptor_t convolution, const cudnnTensorDescriptor_t y,
    const int asked, int *found, cudnnConvolutionFwdAlgoPerf_t *result) {
    (void)x, (void)w, (void)y;
    return offer(AT_cudnnGetConvolutionForwardAlgorithm_v7, handle, convolution, asked, found,
                 result);
}

cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t w, const cudnnTensorDescriptor_t dy,
    const cudnnConvolutionDescriptor_t convolution, const cudnnTensorDescriptor_t dx,
    const int asked, int *found, cudnnConvolutionBwdDataAlgoPerf_t *result) {
    (void)w, (void)dy, (void)dx;
    return offer(AT_cudnnGetConvolutionBackwardDataAlgorithm_v7, handle, convolution, asked, found,
                 result);
}

cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const cudnnTensorDescriptor_t dy,
    const cudnnConvolutionDescriptor_t convolution, const cudnnFilterDescriptor_t dw,
    const int asked, int *found, cudnnConvolutionBwdFilterAlgoPerf_t *result) {
    (void)x, (void)dy, (void)dw;
    return offer(AT_cudnnGetConvolutionBackwardFilterAlgorithm_v7, handle, convolution, asked,
                 found, result);
}

/* ---- convolutions --------------------------------------------------------------------------- */

enum way { FORWARD, BY_INPUT, BY_WEIGHTS };

/* A convolution on its way: x under w makes y, or the gradients of one by the others. */
struct work {
    enum way way;
    float *x, *w, *y;
    float beta;
    struct cudnnTensorStruct in, out;
    struct cudnnFilterStruct filter;
    struct cudnnConvolutionStruct convolution;
};

/* As tensor cores take it, with ten bits behind the first. */
static double taken(const struct work *k, float value) {
    uint32_t bits;
    if (k->convolution.math == CUDNN_FMA_MATH) {
        return (double)value;
    }
    memcpy(&bits, &value, sizeof bits);
    bits = (bits + 0x1000U) & ~0x1fffU;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* Calls for every product of the convolution; a sum of doubles for each number that is written. */
static void add_products(const struct work *k, double *sum) {
    const struct cudnnTensorStruct in = k->in;
    const struct cudnnTensorStruct out = k->out;
    const struct cudnnFilterStruct f = k->filter;
    const long outs = (long)out.n * out.c * out.h * out.w;
    for (long o = 0; o < outs; o++) {
        const long n = o / (out.c * out.h * out.w);
        const long channel = o / (out.h * out.w) % out.c;
        for (long i = 0; i < f.c * f.h * f.w; i++) {
            const long y =
                o / out.w % out.h * k->convolution.stride + i / f.w % f.h - k->convolution.pad;
            const long x = o % out.w * k->convolution.stride + i % f.w - k->convolution.pad;
            const long from = ((n * in.c + i / (f.h * f.w)) * in.h + y) * in.w + x;
            const long weight = channel * f.c * f.h * f.w + i;
            if (y < 0 || y >= in.h || x < 0 || x >= in.w) {
                continue;
            }
            if (k->way == FORWARD) {
                sum[o] += taken(k, k->x[from]) * taken(k, k->w[weight]);
            } else if (k->way == BY_INPUT) {
                sum[from] += taken(k, k->y[o]) * taken(k, k->w[weight]);
            } else {
                sum[weight] += taken(k, k->y[o]) * taken(k, k->x[from]);
            }
        }
    }
}

static size_t numbers_of(const struct cudnnTensorStruct *t) {
    return (size_t)t->n * (size_t)t->c * (size_t)t->h * (size_t)t->w;
}

static size_t weights_of(const struct cudnnFilterStruct *f) {
    return (size_t)f->k * (size_t)f->c * (size_t)f->h * (size_t)f->w;
}

static void run(const void *context) {
    struct work k;
    memcpy(&k, context, sizeof k);
    const size_t count = k.way == FORWARD    ? numbers_of(&k.out)
                         : k.way == BY_INPUT ? numbers_of(&k.in)
                                             : weights_of(&k.filter);
    float *to = k.way == FORWARD ? k.y : k.way == BY_INPUT ? k.x : k.w;
    double *sum = calloc(count, sizeof *sum);
    if (!sum) {
        fake_misuse(CUDNN_STATUS_EXECUTION_FAILED, "no memory for a convolution");
        return;
    }
    add_products(&k, sum);
    for (size_t i = 0; i < count; i++) {
        to[i] = (float)sum[i] + (k.beta != 0 ? k.beta * to[i] : 0);
    }
    free(sum);
}

struct scratch {
    int algorithm;
    const void *memory;
    size_t bytes;
};

static cudnnStatus_t convolve(const char *call, cudnnHandle_t handle, const struct work *k,
                              const struct scratch *scratch) {
    const struct cudnnConvolutionStruct *c = &k->convolution;
    const bool fits = k->in.n == k->out.n && k->filter.c == k->in.c && k->filter.k == k->out.c &&
                      k->out.h == (k->in.h + 2 * c->pad - k->filter.h) / c->stride + 1 &&
                      k->out.w == (k->in.w + 2 * c->pad - k->filter.w) / c->stride + 1;
    if (!fits || scratch->algorithm != ALGORITHM || scratch->bytes < SCRATCH ||
        !driver_holds(scratch->memory, scratch->bytes) ||
        !driver_holds(k->x, numbers_of(&k->in) * sizeof(float)) ||
        !driver_holds(k->y, numbers_of(&k->out) * sizeof(float)) ||
        !driver_holds(k->w, weights_of(&k->filter) * sizeof(float))) {
        return fake_misuse(CUDNN_STATUS_BAD_PARAM, "%s of %d x %d numbers", call, k->in.n, k->in.c);
    }
    return driver_put(handle->stream, run, k, sizeof *k)
               ? CUDNN_STATUS_SUCCESS
               : fake_misuse(CUDNN_STATUS_EXECUTION_FAILED, "%s without a stream", call);
}

/* Data that are read are not written: the fake has one place for each. */
static float *writable(const void *data) {
    float *at;
    memcpy(&at, &data, sizeof at);
    return at;
}

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void *alpha,
                                      const cudnnTensorDescriptor_t x, const void *x_data,
                                      const cudnnFilterDescriptor_t w, const void *w_data,
                                      const cudnnConvolutionDescriptor_t convolution,
                                      cudnnConvolutionFwdAlgo_t algorithm, void *work,
                                      size_t work_bytes, const void *beta,
                                      const cudnnTensorDescriptor_t y, void *y_data) {
    const cudnnStatus_t code = begin(AT_cudnnConvolutionForward, handle);
    (void)alpha;
    return code != 0 ? code
                     : convolve("cudnnConvolutionForward", handle,
                                &(struct work){FORWARD, writable(x_data), writable(w_data), y_data,
                                               *(const float *)beta, *x, *y, *w, *convolution},
                                &(struct scratch){algorithm, work, work_bytes});
}

cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t handle, const void *alpha,
                                           const cudnnFilterDescriptor_t w, const void *w_data,
                                           const cudnnTensorDescriptor_t dy, const void *dy_data,
                                           const cudnnConvolutionDescriptor_t convolution,
                                           cudnnConvolutionBwdDataAlgo_t algorithm, void *work,
                                           size_t work_bytes, const void *beta,
                                           const cudnnTensorDescriptor_t dx, void *dx_data) {
    const cudnnStatus_t code = begin(AT_cudnnConvolutionBackwardData, handle);
    (void)alpha;
    return code != 0
               ? code
               : convolve("cudnnConvolutionBackwardData", handle,
                          &(struct work){BY_INPUT, dx_data, writable(w_data), writable(dy_data),
                                         *(const float *)beta, *dx, *dy, *w, *convolution},
                          &(struct scratch){algorithm, work, work_bytes});
}

cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void *alpha,
                                             const cudnnTensorDescriptor_t x, const void *x_data,
                                             const cudnnTensorDescriptor_t dy, const void *dy_data,
                                             const cudnnConvolutionDescriptor_t convolution,
                                             cudnnConvolutionBwdFilterAlgo_t algorithm, void *work,
                                             size_t work_bytes, const void *beta,
                                             const cudnnFilterDescriptor_t dw, void *dw_data) {
    const cudnnStatus_t code = begin(AT_cudnnConvolutionBackwardFilter, handle);
    (void)alpha;
    return code != 0
               ? code
               : convolve("cudnnConvolutionBackwardFilter", handle,
                          &(struct work){BY_WEIGHTS, writable(x_data), dw_data, writable(dy_data),
                                         *(const float *)beta, *x, *dy, *dw, *convolution},
                          &(struct scratch){algorithm, work, work_bytes});
}
