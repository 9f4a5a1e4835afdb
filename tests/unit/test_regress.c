/* Gradient descent: that it finds the line that the samples were made from, what it is said to take at
 * least, and its picture. */
#include "team.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin/builtin.h"
#include "base/random.h"
#include "simd_sets.h"
#include "workload/regress/regress.h"
#include "workload/regress/simd.h"

enum { N = 300 };
static double x[2 * N + 64], y[N + 64], w[64];
static void *array[BE_ARRAYS] = {x, y, w};

static struct be_problem problem_of(uint64_t n, uint64_t k, uint64_t steps) {
    struct be_problem problem = be_problem_preset(&be_workload_regress);
    problem.value[BE_REGRESS_SAMPLES] = n;
    problem.value[BE_REGRESS_FEATURES] = k;
    problem.value[BE_REGRESS_STEPS] = steps;
    problem.real = BE_REAL64;
    return problem;
}

static struct be_work work_of(const struct be_problem *problem, struct be_team *team) {
    struct be_work work = {
        .problem = problem, .array = array, .items = 1, .members = 1, .team = team};
    be_workload_regress.fill(&work, 5);
    return work;
}

static void finds_the_line(void **state) {
    (void)state;
    struct be_team *team = open_team(1);
    const struct be_problem problem = problem_of(N, 2, 2000);
    struct be_work work = work_of(&problem, team);
    for (int i = 0; i < be_workload_regress.variants; i++) {
        const struct be_variant *v = &be_workload_regress.variant[i];
        work.scratch = aligned_alloc(64, (v->host_scratch(&problem, 1) + 63) / 64 * 64);
        assert_non_null(work.scratch);
        memset(w, 0, sizeof w);
        v->host(&work);
        assert_true(fabs(w[0] - 2) < 0.05 && fabs(w[1] - 5) < 0.05);
        free(work.scratch);
    }
    be_team_close(team);
}

/* X'X and X'y of k features: rows of it sum to at most 2, so that descent with factor 1 / 2 converges. */
enum { FEATURES_MAX = 9 };
static void some_gram(size_t k, double *gram, double *right) {
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < k; j++) {
            gram[i * k + j] = (i == j) + 1 / (double)(k * (1 + i + j));
        }
        right[i] = 1 - (double)i / 3;
    }
}

static void check_steps(be_regress_descend *run, size_t k, size_t steps, double max) {
    double gram[FEATURES_MAX * FEATURES_MAX] = {0};
    double right[FEATURES_MAX] = {0};
    double found[FEATURES_MAX];
    double want[FEATURES_MAX] = {0};
    some_gram(k, gram, right);
    for (size_t step = 0; step < steps; step++) {
        double less[FEATURES_MAX];
        for (size_t i = 0; i < k; i++) {
            less[i] = -right[i];
            for (size_t j = 0; j < k; j++) {
                less[i] += gram[i * k + j] * want[j];
            }
        }
        for (size_t i = 0; i < k; i++) {
            want[i] -= less[i] / 2;
        }
    }
    run(gram, right, k, 0.5, steps, found);
    for (size_t i = 0; i < k; i++) {
        assert_true(fabs(found[i] - want[i]) <= max);
    }
}

/* Few features have code of their own, for each number of them. */
static void steps_are_right_in_each_instruction_set(void **state) {
    (void)state;
    static be_regress_descend *const single[] = EACH(be_regress_descend32);
    static be_regress_descend *const wide[] = EACH(be_regress_descend64);
    static const size_t steps[] = {0, 1, 2, 7, 100};
    for (int set = 0; set < sets_here(); set++) {
        for (size_t k = 1; k <= FEATURES_MAX; k++) {
            for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
                check_steps(single[set], k, steps[i], 1e-5);
                check_steps(wide[set], k, steps[i], 1e-14);
            }
        }
    }
}

/* Small whole numbers, whose sums are exact in every order and both types. Nothing behind them may be read. */
static void check_gram(be_regress_gram *run, bool wide, size_t rows, size_t k) {
    const size_t numbers = rows * k;
    const size_t bytes = wide ? sizeof(double) : sizeof(float);
    char *const at = malloc((numbers + rows) * bytes);
    int *const whole = malloc((numbers + rows) * sizeof *whole);
    double *const gram = calloc(k * k + k, sizeof *gram);
    assert_true(at && whole && gram);
    for (size_t i = 0; i < numbers + rows; i++) {
        whole[i] = (int)(be_random_bits(k, i) % 5) - 2;
        const double number = whole[i];
        const float rounded = (float)number;
        memcpy(at + i * bytes, wide ? (const void *)&number : (const void *)&rounded, bytes);
    }
    const struct be_regress_rows of = {
        .x = at, .y = at + numbers * bytes, .rows = rows, .k = k, .capacity = numbers};
    run(&of, gram, gram + k * k);
    for (size_t i = 0; i < k; i++) {
        int right = 0;
        for (size_t row = 0; row < rows; row++) {
            right += whole[row * k + i] * whole[numbers + row];
        }
        assert_true(gram[k * k + i] == right);
        for (size_t j = i; j < k; j++) {
            int sum = 0;
            for (size_t row = 0; row < rows; row++) {
                sum += whole[row * k + i] * whole[row * k + j];
            }
            assert_true(gram[i * k + j] == sum);
        }
    }
    free(gram);
    free(whole);
    free(at);
}

