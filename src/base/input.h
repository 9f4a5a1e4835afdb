/*
 * A file that is opened by its name to be read, or standard input. It does not know what the file holds.
 */
#ifndef BE_BASE_INPUT_H
#define BE_BASE_INPUT_H

#include <stdio.h>

#include "breakeven_error.h"

/* BE_IO says why the file cannot be read. No command that is started later inherits it. */
enum be_status be_input_open(const char *name, FILE **in, struct be_error *error);
/* Likewise, and "-" is standard input. */
enum be_status be_input_open_any(const char *name, FILE **in, struct be_error *error);
/* Standard input stays open. */
void be_input_close(FILE *in);

#endif
