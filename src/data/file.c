#include "data/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"

/* A damaged file may claim to unpack to any size: more than the larger set has is none of ours. */
static const size_t max_bytes = (size_t)1 << 30;

enum { CHUNK = 1 << 18 };

static const char *folder_of_ours(void) {
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

/* A file that nobody else can see, and that goes when it is closed. */
static enum be_status open_unnamed(const char *name, int *descriptor, struct be_error *error) {
    const mode_t mine = 0600;
    const char *folder = folder_of_ours();
    *descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mine);
    if (*descriptor < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
        char path[1024];
        snprintf(path, sizeof path, "%s/breakeven-data.XXXXXX", folder);
        *descriptor = mkostemp(path, O_CLOEXEC);
        if (*descriptor >= 0) {
            unlink(path);
        }
    }
    return *descriptor >= 0
               ? BE_OK
               : be_fail(error, BE_IO,
                         "%s: no room for its images in %s: %s; set TMPDIR to another folder, or "
                         "use --keep=ram",
                         name, folder, strerror(errno));
}

static enum be_status write_at(const char *name, int descriptor, size_t at, const uint8_t *from,
                               size_t count, struct be_error *error) {
    while (count) {
        ssize_t put = pwrite(descriptor, from, count, (off_t)at);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            return be_fail(error, BE_IO,
                           "%s: its images cannot be written to %s: %s; set TMPDIR to another "
                           "folder, or use --keep=ram",
                           name, folder_of_ours(), strerror(errno));
        }
        from += put;
        at += (size_t)put;
        count -= (size_t)put;
    }
    return BE_OK;
}

/* Makes room for `bytes` more in memory. */
static enum be_status grow(struct be_images_file *file, size_t bytes, size_t *capacity,
                           struct be_error *error) {
    if (file->bytes + bytes <= *capacity) {
        return BE_OK;
    }
    size_t wanted = 2 * *capacity > file->bytes + bytes ? 2 * *capacity : file->bytes + bytes;
    uint8_t *memory = realloc(file->memory, wanted);
    if (!memory) {
        return be_fail(error, BE_NOMEM, "%s: no host memory for %zu bytes; use --keep=disk",
                       file->name, wanted);
    }
    file->memory = memory;
    *capacity = wanted;
    return BE_OK;
}

static enum be_status damaged(const struct be_images_file *file, const char *cause,
                              struct be_error *error) {
    return be_fail(error, BE_IO, "%s: damaged after %zu unpacked bytes: %s; download it again",
                   file->name, file->bytes, cause);
}

/* All that comes out of `in`, to memory or to the unnamed file `to`. */
static enum be_status unpack(gzFile in, int to, struct be_images_file *file,
                             struct be_error *error) {
    uint8_t *chunk = malloc(CHUNK);
    size_t capacity = 0;
    int got = 0, code = Z_OK;
    enum be_status status =
        chunk ? BE_OK : be_fail(error, BE_NOMEM, "%s: no host memory", file->name);
    while (!status && (got = gzread(in, chunk, CHUNK)) > 0) {
        const size_t count = (size_t)got;
        if (file->bytes + count > max_bytes) {
            status = be_fail(error, BE_IO, "%s: more than %zu bytes: no file of this data set",
                             file->name, max_bytes);
        } else if (to >= 0) {
            status = write_at(file->name, to, file->bytes, chunk, count, error);
        } else if ((status = grow(file, count, &capacity, error)) == BE_OK) {
            memcpy(file->memory + file->bytes, chunk, count);
        }
        file->bytes += status ? 0 : count;
    }
    if (!status) {
        const char *cause = gzerror(in, &code);
        status = got < 0 || code != Z_OK
                     ? damaged(file, code == Z_BUF_ERROR ? "the compressed file ends early" : cause,
                               error)
                     : BE_OK;
    }
    free(chunk);
    return status;
}

