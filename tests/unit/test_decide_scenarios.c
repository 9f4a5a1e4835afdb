/*
 * Scenarios of which somebody knows the answer: the place that is first, and the true reason, as the sentence has it. Some
 * have the same answer if waits are ignored, in others the wait decides, others are too close to call. Times are hours.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "breakeven_decide.h"
#include "report/decide/decide.h"

enum { PLACES = 3 };
enum wait { KNOWN, UNKNOWN, HERE };
enum role { WAIT_IS_IGNORED, WAIT_DECIDES, CLOSE, OTHER };

/* A wait that is even from lo to hi; a time with its interval of 90 %. */
struct made {
    const char *name;
    int gpus;
    enum wait wait;
    double wait_lo, wait_hi, lo, typical, hi;
};

static const struct scenario {
    const char *what;
    enum role role;
    struct made place[PLACES];
    double deadline;
    const char *first; /* NULL: too close to call */
    enum be_decide_reason reason;
    const char *says; /* as a shell matches names: medians are of draws */
} scenarios[] = {
    {"an empty cluster, and a GPU that is 30 times as fast",
     WAIT_IS_IGNORED,
     {{"1 a100", 1, KNOWN, 0, 0.1, 0.7, 1, 1.5}, {"64 cores", 0, KNOWN, 0, 0.1, 25, 30, 40}},
     0,
     "1 a100",
     BE_REASON_COMPUTES,
     "it computes [23][09].? x as fast as 64 cores on there, and waits no longer"},
    {"a GPU that waits an hour for days of work",
     WAIT_IS_IGNORED,
     {{"1 a100", 1, KNOWN, 0.5, 1.5, 2, 3, 4}, {"64 cores", 0, KNOWN, 0, 0.2, 40, 50, 70}},
     0,
     "1 a100",
     BE_REASON_DESPITE,
     "it waits * in the median, but computes 16.? x as fast as 64 cores"},
    {"work in a row, which a GPU does slower",
     WAIT_IS_IGNORED,
     {{"1 a100", 1, KNOWN, 1, 3, 8, 10, 13}, {"1 core", 0, KNOWN, 0, 0.5, 1.8, 2, 2.3}},
     0,
     "1 core",
     BE_REASON_COMPUTES,
     "it computes [45].?? x as fast as 1 a100 on there, and waits no longer"},
    {"copies over the bus eat the gain",
     WAIT_IS_IGNORED,
     {{"1 t4", 1, KNOWN, 0, 0.2, 3, 4, 5}, {"16 cores", 0, KNOWN, 0, 0.2, 1.3, 1.5, 1.8}},
     0,
     "16 cores",
     BE_REASON_COMPUTES,
     "as fast as 1 t4 on there"},
    {"the GPU is 30 times as fast and waits six hours for three hours of work",
     WAIT_DECIDES,
     {{"1 a100", 1, KNOWN, 5, 7, 0.08, 0.1, 0.13}, {"64 cores", 0, KNOWN, 0, 0.1, 2.7, 3, 3.4}},
     0,
     "64 cores",
     BE_REASON_WAITS,
     "1 a100 on there computes [23][09].? x as fast, but waits [56].? h in the median. With more "
     "than"},
    {"a laptop now, or a cluster tomorrow",
     WAIT_DECIDES,
     {{"2 cores", 0, HERE, 0, 0, 4, 5, 6}, {"1 h100", 1, KNOWN, 10, 20, 0.1, 0.2, 0.3}},
     0,
     "2 cores",
     BE_REASON_WAITS,
     "1 h100 on there computes 2[45].? x as fast, but waits 1[45].? h"},
    {"a slice that is free before the whole GPU is",
     WAIT_DECIDES,
     {{"1 a100", 1, KNOWN, 8, 12, 0.9, 1, 1.2}, {"1 a100_3g.20gb", 1, KNOWN, 0, 0.5, 1.5, 2, 2.6}},
     0,
     "1 a100_3g.20gb",
     BE_REASON_WAITS,
     "1 a100 on there computes [12].?? x as fast, but waits ?*h"},
    {"four GPUs wait longer than one",
     WAIT_DECIDES,
     {{"4 a100", 4, KNOWN, 20, 28, 2.4, 3, 4}, {"1 a100", 1, KNOWN, 1, 3, 9, 10, 12}},
     0,
     "1 a100",
     BE_REASON_WAITS,
     "4 a100 on there computes 3.3? x as fast, but waits 2[34].? h"},
    {"a node is free now, sixteen not before tomorrow",
     WAIT_DECIDES,
     {{"16 x 64 cores", 0, KNOWN, 24, 36, 0.5, 0.7, 1}, {"64 cores", 0, KNOWN, 0, 1, 7, 8, 10}},
     0,
     "64 cores",
     BE_REASON_WAITS,
     "16 x 64 cores on there computes 11.? x as fast, but waits [23][09].? h"},
    {"a deadline that the quicker place meets by luck",
     OTHER,
     {{"1 a100", 1, KNOWN, 0, 24, 0.01, 0.02, 0.03},
      {"64 cores", 0, KNOWN, 0, 0.1, 12.5, 13, 13.4}},
     14,
     "64 cores",
     BE_REASON_DEADLINE,
     "in the median 1 a100 on there is done sooner, but the deadline is met less surely"},
    {"two places alike",
     CLOSE,
     {{"1 a100", 1, KNOWN, 0, 4, 0.9, 1, 1.2}, {"64 cores", 0, KNOWN, 0, 4, 0.9, 1.05, 1.2}},
     0,
     NULL,
     BE_REASON_CLOSE,
     "Too close to call: 1 a100 on there and 64 cores on there"},
    {"nobody knows how fast the version for GPUs is",
     CLOSE,
     {{"1 a100", 1, KNOWN, 0, 0.1, 0.25, 2, 16}, {"64 cores", 0, KNOWN, 0, 0.1, 1.8, 2.1, 2.5}},
     0,
     NULL,
     BE_REASON_CLOSE,
     "Each is done first about as often as the other"},
    {"a queue of which anything can come",
     CLOSE,
     {{"1 a100", 1, KNOWN, 0, 20, 0.9, 1, 1.2}, {"64 cores", 0, HERE, 0, 0, 10, 11, 12}},
     0,
     NULL,
     BE_REASON_CLOSE,
     "Too close to call"},
    {"no accounting",
     OTHER,
     {{"1 a100", 1, UNKNOWN, 0, 0, 0.9, 1, 1.2}, {"64 cores", 0, UNKNOWN, 0, 0, 25, 30, 40}},
     0,
     "1 a100",
     BE_REASON_NO_WAITS,
     "if nothing waits: it computes [23][09].? x as fast as 64 cores on there. It stays first "
     "while it "
     "waits at most 2[89].? h longer"},
    {"one wait is not known",
     OTHER,
     {{"64 cores", 0, KNOWN, 0, 0.1, 4.5, 5, 5.6},
      {"16 cores", 0, KNOWN, 0, 0.1, 18, 20, 22},
      {"1 a100", 1, UNKNOWN, 0, 0, 0.09, 0.1, 0.12}},
     0,
     "64 cores",
     BE_REASON_COMPUTES,
     "1 a100 on there, whose wait is not known, would be first if it waited less than"},
};

