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

/* The fields that a reader can do without: such a field is then not looked at, and NAN, 0 or
 * BE_NO_TIME. */
enum { BE_SKIP_END = 1, BE_SKIP_MEMORY = 2, BE_SKIP_GPUS = 4 };

struct be_records_options {
    const struct be_zone *zone; /* of times that say none; NULL: taken as they stand */
    const char *fields; /* columns of a file without a header, as of `sacct --format`; NULL: the 26
                           of BE_SACCT_FIELDS */
    unsigned skip;      /* BE_SKIP_ bits */
    char mark;          /* between fields; 0: '|', or what the header has between its names */
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
/* The fault of the line, or NULL: then *step says whether it is a step, else *record is filled.
 * *local: a time without a zone was met, and there is none in options. */
const char *be_sacct_line(const struct be_sacct *sacct, const struct be_records_options *options,
                          struct be_slice line, struct be_record *record, bool *step, bool *local);

/* May a line that is wrong in this way be the first of several, broken by line ends in a text? */
bool be_sacct_goes_on(const struct be_sacct *sacct, const char *wrong);
/* Is the last column free text, so that a line that is no job is the rest of the one before? */
bool be_sacct_ends_free(const struct be_sacct *sacct);

/* A word on what a file is that is no accounting of Slurm's, from its first line, with what to do; false: nothing
 * that is known. */
bool be_records_foreign(const char *name, struct be_slice first, struct be_error *error);

struct be_json_jobs; /* what `sacct --json` says, one job after the other */
/* The text begins with `first`, a line that was read already. */
enum be_status be_json_jobs_open(struct be_lines *lines, const char *name, struct be_slice first,
                                 struct be_json_jobs **jobs, struct be_error *error);
void be_json_jobs_close(struct be_json_jobs *jobs); /* accepts NULL */
/* The next job as a line of the columns BE_JSON_FIELDS, with BE_JSON_MARK between them. */
enum be_status be_json_jobs_next(struct be_json_jobs *jobs, struct be_slice *line, bool *more,
                                 struct be_error *error);
uint64_t be_json_jobs_lines(const struct be_json_jobs *jobs); /* so far */
#define BE_JSON_MARK '\x1f'
#define BE_JSON_FIELDS                                                                             \
    "JobID\x1fPartition\x1fUser\x1f"                                                               \
    "Account\x1fQOS\x1fSubmit\x1f"                                                                 \
    "Eligible\x1fStart\x1f"                                                                        \
    "End\x1f"                                                                                      \
    "ElapsedRaw\x1fState\x1f"                                                                      \
    "Reason\x1fNNodes\x1fReqCPUS\x1fReqMem\x1fReqTRES\x1f"                                         \
    "AllocTRES\x1fTimelimitRaw\x1fNodeList"

struct be_swf; /* what the head of an SWF file says */
/* utc: times are to be moments; else as the clocks there showed them, as far as its head says. */
enum be_status be_swf_open(bool utc, struct be_swf **swf, struct be_error *error);
void be_swf_close(struct be_swf *swf);
bool be_swf_is(struct be_slice line);
void be_swf_comment(struct be_swf *swf, struct be_slice line);
const char *be_swf_line(struct be_swf *swf, struct be_slice line, struct be_record *record);

#endif
