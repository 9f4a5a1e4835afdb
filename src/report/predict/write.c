/* Predictions in any format. */
#include "base/error.h"
#include "report/common/out.h"
#include "report/predict/predict.h"

enum be_status be_predict_write(const struct be_predict_table *table, enum be_format format,
                                FILE *out, struct be_error *error) {
    static void (*const write[])(const struct be_predict_table *,
                                 struct be_text *) = {[BE_TEXT] = be_predict_text,
                                                      [BE_JSON] = be_predict_json,
                                                      [BE_SVG] = be_predict_svg,
                                                      [BE_HTML] = be_predict_html};
    struct be_text text = {0};
    if ((size_t)format >= BE_COUNT(write) || !write[format]) {
        return be_report_no_format("write predictions", format, error);
    }
    write[format](table, &text);
    return be_report_out(&text, out, error);
}

enum be_status be_stop_loss_write(const struct be_predict_rates *rates, double operations,
                                  enum be_format format, FILE *out, struct be_error *error) {
    static void (*const write[])(const struct be_predict_rates *, double,
                                 struct be_text *) = {[BE_TEXT] = be_stop_loss_text,
                                                      [BE_JSON] = be_stop_loss_json,
                                                      [BE_SVG] = be_stop_loss_svg,
                                                      [BE_HTML] = be_stop_loss_html};
    struct be_text text = {0};
    if ((size_t)format >= BE_COUNT(write) || !write[format]) {
        return be_report_no_format("write the stop-loss limit", format, error);
    }
    write[format](rates, operations, &text);
    return be_report_out(&text, out, error);
}

enum be_status be_learned_write(const struct be_profile *profile, const struct be_learned *learned,
                                enum be_format format, FILE *out, struct be_error *error) {
    struct be_text text = {0};
    if (format != BE_TEXT && format != BE_JSON) {
        return be_report_no_format("write what was learned", format, error);
    }
    (format == BE_TEXT ? be_learned_text : be_learned_json)(profile, learned, &text);
    return be_report_out(&text, out, error);
}
