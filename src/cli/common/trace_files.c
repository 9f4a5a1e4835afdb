/* Files of traces. */
#include "cli/common/trace_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/folder.h"
#include "base/part_file.h"
#include "report/trace/trace.h"

enum { KEPT = 50, TRACE_PATH = 1024 };

/* Every folder of the path that is not there yet. */
static bool make_folders(const char *path) {
    char part[TRACE_PATH];
    be_copy_text(part, sizeof part, path);
    for (char *slash = part; (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        if (mkdir(part, 0700) != 0 && errno != EEXIST) {
            return false;
        }
        *slash = '/';
    }
    return mkdir(part, 0700) == 0 || errno == EEXIST;
}

/* Removes the files of a run that was killed while it wrote. */
static void remove_torn(const char *folder) {
    const time_t day_s = 86400;
    struct stat there;
    struct be_folder found;
    (void)be_folder_find(folder, "[0-9]*T[0-9]*-*.json.part*", &found, NULL);
    for (size_t i = 0; i < found.paths; i++) {
        if (stat(found.path[i], &there) == 0 && there.st_mtime < time(NULL) - day_s) {
            unlink(found.path[i]);
        }
    }
    be_folder_free(&found);
}

struct kept {
    const char *path;
    struct timespec written;
};

static int by_writing(const void *a, const void *b) {
    const struct timespec *one = &((const struct kept *)a)->written;
    const struct timespec *other = &((const struct kept *)b)->written;
    return one->tv_sec != other->tv_sec
               ? (one->tv_sec > other->tv_sec) - (one->tv_sec < other->tv_sec)
               : (one->tv_nsec > other->tv_nsec) - (one->tv_nsec < other->tv_nsec);
}

/* Those that were written first: a run of days, of which the name has its start, may just have ended. */
static void remove_oldest(const char *folder) {
    struct be_folder found;
    (void)be_folder_find(folder, "[0-9]*T[0-9]*-*.json", &found, NULL);
    struct kept *kept = found.paths >= KEPT ? calloc(found.paths, sizeof *kept) : NULL;
    size_t count = 0;
    for (size_t i = 0; kept && i < found.paths; i++) {
        struct stat there;
        if (stat(found.path[i], &there) == 0) {
            kept[count++] = (struct kept){found.path[i], there.st_mtim};
        }
    }
    if (count) {
        qsort(kept, count, sizeof *kept, by_writing);
    }
    for (size_t i = 0; i + KEPT <= count; i++) {
        unlink(kept[i].path);
    }
    free(kept);
    be_folder_free(&found);
}

static bool own_folder(char *folder, size_t capacity) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    bool own = data && *data == '/'; /* a relative one does not count: XDG Base Directory */
    if (!own && !(home && *home)) {
        return false;
    }
    int length = snprintf(folder, capacity, "%s%s/breakeven/runs", own ? data : home,
                          own ? "" : "/.local/share");
    return length > 0 && (size_t)length < capacity;
}

bool be_trace_file_of_job(const char *number, char *path, size_t capacity) {
    char folder[TRACE_PATH], pattern[BE_NAME + 32];
    struct be_folder found;
    if (!own_folder(folder, sizeof folder)) {
        return false;
    }
    snprintf(pattern, sizeof pattern, "[0-9]*T[0-9]*-*-job%s-*.json", number);
    (void)be_folder_find(folder, pattern, &found, NULL);
    bool any = found.paths > 0;
    if (any) {
        be_copy_text(path, capacity, found.path[found.paths - 1]);
    }
    be_folder_free(&found);
    return any;
}

/* By its first lines. A pipe would be waited for. */
static bool is_trace(const char *path, struct timespec *written) {
    char head[128] = "";
    struct stat there;
    if (stat(path, &there) != 0 || !S_ISREG(there.st_mode)) {
        return false;
    }
    FILE *in = fopen(path, "re");
    size_t length = in ? fread(head, 1, sizeof head - 1, in) : 0;
    if (in) {
        fclose(in);
    }
    head[length] = '\0';
    *written = there.st_mtim;
    return strncmp(head, "{\"schema\":\"breakeven/", 21) == 0 &&
           strstr(head, "\"command\":\"run\"") != NULL;
}

