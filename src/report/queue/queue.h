/*
 * Waits in a queue -> text, CSV, JSON, charts, pages. Reads the result structs of breakeven.h only.
 */
#ifndef BE_REPORT_QUEUE_QUEUE_H
#define BE_REPORT_QUEUE_QUEUE_H

#include "base/text.h"
#include "breakeven_queue.h"

/* "0.9 s", "8.2 m", "14.6 h", "3.1 d": room BE_WORD. `none` for NAN. */
const char *be_format_wait(char *to, size_t capacity, double seconds, const char *none);
/* "4 CPUh - 16 CPUh" of column `column`. */
void be_wait_column(const struct be_wait_table *table, int column, char *to, size_t capacity);
/* "2026-01-31T12:00:00" of seconds since 1970, without a zone; "day": the first ten signs. */
const char *be_format_moment(char *to, size_t capacity, int64_t seconds, bool day);
/* "median", "0.9 quantile" */
const char *be_format_quantile(char *to, size_t capacity, double q);

/* The spread beside a cell's wait: for a median the middle half of the waits, which is what somebody who queues wants
 * to know; for another quantile its 95 % interval. NAN: too few jobs. */
void be_wait_spread(const struct be_wait_table *table, const struct be_wait_cell *cell,
                    double *from_s, double *to_s);

void be_wait_text(const struct be_wait_table *table, struct be_text *out);
void be_wait_json(const struct be_wait_table *table, struct be_text *out);
void be_wait_csv(const struct be_wait_table *table, struct be_text *out);
void be_wait_chart_text(const struct be_wait_table *table, struct be_text *out);
void be_wait_chart_svg(const struct be_wait_table *table, struct be_text *out);
void be_wait_html(const struct be_wait_table *table, struct be_text *out);

void be_forecast_text(const struct be_forecast *forecast, struct be_text *out);
void be_forecast_json(const struct be_forecast *forecast, struct be_text *out);
void be_forecast_csv(const struct be_forecast *forecast, struct be_text *out);
/* Nothing where no partition has enough data. */
void be_forecast_svg(const struct be_forecast *forecast, struct be_text *out);
void be_forecast_html(const struct be_forecast *forecast, struct be_text *out);
/* Several jobs, forecast with one learning. only: each of these partitions has a line a job; NULL: the best one has. */
struct be_forecast_grid {
    const struct be_forecast *forecast;
    int jobs;
    const struct be_word_list *only;
};
/* The partition where a job starts soonest, of those with enough data that can take it; NULL: there is none. */
const struct be_forecast_row *be_forecast_best(const struct be_forecast *forecast);
void be_forecast_grid_svg(const struct be_forecast_grid *grid, struct be_text *out);
enum be_status be_forecast_grid_write(const struct be_forecast_grid *grid, enum be_format format,
                                      FILE *out, struct be_error *error);
/* The same, or else the best of those that may not take it (beyond). */
const struct be_forecast_row *be_forecast_likely(const struct be_forecast *forecast);
/* "16 CPUs, 1 GPU, 32 GB, 8.0 h" */
void be_forecast_job_words(const struct be_job_wish *wish, struct be_text *out);
void be_forecast_grid_json(const struct be_forecast_grid *grid, struct be_text *out);
/* A row of CSV, without its end. */
void be_forecast_csv_row(const struct be_forecast_row *row, struct be_text *out);
#define BE_FORECAST_CSV                                                                            \
    "partition,n,waiting,q50_s,q90_s,p_deadline,slurm_s,table_q50_s,table_q90_s,cannot_run"
/* The partition where the job starts soonest, and when: a sentence. */
void be_forecast_sentence(const struct be_forecast *forecast, struct be_text *out);

/* Notes about jobs that were read and do not count. */
void be_wait_notes(const struct be_wait_counts *counts, struct be_text *out);
/* "87 %", ">99 %": some hundred jobs make nothing certain. */
const char *be_queue_percent(char *to, size_t capacity, double share);
/* In quotes, as CSV has it. */
void be_queue_csv_text(struct be_text *out, const char *from);

#endif
