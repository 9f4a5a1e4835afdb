/* The general product on the CPU: through a BLAS, and blocked by our own code. */
#include "math/gemm.h"

#include <stdlib.h>

#include "base/error.h"
#include "host/simd.h"
#include "host/team.h"
#include "math/gemm_simd.h"

/* DEPTH: so much of the sum over k that a strip of B stays in the first-level cache. */
enum { DEPTH = 256, ALIGN = 512 };

static struct be_gemm_code code_for(const struct be_host_gemm *gemm) {
    return gemm->wide ? BE_SIMD_BEST(be_gemm64) : BE_SIMD_BEST(be_gemm32);
}

static size_t over(size_t n, size_t each) {
    return (n + each - 1) / each;
}

/* Bytes of packed strips, of `count` rows or columns. */
static size_t packed_bytes(const struct be_host_gemm *gemm, int64_t count, size_t strip) {
    const size_t depth = gemm->k < DEPTH ? (size_t)gemm->k : DEPTH;
    const size_t each = gemm->wide ? sizeof(double) : sizeof(float);
    return over(over((size_t)count, strip) * strip * depth * each, ALIGN) * ALIGN;
}

size_t be_gemm_scratch_bytes(const struct be_host_gemm *gemm) {
    const struct be_gemm_code code = code_for(gemm);
    return packed_bytes(gemm, gemm->n, code.strip_rows) +
           packed_bytes(gemm, gemm->m, code.strip_columns);
}

/* Cuts rows x columns strips among the members, as a grid with the smallest largest part. */
static struct be_gemm_region region_of(int member, int members, size_t rows, size_t columns) {
    size_t best = 1; /* parts down; the rest is across */
    size_t max = SIZE_MAX;
    const size_t all = (size_t)members;
    for (size_t down = 1; down <= all; down++) {
        const size_t part = over(rows, down) * over(columns, all / down);
        if (all % down == 0 && part < max) {
            max = part;
            best = down;
        }
    }
    const size_t across = all < best ? 1 : all / best; /* best divides them */
    const size_t at = (size_t)member;
    struct be_gemm_region region;
    be_team_share(rows, 1, (int)(at / across), (int)best, &region.row, &region.rows);
    be_team_share(columns, 1, (int)(at % across), (int)across, &region.column, &region.columns);
    return region;
}

/* The vector code has C row after row, so it makes C^T of op(B)^T and op(A)^T. */
static struct be_gemm_slab slab_of(const struct be_host_gemm *g, void *scratch) {
    const struct be_gemm_code code = code_for(g);
    return (struct be_gemm_slab){
        .a = g->b,
        .b = g->a,
        .c = g->c,
        .rows = (size_t)g->n,
        .columns = (size_t)g->m,
        .a_down = g->transpose_b ? 1 : (size_t)g->b_stride,
        .a_right = g->transpose_b ? (size_t)g->b_stride : 1,
        .b_down = g->transpose_a ? 1 : (size_t)g->a_stride,
        .b_right = g->transpose_a ? (size_t)g->a_stride : 1,
        .c_down = (size_t)g->c_stride,
        .alpha = g->alpha,
        .beta = g->beta,
        .packed_a = scratch,
        .packed_b = (char *)scratch + packed_bytes(g, g->n, code.strip_rows),
    };
}

static void meet(struct be_team *team) {
    if (team) {
        be_team_barrier(team);
    }
}

void be_gemm_part(const struct be_host_gemm *gemm, void *scratch, struct be_team *team, int member,
                  int members) {
    const struct be_gemm_code code = code_for(gemm);
    struct be_gemm_slab slab = slab_of(gemm, scratch);
    const size_t rows = over(slab.rows, code.strip_rows);
    const size_t columns = over(slab.columns, code.strip_columns);
    const struct be_gemm_region region = region_of(member, members, rows, columns);
    const size_t k = (size_t)gemm->k;
    size_t first;
    size_t count;
    for (slab.from = 0; slab.from < k; slab.from += DEPTH) {
        slab.depth = k - slab.from < DEPTH ? k - slab.from : DEPTH;
        be_team_share(rows, 1, member, members, &first, &count);
        code.pack_a(&slab, first, count);
        be_team_share(columns, 1, member, members, &first, &count);
        code.pack_b(&slab, first, count);
        meet(team);
        code.multiply(&slab, &region);
        meet(team);
    }
}

static enum be_status check_sizes(const struct be_host_gemm *g, struct be_error *error) {
    const bool fits = g->m > 0 && g->n > 0 && g->k > 0 &&
                      g->a_stride >= (g->transpose_a ? g->k : g->m) &&
                      g->b_stride >= (g->transpose_b ? g->n : g->k) && g->c_stride >= g->m;
    return fits ? BE_OK
                : be_fail(error, BE_USAGE,
                          "matrix product of %lld x %lld x %lld with leading dimensions of %lld, "
                          "%lld and %lld",
                          (long long)g->m, (long long)g->n, (long long)g->k, (long long)g->a_stride,
                          (long long)g->b_stride, (long long)g->c_stride);
}

struct whole {
    const struct be_host_gemm *gemm;
    void *scratch;
    struct be_team *team;
};

static void part_of_whole(void *context, int member, int members) {
    const struct whole *whole = context;
    be_gemm_part(whole->gemm, whole->scratch, whole->team, member, members);
}

enum be_status be_gemm_host(const struct be_host_gemm *gemm, const struct be_host_blas *blas,
                            struct be_team *team, struct be_error *error) {
    const enum be_status status = check_sizes(gemm, error);
    if (status != BE_OK) {
        return status;
    }
    if (blas && blas->handle) {
        if (team) {
            (void)be_host_blas_set_threads(blas, be_team_size(team));
        }
        be_host_blas_gemm(blas, gemm);
        return BE_OK;
    }
    const size_t bytes = be_gemm_scratch_bytes(gemm);
    struct whole whole = {gemm, aligned_alloc(ALIGN, bytes), team};
    if (!whole.scratch) {
        return be_fail(error, BE_NOMEM, "matrix product: no %.1f MB of host memory to work in",
                       (double)bytes / 1e6);
    }
    if (team) {
        be_team_run(team, part_of_whole, &whole);
    } else {
        part_of_whole(&whole, 0, 1);
    }
    free(whole.scratch);
    return BE_OK;
}
