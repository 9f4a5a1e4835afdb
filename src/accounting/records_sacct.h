/*
 * The columns of sacct, by the names in a header or in --fields, and a line cut into them. Inside the reader of
 * records: it does not know what the fields say.
 */
#ifndef BE_ACCOUNTING_RECORDS_SACCT_H
#define BE_ACCOUNTING_RECORDS_SACCT_H

#include "accounting/records.h"

enum be_sacct_column {
    BE_COLUMN_JOBID,
    BE_COLUMN_JOBIDRAW,
    BE_COLUMN_PARTITION,
    BE_COLUMN_QOS,
    BE_COLUMN_ACCOUNT,
    BE_COLUMN_USER,
    BE_COLUMN_SUBMIT,
    BE_COLUMN_ELIGIBLE,
    BE_COLUMN_START,
    BE_COLUMN_END,
    BE_COLUMN_ELAPSED,
    BE_COLUMN_ELAPSEDRAW,
    BE_COLUMN_STATE,
    BE_COLUMN_NNODES,
    BE_COLUMN_NCPUS,
    BE_COLUMN_REQCPUS,
    BE_COLUMN_REQMEM,
    BE_COLUMN_REQTRES,
    BE_COLUMN_ALLOCTRES,
    BE_COLUMN_REQGRES,
    BE_COLUMN_ALLOCGRES,
    BE_COLUMN_TIMELIMIT,
    BE_COLUMN_TIMELIMITRAW,
    BE_COLUMN_NODELIST,
    BE_COLUMN_REASON,
    BE_COLUMN_LIMIT_S, /* seconds, as published data sets have it */
    BE_COLUMN_GPUS,    /* a count */
    BE_COLUMN_FREE,    /* text that may hold anything: there can be several */
    BE_COLUMN_LIST,    /* of key=value with commas, and of no use here */
    BE_COLUMN_OTHER,
    BE_COLUMNS
};

enum { BE_FREE_MAX = 16 };

struct be_sacct {
    char mark;
    bool quoted;        /* fields may stand in quotes, with marks and line ends in them */
    int count;          /* columns */
    int at[BE_COLUMNS]; /* -1: not there */
    int free[BE_FREE_MAX], frees;
    bool list[BE_COLUMNS_MAX]; /* this column is a list of key=value */
};

/* As sacct understands a name: whole, or shortened to what no other column before it in its list begins with.
 * "JobName%30" is JobName. Whole names of squeue and of published data sets ("submit_time") are known, too. BE_COLUMNS: none of sacct's. */
enum be_sacct_column be_sacct_column_of(struct be_slice name, bool *whole);

/* Cuts a line into at most BE_COLUMNS_MAX fields; returns how many there are. -1: it ends within quotes. */
int be_sacct_split(const struct be_sacct *sacct, struct be_slice line, struct be_slice *field);
/* Puts what is too much to lists, where the mark is their comma; returns how many fields are left. */
int be_sacct_join_lists(const struct be_sacct *sacct, struct be_slice *field, int count);
/* The fields as the header counts them: of what is too much, give[k] more pieces belong to the k-th column of free
 * text. */
void be_sacct_arrange(const struct be_sacct *sacct, const struct be_slice *field, const int *give,
                      struct be_slice *to);
/* The next way to give away the same sum to `frees` columns; false: that was the last. */
bool be_sacct_give_next(int *give, int frees);

#endif
