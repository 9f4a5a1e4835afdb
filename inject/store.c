#include "store.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool store_make(struct store *store, const char *folder) {
    struct timespec now;
    struct stat status;
    if (folder[0] != '/' || stat(folder, &status) != 0 || !S_ISDIR(status.st_mode) ||
        status.st_uid != geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH))) {
        return false;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    int length = snprintf(store->path, sizeof store->path, "%s/gpu-%ld-%lld%09ld.trace", folder,
                          (long)getpid(), (long long)now.tv_sec, now.tv_nsec);
    if (length < 0 || (size_t)length >= sizeof store->path) {
        return false;
    }
    int file = open(store->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) {
        return false;
    }
    bool made = fstat(file, &status) == 0;
    store->device = status.st_dev;
    store->file = status.st_ino;
    close(file);
    return made;
}

void store_write(const struct store *store, struct be_gpu_record *record) {
    struct stat status;
    int file = open(store->path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) {
        return;
    }
    record->sequence++;
    record->sum = be_gpu_record_sum(record);
    if (fstat(file, &status) == 0 && status.st_dev == store->device &&
        status.st_ino == store->file) {
        const char *from = (const char *)record;
        off_t at = (off_t)(record->sequence % 2) * BE_GPU_RECORD_SLOT;
        size_t done = 0;
        ssize_t count = 1;
        while (done < sizeof *record && count > 0) {
            count = pwrite(file, from + done, sizeof *record - done, at + (off_t)done);
            done += count > 0 ? (size_t)count : 0;
        }
    }
    close(file);
}
