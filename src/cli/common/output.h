/* Where results go. */
#ifndef BE_CLI_COMMON_OUTPUT_H
#define BE_CLI_COMMON_OUTPUT_H

#include <stdio.h>
#include "breakeven.h"

/* --json, --csv, --sarif and --html, each to a file or to standard output; --picture to a file; --chart as SVG to a file, or
 * as text behind the table; --png has the same drawing. */
struct be_cli_output {
    bool asked;
    const char *file; /* NULL: standard output */
    char *part;       /* what is written until it is whole; NULL: `file` itself */
    FILE *out;
};
struct be_cli_outputs {
    struct be_cli_output json, csv, picture, sarif, chart, png, html;
    bool no_text; /* standard output has something else */
};

/* An output that is asked for: to the file, or to standard output (NULL, "-"). */
struct be_cli_output be_cli_output_to(const char *file);

/* A copy, which no command inherits, of the descriptor of ours that the path names ("/dev/stdout",
 * "/dev/fd/63", which is what a shell makes of >(...)); -1: it names none. Opened by its path such a
 * file would be emptied, or replaced. */
int be_cli_own_file(const char *path);

/* Do two paths name one file, which may not be there yet? Not of pipes and devices, which may be written twice. */
bool be_cli_same_file(const char *one, const char *other);

/* Opens every file, before anything is measured: what cannot be written is said now, and what
 * stands in a file stays there until the new results are whole. */
enum be_status be_cli_outputs_open(struct be_cli_outputs *outputs, struct be_error *error);
/* be_comparison_write, be_profile_write and be_trace_write, of results of any kind. */
typedef enum be_status be_cli_writer(const void *results, enum be_format format, FILE *out,
                                     struct be_error *error);
be_cli_writer be_cli_write_comparison, be_cli_write_profile, be_cli_write_trace;

/* Writes the results to each, and as text to standard output unless that has something else. */
enum be_status be_cli_outputs_write(struct be_cli_outputs *outputs, be_cli_writer *write,
                                    const void *results, struct be_error *error);
/* Is a drawing asked for, in whatever form? */
bool be_cli_outputs_drawn(const struct be_cli_outputs *outputs);
/* Is a chart to be printed, as text? */
bool be_cli_outputs_chart(const struct be_cli_outputs *outputs);
/* There is none: its file stays as it is. */
void be_cli_outputs_no_picture(struct be_cli_outputs *outputs);
/* Closes; what was not written whole is removed. Accepts a zeroed one. */
void be_cli_outputs_close(struct be_cli_outputs *outputs);

#endif
