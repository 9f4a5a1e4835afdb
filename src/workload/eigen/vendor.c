/* eigen by the vendor's solvers on a device, in batches. They take memory of their own when the code is prepared. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "kernel_programs.h"
#include "workload/eigen/eigen.h"

/* cusolverDnXsyevBatched refuses batches of about 32,000 and more. */
enum { BATCH_MAX = 1 << 14, ALIGN = 4096, LANES = 256 };

/* So many numbers at a time of each of the three arrays of singular values that lie in memory of their own. */
enum { SQUARES_MAX = 1 << 22 };

/* Kernels: before the solver and after it. */
enum { BEFORE, AFTER };

struct capacity {
    struct be_solver solver;
    struct be_buffer memory; /* the solver's scratch, and from these on what it says of each matrix,
                                and the matrices and vectors of singular values */
    size_t batch, at_info, at_a, at_u, at_v;
};

static enum be_precision precision_of(const struct be_problem *problem) {
    return problem->real == BE_REAL64 ? BE_FLOAT64 : BE_FLOAT32;
}

void be_eigen_vendor_discard(struct be_device *device, struct be_prepared *prepared) {
    struct capacity *capacity = prepared->extra;
    if (capacity) {
        if (capacity->solver.handle) {
            device->ops->solver->close(device, &capacity->solver);
        }
        device->ops->memory->release(device, &capacity->memory);
        free(capacity);
    }
    be_discard_kernels(device, prepared);
    prepared->extra = NULL;
}

