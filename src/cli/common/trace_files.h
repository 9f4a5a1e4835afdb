/*
 * Where traces are kept: files that only their owner may read.
 */
#ifndef BE_CLI_COMMON_TRACE_FILES_H
#define BE_CLI_COMMON_TRACE_FILES_H

#include "observe/trace.h"

/* The user's folder of traces, made where it is missing: $XDG_DATA_HOME/breakeven/runs, or
 * ~/.local/share/breakeven/runs. The path of a new one in it; all but the newest 50 are removed.
 * job: "slurm 4711" or empty. */
enum be_status be_trace_file_new(const char *job, char *path, size_t capacity,
                                 struct be_error *error);

/* Writes it beside and renames it; mode 600. */
enum be_status be_trace_file_save(const struct be_trace *trace, const char *path,
                                  struct be_error *error);

/* The newest trace of the user's own of that Slurm job; false: there is none. */
bool be_trace_file_of_job(const char *number, char *path, size_t capacity);

/* The trace that was written last, of those that are kept and of those in the current folder (*.json); false: there
 * is none. */
bool be_trace_file_last(char *path, size_t capacity);

/* Can a file be written there? Leaves nothing behind. */
enum be_status be_trace_file_try(const char *path, struct be_error *error);

#endif
