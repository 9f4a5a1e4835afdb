/* For tests of traces: one that is open. After cmocka.h. */
#ifndef TESTS_UNIT_MADE_TRACE_H
#define TESTS_UNIT_MADE_TRACE_H

#include "base/error.h"
#include "observe/trace.h"

static void opened(struct be_trace *trace) {
    struct be_error error = {0};
    assert_int_equal(be_trace_open(trace, &error), BE_OK);
    assert_int_equal(be_trace_source(trace, "proc"), 0);
}

#endif
