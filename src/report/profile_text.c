/* A profile as a summary of one screen. */
#include "report/profile_report.h"

void be_profile_text(const struct be_profile *profile, struct be_text *out) {
    be_text_add(out, "%s\n", profile->name);
}