static void fill(const struct scenario *s, bool with_waits, struct be_decide_place *place,
                 struct be_wait_odds *odds, int *places) {
    const double hour_s = 3600;
    for (*places = 0; *places < PLACES && s->place[*places].name; (*places)++) {
        const struct made *made = &s->place[*places];
        struct be_decide_place *p = &place[*places];
        *p = (struct be_decide_place){
            .gpus = made->gpus,
            .cores = 1,
            .gpu_share = 1,
            .basis = made->gpus ? BE_BASIS_GPU : BE_BASIS_CPU,
            .here = made->wait == HERE && with_waits,
            .compute = {made->lo * hour_s, made->typical * hour_s, made->hi * hour_s},
            .charge = NAN,
            .limit_s = NAN};
        be_copy_text(p->name, sizeof p->name, made->name);
        be_copy_text(p->where, sizeof p->where, "there");
        be_copy_text(p->partition, sizeof p->partition, made->name); /* queues of their own */
        for (int i = 0; i < BE_ODDS_POINTS; i++) {
            odds[*places].wait_s[i] = hour_s * (made->wait_lo + (made->wait_hi - made->wait_lo) *
                                                                    i / (BE_ODDS_POINTS - 1));
        }
        p->wait = made->wait == KNOWN && with_waits ? &odds[*places] : NULL;
    }
}

static void judge(const struct scenario *s, bool with_waits, struct be_decision *decision,
                  struct be_text *sentence) {
    struct be_decide_place place[PLACES];
    struct be_wait_odds odds[PLACES];
    struct be_error error = {0};
    int places = 0;
    fill(s, with_waits, place, odds, &places);
    assert_int_equal(
        be_decide(place, places, with_waits ? s->deadline * 3600 : NAN, decision, &error), BE_OK);
    const struct be_decide_table table = {.place = place, .decision = *decision};
    be_decide_sentence(&table, sentence);
}

static void right_place_for_the_true_reason(void **state) {
    (void)state;
    int of_role[OTHER + 1] = {0};
    for (size_t i = 0; i < BE_COUNT(scenarios); i++) {
        const struct scenario *s = &scenarios[i];
        struct be_decision with, without;
        struct be_text sentence = {0}, other = {0};
        judge(s, true, &with, &sentence);
        judge(s, false, &without, &other);
        const char *first = s->place[with.row[0].place].name;
        if (with.reason != s->reason || (s->first && strcmp(first, s->first) != 0)) {
            fail_msg("%s: reason %d, first is %s", s->what, (int)with.reason, first);
        }
        char pattern[BE_NOTE];
        snprintf(pattern, sizeof pattern, "*%s*", s->says);
        if (fnmatch(pattern, sentence.data, 0) != 0) {
            fail_msg("%s: \"%s\" does not say \"%s\"", s->what, sentence.data, s->says);
        }
        const bool same = with.row[0].place == without.row[0].place;
        if ((s->role == WAIT_IS_IGNORED && !same) || (s->role == WAIT_DECIDES && same)) {
            fail_msg("%s: without waits the same place is %sfirst", s->what, same ? "" : "not ");
        }
        of_role[s->role]++;
        be_text_free(&sentence);
        be_text_free(&other);
    }
    assert_true(of_role[WAIT_IS_IGNORED] >= 2 && of_role[WAIT_DECIDES] >= 4 && of_role[CLOSE] >= 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_place_for_the_true_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
