/* A/A: a case against itself. A difference that is found here is noise that we call a result. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "bench/fit.h"

/* Each is sampled as in any comparison; then, as long as the answer is unclear and there is time
 * (this many budgets), more pairs are taken: a tenth more before each look. */
static enum be_verdict take_pairs(struct be_case *a, struct be_case *b,
                                  const struct be_session *session) {
    const double patience_s = 8 * session->plan.rule.budget_s;
    enum be_verdict verdict = BE_TOO_CLOSE;
    int look = 0;
    while (!be_session_cancelled(session) && a->result.status == BE_RESULT_OK &&
           b->result.status == BE_RESULT_OK) {
        be_session_progress(session, a, "");
        /* A B B A: what comes first is no advantage. */
        bool turned = a->total.count % 2 != 0;
        be_case_sample(turned ? b : a, &session->run.clock, &session->plan.rule);
        be_case_sample(turned ? a : b, &session->run.clock, &session->plan.rule);
        bool sampled = a->stop != BE_STOP_NONE && b->stop != BE_STOP_NONE;
        if ((look == 0 && !sampled) || a->total.count < look) {
            continue;
        }
        look = a->total.count + a->total.count / 10 + 1;
        verdict = be_compare_samples(&a->total, &b->total, BE_MARGIN).verdict;
        if (verdict != BE_TOO_CLOSE || a->spent_s > patience_s) {
            break;
        }
    }
    return verdict;
}

/* One pair: two cases that are the same one. */
static enum be_status one_pair(struct be_session *session, const struct be_case *like,
                               enum be_verdict *verdict, struct be_error *error) {
    struct be_case c[2];
    enum be_status status = BE_OK;
    for (int i = 0; i < 2; i++) {
        be_case_init(&c[i], like->place, like->data, like->buffer, like->scratch, like->variant,
                     like->result.placement, BE_HOT);
        if (status == BE_OK) {
            status = be_case_calibrate(&c[i], &session->run.clock, error);
        }
    }
    c[1].batch = c[0].batch;
    if (status == BE_OK) {
        *verdict = take_pairs(&c[0], &c[1], session);
    }
    for (int i = 0; i < 2 && status == BE_OK; i++) { /* a call that fails is no answer */
        if (c[i].result.status != BE_RESULT_OK) {
            status =
                be_fail(error, BE_DRIVER, "%s: %.400s", like->place->info.id, c[i].result.note);
        }
    }
    be_case_free(&c[0]);
    be_case_free(&c[1]);
    return status;
}

/* The first that was asked for, runs at the place and can do the problem; -1: none. */
static int variant_at(const struct be_session *session, const struct be_place *place,
                      const struct be_problem *problem) {
    for (int i = 0; i < problem->workload->variants; i++) {
        const struct be_variant *variant = &problem->workload->variant[i];
        if (be_variant_has_code(variant, !place->threads) &&
            be_choose_variant(session->plan.options, variant) && be_variant_can(variant, problem)) {
            return i;
        }
    }
    return -1;
}

static enum be_status test_place(struct be_session *session, const struct be_problem *problem,
                                 struct be_place *place, int variant, int pairs,
                                 struct be_self_test *result, struct be_error *error) {
    struct be_scratch scratch = {0};
    const struct be_workload *workload = problem->workload;
    struct be_data data = {0};
    struct be_buffer buffer[BE_ARRAYS] = {0};
    int at = result->devices++;
    result->device[at] = place->info;
    if (place->threads) {
        snprintf(result->device[at].id, sizeof result->device[at].id, "cpu x %d", place->threads);
    }
    enum be_status status =
        be_data_open(problem, 1, place->team, session->run.environment.seed, &data, error);
    status = status == BE_OK ? be_place_prepare(place, problem, variant, error) : status;
    for (int i = 0; place->device && status == BE_OK && i < workload->inputs + workload->outputs;
         i++) {
        status = place->device->ops->memory->alloc(
            place->device, data.shape.item_bytes[i] * data.stride, &buffer[i], error);
    }
    status = status == BE_OK ? be_scratch_open(place, problem, variant, &scratch, error) : status;
    struct be_case first;
    be_case_init(&first, place, &data, buffer, &scratch, variant,
                 place->device ? BE_RESIDENT : BE_HOST, BE_HOT);
    if (status == BE_OK && place->device) {
        status = be_case_upload(&first, error);
    }
    if (status == BE_OK) {
        be_case_choose_library(&first, &session->run.clock);
        be_case_check(&first, &session->run.clock);
    }
    if (status == BE_OK && first.result.status != BE_RESULT_OK) {
        status = be_fail(error, BE_WRONG, "%s: %.400s", place->info.id, first.result.note);
    }
    session->record.left = pairs;
    for (int i = 0; status == BE_OK && i < pairs && !be_session_cancelled(session); i++) {
        enum be_verdict verdict = BE_TOO_CLOSE;
        status = one_pair(session, &first, &verdict, error);
        if (be_session_cancelled(session)) {
            break; /* in the middle of it */
        }
        result->same[at] += verdict == BE_SAME;
        result->close[at] += verdict == BE_TOO_CLOSE;
        result->differ[at] += verdict == BE_FASTER || verdict == BE_SLOWER;
        session->record.done++;
        session->record.left--;
    }
    for (int i = 0; place->device && i < BE_ARRAYS; i++) {
        place->device->ops->memory->release(place->device, &buffer[i]);
    }
    be_scratch_close(place, &scratch);
    be_data_close(&data);
    return status;
}

enum be_status be_compare_self_test(const struct be_compare_options *options, int pairs,
                                    struct be_self_test *result, struct be_error *error) {
    struct be_plan *plan = calloc(BE_LIST_MAX, sizeof *plan);
    struct be_session *session = calloc(1, sizeof *session);
    struct be_known known = {0};
    int plans = 0;
    memset(result, 0, sizeof *result);
    result->pairs = pairs;
    enum be_status status = plan && session
                                ? be_known_open(options, &known, error)
                                : be_fail(error, BE_NOMEM, "no host memory for a self-test");
    status = status == BE_OK ? be_fit_plans(options, &known, plan, &plans, error) : status;
    status = status == BE_OK ? be_session_open(options, plan, plans, session, error) : status;
    struct be_problem problem = {0};
    if (status == BE_OK) {
        problem =
            plan[0].is_list ? be_problem_sized(&plan[0].problem, plan[0].size[0]) : plan[0].problem;
    }
    for (int i = 0; status == BE_OK && i < session->run.places && result->devices < BE_DEVICES_MAX;
         i++) {
        if (session->run.place[i].broken && options->devices > 0) {
            status = be_fail(error, session->run.place[i].absent ? BE_ABSENT : BE_DRIVER, "%.400s",
                             session->run.place[i].note);
        } else if (!session->run.place[i].broken) {
            const int variant = variant_at(session, &session->run.place[i], &problem);
            if (variant >= 0) {
                status = test_place(session, &problem, &session->run.place[i], variant, pairs,
                                    result, error);
            }
        }
    }
    if (status == BE_OK && result->devices == 0) {
        status =
            be_fail(error, BE_USAGE, "%s: no variant that was asked for runs here at this size",
                    problem.workload->name);
    }
    if (session && session->run.team) {
        be_session_close(session);
    }
    be_known_close(&known);
    free(session);
    free(plan);
    return status;
}
