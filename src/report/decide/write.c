/* A ranking in any format. */
#include "base/error.h"
#include "report/common/out.h"
#include "report/decide/decide.h"

enum be_status be_decide_write(const struct be_decide_table *table, enum be_format format,
                               FILE *out, struct be_error *error) {
    static void (*const write[])(const struct be_decide_table *,
                                 struct be_text *) = {[BE_TEXT] = be_decide_text,
                                                      [BE_JSON] = be_decide_json,
                                                      [BE_SVG] = be_decide_svg,
                                                      [BE_HTML] = be_decide_html};
    struct be_text text = {0};
    if ((size_t)format >= BE_COUNT(write) || !write[format]) {
        return be_report_no_format("write a decision", format, error);
    }
    write[format](table, &text);
    return be_report_out(&text, out, error);
}
