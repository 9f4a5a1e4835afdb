/*
 * breakeven: results as texts in memory.
 *
 * This header serves a program in another language, which has no FILE. Each function that writes results to a file has
 * a twin here that returns them as a text, and saved results are read from a text.
 *
 * It does not know how results come about. The rules of breakeven.h apply.
 */
#ifndef BREAKEVEN_TEXT_H
#define BREAKEVEN_TEXT_H

#include "breakeven.h"

#ifdef __cplusplus
extern "C" {
#endif

struct be_forecast;       /* breakeven_queue.h */
struct be_forecast_score; /* breakeven_queue.h */
struct be_wait_table;     /* breakeven_queue.h */
struct be_predict_rates;  /* breakeven_predict.h */
struct be_learned;        /* breakeven_predict.h */
struct be_predict_table;  /* breakeven_predict.h */
struct be_results;        /* breakeven_results.h */

/* On success *string is the caller's, ended by a zero: be_string_free, which accepts NULL. On failure it is NULL. */
void be_string_free(char *string);

/* The twin of be_X_write is be_X_string. BE_USAGE: there is no such format of it, or it is no text (BE_PNG). */
enum be_status be_comparison_string(const struct be_comparison *comparison, enum be_format format,
                                    char **string, struct be_error *error);
enum be_status be_profile_string(const struct be_profile *profile, enum be_format format,
                                 char **string, struct be_error *error);
enum be_status be_profile_diff_string(const struct be_profile *a, const struct be_profile *b,
                                      enum be_format format, char **string, struct be_error *error);
enum be_status be_results_string(const struct be_results *results, char **string,
                                 struct be_error *error);
enum be_status be_wait_table_string(const struct be_wait_table *table, enum be_format format,
                                    char **string, struct be_error *error);
enum be_status be_wait_chart_string(const struct be_wait_table *table, enum be_format format,
                                    char **string, struct be_error *error);
enum be_status be_forecast_string(const struct be_forecast *forecast, enum be_format format,
                                  char **string, struct be_error *error);
enum be_status be_forecast_score_string(const struct be_forecast_score *score, int scores,
                                        char **string, struct be_error *error);
enum be_status be_predict_string(const struct be_predict_table *table, enum be_format format,
                                 char **string, struct be_error *error);
enum be_status be_stop_loss_string(const struct be_predict_rates *rates, double operations,
                                   enum be_format format, char **string, struct be_error *error);
enum be_status be_learned_string(const struct be_profile *profile, const struct be_learned *learned,
                                 enum be_format format, char **string, struct be_error *error);

/* Reads what was saved as JSON, a comparison or a profile, and gives it back in another format. `name` is for messages.
 * BE_USAGE: it is neither, or damaged. */
enum be_status be_saved_string(const char *json, const char *name, enum be_format format,
                               char **string, struct be_error *error);

/* ---- questions ------------------------------------------------------------------------------ */

/* Answers questions, and keeps the profiles of machines that it has read: a program that asks at run time asks in
 * microseconds. For one thread at a time. */
struct be_asker;

enum be_status be_asker_open(struct be_asker **opened, struct be_error *error);
void be_asker_close(struct be_asker *asker); /* accepts NULL */

/*
 * The answer to a question, which is JSON as its answer is: docs/json.md, "Questions". {"ask":"worth","size":1000,
 * "flops":"2*n^3","machines":["h200"],"cpu":"cpu-2"} is answered by one prediction.
 *
 * format: BE_JSON; "predict" also BE_TEXT, BE_SVG and BE_HTML; "machines", "machine" and "lint" also BE_TEXT. `name` is for
 * messages. BE_USAGE: it is no question, or asks about a machine or a cluster that nobody knows; others as of be_predict
 * and be_probe.
 */
enum be_status be_asker_string(struct be_asker *asker, const char *question, const char *name,
                               enum be_format format, char **string, struct be_error *error);

/* ---- fields --------------------------------------------------------------------------------- */

/* The fields of results as JSON: name, kind, the words that a value can have, the fields within. kind: "comparison",
 * "profile", "predictions", "prediction", "machines", "lint", "waits", "forecast", "forecasts". From it a binding makes its classes. BE_USAGE: there is no such kind. */
enum be_status be_fields_string(const char *kind, char **string, struct be_error *error);

#ifdef __cplusplus
}
#endif
#endif
