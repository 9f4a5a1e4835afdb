/*
 * breakeven: how long jobs wait in a batch system.
 *
 * This header serves a program that turns the accounting of a cluster into a table of waits, or into a
 * forecast of one job's wait. It needs a file of accounting, or a Slurm whose sacct can be asked.
 *
 * It does not know measurements of computations. The rules of breakeven.h apply: the library never prints,
 * times are seconds, and an unknown number is NAN.
 */
#ifndef BREAKEVEN_QUEUE_H
#define BREAKEVEN_QUEUE_H

#include "breakeven.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- how long jobs waited ------------------------------------------------------------------- */

enum { BE_WAIT_BINS_MAX = 16, BE_REJECTS = 5 };

/* The rows of a table of waits. */
enum be_wait_rows {
    BE_ROWS_PARTITION,
    BE_ROWS_HOUR,    /* of submission, on the clocks there */
    BE_ROWS_WEEKDAY, /* of submission */
    BE_ROWS_GPUS,
    BE_ROWS_CPUS,
    BE_ROWS_MEMORY,
    BE_ROWS_KINDS
};

/* Why a job that is in the queue cannot run yet, whatever is free: it is not waiting for its turn. */
enum be_hold {
    BE_HOLD_NONE,
    BE_HOLD_HELD,       /* by its user or an administrator, or since it can never run as asked */
    BE_HOLD_BEGIN,      /* it is to begin later, or when its reservation does */
    BE_HOLD_DEPENDENCY, /* on another job */
    BE_HOLD_LIMIT,      /* its array, user, account or QOS has as much as it may have */
    BE_HOLD_UNSAID,     /* it could not run, and why is not known */
    BE_HOLDS
};

struct be_word_list {
    const char *word[BE_LIST_MAX];
    int words; /* 0: any */
};

/* Which jobs. Zero-initialise. */
struct be_job_filter {
    struct be_word_list partition, user, account, qos, gpu_type, state; /* state: "COMPLETED" */
    const char *since, *until; /* of submission: "2026-01-31" or with "T12:00:00"; NULL: any. until
                                  is not included, a day as a whole is */
    bool from_submit;          /* of forecasts: waits since submission, not since a job could run */
};

/* Where records come from. Zero-initialise. */
struct be_job_input {
    const char *const *file; /* "-": standard input; none: sacct is asked */
    int files;
    const char
        *fields; /* columns of files without a header, as of `sacct --format`; NULL: the 26 of
                           docs/queue.md */
    char mark; /* between the columns of files; 0: what a header has between its names, else '|' */
    bool
        zoned; /* times that say no zone are of the zone of this process (TZ), not "as they stand" */
    double page_s;  /* what sacct is asked for at a time; 0: a day */
    double pause_s; /* between two questions; 0: a fifth of what the last took, at most 5 s */
    void (*progress)(void *context, const struct be_progress *progress); /* may be NULL */
    bool (*cancelled)(void *context);                                    /* may be NULL */
    void *context;
};

/* Zero-initialise, then set what differs. */
struct be_wait_options {
    struct be_job_filter filter;
    enum be_wait_rows rows;
    double first,
        factor;         /* first edge between bins and the ratio of each to the one before; 4, 4 */
    int bins;           /* default 4 */
    bool memory_hours;  /* bins by GB-hours instead of CPU-hours */
    bool used;          /* hours that a job took, not those it asked for */
    bool from_eligible; /* wait since a job could have run, not since it was submitted */
    bool arrays;        /* an array is one job: its first task's wait, the hours of all */
    double quantile;    /* 0: the median */
    bool over_time;     /* also waits over time */
};

struct be_wait_cell {
    uint64_t n;                /* jobs */
    double wait_s, lo_s, hi_s; /* the quantile and its 95 % interval; NAN: none, or too few */
    double q25_s, q75_s;       /* half of the jobs waited between these; NAN: fewer than two */
};

struct be_wait_row {
    char name[BE_NAME];
};

/* A stretch of time, of submission. */
struct be_wait_span {
    int64_t from_s;
    struct be_wait_cell cell;
    double high_s; /* nine in ten waited no longer */
};

