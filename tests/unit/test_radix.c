/*
 * The sort of a team, and what sorts a bucket in each instruction set, with keys of all kinds.
 *
 * TESTS=test_teams in the environment: only these.
 */
#include "team.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "host/team.h"
#include "workload/deal_simd.h"
#include "workload/sort/radix.h"
#include "workload/sort/radix_simd.h"

enum { KEYS_MAX = 500000, MANY_MAX = 1500000, MEMBERS_MAX = 3 };

static const size_t sizes[] = {1,   2,   15,  16,   17,   31,   33,    48,     49,     96,      97,
                               128, 129, 192, 193,  256,  257,  1009,  4096,   4097,   0,       511,
                               512, 513, 640, 2048, 8191, 8192, 65537, 180224, 180225, KEYS_MAX};

/* From BITS on: random in the lowest bits, as many as it is above BITS, the others the same. */
enum kind {
    RANDOM,
    RISING,
    FALLING,
    EQUAL,
    LARGEST,
    FEW,
    ONE_BUCKET,
    SAW,
    PATTERNS,
    COMB, /* even by their highest bits, not by the others */
    BITS,
    KINDS = BITS + 32
};

static uint32_t key_of(enum kind kind, size_t i, size_t n) {
    /* The bits of special floats: 0 and -0, the least denormals, infinities, NaN of all kinds. */
    static const uint32_t pattern[] = {0,           0x80000000U, 1,           0x80000001U,
                                       0x7f800000U, 0xff800000U, 0x7fc00000U, 0xffffffffU};
    uint32_t any = (uint32_t)(be_random_bits(5, i) >> 32);
    switch (kind) {
    case RISING:
        return (uint32_t)i;
    case FALLING:
        return (uint32_t)(n - i) << 8;
    case EQUAL:
        return 77;
    case LARGEST:
        return UINT32_MAX - any % 2;
    case FEW:
        return any & 0x80000003U;
    case ONE_BUCKET:
        return any & 0xfffffU;
    case SAW:
        return (uint32_t)(i % 16) << 28 | (uint32_t)i;
    case PATTERNS:
        return pattern[any % BE_COUNT(pattern)];
    case COMB:
        return any & 0xfe0000ffU;
    case RANDOM:
        return any;
    default:
        return 0xabcdef01U << (kind - BITS) | (any & ((1U << (kind - BITS)) - 1));
    }
}

