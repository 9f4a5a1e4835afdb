/* The CPU's plain code of workloads, in every instruction set that runs here, against their references: at sizes that no
 * vector divides, by one thread. Teams are the contract's tests. */
#include "simd_sets.h"
#include "team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "builtin/builtin.h"
#include "workload/distance/distance.h"
#include "workload/generate/plain_simd.h"
#include "workload/mandelbrot/mandelbrot.h"
#include "workload/nbody/nbody.h"
#include "workload/recurrence/plain_simd.h"
#include "workload/regress/regress.h"
#include "workload/spmv/spmv.h"

/* Those that take the work as it is. */
typedef void plain(const struct be_work *work);

static const struct be_philox_key key = {{0x243f6a88U, 0x85a308d3U}}; /* of generate.c */

#define GENERATE(set)                                                                              \
    static void generate_##set(const struct be_work *work) {                                       \
        const size_t n = (size_t)work->problem->value[0];                                          \
        if (work->problem->real == BE_REAL64) {                                                    \
            be_philox_plain64_run_##set(work->array[0], 0, n, key);                                \
        } else {                                                                                   \
            be_philox_plain32_run_##set(work->array[0], 0, n, key);                                \
        }                                                                                          \
    }
/* The second half begins with the sum of the first, as a second member would. */
#define RECURRENCE(set)                                                                            \
    static void recurrence_##set(const struct be_work *work) {                                     \
        const size_t n = (size_t)work->problem->value[0], half = n / 2;                            \
        const int32_t *o = work->array[0];                                                         \
        const float *a = work->array[1], *d = work->array[2];                                      \
        float *r = work->array[3];                                                                 \
        const double sum = be_pick_plain_sum_run_##set(o, a, d, half);                             \
        be_pick_plain_scan_run_##set(o, a, d, r, half, 0);                                         \
        be_pick_plain_scan_run_##set(o + half, a + half, d + half, r + half, n - half, sum);       \
    }
/* One product. */
#define SPMV(set)                                                                                  \
    static void spmv_##set(const struct be_work *work) {                                           \
        const struct be_spmv_rows rows = {.start = work->array[BE_SPMV_START],                     \
                                          .column = work->array[BE_SPMV_COLUMN],                   \
                                          .value = work->array[BE_SPMV_VALUE],                     \
                                          .x = work->array[BE_SPMV_X],                             \
                                          .y = work->array[BE_SPMV_Y],                             \
                                          .rows = (size_t)work->problem->value[0]};                \
        (work->problem->real == BE_REAL64 ? be_spmv_plain_64_##set                                 \
                                          : be_spmv_plain_32_##set)(&rows);                        \
    }
GENERATE(plain)
RECURRENCE(plain)
SPMV(plain)
#if defined(__x86_64__)
GENERATE(v3)
GENERATE(v4)
RECURRENCE(v3)
RECURRENCE(v4)
SPMV(v3)
SPMV(v4)
#endif

static const struct {
    const char *workload;
    plain *run[BE_SIMDS];
    uint64_t value[3][BE_PARAMETERS]; /* problems, those not 0 */
} codes[] = {
    {"recurrence", EACH(recurrence), {{1}, {2}, {4099}}},
    {"generate", EACH(generate), {{1}, {7}, {4099}}},
    {"distance", EACH(be_distance_plain_run), {{67, 3, 0}, {131, 5, 1}, {131, 7, 2, 33}}},
    {"regress", EACH(be_regress_plain_run), {{301, 1, 40}, {301, 13, 40}, {5, 7, 40}}},
    {"mandelbrot", EACH(be_mandelbrot_plain_run), {{1, 50, 0}, {67, 200, 0}, {33, 999, 2}}},
    {"spmv", EACH(spmv), {{101, 1, 50}, {333, 7, 300}, {333, 33, 90}}},
    {"nbody", EACH(be_nbody_plain_run), {{1}, {2}, {267}}},
};

static void *memory(size_t bytes) {
    void *const p = calloc(1, bytes + 64);
    assert_non_null(p);
    return p;
}

/* Poisoned outputs, the code, the residual. */
static void check(plain *run, enum be_simd set, const struct be_work *work, double *reference) {
    const struct be_problem *problem = work->problem;
    const struct be_workload *w = problem->workload;
    const struct be_shape shape = be_problem_shape(problem);
    double difference = 0;
    double norm = 0;
    for (int k = w->inputs; k < w->inputs + w->outputs; k++) {
        memset(work->array[k], 0xff, shape.items * shape.item_bytes[k]);
    }
    run(work);
    w->residual(work, reference, &difference, &norm);
    if (!(sqrt(difference) <= shape.tolerance * sqrt(norm))) {
        fail_msg("%s, %s, size %llu, %s: residual %g of %g, allowed %g", w->name,
                 be_real_name(problem->real), (unsigned long long)problem->value[0],
                 be_simd_name[set], sqrt(difference), sqrt(norm), shape.tolerance);
    }
}

static void check_all(plain *const *run, const struct be_problem *problem, struct be_team *team) {
    const struct be_workload *w = problem->workload;
    const struct be_shape shape = be_problem_shape(problem);
    const struct be_variant *variant = be_variant_find(w, "plain");
    void *array[BE_ARRAYS] = {NULL};
    assert_non_null(variant);
    for (int k = 0; k < w->inputs + w->outputs; k++) {
        array[k] = memory(shape.items * shape.item_bytes[k]);
    }
    double *reference = memory(shape.items * shape.reference * sizeof *reference);
    void *scratch = memory(variant->host_scratch ? variant->host_scratch(problem, 1) : 0);
    const struct be_work work = {.problem = problem,
                                 .array = array,
                                 .items = shape.items,
                                 .members = 1,
                                 .team = team,
                                 .scratch = scratch};
    w->fill(&work, 7);
    if (shape.reference > 0) {
        w->reference(&work, reference);
    }
    for (int set = 0; set < sets_here(); set++) {
        check(run[set], (enum be_simd)set, &work, reference);
    }
    for (int k = 0; k < BE_ARRAYS; k++) {
        free(array[k]);
    }
    free(reference);
    free(scratch);
}

static void test_each_set(void **state) {
    (void)state;
    struct be_team *team = open_team(1);
    for (size_t c = 0; c < BE_COUNT(codes); c++) {
        const struct be_workload *w = be_workload_find(codes[c].workload);
        assert_non_null(w);
        for (int real = 0; real < BE_REALS; real++) {
            for (size_t p = 0; p < 3 && (w->reals & BE_TAKES(real)) != 0; p++) {
                struct be_problem problem = be_problem_preset(w);
                problem.real = (enum be_real)real;
                for (int k = 0; k < w->parameters; k++) {
                    const uint64_t value = codes[c].value[p][k];
                    problem.value[k] = value > 0 || w->parameter[k].kind ? value : problem.value[k];
                }
                check_all(codes[c].run, &problem, team);
            }
        }
    }
    be_team_close(team);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_set)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
