/* All cases of one size, checked and then sampled in interleaved rounds. */
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "bench/size_run.h"

/* One call of the slowest way must not cost more than all the rest together. */
static void drop_slow(struct be_size_run *run) {
    const struct be_session *session = run->session;
    for (int i = 0; i < run->cases; i++) {
        struct be_case *c = &run->c[i];
        double seconds = be_session_foreseen(session, &c->result);
        if (c->result.status == BE_RESULT_OK && seconds > session->patience_s) {
            char text[BE_NOTE];
            snprintf(text, sizeof text,
                     "a call may take %.2g s, after smaller sizes: more than %.2g s", seconds,
                     session->patience_s);
            be_case_fail(c, BE_RESULT_SKIPPED, text);
        }
    }
}

static void check_all(struct be_size_run *run) {
    struct be_session *session = run->session;
    for (int i = 0; i < run->cases; i++) {
        struct be_case *c = &run->c[i];
        if (c->result.status != BE_RESULT_OK || be_session_cancelled(session) ||
            !be_due_goes_on(&session->due, be_now(&session->clock))) {
            continue;
        }
        struct be_error error = {0};
        be_session_progress(session, c, "");
        be_case_check(c, &session->clock);
        if (c->result.status == BE_RESULT_OK) {
            be_session_draw(session, c);
        }
        if (c->result.status == BE_RESULT_OK &&
            be_case_calibrate(c, &session->clock, &error) != BE_OK) {
            be_case_fail(c, BE_RESULT_FAILED, error.text);
        }
    }
    /* Some ways of a size without the others would be no answer: all are given up. */
    for (int i = 0; session->due.over && i < run->cases; i++) {
        if (run->c[i].result.status == BE_RESULT_OK) {
            be_case_fail(&run->c[i], BE_RESULT_SKIPPED, "no time was left for this size");
        }
    }
}

/* Each case gets its usual time or its share of what is left, a part of which the phases need. */
static double share_out(struct be_size_run *run, struct be_stop_rule *rule) {
    const double for_samples = 0.6, worth_a_word = 0.5;
    struct be_session *session = run->session;
    const double now_s = be_now(&session->clock);
    const double until_s = be_due_share(now_s, session->due.size_s, for_samples, 1);
    int cases = 0;
    for (int i = 0; i < run->cases; i++) {
        cases += run->c[i].stop == BE_STOP_NONE;
    }
    *rule = session->rule;
    rule->budget_s = be_due_budget(now_s, until_s, cases, session->rule.budget_s);
    session->due.brief |= cases > 0 && rule->budget_s < worth_a_word * session->rule.budget_s;
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
static void stop_over(struct be_size_run *run, double until_s) {
    const double now_s = be_now(&run->session->clock);
    const double least_s = be_due_budget(now_s, now_s, 1, run->session->rule.budget_s);
    for (int i = 0; now_s >= until_s && i < run->cases; i++) {
        if (run->c[i].stop == BE_STOP_NONE && run->c[i].spent_s >= least_s &&
            run->c[i].total.count >= BE_SAMPLES_FEWEST) {
            run->c[i].stop = BE_STOP_BUDGET;
            run->session->due.brief = true;
        }
    }
}

/* A B C C B A: what drifts, drifts for all, and who comes after whom changes. */
static void sample_all(struct be_size_run *run, int *order, struct be_stop_rule *rule) {
    struct be_session *session = run->session;
    const double until_s = share_out(run, rule);
    bool more = true;
    for (uint64_t round = 0; more && !be_session_cancelled(session); round++) {
        more = false;
        if (session->options->shuffle) {
            shuffle(order, run->cases, session->environment.seed, round);
        }
        for (int i = 0; i < run->cases; i++) {
            bool back = round % 2 != 0 && !session->options->shuffle;
            struct be_case *c = &run->c[order[back ? run->cases - 1 - i : i]];
            if (c->stop != BE_STOP_NONE || be_session_cancelled(session)) {
                continue;
            }
            be_session_progress(session, c, "");
            be_case_sample(c, &session->clock, rule);
            more |= c->stop == BE_STOP_NONE;
        }
        stop_over(run, until_s);
    }
    for (int i = 0; i < run->cases; i++) {
        run->c[i].stop = run->c[i].stop == BE_STOP_NONE ? BE_STOP_CANCELLED : run->c[i].stop;
    }
}

/* The published way of timing, once, where the options ask for it. */
static enum be_status add_as_published(struct be_size_run *run, struct be_error *error) {
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < run->cases; i++) {
        struct be_case *c = &run->c[i];
        if (c->variant == 0 && c->result.placement == BE_RESIDENT && c->result.cache != BE_COLD &&
            c->result.status == BE_RESULT_OK) {
            struct be_result result;
            be_case_as_published(c, &run->session->clock, &result);
            status = be_session_keep(run->session, &result, NULL, error);
        }
    }
    return status;
}

static enum be_status measure(struct be_size_run *run, struct be_error *error) {
    struct be_session *session = run->session;
    struct be_stop_rule rule;
    enum be_status status = BE_OK;
    int *order = calloc((size_t)run->cases + 1, sizeof *order);
    if (!order) {
        return be_fail(error, BE_NOMEM, "no host memory for %d cases", run->cases);
    }
    for (int i = 0; i < run->cases; i++) {
        order[i] = i;
    }
    drop_slow(run);
    check_all(run);
    sample_all(run, order, &rule);
    free(order);
    for (int i = 0; i < run->cases; i++) {
        be_case_finish(&run->c[i], &session->clock, &rule, be_session_cancelled(session));
    }
    if (session->options->show_async && run->filter->place < 0) {
        status = add_as_published(run, error);
    }
    be_session_energy(session, run->c, run->cases, run->filter->no_energy);
    for (int i = 0; status == BE_OK && i < run->cases; i++) {
        status = be_session_keep(session, &run->c[i].result, &run->c[i].total, error);
        session->done++;
        session->left -= session->left > 0;
    }
    return status;
}

enum be_status be_session_measure(struct be_session *session, const struct be_problem *problem,
                                  const struct be_filter *filter, struct be_error *error) {
    struct be_size_run *run;
    session->run++;
    enum be_status status = be_size_run_open(session, problem, filter, &run, error);
    if (status == BE_OK) {
        status = measure(run, error);
    } else if (status == BE_NOMEM) { /* memory went meanwhile: the other sizes are worth keeping */
        be_session_remark(session, "left out: %.250s", error ? error->text : "no memory");
        status = BE_OK;
    }
    be_size_run_close(run);
    return status;
}
