/* A ranking in any format. */
#include "base/error.h"
#include "report/common/out.h"
#include "report/decide/decide.h"

enum be_status be_decide_write(const struct be_decide_table *table, enum be_format format,
                               FILE *out, struct be_error *error) {
    struct be_text text = {0};
    if (format != BE_TEXT && format != BE_JSON) {
        return be_report_no_format("write a decision", format, error);
    }
    (format == BE_TEXT ? be_decide_text : be_decide_json)(table, &text);
    return be_report_out(&text, out, error);
}
