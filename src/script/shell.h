/* The commands of a job script, as far as they can be told without running it. */
#ifndef BE_SCRIPT_SHELL_H
#define BE_SCRIPT_SHELL_H

#include "script/script.h"

/* Commands, assignments and here-documents, from `at` on. */
bool be_shell_read(struct be_script *script, size_t at);

#endif
