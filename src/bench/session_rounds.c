/* Samples of all cases of one size, in interleaved rounds. */
#include <math.h>

#include "base/random.h"
#include "bench/session.h"

/* The cases of a size and how their samples are taken. */
struct rounds {
    struct be_session *session;
    struct be_case *c;
    int cases;
    int *order;
    struct be_stop_rule *rule;
};

/* On a shared machine a ceiling may have been measured in a bad moment: so often it is measured
 * again before a result is called impossible. */
enum { DOUBTS = 5 };

/* Each case gets its usual time or its share of what is left, a part of which the phases need. */
static double share_out(const struct rounds *rounds) {
    const double for_samples = 0.6, worth_a_word = 0.5;
    struct be_session *session = rounds->session;
    const double now_s = be_now(&session->run.clock);
    const double until_s = be_due_share(now_s, session->record.due.size_s, for_samples, 1);
    int cases = 0;
    for (int i = 0; i < rounds->cases; i++) {
        cases += rounds->c[i].stop == BE_STOP_NONE;
    }
    *rounds->rule = session->plan.rule;
    rounds->rule->budget_s = be_due_budget(now_s, until_s, cases, session->plan.rule.budget_s);
    session->record.due.brief |=
        cases > 0 && rounds->rule->budget_s < worth_a_word * session->plan.rule.budget_s;
    return until_s;
}

static void shuffle(int *order, int count, uint64_t seed, uint64_t round) {
    for (int i = count - 1; i > 0; i--) {
        uint64_t bits = be_random_bits(seed, round * 1024 + (uint64_t)i);
        int j = (int)(bits % ((uint64_t)i + 1));
        int kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

/* After whole rounds, so that all have the same, and not before each had the least. */
static void stop_over(const struct rounds *rounds, double until_s) {
    struct be_session *session = rounds->session;
    const double now_s = be_now(&session->run.clock);
    const double min_s = be_due_budget(now_s, now_s, 1, session->plan.rule.budget_s);
    for (int i = 0; now_s >= until_s && i < rounds->cases; i++) {
        struct be_case *c = &rounds->c[i];
        if (c->stop == BE_STOP_NONE && c->spent_s >= min_s && c->total.count >= BE_SAMPLES_FEWEST) {
            c->stop = BE_STOP_BUDGET;
            session->record.due.brief = true;
        }
    }
}

/* A B C C B A: what drifts, drifts for all, and who comes after whom changes. */
static void sample_all(const struct rounds *rounds) {
    struct be_session *session = rounds->session;
    const double until_s = share_out(rounds);
    bool more = true;
    for (uint64_t round = 0; more && !be_session_cancelled(session); round++) {
        more = false;
        if (session->plan.options->shuffle) {
            shuffle(rounds->order, rounds->cases, session->run.environment.seed, round);
        }
        for (int i = 0; i < rounds->cases; i++) {
            bool back = round % 2 != 0 && !session->plan.options->shuffle;
            struct be_case *c = &rounds->c[rounds->order[back ? rounds->cases - 1 - i : i]];
            if (c->stop != BE_STOP_NONE || be_session_cancelled(session)) {
                continue;
            }
            be_session_progress(session, c, "");
            be_case_sample(c, &session->run.clock, rounds->rule);
            more |= c->stop == BE_STOP_NONE;
        }
        stop_over(rounds, until_s);
    }
    for (int i = 0; i < rounds->cases; i++) {
        struct be_case *c = &rounds->c[i];
        c->stop = c->stop == BE_STOP_NONE ? BE_STOP_CANCELLED : c->stop;
    }
}

void be_session_sample(struct be_session *session, struct be_case *c, int cases, int *order,
                       struct be_stop_rule *rule) {
    const struct rounds rounds = {session, c, cases, order, rule};
    sample_all(&rounds);
    /* Doubts take time from the workload, and only the first time from others. */
    bool time = true;
    for (int i = 0;
         i < DOUBTS && time && !be_session_cancelled(session) && be_cases_doubted(c, cases); i++) {
        sample_all(&rounds);
        time = be_now(&session->run.clock) < session->record.due.workload_s;
    }
}
