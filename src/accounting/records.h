/*
 * Jobs one after the other, from lines of `sacct -P` with or without a header, or of a Standard
 * Workload Format file: whichever it is, it finds out. One pass, one line in memory at a time. A
 * line that is no job is counted, and the first few are kept, with what is wrong.
 */
#ifndef BE_ACCOUNTING_RECORDS_H
#define BE_ACCOUNTING_RECORDS_H

#include "breakeven_queue.h"
#include "accounting/record.h"
#include "base/lines.h"
#include "accounting/zone.h"

/* What a reader can do without: it is then not looked at, and NAN, 0 or BE_NO_TIME. */
enum { BE_SKIP_END = 1, BE_SKIP_MEMORY = 2, BE_SKIP_GPUS = 4 };

struct be_records_options {
    const struct be_zone *zone; /* of times that say none; NULL: taken as they stand */
    const char *fields; /* columns of a file without a header, as of `sacct --format`; NULL: the 26
                           of BE_SACCT_FIELDS */
    unsigned skip;      /* BE_SKIP_ bits */
    char mark;          /* between fields; 0: '|' */
};

/* The 26 columns of a file without a header (docs/queue.md). */
#define BE_SACCT_FIELDS                                                                            \
    "jobidraw,jobid,cluster,partition,qos,account,group,gid,user,uid,submit,eligible,start,end,"   \
    "elapsed,exitcode,state,nnodes,ncpus,reqcpus,reqmem,reqtres,alloctres,timelimit,nodelist,"     \
    "jobname"

struct be_records;

/* Takes the lines over: they are closed with it, also when this fails. `name` is for messages,
 * of `counts` it adds to lines, bytes, jobs, steps, rejected, reject and local_times. BE_USAGE:
 * not the lines of jobs, with what they should be. */
enum be_status be_records_open(struct be_lines *lines, const char *name,
                               const struct be_records_options *options,
                               struct be_wait_counts *counts, struct be_records **source,
                               struct be_error *error);
/* The next job; its slices hold until the next call. *more false: there is none. */
enum be_status be_records_next(struct be_records *source, struct be_record *record, bool *more,
                               struct be_error *error);
void be_records_close(struct be_records *source); /* accepts NULL */

/* ---- inside: one line -> one record --------------------------------------------------------- */

enum { BE_COLUMNS_MAX = 256 };

struct be_sacct; /* which column is where */
/* The header has `between` its names, lines have `mark` between their fields. */
enum be_status be_sacct_open(const char *name, struct be_slice header, char between, char mark,
                             struct be_sacct **sacct, struct be_error *error);
void be_sacct_close(struct be_sacct *sacct);
/* Is this line a header of sacct's? */
bool be_sacct_is_header(struct be_slice line, char mark);
/* What is wrong with the line, or NULL: then *step says whether it is a step, else *record is
 * filled. *local: a time without a zone was met, and there is none in options. */
const char *be_sacct_line(const struct be_sacct *sacct, const struct be_records_options *options,
                          struct be_slice line, struct be_record *record, bool *step, bool *local);

struct be_swf; /* what the head of an SWF file says */
/* utc: times are to be moments; else as the clocks there showed them, as far as its head says. */
enum be_status be_swf_open(bool utc, struct be_swf **swf, struct be_error *error);
void be_swf_close(struct be_swf *swf);
bool be_swf_is(struct be_slice line);
void be_swf_comment(struct be_swf *swf, struct be_slice line);
const char *be_swf_line(struct be_swf *swf, struct be_slice line, struct be_record *record);

#endif
