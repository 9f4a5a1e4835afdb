#include "observe/sources/gpu_processes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Are our process numbers those of the whole machine? `files` as in be_watched. */
static bool sees_all_processes(const char *files) {
    /* The number that Linux gives the first namespace of process numbers (PROC_PID_INIT_INO). */
    static const char first[] = "pid:[4026531836]";
    char path[1024];
    char name[64] = "";
    snprintf(path, sizeof path, "%s/proc/self/ns/pid", files ? files : "");
    ssize_t length = readlink(path, name, sizeof name - 1);
    return length > 0 && strcmp(name, first) == 0;
}

static bool is_here(const char *files, int pid) {
    char path[1024];
    snprintf(path, sizeof path, "%s/proc/%d", files ? files : "", pid);
    return access(path, F_OK) == 0;
}

static bool was_before(const struct be_gpu_before *before, int pid) {
    for (int i = 0; i < before->count; i++) {
        if (before->pid[i] == pid) {
            return true;
        }
    }
    return false;
}

static bool listed_earlier(const struct be_gpu_user *user, int at) {
    for (int i = 0; i < at; i++) {
        if (user[i].pid == user[at].pid) {
            return true;
        }
    }
    return false;
}

static void take_before(struct be_gpu_before *before, const struct be_gpu_user *user, int users) {
    for (int i = 0; i < users && i < BE_GPU_USERS_MAX; i++) {
        before->pid[before->count++] = user[i].pid;
    }
}

/* The parent's number; 0: there is no such process. */
static int parent_of(const char *files, int pid) {
    char path[1024];
    char line[512] = "";
    int parent = 0;
    snprintf(path, sizeof path, "%s/proc/%d/stat", files ? files : "", pid);
    FILE *file = fopen(path, "re");
    if (file) {
        /* The name may hold anything, a bracket too. */
        const char *after = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
        if (!after || sscanf(after, ") %*c %d", &parent) != 1) {
            parent = 0;
        }
        fclose(file);
    }
    return parent;
}

static bool is_member(const struct be_watched *watched, int pid) {
    return watched->member && watched->member(watched, pid);
}

/* A process that has begun since processes were last looked at is not known as a member yet; but its parents are. */
static bool is_own(const struct be_watched *watched, int pid) {
    enum { DEEPEST = 256 };
    bool found = watched->node || is_member(watched, pid) ||
                 (pid == watched->root && watched->with_root) ||
                 (watched->also && watched->also(watched, pid));
    for (int depth = 0; depth < DEEPEST && pid > 1 && pid != watched->except && !found; depth++) {
        pid = parent_of(watched->files, pid);
        found = pid > 0 && (pid == watched->root || is_member(watched, pid));
    }
    return found;
}

struct be_gpu_use be_gpu_count_users(const struct be_watched *watched,
                                     const struct be_gpu_user *user, int users,
                                     struct be_gpu_before *before) {
    struct be_gpu_use use = {.own_bytes = NAN};
    bool all = sees_all_processes(watched->files);
    if (!before->taken && !watched->with_root && !watched->node) {
        take_before(before, user, users);
    }
    before->taken = true;
    for (int i = 0; i < users; i++) {
        if (user[i].pid <= 0) { /* the driver may not say: as in some containers */
            use.unknown++;
            continue;
        }
        if (listed_earlier(user, i)) {
            continue;
        }
        if (is_own(watched, user[i].pid)) {
            use.own++;
            use.own_bytes =
                isnan(use.own_bytes) ? user[i].bytes : use.own_bytes + fmax(user[i].bytes, 0);
        } else if (all || is_here(watched->files, user[i].pid) || was_before(before, user[i].pid)) {
            use.foreign++;
        } else {
            use.unknown++;
        }
    }
    return use;
}

const char be_gpu_own_unknown[] = "the driver lists processes that are not known here, as in a "
                                  "container with numbers of its own: "
                                  "which of them are the program's is not known";

void be_gpu_put_use(struct be_sink *sink, int gpu, const struct be_gpu_use *use) {
    be_sink_put(sink, BE_GPU_FOREIGN_PROCESSES, gpu, use->foreign);
    if (be_gpu_own_known(use)) {
        be_sink_put(sink, BE_GPU_OWN_PROCESSES, gpu, use->own);
        be_sink_put(sink, BE_GPU_OWN_MEMORY, gpu, use->own > 0 ? use->own_bytes : 0);
    } else {
        be_sink_absent(sink, BE_GPU_OWN_PROCESSES, "%s", be_gpu_own_unknown);
        be_sink_absent(sink, BE_GPU_OWN_MEMORY, "%s", be_gpu_own_unknown);
    }
}
