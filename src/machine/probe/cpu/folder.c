#include "machine/probe/cpu/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const double max = 1 << 30;

static enum be_status open_nameless(const char *folder, int *file, struct be_error *error) {
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/.breakeven-probe-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof path) {
        return be_fail(error, BE_USAGE, "disk: the folder's name is too long");
    }
    *file = mkostemp(path, O_CLOEXEC);
    if (*file < 0) {
        return be_fail(error, BE_IO,
                       "disk: no file can be written in %.200s: %s; name a folder of your own",
                       folder, strerror(errno));
    }
    unlink(path);
    return BE_OK;
}

static enum be_status find_capacity(const char *folder, int file, double *bytes,
                                    struct be_error *error) {
    struct statvfs disk;
    if (fstatvfs(file, &disk) != 0) {
        return be_fail(error, BE_IO, "disk: the free space of %.300s: %s", folder, strerror(errno));
    }
    const double capacity = (double)disk.f_bavail * (double)disk.f_frsize;
    *bytes = floor(fmin(capacity / 10, max) / BE_PROBE_PIECE) * BE_PROBE_PIECE;
    return *bytes >= BE_PROBE_MIN
               ? BE_OK
               : be_fail(error, BE_IO,
                         "disk: %.200s has %.0f MB free; the file may take a tenth of that and "
                         "needs %d MB: make room, or name another folder",
                         folder, capacity / 1e6, BE_PROBE_MIN >> 20);
}

enum be_status be_probe_folder_open(const char *folder, int *file, double *bytes,
                                    struct be_error *error) {
    struct stat what;
    if (stat(folder, &what) != 0) {
        return be_fail(error, BE_IO, "disk: %.300s: %s; name a folder that is there", folder,
                       strerror(errno));
    }
    if (!S_ISDIR(what.st_mode)) {
        return be_fail(error, BE_USAGE, "disk: %.300s is no folder", folder);
    }
    enum be_status status = open_nameless(folder, file, error);
    if (status != BE_OK) {
        return status;
    }
    status = find_capacity(folder, *file, bytes, error);
    if (status != BE_OK) {
        close(*file);
    }
    return status;
}

enum be_status be_probe_folder_try(const char *folder, struct be_error *error) {
    int file = -1;
    double bytes = 0;
    enum be_status status = be_probe_folder_open(folder, &file, &bytes, error);
    if (status == BE_OK) {
        close(file);
    }
    return status;
}

/* The type of the mount with the longest path above the folder. */
void be_probe_folder_type(const char *folder, char *type, size_t capacity) {
    char path[PATH_MAX];
    type[0] = '\0';
    FILE *mounts = realpath(folder, path) ? fopen("/proc/self/mounts", "re") : NULL;
    char *line = NULL;
    size_t size = 0;
    size_t longest = 0;
    while (mounts && getline(&line, &size, mounts) > 0) {
        char at[1024];
        char name[BE_NAME];
        if (sscanf(line, "%*s %1023s %63s", at, name) != 2) {
            continue;
        }
        size_t length = strcmp(at, "/") == 0 ? 0 : strlen(at);
        bool above = strncmp(path, at, length) == 0 && (path[length] == '/' || !path[length]);
        if (above && length >= longest) {
            longest = length;
            be_copy_text(type, capacity, name);
        }
    }
    free(line);
    if (mounts) {
        fclose(mounts);
    }
}
