/* The options of `breakeven run`, and the report of a command that was watched. */
#ifndef BE_CLI_RUN_REPORT_H
#define BE_CLI_RUN_REPORT_H

#include "breakeven.h"
#include "observe/trace.h"

enum { BE_RUN_PATH = 1024 };

struct be_run_output {
    const char *path; /* NULL: it was not asked for */
    int file;         /* a copy of the descriptor of ours that `path` names; -1: it names none */
};

struct be_run_options {
    double interval_s;            /* between samples; 0: as the run's length asks */
    char command[BE_NOTE];        /* as it is recorded */
    char trace_file[BE_RUN_PATH]; /* where the trace is saved; empty: it is not */
    const char *trace_folder;     /* --trace; NULL: not asked for */
    bool calls;                   /* --calls */
    const char *calls_file;       /* their record; NULL: there is none */
    const char *calls_note;       /* why; may be empty */
    struct be_run_output output;  /* --output; none: stderr */
    struct be_run_output json;    /* --json */
    bool quiet;                   /* no report on stderr */
};

/* The report, to where it was asked for; where that cannot be written, to stderr. `kept`: the file that the
 * trace is in; NULL: none. */
enum be_status be_run_report(const struct be_run_options *options, const char *kept,
                             const struct be_trace *trace, struct be_error *error);

#endif
