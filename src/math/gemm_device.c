/* The general product on a device: by the vendor's library, or by the kernel of gemm.cl. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "device/common/parts.h"
#include "kernel_programs.h"
#include "math/gemm.h"

/* As gemm.cl has them. */
enum { TILE_ROWS = 128, TILE_COLUMNS32 = 128, TILE_COLUMNS64 = 64, LANES = 256 };

/* A device in the host's memory, whose queues are done at once: the host's own code serves it. */
static bool is_host(const struct be_device *device) {
    return strcmp(device->ops->name, "cpu") == 0;
}

void be_gemm_close(struct be_device *device, struct be_gemm_plan *plan) {
    if (plan->by == BE_GEMM_BY_LIBRARY && !is_host(device)) {
        device->ops->blas->close(device, &plan->blas);
    }
    if (plan->by == BE_GEMM_BY_KERNEL && !is_host(device)) {
        device->ops->program->forget(device, &plan->kernel);
        device->ops->program->drop(device, &plan->module);
    }
    *plan = (struct be_gemm_plan){0};
}

static enum be_status open_library(struct be_device *device, struct be_gemm_plan *plan,
                                   struct be_error *error) {
    if (!device->ops->blas) {
        return be_fail(error, BE_ABSENT, "%s: no matrix library is known for %s devices",
                       device->info.id, device->ops->name);
    }
    const enum be_status status = device->ops->blas->open(device, &plan->blas, error);
    if (status == BE_OK) {
        plan->by = BE_GEMM_BY_LIBRARY;
        be_copy_text(plan->name, sizeof plan->name, plan->blas.name);
    }
    return status;
}

static enum be_status open_kernel(struct be_device *device, struct be_gemm_plan *plan,
                                  struct be_error *error) {
    const struct be_program_ops *ops = device->ops->program;
    struct be_program program = be_program_gemm;
    program.defines = plan->precision == BE_FLOAT64 ? "#define BE_REAL64 1\n" : NULL;
    plan->by = BE_GEMM_BY_KERNEL;
    be_copy_text(plan->name, sizeof plan->name, "our own kernel");
    enum be_status status = ops->build(device, &program, &plan->module, error);
    if (status == BE_OK) {
        status = ops->kernel(device, &plan->module, "k_gemm", &plan->kernel, error);
    }
    return status;
}

static enum be_status open_host(struct be_gemm_plan *plan, enum be_gemm_by by,
                                struct be_error *error) {
    const bool here = plan->host_blas && plan->host_blas->handle;
    if (by == BE_GEMM_BY_LIBRARY && !here) {
        return be_fail(error, BE_ABSENT, "cpu: no BLAS was opened to multiply by");
    }
    plan->by = by != BE_GEMM_BY_ANY ? by : here ? BE_GEMM_BY_LIBRARY : BE_GEMM_BY_KERNEL;
    if (plan->by == BE_GEMM_BY_LIBRARY) {
        be_host_blas_name(plan->host_blas, plan->name, sizeof plan->name);
    } else {
        be_copy_text(plan->name, sizeof plan->name, "our own code");
        plan->host_blas = NULL;
    }
    return BE_OK;
}

enum be_status be_gemm_open(struct be_device *device, enum be_precision precision,
                            enum be_gemm_by by, const struct be_host_blas *host_blas,
                            struct be_team *team, struct be_gemm_plan *plan,
                            struct be_error *error) {
    struct be_error absence = {0};
    enum be_status status = BE_ABSENT;
    *plan = (struct be_gemm_plan){.precision = precision, .host_blas = host_blas, .team = team};
    if (precision == BE_TF32 && (is_host(device) || !device->ops->blas)) {
        return be_fail(error, BE_ABSENT,
                       "%s: has no tf32: CUDA devices have, from compute capability 8.0 on",
                       device->info.id);
    }
    if (precision == BE_TF32) {
        return open_library(device, plan, error);
    }
    if (precision != BE_FLOAT64 && precision != BE_FLOAT32) {
        return be_fail(error, BE_USAGE, "matrix product: in float64, float32 and tf32 only");
    }
    if (is_host(device)) {
        status = open_host(plan, by, error);
    } else {
        if (by != BE_GEMM_BY_KERNEL) {
            status = open_library(device, plan, by == BE_GEMM_BY_ANY ? &absence : error);
        }
        if (by == BE_GEMM_BY_KERNEL || (by == BE_GEMM_BY_ANY && status == BE_ABSENT)) {
            status = open_kernel(device, plan, error);
        } else if (by == BE_GEMM_BY_ANY && status != BE_OK) {
            be_fail(error, status, "%s", absence.text);
        }
    }
    if (status != BE_OK) {
        be_gemm_close(device, plan);
    }
    return status;
}

