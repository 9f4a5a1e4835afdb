/* A profile -> JSON (docs/json.md), one line a record. */
#include "report/json/record.h"
#include "report/profile/report.h"

static cJSON *figure_at(const void *whole, size_t i) {
    const struct be_profile *profile = whole;
    return be_json_record(&be_fields_figure, &profile->figure[i]);
}

static cJSON *fit_at(const void *whole, size_t i) {
    const struct be_profile *profile = whole;
    return be_json_record(&be_fields_fit, &profile->fit[i]);
}

static cJSON *fact_at(const void *whole, size_t i) {
    const struct be_profile *profile = whole;
    return be_json_record(&be_fields_fact, &profile->fact[i]);
}

static cJSON *finding_at(const void *whole, size_t i) {
    const struct be_profile *profile = whole;
    return be_json_record(&be_fields_finding, &profile->finding[i]);
}

static cJSON *remark_at(const void *whole, size_t i) {
    const struct be_profile *profile = whole;
    return be_json_text(profile->remark[i]);
}

void be_profile_json(const struct be_profile *profile, struct be_text *out) {
    be_json_add_head(out, "probe");
    be_json_add_member(out, "name", be_json_text(profile->name));
    be_json_add_member(out, "provenance", be_json_text(profile->provenance));
    be_json_add_member(out, "source",
                       be_json_text(be_names_word(&be_names_source, (int)profile->source)));
    be_text_add(out, ",\n\"partial\":%s", profile->partial ? "true" : "false");
    be_json_add_member(out, "machine", be_json_machine(&profile->machine));
    be_json_add_member(out, "environment",
                       be_json_record(&be_fields_environment, &profile->environment));
    be_json_add_list(out, "figures", profile->figures, figure_at, profile);
    be_json_add_list(out, "fits", profile->fits, fit_at, profile);
    be_json_add_list(out, "facts", profile->facts, fact_at, profile);
    be_json_add_list(out, "findings", profile->findings, finding_at, profile);
    be_json_add_list(out, "remarks", profile->remarks, remark_at, profile);
    be_text_add(out, "}\n");
}
