#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/name_order.h"

static enum be_status add(struct be_folder *found, const char *folder, const char *name,
                          struct be_error *error) {
    const size_t capacity = strlen(folder) + strlen(name) + 2;
    char **more = realloc(found->path, (found->paths + 1) * sizeof *more);
    if (!more) {
        return be_fail(error, BE_NOMEM, "%.200s: no host memory for its files", folder);
    }
    found->path = more;
    char *path = malloc(capacity);
    if (!path) {
        return be_fail(error, BE_NOMEM, "%.200s: no host memory for its files", folder);
    }
    snprintf(path, capacity, "%s/%s", folder, name);
    found->path[found->paths++] = path;
    return BE_OK;
}

enum be_status be_folder_find(const char *folder, const char *pattern, struct be_folder *found,
                              struct be_error *error) {
    *found = (struct be_folder){0};
    DIR *open = opendir(folder);
    if (!open) {
        return errno == ENOENT ? BE_OK
                               : be_fail(error, BE_IO, "%.400s: %s", folder, strerror(errno));
    }
    enum be_status status = BE_OK;
    for (const struct dirent *entry = readdir(open); status == BE_OK && entry;
         entry = readdir(open)) {
        if (fnmatch(pattern, entry->d_name, FNM_PERIOD) == 0) {
            status = add(found, folder, entry->d_name, error);
        }
    }
    closedir(open);
    if (status != BE_OK) {
        be_folder_free(found);
        return status;
    }
    if (found->paths > 0) {
        be_names_sort(found->path, found->paths);
    }
    return BE_OK;
}

void be_folder_free(struct be_folder *found) {
    for (size_t i = 0; i < found->paths; i++) {
        free(found->path[i]);
    }
    free(found->path);
    *found = (struct be_folder){0};
}
