/* The kinds of work of a command beside another report: samples that cost less than those of `breakeven ask`, and the short
 * form of its answer, in the trace. */
#ifndef BE_CLI_ASK_BESIDE_H
#define BE_CLI_ASK_BESIDE_H

#include "cli/ask/asker.h"

/* Fills in asker->look, which fills in trace->kinds at the end. */
void be_beside_open(const char *command, struct be_cli_asker *asker);

#endif
