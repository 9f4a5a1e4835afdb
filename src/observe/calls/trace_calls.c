#include "observe/calls/trace_calls.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"

static struct be_trace_call call_of(const struct be_call_row *row) {
    struct be_trace_call call = {.rounded = row->rounded,
                                 .m = row->m,
                                 .n = row->n,
                                 .k = row->k,
                                 .batch = row->batch,
                                 .calls = row->calls,
                                 .seconds = row->seconds,
                                 .flops = row->flops,
                                 .fresh = row->fresh,
                                 .changed = row->changed,
                                 .same = row->same,
                                 .made = row->made,
                                 .written = row->written};
    snprintf(call.function, sizeof call.function, "%c%s", row->type, row->function);
    be_copy_text(call.kind, sizeof call.kind, be_call_kinds[row->kind]);
    return call;
}

/* Numbers that are not known are left out of a sum: a call that has not ended is one of many. */
static void add(double *to, double value) {
    *to += isnan(value) ? 0 : value;
}

static void add_other(struct be_trace_call *to, const struct be_call_row *row) {
    add(&to->calls, row->calls);
    add(&to->seconds, row->seconds);
    add(&to->flops, row->flops);
    add(&to->fresh, row->fresh);
    add(&to->changed, row->changed);
    add(&to->same, row->same);
    add(&to->made, row->made);
    add(&to->written, row->written);
}

void be_trace_calls_take(struct be_trace_calls *to, const struct be_calls *from) {
    struct be_trace_call others = {.function = "others", .rounded = true, .batch = NAN};
    bool all = from->rows <= BE_TRACE_CALLS_MAX;
    to->processes = from->processes;
    to->lost = from->lost;
    to->rows = 0;
    for (size_t i = 0; i < from->rows; i++) {
        if (all || to->rows < BE_TRACE_CALLS_MAX - 1) {
            to->row[to->rows++] = call_of(&from->row[i]);
        } else {
            add_other(&others, &from->row[i]);
        }
    }
    if (!all) {
        to->row[to->rows++] = others;
    }
}
