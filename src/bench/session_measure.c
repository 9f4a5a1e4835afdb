/* All cases of one size: checked, sampled, kept. */
#include <stdlib.h>

#include "base/error.h"
#include "bench/size_run.h"

/* One call of the slowest way must not cost more than all the rest together. */
static void drop_slow(struct be_size_run *run) {
    const struct be_session *session = run->session;
    for (int i = 0; i < run->cases; i++) {
        struct be_case *c = &run->c[i];
        double seconds = be_session_foreseen(session, &c->result);
        if (c->result.status == BE_RESULT_OK && seconds > session->plan.patience_s) {
            char text[BE_NOTE];
            snprintf(text, sizeof text,
                     "a call may take %.2g s, after smaller sizes: more than %.2g s", seconds,
                     session->plan.patience_s);
            be_case_fail(c, BE_RESULT_SKIPPED, text);
        }
    }
}

static void check_all(struct be_size_run *run) {
    struct be_session *session = run->session;
    for (int i = 0; i < run->cases; i++) {
        struct be_case *c = &run->c[i];
        if (c->result.status != BE_RESULT_OK || be_session_cancelled(session) ||
            !be_due_goes_on(&session->record.due, be_now(&session->run.clock))) {
            continue;
        }
        struct be_error error = {0};
        be_session_progress(session, c, "");
        be_case_choose_library(c, &session->run.clock);
        be_case_check(c, &session->run.clock);
        if (c->result.status == BE_RESULT_OK) {
            be_session_draw(session, c);
            be_session_tell(session, c);
        }
        if (c->result.status == BE_RESULT_OK &&
            be_case_calibrate(c, &session->run.clock, &error) != BE_OK) {
            be_case_fail(c, BE_RESULT_FAILED, error.text);
        }
    }
    /* Some ways of a size without the others would be no answer: all are given up. */
    for (int i = 0; session->record.due.over && i < run->cases; i++) {
        if (run->c[i].result.status == BE_RESULT_OK) {
            be_case_fail(&run->c[i], BE_RESULT_SKIPPED, "no time was left for this size");
        }
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
            be_case_as_published(c, &run->session->run.clock, &result);
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
    be_session_sample(session, run->c, run->cases, order, &rule);
    free(order);
    for (int i = 0; i < run->cases; i++) {
        be_case_finish(&run->c[i], &session->run.clock, &rule, be_session_cancelled(session));
    }
    if (session->plan.options->show_async && run->filter->place < 0) {
        status = add_as_published(run, error);
    }
    be_session_energy(session, run->c, run->cases, run->filter->no_energy);
    for (int i = 0; status == BE_OK && i < run->cases; i++) {
        status = be_session_keep(session, &run->c[i].result, &run->c[i].total, error);
        session->record.done++;
        session->record.left -= session->record.left > 0;
    }
    return status;
}

enum be_status be_session_measure(struct be_session *session, const struct be_problem *problem,
                                  const struct be_filter *filter, struct be_error *error) {
    struct be_size_run *run;
    session->record.round++;
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