/* Takes `descriptor`. */
static enum be_status open_unpacked(int descriptor, enum be_images_keep keep,
                                    struct be_images_file *file, struct be_error *error) {
    gzFile in = gzdopen(descriptor, "rb");
    enum be_status status = BE_OK;
    if (!in) {
        close(descriptor);
        return be_fail(error, BE_NOMEM, "%s: no host memory", file->name);
    }
    if (keep == BE_IMAGES_DISK) {
        status = open_unnamed(file->name, &file->descriptor, error);
    }
    status = status ? status : unpack(in, file->descriptor, file, error);
    const int code = gzclose_r(in);
    if (!status && code != Z_OK) {
        status = damaged(file, "the compressed file ends early", error);
    }
    return status;
}

static bool is_packed(int descriptor) {
    uint8_t sign[2] = {0};
    return pread(descriptor, sign, sizeof sign, 0) == sizeof sign && sign[0] == 0x1f &&
           sign[1] == 0x8b;
}

enum be_status be_images_file_open(const char *path, enum be_images_keep keep,
                                   struct be_images_file *file, struct be_error *error) {
    struct stat facts;
    *file = (struct be_images_file){.name = strdup(path), .descriptor = -1};
    int descriptor = file->name ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (!file->name) {
        return be_fail(error, BE_NOMEM, "%s: no host memory", path);
    }
    if (descriptor < 0 || fstat(descriptor, &facts) != 0) {
        enum be_status status =
            be_fail(error, BE_IO, "%s: cannot be read: %s", path, strerror(errno));
        if (descriptor >= 0) {
            close(descriptor);
        }
        be_images_file_close(file);
        return status;
    }
    if (!S_ISREG(facts.st_mode)) {
        close(descriptor);
        be_images_file_close(file);
        return be_fail(error, BE_IO, "%s: cannot be read: no regular file", path);
    }
    if (keep == BE_IMAGES_DISK && !is_packed(descriptor)) {
        file->descriptor = descriptor;
        file->bytes = (size_t)facts.st_size;
        return BE_OK;
    }
    enum be_status status = open_unpacked(descriptor, keep, file, error);
    if (status) {
        be_images_file_close(file);
    }
    return status;
}

enum be_status be_images_file_make(const char *name, enum be_images_keep keep, size_t bytes,
                                   struct be_images_file *file, struct be_error *error) {
    enum be_status status = BE_OK;
    *file = (struct be_images_file){.name = strdup(name), .descriptor = -1, .bytes = bytes};
    if (!file->name) {
        return be_fail(error, BE_NOMEM, "%s: no host memory", name);
    }
    if (keep == BE_IMAGES_DISK) {
        status = open_unnamed(name, &file->descriptor, error);
    } else {
        file->memory = calloc(bytes, 1);
        status = file->memory
                     ? BE_OK
                     : be_fail(error, BE_NOMEM, "%s: no host memory for %zu bytes; use --keep=disk",
                               name, bytes);
    }
    if (status) {
        be_images_file_close(file);
    }
    return status;
}

enum be_status be_images_file_put(struct be_images_file *file, size_t at, const uint8_t *from,
                                  size_t count, struct be_error *error) {
    if (file->descriptor >= 0) {
        return write_at(file->name, file->descriptor, at, from, count, error);
    }
    memcpy(file->memory + at, from, count);
    return BE_OK;
}

enum be_status be_images_file_read(const struct be_images_file *file, size_t at, uint8_t *to,
                                   size_t count, struct be_error *error) {
    if (file->memory) {
        if (at + count > file->bytes) {
            return be_fail(error, BE_IO, "%s: ends after %zu bytes", file->name, file->bytes);
        }
        memcpy(to, file->memory + at, count);
        return BE_OK;
    }
    while (count) {
        ssize_t got = pread(file->descriptor, to, count, (off_t)at);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return be_fail(error, BE_IO, "%s: cannot be read at byte %zu: %s", file->name, at,
                           got ? strerror(errno) : "it ends there");
        }
        to += got;
        at += (size_t)got;
        count -= (size_t)got;
    }
    return BE_OK;
}

void be_images_file_close(struct be_images_file *file) {
    if (file->descriptor >= 0) {
        close(file->descriptor);
    }
    free(file->memory);
    free(file->name);
    *file = (struct be_images_file){.descriptor = -1};
}
