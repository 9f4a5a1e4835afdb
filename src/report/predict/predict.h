/*
 * Predictions -> text, JSON, SVG. It knows their struct (breakeven_predict.h), not how they come about.
 */
#ifndef BE_REPORT_PREDICT_PREDICT_H
#define BE_REPORT_PREDICT_PREDICT_H

#include "base/text.h"
#include "breakeven_predict.h"

void be_predict_text(const struct be_predict_table *table, struct be_text *out);
void be_predict_json(const struct be_predict_table *table, struct be_text *out);

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
void be_stop_loss_svg(const struct be_predict_rates *rates, double operations, struct be_text *out);

/* "GPU", "launch", "looped-batch". */
const char *be_predict_verdict_word(enum be_predict_verdict verdict);
const char *be_predict_cause_word(enum be_predict_cause cause);
const char *be_predict_term_word(enum be_predict_term term);
const char *be_predict_origin_word(enum be_predict_origin origin);
const char *be_predict_change_word(enum be_predict_change change);

#endif
