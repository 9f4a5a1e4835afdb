/* matmul: its sizes, its reference on values known by hand, and code without packing against three loops, on integers, so
 * that no order of sums matters. That all code agrees with the reference: tests/contract/test_workloads.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/random.h"
#include "simd_sets.h"
#include "team.h"
#include "workload/matmul/matmul.h"
#include "workload_list.h"

static struct be_problem problem_of(uint64_t m, uint64_t n, uint64_t k, uint64_t batch) {
    struct be_problem problem = be_problem_preset(&be_workload_matmul);
    problem.value[BE_MATMUL_M] = m;
    problem.value[BE_MATMUL_N] = n;
    problem.value[BE_MATMUL_K] = k;
    problem.value[BE_MATMUL_BATCH] = batch;
    return problem;
}

static void test_sizes(void **state) {
    char text[BE_NOTE];
    struct be_problem problem = be_problem_preset(&be_workload_matmul);
    struct be_matmul_sizes s = be_matmul_sizes_of(&problem);
    (void)state;
    assert_true(s.m == 1024 && s.n == 1024 && s.k == 1024 && be_matmul_is_square(&s));
    be_problem_text(&problem, text, sizeof text); /* as results always had it */
    assert_string_equal(text, "");
    problem.value[BE_MATMUL_M] = 1;
    problem.value[BE_MATMUL_BATCH] = 3;
    s = be_matmul_sizes_of(&problem);
    assert_true(s.m == 1 && s.n == 1024 && s.k == 1024 && s.batch == 3);
    be_problem_text(&problem, text, sizeof text);
    assert_string_equal(text, "m 1, batch 3");
    problem = problem_of(2, 3, 4, 1);
    problem.swept = BE_MATMUL_M;
    be_problem_text(&problem, text, sizeof text); /* no order: none of them is it */
    assert_string_equal(text, "n 3, k 4");
}

/* 2 x 1 times 1 x 3, twice. */
static void test_reference(void **state) {
    float a[] = {1, 2, 3, -1};
    float b[] = {1, 0, 2, 5, 6, 7};
    float c[] = {1, 0, 2, 2, 0, 4, 15, 18, 21, -5, -6, -7};
    double reference[12];
    double difference = 0;
    double norm = 0;
    void *const array[] = {a, b, c};
    const struct be_problem problem = problem_of(2, 3, 1, 2);
    struct be_team *team = open_team(1);
    const struct be_work work = {
        .problem = &problem, .array = array, .items = 2, .members = 1, .team = team};
    (void)state;
    be_workload_matmul.reference(&work, reference);
    for (size_t i = 0; i < BE_COUNT(c); i++) {
        assert_true(reference[i] == (double)c[i]);
    }
    be_workload_matmul.residual(&work, reference, &difference, &norm);
    assert_true(difference == 0 && norm > 0);
    c[11] += 1;
    be_workload_matmul.residual(&work, reference, &difference, &norm);
    assert_true(difference > 0.1);
    be_team_close(team);
}

/* ---- against three loops -------------------------------------------------------------------- */

