/*
 * One line of a screen, put together from left to right and cut at its width. Knows nothing of what
 * it says.
 */
#ifndef BE_REPORT_LIVE_LINE_H
#define BE_REPORT_LIVE_LINE_H

#include "report/live/live.h"

/* The next line of the frame, empty; where the screen has no more, one that is not shown. */
struct be_live_line *be_live_line_new(struct be_live_frame *frame, const struct be_live_view *view);
/* Appends, as far as there is room. The text is ours, or was made ASCII. */
void be_live_line_add(struct be_live_line *line, const struct be_live_view *view,
                      enum be_live_style style, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Appends foreign text, made ASCII. */
void be_live_line_add_foreign(struct be_live_line *line, const struct be_live_view *view,
                              enum be_live_style style, const char *text);
/* Drops what is beyond a column. All of it was ASCII. */
void be_live_line_cut(struct be_live_line *line, int column);
/* Blanks up to a column. */
void be_live_line_to(struct be_live_line *line, const struct be_live_view *view,
                     enum be_live_style style, int column);

#endif
