/* The meters of a comparison: one for each place. */
#include <string.h>

#include "base/error.h"
#include "bench/session.h"

/* Several places may be one piece of hardware: why it has none is said once. */
void be_session_open_meters(struct be_session *session) {
    const char *said = "";
    for (int i = 0; i < session->places && session->options->energy; i++) {
        const struct be_device_info *info = &session->place[i].info;
        struct be_meter *meter = &session->meter[i];
        if (session->place[i].broken) {
            continue;
        }
        be_meter_open(meter, info, "", &session->clock);
        if (*meter->why && strcmp(said, info->id) != 0) {
            be_session_remark(session, "energy of %s: not measured: %.250s", info->id, meter->why);
            said = info->id;
        }
    }
}

/* The CPU's, beside a case of a device that is none. */
static struct be_meter *host_meter(struct be_session *session, const struct be_case *c) {
    for (int i = 0; i < session->places && c->place->info.kind != BE_KIND_CPU; i++) {
        if (session->place[i].threads) {
            return &session->meter[i];
        }
    }
    return NULL;
}

void be_session_energy(struct be_session *session, struct be_case *c, int cases,
                       const char *why_not) {
    const struct be_compare_options *options = session->options;
    const struct be_cancel cancel = {options->cancelled, options->context};
    for (int i = 0; i < cases && options->energy; i++) {
        struct be_result *r = &c[i].result;
        if (r->status == BE_RESULT_OK && why_not) {
            be_copy_text(r->energy_note, sizeof r->energy_note, why_not);
        } else if (r->status == BE_RESULT_OK) {
            be_session_progress(session, &c[i], ", energy");
            be_case_energy(&c[i], &session->meter[c[i].place - session->place],
                           host_meter(session, &c[i]), &session->clock, session->due.size_s,
                           &cancel);
        }
    }
}
