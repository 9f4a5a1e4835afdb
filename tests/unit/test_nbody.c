/*
 * Accelerations in every instruction set that runs here, by all bodies and each pair once, against the
 * sum as it is written; teams, whose members change each other's bodies; bodies of no mass, and one that
 * is no number.
 */
#include "simd_sets.h"
#include "team.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "builtin/builtin.h"
#include "base/error.h"
#include "base/random.h"
#include "workload/nbody/nbody.h"
#include "workload/numbers.h"

enum { MAX = 5200, BESIDE = 16, SETS = 3, MEMBERS_MAX = 5 };

static double bodies[4 * MAX]; /* of either type, as what follows */
static double out[3 * MAX + 2 * BESIDE];
static double exact[3 * MAX];

/* Every third body has no mass. */
static void fill(enum be_real real, size_t n) {
    for (size_t i = 0; i < 4 * n; i++) {
        const double value = be_number_random(real, n, i);
        const double mass = i % 3 == 0 ? 0 : (0.5 + value) / (double)n;
        be_number_set(real, bodies, i, i < 3 * n ? value : mass);
    }
}

static void reference(enum be_real real, size_t n) {
    memset(exact, 0, sizeof exact);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double d[3];
            double r2 = BE_NBODY_SOFTENING;
            for (size_t k = 0; k < 3; k++) {
                d[k] = be_number(real, bodies, k * n + j) - be_number(real, bodies, k * n + i);
                r2 += d[k] * d[k];
            }
            for (size_t k = 0; k < 3; k++) {
                exact[k * n + i] += be_number(real, bodies, 3 * n + j) * d[k] / (r2 * sqrt(r2));
            }
        }
    }
}

/* The results begin behind BESIDE numbers, and as many follow: neither may be written. */
static void *result(enum be_real real) {
    return (char *)out + BESIDE * be_real_bytes(real);
}

static void poison(enum be_real real, size_t n, double inside) {
    for (size_t i = 0; i < 3 * n + (size_t)2 * BESIDE; i++) {
        be_number_set(real, out, i, i < BESIDE || i >= 3 * n + BESIDE ? 99 : inside);
    }
}

static void check(enum be_real real, size_t n, const char *how, int which) {
    const double allowed = 2 * (16 + sqrt((double)n)) * be_number_unit(real);
    double off = 0;
    double norm = 0;
    for (size_t i = 0; i < BESIDE; i++) {
        assert_true(be_number(real, out, i) == 99);
        assert_true(be_number(real, out, 3 * n + BESIDE + i) == 99);
    }
    for (size_t i = 0; i < 3 * n; i++) {
        const double d = be_number(real, result(real), i) - exact[i];
        off += d * d;
        norm += exact[i] * exact[i];
    }
    if (!(sqrt(off) <= allowed * sqrt(norm))) {
        fail_msg("%s, %zu bodies, %s (%d): off by %g, allowed %g", be_real_name(real), n, how,
                 which, sqrt(off / norm), allowed);
    }
}

/* ---- instruction sets ----------------------------------------------------------------------- */

struct code {
    be_nbody_by_all *by_all;
    be_nbody_within *within;
    be_nbody_between *between;
};

static struct code code_of(enum be_real real, int set) {
    static be_nbody_by_all *const all[BE_REALS][SETS] = {EACH(be_nbody_by_all32),
                                                         EACH(be_nbody_by_all64)};
    static be_nbody_within *const within[BE_REALS][SETS] = {EACH(be_nbody_within32),
                                                            EACH(be_nbody_within64)};
    static be_nbody_between *const between[BE_REALS][SETS] = {EACH(be_nbody_between32),
                                                              EACH(be_nbody_between64)};
    return (struct code){all[real][set], within[real][set], between[real][set]};
}

static struct be_nbody_part part_of(enum be_real real, size_t n, size_t first, size_t end) {
    return (struct be_nbody_part){bodies, result(real), n, first, end};
}

