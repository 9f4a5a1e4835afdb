/* Conjugate gradients on the CPU: rows are shared out, and all members meet
 * three times an iteration. */
#include "workload/cg/cg.h"

#include <string.h>

/* Members' sums lie a line apart. */
enum { LINE = 64 / sizeof(double) };

static size_t sums_bytes(int members) {
    const size_t bytes = (size_t)members * LINE * sizeof(double);
    return (bytes + BE_WHOLE_ALIGN - 1) / BE_WHOLE_ALIGN * BE_WHOLE_ALIGN;
}

static size_t vector_bytes(const struct be_problem *problem) {
    const size_t bytes = be_cg_sizes_of(problem).rows * be_real_bytes(problem->real);
    return (bytes + BE_WHOLE_ALIGN - 1) / BE_WHOLE_ALIGN * BE_WHOLE_ALIGN;
}

/* Two tables of sums, of p'q and of r'r, then r, p and q. */
size_t be_cg_host_scratch(const struct be_problem *problem, int members) {
    return 2 * sums_bytes(members) + 3 * vector_bytes(problem);
}

/* Behind these: the runs, and their values. */
static size_t runs_of(const struct be_problem *problem) {
    return vector_bytes(problem) / BE_CG_RUN_BYTES;
}

size_t be_cg_runs_scratch(const struct be_problem *problem, int members) {
    const size_t run_bytes = sizeof(struct be_cg_run) + BE_CG_RUN_MOST * BE_CG_RUN_BYTES;
    return be_cg_host_scratch(problem, members) + runs_of(problem) * run_bytes;
}

struct code {
    be_cg_sum *begin, *product;
    be_cg_scaled *update, *turn;
};

static struct code code_of(enum be_real real) {
    return real == BE_REAL64
               ? (struct code){BE_SIMD_BEST(be_cg_begin_64), BE_SIMD_BEST(be_cg_product_64),
                               BE_SIMD_BEST(be_cg_update_64), BE_SIMD_BEST(be_cg_turn_64)}
               : (struct code){BE_SIMD_BEST(be_cg_begin_32), BE_SIMD_BEST(be_cg_product_32),
                               BE_SIMD_BEST(be_cg_update_32), BE_SIMD_BEST(be_cg_turn_32)};
}

/* The sum of all members': the same for each of them. After it all that was
 * written before is seen. */
static double together(const struct be_work *work, double *sums, double mine) {
    double all = 0;
    sums[work->member * LINE] = mine;
    be_team_barrier(work->team);
    for (int member = 0; member < work->members; member++) {
        all += sums[member * LINE];
    }
    return all;
}

static struct be_cg_part part_of(const struct be_work *work) {
    enum { GRAIN = 16 }; /* rows whose results may share a cache line */
    char *vectors = (char *)work->scratch + 2 * sums_bytes(work->members);
    const size_t bytes = vector_bytes(work->problem);
    struct be_cg_part part = {.start = be_work_array(work, BE_CG_START),
                              .column = be_work_array(work, BE_CG_COLUMN),
                              .value = be_work_array(work, BE_CG_VALUE),
                              .b = be_work_array(work, BE_CG_B),
                              .x = be_work_array(work, BE_CG_X),
                              .r = vectors,
                              .p = vectors + bytes,
                              .q = vectors + 2 * bytes};
    size_t rows;
    be_work_rows(work, be_cg_sizes_of(work->problem).rows, GRAIN, &part.first, &rows);
    part.end = part.first + rows;
    return part;
}

static void iterate(const struct be_work *work, const struct code *code,
                    const struct be_cg_part *part) {
    double *const direction = work->scratch;
    double *const residual = (double *)(void *)((char *)work->scratch + sums_bytes(work->members));
    const size_t iterations = be_cg_sizes_of(work->problem).iterations;
    double square = together(work, residual, code->begin(part));
    for (size_t k = 0; k < iterations; k++) {
        const double along = together(work, direction, code->product(part));
        const double alpha = square > BE_CG_LEAST ? square / along : 0;
        const double before = square;
        square = together(work, residual, code->update(part, alpha));
        code->turn(part, before > BE_CG_LEAST ? square / before : 0);
        be_team_barrier(work->team);
    }
}

void be_cg_host(const struct be_work *work) {
    const struct code code = code_of(work->problem->real);
    const struct be_cg_part part = part_of(work);
    iterate(work, &code, &part);
}

void be_cg_host_runs(const struct be_work *work) {
    const bool wide = work->problem->real == BE_REAL64;
    struct code code = code_of(work->problem->real);
    struct be_cg_part part = part_of(work);
    code.product = wide ? BE_SIMD_BEST(be_cg_runs_64) : BE_SIMD_BEST(be_cg_runs_32);
    part.dealt = (char *)work->scratch + be_cg_host_scratch(work->problem, work->members);
    part.run =
        (void *)((char *)part.dealt + runs_of(work->problem) * BE_CG_RUN_MOST * BE_CG_RUN_BYTES);
    (void)(wide ? BE_SIMD_BEST(be_cg_deal_64) : BE_SIMD_BEST(be_cg_deal_32))(&part);
    iterate(work, &code, &part);
}
