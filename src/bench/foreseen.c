/* What a call may take, before it is made. */
#include <math.h>
#include <string.h>

#include "bench/session.h"

static bool same_code(const struct be_result *a, const struct be_result *b) {
    return strcmp(a->workload, b->workload) == 0 && strcmp(a->variant, b->variant) == 0 &&
           strcmp(a->device, b->device) == 0 && strcmp(a->dtype, b->dtype) == 0 &&
           a->threads == b->threads && a->placement == b->placement;
}

struct effort {
    double bytes, operations;
};

static struct effort effort_of(const struct be_result *r) {
    return (struct effort){.bytes = r->bytes, .operations = r->operations};
}

/* From no operations to some is no growth that tells anything: then, as where there are none at all,
 * the bytes count. */
static double growth(struct effort from, struct effort to) {
    double bytes = to.bytes / from.bytes;
    double operations = from.operations > 0 ? to.operations / from.operations : NAN;
    return operations > bytes ? operations : bytes;
}

double be_session_foreseen(const struct be_session *session, const struct be_result *result) {
    const struct be_result *from = NULL;
    for (size_t i = 0; i < session->record.items; i++) {
        const struct be_result *r = &session->record.item[i].result;
        if (r->status == BE_RESULT_OK && r->size < result->size && same_code(r, result) &&
            (!from || r->size > from->size)) {
            from = r;
        }
    }
    return from ? from->phase[BE_TOTAL].min_s * growth(effort_of(from), effort_of(result)) : NAN;
}

double be_session_foreseen_size(const struct be_session *session,
                                const struct be_problem *problem) {
    /* Checked, sampled twice; and its phases, a call together, twice, with one more of the work. One more where
     * the first call leaves open whether it is long. */
    enum { CALLS = 6 };
    const struct be_shape shape = be_problem_shape(problem);
    const struct effort to = {.bytes = shape.bytes, .operations = shape.operations};
    const struct effort opened = {session->record.opened.bytes, session->record.opened.operations};
    double seconds = NAN;
    for (size_t i = 0; i < session->record.items; i++) {
        const struct be_record *record = &session->record.item[i];
        const struct be_result *r = &record->result;
        if (record->round != session->record.round ||
            strcmp(r->workload, problem->workload->name) != 0) {
            continue;
        }
        const double call_s = r->phase[BE_TOTAL].min_s * growth(effort_of(r), to);
        const bool made = r->status == BE_RESULT_OK && call_s <= session->plan.patience_s;
        seconds = isnan(seconds) ? session->record.opened.seconds * growth(opened, to) : seconds;
        const bool open = call_s >= BE_LONG_CALL_S && call_s < BE_LONG_FOR_SURE_S;
        seconds += made ? (CALLS + open) * call_s : 0;
    }
    return seconds;
}
