#include "cli/run/run_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

static bool make_in(const char *place, char folder[BE_RUN_FOLDER]) {
    int length = snprintf(folder, BE_RUN_FOLDER, "%s/breakeven-XXXXXX", place);
    bool made = length > 0 && length < BE_RUN_FOLDER && mkdtemp(folder);
    folder[0] = made ? folder[0] : '\0';
    return made;
}

/* A TMPDIR that is not there, as on some nodes of a batch system, is no reason not to run. */
enum be_status be_run_folder_make(const char *option, char folder[BE_RUN_FOLDER],
                                  struct be_error *error) {
    const char *place = getenv("TMPDIR");
    if ((place && place[0] == '/' && make_in(place, folder)) || make_in("/tmp", folder)) {
        return BE_OK;
    }
    return be_fail(error, BE_IO, "%s: a folder in /tmp: %s (TMPDIR=DIR names another place)",
                   option, strerror(errno));
}

void be_run_folder_remove(const char *name) {
    DIR *folder = name[0] ? opendir(name) : NULL;
    const struct dirent *entry = NULL;
    while (folder && (entry = readdir(folder))) {
        char path[768];
        snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        if (entry->d_name[0] != '.') {
            unlink(path);
        }
    }
    if (folder) {
        closedir(folder);
        rmdir(name);
    }
}
