/* Matrix products and batches of small systems through cuBLAS. */
#include <limits.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/cuda/cuda.h"
#include "device/common/parts.h"
#include "dyn/nvidia/cublas.h"

struct opened {
    struct be_cublas cublas;
    cublasHandle_t handle;
};

static const struct be_cuda_meaning meanings[] = {
    {CUBLAS_STATUS_ALLOC_FAILED, BE_NOMEM, NULL},
    {CUBLAS_STATUS_NOT_SUPPORTED, BE_ABSENT, NULL},
    {CUBLAS_STATUS_ARCH_MISMATCH, BE_ABSENT, NULL},
};

static const struct be_cuda_results results = {"cuBLAS", meanings, BE_COUNT(meanings)};

static enum be_status check(const struct be_cublas *cublas, cublasStatus_t result, const char *call,
                            struct be_error *error) {
    if (result == CUBLAS_STATUS_SUCCESS) {
        return BE_OK;
    }
    const char *said = cublas->cublasGetStatusString ? cublas->cublasGetStatusString(result) : NULL;
    return be_cuda_result(&results, result, said, call, error);
}

static void close_blas(struct be_device *device, struct be_blas *blas) {
    struct opened *opened = (struct opened *)blas->handle;
    if (opened) {
        be_cuda_enter(device);
        if (opened->handle) {
            opened->cublas.cublasDestroy_v2(opened->handle);
        }
        be_dyn_close(opened->cublas.handle);
        free(opened);
    }
    *blas = (struct be_blas){0};
}

/* Onto our queue, and without TF32 for float32 or parts of a sum rounded to two bytes. */
static enum be_status set_up(const struct opened *opened, CUstream stream, struct be_error *error) {
    const struct be_cublas *cublas = &opened->cublas;
    enum be_status status =
        check(cublas, cublas->cublasSetStream_v2(opened->handle, stream), "cublasSetStream", error);
    if (status == BE_OK && cublas->cublasSetMathMode) {
        status = check(cublas,
                       cublas->cublasSetMathMode(
                           opened->handle,
                           CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION),
                       "cublasSetMathMode", error);
    }
    return status;
}

static enum be_status open_blas(struct be_device *device, struct be_blas *blas,
                                struct be_error *error) {
    struct be_cuda_device *d = be_cuda_enter(device);
    struct be_clock clock = be_clock_host();
    double start = be_now(&clock);
    int version = 0;
    *blas = (struct be_blas){0};
    struct opened *opened = calloc(1, sizeof *opened);
    if (!opened) {
        return be_fail(error, BE_NOMEM, "cuBLAS: no host memory");
    }
    blas->handle = (uintptr_t)opened;
    const struct be_cublas *cublas = &opened->cublas;
    enum be_status status = be_cublas_open(&opened->cublas, error);
    if (status == BE_OK) {
        status = check(cublas, cublas->cublasCreate_v2(&opened->handle), "cublasCreate", error);
    }
    if (status == BE_OK) {
        status = check(cublas, cublas->cublasGetVersion_v2(opened->handle, &version),
                       "cublasGetVersion", error);
    }
    status = status == BE_OK ? set_up(opened, d->stream[BE_QUEUE_WORK], error) : status;
    if (status != BE_OK) {
        close_blas(device, blas);
        return status;
    }
    snprintf(blas->name, sizeof blas->name, "cuBLAS %d.%d.%d", version / 10000, version / 100 % 100,
             version % 100);
    blas->open_s = be_now(&clock) - start;
    return BE_OK;
}

/* How the numbers lie in memory, what they are summed in, and from which compute capability on. */
static const struct {
    cudaDataType type;
    cublasComputeType_t compute;
    size_t bytes;
    int major;
    const char *name;
} precisions[BE_PRECISIONS] = {
    [BE_FLOAT64] = {CUDA_R_64F, CUBLAS_COMPUTE_64F, 8, 0, "float64"},
    [BE_FLOAT32] = {CUDA_R_32F, CUBLAS_COMPUTE_32F, 4, 0, "float32"},
    [BE_TF32] = {CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, 4, 8, "tf32"},
    [BE_FLOAT16] = {CUDA_R_16F, CUBLAS_COMPUTE_32F, 2, 0, "float16"},
    [BE_BFLOAT16] = {CUDA_R_16BF, CUBLAS_COMPUTE_32F, 2, 8, "bfloat16"},
};

