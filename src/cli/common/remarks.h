/* Remarks on files that are read, on standard error. */
#ifndef BE_CLI_COMMON_REMARKS_H
#define BE_CLI_COMMON_REMARKS_H

struct be_catalogue_file;
/* Keys of a catalogue's file that were passed over, on standard error: they may be misspelt. */
void be_cli_catalogue_remarks(const struct be_catalogue_file *file);

#endif
