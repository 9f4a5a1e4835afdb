/*
 * Times of other machines in files that are named by their paths. It does not know what is in them.
 */
#ifndef BE_ELSEWHERE_FILES_H
#define BE_ELSEWHERE_FILES_H

#include "breakeven_results.h"

/* The file at `path`. BE_IO: it cannot be read; BE_USAGE: it holds something else. */
enum be_status be_results_open(const char *path, struct be_results *results,
                               struct be_error *error);

/* Writes them beside `path` and renames the file when it is whole; makes the folders. */
enum be_status be_results_save(const struct be_results *results, const char *path,
                               struct be_error *error);

#endif
