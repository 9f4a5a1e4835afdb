/*
 * The matrix product on the CPU: through the BLAS that is here, by three loops, and by our own code.
 *
 * Each member has products of a batch of its own, unless there are fewer than members. One product is shared by all.
 */
#include "base/error.h"
#include "math/gemm.h"
#include "workload/matmul/part.h"

/* Row-major C = A B is column-major C^T = B^T A^T. */
static struct be_host_gemm gemm_of(const struct be_problem *problem) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(problem);
    return (struct be_host_gemm){.wide = problem->real == BE_REAL64,
                                 .m = (int64_t)s.n,
                                 .n = (int64_t)s.m,
                                 .k = (int64_t)s.k,
                                 .alpha = 1,
                                 .a_stride = (int64_t)s.n,
                                 .b_stride = (int64_t)s.k,
                                 .c_stride = (int64_t)s.n};
}

static struct be_host_gemm product(const struct be_work *work, size_t i) {
    struct be_host_gemm gemm = gemm_of(work->problem);
    gemm.a = be_matmul_at(work, BE_MATMUL_B, i);
    gemm.b = be_matmul_at(work, BE_MATMUL_A, i);
    gemm.c = be_matmul_at(work, BE_MATMUL_C, i);
    return gemm;
}

/* ---- three loops ---------------------------------------------------------------------------- */

void be_matmul_host_plain(const struct be_work *work) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(work->problem);
    const struct be_shape shape = be_problem_shape(work->problem);
    const struct be_matmul_part whole = be_matmul_part_of(work, 0);
    const size_t line = BE_WHOLE_ALIGN / be_real_bytes(work->problem->real);
    const bool of_rows = s.m * work->items >= (size_t)work->members;
    size_t first;
    size_t count;
    be_team_share(of_rows ? s.m * work->items : s.n, of_rows ? 1 : line, work->member,
                  work->members, &first, &count);
    for (size_t r = first; of_rows && r < first + count;) {
        struct be_matmul_part part = whole;
        const size_t left = first + count - r;
        const size_t rows = s.m - r % s.m < left ? s.m - r % s.m : left;
        part.a = (const char *)part.a + r / s.m * shape.item_bytes[BE_MATMUL_A];
        part.b = (const char *)part.b + r / s.m * shape.item_bytes[BE_MATMUL_B];
        part.c = (char *)part.c + r / s.m * shape.item_bytes[BE_MATMUL_C];
        be_matmul_cut_rows(work, &part, r % s.m, rows);
        be_matmul_run_part(work, &part, BE_SIMD_BEST(be_matmul32_plain),
                           BE_SIMD_BEST(be_matmul64_plain));
        r += rows;
    }
    for (size_t i = 0; !of_rows && count > 0 && i < work->items; i++) {
        struct be_matmul_part part = be_matmul_part_of(work, i);
        be_matmul_cut_columns(work, &part, first, count);
        be_matmul_run_part(work, &part, BE_SIMD_BEST(be_matmul32_plain),
                           BE_SIMD_BEST(be_matmul64_plain));
    }
}

/* ---- our own code: blocked ------------------------------------------------------------------ */

enum { ALIGN = 512 };

static size_t aligned(size_t bytes) {
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

static size_t blocked_bytes(const struct be_problem *problem) {
    const struct be_host_gemm gemm = gemm_of(problem);
    return aligned(be_gemm_scratch_bytes(&gemm));
}

size_t be_matmul_host_scratch(const struct be_problem *problem, int members) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(problem);
    return blocked_bytes(problem) * (s.batch > 1 ? (size_t)members : 1);
}

/* With fewer products than members all of them share each. */
static bool is_shared(const struct be_work *work) {
    return be_matmul_sizes_of(work->problem).batch == 1 || work->items < (size_t)work->members;
}

void be_matmul_host_tiled(const struct be_work *work) {
    const bool shared = is_shared(work);
    char *scratch = work->scratch;
    size_t first = 0;
    size_t count = work->items;
    if (!shared) {
        scratch += (size_t)work->member * blocked_bytes(work->problem);
        be_matmul_share_items(work, &first, &count);
    }
    for (size_t i = first; i < first + count; i++) {
        const struct be_host_gemm gemm = product(work, i);
        be_gemm_part(&gemm, scratch, shared ? work->team : NULL, shared ? work->member : 0,
                     shared ? work->members : 1);
    }
}

/* ---- BLAS ----------------------------------------------------------------------------------- */

enum be_status be_matmul_host_ready(const struct be_host_libraries *library, int members,
                                    struct be_error *error) {
    (void)members;
    return library && library->blas.handle
               ? BE_OK
               : be_fail(error, BE_ABSENT, "%s", library ? library->blas_error.text : "no BLAS");
}

/* The BLAS brings its own threads: to one product all of them, to those of a batch one each. */
void be_matmul_host_library(const struct be_work *work) {
    const struct be_matmul_sizes s = be_matmul_sizes_of(work->problem);
    const bool shared = work->items < (size_t)work->members;
    size_t first = 0;
    size_t count = work->member > 0 ? 0 : work->items;
    if (work->member == 0) {
        (void)be_host_blas_set_threads(&work->library->blas, shared ? work->members : 1);
    }
    if (!shared && s.batch > 1) {
        be_team_barrier(work->team);
        be_matmul_share_items(work, &first, &count);
    }
    struct be_host_gemm gemm = product(work, first);
    const size_t each = be_real_bytes(work->problem->real);
    for (size_t i = 0; i < count; i++) {
        be_host_blas_product(&work->library->blas, &gemm);
        gemm.a = (const char *)gemm.a + s.k * s.n * each;
        gemm.b = (const char *)gemm.b + s.m * s.k * each;
        gemm.c = (char *)gemm.c + s.m * s.n * each;
    }
}
