/*
 * Saved results side by side, as one page: runs (before and after), machines, comparisons. It knows what was saved, not
 * how it was measured, and it measures nothing.
 */
#ifndef BE_REPORT_TOGETHER_TOGETHER_H
#define BE_REPORT_TOGETHER_TOGETHER_H

#include "base/text.h"
#include "breakeven_profile.h"
#include "report/common/plot.h"

enum { BE_TOGETHER_MAX = 24 };

struct be_together {
    const struct be_saved *saved;
    char (*name)[BE_NAME]; /* of the file, without its folder and ending */
    int count;
    struct be_made made;
};

/* "results/before.json" -> "before" */
void be_together_name(const char *path, char name[BE_NAME]);
void be_together_html(const struct be_together *together, struct be_text *out);

/* ---- inside: a section each, nothing where there is none of the kind -------------------------- */

void be_together_runs(const struct be_together *together, struct be_text *out);
void be_together_machines(const struct be_together *together, struct be_text *out);
void be_together_comparisons(const struct be_together *together, struct be_text *out);

/* A row of bars_svg.c: a label, up to two stretches of the axis, and words behind it. */
struct be_bar {
    char label[2 * BE_NAME], words[2 * BE_NAME];
    double from[2], to[2]; /* NAN: there is none */
    const char *class[2];
    bool heading; /* of the rows below it: a label alone */
};
/* plot: its axis x, with words and name. */
void be_bars_svg(const char *title, const char *description, const struct be_bar *bar, int bars,
                 const struct be_plot *plot, struct be_text *out);

#endif
