/*
 * The words that results are written with: one table per enum, both ways.
 */
#ifndef BE_REPORT_COMMON_NAMES_H
#define BE_REPORT_COMMON_NAMES_H

/* word[value] for value 0..count-1. A NULL word is a value that has none: null in JSON. */
struct be_names {
    const char *const *word;
    int count;
};

extern const struct be_names be_names_placement;  /* enum be_placement */
extern const struct be_names be_names_cache;      /* enum be_cache */
extern const struct be_names be_names_status;     /* enum be_result_status */
extern const struct be_names be_names_breakeven;  /* enum be_breakeven_status */
extern const struct be_names be_names_repaid;     /* enum be_repaid */
extern const struct be_names be_names_code;       /* enum be_code */
extern const struct be_names be_names_code_chain; /* enum be_code_chain */
extern const struct be_names be_names_limit;      /* enum be_limit */
extern const struct be_names be_names_stop;       /* enum be_stop */
extern const struct be_names be_names_phase;      /* enum be_phase */
extern const struct be_names be_names_kind;       /* enum be_kind */
extern const struct be_names be_names_origin;     /* enum be_origin */
extern const struct be_names be_names_unit;       /* enum be_unit */
extern const struct be_names be_names_source;     /* enum be_source */
extern const struct be_names be_names_verdict;    /* enum be_diff_verdict */
extern const struct be_names be_names_end;        /* enum be_end, of a trace */
extern const struct be_names be_names_scope;      /* enum be_scope, of a signal */
extern const struct be_names be_names_in;         /* enum be_signal_unit */
extern const struct be_names be_names_weight;     /* enum be_weight, of a finding */

/* NULL for a value that has no word. */
const char *be_names_word(const struct be_names *names, int value);

/* The value of `word`; with word NULL, the value that has none. -1: there is no such. */
int be_names_find(const struct be_names *names, const char *word);

#endif
