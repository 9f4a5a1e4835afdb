/*
 * From a profile to what people and programs read. Each writer appends to a text and does nothing
 * else. Knows nothing of how figures came about.
 */
#ifndef BE_REPORT_PROFILE_PROFILE_H
#define BE_REPORT_PROFILE_PROFILE_H

#include "base/text.h"
#include "breakeven_profile.h"

void be_profile_json(const struct be_profile *profile, struct be_text *out);
void be_profile_text(const struct be_profile *profile, struct be_text *out);
void be_profile_html(const struct be_profile *profile, struct be_text *out);

/* ---- inside the summary --------------------------------------------------------------------- */

/* Attainable operations a second over operations a byte, for the CPU with all cores and each GPU:
 * at most 80 columns. Nothing when there is no device with memory and arithmetic measured. */
void be_profile_roofline(const struct be_profile *profile, struct be_text *out);

/* The block of the CPU, and that of one other device. */
void be_profile_cpu(const struct be_profile *profile, const struct be_device_info *info,
                    struct be_text *out);
void be_profile_device_block(const struct be_profile *profile, const struct be_device_info *info,
                             struct be_text *out);

/* The figure with the most threads at the largest size; NULL: none. dtype and peer NULL: none. */
const struct be_figure *be_profile_largest(const struct be_profile *profile, const char *device,
                                           const char *what, const char *dtype, const char *peer);
/* The same with that many threads. */
const struct be_figure *be_profile_with_threads(const struct be_profile *profile,
                                                const char *device, const char *what,
                                                const char *dtype, int threads);

/* Threads of the figure of this device that has the most; 0: none has any. */
int be_profile_max_threads(const struct be_profile *profile, const char *device);

/* "1.79 ms", "4.25 TB/s", "55.3 TFLOP/s", "2.50 GHz", "131,000 /s". */
const char *be_format_figure(char *to, size_t capacity, double value, enum be_unit unit);

enum { BE_CELL = 160, BE_CELL_WIDTH = 31 /* columns at most */ };
/* With its interval where that leaves 2 % of the value, "4.25 TB/s (median 4.03-4.12)", "2.93 us (2.81-3.02)",
 * or where it comes from, "4.8 TB/s, data sheet"; "not measured" for NULL. */
const char *be_format_cell(char to[BE_CELL], const struct be_figure *figure);

#endif
