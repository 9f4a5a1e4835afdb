/* The meters of a comparison: one for each place. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "bench/session.h"

/* Has the place a meter that is absent, and none before it this reason? Then it is to be said. */
static bool is_first(const struct be_session *session, int place) {
    for (int i = 0; i < place; i++) {
        if (strcmp(session->run.meter[i].why, session->run.meter[place].why) == 0) {
            return false;
        }
    }
    return *session->run.meter[place].why != '\0';
}

/* Several places may be one piece of hardware, and several pieces lack the same: said once. */
static void say_why_not(struct be_session *session, int place) {
    const char *why = session->run.meter[place].why, *last = "";
    char ids[BE_NOTE / 2] = "";
    for (int i = place; i < session->run.places; i++) {
        const char *id = session->run.place[i].info.id;
        if (strcmp(session->run.meter[i].why, why) == 0 && strcmp(id, last) != 0) {
            const size_t used = strlen(ids);
            snprintf(ids + used, sizeof ids - used, "%s%s", used ? ", " : "", id);
            last = id;
        }
    }
    be_session_remark(session, "energy of %s: not measured: %.200s", ids, why);
}

void be_session_open_meters(struct be_session *session) {
    for (int i = 0; i < session->run.places && session->plan.options->energy; i++) {
        if (!session->run.place[i].broken) {
            be_meter_open(&session->run.meter[i], &session->run.place[i].info, "",
                          &session->run.clock);
        }
    }
    for (int i = 0; i < session->run.places && session->plan.options->energy; i++) {
        if (is_first(session, i)) {
            say_why_not(session, i);
        }
    }
}

/* The CPU's, beside a case of a device that is none. */
static struct be_meter *host_meter(struct be_session *session, const struct be_case *c) {
    for (int i = 0; i < session->run.places && c->place->info.kind != BE_KIND_CPU; i++) {
        if (session->run.place[i].threads) {
            return &session->run.meter[i];
        }
    }
    return NULL;
}

void be_session_energy(struct be_session *session, struct be_case *c, int cases,
                       const char *why_not) {
    const struct be_compare_options *options = session->plan.options;
    const struct be_cancel cancel = {options->cancelled, options->context};
    for (int i = 0; i < cases && options->energy; i++) {
        struct be_result *r = &c[i].result;
        if (r->status == BE_RESULT_OK && why_not) {
            be_copy_text(r->energy_note, sizeof r->energy_note, why_not);
        } else if (r->status == BE_RESULT_OK) {
            be_session_progress(session, &c[i], ", energy");
            be_case_energy(&c[i], &session->run.meter[c[i].place - session->run.place],
                           host_meter(session, &c[i]), &session->run.clock,
                           session->record.due.size_s, &cancel);
        }
    }
}
