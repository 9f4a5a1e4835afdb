/*
 * The command line: one file a command, options by argp, results through the library. It does not know how results
 * are computed.
 */
#ifndef BE_CLI_CLI_H
#define BE_CLI_CLI_H

#include <argp.h>

#include "breakeven.h"

enum be_exit {
    BE_EXIT_OK = 0,
    BE_EXIT_FINDINGS = 1, /* kept for commands that report findings */
    BE_EXIT_USAGE = 2,    /* also a file that cannot be read or written, and memory there is not */
    BE_EXIT_ABSENT = 3,
    BE_EXIT_WRONG = 4,
    BE_EXIT_INTERRUPTED = 130
};

int be_cli_run(int argc, char **argv);

int be_cli_clusters(int argc, char **argv);
int be_cli_compare(int argc, char **argv);
int be_cli_job(int argc, char **argv);
int be_cli_lint(int argc, char **argv);
int be_cli_machines(int argc, char **argv);
int be_cli_probe(int argc, char **argv);
int be_cli_queue(int argc, char **argv);
int be_cli_report(int argc, char **argv);
int be_cli_summary(int argc, char **argv);
int be_cli_run_command(int argc, char **argv);
int be_cli_watch(int argc, char **argv);

/* argp_parse, with -h as well as --help; what is misused ends the program with 2. */
error_t be_cli_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input);

/* Prints the error as "breakeven: text" and returns the exit code that its status has. */
int be_cli_fail(const struct be_error *error);

/* ---- values of options: each returns BE_USAGE with what is wrong and what is right ---------- */

/* "1e6", "300000", a whole number of at least `least`. */
enum be_status be_cli_whole(const char *what, const char *text, uint64_t least, uint64_t *value,
                            struct be_error *error);
/* "1e3,1e6" into the list, or "1e3..1e6" into from and to; of the option --what. */
enum be_status be_cli_values(const char *what, const char *text, uint64_t least,
                             struct be_choice *choice, struct be_error *error);
enum be_status be_cli_sizes(const char *text, struct be_compare_options *options,
                            struct be_error *error);
enum be_status be_cli_threads(const char *text, struct be_compare_options *options,
                              struct be_error *error);
enum be_status be_cli_placements(const char *text, struct be_compare_options *options,
                                 struct be_error *error);
enum be_status be_cli_caches(const char *text, struct be_compare_options *options,
                             struct be_error *error);
enum be_status be_cli_seconds(const char *what, const char *text, double *seconds,
                              struct be_error *error);
/* Cuts `text` at its commas in place; the parts stay there. */
enum be_status be_cli_names(const char *what, char *text, const char **list, int *count,
                            struct be_error *error);
/* The place of `text` among words with a NULL behind; BE_USAGE names them. what: "by" of --by. */
enum be_status be_cli_choice(const char *what, const char *text, const char *const *word,
                             int *index, struct be_error *error);

/* ---- parameters of workloads as options ------------------------------------------------------ */

/* Appends an option for each parameter that any workload has to `option`, which has room for
 * `room` in all and ends with a zeroed one, keys from BE_CLI_PARAMETER on. */
enum { BE_CLI_PARAMETER = 1000 };
void be_cli_parameter_options(struct argp_option *option, int room);
/* Which workloads have it and what it is, for --help; to be freed, NULL: no memory. */
char *be_cli_parameter_help(const char *parameter);
/* The value of such an option; `name`: the option's. */
enum be_status be_cli_parameter(const char *name, const char *text,
                                struct be_compare_options *options, struct be_error *error);

/* ---- where results go ----------------------------------------------------------------------- */

/* --json, --csv and --sarif, each to a file or to standard output; --picture to a file. */
struct be_cli_output {
    bool asked;
    const char *file; /* NULL: standard output */
    char *part;       /* what is written until it is whole; NULL: `file` itself */
    FILE *out;
};
struct be_cli_outputs {
    struct be_cli_output json, csv, picture, sarif;
    const char *draw; /* the option that names the picture's file; NULL: --picture */
    bool no_text;     /* standard output has something else */
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
/* There is none: its file stays as it is. */
void be_cli_outputs_no_picture(struct be_cli_outputs *outputs);
/* Closes; what was not written whole is removed. Accepts a zeroed one. */
void be_cli_outputs_close(struct be_cli_outputs *outputs);

/* ---- clusters -------------------------------------------------------------------------------- */

struct be_catalogue_file;
/* Keys of a catalogue's file that were passed over, on standard error: they may be misspelt. */
void be_cli_catalogue_remarks(const struct be_catalogue_file *file);

/* ---- progress and Ctrl-C -------------------------------------------------------------------- */

/* One line on standard error when that is a terminal, a few times a second. */
void be_cli_progress(void *context, const struct be_progress *progress);
void be_cli_progress_clear(void);

/* From here on Ctrl-C, SIGTERM or SIGHUP asks the run to end; a second one, a tenth of a second later or
 * more, says so and ends the program with 130. */
void be_cli_catch_interrupt(void);
bool be_cli_interrupted(void *context);
/* Between these two, the second Ctrl-C also removes the file `path`. A program has at most so many;
 * more are left as they are. */
enum { BE_CLI_PARTS = 3 };
void be_cli_part_begins(const char *path);
void be_cli_part_ends(const char *path);

#endif