/* Where the three begin, if they are within their buffers. */
static enum be_status find(const struct be_gemm *g, void *at[3], struct be_error *error) {
    const size_t each = g->precision == BE_FLOAT64 ? sizeof(double) : sizeof(float);
    const enum be_status status = be_gemm_find(g, each, at, error);
    if (status != BE_OK) {
        be_context(error, "matrix product of %lld x %lld x %lld", (long long)g->m, (long long)g->n,
                   (long long)g->k);
    }
    return status;
}

static enum be_status on_host(const struct be_gemm_plan *plan, const struct be_gemm *g,
                              void *const at[3], struct be_error *error) {
    const struct be_host_gemm gemm = {.wide = g->precision == BE_FLOAT64,
                                      .transpose_a = g->transpose_a,
                                      .transpose_b = g->transpose_b,
                                      .m = g->m,
                                      .n = g->n,
                                      .k = g->k,
                                      .alpha = g->alpha,
                                      .beta = g->beta,
                                      .a = at[0],
                                      .b = at[1],
                                      .c = at[2],
                                      .a_stride = g->a.stride,
                                      .b_stride = g->b.stride,
                                      .c_stride = g->c.stride};
    return be_gemm_host(&gemm, plan->host_blas, plan->team, error);
}

static struct be_argument whole(int64_t value) {
    return (struct be_argument){.kind = BE_ARGUMENT_LONG, .integer = value};
}

static struct be_argument real(const struct be_gemm *g, double value) {
    return (struct be_argument){.kind = g->precision == BE_FLOAT64 ? BE_ARGUMENT_DOUBLE
                                                                   : BE_ARGUMENT_FLOAT,
                                .real = (float)value,
                                .real64 = value};
}

/* Offsets go as numbers: OpenCL begins a part of a buffer only on multiples of its own. */
static enum be_status by_kernel(struct be_device *device, const struct be_gemm_plan *plan,
                                const struct be_gemm *g, struct be_error *error) {
    const int64_t each = g->precision == BE_FLOAT64 ? sizeof(double) : sizeof(float);
    const int64_t wide = g->precision == BE_FLOAT64 ? TILE_COLUMNS64 : TILE_COLUMNS32;
    const int64_t groups = (g->m + TILE_ROWS - 1) / TILE_ROWS * ((g->n + wide - 1) / wide);
    const struct be_argument argument[] = {
        {.kind = BE_ARGUMENT_BUFFER, .buffer = g->a.buffer},
        {.kind = BE_ARGUMENT_BUFFER, .buffer = g->b.buffer},
        {.kind = BE_ARGUMENT_BUFFER, .buffer = g->c.buffer},
        whole((int64_t)g->a.offset / each),
        whole((int64_t)g->b.offset / each),
        whole((int64_t)g->c.offset / each),
        whole(g->m),
        whole(g->n),
        whole(g->k),
        whole(g->transpose_a ? g->a.stride : 1),
        whole(g->transpose_a ? 1 : g->a.stride),
        whole(g->transpose_b ? g->b.stride : 1),
        whole(g->transpose_b ? 1 : g->b.stride),
        whole(g->c.stride),
        real(g, g->alpha),
        real(g, g->beta),
    };
    return device->ops->program->launch(device, BE_QUEUE_WORK, &plan->kernel, (size_t)groups, LANES,
                                        argument, BE_COUNT(argument), error);
}

enum be_status be_gemm_enqueue(struct be_device *device, const struct be_gemm_plan *plan,
                               const struct be_gemm *gemm, struct be_error *error) {
    void *at[3] = {NULL, NULL, NULL};
    if (plan->by == BE_GEMM_BY_ANY || gemm->precision != plan->precision) {
        return be_fail(error, BE_USAGE, "matrix product: not what was made ready");
    }
    if (gemm->batch > 1) {
        return be_fail(error, BE_USAGE, "matrix product: one at a time");
    }
    const enum be_status status = find(gemm, at, error);
    if (status != BE_OK) {
        return status;
    }
    if (is_host(device)) {
        return on_host(plan, gemm, at, error);
    }
    return plan->by == BE_GEMM_BY_LIBRARY
               ? device->ops->blas->gemm(device, &plan->blas, gemm, error)
               : by_kernel(device, plan, gemm, error);
}
