/* gather by bins, with indices of all kinds: where they are not even a bin is too small for them. */
#include "team.h"

#include <stdlib.h>
#include <string.h>

#include "builtin/builtin.h"
#include "base/error.h"
#include "base/random.h"
#include "workload/gather/gather.h"

enum { MEMBERS_MAX = 3 };

/* The least that it is offered for; not whole lines or bins; so few that elements are fetched one by one. */
static const size_t sizes[] = {
    BE_GATHER_BINNED_MIN, BE_GATHER_BINNED_MIN + 1, 1200007, 3, 1009, 70001};
enum { LARGEST = 1200007 };

enum kind { RANDOM, RISING, FALLING, FIRST, LAST, ONE_BIN, UNEVEN_LATER, KINDS };

static int32_t index_of(enum kind kind, size_t i, size_t n) {
    const size_t any = (size_t)(((be_random_bits(7, i) >> 32) * n) >> 32);
    switch (kind) {
    case RISING:
        return (int32_t)i;
    case FALLING:
        return (int32_t)(n - 1 - i);
    case FIRST:
        return 0;
    case LAST:
        return (int32_t)(n - 1);
    case ONE_BIN:
        return (int32_t)(any % (n < 1000 ? n : 1000));
    case UNEVEN_LATER: /* so a member deals in one turn and does not in another */
        return (int32_t)(i < n / 2 ? any : any / 4);
    default:
        return (int32_t)any;
    }
}

struct arrays {
    float *x, *z;
    int32_t *index;
};

static int open_arrays(void **state) {
    static struct arrays arrays;
    arrays.x = malloc(LARGEST * sizeof *arrays.x);
    arrays.z = malloc(LARGEST * sizeof *arrays.z);
    arrays.index = malloc(LARGEST * sizeof *arrays.index);
    *state = &arrays;
    if (!arrays.x || !arrays.z || !arrays.index) {
        return 1;
    }
    /* All bits, those of NaN too: no two elements are the same. */
    for (size_t i = 0; i < LARGEST; i++) {
        const uint32_t bits = (uint32_t)i * 2654435761U;
        memcpy(&arrays.x[i], &bits, sizeof bits);
    }
    return 0;
}

static int close_arrays(void **state) {
    struct arrays *arrays = *state;
    free(arrays->x);
    free(arrays->z);
    free(arrays->index);
    return 0;
}

static void gather_share(void *context, int member, int members) {
    struct be_work work = *(const struct be_work *)context;
    work.member = member;
    work.members = members;
    be_gather_binned_host(&work);
}

static void check(struct be_team *team, const struct arrays *a, enum kind kind, size_t n) {
    const struct be_problem problem = {.workload = &be_workload_gather, .value = {n}};
    const size_t bytes = be_gather_binned_scratch(&problem, be_team_size(team));
    void *const array[] = {a->x, a->index, a->z};
    struct be_work work = {.problem = &problem,
                           .array = array,
                           .items = 1,
                           .team = team,
                           .scratch = aligned_alloc(64, (bytes + 63) / 64 * 64)};
    assert_non_null(work.scratch);
    if (n >= BE_GATHER_BINNED_MIN) { /* else all would be fetched one by one, and right */
        assert_in_range(bytes, 12 * n / 100, 12 * n / 10);
    }
    for (size_t i = 0; i < n; i++) {
        a->index[i] = index_of(kind, i, n);
    }
    memset(a->z, 0, n * sizeof *a->z);
    be_team_run(team, gather_share, &work);
    for (size_t i = 0; i < n; i++) {
        if (memcmp(&a->z[i], &a->x[a->index[i]], sizeof *a->z) != 0) {
            fail_msg("kind %d, %zu elements, %d members: element %zu is wrong", (int)kind, n,
                     be_team_size(team), i);
        }
    }
    free(work.scratch);
}

static void test_all_kinds(void **state) {
    for (int members = 1; members <= MEMBERS_MAX; members++) {
        struct be_team *team = open_team(members);
        for (enum kind kind = RANDOM; kind < KINDS; kind++) {
            for (size_t i = 0; i < BE_COUNT(sizes); i++) {
                check(team, *state, kind, sizes[i]);
            }
        }
        be_team_close(team);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_kinds)};
    return cmocka_run_group_tests(tests, open_arrays, close_arrays);
}
