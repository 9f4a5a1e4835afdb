#include "cli/common/script_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/input.h"
#include "base/part_file.h"
#include "base/read_all.h"
#include "script/script.h"

enum be_status be_script_file_read(const char *name, struct be_text *text, struct be_error *error) {
    struct stat there;
    FILE *in;
    enum be_status status = be_input_open_any(name, &in, error);
    if (status != BE_OK) {
        return status;
    }
    if (fstat(fileno(in), &there) == 0 && S_ISDIR(there.st_mode)) {
        status = be_fail(error, BE_IO,
                         "%s: is a folder; name the scripts in it, or give --recursive", name);
    }
    if (status == BE_OK) {
        status =
            be_whole_read(in, name, BE_SCRIPT_MAX >> 20, "Slurm takes no such script", text, error);
    }
    be_input_close(in);
    return status;
}

static enum be_status write_whole(int file, const struct be_text *text) {
    size_t at = 0;
    while (at < text->length) {
        ssize_t count = write(file, text->data + at, text->length - at);
        if (count < 0 && errno != EINTR) {
            return BE_IO;
        }
        at += count > 0 ? (size_t)count : 0;
    }
    return fsync(file) == 0 ? BE_OK : BE_IO;
}

enum be_status be_script_file_replace(const char *name, const struct be_text *text,
                                      struct be_error *error) {
    char *target = realpath(name, NULL);
    struct be_text part = {0};
    struct stat there;
    int file = -1;
    enum be_status status = BE_IO;
    if (!target || stat(target, &there) != 0 || access(target, W_OK) != 0) {
        goto out;
    }
    be_text_add(&part, "%s.part-XXXXXX", target);
    file = part.failed ? -1 : mkstemp(part.data);
    if (file < 0) {
        goto out;
    }
    status = write_whole(file, text);
    /* Not every user may give a file away: where its owner cannot be kept, it is the user's. */
    if (status == BE_OK && fchown(file, there.st_uid, there.st_gid) != 0) {
        errno = 0;
    }
    if (status == BE_OK &&
        (fchmod(file, there.st_mode & 07777) != 0 || rename(part.data, target) != 0)) {
        status = BE_IO;
    }
out:
    if (status != BE_OK) {
        be_fail(error, status, "%s: cannot be replaced: %s; it is as it was", name,
                strerror(errno));
        if (file >= 0) {
            unlink(part.data);
        }
    }
    if (file >= 0) {
        close(file);
    }
    be_text_free(&part);
    free(target);
    return status;
}

/* Beside it first, so that the file is whole or not there. */
enum be_status be_script_file_save(const char *file, const struct be_text *text, bool force,
                                   struct be_error *error) {
    struct stat there;
    bool exists = stat(file, &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) {
        return be_fail(error, BE_IO, "%s: is a folder; name a file in it", file);
    }
    if (exists && S_ISREG(there.st_mode) && !force) {
        return be_fail(error, BE_USAGE, "%s: is there already; --force replaces it", file);
    }
    bool beside = !exists || S_ISREG(there.st_mode);
    char *part = NULL;
    FILE *out = NULL;
    enum be_status status = BE_OK;
    if (beside) {
        status = be_part_open(file, 0666, &out, &part, error);
    } else if (!(out = fopen(file, "we"))) {
        status = be_fail(error, BE_IO, "%s: cannot be written: %s", file, strerror(errno));
    }
    if (status == BE_OK && fwrite(text->data, 1, text->length, out) != text->length) {
        status = be_fail(error, BE_IO, "%s: cannot be written: %s", file, strerror(errno));
    }
    if (part) {
        return be_part_close(file, out, part, status, error);
    }
    bool closed = !out || fclose(out) == 0;
    return closed || status != BE_OK
               ? status
               : be_fail(error, BE_IO, "%s: cannot be written: %s", file, strerror(errno));
}
