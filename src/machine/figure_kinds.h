/* Every kind of figure that a profile can have. */
#ifndef BE_MACHINE_FIGURE_KINDS_H
#define BE_MACHINE_FIGURE_KINDS_H

#include "breakeven_profile.h"

/* A kind of figure: its name, its unit, and how it comes about. */
struct be_figure_kind {
    const char *what;
    enum be_unit unit;
    const char *title;  /* for people: "launch and wait" */
    const char *method; /* one clause */
};
extern const struct be_figure_kind be_figure_kinds[];          /* ends with what NULL */
const struct be_figure_kind *be_figure_kind(const char *what); /* NULL: there is no such */

/* Its place in the table; one that is not there comes after all. */
int be_figure_place(const char *what);

/* Is more better? A rate: yes; a time: no. */
bool be_unit_is_rate(enum be_unit unit);

#endif
