/* The records that a comparison keeps of its measurements, and the progress that it reports to its caller. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "bench/session.h"
#include "model/effort.h"

enum be_status be_session_keep(struct be_session *session, const struct be_result *result,
                               struct be_samples *total, struct be_error *error) {
    if (session->record.items == session->record.capacity) {
        size_t capacity = session->record.capacity ? 2 * session->record.capacity : 64;
        struct be_record *record = realloc(session->record.item, capacity * sizeof *record);
        if (!record) {
            return be_fail(error, BE_NOMEM, "no host memory for %zu results", capacity);
        }
        session->record.item = record;
        session->record.capacity = capacity;
    }
    struct be_record *record = &session->record.item[session->record.items++];
    record->result = *result;
    const struct be_summary *whole = &result->phase[BE_TOTAL];
    bool known = whole->n > 0 && result->limit_s > 0;
    record->result.times_limit = known ? whole->median_s / result->limit_s : NAN;
    record->round = session->record.round;
    record->total = total ? *total : (struct be_samples){0};
    if (total) {
        *total = (struct be_samples){0};
    }
    return BE_OK;
}

void be_session_remark(struct be_session *session, const char *format, ...) {
    char(*remark)[BE_NOTE] = realloc(session->record.remark, (session->record.remarks + 1) *
                                                                 sizeof *session->record.remark);
    if (!remark) {
        return; /* a remark is not worth failing for */
    }
    session->record.remark = remark;
    va_list list;
    va_start(list, format);
    vsnprintf(remark[session->record.remarks++], sizeof *remark, format, list);
    va_end(list);
}

void be_session_draw(struct be_session *session, const struct be_case *c) {
    struct be_picture picture = {0};
    const uint64_t size = be_problem_size(&c->data->problem);
    if (c->data->problem.workload != session->plan.drawn || size <= session->record.picture_size) {
        return;
    }
    if (be_data_picture(c->data, c->instance, &picture, &session->record.no_picture) != BE_OK) {
        return;
    }
    free(session->record.picture.rgb);
    session->record.picture = picture;
    session->record.picture_size = size;
}

void be_session_tell(struct be_session *session, const struct be_case *c) {
    const uint64_t size = be_problem_size(&c->data->problem);
    if (c->data->problem.workload->tell && !session->plan.options->quick &&
        size > session->record.told_size) {
        be_data_tell(c->data, c->instance, session->record.told);
        session->record.told_size = size;
    }
}

bool be_session_cancelled(const struct be_session *session) {
    const struct be_compare_options *options = session->plan.options;
    return options->cancelled && options->cancelled(options->context);
}

void be_session_progress(const struct be_session *session, const struct be_case *c,
                         const char *doing) {
    static const char *const where[] = {"", ", copy", ", preload", ", resident"};
    const struct be_compare_options *options = session->plan.options;
    if (!options->progress) {
        return;
    }
    char what[BE_NOTE];
    char size[BE_NAME];
    const struct be_result *r = &c->result;
    be_format_n(size, sizeof size, (double)r->size);
    snprintf(what, sizeof what, "%s %s %s on %s%s%s", r->workload, r->variant, size, r->device,
             where[r->placement], doing);
    const char *plain = strstr(what, " plain ");
    if (plain) {
        memmove(what + (plain - what), plain + 6, strlen(plain + 6) + 1);
    }
    double now_s = be_now(&session->run.clock);
    double elapsed = now_s - session->record.started_s;
    double left_s = be_time_left_s(&session->record.planned, now_s);
    if (session->record.planned.from_s == 0 &&
        session->record.done > 0) { /* pairs: all are alike */
        left_s = elapsed * session->record.left / session->record.done;
    }
    double due_s =
        fmax(0, session->record.due.all_s - now_s); /* less is done when there is less time */
    struct be_progress progress = {.what = what,
                                   .done = session->record.done,
                                   .left = session->record.left,
                                   .elapsed_s = elapsed,
                                   .left_s = left_s > due_s ? due_s : left_s};
    options->progress(options->context, &progress);
}

/* ---- what a call may take, before it is made ------------------------------------------------ */

static bool same_code(const struct be_result *a, const struct be_result *b) {
    return strcmp(a->workload, b->workload) == 0 && strcmp(a->variant, b->variant) == 0 &&
           strcmp(a->device, b->device) == 0 && strcmp(a->dtype, b->dtype) == 0 &&
           a->threads == b->threads && a->placement == b->placement;
}

static struct be_effort effort_of(const struct be_result *r) {
    return (struct be_effort){.bytes = r->bytes, .operations = r->operations};
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
    return from ? from->phase[BE_TOTAL].min_s * be_effort_growth(effort_of(from), effort_of(result))
                : NAN;
}

static struct be_effort effort_for(const struct be_problem *problem) {
    const struct be_shape shape = be_problem_shape(problem);
    return (struct be_effort){.bytes = shape.bytes, .operations = shape.operations};
}

double be_session_foreseen_calls(const struct be_session *session,
                                 const struct be_problem *problem) {
    /* Checked, sampled twice; and its phases, a call together, twice, with one more of the work. One more where
     * the first call leaves open whether it is long. */
    enum { CALLS = 6 };
    const struct be_effort to = effort_for(problem);
    double seconds = NAN;
    for (size_t i = 0; i < session->record.items; i++) {
        const struct be_record *record = &session->record.item[i];
        const struct be_result *r = &record->result;
        if (record->round != session->record.round ||
            strcmp(r->workload, problem->workload->name) != 0) {
            continue;
        }
        const double call_s = r->phase[BE_TOTAL].min_s * be_effort_growth(effort_of(r), to);
        const bool made = r->status == BE_RESULT_OK && call_s <= session->plan.patience_s;
        seconds = isnan(seconds) ? 0 : seconds;
        const bool open = call_s >= BE_LONG_CALL_S && call_s < BE_LONG_FOR_SURE_S;
        seconds += made ? (CALLS + open) * call_s : 0;
    }
    return seconds;
}

double be_session_foreseen_size(const struct be_session *session,
                                const struct be_problem *problem) {
    const struct be_effort opened = {session->record.opened.bytes,
                                     session->record.opened.operations};
    return be_session_foreseen_calls(session, problem) +
           session->record.opened.seconds * be_effort_growth(opened, effort_for(problem));
}
