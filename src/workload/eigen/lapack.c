/* eigen on the CPU by LAPACK. */
#include <string.h>

#include "base/error.h"
#include "workload/eigen/eigen.h"

enum { ALIGN = 64 };

static size_t aligned(size_t bytes) {
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* ---- room ----------------------------------------------------------------------------------- */

static size_t most(size_t a, size_t b) {
    return a > b ? a : b;
}

/* The room that dsyevd and dgesdd document for values and vectors, more than dgeqrf and dorgqr need: numbers, and
 * integers, of which a library takes half where its own have 32 bits. Blocks: so many columns at a time, which are at
 * most all. dgesdd spoils its matrix, of which it has a copy there. */
enum { BLOCK = 64 };

static size_t room_numbers(const struct be_problem *problem) {
    const size_t rows = eigen_rows(problem);
    const size_t order = eigen_order(problem);
    const size_t block = order < BLOCK ? order : BLOCK;
    if (eigen_is_svd(problem)) {
        return 6 * order * order + 10 * order + (rows + order) * block + rows;
    }
    return most(order + order * block, 1 + 6 * order + 2 * order * order);
}

static size_t room_integers(size_t order) {
    return 3 + 8 * order;
}

static size_t copy_bytes(const struct be_problem *problem) {
    return eigen_is_svd(problem) ? aligned(be_problem_shape(problem).item_bytes[EIGEN_A]) : 0;
}

static size_t numbers_bytes(const struct be_problem *problem) {
    return aligned(room_numbers(problem) * be_real_bytes(problem->real));
}

/* Numbers, integers, and the copy. */
static size_t library_bytes(const struct be_problem *problem) {
    return numbers_bytes(problem) + aligned(room_integers(eigen_order(problem)) * sizeof(int64_t)) +
           copy_bytes(problem);
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
                   blas->sorgqr_ && blas->dgesdd_ && blas->sgesdd_
               ? BE_OK
               : be_fail(error, BE_ABSENT,
                         "the BLAS here has no LAPACK: with one, as in OpenBLAS, its "
                         "eigenvalues are measured too");
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* A row of A is a column to LAPACK, which changes nothing of a symmetric matrix; its vectors come as columns, which are
 * rows to us. */
static int64_t values_and_vectors(const struct be_work *work, const struct be_eigen_system *s,
                                  char *scratch) {
    const struct be_host_blas *blas = &work->library->blas;
    const int64_t n = (int64_t)eigen_order(work->problem);
    const int64_t numbers = (int64_t)room_numbers(work->problem);
    const int64_t integers = (int64_t)room_integers(eigen_order(work->problem));
    int64_t *integer = (void *)(scratch + numbers_bytes(work->problem));
    int64_t info = 0;
    memcpy(s->vectors, s->a, be_problem_shape(work->problem).item_bytes[EIGEN_A]);
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
static void take_triangle(const struct be_eigen_system *s, size_t order, size_t each) {
    char *to = s->values;
    const char *from = s->vectors;
    memset(to, 0, order * order * each);
    for (size_t j = 0; j < order; j++) {
        memcpy(to + j * order * each, from + j * order * each, (j + 1) * each);
    }
}

static int64_t factors(const struct be_work *work, const struct be_eigen_system *s, char *scratch) {
    const struct be_host_blas *blas = &work->library->blas;
    const size_t order = eigen_order(work->problem);
    const size_t each = be_real_bytes(work->problem->real);
    const int64_t n = (int64_t)order;
    const int64_t numbers = (int64_t)(room_numbers(work->problem) - order);
    int64_t info = 0;
    memcpy(s->vectors, s->a, order * order * each);
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

/* V' becomes V: its rows are V's columns, which the library has one number after the other. */
static void turn_over(void *vectors, size_t n, size_t each) {
    char number[sizeof(double)];
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            char *one = (char *)vectors + (i * n + j) * each;
            char *other = (char *)vectors + (j * n + i) * each;
            memcpy(number, one, each);
            memcpy(one, other, each);
            memcpy(other, number, each);
        }
    }
}

static int64_t singular(const struct be_work *work, const struct be_eigen_system *s,
                        char *scratch) {
    const struct be_host_blas *blas = &work->library->blas;
    const size_t each = be_real_bytes(work->problem->real);
    const size_t bytes = be_problem_shape(work->problem).item_bytes[EIGEN_A];
    const int64_t m = (int64_t)eigen_rows(work->problem);
    const int64_t n = (int64_t)eigen_order(work->problem);
    const int64_t numbers = (int64_t)room_numbers(work->problem);
    int64_t *integer = (void *)(scratch + numbers_bytes(work->problem));
    void *a = scratch + library_bytes(work->problem) - copy_bytes(work->problem);
    void *v = (char *)s->vectors + bytes;
    int64_t info = 0;
    memcpy(a, s->a, bytes);
    if (work->problem->real == BE_REAL64) {
        blas->dgesdd_("S", &m, &n, a, &m, s->values, s->vectors, &m, v, &n,
                      (double *)(void *)scratch, &numbers, integer, &info);
    } else {
        blas->sgesdd_("S", &m, &n, a, &m, s->values, s->vectors, &m, v, &n,
                      (float *)(void *)scratch, &numbers, integer, &info);
    }
    turn_over(v, (size_t)n, each);
    return be_host_blas_info(&info);
}

typedef int64_t call(const struct be_work *work, const struct be_eigen_system *s, char *scratch);
static call *const calls[EIGEN_KINDS] = {
    [EIGEN_EIGEN] = values_and_vectors, [EIGEN_QR] = factors, [EIGEN_SVD] = singular};

/* Where there is no answer there is no number. */
static void by_library(const struct be_work *work, size_t i, char *scratch) {
    const struct be_eigen_system s = be_eigen_system_at(work, i);
    if (calls[work->problem->value[EIGEN_WHAT]](work, &s, scratch) != 0) {
        const struct be_shape shape = be_problem_shape(work->problem);
        memset(s.values, 0xff, shape.item_bytes[EIGEN_VALUES]); /* a NaN in either type */
        memset(s.vectors, 0xff, shape.item_bytes[EIGEN_VECTORS]);
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
