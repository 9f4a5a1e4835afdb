/* The team: who is called, where, with what share; and that all meet. */
#include "team.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "host/team.h"

enum { MEMBERS_MAX = 64 };

static const int sizes[] = {1, 2, 3, 7, MEMBERS_MAX};
static cpu_set_t at_start; /* the affinity that the program was given */

struct tally {
    atomic_int wrong;
    int members;
    int calls[MEMBERS_MAX]; /* written by its member alone: races are TSan's to see */
    uint64_t sum[MEMBERS_MAX];
};

static void count_call(void *context, int member, int members) {
    struct tally *t = context;
    if (member < 0 || member >= members || members != t->members) {
        atomic_fetch_add(&t->wrong, 1);
        return;
    }
    t->calls[member]++;
}

static void add_member(void *context, int member, int members) {
    struct tally *t = context;
    (void)members;
    t->sum[member] += (uint64_t)member + 1;
}

static void test_team_each_once(void **state) {
    (void)state;
    for (size_t i = 0; i < BE_COUNT(sizes); i++) {
        struct be_team *team = open_team(sizes[i]);
        struct tally tally = {.members = sizes[i]};
        for (int round = 1; round <= 50; round++) {
            be_team_run(team, count_call, &tally);
            for (int member = 0; member < sizes[i]; member++) {
                assert_int_equal(tally.calls[member], round);
            }
        }
        assert_int_equal(atomic_load(&tally.wrong), 0);
        be_team_close(team);
    }
}

/* Work and context change from round to round: nobody runs yesterday's. */
static void test_team_many_rounds(void **state) {
    (void)state;
    enum { ROUNDS = 4000 };
    for (int threads = 1; threads <= 3; threads++) {
        struct be_team *team = open_team(threads);
        struct tally tally[3] = {{.members = threads}, {.members = threads}, {.members = threads}};
        int calls[3] = {0};
        int sums[3] = {0};
        for (int round = 0; round < ROUNDS; round++) {
            int at = (int)(be_random_bits(3, (uint64_t)round) % 3);
            bool call = be_random_bits(4, (uint64_t)round) % 2;
            be_team_run(team, call ? count_call : add_member, &tally[at]);
            calls[at] += call;
            sums[at] += !call;
        }
        for (int at = 0; at < 3; at++) {
            assert_int_equal(atomic_load(&tally[at].wrong), 0);
            for (int member = 0; member < threads; member++) {
                assert_int_equal(tally[at].calls[member], calls[at]);
                assert_int_equal(tally[at].sum[member], sums[at] * (member + 1));
            }
        }
        be_team_close(team);
    }
}

static void note_cpu(void *context, int member, int members) {
    (void)members;
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    ((int *)context)[member] = CPU_COUNT(&set);
}

static void test_team_affinity(void **state) {
    (void)state;
    cpu_set_t after;
    for (size_t i = 0; i < BE_COUNT(sizes); i++) {
        int allowed[MEMBERS_MAX] = {0};
        struct be_team *team = open_team(sizes[i]);
        be_team_run(team, note_cpu, allowed);
        for (int member = 0; member < sizes[i]; member++) {
            assert_int_equal(allowed[member], 1);
        }
        be_team_close(team);
        assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
        assert_true(CPU_EQUAL(&at_start, &after));
    }
    /* One inside another, as places open them: closed in reverse, nothing is lost. */
    struct be_team *outer = open_team(3);
    struct be_cores cores;
    assert_int_equal(be_cores_find(&cores, NULL), BE_OK);
    struct be_team *inner = NULL;
    assert_int_equal(be_team_open(&cores, 1, &inner, NULL), BE_OK);
    be_team_close(inner);
    be_team_close(outer);
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&at_start, &after));
}

static void test_team_bad_counts(void **state) {
    (void)state;
    struct be_cores cores;
    assert_int_equal(be_cores_find(&cores, NULL), BE_OK);
    static const int bad[] = {0, -1, BE_CORES_MAX + 1};
    for (size_t i = 0; i < BE_COUNT(bad); i++) {
        struct be_error error = {0};
        struct be_team *team = (struct be_team *)&error;
        assert_int_equal(be_team_open(&cores, bad[i], &team, &error), BE_USAGE);
        assert_null(team);
        assert_non_null(strstr(error.text, "1024"));
    }
    be_team_close(NULL);
}

static void test_shares(void **state) {
    (void)state;
    static const size_t items[] = {0, 1, 2, 63, 64, 65, 100, 1000, 54773, 1 << 20};
    static const size_t grains[] = {0, 1, 3, 64, 1000, 1 << 21};
    static const int members[] = {1, 2, 3, 7, 64, 1000};
    for (size_t i = 0; i < BE_COUNT(items); i++) {
        for (size_t g = 0; g < BE_COUNT(grains); g++) {
            for (size_t m = 0; m < BE_COUNT(members); m++) {
                size_t grain = grains[g] ? grains[g] : 1;
                size_t at = 0;
                size_t min = SIZE_MAX;
                size_t max = 0;
                for (int member = 0; member < members[m]; member++) {
                    size_t first;
                    size_t count;
                    be_team_share(items[i], grains[g], member, members[m], &first, &count);
                    assert_int_equal(first, at);
                    at += count;
                    assert_true(at == items[i] || at % grain == 0);
                    size_t blocks = (count + grain - 1) / grain;
                    min = blocks < min ? blocks : min;
                    max = blocks > max ? blocks : max;
                }
                assert_int_equal(at, items[i]);
                assert_true(max - min <= 1);
            }
        }
    }
}

