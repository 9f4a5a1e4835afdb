/* Steps on a device: launches of matvec.cl, and the vendor's library. */
#include <string.h>

#include "base/error.h"
#include "kernel_programs.h"
#include "workload/matvec/matvec.h"

/* As matvec.cl has them. */
enum { LANES_A_ROW = 64, ORDER_MAX = 64 };
enum { ROWS, FUSED }; /* kernels */
enum { FINISH };      /* kernels beside the library */
enum { LANES = 256 };

enum be_status be_matvec_prepare(struct be_device *device, const struct be_problem *problem,
                                 struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_rows", "k_fused", NULL};
    return be_prepare_kernels(device, problem, &be_program_matvec, NULL, names, prepared, error);
}

size_t be_matvec_device_scratch(const struct be_problem *problem) {
    return be_matvec_of(problem, BE_MATVEC_ORDER) * be_matvec_of(problem, BE_MATVEC_BATCH) *
           be_real_bytes(problem->real);
}

/* Vectors with k steps to go: in the output, or beside it. */
static struct be_argument vectors_at(const struct be_launch *launch, size_t k) {
    const struct be_argument beside = BE_BUFFER(launch->scratch);
    return k % 2 == 0 ? be_launch_array(launch, BE_MATVEC_R) : beside;
}

/* From `from` to `to`. */
typedef enum be_status put_step(const struct be_launch *launch, struct be_argument from,
                                struct be_argument to, struct be_error *error);

static enum be_status put_steps(const struct be_launch *launch, put_step *put,
                                struct be_error *error) {
    struct be_argument from = be_launch_array(launch, BE_MATVEC_INPUT);
    enum be_status status = BE_OK;
    for (size_t k = be_matvec_of(launch->problem, BE_MATVEC_STEPS); status == BE_OK && k-- > 0;) {
        const struct be_argument to = vectors_at(launch, k);
        status = put(launch, from, to, error);
        from = to;
    }
    return status;
}

static enum be_status put_rows(const struct be_launch *launch, struct be_argument from,
                               struct be_argument to, struct be_error *error) {
    const size_t n = be_matvec_of(launch->problem, BE_MATVEC_ORDER);
    const struct be_argument argument[] = {be_launch_array(launch, BE_MATVEC_J),
                                           be_launch_array(launch, BE_MATVEC_INPUT), from, to,
                                           BE_LONG(n)};
    return be_launch_kernel(launch, ROWS, n * be_matvec_of(launch->problem, BE_MATVEC_BATCH),
                            LANES_A_ROW, argument, 5, error);
}

enum be_status be_matvec_enqueue_plain(const struct be_launch *launch, struct be_error *error) {
    return put_steps(launch, put_rows, error);
}

const char *be_matvec_unfit_fused(const struct be_problem *problem) {
    return be_matvec_of(problem, BE_MATVEC_ORDER) > ORDER_MAX ? "takes orders up to 64" : NULL;
}

enum be_status be_matvec_enqueue_fused(const struct be_launch *launch, struct be_error *error) {
    const struct be_argument argument[] = {
        be_launch_array(launch, BE_MATVEC_J),
        be_launch_array(launch, BE_MATVEC_INPUT),
        be_launch_array(launch, BE_MATVEC_R),
        BE_LONG(be_matvec_of(launch->problem, BE_MATVEC_ORDER)),
        BE_LONG(be_matvec_of(launch->problem, BE_MATVEC_STEPS)),
    };
    return be_launch_kernel(launch, FUSED, be_matvec_of(launch->problem, BE_MATVEC_BATCH),
                            ORDER_MAX, argument, 5, error);
}

/* ---- the vendor's library ------------------------------------------------------------------- */

enum be_status be_matvec_library_prepare(struct be_device *device, const struct be_problem *problem,
                                         struct be_prepared *prepared, struct be_error *error) {
    memset(prepared, 0, sizeof *prepared);
    if (!device->ops->blas) {
        return be_fail(error, BE_ABSENT, "%s: no matrix library is known for %s devices",
                       device->info.id, device->ops->name);
    }
    static const char *const names[] = {"k_finish", NULL};
    enum be_status status =
        be_prepare_kernels(device, problem, &be_program_matvec, NULL, names, prepared, error);
    if (status == BE_OK) {
        status = device->ops->blas->open(device, &prepared->blas, error);
        if (status != BE_OK) {
            be_discard_kernels(device, prepared);
        }
    }
    return status;
}

void be_matvec_library_discard(struct be_device *device, struct be_prepared *prepared) {
    device->ops->blas->close(device, &prepared->blas);
    be_discard_kernels(device, prepared);
}

static struct be_matrix matrix(const struct be_argument *at, size_t n) {
    return (struct be_matrix){.buffer = at->buffer, .offset = at->offset, .stride = (int64_t)n};
}

/* J, row after row, is transposed as a library sees it. */
static enum be_status put_library(const struct be_launch *launch, struct be_argument from,
                                  struct be_argument to, struct be_error *error) {
    const struct be_device_ops *ops = launch->device->ops;
    const size_t n = be_matvec_of(launch->problem, BE_MATVEC_ORDER);
    const size_t count = n * be_matvec_of(launch->problem, BE_MATVEC_BATCH);
    const struct be_argument j = be_launch_array(launch, BE_MATVEC_J);
    const struct be_gemm gemm = {
        .precision = launch->problem->real == BE_REAL64 ? BE_FLOAT64 : BE_FLOAT32,
        .transpose_a = true,
        .m = (int64_t)n,
        .n = (int64_t)be_matvec_of(launch->problem, BE_MATVEC_BATCH),
        .k = (int64_t)n,
        .alpha = 1,
        .a = matrix(&j, n),
        .b = matrix(&from, n),
        .c = matrix(&to, n),
    };
    const struct be_argument argument[] = {be_launch_array(launch, BE_MATVEC_INPUT), to,
                                           BE_LONG(count)};
    enum be_status status = ops->blas->gemm(launch->device, &launch->prepared->blas, &gemm, error);
    return status == BE_OK ? be_launch_kernel(launch, FINISH, (count + LANES - 1) / LANES, LANES,
                                              argument, 3, error)
                           : status;
}

enum be_status be_matvec_library_enqueue(const struct be_launch *launch, struct be_error *error) {
    return put_steps(launch, put_library, error);
}
