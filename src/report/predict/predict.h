/*
 * Predictions -> text, JSON, drawings, pages. It knows their struct (breakeven_predict.h), not how they come about.
 */
#ifndef BE_REPORT_PREDICT_PREDICT_H
#define BE_REPORT_PREDICT_PREDICT_H

#include "base/text.h"
#include "breakeven_predict.h"
#include "report/common/names.h"

void be_predict_text(const struct be_predict_table *table, struct be_text *out);
void be_predict_json(const struct be_predict_table *table, struct be_text *out);
/* Over several sizes, or at one. */
void be_predict_svg(const struct be_predict_table *table, struct be_text *out);
void be_predict_html(const struct be_predict_table *table, struct be_text *out);

/* ---- words ---------------------------------------------------------------------------------- */

enum { BE_PREDICT_SPAN = 3 * BE_WORD + 8 };

/* "h200 (NVIDIA H200), data copied in each call" */
const char *be_predict_title(const struct be_predict_machine *machine, char *to, size_t capacity);
/* The side that is faster there, and from which size on: a sentence. */
void be_predict_sentence(const struct be_predict_table *table,
                         const struct be_predict_machine *machine, struct be_text *out);
/* The letter or the word for the size. */
const char *be_predict_size_word(const struct be_predict_table *table);
/* "1.2 ms (0.9 ms-3 ms)" */
const char *be_predict_span(char to[BE_PREDICT_SPAN], const struct be_predict_time *time);
/* The part that the time of the GPU at size n mostly is, and what would change the verdict. */
void be_predict_changes(const struct be_predict_table *table, double n,
                        const struct be_prediction *prediction, struct be_text *out);
/* Is a measured time possible there? */
void be_predict_possible(const char *where, double measured_s, const struct be_predict_side *side,
                         struct be_text *out);

/* Lines that say where the times of a workload's table come from. */
void be_predict_add_origins(const struct be_predict_table *table,
                            const struct be_predict_machine *machine, struct be_text *out);

void be_learned_text(const struct be_profile *profile, const struct be_learned *learned,
                     struct be_text *out);
void be_learned_json(const struct be_profile *profile, const struct be_learned *learned,
                     struct be_text *out);

void be_stop_loss_text(const struct be_predict_rates *rates, double operations,
                       struct be_text *out);
void be_stop_loss_json(const struct be_predict_rates *rates, double operations,
                       struct be_text *out);
void be_stop_loss_html(const struct be_predict_rates *rates, double operations,
                       struct be_text *out);
void be_stop_loss_svg(const struct be_predict_rates *rates, double operations, struct be_text *out);

extern const struct be_names be_names_predict_verdict; /* enum be_predict_verdict */
extern const struct be_names be_names_predict_cause;   /* enum be_predict_cause */
extern const struct be_names be_names_predict_term;    /* enum be_predict_term */
extern const struct be_names be_names_predict_change;  /* enum be_predict_change */
extern const struct be_names be_names_predict_origin;  /* enum be_predict_origin */

/* "GPU", "launch", "looped-batch". */
const char *be_predict_verdict_word(enum be_predict_verdict verdict);
const char *be_predict_cause_word(enum be_predict_cause cause);
const char *be_predict_term_word(enum be_predict_term term);
const char *be_predict_origin_word(enum be_predict_origin origin);
const char *be_predict_change_word(enum be_predict_change change);

#endif
