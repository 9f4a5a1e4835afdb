/*
 * y = A x through the vendor's library of sparse matrices, which looks at a matrix once, where it lies, and
 * then multiplies it as often as wanted. Each placement has the matrix elsewhere: looked at there in
 * its first call.
 */
#include <stdlib.h>

#include "base/error.h"
#include "workload/spmv/spmv.h"

/* One matrix, and its vectors, made ready: y = A x, and where there are several steps y = A (x / |x|), which lies
 * elsewhere. */
struct seen {
    uintptr_t at[BE_SPMV_ARRAYS]; /* addresses; another matrix may come to lie at one of them */
    uintptr_t between;
    struct be_sparse sparse, again;
};

enum { SEEN_MAX = 8 }; /* placements, in cache and not */
struct library {
    struct seen seen[SEEN_MAX];
    int count, newest;
};

enum be_status be_spmv_library_prepare(struct be_device *device, const struct be_problem *problem,
                                       struct be_prepared *prepared, struct be_error *error) {
    enum be_status status = BE_OK;
    *prepared = (struct be_prepared){0};
    if (!device->ops->sparse) {
        return be_fail(error, BE_ABSENT,
                       "%s: no library of sparse matrices is known for %s devices", device->info.id,
                       device->ops->name);
    }
    if (be_spmv_size(problem).steps > 1) { /* norms are ours */
        status = be_spmv_prepare(device, problem, prepared, error);
    }
    if (status == BE_OK) {
        prepared->extra = calloc(1, sizeof(struct library));
        status =
            prepared->extra ? BE_OK : be_fail(error, BE_NOMEM, "sparse matrix: no host memory");
        if (status != BE_OK) {
            be_discard_kernels(device, prepared);
        }
    }
    return status;
}

static struct be_csr csr_of(const struct be_launch *launch) {
    const struct be_spmv_size size = be_spmv_size(launch->problem);
    const struct be_buffer *buffer = launch->buffer;
    return (struct be_csr){.precision =
                               launch->problem->real == BE_REAL64 ? BE_FLOAT64 : BE_FLOAT32,
                           .rows = (int64_t)size.rows,
                           .columns = (int64_t)size.rows,
                           .nonzeros = (int64_t)(size.rows * size.nonzeros),
                           .offsets = {&buffer[BE_SPMV_START], 0},
                           .indices = {&buffer[BE_SPMV_COLUMN], 0},
                           .values = {&buffer[BE_SPMV_VALUE], 0},
                           .x = {&buffer[BE_SPMV_X], 0},
                           .y = {&buffer[BE_SPMV_Y], 0}};
}

static bool has_steps(const struct be_launch *launch) {
    return be_spmv_size(launch->problem).steps > 1;
}

static bool lies_there(const struct seen *seen, const struct be_launch *launch) {
    bool same = !has_steps(launch) || seen->between == launch->scratch->handle;
    for (int k = 0; k < BE_SPMV_ARRAYS; k++) {
        same &= seen->at[k] == launch->buffer[k].handle;
    }
    return same;
}

/* Where there is no room for one more, the oldest makes it. */
static struct seen *make_capacity(const struct be_launch *launch) {
    struct library *library = launch->prepared->extra;
    library->newest =
        library->count < SEEN_MAX ? library->count++ : (library->newest + 1) % SEEN_MAX;
    struct seen *seen = &library->seen[library->newest];
    launch->device->ops->sparse->close(launch->device, &seen->again);
    launch->device->ops->sparse->close(launch->device, &seen->sparse);
    *seen = (struct seen){0}; /* lies nowhere, should opening fail */
    return seen;
}

static enum be_status find(const struct be_launch *launch, const struct seen **found,
                           struct be_error *error) {
    const struct library *library = launch->prepared->extra;
    if (launch->first > 0) {
        return be_fail(error, BE_ABSENT,
                       "the library looks at a matrix first, which pays where it is "
                       "multiplied again: not timed on many in turn");
    }
    for (int i = 0; i < library->count; i++) {
        if (lies_there(&library->seen[i], launch)) {
            *found = &library->seen[i];
            return BE_OK;
        }
    }
    struct seen *seen = make_capacity(launch);
    struct be_csr csr = csr_of(launch);
    enum be_status status =
        launch->device->ops->sparse->open(launch->device, &csr, &seen->sparse, error);
    if (status == BE_OK && has_steps(launch)) {
        csr.x = be_spmv_between(launch);
        status = launch->device->ops->sparse->open(launch->device, &csr, &seen->again, error);
        seen->between = launch->scratch->handle;
    }
    for (int k = 0; status == BE_OK && k < BE_SPMV_ARRAYS; k++) {
        seen->at[k] = launch->buffer[k].handle;
    }
    *found = seen;
    return status;
}

enum be_status be_spmv_library_enqueue(const struct be_launch *launch, struct be_error *error) {
    const struct seen *seen = NULL;
    const struct be_sparse_ops *ops = launch->device->ops->sparse;
    enum be_status status = find(launch, &seen, error);
    if (status == BE_OK) {
        status = ops->multiply(launch->device, &seen->sparse, error);
    }
    for (size_t k = be_spmv_size(launch->problem).steps; status == BE_OK && k > 1; k--) {
        status = be_spmv_put_norm(launch, error);
        if (status == BE_OK) {
            status = ops->multiply(launch->device, &seen->again, error);
        }
    }
    return status;
}

void be_spmv_library_discard(struct be_device *device, struct be_prepared *prepared) {
    struct library *library = prepared->extra;
    for (int i = 0; library && i < library->count; i++) {
        device->ops->sparse->close(device, &library->seen[i].again);
        device->ops->sparse->close(device, &library->seen[i].sparse);
    }
    free(library);
    be_discard_kernels(device, prepared);
    *prepared = (struct be_prepared){0};
}
