/*
 * A drawing as SVG: its sheet, the styles that all drawings share, light and dark, and its marks. A drawing asks for
 * nothing: no script, no font. It does not know what is drawn.
 *
 * Classes: k0 to k6 colours; l line, t thin dashed line, w whisker, d dashed, r ring (those have no area); s solid,
 * i a band, f pale (those have no edge), u pale with an edge; g grid, a frame, z ground; of text h heading, q small, e small on a solid bar.
 */
#ifndef BE_REPORT_COMMON_SVG_H
#define BE_REPORT_COMMON_SVG_H

#include "base/text.h"

enum { BE_SVG_COLOURS = 7, BE_SVG_LETTER = 6 /* width of a small letter, about */ };

/* The sheet, in pixels. title: its name, in one line; description: what it shows, for those who listen. */
void be_svg_begin(struct be_text *out, double width, double height, const char *title,
                  const char *description);
void be_svg_end(struct be_text *out);

/* Appends a foreign text as XML can hold it: well-formed UTF-8, signs of markup escaped, control characters as
 * blanks. */
void be_svg_escape(struct be_text *out, const char *from);

/* A label. `anchor`: "start", "middle" or "end"; class NULL: none. */
void be_svg_label(struct be_text *out, double x, double y, const char *anchor, const char *class,
                  const char *text);
/* The same, with at most as many letters as have room in so many pixels. */
void be_svg_label_in(struct be_text *out, double x, double y, double room, const char *class,
                     const char *text);
void be_svg_line(struct be_text *out, const char *class, double x1, double y1, double x2,
                 double y2);
/* A bar; `tip` is shown where a pointer rests on it; NULL: nothing. */
void be_svg_bar(struct be_text *out, const char *class, double x, double y, double width,
                double height, const char *tip);

#endif
