/* Cores, errors, copies by a team, pages, random numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sched.h>
#include <sys/resource.h>

#include "host/copy.h"
#include "base/error.h"
#include "host/pages.h"
#include "base/random.h"
#include "host/team.h"
#include "dyn/dyn.h"
#include "team.h"

#define CLOSE(a, b) assert_true(fabs((a) - (b)) <= 1e-12 * fabs(b))

/* ---- cores ---------------------------------------------------------------------------------- */

static void test_quota_v2(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double quota;
    } sample[] = {
        {"150000 100000\n", 1.5},
        {"max 100000\n", 0},
        {"1600000 100000", 16},
        {"50000 100000", 0.5},
        {"100000 50000", 2},
        {"", 0},
        {"max", 0},
        {"100000", 0},
        {"0 100000", 0},
        {"-1 100000", 0},
        {"100000 0", 0},
        {"nonsense", 0},
    };
    for (size_t i = 0; i < BE_COUNT(sample); i++) {
        CLOSE(be_cores_quota_v2(sample[i].text), sample[i].quota);
    }
}

static void test_quota_v1(void **state) {
    (void)state;
    static const struct {
        const char *quota_us, *period_us;
        double quota;
    } sample[] = {
        {"200000\n", "100000\n", 2}, {"-1\n", "100000\n", 0}, {"150000", "100000", 1.5},
        {"100000", "", 0},           {"", "100000", 0},       {"100000", "0", 0},
    };
    for (size_t i = 0; i < BE_COUNT(sample); i++) {
        CLOSE(be_cores_quota_v1(sample[i].quota_us, sample[i].period_us), sample[i].quota);
    }
}

static void test_min(void **state) {
    (void)state;
    static const struct {
        int affinity;
        double quota;
        int slurm, min;
        const char *by;
    } sample[] = {
        {8, 0, 0, 8, "affinity"},
        {8, 4, 0, 4, "cgroup quota"},
        {8, 0, 2, 2, "SLURM_CPUS_PER_TASK"},
        {8, 4, 2, 2, "SLURM_CPUS_PER_TASK"},
        {8, 2, 4, 2, "cgroup quota"},
        {2, 4, 4, 2, "affinity"},
        {8, 1.5, 0, 2, "cgroup quota"}, /* part of a core needs a thread */
        {8, 0.1, 0, 1, "cgroup quota"},
        {4, 4, 4, 4, "affinity"}, /* what does not lower it does not set it */
        {4, 3.5, 0, 4, "affinity"},
        {8, 0, -3, 8, "affinity"},
        {0, 0, 0, 1, "affinity"},
    };
    for (size_t i = 0; i < BE_COUNT(sample); i++) {
        char by[BE_NAME];
        int min = be_cores_min(sample[i].affinity, sample[i].quota, sample[i].slurm, by);
        if (min != sample[i].min || strcmp(by, sample[i].by) != 0) {
            fail_msg("case %zu: %d by %s, not %d by %s", i, min, by, sample[i].min, sample[i].by);
        }
    }
}

static void test_cores_here(void **state) {
    (void)state;
    struct be_cores cores;
    struct be_error error = {0};
    cpu_set_t allowed;
    assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    assert_int_equal(be_cores_find(&cores, &error), BE_OK);
    assert_in_range(cores.count, 1, (unsigned)CPU_COUNT(&allowed));
    assert_true(cores.machine >= cores.count);
    assert_true(cores.numa_nodes >= 1);
    assert_string_not_equal(cores.name, "");
    assert_string_not_equal(cores.limited_by, "");
    for (int i = 0; i < cores.count; i++) {
        assert_true(CPU_ISSET((unsigned)cores.cpu[i], &allowed));
        assert_true(i == 0 || cores.cpu[i] != cores.cpu[i - 1]);
    }
    setenv("SLURM_CPUS_PER_TASK", "1", 1);
    assert_int_equal(be_cores_find(&cores, &error), BE_OK);
    unsetenv("SLURM_CPUS_PER_TASK");
    assert_int_equal(cores.count, 1);
}

