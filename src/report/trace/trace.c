/* A trace, written in any format. */
#include "report/trace/trace.h"

#include "base/error.h"
#include "report/common/out.h"
#include "report/trace/timeline.h"

static void draw(const struct be_trace *trace, struct be_text *out) {
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    be_timeline_svg(trace, found, be_trace_findings(trace, found), out);
}

enum be_status be_trace_write(const struct be_trace *trace, enum be_format format, FILE *out,
                              struct be_error *error) {
    static void (*const write[])(const struct be_trace *,
                                 struct be_text *) = {[BE_TEXT] = be_trace_text,
                                                      [BE_JSON] = be_trace_json,
                                                      [BE_CSV] = be_trace_csv,
                                                      [BE_SVG] = draw,
                                                      [BE_HTML] = be_trace_html};
    struct be_text text = {0};
    if ((size_t)format >= BE_COUNT(write) || !write[format]) {
        return be_report_no_format("write a trace", format, error);
    }
    write[format](trace, &text);
    return be_report_out(&text, out, error);
}
