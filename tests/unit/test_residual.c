/*
 * For every workload: a result in which something is wrong is not taken for right. A number that is none counts as
 * wrong whatever else is compared, wherever it stands.
 */
#include "case_bench.h"
#include "builtin/builtin.h"

static bool is_right(struct bench *b) {
    return be_data_residual(&b->data, 0) <= b->data.shape.tolerance; /* NaN is not <= anything */
}

/* All bits set: no number as floating point, and as an integer one that is seldom right. */
static void spoil(struct bench *b, int array, double place) {
    const struct be_problem *problem = &b->data.problem;
    const size_t width = be_real_bytes(problem->real);
    const size_t numbers = b->data.shape.item_bytes[array] * b->data.items / width;
    char *number = (char *)b->data.array[array] + (size_t)(place * (double)numbers) * width;
    char kept[sizeof(double)];
    memcpy(kept, number, width);
    memset(number, 0xff, width);
    if (memcmp(kept, number, width) != 0 && is_right(b)) {
        fail_msg("%s %s of %llu: right with a wrong number at %g of '%s'", problem->workload->name,
                 be_real_name(problem->real), (unsigned long long)be_problem_size(problem), place,
                 problem->workload->array[array]);
    }
    memcpy(number, kept, width);
    assert_true(is_right(b));
}

static void check_size(const struct be_workload *w, uint64_t size) {
    static const double places[] = {0, 0.3, 0.5};
    struct bench b;
    open_bench(&b, &cpu, w, size, 1);
    be_data_poison(&b.data, 0); /* nothing was written */
    assert_false(is_right(&b));
    start_case(&b, BE_HOST, BE_HOT);
    be_case_check(&b.c, &host_clock);
    if (b.c.result.status != BE_RESULT_OK) {
        fail_msg("%s, %s: %s", w->name, w->variant->name, b.c.result.note);
    }
    for (int i = w->inputs; i < w->inputs + w->outputs; i++) {
        for (size_t k = 0; k < BE_COUNT(places); k++) {
            spoil(&b, i, places[k]);
        }
    }
    close_bench(&b);
}

/* The first variant whose CPU code takes this size and needs nothing that may not be here. */
static void use_own_code(struct be_workload *w, uint64_t size) {
    for (; w->variants > 0; w->variant++, w->variants--) {
        const struct be_problem problem = problem_of(w, size);
        if (w->variant->host && !w->variant->host_ready &&
            !(w->variant->unfit && w->variant->unfit(&problem))) {
            return;
        }
    }
    fail_msg("%s: no code of our own for %llu", w->name, (unsigned long long)size);
}

/* From 257 on a product of matrices is held against its product with a vector. */
static void test_each_workload(void **state) {
    static const uint64_t sizes[] = {32, 512}; /* the FFT takes powers of two */
    (void)state;
    for (int i = 0; be_workloads[i]; i++) {
        for (int real = 0; real < BE_REALS; real++) {
            for (size_t k = 0; k < BE_COUNT(sizes) && be_workloads[i]->reals & BE_TAKES(real);
                 k++) {
                struct be_workload w = *be_workloads[i];
                w.real = (enum be_real)real;
                use_own_code(&w, sizes[k]);
                check_size(&w, sizes[k]);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_workload)};
    return cmocka_run_group_tests_name("residuals", tests, open_places, close_places);
}
