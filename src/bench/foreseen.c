/* What a call may take, before it is made. */
#include <math.h>
#include <string.h>

#include "bench/session.h"

static bool same_code(const struct be_result *a, const struct be_result *b) {
    return strcmp(a->workload, b->workload) == 0 && strcmp(a->variant, b->variant) == 0 &&
           strcmp(a->device, b->device) == 0 && strcmp(a->dtype, b->dtype) == 0 &&
           a->threads == b->threads && a->placement == b->placement;
}

/* From no operations to some is no growth that tells anything: then, as where there are none at all,
 * the bytes count. */
static double growth(const struct be_result *from, const struct be_result *to) {
    double bytes = to->bytes / from->bytes;
    double operations = from->operations > 0 ? to->operations / from->operations : NAN;
    return operations > bytes ? operations : bytes;
}

double be_session_foreseen(const struct be_session *session, const struct be_result *result) {
    const struct be_result *from = NULL;
    for (size_t i = 0; i < session->records; i++) {
        const struct be_result *r = &session->record[i].result;
        if (r->status == BE_RESULT_OK && r->size < result->size && same_code(r, result) &&
            (!from || r->size > from->size)) {
            from = r;
        }
    }
    return from ? from->phase[BE_TOTAL].min_s * growth(from, result) : NAN;
}
