/* A trace, written in any format. */
#include "report/trace/trace.h"

#include "base/error.h"
#include "report/common/out.h"

enum be_status be_trace_write(const struct be_trace *trace, enum be_format format, FILE *out,
                              struct be_error *error) {
    static void (*const write[])(const struct be_trace *, struct be_text *) = {
        [BE_TEXT] = be_trace_text, [BE_JSON] = be_trace_json, [BE_CSV] = be_trace_csv};
    struct be_text text = {0};
    if ((size_t)format >= BE_COUNT(write)) {
        return be_report_no_format("write a trace", format, error);
    }
    write[format](trace, &text);
    return be_report_out(&text, out, error);
}