/* The library takes 32-bit sizes, and from version 12 on, under another name, 64-bit ones. */
static bool fits_int(const struct be_gemm *g) {
    const int64_t size[] = {g->m, g->n, g->k, g->a.stride, g->b.stride, g->c.stride, g->batch};
    bool fits = true;
    for (size_t i = 0; i < BE_COUNT(size); i++) {
        fits &= size[i] <= INT_MAX;
    }
    return fits;
}

/* The library's own arguments for a product. */
struct gemm_call {
    cublasOperation_t turn_a, turn_b;
    float alpha32, beta32;
    const void *alpha, *beta; /* of the type that is computed in */
    cudaDataType type;
    cublasComputeType_t compute;
};

static void call_of(const struct be_gemm *g, struct gemm_call *call) {
    const bool is_double = g->precision == BE_FLOAT64;
    *call = (struct gemm_call){.turn_a = g->transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N,
                               .turn_b = g->transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N,
                               .alpha32 = (float)g->alpha,
                               .beta32 = (float)g->beta,
                               .type = precisions[g->precision].type,
                               .compute = precisions[g->precision].compute};
    call->alpha = is_double ? (const void *)&g->alpha : &call->alpha32;
    call->beta = is_double ? (const void *)&g->beta : &call->beta32;
}

/* The operands are where `at` says. `what` names it for messages: "8 x 8 float32". */
static enum be_status one_product(const struct opened *opened, const struct be_gemm *g,
                                  void *const at[3], const char *what, struct be_error *error) {
    const struct be_cublas *cublas = &opened->cublas;
    struct gemm_call o;
    char call[BE_NAME * 2];
    call_of(g, &o);
    if (fits_int(g)) {
        snprintf(call, sizeof call, "cublasGemmEx of %s", what);
        return check(cublas,
                     cublas->cublasGemmEx(opened->handle, o.turn_a, o.turn_b, (int)g->m, (int)g->n,
                                          (int)g->k, o.alpha, at[0], o.type, (int)g->a.stride,
                                          at[1], o.type, (int)g->b.stride, o.beta, at[2], o.type,
                                          (int)g->c.stride, o.compute, CUBLAS_GEMM_DEFAULT),
                     call, error);
    }
    snprintf(call, sizeof call, "cublasGemmEx_64 of %s", what);
    if (!cublas->cublasGemmEx_64) {
        return be_fail(error, BE_ABSENT, "%s: sizes beyond 2^31 - 1 need cuBLAS 12 or newer", call);
    }
    return check(cublas,
                 cublas->cublasGemmEx_64(opened->handle, o.turn_a, o.turn_b, g->m, g->n, g->k,
                                         o.alpha, at[0], o.type, g->a.stride, at[1], o.type,
                                         g->b.stride, o.beta, at[2], o.type, g->c.stride, o.compute,
                                         CUBLAS_GEMM_DEFAULT),
                 call, error);
}

static enum be_status batch_of_products(const struct opened *opened, const struct be_gemm *g,
                                        void *const at[3], const char *what,
                                        struct be_error *error) {
    const struct be_cublas *cublas = &opened->cublas;
    struct gemm_call o;
    char call[BE_NAME * 2];
    call_of(g, &o);
    snprintf(call, sizeof call, "cublasGemmStridedBatchedEx of %s", what);
    if (!fits_int(g)) {
        return be_fail(error, BE_ABSENT, "%s: a batch has sizes of up to 2^31 - 1", call);
    }
    if (!cublas->cublasGemmStridedBatchedEx) {
        return be_fail(error, BE_ABSENT, "%s: needs cuBLAS 9.1 or newer", call);
    }
    return check(cublas,
                 cublas->cublasGemmStridedBatchedEx(
                     opened->handle, o.turn_a, o.turn_b, (int)g->m, (int)g->n, (int)g->k, o.alpha,
                     at[0], o.type, (int)g->a.stride, g->a_step, at[1], o.type, (int)g->b.stride,
                     g->b_step, o.beta, at[2], o.type, (int)g->c.stride, g->c_step, (int)g->batch,
                     o.compute, CUBLAS_GEMM_DEFAULT),
                 call, error);
}

