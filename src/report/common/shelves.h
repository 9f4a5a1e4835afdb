/*
 * The shelves that files which travel lie on: the user's own, the site's, and those that come with breakeven. It
 * finds files and folders; it does not know what is in them.
 */
#ifndef BE_REPORT_COMMON_SHELVES_H
#define BE_REPORT_COMMON_SHELVES_H

#include "breakeven.h"

enum be_shelf { BE_SHELF_OWN, BE_SHELF_SITE, BE_SHELF_SHIPPED, BE_SHELVES };
enum { BE_PATH = 1024 };

/* One kind of file, and its folders. */
struct be_shelf_kind {
    const char *kind;        /* "profiles": the folder's name on each shelf */
    const char *environment; /* variable with folders of the site, colons between them, as PATH */
    const char *built;       /* where an install puts those that come with breakeven */
};
extern const struct be_shelf_kind be_shelf_profiles, be_shelf_results;

/* A file, or a folder that cannot be read, with the reason. */
struct be_shelf_file {
    enum be_shelf shelf;
    char path[BE_PATH];
    enum be_status status; /* of the folder */
    struct be_error error;
};

struct be_shelf_files {
    struct be_shelf_file
        *file; /* own first, then the site's, then those shipped; by path in each */
    size_t files;
};

/* Every *.json of that kind. A folder that is not there has none. On success, and only then, *found owns memory:
 * be_shelves_free. */
enum be_status be_shelves_find(const struct be_shelf_kind *kind, struct be_shelf_files *found,
                               struct be_error *error);
void be_shelves_free(struct be_shelf_files *found); /* accepts a zeroed one */

/* The user's own folder of that kind. BE_IO: there is no home folder. */
enum be_status be_shelves_own(const struct be_shelf_kind *kind, char path[BE_PATH],
                              struct be_error *error);
/* The file that `name` has in it, whether it is there or not. BE_USAGE: a name that cannot be one of a file. */
enum be_status be_shelves_path(const struct be_shelf_kind *kind, const char *name,
                               char path[BE_PATH], struct be_error *error);
/* Makes the folders that lead to the file. */
enum be_status be_shelves_make(const char *path, struct be_error *error);

#endif
