/* The roofs of a profile: how fast the devices compute at most, and how fast they feed that from memory. */
#ifndef BE_REPORT_PROFILE_ROOFLINE_H
#define BE_REPORT_PROFILE_ROOFLINE_H

#include "base/text.h"
#include "breakeven_profile.h"

enum { BE_ROOFS_MAX = 8 };

struct be_roof {
    char label[BE_NAME * 2]; /* "cuda:0 float32 matrix" */
    double bytes_s, flop_s;
    bool data_sheet;
};

/* The CPU with all cores and each GPU, where memory and arithmetic are known; how many. */
int be_roofs_of(const struct be_profile *profile, struct be_roof roof[BE_ROOFS_MAX]);
/* Operations a byte from which the arithmetic is the limit. */
double be_roof_ridge(const struct be_roof *roof);

/* As SVG: the roofline; the rate of copies over their size. Nothing where it is not known. */
void be_roofline_svg(const struct be_profile *profile, struct be_text *out);
void be_bus_svg(const struct be_profile *profile, struct be_text *out);

#endif
