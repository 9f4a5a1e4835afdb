/*
 * Every record of the files named, or of what sacct says when none is, to one function. Which jobs
 * are meant is decided here too.
 */
#ifndef BE_ACCOUNTING_INPUT_H
#define BE_ACCOUNTING_INPUT_H

#include "breakeven_queue.h"
#include "accounting/records.h"

/* Called for each record; another status than BE_OK ends the reading. */
typedef enum be_status be_record_taker(void *context, const struct be_record *record,
                                       struct be_error *error);

/* skip: BE_SKIP_ bits. since_s, until_s: what sacct is asked for; until_s BE_NO_TIME: until now. */
enum be_status be_input_each(const struct be_job_input *input, unsigned skip, int64_t since_s,
                             int64_t until_s, struct be_wait_counts *counts, be_record_taker *take,
                             void *context, struct be_error *error);

/* The zone of times without one, to be freed: of this process, where they are asked for so or come from sacct.
 * *zone NULL: they count as they stand. */
enum be_status be_input_zone(const struct be_job_input *input, struct be_zone **zone,
                             struct be_error *error);

/* Between parts of work that takes a while: tells the caller how far it is. BE_STOPPED: it is to end. */
enum be_status be_input_go_on(const struct be_job_input *input, const char *what, size_t done,
                              size_t left, double elapsed_s, struct be_error *error);

/* A filter made ready: its moments read. */
struct be_job_match {
    const struct be_job_filter *filter;
    int64_t since_s, until_s; /* as submit times of records are; BE_NO_TIME: any */
    uint32_t states;          /* bits of enum be_job_state; 0: any */
};
/* Where sacct is asked and nobody says since when: of the last 30 days. The filter must outlive it. */
enum be_status be_match_open(const struct be_job_input *input, const struct be_job_filter *filter,
                             struct be_job_match *match, struct be_error *error);
/* A moment as options give it: "2026-01-31", "2026-01-31T12:00", "2026-01-31 12:00:00"; NULL:
 * BE_NO_TIME. day_as_whole: a day alone means its end. zone: NULL: as it stands. `what` is the
 * option. */
enum be_status be_moment(const char *what, const char *text, bool day_as_whole,
                         const struct be_zone *zone, int64_t *seconds, struct be_error *error);
/* All of it but the partition. */
bool be_match(const struct be_job_match *match, const struct be_record *record);
bool be_word_listed(const struct be_word_list *list, struct be_slice word);

#endif
