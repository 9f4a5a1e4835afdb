#include "base/part_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/* Where machines share a folder, a process of another may have our number. */
enum { TRIES = 100 };

/* The file that `file` links to, over several links too, also where that is not there yet: a link stays, and the file
 * behind it is replaced. NULL: no memory. */
static char *target_of(const char *file) {
    enum { LINKS = 16 };
    char *at = strdup(file), to[PATH_MAX];
    for (int i = 0; at && i < LINKS; i++) {
        ssize_t length = readlink(at, to, sizeof to - 1);
        if (length <= 0) {
            break;
        }
        to[length] = '\0';
        const char *slash = strrchr(at, '/');
        size_t folder = *to != '/' && slash ? (size_t)(slash + 1 - at) : 0;
        char *next = malloc(folder + (size_t)length + 1);
        if (next) {
            memcpy(next, at, folder);
            memcpy(next + folder, to, (size_t)length + 1);
        }
        free(at);
        at = next;
    }
    return at;
}

/* Whoever could not read the old file cannot read the new one. */
static void keep_private(int number, const char *target, mode_t mode) {
    struct stat there, made;
    const mode_t all = 0777;
    if (stat(target, &there) == 0 && fstat(number, &made) == 0 &&
        (made.st_mode & all) != (there.st_mode & mode)) {
        (void)!fchmod(number, there.st_mode & mode & all);
    }
}

enum be_status be_part_open(const char *file, mode_t mode, FILE **out, char **path,
                            struct be_error *error) {
    int number = -1;
    char *target = target_of(file);
    const size_t capacity = target ? strlen(target) + sizeof ".part--" + 40 : 0; /* two numbers */
    *out = NULL;
    *path = target ? malloc(capacity) : NULL;
    if (!*path) {
        free(target);
        return be_fail(error, BE_NOMEM, "%s: no host memory", file);
    }
    errno = EEXIST;
    for (int i = 0; number < 0 && errno == EEXIST && i < TRIES; i++) {
        snprintf(*path, capacity, "%s.part-%ld-%d", target, (long)getpid(), i);
        number = open(*path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    }
    *out = number >= 0 ? fdopen(number, "w") : NULL;
    if (*out) {
        keep_private(number, target, mode);
        free(target);
        return BE_OK;
    }
    be_fail(error, BE_IO, "%s: cannot be written: %s", file, strerror(errno));
    free(target);
    if (number >= 0) {
        close(number);
        unlink(*path);
    }
    free(*path);
    *path = NULL;
    return BE_IO;
}

int be_part_rename(const char *path) {
    char *target = strdup(path);
    char *end = target ? strrchr(target, '.') : NULL; /* of ".part-PID-N" */
    int failed = -1;
    if (end) {
        *end = '\0';
        failed = rename(path, target);
    }
    int cause = errno;
    free(target);
    errno = cause;
    return failed;
}

enum be_status be_part_close(const char *file, FILE *out, char *path, enum be_status status,
                             struct be_error *error) {
    if (fclose(out) != 0 && status == BE_OK) {
        status = be_fail(error, BE_IO, "%s: cannot be written: %s", file, strerror(errno));
    }
    if (status == BE_OK && be_part_rename(path) != 0) {
        status = be_fail(error, BE_IO, "%s: cannot be written: %s", file, strerror(errno));
    }
    if (status != BE_OK) {
        unlink(path);
    }
    free(path);
    return status;
}