static int by_value(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

struct keys {
    uint32_t *given, *wanted, *sorted, *capacity;
};

static uint32_t *some_keys(size_t n) {
    uint32_t *keys = aligned_alloc(64, (n * sizeof *keys + 127) / 64 * 64); /* and one behind */
    assert_non_null(keys);
    return keys;
}

static void make(struct keys *k, enum kind kind, size_t n) {
    for (size_t i = 0; i < n; i++) {
        k->given[i] = key_of(kind, i, n);
    }
    memcpy(k->wanted, k->given, n * sizeof *k->given);
    qsort(k->wanted, n, sizeof *k->wanted, by_value);
}

static int open_keys(void **state) {
    static struct keys keys;
    keys = (struct keys){some_keys(KEYS_MAX), some_keys(KEYS_MAX), some_keys(KEYS_MAX / 3 * 4),
                         some_keys(KEYS_MAX)};
    *state = &keys;
    return 0;
}

static int close_keys(void **state) {
    struct keys *k = *state;
    free(k->given);
    free(k->wanted);
    free(k->sorted);
    free(k->capacity);
    return 0;
}

/* Beside the keys, in their place, a little before it, and with AVX-512 with little room. */
static void check_bucket(be_sort_type *sort, struct keys *k, size_t n, int bits, bool little) {
    memset(k->sorted, 0, n * sizeof *k->sorted);
    sort(k->given, k->sorted, n, bits, k->capacity, KEYS_MAX);
    assert_memory_equal(k->sorted, k->wanted, n * sizeof *k->sorted);
    memcpy(k->sorted, k->given, n * sizeof *k->sorted);
    sort(k->sorted, k->sorted, n, bits, k->capacity, KEYS_MAX);
    assert_memory_equal(k->sorted, k->wanted, n * sizeof *k->sorted);
    const size_t before = n / 3;
    memcpy(k->sorted + before, k->given, n * sizeof *k->sorted);
    sort(k->sorted + before, k->sorted, n, bits, k->capacity, KEYS_MAX);
    assert_memory_equal(k->sorted, k->wanted, n * sizeof *k->sorted);
    for (size_t capacity_for = 0; little && capacity_for < 10000; capacity_for += 5000) {
        memcpy(k->sorted + before, k->given, n * sizeof *k->sorted);
        sort(k->sorted + before, k->sorted, n, bits, k->capacity, capacity_for);
        assert_memory_equal(k->sorted, k->wanted, n * sizeof *k->sorted);
        memset(k->sorted, 0, n * sizeof *k->sorted);
        sort(k->given, k->sorted, n, bits, k->capacity, capacity_for);
        assert_memory_equal(k->sorted, k->wanted, n * sizeof *k->sorted);
    }
}

static void test_bucket(void **state) {
    be_sort_type *const sort[] = {
        be_sort_run_plain,
#if defined(__x86_64__)
        be_simd_here() >= BE_SIMD_V3 ? be_sort_run_v3 : NULL,
        be_simd_here() >= BE_SIMD_V4 ? be_sort_run_v4 : NULL,
#endif
    };
    for (enum kind kind = RANDOM; kind < KINDS; kind++) {
        for (size_t i = 0; i < BE_COUNT(sizes) - 1; i++) {
            if (kind >= BITS && sizes[i] > 10000) {
                continue;
            }
            make(*state, kind, sizes[i]);
            for (size_t s = 0; s < BE_COUNT(sort); s++) {
                if (sort[s]) {
                    check_bucket(sort[s], *state, sizes[i], kind < BITS ? 32 : (int)(kind - BITS),
                                 s == BE_SIMD_V4);
                }
            }
        }
    }
}

/* In two deals, as two members do it, the first of them ends anywhere. */
static void check_deal(be_deal_count_type *count, be_deal_type *run, struct keys *k, size_t n,
                       int shift, bool stream) {
    static uint32_t counts[2][BE_DEAL_BUCKETS_MAX];
    static uint32_t place[2][BE_DEAL_BUCKETS_MAX];
    const size_t first[] = {0, n / 3, n};
    const uint32_t outside = 0x5eed5eed;
    struct be_deal deal[2];
    uint32_t before = 0;
    for (int m = 0; m < 2; m++) {
        deal[m] = (struct be_deal){.keys = k->given + first[m],
                                   .n = first[m + 1] - first[m],
                                   .shift = shift,
                                   .buckets = 1 << (32 - shift),
                                   .place = place[m],
                                   .sorted = k->sorted,
                                   .stream = stream};
        count(&deal[m], counts[m]);
    }
    for (int b = 0; b < 1 << (32 - shift); b++) {
        for (int m = 0; m < 2; m++) {
            place[m][b] = before;
            before += counts[m][b];
        }
    }
    assert_int_equal(before, n);
    k->sorted[n] = outside;
    run(&deal[1]);
    run(&deal[0]);
    assert_int_equal(k->sorted[n], outside);
    for (size_t i = 1; i < n; i++) {
        assert_true(k->sorted[i - 1] >> shift <= k->sorted[i] >> shift);
    }
    qsort(k->sorted, n, sizeof *k->sorted, by_value);
    assert_memory_equal(k->sorted, k->wanted, n * sizeof *k->sorted);
}

static void test_deal(void **state) {
    static const struct {
        be_deal_count_type *count;
        be_deal_type *run;
        enum be_simd needs;
    } deal[] = {
        {be_deal_count_run_plain, be_deal_run_plain, BE_SIMD_PLAIN},
#if defined(__x86_64__)
        {be_deal_count_run_v3, be_deal_run_v3, BE_SIMD_V3},
        {be_deal_count_run_v4, be_deal_run_v4, BE_SIMD_V4},
#endif
    };
    static const int shift[] = {31, 27, 24, 23, 21}; /* 2 to 2048 buckets, short and long buffers */
    for (enum kind kind = RANDOM; kind < BITS; kind++) {
        for (size_t i = 0; i < BE_COUNT(sizes); i++) {
            make(*state, kind, sizes[i]);
            for (size_t d = 0; d < BE_COUNT(deal) && sizes[i] <= 10000; d++) {
                for (size_t s = 0; s < BE_COUNT(shift) && be_simd_here() >= deal[d].needs; s++) {
                    check_deal(deal[d].count, deal[d].run, *state, sizes[i], shift[s], s % 2 == 0);
                }
            }
        }
    }
}

/* Whether no bucket has more keys than it has room for; then all are there, in order of buckets. Through
 * the caches it may want some room besides. */
static void check_deal_evenly(be_deal_even_type *run, const struct keys *k, size_t n, int shift,
                              size_t capacity, bool stream) {
    static size_t count[BE_DEAL_BUCKETS_MAX];
    static struct be_deal_place place[BE_DEAL_BUCKETS_MAX];
    const uint32_t outside = 0x5eed5eed;
    const size_t buckets = (size_t)1 << (32 - shift);
    const size_t end = buckets * capacity + (stream ? 0 : BE_DEAL_OVER);
    const struct be_deal_even deal = {.keys = k->given,
                                      .n = n,
                                      .shift = shift,
                                      .buckets = (int)buckets,
                                      .place = place,
                                      .stream = stream};
    uint32_t *sorted = some_keys(end);
    size_t max = 0;
    memset(count, 0, sizeof count);
    memset(sorted, 0, end * sizeof *sorted);
    sorted[end] = outside;
    for (size_t i = 0; i < n; i++) {
        size_t here = ++count[k->given[i] >> shift];
        max = here > max ? here : max;
    }
    for (size_t b = 0; b < buckets; b++) {
        place[b] = (struct be_deal_place){sorted + b * capacity, sorted + (b + 1) * capacity};
    }
    bool fits = run(&deal);
    if (stream || max > capacity || capacity - max >= BE_DEAL_LINE) {
        assert_int_equal(fits, max <= capacity);
    }
    assert_int_equal(sorted[end], outside);
    size_t dealt = 0;
    for (size_t b = 0; fits && b < buckets; b++) {
        uint32_t *begin = sorted + b * capacity;
        assert_ptr_equal(place[b].next, begin + count[b]);
        qsort(begin, count[b], sizeof *begin, by_value);
        assert_memory_equal(begin, k->wanted + dealt, count[b] * sizeof *begin);
        dealt += count[b];
    }
    free(sorted);
}

static void test_deal_evenly(void **state) {
    static const struct {
        be_deal_even_type *run;
        enum be_simd needs;
    } deal[] = {
        {be_deal_even_run_plain, BE_SIMD_PLAIN},
#if defined(__x86_64__)
        {be_deal_even_run_v3, BE_SIMD_V3},
        {be_deal_even_run_v4, BE_SIMD_V4},
#endif
    };
    static const size_t size[] = {1, 63, 64, 65, 256, 1009, 2048, 4097, 8192};
    static const int shift[] = {31, 29, 28, 23}; /* few buckets and many */
    static const size_t capacity[] = {64, 128, 4096, 8192};
    for (enum kind kind = RANDOM; kind < BITS; kind++) {
        for (size_t i = 0; i < BE_COUNT(size); i++) {
            make(*state, kind, size[i]);
            for (size_t d = 0; d < BE_COUNT(deal) * BE_COUNT(shift) * BE_COUNT(capacity); d++) {
                size_t which = d / BE_COUNT(shift) / BE_COUNT(capacity);
                if (be_simd_here() >= deal[which].needs) {
                    for (int stream = 0; stream < 2; stream++) {
                        check_deal_evenly(deal[which].run, *state, size[i],
                                          shift[d / BE_COUNT(capacity) % BE_COUNT(shift)],
                                          capacity[d % BE_COUNT(capacity)], stream);
                    }
                }
            }
        }
    }
}

static void sort_share(void *context, int member, int members) {
    struct be_radix radix = *(const struct be_radix *)context;
    radix.member = member;
    radix.members = members;
    be_radix_sort(&radix);
}

static void check_team(struct be_team *team, const struct keys *k, size_t n, bool beyond_cache) {
    size_t bytes = be_radix_scratch(n, be_team_size(team));
    struct be_radix radix = {.keys = k->given,
                             .sorted = k->sorted,
                             .n = n,
                             .scratch = aligned_alloc(64, (bytes + 63) / 64 * 64),
                             .team = team,
                             .beyond_cache = beyond_cache};
    assert_non_null(radix.scratch);
    memset(k->sorted, 0, n * sizeof *k->sorted);
    be_team_run(team, sort_share, &radix);
    assert_memory_equal(k->sorted, k->wanted, n * sizeof *k->sorted);
    free(radix.scratch);
}

static void test_teams(void **state) {
    for (int members = 1; members <= MEMBERS_MAX; members++) {
        struct be_team *team = open_team(members);
        for (enum kind kind = RANDOM; kind < BITS; kind++) {
            for (size_t i = 0; i < BE_COUNT(sizes); i++) {
                if (sizes[i] > 0) {
                    make(*state, kind, sizes[i]);
                    check_team(team, *state, sizes[i], i % 2 == 0);
                }
            }
        }
        be_team_close(team);
    }
}

/* As many as one member alone spreads, deals to few buckets, and deals to many. */
static void test_many(void **state) {
    static const size_t many[] = {125000, 900000, MANY_MAX};
    static const enum kind kind[] = {RANDOM, ONE_BUCKET, COMB};
    struct be_team *team = open_team(1);
    struct keys keys = {some_keys(MANY_MAX), some_keys(MANY_MAX), some_keys(MANY_MAX), NULL};
    (void)state;
    for (size_t i = 0; i < BE_COUNT(many) * BE_COUNT(kind); i++) {
        size_t n = many[i / BE_COUNT(kind)];
        make(&keys, kind[i % BE_COUNT(kind)], n);
        check_team(team, &keys, n, i % 2 == 0);
    }
    be_team_close(team);
    free(keys.given);
    free(keys.wanted);
    free(keys.sorted);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bucket),      cmocka_unit_test(test_deal),
        cmocka_unit_test(test_deal_evenly), cmocka_unit_test(test_teams),
        cmocka_unit_test(test_many),
    };
    cmocka_set_test_filter(getenv("TESTS"));
    return cmocka_run_group_tests(tests, open_keys, close_keys);
}
