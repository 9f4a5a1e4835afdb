/* How fast a file in a given folder is read: from its disk where the page cache lets go of it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/pages.h"
#include "base/random.h"
#include "machine/probe_cpu.h"

enum { PIECE = 4 << 20, LEAST = 16 << 20, QUICK = 32 << 20, MOST = 1 << 30, WRITE_S = 4 };

/* Bytes of the file: a tenth of what is free, in whole pieces, but never more than MOST. */
static double file_bytes(const struct statvfs *disk) {
    double room = (double)disk->f_bavail * (double)disk->f_frsize / 10;
    return floor(fmin(room, MOST) / PIECE) * PIECE;
}

/* A file in the folder that has no name any more: it goes when it is closed, whatever happens. */
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

enum be_status be_probe_folder_try(const char *folder, struct be_error *error) {
    struct stat what;
    struct statvfs disk;
    if (stat(folder, &what) != 0) {
        return be_fail(error, BE_IO, "disk: %.300s: %s; name a folder that is there", folder,
                       strerror(errno));
    }
    if (!S_ISDIR(what.st_mode)) {
        return be_fail(error, BE_USAGE, "disk: %.300s is no folder", folder);
    }
    int file = -1;
    enum be_status status = open_nameless(folder, &file, error);
    if (status != BE_OK) {
        return status;
    }
    close(file);
    if (statvfs(folder, &disk) != 0) {
        return be_fail(error, BE_IO, "disk: the free space of %.300s: %s", folder, strerror(errno));
    }
    return file_bytes(&disk) >= LEAST
               ? BE_OK
               : be_fail(error, BE_IO,
                         "disk: %.200s has %.0f MB free; the file may take a tenth of that and "
                         "needs %d MB: make room, or name another folder",
                         folder, (double)disk.f_bavail * (double)disk.f_frsize / 1e6, LEAST >> 20);
}

/* "ext4", "lustre": the type of the mount that the folder lies on, the one with the longest path
 * above it; "" where the system does not say. */
static void find_type(const char *folder, char *type, size_t room) {
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
            be_copy_text(type, room, name);
        }
    }
    free(line);
    if (mounts) {
        fclose(mounts);
    }
}

/* A slow disk gets a smaller file: what was written after WRITE_S has to do. */
static enum be_status write_file(int file, char *piece, const struct be_clock *clock, double *bytes,
                                 struct be_error *error) {
    const double begun = be_now(clock);
    for (double at = 0; at < *bytes; at += PIECE) {
        if (at >= LEAST && be_now(clock) - begun > WRITE_S) {
            *bytes = at;
            break;
        }
        for (size_t i = 0; i < PIECE / sizeof(uint64_t); i++) { /* nothing that compresses */
            ((uint64_t *)(void *)piece)[i] = be_random_bits((uint64_t)at, i);
        }
        for (size_t done = 0; done < PIECE;) {
            ssize_t wrote = pwrite(file, piece + done, PIECE - done, (off_t)at + (off_t)done);
            if (wrote <= 0) {
                return be_fail(error, BE_IO, "disk: writing the file: %s",
                               wrote < 0 ? strerror(errno) : "nothing was written");
            }
            done += (size_t)wrote;
        }
    }
    return fsync(file) == 0 ? BE_OK
                            : be_fail(error, BE_IO, "disk: writing the file: %s", strerror(errno));
}

/* Asks the page cache to let go of the file; what share of it stays. 1 when that is not known. */
static double share_cached(int file, double bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t pages = (size_t)bytes / page;
    (void)posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    unsigned char *resident = malloc(pages);
    void *map = mmap(NULL, (size_t)bytes, PROT_READ, MAP_SHARED, file, 0);
    size_t stay = pages;
    if (resident && map != MAP_FAILED && mincore(map, (size_t)bytes, resident) == 0) {
        stay = 0;
        for (size_t i = 0; i < pages; i++) {
            stay += resident[i] & 1;
        }
    }
    if (map != MAP_FAILED) {
        munmap(map, (size_t)bytes);
    }
    free(resident);
    return (double)stay / (double)pages;
}

static enum be_status read_file(int file, char *piece, double bytes, struct be_error *error) {
    for (double at = 0; at < bytes;) {
        ssize_t got = pread(file, piece, PIECE, (off_t)at);
        if (got <= 0) {
            return be_fail(error, BE_IO, "disk: reading the file: %s",
                           got < 0 ? strerror(errno) : "it ends too early");
        }
        at += (double)got;
    }
    return BE_OK;
}

/* Three samples at least and five at most: none beyond three after two seconds, none at all after
 * ten. */
static enum be_status sample_reads(struct be_probe *probe, int file, char *piece, double bytes,
                                   struct be_samples *samples, bool *cold, struct be_error *error) {
    const double budget_s = probe->options->quick ? 0.1 : 2;
    const int least = 3;
    const int most = 5;
    const double patience_s = 10;
    const double begun = be_now(&probe->clock);
    double spent = 0;
    enum be_status status = BE_OK;
    *cold = true;
    while (status == BE_OK && samples->count < most && spent < patience_s &&
           (samples->count < least || spent < budget_s)) {
        *cold = share_cached(file, bytes) < 0.01 && *cold;
        double start = be_now(&probe->clock);
        status = read_file(file, piece, bytes, error);
        double seconds = be_now(&probe->clock) - start;
        spent = be_now(&probe->clock) - begun;
        status = status == BE_OK ? be_samples_add(samples, seconds, error) : status;
        status = status == BE_OK ? be_probe_pause(probe, error) : status;
    }
    return status;
}

static enum be_status measure_file(struct be_probe *probe, const struct be_target *target, int file,
                                   double bytes, struct be_error *error) {
    struct be_pages pages;
    struct be_samples samples = {0};
    bool cold = false;
    enum be_status status = be_pages_get(PIECE, &pages, error);
    status =
        status == BE_OK ? write_file(file, pages.memory, &probe->clock, &bytes, error) : status;
    status = status == BE_OK ? be_probe_pause(probe, error) : status;
    if (status == BE_OK) {
        status = sample_reads(probe, file, pages.memory, bytes, &samples, &cold, error);
    }
    struct be_figure key =
        be_cpu_key(target, cold ? "disk_read_cold" : "disk_read_warm", "", 1, bytes);
    find_type(probe->options->folder, key.note, sizeof key.note);
    status = status == BE_OK ? be_probe_add(probe, &key, bytes, &samples, error) : status;
    be_samples_free(&samples);
    be_pages_give_back(&pages);
    return status;
}

enum be_status be_probe_cpu_disk(struct be_probe *probe, const struct be_target *target,
                                 struct be_error *error) {
    const char *folder = probe->options->folder;
    struct statvfs disk;
    int file;
    if (!folder) {
        return BE_OK;
    }
    enum be_status status = open_nameless(folder, &file, error);
    if (status != BE_OK) {
        return status;
    }
    if (fstatvfs(file, &disk) != 0) {
        status =
            be_fail(error, BE_IO, "disk: the free space of %.300s: %s", folder, strerror(errno));
    } else {
        double bytes = file_bytes(&disk);
        bytes = probe->options->quick ? fmin(bytes, QUICK) : bytes;
        status = bytes >= LEAST ? measure_file(probe, target, file, bytes, error)
                                : be_fail(error, BE_IO, "disk: no room left in %.300s", folder);
    }
    close(file);
    return status;
}
