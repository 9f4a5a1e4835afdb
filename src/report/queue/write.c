/* Waits, and the forecast of one, in any format. */
#include "base/error.h"
#include "report/common/out.h"
#include "report/queue/queue.h"

enum be_status be_wait_table_write(const struct be_wait_table *table, enum be_format format,
                                   FILE *out, struct be_error *error) {
    static void (*const write[])(const struct be_wait_table *,
                                 struct be_text *) = {[BE_TEXT] = be_wait_text,
                                                      [BE_JSON] = be_wait_json,
                                                      [BE_CSV] = be_wait_csv,
                                                      [BE_SVG] = be_wait_chart_svg,
                                                      [BE_HTML] = be_wait_html};
    struct be_text text = {0};
    if ((size_t)format >= BE_COUNT(write) || !write[format]) {
        return be_fail(error, BE_USAGE, "a table of waits: text, JSON, CSV, SVG or HTML");
    }
    write[format](table, &text);
    return be_report_out(&text, out, error);
}

enum be_status be_wait_chart_write(const struct be_wait_table *table, enum be_format format,
                                   FILE *out, struct be_error *error) {
    struct be_text text = {0};
    if (format != BE_TEXT && format != BE_SVG) {
        return be_fail(error, BE_USAGE, "a chart of waits: text or SVG");
    }
    (format == BE_SVG ? be_wait_chart_svg : be_wait_chart_text)(table, &text);
    return be_report_out(&text, out, error);
}

enum be_status be_forecast_write(const struct be_forecast *forecast, enum be_format format,
                                 FILE *out, struct be_error *error) {
    static void (*const write[])(const struct be_forecast *,
                                 struct be_text *) = {[BE_TEXT] = be_forecast_text,
                                                      [BE_JSON] = be_forecast_json,
                                                      [BE_CSV] = be_forecast_csv,
                                                      [BE_SVG] = be_forecast_svg,
                                                      [BE_HTML] = be_forecast_html};
    struct be_text text = {0};
    if ((size_t)format >= BE_COUNT(write) || !write[format]) {
        return be_fail(error, BE_USAGE, "a forecast: text, JSON, CSV, SVG or HTML");
    }
    write[format](forecast, &text);
    return be_report_out(&text, out, error);
}
