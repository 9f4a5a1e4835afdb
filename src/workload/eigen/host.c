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
        .values = (char *)work->array[EIGEN_VALUES] +
                  i * order * each * (eigen_is_qr(work->problem) ? order : 1),
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
    const size_t order = eigen_order(problem);
    if (problem->real == BE_REAL64) {
        be_eigen_lanes_double *const run = eigen_is_qr(problem)
                                               ? BE_SIMD_BEST(be_eigen_factors_double_run)
                                               : BE_SIMD_BEST(be_eigen_lanes_double_run);
        run(s.a, s.values, s.vectors, order, count, scratch);
    } else {
        be_eigen_lanes_float *const run = eigen_is_qr(problem)
                                              ? BE_SIMD_BEST(be_eigen_factors_float_run)
                                              : BE_SIMD_BEST(be_eigen_lanes_float_run);
        run(s.a, s.values, s.vectors, order, count, scratch);
    }
}

/* ---- LAPACK --------------------------------------------------------------------------------- */

/* The room that dsyevd documents for values and vectors, more than dgeqrf and dorgqr need: numbers, and integers, of which a library takes half where its
 * own have 32 bits. */
static size_t room_numbers(size_t order) {
    enum { BLOCK = 64 }; /* columns at a time of a blocked dgeqrf, which are at most all */
    const size_t blocked = order + order * (order < BLOCK ? order : BLOCK);
    const size_t values = 1 + 6 * order + 2 * order * order;
    return values > blocked ? values : blocked;
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
    const struct be_host_blas *blas = &library->blas;
    return blas->dsyevd_ && blas->ssyevd_ && blas->dgeqrf_ && blas->sgeqrf_ && blas->dorgqr_ &&
                   blas->sorgqr_
               ? BE_OK
               : be_fail(error, BE_ABSENT,
                         "the BLAS here has no LAPACK: with one, as in OpenBLAS, its "
                         "eigenvalues are measured too");
}

/* A row of A is a column to LAPACK, which changes nothing of a symmetric matrix; its vectors come as columns, which are
 * rows to us. */
static int64_t values_and_vectors(const struct be_work *work, const struct system *s,
                                  char *scratch) {
    const struct be_host_blas *blas = &work->library->blas;
    const size_t order = eigen_order(work->problem);
    const size_t each = be_real_bytes(work->problem->real);
    const int64_t n = (int64_t)order;
    const int64_t numbers = (int64_t)room_numbers(order);
    const int64_t integers = (int64_t)room_integers(order);
    int64_t *integer = (void *)(scratch + aligned(room_numbers(order) * each));
    int64_t info = 0;
    if (work->problem->real == BE_REAL64) {
        blas->dsyevd_("V", "L", &n, s->vectors, &n, s->values, (double *)(void *)scratch, &numbers,
                      integer, &integers, &info);
    } else {
        blas->ssyevd_("V", "L", &n, s->vectors, &n, s->values, (float *)(void *)scratch, &numbers,
                      integer, &integers, &info);
    }
    return be_host_blas_info(&info);
}

/* The columns of R: what is on and above the diagonal. */
static void take_triangle(const struct system *s, size_t order, size_t each) {
    char *to = s->values;
    const char *from = s->vectors;
    memset(to, 0, order * order * each);
    for (size_t j = 0; j < order; j++) {
        memcpy(to + j * order * each, from + j * order * each, (j + 1) * each);
    }
}

static int64_t factors(const struct be_work *work, const struct system *s, char *scratch) {
    const struct be_host_blas *blas = &work->library->blas;
    const size_t order = eigen_order(work->problem);
    const size_t each = be_real_bytes(work->problem->real);
    const int64_t n = (int64_t)order;
    const int64_t numbers = (int64_t)(room_numbers(order) - order);
    int64_t info = 0;
    if (work->problem->real == BE_REAL64) {
        double *factor = (void *)scratch;
        blas->dgeqrf_(&n, &n, s->vectors, &n, factor, factor + order, &numbers, &info);
        take_triangle(s, order, each);
        blas->dorgqr_(&n, &n, &n, s->vectors, &n, factor, factor + order, &numbers, &info);
    } else {
        float *factor = (void *)scratch;
        blas->sgeqrf_(&n, &n, s->vectors, &n, factor, factor + order, &numbers, &info);
        take_triangle(s, order, each);
        blas->sorgqr_(&n, &n, &n, s->vectors, &n, factor, factor + order, &numbers, &info);
    }
    return be_host_blas_info(&info);
}

/* Where there is no answer there is no number. */
static void by_library(const struct be_work *work, size_t i, char *scratch) {
    const size_t order = eigen_order(work->problem);
    const size_t each = be_real_bytes(work->problem->real);
    const bool qr = eigen_is_qr(work->problem);
    const struct system s = system_at(work, i);
    memcpy(s.vectors, s.a, order * order * each);
    if ((qr ? factors(work, &s, scratch) : values_and_vectors(work, &s, scratch)) != 0) {
        memset(s.values, 0xff, (qr ? order : 1) * order * each); /* a NaN in either type */
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
