/* Steps on the CPU. They go back and forth between the output and vectors beside it, and end in the output. */
#include "workload/matvec/matvec.h"

#include "base/error.h"
#include "math/gemm.h"

/* With so many vectors a matrix product is faster than rows one after the other. */
enum { PRODUCT = 8 };

static size_t beside_bytes(const struct be_problem *problem) {
    const size_t bytes = be_matvec_of(problem, BE_MATVEC_ORDER) *
                         be_matvec_of(problem, BE_MATVEC_BATCH) * be_real_bytes(problem->real);
    return (bytes + BE_WHOLE_ALIGN - 1) / BE_WHOLE_ALIGN * BE_WHOLE_ALIGN;
}

/* R = J R, of vectors column after column: J, row after row, is transposed. */
static struct be_host_gemm product(const struct be_problem *problem) {
    const int64_t n = (int64_t)be_matvec_of(problem, BE_MATVEC_ORDER);
    return (struct be_host_gemm){.wide = problem->real == BE_REAL64,
                                 .transpose_a = true,
                                 .m = n,
                                 .n = (int64_t)be_matvec_of(problem, BE_MATVEC_BATCH),
                                 .k = n,
                                 .alpha = 1,
                                 .a_stride = n,
                                 .b_stride = n,
                                 .c_stride = n};
}

size_t be_matvec_host_scratch(const struct be_problem *problem, int members) {
    (void)members;
    const struct be_host_gemm gemm = product(problem);
    return beside_bytes(problem) + be_gemm_scratch_bytes(&gemm);
}

/* This member's rows of a step. */
static struct be_matvec_rows rows_of(const struct be_work *work) {
    const struct be_problem *problem = work->problem;
    struct be_matvec_rows rows = {.j = be_work_array(work, BE_MATVEC_J),
                                  .input = be_work_array(work, BE_MATVEC_INPUT),
                                  .from = be_work_array(work, BE_MATVEC_INPUT),
                                  .order = be_matvec_of(problem, BE_MATVEC_ORDER),
                                  .batch = be_matvec_of(problem, BE_MATVEC_BATCH)};
    be_work_rows(work, rows.order, 1, &rows.first, &rows.rows);
    return rows;
}

/* Where the vectors are with k steps to go. */
static void *vectors_at(const struct be_work *work, size_t k) {
    return k % 2 == 0 ? be_work_array(work, BE_MATVEC_R) : work->scratch;
}

static void steps_by_rows(const struct be_work *work, be_matvec_run *run) {
    struct be_matvec_rows rows = rows_of(work);
    for (size_t k = be_matvec_of(work->problem, BE_MATVEC_STEPS); k-- > 0;) {
        rows.to = vectors_at(work, k);
        run(&rows);
        rows.from = rows.to;
        be_team_barrier(work->team);
    }
}

void be_matvec_host_plain(const struct be_work *work) {
    steps_by_rows(work, work->problem->real == BE_REAL64 ? BE_SIMD_BEST(be_matvec64_plain)
                                                         : BE_SIMD_BEST(be_matvec32_plain));
}

/* By a function of all members that multiplies, and another one that adds and bends. */
static void steps_by_products(const struct be_work *work,
                              void (*multiply)(const struct be_work *work,
                                               const struct be_host_gemm *gemm)) {
    struct be_matvec_rows rows = rows_of(work);
    struct be_host_gemm gemm = product(work->problem);
    be_matvec_run *finish = work->problem->real == BE_REAL64 ? BE_SIMD_BEST(be_matvec64_finish)
                                                             : BE_SIMD_BEST(be_matvec32_finish);
    gemm.a = rows.j;
    for (size_t k = be_matvec_of(work->problem, BE_MATVEC_STEPS); k-- > 0;) {
        rows.to = vectors_at(work, k);
        gemm.b = rows.from;
        gemm.c = rows.to;
        multiply(work, &gemm);
        be_team_barrier(work->team);
        finish(&rows);
        rows.from = rows.to;
        be_team_barrier(work->team);
    }
}

static void multiply_own(const struct be_work *work, const struct be_host_gemm *gemm) {
    be_gemm_part(gemm, (char *)work->scratch + beside_bytes(work->problem), work->team,
                 work->member, work->members);
}

void be_matvec_host_own(const struct be_work *work) {
    if (be_matvec_of(work->problem, BE_MATVEC_BATCH) >= PRODUCT) {
        steps_by_products(work, multiply_own);
        return;
    }
    steps_by_rows(work, work->problem->real == BE_REAL64 ? BE_SIMD_BEST(be_matvec64_several)
                                                         : BE_SIMD_BEST(be_matvec32_several));
}

/* ---- BLAS ------------------------------------------------------------------------------------- */

enum be_status be_matvec_host_ready(const struct be_host_libraries *library, int members,
                                    struct be_error *error) {
    (void)members;
    return library && library->blas.handle
               ? BE_OK
               : be_fail(error, BE_ABSENT, "%s", library ? library->blas_error.text : "no BLAS");
}

/* The library brings its own threads. */
static void multiply_library(const struct be_work *work, const struct be_host_gemm *gemm) {
    if (work->member == 0) {
        (void)be_host_blas_set_threads(&work->library->blas, work->members);
        be_host_blas_product(&work->library->blas, gemm);
    }
}

void be_matvec_host_library(const struct be_work *work) {
    steps_by_products(work, multiply_library);
}
