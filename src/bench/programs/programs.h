/*
 * Two whole programs over sizes: their time from start to end, in turn, and from which size the second stays ahead. It
 * knows nothing of what they compute, and prints nothing.
 */
#ifndef BE_BENCH_PROGRAMS_PROGRAMS_H
#define BE_BENCH_PROGRAMS_PROGRAMS_H

#include <stddef.h>

#include "breakeven.h"

struct be_programs {
    const char *command[2]; /* as typed, with {n} in the place of the size: "./cpu {n}" */
    bool same_output;       /* hold their outputs against each other */
    double tolerance;       /* largest difference of two numbers over the larger of them */
    const struct be_compare_options
        *options; /* sizes, budget_s of a program and size (0: 2), patience_s (0: 60),
                                                 total_s (0: no limit), no_refine, seed, progress, cancelled */
};

/* BE_USAGE: a command is empty or has no {n}, or sizes are missing. A program that fails, takes longer than the
 * patience, or writes something else than the other is no error: its result says so. On success *comparison owns
 * memory. */
enum be_status be_programs_compare(const struct be_programs *programs,
                                   struct be_comparison *comparison, struct be_error *error);

/* ---- inside --------------------------------------------------------------------------------- */

/* One run of a command. */
struct be_program_run {
    double seconds; /* from before its start to its end */
    bool ended;     /* false: it took longer than the patience, or somebody cancelled */
    bool cancelled;
    char failed[BE_NOTE]; /* why it is no good run: "exit code 3: ..."; empty: it is */
};

/* Where a command writes: memory of its own for each stream. */
struct be_program_output {
    int out, complaints; /* descriptors; -1: none */
};
enum be_status be_program_output_open(struct be_program_output *output, struct be_error *error);
void be_program_output_close(
    struct be_program_output *output); /* accepts what open failed to fill */

/* Starts it through the shell, in a process group of its own, with no input. BE_IO: it cannot be started at all. */
enum be_status be_program_run(const char *command, uint64_t n, double patience_s,
                              const struct be_program_output *output,
                              const struct be_compare_options *options, struct be_program_run *run,
                              struct be_error *error);
/* "./cpu {n}" with the size in its place; false: there is no room. */
bool be_command_words(const char *command, uint64_t n, char *to, size_t capacity);

/* Are two outputs the same? Words that are numbers on both sides may differ by `tolerance` of the larger; all else is
 * compared as it is, less blanks at ends of lines. false: `why` says where ("line 3: 1.25 and 1.31 differ by 4.6 %"). */
bool be_outputs_agree(const char *one, const char *other, double tolerance, char *why,
                      size_t capacity);

#endif
