/*
 * From a profile to what people and programs read. Each writer appends to a text and does nothing
 * else. Knows nothing of how figures came about.
 */
#ifndef BE_REPORT_PROFILE_REPORT_H
#define BE_REPORT_PROFILE_REPORT_H

#include "base/text.h"
#include "breakeven.h"

void be_profile_json(const struct be_profile *profile, struct be_text *out);
void be_profile_csv(const struct be_profile *profile, struct be_text *out);
void be_profile_text(const struct be_profile *profile, struct be_text *out);

/* ---- inside the summary --------------------------------------------------------------------- */

/* Attainable operations a second over operations a byte, for the CPU with all cores and each GPU:
 * at most 80 columns. Nothing when there is no device with memory and arithmetic measured. */
void be_profile_roofline(const struct be_profile *profile, struct be_text *out);

/* The figure with the most threads at the largest size; NULL: none. dtype and peer NULL: none. */
const struct be_figure *be_profile_largest(const struct be_profile *profile, const char *device,
                                           const char *what, const char *dtype, const char *peer);

/* "1.79 ms", "4.25 TB/s", "55.3 TFLOP/s", "2.50 GHz", "131,000 /s". */
const char *be_format_figure(char *to, size_t room, double value, enum be_unit unit);

#endif