/* The records that were read, and those that do not count, each job once. */
struct be_wait_counts {
    uint64_t lines, bytes, jobs, steps;
    uint64_t rejected;    /* lines that are no job */
    uint64_t counted;     /* in the table */
    uint64_t filtered;    /* not asked for */
    uint64_t not_started; /* wait still, or were cancelled while they did */
    uint64_t negative;    /* started before they were submitted: a clock was changed */
    uint64_t no_size;     /* CPUs, memory or time not known */
    uint64_t no_limit;    /* counted by the time they took: no limit is known */
    uint64_t no_eligible; /* started, and since when they could run is not known */
    uint64_t held_first;  /* started, and could not run when they were submitted */
    struct {
        char file[BE_NAME * 2], why[BE_NAME * 2], text[BE_NAME * 2];
        uint64_t line;
    } reject[BE_REJECTS]; /* the first */
    bool held_counts;     /* time in which they could not run counts as waiting */
    bool local_times;     /* times without a zone, taken as they stand */
};

struct be_wait_table {
    enum be_wait_rows kind;
    bool memory_hours, used, from_eligible, arrays;
    double quantile;
    int64_t first_s, last_s;       /* submissions counted, on the clocks there */
    double edge[BE_WAIT_BINS_MAX]; /* columns - 1 of them, in CPU-hours or GB-hours */
    int rows, columns;
    struct be_wait_row *row;
    struct be_wait_cell *cell; /* rows x columns */
    struct be_wait_cell *all;  /* each row's, over all columns */
    struct be_wait_span *span; /* over time, if asked for */
    int spans;
    double span_s; /* the length of each; all but the last are whole */
    struct be_wait_counts counts;
    struct be_made made;
};

/* One pass over the records. On success *table owns memory: be_wait_table_free. BE_USAGE: a
 * partition that no job names (the text names those there are), a file that is no accounting;
 * BE_ABSENT: no sacct here and no file. */
enum be_status be_wait_table_read(const struct be_job_input *input,
                                  const struct be_wait_options *options,
                                  struct be_wait_table *table, struct be_error *error);
void be_wait_table_free(struct be_wait_table *table); /* accepts a zeroed one */
enum be_status be_wait_table_write(const struct be_wait_table *table, enum be_format format,
                                   FILE *out, struct be_error *error);
/* Waits over time and by size: BE_TEXT or BE_SVG. */
enum be_status be_wait_chart_write(const struct be_wait_table *table, enum be_format format,
                                   FILE *out, struct be_error *error);

/* ---- how long a job will wait --------------------------------------------------------------- */

/* A job that is not submitted yet. A zero, or NULL: not said; limit_s is needed, and no CPUs are one. */
struct be_job_wish {
    const char *user, *account; /* NULL: nobody that has jobs here */
    double cpus, gpus, memory_bytes, limit_s;
};

struct be_forecast_options {
    struct be_job_filter
        filter; /* of what is learnt from; its partitions: only these are answered */
    struct be_job_wish wish;
    const char
        *deadline;    /* "2026-12-01 09:00", on the clocks here or, of files, there; NULL: none */
    bool live;        /* ask squeue for what waits and runs now, and sbatch for its own estimate */
    bool no_estimate; /* leave sbatch alone: it would be asked for each job and partition */
};

/* How long such a job waits, as a distribution: wait_s[i] is its quantile i / 100, ascending, in whole seconds. All
 * that a forecast says of a row comes from it. */
enum { BE_ODDS_POINTS = 101 };
struct be_wait_odds {
    double wait_s[BE_ODDS_POINTS];
};
/* The probability of a start within so many seconds; NAN: no data. */
double be_wait_odds_share(const struct be_wait_odds *odds, double wait_s);

enum { BE_OCCASIONS_ENOUGH = 12 };

/* One partition. */
struct be_forecast_row {
    char partition[BE_NAME];
    int n;                    /* jobs of this size that started there lately, at most 500 */
    bool enough;              /* at least 29; else the times are NAN */
    bool unseen;              /* it was asked for, and no job of the accounting started there */
    struct be_wait_odds odds; /* of its wait; all NAN without enough data */
    double q50_s, q90_s;      /* half of such jobs start within, nine in ten: of odds */
    double p_deadline; /* probability of starting by the deadline, of odds; NAN: none was named */
    double slurm_s;    /* what sbatch --test-only says: not a bound; NAN: it was not asked, or
                              did not say */
    char slurm_note[BE_NOTE]; /* why it did not; empty: it did, or was not asked */
    int waiting;              /* jobs there now that could run */
    int occasions; /* on which jobs there waited for q50_s or longer, those side by side counted once: below
                      BE_OCCASIONS_ENOUGH one event decides, and the odds are less sure than they say;
                      -1: not enough data */
    uint64_t held[BE_HOLDS]; /* jobs there now that cannot run yet, by why */
    const char *beyond; /* "GPUs", "CPUs", "memory", "time": more of it than any that started there
                           had, so that it may not take such a job; NULL: it could go there */
    double table_q50_s,
        table_q90_s; /* of the last 500 of its size, whatever the queue is like now */
};