/* ---- errors --------------------------------------------------------------------------------- */

static void test_fail(void **state) {
    (void)state;
    struct be_error error = {0};
    assert_int_equal(be_fail(&error, BE_IO, "%s: %d", "file", 7), BE_IO);
    assert_int_equal(error.status, BE_IO);
    assert_string_equal(error.text, "file: 7");
    assert_int_equal(be_fail(NULL, BE_USAGE, "%s", "nobody listens"), BE_USAGE);

    char text[2000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(be_fail(&error, BE_NOMEM, "%s", text), BE_NOMEM);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
}

static void test_context(void **state) {
    (void)state;
    struct be_error error = {0};
    be_fail(&error, BE_DRIVER, "cause");
    assert_int_equal(be_context(&error, "inner %d", 1), BE_DRIVER);
    assert_int_equal(be_context(&error, "outer"), BE_DRIVER);
    assert_string_equal(error.text, "outer: inner 1: cause");
    assert_int_equal(be_context(NULL, "nobody listens"), BE_DRIVER);
}

/* Whatever the lengths: terminated, the context first, then as much of the cause as fits. */
static void test_context_cut(void **state) {
    (void)state;
    enum { CAPACITY = sizeof((struct be_error *)0)->text };
    struct {
        struct be_error error;
        char behind[8];
    } cut;
    char front[CAPACITY + 8];
    for (int length = CAPACITY - 20; length < CAPACITY + 4; length++) {
        memset(cut.behind, '#', sizeof cut.behind);
        memset(front, 'f', sizeof front);
        front[length] = '\0';
        be_fail(&cut.error, BE_IO, "the cause, which is long enough");
        assert_int_equal(be_context(&cut.error, "%s", front), BE_IO);
        size_t got = strlen(cut.error.text);
        assert_true(got < CAPACITY);
        assert_int_equal(strspn(cut.error.text, "f"),
                         length < CAPACITY - 1 ? length : CAPACITY - 1);
        if (length + 4 < CAPACITY) {
            assert_int_equal(got, CAPACITY - 1);
            assert_memory_equal(cut.error.text + length, ": t", 3);
        }
        assert_memory_equal(cut.behind, "########", sizeof cut.behind);
    }
}

static void test_copy_text(void **state) {
    (void)state;
    char to[4] = "###";
    be_copy_text(to, sizeof to, "abcdef");
    assert_string_equal(to, "abc");
    be_copy_text(to, sizeof to, "a");
    assert_string_equal(to, "a");
    be_copy_text(to, 1, "abc");
    assert_string_equal(to, "");
}

static void test_first_error(void **state) {
    (void)state;
    static const struct {
        const char *log, *expected;
    } sample[] = {
        {"a.cl:1: warning: w\na.cl:2:5: error: no such thing\n  x = y;\na.cl:3: error: b\n",
         "a.cl:2:5: error: no such thing   x = y; a.cl:3: error: b "},
        {"  \n only this", "only this"},
        {"", ""},
        {"\terror at once\r\n", "error at once  "},
    };
    char text[200];
    for (size_t i = 0; i < BE_COUNT(sample); i++) {
        be_first_error(sample[i].log, text, sizeof text);
        assert_string_equal(text, sample[i].expected);
    }
    be_first_error(sample[0].log, text, 8);
    assert_string_equal(text, "a.cl:2:");
}

static void test_status_names(void **state) {
    (void)state;
    for (int i = BE_OK; i <= BE_STOPPED; i++) {
        assert_string_not_equal(be_status_name((enum be_status)i), "unknown");
        for (int k = BE_OK; k < i; k++) {
            assert_string_not_equal(be_status_name((enum be_status)i),
                                    be_status_name((enum be_status)k));
        }
    }
    assert_string_equal(be_status_name((enum be_status)(BE_STOPPED + 1)), "unknown");
}

/* ---- copies --------------------------------------------------------------------------------- */

enum { PIECES_MAX = 3, CAPACITY = 2 << 20, GUARD = 128 };
static unsigned char source[CAPACITY], target[CAPACITY], expected[CAPACITY];

/* Every piece arrives whole, and nothing around it changes. */
static void check_copy(struct be_team *team, const size_t *bytes, int pieces, size_t shift,
                       int beyond_cache) {
    struct be_copy piece[PIECES_MAX];
    size_t at = GUARD + shift;
    size_t end = GUARD;
    for (int i = 0; i < pieces; i++) {
        end += bytes[i] + 2 * GUARD;
    }
    assert_true(pieces <= PIECES_MAX && end + GUARD <= CAPACITY && shift < GUARD);
    memset(target, 0xa5, end + GUARD);
    memset(expected, 0xa5, end + GUARD);
    for (int i = 0; i < pieces; i++) {
        piece[i] = (struct be_copy){.to = target + at,
                                    .from = source + at - 3 * shift / 2,
                                    .bytes = bytes[i],
                                    .beyond_cache = beyond_cache};
        memcpy(expected + at, piece[i].from, bytes[i]);
        at += bytes[i] + GUARD + shift / 2;
    }
    be_copy_pieces(team, piece, pieces);
    if (memcmp(target, expected, end + GUARD) != 0) {
        fail_msg("%d pieces, the first of %zu bytes, shift %zu, past the cache %d", pieces,
                 bytes[0], shift, beyond_cache);
    }
}

static void test_copies(void **state) {
    (void)state;
    static const size_t alone[] = {0,   1,   7,    63,    64,     65,     255,
                                   256, 257, 4097, 65537, 131071, 131073, 1000003};
    static const size_t several[][3] = {
        {1, 2, 3}, {0, 131072, 1}, {300000, 0, 77}, {54773, 219092, 1000001}, {65, 130, 255}};
    struct be_team *team = open_team(3);
    for (size_t i = 0; i < CAPACITY; i += sizeof(uint64_t)) {
        uint64_t bits = be_random_bits(5, i);
        memcpy(source + i, &bits, sizeof bits);
    }
    for (int beyond_cache = 0; beyond_cache <= 1; beyond_cache++) {
        for (size_t i = 0; i < BE_COUNT(alone); i++) {
            for (size_t shift = 0; shift < 70; shift += 23) {
                check_copy(team, &alone[i], 1, shift, beyond_cache);
            }
        }
        for (size_t i = 0; i < BE_COUNT(several); i++) {
            check_copy(team, several[i], 3, i * 5, beyond_cache);
        }
    }
    be_copy_pieces(team, NULL, 0);
    be_team_close(team);
}

/* ---- pages ---------------------------------------------------------------------------------- */

static void test_pages(void **state) {
    (void)state;
    static const size_t sizes_bytes[] = {0, 1, 4095, 4097, (4 << 20) - 1, 5 << 20};
    struct be_error error = {0};
    for (size_t i = 0; i < BE_COUNT(sizes_bytes); i++) {
        struct be_pages pages;
        assert_int_equal(be_pages_get(sizes_bytes[i], &pages, &error), BE_OK);
        assert_int_equal(pages.bytes, sizes_bytes[i]);
        assert_non_null(pages.memory);
        assert_int_equal((uintptr_t)pages.memory % 4096, 0);
        memset(pages.memory, 1, sizes_bytes[i]);
        be_pages_give_back(&pages);
        assert_null(pages.memory);
        be_pages_give_back(&pages);
    }
}

static void test_pages_absurd(void **state) {
    (void)state;
    static const size_t absurd[] = {(size_t)1 << 50, SIZE_MAX / 2};
    for (size_t i = 0; i < BE_COUNT(absurd); i++) {
        struct be_error error = {0};
        struct be_pages pages = {.memory = &error};
        assert_int_equal(be_pages_get(absurd[i], &pages, &error), BE_NOMEM);
        assert_null(pages.memory);
        char need[64];
        snprintf(need, sizeof need, "%.0f MB", (double)absurd[i] / 1e6);
        assert_non_null(strstr(error.text, need));
        double have = be_memory_available();
        assert_true(isnan(have) || (strstr(error.text, "needed") && strstr(error.text, "free")));
    }
}

/* ---- random numbers ------------------------------------------------------------------------- */

static void test_random(void **state) {
    (void)state;
    enum { COUNT = 200000 };
    double sum = 0;
    double squares = 0;
    double neighbours = 0; /* correlation of each with the next */
    double before = 0.5;
    for (uint64_t i = 0; i < COUNT; i++) {
        float value = be_random_float(17, i);
        assert_true(value >= 0 && value < 1);
        sum += (double)value;
        squares += (double)value * (double)value;
        neighbours += ((double)value - 0.5) * (before - 0.5);
        before = (double)value;
    }
    /* Standard error of the mean 6.5e-4, of the mean square 6.7e-4, of the product 1.9e-4. */
    assert_true(fabs(sum / COUNT - 0.5) < 4e-3);
    assert_true(fabs(squares / COUNT - 1.0 / 3) < 4e-3);
    assert_true(fabs(neighbours / COUNT) < 1.2e-3);
    assert_true(be_random_bits(1, 5) == be_random_bits(1, 5));
    int same = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        same += be_random_float(1, i) == be_random_float(2, i);
        same += be_random_float(1, i) == be_random_float(1, i + 1);
    }
    assert_true(same < 5);
}

