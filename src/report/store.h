/*
 * Where profiles lie: the user's own, the site's, and those that come with breakeven. Reads and
 * writes files of the form of docs/json.md; knows nothing of what is in a profile but its name.
 */
#ifndef BE_REPORT_STORE_H
#define BE_REPORT_STORE_H

#include "breakeven_profile.h"
#include "report/common/shelves.h"

/* One file: its profile, or why it cannot be read; or a folder that cannot be. */
struct be_stored {
    enum be_shelf shelf;
    char path[BE_PATH];
    enum be_status status;
    struct be_error error; /* where status is not BE_OK; the profile is then empty */
    struct be_profile profile;
};

struct be_store {
    struct be_stored *stored; /* own first, then the site's, then those shipped; by path in each */
    size_t count;
};

/* Reads every profile there is. A folder that is not there has none. */
enum be_status be_store_open(struct be_store *store, struct be_error *error);
void be_store_close(struct be_store *store); /* accepts a zeroed one */

/* The first readable one of this name, or NULL. */
const struct be_stored *be_store_find(const struct be_store *store, const char *name);

/* The file that the user's own profile of this name has, whether it is there or not. BE_USAGE: a
 * name that cannot be one of a file; BE_IO: there is no home folder. */
enum be_status be_store_path(const char *name, char path[BE_PATH], struct be_error *error);

/* Makes the folder of `path` where it is missing, and tries that a file of some size can be written
 * there: to be called before measuring. A file that stands at `path` is not touched. */
enum be_status be_store_try(const char *path, struct be_error *error);

/* Writes the profile beside `path` and renames it when it is whole. */
enum be_status be_store_save(const struct be_profile *profile, const char *path,
                             struct be_error *error);

#endif
