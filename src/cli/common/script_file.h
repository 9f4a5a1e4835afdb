/*
 * Job scripts on disk: read whole, and replaced whole.
 */
#ifndef BE_CLI_COMMON_SCRIPT_FILE_H
#define BE_CLI_COMMON_SCRIPT_FILE_H

#include "base/text.h"
#include "breakeven.h"

/* "-": standard input. BE_IO, with the file's name; BE_USAGE: longer than a job script may be. */
enum be_status be_script_file_read(const char *name, struct be_text *text, struct be_error *error);

/* The new text is written beside the file and put in its place when it is whole, with the mode that
 * the old one had; where the name is a link, the file that it leads to is replaced. */
enum be_status be_script_file_replace(const char *name, const struct be_text *text,
                                      struct be_error *error);

/* A new script: whole, or not there. BE_USAGE: the file is there already, and `force` is not set; pipes and devices are
 * written as they are. BE_IO: with the cause. */
enum be_status be_script_file_save(const char *name, const struct be_text *text, bool force,
                                   struct be_error *error);

#endif
