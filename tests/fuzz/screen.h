/*
 * The form of a report, whatever was in the file.
 */
#ifndef BE_FUZZ_SCREEN_H
#define BE_FUZZ_SCREEN_H

#include "base/text.h"

/* Lines of at most 80 columns, without control characters, of ASCII or else of well-formed UTF-8. If
 * not, it is shown on stderr. */
bool be_fits_screen(const struct be_text *shown, bool ascii);

#endif
