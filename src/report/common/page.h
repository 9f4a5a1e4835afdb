/*
 * One self-contained HTML page: no request to anything, no script, light and dark, for a screen, for paper and for
 * somebody who listens. It does not know what the page is about. Text is foreign: signs of markup are escaped.
 */
#ifndef BE_REPORT_COMMON_PAGE_H
#define BE_REPORT_COMMON_PAGE_H

#include "base/text.h"
#include "breakeven.h"

/* Head and first heading. `kicker`: the line above it, as "breakeven compare, 2026-11-27". */
void be_page_begin(struct be_text *out, const char *title, const char *kicker);
void be_page_end(struct be_text *out);

/* The answer, set large: one paragraph. */
void be_page_verdict(struct be_text *out, const char *text);
void be_page_heading(struct be_text *out, const char *text);
void be_page_subheading(struct be_text *out, const char *text);
void be_page_paragraph(struct be_text *out, const char *text);
/* Lines as they are, in letters of one width. folded: behind `summary`, which opens it. */
void be_page_lines(struct be_text *out, const char *summary, const char *text, bool folded);

/* A drawing, whole as SVG, with what it shows in words. */
void be_page_drawing(struct be_text *out, const struct be_text *svg, const char *caption);

/* A table: begin, its heads, then rows of cells; the first cell of a row is its head. */
void be_page_table_begin(struct be_text *out, const char *caption, const char *const *head,
                         int columns);
void be_page_row(struct be_text *out, const char *const *cell, int columns);
void be_page_table_end(struct be_text *out);

/* Everything as text, folded: what the terminal shows. */
void be_page_whole(struct be_text *out, const struct be_text *text);

struct be_page_fact {
    const char *what, *value; /* an empty value: the fact is left out */
};
/* The end of a page: where and how it came about, a note, and the command that makes it again. */
void be_page_made(struct be_text *out, const struct be_page_fact *fact, int facts, const char *note,
                  const struct be_made *made);

#endif