static size_t aligned(size_t bytes) {
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static size_t batch_of(const struct be_problem *problem) {
    const size_t systems = (size_t)problem->value[EIGEN_SYSTEMS];
    const size_t order = eigen_order(problem);
    const size_t most = eigen_is_svd(problem) ? SQUARES_MAX / (order * order) : BATCH_MAX;
    const size_t batch = most < BATCH_MAX ? most : BATCH_MAX;
    return systems < batch ? systems : batch;
}

static enum be_status open_capacity(struct be_device *device, const struct be_problem *problem,
                                    struct capacity *capacity, struct be_error *error) {
    const struct be_solver_ops *ops = device->ops->solver;
    const bool svd = eigen_is_svd(problem);
    const size_t order = eigen_order(problem);
    const size_t batch = batch_of(problem);
    const size_t squares = svd ? aligned(batch * order * order * be_real_bytes(problem->real)) : 0;
    size_t bytes = 0;
    capacity->batch = batch;
    enum be_status status = ops->open(device, &capacity->solver, error);
    if (status == BE_OK) {
        status = (svd ? ops->svd_scratch_bytes
                      : ops->eigen_scratch_bytes)(device, &capacity->solver, precision_of(problem),
                                                  (int64_t)order, (int64_t)batch, &bytes, error);
    }
    capacity->at_info = aligned(bytes);
    capacity->at_a = capacity->at_info + aligned(batch * sizeof(int32_t));
    capacity->at_u = capacity->at_a + squares;
    capacity->at_v = capacity->at_u + squares;
    return status == BE_OK ? device->ops->memory->alloc(device, capacity->at_v + squares,
                                                        &capacity->memory, error)
                           : status;
}

enum be_status be_eigen_vendor_prepare(struct be_device *device, const struct be_problem *problem,
                                       struct be_prepared *prepared, struct be_error *error) {
    static const char *const eigen[] = {[BEFORE] = "k_eigen_take", [AFTER] = "k_eigen_lost", NULL};
    static const char *const svd[] = {
        [BEFORE] = "k_eigen_svd_take", [AFTER] = "k_eigen_svd_put", NULL};
    char defines[64];
    *prepared = (struct be_prepared){0};
    if (!device->ops->solver) { /* before anything is compiled */
        return be_fail(error, BE_ABSENT, "%s: no library of eigenvalues is known for %s devices",
                       device->info.id, device->ops->name);
    }
    if (eigen_is_qr(problem)) {
        return be_fail(error, BE_ABSENT, "%s: no library has factors Q R of many matrices at once",
                       device->info.id);
    }
    if (eigen_rows(problem) > eigen_order(problem)) {
        return be_fail(error, BE_ABSENT,
                       "%s: cuSOLVER's batches of singular values are known for square matrices "
                       "only",
                       device->info.id);
    }
    snprintf(defines, sizeof defines, "#define ORDER %zu\n", eigen_order(problem));
    enum be_status status =
        be_prepare_kernels(device, problem, &be_program_eigen_vendor, defines,
                           eigen_is_svd(problem) ? svd : eigen, prepared, error);
    if (status != BE_OK) {
        return status;
    }
    prepared->extra = calloc(1, sizeof(struct capacity));
    status = prepared->extra ? open_capacity(device, problem, prepared->extra, error)
                             : be_fail(error, BE_NOMEM, "eigen: no host memory");
    if (status != BE_OK) {
        be_eigen_vendor_discard(device, prepared);
    }
    return status;
}

/* The matrices [first, first + n). */
static enum be_status solve(const struct be_launch *launch, size_t first, size_t n,
                            struct be_error *error) {
    const struct capacity *capacity = launch->prepared->extra;
    const struct be_problem *problem = launch->problem;
    const size_t order = eigen_order(problem);
    const size_t each = be_real_bytes(problem->real);
    const struct be_eigen_batch batch = {
        .precision = precision_of(problem),
        .order = (int64_t)order,
        .count = (int64_t)n,
        .a = {&launch->buffer[EIGEN_VECTORS], first * order * order * each},
        .values = {&launch->buffer[EIGEN_VALUES], first * order * each},
        .scratch = {&capacity->memory, 0},
        .info = {&capacity->memory, capacity->at_info},
    };
    const struct be_svd_batch svd = {
        .precision = batch.precision,
        .order = batch.order,
        .count = batch.count,
        .a = {&capacity->memory, capacity->at_a},
        .values = batch.values,
        .u = {&capacity->memory, capacity->at_u},
        .v = {&capacity->memory, capacity->at_v},
        .scratch = batch.scratch,
        .info = batch.info,
    };
    const struct be_solver_ops *ops = launch->device->ops->solver;
    return eigen_is_svd(problem)
               ? ops->svd_batched(launch->device, &capacity->solver, &svd, error)
               : ops->eigen_batched(launch->device, &capacity->solver, &batch, error);
}

static enum be_status take(const struct be_launch *launch, size_t first, size_t n,
                           struct be_error *error) {
    const struct capacity *capacity = launch->prepared->extra;
    const size_t order = eigen_order(launch->problem);
    const struct be_buffer *vectors = &launch->buffer[EIGEN_VECTORS];
    const bool svd = eigen_is_svd(launch->problem);
    const struct be_argument argument[] = {
        BE_BUFFER(&launch->buffer[EIGEN_A]),
        BE_BUFFER_FROM(svd ? &capacity->memory : vectors, svd ? capacity->at_a : 0),
        BE_LONG(first),
        BE_LONG(n),
    };
    return be_launch_kernel(launch, BEFORE, (n * order * order + LANES - 1) / LANES, LANES,
                            argument, BE_COUNT(argument), error);
}

static enum be_status put(const struct be_launch *launch, size_t first, size_t n,
                          struct be_error *error) {
    const struct capacity *capacity = launch->prepared->extra;
    const struct be_argument lost[] = {
        BE_BUFFER_FROM(&capacity->memory, capacity->at_info),
        BE_BUFFER(&launch->buffer[EIGEN_VALUES]),
        BE_BUFFER(&launch->buffer[EIGEN_VECTORS]),
        BE_LONG(first),
    };
    const struct be_argument singular[] = {
        lost[0],
        BE_BUFFER_FROM(&capacity->memory, capacity->at_u),
        BE_BUFFER_FROM(&capacity->memory, capacity->at_v),
        lost[1],
        lost[2],
        lost[3],
    };
    return eigen_is_svd(launch->problem)
               ? be_launch_kernel(launch, AFTER, n, LANES, singular, BE_COUNT(singular), error)
               : be_launch_kernel(launch, AFTER, n, LANES, lost, BE_COUNT(lost), error);
}

static enum be_status enqueue_some(const struct be_launch *launch, size_t first, size_t n,
                                   struct be_error *error) {
    enum be_status status = take(launch, first, n, error);
    status = status == BE_OK ? solve(launch, first, n, error) : status;
    return status == BE_OK ? put(launch, first, n, error) : status;
}

enum be_status be_eigen_vendor_enqueue(const struct be_launch *launch, struct be_error *error) {
    const struct capacity *capacity = launch->prepared->extra;
    enum be_status status = BE_OK;
    for (size_t i = 0; status == BE_OK && i < launch->items; i += capacity->batch) {
        const size_t left = launch->items - i;
        status = enqueue_some(launch, launch->first + i,
                              left < capacity->batch ? left : capacity->batch, error);
    }
    return status;
}
