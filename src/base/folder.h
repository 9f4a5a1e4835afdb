/*
 * The files of a folder whose names fit a pattern. Knows nothing of what is in them.
 */
#ifndef BE_BASE_FOLDER_H
#define BE_BASE_FOLDER_H

#include <stddef.h>

#include "breakeven_error.h"

struct be_folder {
    char **path; /* folder and name, in the order of base/name_order.h */
    size_t paths;
};

/* `pattern` is of names, as "*.json"; what the folder is called does not matter. A folder that is not there
 * has none. BE_IO: it is there and cannot be read. On success *found owns memory: be_folder_free. */
enum be_status be_folder_find(const char *folder, const char *pattern, struct be_folder *found,
                              struct be_error *error);
void be_folder_free(struct be_folder *found); /* accepts a zeroed one */

#endif