#define FILL(bits, real)                                                                           \
    static real *numbers##bits(size_t count, uint64_t seed) {                                      \
        real *to = calloc(count + 1, sizeof *to);                                                  \
        assert_non_null(to);                                                                       \
        for (size_t i = 0; i < count; i++) {                                                       \
            to[i] = (real)(be_random_bits(seed, i) % 9) - 4;                                       \
        }                                                                                          \
        to[count] = 77; /* is not to be written */                                                 \
        return to;                                                                                 \
    }                                                                                              \
    static void expect##bits(const real *a, const real *b, const real *c, size_t m, size_t n,      \
                             size_t k, const char *what) {                                         \
        for (size_t i = 0; i < m * n; i++) {                                                       \
            real sum = 0;                                                                          \
            for (size_t d = 0; d < k; d++) {                                                       \
                sum += a[i / n * k + d] * b[d * n + i % n];                                        \
            }                                                                                      \
            if (c[i] != sum) {                                                                     \
                fail_msg("%s %zu x %zu x %zu, number %zu: %g, not %g", what, m, n, k, i,           \
                         (double)c[i], (double)sum);                                               \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void check##bits(be_matmul_run *run, bool tall, size_t m, size_t n, size_t k,           \
                            const char *what) {                                                    \
        real *a = numbers##bits(m * k, 1), *b = numbers##bits(k * n, 2);                           \
        real *c = numbers##bits(m * n, 3), *room = numbers##bits(k * BE_MATMUL_EDGE, 4);           \
        struct be_matmul_part part = {a, b, c, m, n, k, k, n, n, room, 0};                         \
        for (size_t i = 0; tall && i < n * k; i++) {                                               \
            room[i] = b[i % k * n + i / k];                                                        \
        }                                                                                          \
        if (tall) {                                                                                \
            part.b = room;                                                                         \
            part.b_down = k;                                                                       \
        }                                                                                          \
        run(&part);                                                                                \
        expect##bits(a, b, c, m, n, k, what);                                                      \
        assert_true(c[m * n] == 77);                                                               \
        free(a);                                                                                   \
        free(b);                                                                                   \
        free(c);                                                                                   \
        free(room);                                                                                \
    }
FILL(32, float)
FILL(64, double)

static void test_code(void **state) {
    static const size_t side[] = {1, 2, 5, 13, 17, 32, 45};
    static const size_t depth[] = {1, 3, 4, 37, 130};
    static be_matmul_run *const small[] = EACH(be_matmul_small_32);
    static be_matmul_run *const small64[] = EACH(be_matmul_small_64);
    static be_matmul_run *const wide[] = EACH(be_matmul_wide_32);
    static be_matmul_run *const wide64[] = EACH(be_matmul_wide_64);
    static be_matmul_run *const tall[] = EACH(be_matmul_tall_32);
    static be_matmul_run *const tall64[] = EACH(be_matmul_tall_64);
    (void)state;
    for (int set = 0; set < sets_here(); set++) {
        for (size_t at = 0; at < BE_COUNT(side) * BE_COUNT(depth); at++) {
            const size_t n = side[at % BE_COUNT(side)];
            const size_t m = side[at % 3 + 3];
            const size_t k = depth[at / BE_COUNT(side)];
            check32(small[set], false, m, n, k, "small");
            check64(small64[set], false, m, n, k, "small");
            check32(wide[set], false, at % 4 + 1, 31 * n, k, "wide");
            check64(wide64[set], false, at % 4 + 1, 31 * n, k, "wide");
            check32(tall[set], true, m, at % 8 + 1, k, "tall");
            check64(tall64[set], true, m, at % 8 + 1, k, "tall");
        }
    }
}

/* ---- by a team ------------------------------------------------------------------------------ */

struct job {
    const struct be_problem *problem;
    void *array[3];
    void *scratch;
    struct be_team *team;
};

static void share(void *context, int member, int members) {
    const struct job *job = context;
    const struct be_work work = {.problem = job->problem,
                                 .array = job->array,
                                 .items = (size_t)job->problem->value[BE_MATMUL_BATCH],
                                 .member = member,
                                 .members = members,
                                 .team = job->team,
                                 .scratch = job->scratch};
    be_matmul_host_small(&work);
}

/* Numbers from a product of a batch to the one behind. */
static size_t apart(const struct be_shape *shape, int array, size_t each) {
    return shape->item_bytes[array] / each;
}

static void test_team(void **state) {
    static const size_t sizes[][4] = {
        {2, 31, 4097, 1}, {3, 2, 4099, 1}, {1, 1, 5000, 1}, {1, 500, 70, 1}, {200, 7, 33, 1},
        {45, 45, 9, 1},   {2, 70, 70, 5},  {70, 3, 70, 5},  {9, 33, 5, 7},   {1, 3, 2, 2},
        {4, 4, 4, 40},    {1, 1, 1, 50},   {3, 5, 2, 31},
    };
    enum { MEMBERS = 3, ALIGN = 64 };
    struct be_team *team = open_team(MEMBERS);
    (void)state;
    for (size_t at = 0; at < BE_COUNT(sizes); at++) {
        const size_t *s = sizes[at];
        const struct be_problem problem = problem_of(s[0], s[1], s[2], s[3]);
        const struct be_shape shape = be_problem_shape(&problem);
        const size_t bytes = be_matmul_small_scratch(&problem, MEMBERS);
        float *array[3];
        for (int i = 0; i < 3; i++) {
            array[i] = numbers32(s[3] * apart(&shape, i, sizeof(float)), (uint64_t)i);
        }
        struct job job = {.problem = &problem,
                          .array = {array[0], array[1], array[2]},
                          .scratch = aligned_alloc(ALIGN, (bytes + ALIGN) / ALIGN * ALIGN),
                          .team = team};
        assert_non_null(job.scratch);
        be_team_run(team, share, &job);
        for (size_t i = 0; i < s[3]; i++) {
            expect32(array[0] + i * apart(&shape, 0, sizeof(float)),
                     array[1] + i * apart(&shape, 1, sizeof(float)),
                     array[2] + i * apart(&shape, 2, sizeof(float)), s[0], s[1], s[2], "team");
        }
        free(job.scratch);
        for (int i = 0; i < 3; i++) {
            free(array[i]);
        }
    }
    be_team_close(team);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_code),
        cmocka_unit_test(test_team),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