static void take_last(const char *folder, const char *pattern, struct kept *last, char *path,
                      size_t capacity) {
    struct be_folder found;
    (void)be_folder_find(folder, pattern, &found, NULL);
    for (size_t i = 0; i < found.paths; i++) {
        struct kept one = {.path = found.path[i]};
        if (is_trace(one.path, &one.written) && strlen(one.path) < capacity &&
            (!last->path || by_writing(&one, last) >= 0)) {
            be_copy_text(path, capacity, one.path);
            *last = (struct kept){path, one.written};
        }
    }
    be_folder_free(&found);
}

bool be_trace_file_last(char *path, size_t capacity) {
    char folder[TRACE_PATH];
    struct kept last = {0};
    if (own_folder(folder, sizeof folder)) {
        take_last(folder, "[0-9]*T[0-9]*-*.json", &last, path, capacity);
    }
    take_last(".", "*.json", &last, path, capacity);
    return last.path != NULL;
}

enum be_status be_trace_file_new(const char *job, char *path, size_t capacity,
                                 struct be_error *error) {
    char folder[TRACE_PATH], host[BE_NAME] = "", date[32] = "", number[BE_NAME + 8] = "";
    if (!own_folder(folder, sizeof folder)) {
        return be_fail(error, BE_IO, "neither XDG_DATA_HOME nor HOME names a folder");
    }
    if (!make_folders(folder)) {
        return be_fail(error, BE_IO, "%.400s: %s", folder, strerror(errno));
    }
    remove_oldest(folder);
    remove_torn(folder);
    gethostname(host, sizeof host - 1);
    time_t now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts)) {
        strftime(date, sizeof date, "%Y%m%dT%H%M%SZ", &parts);
    }
    const char *id = strchr(job, ' ');
    if (id) {
        snprintf(number, sizeof number, "-job%s", id + 1);
    }
    int length =
        snprintf(path, capacity, "%s/%s-%s%s-%d.json", folder, date, host, number, (int)getpid());
    return length > 0 && (size_t)length < capacity ? BE_OK
                                                   : be_fail(error, BE_IO, "the path is too long");
}

/* A pipe or a device is written as it is; a file is replaced by one that is whole. */
static bool is_special(const char *path) {
    struct stat there;
    return stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode);
}

enum be_status be_trace_file_save(const struct be_trace *trace, const char *path,
                                  struct be_error *error) {
    FILE *out;
    char *part = NULL;
    if (is_special(path)) {
        out = fopen(path, "we");
        if (!out) {
            return be_fail(error, BE_IO, "%s: %s", path, strerror(errno));
        }
        enum be_status status = be_trace_write(trace, BE_JSON, out, error);
        status = status == BE_OK ? status : be_context(error, "%s", path);
        return fclose(out) == 0 || status != BE_OK
                   ? status
                   : be_fail(error, BE_IO, "%s: %s", path, strerror(errno));
    }
    enum be_status status = be_part_open(path, 0600, &out, &part, error);
    if (status == BE_OK) {
        status = be_trace_write(trace, BE_JSON, out, error);
        status = status == BE_OK ? status : be_context(error, "%s", path);
        status = be_part_close(path, out, part, status, error);
    }
    return status;
}

enum be_status be_trace_file_try(const char *path, struct be_error *error) {
    FILE *out;
    char *part = NULL;
    struct stat there;
    bool exists = stat(path, &there) == 0;
    if (strlen(path) >= TRACE_PATH) {
        return be_fail(error, BE_USAGE, "%.60s...: a path of less than %d bytes is needed", path,
                       (int)TRACE_PATH);
    }
    if (exists && S_ISDIR(there.st_mode)) {
        return be_fail(error, BE_IO, "%s: is a folder; name a file in it", path);
    }
    if (exists && access(path, W_OK) != 0) {
        return be_fail(error, BE_IO, "%s: cannot be written: %s", path, strerror(errno));
    }
    if (is_special(path)) {
        return BE_OK;
    }
    enum be_status status = be_part_open(path, 0600, &out, &part, error);
    if (status == BE_OK) {
        be_part_close(path, out, part, BE_ABSENT, NULL); /* nothing is written, so it goes again */
    }
    return status;
}
