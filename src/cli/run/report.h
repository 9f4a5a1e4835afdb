/* The options of `breakeven run`, and the report of a command that was watched. */
#ifndef BE_CLI_RUN_REPORT_H
#define BE_CLI_RUN_REPORT_H

#include <stdio.h>

#include "breakeven.h"
#include "observe/trace.h"

enum { BE_RUN_PATH = 1024 };

struct be_run_output {
    const char *path; /* NULL: it was not asked for */
    int file;         /* a copy of the descriptor of ours that `path` names; -1: it names none */
};

/* Fills in `file`. BE_IO, BE_USAGE: nothing can be written there. */
enum be_status be_run_output_choose(struct be_run_output *to, struct be_error *error);
/* NULL: it cannot be opened. Closing returns `status`, what came of the writing, or BE_IO. */
FILE *be_run_output_open(const struct be_run_output *to);
enum be_status be_run_output_close(const struct be_run_output *to, FILE *out, enum be_status status,
                                   struct be_error *error);
/* Standard error goes on in a line of its own, which the command may have left open. */
void be_run_leave_line(const struct be_trace *trace);

/* Another look at the command, by the process that watches it. */
struct be_run_look {
    const int *file; /* descriptors of ours that it needs */
    int files;
    void (*begin)(void *context); /* before the command starts */
    void (*look)(void *context);  /* now and then */
    double every_s;               /* between two looks; 0: a tenth of a second */
    void (*end)(void *context,
                struct be_trace *trace); /* of the run; NULL: nothing is to be done */
    /* Stands in the place of the usual report; NULL: that comes. */
    enum be_status (*report)(void *context, const struct be_trace *trace, struct be_error *error);
    void *context;
};

struct be_run_options {
    double interval_s;               /* between samples; 0: as the run's length asks */
    char command[BE_NOTE];           /* as it is recorded */
    char trace_file[BE_RUN_PATH];    /* where the trace is saved; empty: it is not */
    const char *trace_folder;        /* --trace; NULL: not asked for */
    bool calls;                      /* --calls */
    const char *calls_file;          /* their record; NULL: there is none */
    const char *calls_note;          /* why; may be empty */
    struct be_run_output output;     /* --output; none: stderr */
    struct be_run_output json;       /* --json */
    struct be_run_output html, svg;  /* --html, --svg */
    bool no_verdict;                 /* no word of GPUs */
    bool quiet;                      /* no report on stderr */
    const struct be_run_look *other; /* NULL: none */
};

/* The report, to where it was asked for; where that cannot be written, to stderr. `kept`: the file that the
 * trace is in; NULL: none. */
enum be_status be_run_report(const struct be_run_options *options, const char *kept,
                             const struct be_trace *trace, struct be_error *error);

#endif
