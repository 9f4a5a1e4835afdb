/*
 * The lines of a file, of a pipe, or of one of these compressed (base/unpack/unpack.h), one after the other from
 * one buffer. Knows nothing of what the lines say.
 */
#ifndef BE_BASE_LINES_H
#define BE_BASE_LINES_H

#include "base/slice.h"
#include "breakeven_error.h"

struct be_lines;

/* Reads the lines of the file, or of standard input where name is "-". BE_IO: cannot be read. */
enum be_status be_lines_open(const char *name, struct be_lines **lines, struct be_error *error);
/* Reads the lines of a text in memory; `text` stays the caller's and must outlive it. */
enum be_status be_lines_text(const char *text, size_t length, struct be_lines **lines,
                             struct be_error *error);
/* Reads the lines of a descriptor, which is closed with it. */
enum be_status be_lines_descriptor(int descriptor, const char *name, struct be_lines **lines,
                                   struct be_error *error);
void be_lines_close(struct be_lines *lines); /* accepts NULL */

/* The next line without its end, "\n" or "\r\n", valid until the next call; *more false: there
 * is none. A line above 256 KiB comes cut there: nothing of Slurm's is so long. BE_IO: what was
 * read is damaged. */
enum be_status be_lines_next(struct be_lines *lines, struct be_slice *line, bool *more,
                             struct be_error *error);
/* The bytes that come next, as they are, however many lines or parts of one: for texts whose lines mean nothing. Lines are then
 * not counted. */
enum be_status be_lines_chunk(struct be_lines *lines, struct be_slice *chunk, bool *more,
                              struct be_error *error);
/* Lines so far, and bytes as they were before compression. */
uint64_t be_lines_count(const struct be_lines *lines);
uint64_t be_lines_bytes(const struct be_lines *lines);

/* Cuts a line at `mark` into at most `most` fields; returns how many there are, which may be
 * more. */
int be_lines_split(struct be_slice line, char mark, struct be_slice *field, int max);

#endif