/* In three parts, the first two of which end at `cut` and twice as far. */
static void run_parts(const struct code *code, enum be_real real, size_t n, size_t cut) {
    const size_t end[] = {0, cut < n ? cut : n, 2 * cut < n ? 2 * cut : n, n};
    for (size_t k = 0; k < 3; k++) {
        const struct be_nbody_part own = part_of(real, n, end[k], end[k + 1]);
        code->within(&own);
        for (size_t before = 0; before < k; before++) {
            const struct be_nbody_part other = part_of(real, n, end[before], end[before + 1]);
            code->between(k - before == 1 ? &own : &other, k - before == 1 ? &other : &own);
        }
    }
}

static void check_sets(enum be_real real, size_t n) {
    const struct be_nbody_part all = part_of(real, n, 0, n);
    fill(real, n);
    reference(real, n);
    for (int set = 0; set < sets_here(); set++) {
        const struct code code = code_of(real, set);
        poison(real, n, 0);
        code.by_all(&all);
        check(real, n, "by all", set);
        poison(real, n, 0);
        code.within(&all);
        check(real, n, "each pair once", set);
        for (size_t cut = BE_NBODY_GRAIN; cut < n; cut = 3 * cut - BE_NBODY_GRAIN) {
            poison(real, n, 0);
            run_parts(&code, real, n, cut);
            check(real, n, "in parts", set);
        }
    }
}

static void test_sets(void **state) {
    static const size_t sizes[] = {1,  2,  3,  4,  5,   7,   8,   15,  16,   17,  31,
                                   32, 33, 47, 61, 127, 128, 129, 509, 1170, 2341};
    (void)state;
    for (size_t k = 0; k < BE_COUNT(sizes); k++) {
        check_sets(BE_REAL32, sizes[k]);
        check_sets(BE_REAL64, sizes[k]);
    }
}

/* ---- teams ---------------------------------------------------------------------------------- */

static void run_member(void *context, int member, int members) {
    struct be_work work = *(const struct be_work *)context;
    work.member = member;
    work.members = members;
    be_workload_nbody.variant[0].host(&work);
}

static void run_team(struct be_team *team, enum be_real real, size_t n) {
    struct be_problem problem = be_problem_preset(&be_workload_nbody);
    void *array[BE_ARRAYS] = {bodies, result(real)};
    static char scratch[4096]; /* with what the last run left */
    struct be_work work = {
        .problem = &problem, .array = array, .items = 1, .team = team, .scratch = scratch};
    problem.value[0] = n;
    problem.real = real;
    assert_true(be_nbody_host_scratch(&problem, MEMBERS_MAX) <= sizeof scratch);
    be_team_run(team, run_member, &work);
}

/* Few bodies for so many members, which look at each pair from both sides, and more, which do not. */
static void test_teams(void **state) {
    static const size_t sizes[] = {1, 33, 61, 181, 509, 1031, 2051, 3089, 4099, 5129};
    (void)state;
    for (int members = 1; members <= MEMBERS_MAX; members++) {
        struct be_team *team = open_team(members);
        /* Up to one that is enough for so many. */
        for (size_t k = 0; k < BE_COUNT(sizes) && sizes[k] < 1100 * (size_t)members; k++) {
            for (int real = 0; real < BE_REALS; real++) {
                fill((enum be_real)real, sizes[k]);
                reference((enum be_real)real, sizes[k]);
                poison((enum be_real)real, sizes[k], NAN);
                run_team(team, (enum be_real)real, sizes[k]);
                check((enum be_real)real, sizes[k], "a team", members);
            }
        }
        be_team_close(team);
    }
}

/* ---- no number ------------------------------------------------------------------------------ */

/* A NaN in one of the four numbers of any body. */
static void test_nan(void **state) {
    enum { BODIES = 2053 };
    struct be_team *team = open_team(2);
    (void)state;
    for (size_t k = 0; k < 4 * BODIES; k += 157) {
        for (int real = 0; real < BE_REALS; real++) {
            const enum be_real as = (enum be_real)real;
            fill(as, BODIES);
            be_number_set(as, bodies, k, NAN);
            memset(out, 0, sizeof out);
            run_team(team, as, BODIES);
            for (size_t i = 0; i < 3 * (size_t)BODIES; i++) {
                assert_true(isnan(be_number(as, result(as), i)));
            }
        }
    }
    be_team_close(team);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sets), cmocka_unit_test(test_teams),
                                       cmocka_unit_test(test_nan)};
    return cmocka_run_group_tests_name("nbody", tests, NULL, NULL);
}
