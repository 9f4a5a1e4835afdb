/*
 * Words that every drawing shares: foreign text and labels in SVG. It does not know what is drawn.
 */
#ifndef BE_REPORT_COMMON_SVG_H
#define BE_REPORT_COMMON_SVG_H

#include "base/text.h"

/* Appends a foreign text as XML can hold it: well-formed UTF-8, signs of markup escaped, control characters as
 * blanks. */
void be_svg_escape(struct be_text *out, const char *from);

/* A label. `anchor`: "start", "middle" or "end"; class NULL: none. */
void be_svg_label(struct be_text *out, double x, double y, const char *anchor, const char *class,
                  const char *text);

#endif
