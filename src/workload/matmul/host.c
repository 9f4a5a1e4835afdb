/* The matrix product on the CPU: through the BLAS that is here, and by our own code. */
#include "workload/matmul/matmul.h"

#include "base/error.h"
#include "math/gemm.h"

/* Row-major C = A B is column-major C^T = B^T A^T. */
static struct be_host_gemm square(const struct be_problem *problem) {
    const int64_t n = (int64_t)be_matmul_order(problem);
    return (struct be_host_gemm){.wide = problem->real == BE_REAL64,
                                 .m = n,
                                 .n = n,
                                 .k = n,
                                 .alpha = 1,
                                 .a_stride = n,
                                 .b_stride = n,
                                 .c_stride = n};
}

static struct be_host_gemm product(const struct be_work *work) {
    struct be_host_gemm gemm = square(work->problem);
    gemm.a = be_work_array(work, BE_MATMUL_B);
    gemm.b = be_work_array(work, BE_MATMUL_A);
    gemm.c = be_work_array(work, BE_MATMUL_C);
    return gemm;
}

size_t be_matmul_host_scratch(const struct be_problem *problem, int members) {
    (void)members;
    const struct be_host_gemm gemm = square(problem);
    return be_gemm_scratch_bytes(&gemm);
}

void be_matmul_host_tiled(const struct be_work *work) {
    const struct be_host_gemm gemm = product(work);
    be_gemm_part(&gemm, work->scratch, work->team, work->member, work->members);
}

enum be_status be_matmul_host_ready(const struct be_host_libraries *library, int members,
                                    struct be_error *error) {
    (void)members;
    return library && library->blas.handle
               ? BE_OK
               : be_fail(error, BE_ABSENT, "%s", library ? library->blas_error.text : "no BLAS");
}

void be_matmul_host_library(const struct be_work *work) {
    if (work->member > 0) { /* the library brings its own threads */
        return;
    }
    const struct be_host_gemm gemm = product(work);
    (void)be_host_blas_set_threads(&work->library->blas, work->members);
    be_host_blas_gemm(&work->library->blas, &gemm);
}
