/* How fast a file in a given folder is read: from its disk where the page cache lets go of it. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "host/pages.h"
#include "base/random.h"
#include "machine/probe/cpu/cpu.h"
#include "machine/probe/cpu/folder.h"

enum { PIECE = BE_PROBE_PIECE, MIN = BE_PROBE_MIN, QUICK = 32 << 20, WRITE_S = 4 };

/* A slow disk gets a smaller file: what was written after WRITE_S has to do. */
static enum be_status write_file(int file, char *piece, const struct be_clock *clock, double *bytes,
                                 struct be_error *error) {
    const double begun = be_now(clock);
    for (uint64_t at = 0; (double)at < *bytes; at += PIECE) {
        if (at >= MIN && be_now(clock) - begun > WRITE_S) {
            *bytes = (double)at;
            break;
        }
        for (size_t i = 0; i < PIECE / sizeof(uint64_t); i++) { /* nothing that compresses */
            ((uint64_t *)(void *)piece)[i] = be_random_bits(at, i);
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
    const int min = 3;
    const int max = 5;
    const double patience_s = 10;
    const double begun = be_now(&probe->clock);
    double spent = 0;
    enum be_status status = BE_OK;
    *cold = true;
    while (status == BE_OK && samples->count < max && spent < patience_s &&
           (samples->count < min || spent < budget_s)) {
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
    be_probe_folder_type(probe->options->folder, key.note, sizeof key.note);
    status = status == BE_OK ? be_probe_add(probe, &key, bytes, &samples, error) : status;
    be_samples_free(&samples);
    be_pages_give_back(&pages);
    return status;
}

enum be_status be_probe_cpu_disk(struct be_probe *probe, const struct be_target *target,
                                 struct be_error *error) {
    int file = -1;
    double bytes = 0;
    if (!probe->options->folder) {
        return BE_OK;
    }
    enum be_status status = be_probe_folder_open(probe->options->folder, &file, &bytes, error);
    if (status == BE_OK) {
        bytes = probe->options->quick ? fmin(bytes, QUICK) : bytes;
        status = measure_file(probe, target, file, bytes, error);
        close(file);
    }
    return status;
}
