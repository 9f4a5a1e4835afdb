/*
 * The form of a page and of a drawing, whatever was in the file.
 */
#ifndef BE_FUZZ_PAGE_H
#define BE_FUZZ_PAGE_H

#include "base/text.h"

/* Each tag ends before the next begins, those of SVG have no number that is none, no name became a tag, and there are no
 * control characters. If not, the place is shown on stderr. */
bool be_is_page(const struct be_text *page);

#endif
