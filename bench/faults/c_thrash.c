/* Reads a mapped file of 192 MB here and there, in a control group that may have 64 MB, or as many as its argument says: it makes the group, and
 * ends with code 77 where it may not. Both versions of control groups. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "burn.h"

enum { MB = 1 << 20, FILE_BYTES = 192 * MB, CANNOT = 77, GROUP = 256 };

static long group_bytes = 64L * MB;

static int put(const char *folder, const char *file, long value) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *out = fopen(path, "w");
    int wrong = !out || fprintf(out, "%ld\n", value) < 0;
    return (out && fclose(out) != 0) || wrong;
}

static const char *name(const char *parent, pid_t pid, char group[GROUP]) {
    snprintf(group, GROUP, "%s/breakeven-thrash-%d", parent, (int)pid);
    return group;
}

static void leave(const char *parent, pid_t pid) {
    char group[GROUP];
    rmdir(name(parent, pid, group));
}

static int enter(const char *parent, const char *limit, pid_t pid, char group[GROUP]) {
    name(parent, pid, group);
    if (mkdir(group, 0755) != 0) {
        return 1;
    }
    if (put(group, limit, group_bytes) != 0 || put(group, "cgroup.procs", getpid()) != 0) {
        rmdir(group);
        return 1;
    }
    return 0;
}

static volatile unsigned long long sum;

static int read_about(const char *path) {
    int file = open(path, O_RDONLY);
    const unsigned char *data =
        file < 0 ? MAP_FAILED : mmap(NULL, FILE_BYTES, PROT_READ, MAP_SHARED, file, 0);
    if (data == MAP_FAILED) {
        return 1;
    }
    unsigned long long at = 1;
    double pieces = 0;
    for (double end = now() + seconds(); now() < end; pieces += 100) {
        for (int i = 0; i < 100; i++) {
            at = at * 6364136223846793005ULL + 1442695040888963407ULL;
            sum += data[(at >> 24) % FILE_BYTES];
        }
    }
    say(pieces);
    fflush(stdout);
    return 0;
}

int main(int count, char **words) {
    group_bytes = count > 1 ? atol(words[1]) * MB : group_bytes;
    char path[] = "./thrash-XXXXXX", block[MB];
    int file = mkstemp(path);
    memset(block, 1, sizeof block);
    for (int i = 0; file >= 0 && i < FILE_BYTES / MB; i++) {
        if (write(file, block, sizeof block) != (ssize_t)sizeof block) {
            unlink(path);
            return 1;
        }
    }
    if (file < 0) {
        return 1;
    }
    fsync(file);
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    pid_t child = fork(); /* who is left takes the group away */
    if (child == 0) {
        char group[GROUP];
        _exit(enter("/sys/fs/cgroup/memory", "memory.limit_in_bytes", getpid(), group) != 0 &&
                      enter("/sys/fs/cgroup", "memory.max", getpid(), group) != 0
                  ? CANNOT
                  : read_about(path));
    }
    int status = 1;
    waitpid(child, &status, 0);
    unlink(path);
    leave("/sys/fs/cgroup/memory", child);
    leave("/sys/fs/cgroup", child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
