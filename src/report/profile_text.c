#include "report/report.h"
void be_report_profile_text(const struct be_profile *profile, struct be_text *out) {
    be_text_add(out, "%s\n", profile->name);
}