static enum be_status check_precision(const struct be_cuda_device *d, enum be_precision precision,
                                      struct be_error *error) {
    if (d->major >= precisions[precision].major) {
        return BE_OK;
    }
    return be_fail(error, BE_ABSENT, "%s: %s needs compute capability %d.0, this device has %d.%d",
                   d->base.info.id, precisions[precision].name, precisions[precision].major,
                   d->major, d->minor);
}

static enum be_status gemm(struct be_device *device, const struct be_blas *blas,
                           const struct be_gemm *g, struct be_error *error) {
    const struct be_cuda_device *d = be_cuda_enter(device);
    const size_t each = precisions[g->precision].bytes;
    void *at[3] = {NULL, NULL, NULL};
    char what[BE_NAME];
    snprintf(what, sizeof what, "%lld x %lld x %lld %s", (long long)g->m, (long long)g->n,
             (long long)g->k, precisions[g->precision].name);
    enum be_status status = check_precision(d, g->precision, error);
    if (status != BE_OK) {
        return status;
    }
    status = be_gemm_find(g, each, at, error);
    if (status != BE_OK) {
        be_context(error, "matrix product of %s", what);
        return status;
    }
    return (g->batch > 1 ? batch_of_products : one_product)((const struct opened *)blas->handle, g,
                                                            at, what, error);
}

/* ---- batches of small systems --------------------------------------------------------------- */

/* In scratch: where each matrix begins, where each right side does, the pivots of each system. */
static size_t lu_scratch_bytes(int order, int count) {
    size_t systems = count > 0 ? (size_t)count : 0;
    size_t pivots = systems * (order > 0 ? (size_t)order : 0);
    return systems * 2 * sizeof(uintptr_t) + (pivots * sizeof(int) + 7) / 8 * 8;
}

struct lu_places {
    void *a, *b, *info;
    uintptr_t *scratch;
    size_t each; /* bytes of a number */
};

static enum be_status find_lu(const struct be_lu_batch *l, struct lu_places *at,
                              struct be_error *error) {
    const int64_t n = l->order;
    void *scratch = NULL;
    if (l->precision != BE_FLOAT64 && l->precision != BE_FLOAT32) {
        return be_fail(error, BE_ABSENT, "cuBLAS solves small systems in float64 and float32 only");
    }
    if (l->order < 1 || l->count < 1) {
        return be_fail(error, BE_USAGE, "%d systems of order %d: at least 1 each", l->count,
                       l->order);
    }
    const size_t words = lu_scratch_bytes(l->order, l->count) / sizeof(uintptr_t);
    at->each = precisions[l->precision].bytes;
    enum be_status status = be_part_find(&l->a, n * n * l->count, at->each, "A", &at->a, error);
    if (status == BE_OK) {
        status = be_part_find(&l->b, n * l->count, at->each, "b", &at->b, error);
    }
    if (status == BE_OK) {
        status = be_part_find(&l->info, l->count, sizeof(int), "info", &at->info, error);
    }
    if (status == BE_OK) {
        status = be_part_find(&l->scratch, (int64_t)words, sizeof(uintptr_t), "scratch", &scratch,
                              error);
    }
    at->scratch = scratch;
    return status;
}

