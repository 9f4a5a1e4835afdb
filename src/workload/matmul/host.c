/* The matrix product on the CPU: through the BLAS that is here, and by our own code. */
#include "workload/matmul/matmul.h"

#include "base/error.h"
#include "workload/matmul/simd.h"
#include "host/simd.h"

/* So much of the sum over k that a strip of B stays in the first-level cache. */
enum { DEPTH = 256 };

static struct be_matmul_code code_for(enum be_real real) {
    return real == BE_REAL64 ? BE_SIMD_BEST(be_matmul64) : BE_SIMD_BEST(be_matmul32);
}

static size_t over(size_t n, size_t each) {
    return (n + each - 1) / each;
}

/* Bytes of the packed strips of A, or B. */
static size_t packed_bytes(const struct be_problem *problem, size_t strip) {
    return over(be_matmul_order(problem), strip) * strip * DEPTH * be_real_bytes(problem->real);
}

static size_t packed_a_bytes(const struct be_problem *problem) {
    const size_t bytes = packed_bytes(problem, code_for(problem->real).strip_rows);
    return over(bytes, BE_WHOLE_ALIGN) * BE_WHOLE_ALIGN;
}

size_t be_matmul_host_scratch(const struct be_problem *problem, int members) {
    (void)members;
    return packed_a_bytes(problem) + packed_bytes(problem, code_for(problem->real).strip_columns);
}

/* Cuts rows x columns strips among the members, as a grid with the smallest largest part. */
static struct be_matmul_region region_of(const struct be_work *work, size_t rows, size_t columns) {
    size_t best = 1; /* parts down; the rest is across */
    size_t most = SIZE_MAX;
    const size_t members = (size_t)work->members;
    for (size_t down = 1; down <= members; down++) {
        const size_t part = over(rows, down) * over(columns, members / down);
        if (members % down == 0 && part < most) {
            most = part;
            best = down;
        }
    }
    const size_t across = members < best ? 1 : members / best; /* best divides members */
    const size_t member = (size_t)work->member;
    struct be_matmul_region region;
    be_team_share(rows, 1, (int)(member / across), (int)best, &region.row, &region.rows);
    be_team_share(columns, 1, (int)(member % across), (int)across, &region.column, &region.columns);
    return region;
}

void be_matmul_host_tiled(const struct be_work *work) {
    const struct be_problem *problem = work->problem;
    const struct be_matmul_code code = code_for(problem->real);
    const size_t n = be_matmul_order(problem);
    const size_t rows = over(n, code.strip_rows);
    const size_t columns = over(n, code.strip_columns);
    const struct be_matmul_region region = region_of(work, rows, columns);
    struct be_matmul_slab slab = {
        .a = be_work_array(work, BE_MATMUL_A),
        .b = be_work_array(work, BE_MATMUL_B),
        .c = be_work_array(work, BE_MATMUL_C),
        .n = n,
        .packed_a = work->scratch,
        .packed_b = (char *)work->scratch + packed_a_bytes(problem),
    };
    size_t first;
    size_t count;
    for (slab.from = 0; slab.from < n; slab.from += DEPTH) {
        slab.depth = n - slab.from < DEPTH ? n - slab.from : DEPTH;
        be_work_rows(work, rows, 1, &first, &count);
        code.pack_a(&slab, first, count);
        be_work_rows(work, columns, 1, &first, &count);
        code.pack_b(&slab, first, count);
        be_team_meet(work->team);
        code.multiply(&slab, &region);
        be_team_meet(work->team);
    }
}

enum be_status be_matmul_host_ready(const struct be_host_libraries *library, int members,
                                    struct be_error *error) {
    (void)members;
    return library && library->blas.handle
               ? BE_OK
               : be_fail(error, BE_ABSENT, "%s", library ? library->blas_error.text : "no BLAS");
}

/* Row-major C = A B is column-major C^T = B^T A^T. */
void be_matmul_host_library(const struct be_work *work) {
    if (work->member > 0) { /* the library brings its own threads */
        return;
    }
    const struct be_host_blas *blas = &work->library->blas;
    const int64_t n = (int64_t)be_matmul_order(work->problem);
    (void)be_host_blas_set_threads(blas, work->members);
    be_host_blas_multiply(blas, work->problem->real == BE_REAL64, false, n, n,
                          be_work_array(work, BE_MATMUL_B), be_work_array(work, BE_MATMUL_A),
                          be_work_array(work, BE_MATMUL_C));
}
