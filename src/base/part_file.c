#include "base/part_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

/* Where machines share a folder, a process of another may have our number. */
enum { TRIES = 100 };

enum be_status be_part_open(const char *file, mode_t mode, FILE **out, char **path,
                            struct be_error *error) {
    const size_t room = strlen(file) + sizeof ".part--" + 40; /* two numbers */
    int number = -1;
    *out = NULL;
    *path = malloc(room);
    if (!*path) {
        return be_fail(error, BE_NOMEM, "%s: no host memory", file);
    }
    errno = EEXIST;
    for (int i = 0; number < 0 && errno == EEXIST && i < TRIES; i++) {
        snprintf(*path, room, "%s.part-%ld-%d", file, (long)getpid(), i);
        number = open(*path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    }
    *out = number >= 0 ? fdopen(number, "w") : NULL;
    if (*out) {
        return BE_OK;
    }
    be_fail(error, BE_IO, "%s: cannot be written: %s", file, strerror(errno));
    if (number >= 0) {
        close(number);
        unlink(*path);
    }
    free(*path);
    *path = NULL;
    return BE_IO;
}

enum be_status be_part_close(const char *file, FILE *out, char *path, enum be_status status,
                             struct be_error *error) {
    if (fclose(out) != 0 && status == BE_OK) {
        status = be_fail(error, BE_IO, "%s: cannot be written: %s", file, strerror(errno));
    }
    if (status == BE_OK && rename(path, file) != 0) {
        status = be_fail(error, BE_IO, "%s: cannot be written: %s", file, strerror(errno));
    }
    if (status != BE_OK) {
        unlink(path);
    }
    free(path);
    return status;
}
