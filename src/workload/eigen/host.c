/* eigen on the CPU: own code. */
#include "workload/eigen/eigen.h"
#include "workload/eigen/simd.h"

enum { ALIGN = 64 };

struct be_eigen_system be_eigen_system_at(const struct be_work *work, size_t i) {
    const struct be_shape shape = be_problem_shape(work->problem);
    return (struct be_eigen_system){
        .a = (const char *)work->array[EIGEN_A] + i * shape.item_bytes[EIGEN_A],
        .values = (char *)work->array[EIGEN_VALUES] + i * shape.item_bytes[EIGEN_VALUES],
        .vectors = (char *)work->array[EIGEN_VECTORS] + i * shape.item_bytes[EIGEN_VECTORS],
    };
}

static size_t lanes_bytes(const struct be_problem *problem) {
    const size_t order = eigen_order(problem);
    return eigen_is_svd(problem) ? be_eigen_singular_bytes(eigen_rows(problem), order)
                                 : be_eigen_lanes_bytes(order);
}

size_t be_eigen_batched_scratch(const struct be_problem *problem, int members) {
    return lanes_bytes(problem) * (size_t)members + ALIGN;
}

static void singular(const struct be_problem *problem, const struct be_eigen_system *s,
                     size_t count, void *scratch) {
    const size_t rows = eigen_rows(problem);
    const size_t order = eigen_order(problem);
    if (problem->real == BE_REAL64) {
        BE_SIMD_BEST(be_eigen_singular_double_run)
        (s->a, s->values, s->vectors, rows, order, count, scratch);
    } else {
        BE_SIMD_BEST(be_eigen_singular_float_run)
        (s->a, s->values, s->vectors, rows, order, count, scratch);
    }
}

static void square(const struct be_problem *problem, const struct be_eigen_system *s, size_t count,
                   void *scratch) {
    const size_t order = eigen_order(problem);
    if (problem->real == BE_REAL64) {
        be_eigen_lanes_double *const run = eigen_is_qr(problem)
                                               ? BE_SIMD_BEST(be_eigen_factors_double_run)
                                               : BE_SIMD_BEST(be_eigen_lanes_double_run);
        run(s->a, s->values, s->vectors, order, count, scratch);
    } else {
        be_eigen_lanes_float *const run = eigen_is_qr(problem)
                                              ? BE_SIMD_BEST(be_eigen_factors_float_run)
                                              : BE_SIMD_BEST(be_eigen_lanes_float_run);
        run(s->a, s->values, s->vectors, order, count, scratch);
    }
}

void be_eigen_batched_host(const struct be_work *work) {
    const struct be_problem *problem = work->problem;
    char *scratch = (char *)work->scratch + (size_t)work->member * lanes_bytes(problem);
    size_t first;
    size_t count;
    be_work_share(work, EIGEN_VECTOR_BYTES / be_real_bytes(problem->real), &first, &count);
    const struct be_eigen_system s = be_eigen_system_at(work, first);
    (eigen_is_svd(problem) ? singular : square)(problem, &s, count, scratch);
}
