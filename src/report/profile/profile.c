/* A profile, written in any format; as JSON (docs/json.md), as CSV a row a figure. */
#include "base/error.h"
#include "report/common/csv.h"
#include "report/common/out.h"
#include "report/json/record.h"
#include "report/profile/fields.h"
#include "report/profile/profile.h"
#include "report/profile/roofline.h"

/* One line a record, as results. */
void be_profile_json(const struct be_profile *profile, struct be_text *out) {
    be_json_add_head(out, "probe");
    be_json_add_fields(out, &be_fields_profile, profile);
    be_text_add(out, "}\n");
}

static void profile_csv(const struct be_profile *profile, struct be_text *out) {
    be_csv_records(&be_fields_figure, profile->figure, profile->figures, sizeof *profile->figure,
                   out);
}

static void (*const profiles[])(const struct be_profile *, struct be_text *) = {
    [BE_TEXT] = be_profile_text, [BE_JSON] = be_profile_json, [BE_CSV] = profile_csv,
    [BE_SVG] = be_roofline_svg,  [BE_HTML] = be_profile_html,
};

enum be_status be_profile_write(const struct be_profile *profile, enum be_format format, FILE *out,
                                struct be_error *error) {
    struct be_text text = {0};
    if ((size_t)format >= BE_COUNT(profiles) || !profiles[format]) {
        return be_report_no_format("write results", format, error);
    }
    profiles[format](profile, &text);
    return be_report_out(&text, out, error);
}
