/* eigen on the CPU. */
#include <string.h>

#include "base/error.h"
#include "workload/eigen/eigen.h"
#include "workload/eigen/simd.h"

enum { ALIGN = 64 };

static size_t aligned(size_t bytes) {
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* System i of the arrays. */
struct system {
    const void *a;
    void *values, *vectors;
};

static struct system system_at(const struct be_work *work, size_t i) {
    const size_t order = eigen_order(work->problem);
    const size_t each = be_real_bytes(work->problem->real);
    return (struct system){
        .a = (const char *)work->array[EIGEN_A] + i * order * order * each,
        .values = (char *)work->array[EIGEN_VALUES] + i * order * each,
        .vectors = (char *)work->array[EIGEN_VECTORS] + i * order * order * each,
    };
}

/* ---- own code ------------------------------------------------------------------------------- */

static size_t lanes_bytes(const struct be_problem *problem) {
    return aligned(be_eigen_lanes_bytes(eigen_order(problem)));
}

size_t be_eigen_batched_scratch(const struct be_problem *problem, int members) {
    return lanes_bytes(problem) * (size_t)members + ALIGN;
}

void be_eigen_batched_host(const struct be_work *work) {
    const struct be_problem *problem = work->problem;
    char *scratch = (char *)work->scratch + (size_t)work->member * lanes_bytes(problem);
    size_t first;
    size_t count;
    be_work_share(work, EIGEN_VECTOR_BYTES / be_real_bytes(problem->real), &first, &count);
    const struct system s = system_at(work, first);
    if (problem->real == BE_REAL64) {
        BE_SIMD_BEST(be_eigen_lanes_double_run)
        (s.a, s.values, s.vectors, eigen_order(problem), count, scratch);
    } else {
        BE_SIMD_BEST(be_eigen_lanes_float_run)
        (s.a, s.values, s.vectors, eigen_order(problem), count, scratch);
    }
}

/* ---- LAPACK --------------------------------------------------------------------------------- */

/* The room that dsyevd documents for values and vectors: numbers, and integers, of which a library takes half where its
 * own have 32 bits. */
static size_t room_numbers(size_t order) {
    return 1 + 6 * order + 2 * order * order;
}

static size_t room_integers(size_t order) {
    return 3 + 5 * order;
}

static size_t library_bytes(const struct be_problem *problem) {
    const size_t order = eigen_order(problem);
    return aligned(room_numbers(order) * be_real_bytes(problem->real)) +
           aligned(room_integers(order) * sizeof(int64_t));
}

size_t be_eigen_library_scratch(const struct be_problem *problem, int members) {
    return library_bytes(problem) * (size_t)members + ALIGN;
}

enum be_status be_eigen_library_ready(const struct be_host_libraries *library, int members,
                                      struct be_error *error) {
    (void)members;
    if (!library || !library->blas.handle) {
        return be_fail(error, BE_ABSENT, "%s", library ? library->blas_error.text : "no LAPACK");
    }
    return library->blas.dsyevd_ && library->blas.ssyevd_
               ? BE_OK
               : be_fail(error, BE_ABSENT,
                         "the BLAS here has no LAPACK: with one, as in OpenBLAS, its "
                         "eigenvalues are measured too");
}

/* Where there is no answer there is no number. A row of A is a column to LAPACK, which changes nothing of a symmetric
 * matrix; its vectors come as columns, which are rows to us. */
static void by_library(const struct be_work *work, size_t i, char *scratch) {
    const struct be_host_blas *blas = &work->library->blas;
    const size_t order = eigen_order(work->problem);
    const size_t each = be_real_bytes(work->problem->real);
    const struct system s = system_at(work, i);
    const int64_t n = (int64_t)order;
    const int64_t numbers = (int64_t)room_numbers(order);
    const int64_t integers = (int64_t)room_integers(order);
    int64_t *integer = (void *)(scratch + aligned(room_numbers(order) * each));
    int64_t info = 0;
    memcpy(s.vectors, s.a, order * order * each);
    if (work->problem->real == BE_REAL64) {
        blas->dsyevd_("V", "L", &n, s.vectors, &n, s.values, (double *)(void *)scratch, &numbers,
                      integer, &integers, &info);
    } else {
        blas->ssyevd_("V", "L", &n, s.vectors, &n, s.values, (float *)(void *)scratch, &numbers,
                      integer, &integers, &info);
    }
    if (be_host_blas_info(&info) != 0) {
        memset(s.values, 0xff, order * each); /* all ones are a NaN in either type */
        memset(s.vectors, 0xff, order * order * each);
    }
}

void be_eigen_library_host(const struct be_work *work) {
    char *scratch = (char *)work->scratch + (size_t)work->member * library_bytes(work->problem);
    size_t first;
    size_t count;
    if (work->member == 0) {
        (void)be_host_blas_set_threads(&work->library->blas, 1);
    }
    be_team_barrier(work->team);
    be_work_share(work, 1, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        by_library(work, i, scratch);
    }
}

/* All of the library's threads serve each call. */
void be_eigen_looped_host(const struct be_work *work) {
    if (work->member != 0) {
        return;
    }
    (void)be_host_blas_set_threads(&work->library->blas, work->members);
    for (size_t i = work->first; i < work->first + work->items; i++) {
        by_library(work, i, work->scratch);
    }
}
