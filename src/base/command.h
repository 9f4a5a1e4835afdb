/*
 * Slurm's own commands, run and read: their output line by line, what they complain of as the
 * error. Knows nothing of what they say.
 */
#ifndef BE_BASE_COMMAND_H
#define BE_BASE_COMMAND_H

#include <sys/types.h>

#include "base/lines.h"

struct be_command {
    pid_t pid;      /* 0: none runs */
    int complaints; /* what it writes to standard error: a file already removed */
    const char *name;
    bool complained; /* once it has ended: it said why it failed */
};

/* Starts word[0], found along PATH, with NULL behind the last word, and times printed as seconds
 * since 1970 (SLURM_TIME_FORMAT). Options that Slurm's commands take from the environment (SQUEUE_USERS,
 * SINFO_PARTITION, SACCT_FEDERATION, SBATCH_TIMELIMIT, SLURM_CLUSTERS) are not handed on. Its standard output becomes *lines, which the caller closes, and
 * only then waits. BE_ABSENT: there is no such command here. */
enum be_status be_command_start(const char *const *word, struct be_command *command,
                                struct be_lines **lines, struct be_error *error);
/* Waits for its end. BE_IO: it failed; the text is its last words. BE_ABSENT: it says that there is no
 * Slurm here that it belongs to, or no accounting. Accepts a zeroed one. */
enum be_status be_command_wait(struct be_command *command, struct be_error *error);
/* Runs it and hands over each line of its standard output. The first status that is not BE_OK, of `take`, of
 * reading or of the command; `take` ends it early. */
typedef enum be_status be_command_take(void *context, struct be_slice line, struct be_error *error);
enum be_status be_command_each(const char *const *word, be_command_take *take, void *context,
                               struct be_error *error);
/* Runs it; standard output and error together, at most room - 1 bytes of them, into text. BE_IO: it
 * failed, and text is what it said. */
enum be_status be_command_text(const char *const *word, char *text, size_t capacity,
                               struct be_error *error);

#endif
