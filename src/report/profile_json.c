/* A profile -> JSON (docs/json.md), and its figures -> CSV. One line a record. */
#include "report/json_record.h"
#include "report/profile_report.h"

#define AT(name, fields, list)                                                                     \
    static cJSON *name(const void *whole, size_t i) {                                              \
        return be_json_record(&(fields), &((const struct be_profile *)whole)->list[i]);            \
    }

AT(figure_at, be_fields_figure, figure)
AT(fit_at, be_fields_fit, fit)
AT(fact_at, be_fields_fact, fact)
AT(finding_at, be_fields_finding, finding)

static cJSON *remark_at(const void *whole, size_t i) {
    return be_json_text(((const struct be_profile *)whole)->remark[i]);
}

void be_profile_json(const struct be_profile *profile, struct be_text *out) {
    be_json_add_head(out, "probe");
    for (size_t i = 0; i < be_fields_profile.count; i++) {
        be_text_add(out, "\"%s\":", be_fields_profile.field[i].name);
        be_json_add(out, be_json_field(&be_fields_profile.field[i], profile));
        be_text_add(out, ",\n");
    }
    be_json_add_place(out, &profile->machine, &profile->environment, profile->partial);
    be_json_add_list(out, "figures", profile->figures, figure_at, profile);
    be_json_add_list(out, "fits", profile->fits, fit_at, profile);
    be_json_add_list(out, "facts", profile->facts, fact_at, profile);
    be_json_add_list(out, "findings", profile->findings, finding_at, profile);
    be_json_add_list(out, "remarks", profile->remarks, remark_at, profile);
    be_text_add(out, "}\n");
}
