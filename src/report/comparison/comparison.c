/* A comparison, written in any format; as JSON (docs/json.md). */
#include "base/error.h"
#include "report/common/out.h"
#include "report/comparison/chart.h"
#include "report/comparison/comparison.h"
#include "report/comparison/fields.h"
#include "report/json/record.h"

/* One line a record, so that files can be searched and compared by line. */
void be_report_json(const struct be_comparison *comparison, struct be_text *out) {
    be_json_add_head(out, "compare");
    be_json_add_fields(out, &be_fields_comparison, comparison);
    be_text_add(out, "}\n");
}

static void (*const comparisons[])(const struct be_comparison *, struct be_text *) = {
    [BE_TEXT] = be_report_text, [BE_JSON] = be_report_json, [BE_CSV] = be_report_csv,
    [BE_SVG] = be_chart_svg,    [BE_HTML] = be_report_html,
};

enum be_status be_comparison_write(const struct be_comparison *comparison, enum be_format format,
                                   FILE *out, struct be_error *error) {
    struct be_text text = {0};
    if (format == BE_PNG) {
        if (!comparison->picture.rgb) {
            return be_fail(error, BE_USAGE, "write results: they have no picture");
        }
        be_report_png(&comparison->picture, &text);
        return be_report_out(&text, out, error);
    }
    if ((size_t)format >= BE_COUNT(comparisons) || !comparisons[format]) {
        return be_report_no_format("write results", format, error);
    }
    comparisons[format](comparison, &text);
    return be_report_out(&text, out, error);
}
