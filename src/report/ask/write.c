/* The answer of `ask` in any format. */
#include "report/ask/ask.h"
#include "report/common/out.h"

enum be_status be_ask_write(const struct be_ask_answer *answer, enum be_format format, FILE *out,
                            struct be_error *error) {
    struct be_text text = {0};
    if (format != BE_TEXT && format != BE_JSON) {
        return be_report_no_format("write the answer", format, error);
    }
    (format == BE_TEXT ? be_ask_text : be_ask_json)(answer, &text);
    return be_report_out(&text, out, error);
}