static enum be_status lu_prepare(struct be_device *device, const struct be_blas *blas,
                                 const struct be_lu_batch *l, struct be_error *error) {
    (void)blas;
    const struct be_device_ops *ops = device->ops;
    const size_t n = (size_t)l->order;
    const size_t count = (size_t)l->count;
    const size_t bytes = 2 * count * sizeof(uintptr_t);
    struct be_pinned pinned = {0};
    struct lu_places at = {0};
    enum be_status status = find_lu(l, &at, error);
    status = status == BE_OK ? ops->memory->pin(device, bytes, &pinned, error) : status;
    if (status == BE_OK) {
        uintptr_t *const place = pinned.host;
        for (size_t i = 0; i < count; i++) {
            place[i] = (uintptr_t)at.a + i * n * n * at.each;
            place[count + i] = (uintptr_t)at.b + i * n * at.each;
        }
        status = ops->queue->write(device, BE_QUEUE_WORK, l->scratch.buffer, l->scratch.offset,
                                   pinned.host, bytes, error);
    }
    status = status == BE_OK ? ops->queue->drain(device, BE_QUEUE_WORK, error) : status;
    ops->memory->unpin(device, &pinned);
    return status;
}

/* The library's own arguments for some of the systems. */
struct lu_call {
    int n, count;
    void *a, *b; /* lists of pointers, on the device */
    int *pivot, *info;
};

static enum be_status lu_double(const struct opened *o, const struct lu_call *c,
                                struct be_error *error) {
    int refused = 0; /* of getrs, on the host: an argument, which its result says too */
    enum be_status status = check(
        &o->cublas,
        o->cublas.cublasDgetrfBatched(o->handle, c->n, c->a, c->n, c->pivot, c->info, c->count),
        "cublasDgetrfBatched", error);
    if (status != BE_OK) {
        return status;
    }
    return check(&o->cublas,
                 o->cublas.cublasDgetrsBatched(o->handle, CUBLAS_OP_N, c->n, 1, c->a, c->n,
                                               c->pivot, c->b, c->n, &refused, c->count),
                 "cublasDgetrsBatched", error);
}

static enum be_status lu_single(const struct opened *o, const struct lu_call *c,
                                struct be_error *error) {
    int refused = 0; /* of getrs, on the host: an argument, which its result says too */
    enum be_status status = check(
        &o->cublas,
        o->cublas.cublasSgetrfBatched(o->handle, c->n, c->a, c->n, c->pivot, c->info, c->count),
        "cublasSgetrfBatched", error);
    if (status != BE_OK) {
        return status;
    }
    return check(&o->cublas,
                 o->cublas.cublasSgetrsBatched(o->handle, CUBLAS_OP_N, c->n, 1, c->a, c->n,
                                               c->pivot, c->b, c->n, &refused, c->count),
                 "cublasSgetrsBatched", error);
}

static enum be_status lu_batched(struct be_device *device, const struct be_blas *blas,
                                 const struct be_lu_batch *l, int first, int count,
                                 struct be_error *error) {
    be_cuda_enter(device);
    const struct opened *opened = (const struct opened *)blas->handle;
    struct lu_places at = {0};
    enum be_status status = find_lu(l, &at, error);
    if (status != BE_OK) {
        return status;
    }
    if (first < 0 || count < 1 || count > l->count - first) {
        return be_fail(error, BE_USAGE, "systems %d to %d of %d", first, first + count, l->count);
    }
    const struct lu_call call = {
        .n = l->order,
        .count = count,
        .a = at.scratch + first,
        .b = at.scratch + l->count + first,
        .pivot =
            (int *)(void *)(at.scratch + 2 * (size_t)l->count) + (size_t)first * (size_t)l->order,
        .info = (int *)at.info + first,
    };
    status = l->precision == BE_FLOAT64 ? lu_double(opened, &call, error)
                                        : lu_single(opened, &call, error);
    if (status != BE_OK) {
        be_context(error, "%d systems of order %d", count, l->order);
    }
    return status;
}

const struct be_blas_ops be_cuda_blas = {
    .open = open_blas,
    .close = close_blas,
    .gemm = gemm,
    .lu_scratch_bytes = lu_scratch_bytes,
    .lu_prepare = lu_prepare,
    .lu_batched = lu_batched,
};