struct be_forecast {
    int64_t now_s;        /* the moment it holds for: the end of the accounting, or now */
    double deadline_in_s; /* NAN: none */
    bool live;
    bool estimated; /* sbatch was asked, too */
    struct be_job_wish wish;
    int rows; /* best first: by P(start by the deadline), or by q50; last what is beyond */
    struct be_forecast_row *row;
    int too_small;     /* partitions left out that never ran a job so large */
    bool gpus_unknown; /* a GPU is asked for, and no job of the accounting has one */
    /* Jobs that the filter leaves out: they wait and run beside the others, and nothing is learnt from
     * how long they waited. */
    uint64_t bystanders;
    uint64_t
        limited; /* started after a time at a limit of unknown length: they teach nothing either */
    struct be_wait_counts counts;
    struct be_made made;
};

/* On success *forecast owns memory: be_forecast_free. BE_USAGE and BE_ABSENT as of be_wait_table_read;
 * BE_USAGE too: no time limit, a deadline that has passed, an accounting without jobs. */
enum be_status be_forecast_make(const struct be_job_input *input,
                                const struct be_forecast_options *options,
                                struct be_forecast *forecast, struct be_error *error);
/* The same of several jobs, with one pass over the records and one learning: forecast[i] is that of wish[i], and
 * options->wish is not looked at. On success each forecast owns memory. */
enum be_status be_forecast_make_each(const struct be_job_input *input,
                                     const struct be_forecast_options *options,
                                     const struct be_job_wish *wish, int wishes,
                                     struct be_forecast *forecast, struct be_error *error);
void be_forecast_free(struct be_forecast *forecast); /* accepts a zeroed one */
enum be_status be_forecast_write(const struct be_forecast *forecast, enum be_format format,
                                 FILE *out, struct be_error *error);

/* Forecasts that were put to the test: each job of the last part of an accounting, as if it had
 * asked when it was submitted. */
struct be_forecast_cell {
    char partition[BE_NAME];
    int size; /* 0..5: CPU-hours asked for below 1, 4, 16, 64, 256, and above */
    uint64_t n;
    double below, under; /* shares that waited less than q90, and no longer than it */
    double table_under;
};
/* Starts by a deadline that were given such a probability: how many were asked, what they were given on average,
 * and the share that did start by then. */
struct be_forecast_odds {
    uint64_t n;
    double told, met;
};
enum { BE_ODDS_BINS = 10 };
struct be_forecast_score {
    char name[BE_NAME * 2];
    uint64_t jobs;    /* of the accounting */
    uint64_t asked;   /* of the last part that started */
    uint64_t no_data; /* of these "not enough data" */
    struct be_forecast_cell all;
    struct be_forecast_cell *cell; /* partition x size */
    int cells;
    /* Mean pinball loss, ours and of the sliding table: of log(1 + wait / s), and in hours. */
    double log50, table_log50, log90, table_log90;
    double hours50, table_hours50, hours90, table_hours90;
    /* By the probability told, below 0.1, 0.2, ..., 1: of a start within 5 minutes, 1, 6 and 24 hours. */
    struct be_forecast_odds odds[BE_ODDS_BINS];
    double seconds; /* of a processor that the forecasts took, learning included */
};
/* share: the last part, as 0.3. On success *score owns memory: be_forecast_score_free. */
enum be_status be_forecast_test(const struct be_job_input *input,
                                const struct be_job_filter *filter, double share,
                                struct be_forecast_score *score, struct be_error *error);
void be_forecast_score_free(struct be_forecast_score *score); /* accepts a zeroed one */
/* As Markdown. */
enum be_status be_forecast_score_write(const struct be_forecast_score *score, int scores, FILE *out,
                                       struct be_error *error);

#ifdef __cplusplus
}
#endif
#endif
