/* A folder of our own for what a command writes while it is watched. */
#ifndef BE_CLI_RUN_RUN_FOLDER_H
#define BE_CLI_RUN_RUN_FOLDER_H

#include "breakeven.h"

enum { BE_RUN_FOLDER = 256 };

/* In TMPDIR or /tmp, for this user alone. `option` is named where it cannot be made ("--trace"). */
enum be_status be_run_folder_make(const char *option, char folder[BE_RUN_FOLDER],
                                  struct be_error *error);
/* With all files in it. A process that still runs writes no more once its file is gone. Accepts an empty name. */
void be_run_folder_remove(const char *folder);

#endif