/* ---- meetings ------------------------------------------------------------------------------- */

/* The work of a member lies in plain memory: that others may read it after a barrier, and write
 * there after the next barrier, is TSan's to see. */
struct relay {
    struct be_team *team;
    int rounds;
    bool late; /* members come at different times */
    atomic_int wrong;
    int done[MEMBERS_MAX];
    uint64_t sum[MEMBERS_MAX];
};

static void dawdle(int member, int round) {
    uint64_t spins = be_random_bits((uint64_t)member, (uint64_t)round) % 2000;
    for (volatile uint64_t i = 0; i < spins; i++) {
    }
}

/* Everyone writes, meets, reads what all others wrote, meets. */
static void run_relay(void *context, int member, int members) {
    struct relay *relay = context;
    for (int round = 1; round <= relay->rounds; round++) {
        if (relay->late) {
            dawdle(member, round);
        }
        relay->done[member]++;
        be_team_barrier(relay->team);
        for (int other = 0; other < members; other++) {
            if (relay->done[other] != relay->done[member]) {
                atomic_fetch_add(&relay->wrong, 1);
            }
            relay->sum[member] += (uint64_t)relay->done[other];
        }
        be_team_barrier(relay->team);
    }
}

static void check_relay(const struct relay *relay, int members, int rounds) {
    uint64_t all = (uint64_t)members * (uint64_t)rounds * (uint64_t)(rounds + 1) / 2;
    assert_int_equal(atomic_load(&relay->wrong), 0);
    for (int member = 0; member < members; member++) {
        assert_int_equal(relay->done[member], rounds);
        assert_int_equal(relay->sum[member], all);
    }
}

/* Many rounds; more members than cores get fewer, since each must wait for its turn. */
static int rounds_for(int members) {
    return members <= 3 ? 3000 : members <= 8 ? 200 : 20;
}

static void test_meet(void **state) {
    (void)state;
    for (size_t i = 0; i < BE_COUNT(sizes); i++) {
        for (int late = 0; late <= 1; late++) {
            struct be_team *team = open_team(sizes[i]);
            struct relay relay = {.team = team, .rounds = rounds_for(sizes[i]), .late = late};
            be_team_run(team, run_relay, &relay);
            check_relay(&relay, sizes[i], relay.rounds);
            be_team_close(team);
        }
    }
}

static void meet_once(void *context, int member, int members) {
    struct relay *relay = context;
    (void)members;
    relay->done[member]++;
    be_team_barrier(relay->team);
}

/* From one run to the next nothing is left over, whatever the number of meetings in it. */
static void test_meet_in_every_run(void **state) {
    (void)state;
    for (size_t i = 0; i < BE_COUNT(sizes); i++) {
        struct be_team *team = open_team(sizes[i]);
        struct relay one = {.team = team};
        struct relay two = {.team = team, .rounds = 1};
        int runs = rounds_for(sizes[i]);
        for (int run = 0; run < runs; run++) {
            be_team_run(team, meet_once, &one);
            if (run % 3 == 0) {
                be_team_run(team, run_relay, &two);
            }
        }
        for (int member = 0; member < sizes[i]; member++) {
            assert_int_equal(one.done[member], runs);
        }
        check_relay(&two, sizes[i], (runs + 2) / 3);
        be_team_close(team);
    }
}

/* A sum that each adds to in turn: with a meeting between two turns they do not overlap. */
static void add_in_turn(void *context, int member, int members) {
    struct relay *relay = context;
    for (int turn = 0; turn < members; turn++) {
        if (turn == member) {
            relay->sum[0] = relay->sum[0] * 3 + (uint64_t)member;
        }
        be_team_barrier(relay->team);
    }
}

static void test_meet_keeps_turns(void **state) {
    (void)state;
    for (size_t i = 0; i < BE_COUNT(sizes); i++) {
        struct be_team *team = open_team(sizes[i]);
        struct relay relay = {.team = team};
        uint64_t expected = 0;
        for (int run = 0; run < (sizes[i] <= 8 ? 5 : 1); run++) {
            be_team_run(team, add_in_turn, &relay);
            for (int member = 0; member < sizes[i]; member++) {
                expected = expected * 3 + (uint64_t)member;
            }
        }
        assert_true(relay.sum[0] == expected);
        be_team_close(team);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_team_each_once),
        cmocka_unit_test(test_team_many_rounds),
        cmocka_unit_test(test_team_affinity),
        cmocka_unit_test(test_team_bad_counts),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_meet),
        cmocka_unit_test(test_meet_in_every_run),
        cmocka_unit_test(test_meet_keeps_turns),
    };
    sched_getaffinity(0, sizeof at_start, &at_start);
    return cmocka_run_group_tests_name("team", tests, NULL, NULL);
}