/* How many vectors a row takes and how full the last one is decides which tiles it is made of; more rows than are
 * summed in the numbers' type, and no whole number of what is read together. */
static void gram_is_right_of_each_number_of_features(void **state) {
    (void)state;
    static be_regress_gram *const single[] = EACH(be_regress_gram32);
    static be_regress_gram *const wide[] = EACH(be_regress_gram64);
    for (int set = 0; set < sets_here(); set++) {
        for (size_t k = 1; k <= BE_REGRESS_MAX; k++) {
            check_gram(single[set], false, k % 8 == 3 ? 523 : 71, k);
            check_gram(wide[set], true, k % 8 == 3 ? 523 : 71, k);
        }
    }
}

static double operations(uint64_t n, uint64_t k, uint64_t steps) {
    const struct be_problem problem = problem_of(n, k, steps);
    return be_problem_shape(&problem).operations;
}

/* Never more than any of the ways takes. */
static void counts_the_min(void **state) {
    (void)state;
    assert_true(operations(1000, 51, 1) == 2.0 * 1000 * 51);
    assert_true(operations(1000, 51, 2) == 6.0 * 1000 * 51);
    assert_true(operations(1000, 51, 1000) == 1000.0 * 51 * 54);
    assert_true(operations(10, 51, 1000) == 10.0 * 51 * 13);
    assert_true(operations(1000, 51, 100000) == operations(1000, 51, 1000));
}

/* Red pixels of columns [from, to). */
static size_t reds(const struct be_picture *picture, size_t from, size_t to) {
    size_t count = 0;
    for (size_t row = 0; row < picture->height; row++) {
        for (size_t column = from; column < to; column++) {
            const uint8_t *at = picture->rgb + (row * picture->width + column) * 3;
            count += at[0] > 200 && at[1] < 100 && at[2] < 100;
        }
    }
    return count;
}

static void draws_line_and_loss(void **state) {
    (void)state;
    struct be_error error = {0};
    struct be_team *team = open_team(1);
    for (uint64_t k = 1; k <= 2; k++) {
        const struct be_problem problem = problem_of(N, k, 50);
        const struct be_work work = work_of(&problem, team);
        struct be_picture picture = {0};
        w[0] = 2;
        w[1] = 5;
        assert_int_equal(be_regress_picture(&work, &picture, &error), BE_OK);
        assert_true(picture.width > 900 && picture.height > 300);
        assert_true(reds(&picture, picture.width / 2, picture.width) > 400);
        assert_true(k == 1 || reds(&picture, 0, picture.width / 2) > 400);
        free(picture.rgb);
    }
    w[0] = w[1] = NAN; /* what is no number is not drawn */
    const struct be_problem problem = problem_of(N, 2, 1);
    const struct be_work work = work_of(&problem, team);
    struct be_picture picture = {0};
    assert_int_equal(be_regress_picture(&work, &picture, &error), BE_OK);
    assert_int_equal(reds(&picture, 0, picture.width / 2), 0);
    free(picture.rgb);
    be_team_close(team);
}

/* The line where there is one, and how the loss fell, the last of it from the weights that came out. */
static void tells_line_and_loss(void **state) {
    (void)state;
    struct be_team *team = open_team(1);
    for (uint64_t k = 1; k <= 2; k++) {
        const struct be_problem problem = problem_of(N, k, 50);
        const struct be_work work = work_of(&problem, team);
        char note[BE_NOTE];
        double first, one, ten, last;
        w[0] = k == 2 ? 2.04 : 0;
        w[1] = 4.987;
        be_regress_tell(&work, note);
        assert_int_equal(strstr(note, "y = 2.04 x + 4.987; mean square") != NULL, k == 2);
        const char *loss = strstr(note, "mean square of Xw - y ");
        assert_non_null(loss);
        assert_int_equal(sscanf(loss,
                                "mean square of Xw - y %lf at first, %lf after 1, %lf after 10, "
                                "%lf after 50 steps",
                                &first, &one, &ten, &last),
                         4);
        assert_true(first > one && one > ten);
        assert_true(k == 2 ? last < 0.05 : last == first); /* noise; or no weight at all */
    }
    const struct be_problem problem = problem_of(N, 2, 1);
    const struct be_work work = work_of(&problem, team);
    char note[BE_NOTE];
    be_regress_tell(&work, note);
    assert_non_null(strstr(note, " after 1 step"));
    assert_null(strstr(note, "after 1,"));
    be_team_close(team);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_line),
        cmocka_unit_test(steps_are_right_in_each_instruction_set),
        cmocka_unit_test(gram_is_right_of_each_number_of_features),
        cmocka_unit_test(counts_the_min),
        cmocka_unit_test(draws_line_and_loss),
        cmocka_unit_test(tells_line_and_loss),
    };
    return cmocka_run_group_tests_name("regress", tests, NULL, NULL);
}