struct drawn {
    float *value;
    size_t count;
};

static void draw_share(void *context, int member, int members) {
    const struct drawn *d = context;
    size_t first;
    size_t count;
    be_team_share(d->count, 1, member, members, &first, &count);
    for (size_t i = first; i < first + count; i++) {
        d->value[i] = be_random_float(9, i);
    }
}

/* The same numbers, whoever draws them. */
static void test_random_any_cut(void **state) {
    (void)state;
    enum { COUNT = 10007 };
    static float one[COUNT];
    static float many[COUNT];
    draw_share(&(struct drawn){one, COUNT}, 0, 1);
    struct be_team *team = open_team(7);
    be_team_run(team, draw_share, &(struct drawn){many, COUNT});
    be_team_close(team);
    assert_memory_equal(one, many, sizeof one);
}

/* ---- files ---------------------------------------------------------------------------------- */

/* A file that could not be looked for is not said to be absent. */
static void test_few_files(void **state) {
    (void)state;
    static const char *const file[] = {"libnowhere-at-all.so.1", NULL};
    const struct be_library library = {.what = "a library", .file = file};
    struct rlimit before, few;
    struct be_error error = {0};
    void *handle = NULL;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = (struct rlimit){.rlim_cur = 3, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    enum be_status status = be_dyn_open(&library, NULL, &handle, &error);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(status, BE_ABSENT);
    assert_non_null(strstr(error.text, "at most 3 files may be open here: `ulimit -n 1024`"));
    assert_int_equal(be_dyn_open(&library, NULL, &handle, &error), BE_ABSENT);
    assert_string_equal(error.text, "a library is not here (libnowhere-at-all.so.1)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quota_v2),
        cmocka_unit_test(test_quota_v1),
        cmocka_unit_test(test_min),
        cmocka_unit_test(test_cores_here),
        cmocka_unit_test(test_fail),
        cmocka_unit_test(test_context),
        cmocka_unit_test(test_context_cut),
        cmocka_unit_test(test_copy_text),
        cmocka_unit_test(test_first_error),
        cmocka_unit_test(test_status_names),

        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_pages),
        cmocka_unit_test(test_pages_absurd),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_random_any_cut),
        cmocka_unit_test(test_few_files),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
