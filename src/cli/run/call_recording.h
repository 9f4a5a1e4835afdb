/*
 * --calls: the file that programs write their calls of BLAS and LAPACK to, and the environment that has the dynamic
 * linker load the library that does.
 */
#ifndef BE_CLI_RUN_CALL_RECORDING_H
#define BE_CLI_RUN_CALL_RECORDING_H

#include "breakeven.h"
#include "cli/run/run_folder.h"

struct be_call_recording {
    char folder[BE_RUN_FOLDER];   /* ours alone; empty: none was made */
    char file[BE_RUN_FOLDER + 8]; /* for be_calls_read; empty: nothing is recorded */
    char note[BE_NOTE];           /* why the command's own calls cannot be recorded; may be empty */
    char variable[2][4096];       /* "NAME=value" */
    const char *environment[3];   /* both or none, then NULL: struct be_launch's `extra` */
};

/* BE_ABSENT: the library is not here. BE_USAGE: its path cannot be given to the dynamic linker. That nothing of this
 * command can be recorded is no failure, but a note. */
enum be_status be_call_recording_begin(struct be_call_recording *recording, const char *command,
                                       struct be_error *error);
/* Removes the folder; accepts a zeroed one. */
void be_call_recording_end(const struct be_call_recording *recording);

#endif
