#include "sample/processes.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

enum {
    CHAINS = 4096,
    PROCESSES_MAX = 8192, /* kept; a shell script may start any number */
    FILES_MAX = 65536,
    MEMORIES_MAX = 256 /* kinds of processes with code in memory */
};

struct map {
    uint64_t from, to, offset;
    int file;
};

struct be_process {
    struct be_process *next; /* in its chain */
    int pid;
    struct map *map;
    int maps, room;
    int memory; /* the file of its code in memory; -1: none yet */
};

/* ---- files ---------------------------------------------------------------------------------- */

static int add_file(struct be_processes *p, const char *path, uint64_t inode, bool memory) {
    if (p->files == p->file_room) {
        const int room = p->file_room ? 2 * p->file_room : 64;
        struct be_mapped_file *grown =
            room > FILES_MAX ? NULL : realloc(p->file, (size_t)room * sizeof *grown);
        if (!grown) {
            return -1;
        }
        p->file = grown;
        p->file_room = room;
    }
    char *copy = strdup(path);
    if (!copy) {
        return -1;
    }
    p->file[p->files] = (struct be_mapped_file){
        .shown.path = copy, .inode = inode, .memory = memory, .descriptor = -1};
    return p->files++;
}

/* The kernel calls memory without a file "//anon"; heaps and stacks are in brackets. */
static bool is_file(const char *path) {
    return path[0] == '/' && strncmp(path, "//", 2) != 0 && strncmp(path, "/memfd:", 7) != 0 &&
           strncmp(path, "/dev/zero", 9) != 0;
}

static int find_file(struct be_processes *p, const char *path, uint64_t inode) {
    for (int i = p->files - 1; i > 0; i--) {
        if (p->file[i].inode == inode && !p->file[i].memory &&
            strcmp(p->file[i].shown.path, path) == 0) {
            return i;
        }
    }
    return add_file(p, path, inode, false);
}

static bool is_regular(int file) {
    struct stat there;
    return fstat(file, &there) == 0 && S_ISREG(there.st_mode);
}

/* The file that the process has mapped, though another may have taken its name. */
static int open_mapped(const struct be_mapped_file *file, int pid, const struct map *map) {
    char path[4096];
    snprintf(path, sizeof path, "/proc/%d/map_files/%llx-%llx", pid, (unsigned long long)map->from,
             (unsigned long long)map->to);
    int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (opened < 0) {
        struct stat there;
        snprintf(path, sizeof path, "/proc/%d/exe", pid);
        opened = stat(path, &there) == 0 && there.st_ino == file->inode
                     ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
                     : -1;
    }
    if (opened < 0) { /* of another name space of files, as of a container */
        snprintf(path, sizeof path, "/proc/%d/root%s", pid, file->shown.path);
        opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    }
    return opened >= 0 ? opened : open(file->shown.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static void first_sample(struct be_mapped_file *file, int pid, const struct map *map) {
    file->sampled = true;
    file->descriptor = open_mapped(file, pid, map);
    if (file->descriptor >= 0 && !is_regular(file->descriptor)) {
        close(file->descriptor);
        file->descriptor = -1;
    }
    file->shown.missing = file->descriptor < 0;
}

/* ---- processes ------------------------------------------------------------------------------ */

static struct be_process *find(const struct be_processes *p, int pid) {
    struct be_process *one = p->chain[(unsigned)pid % CHAINS];
    while (one && one->pid != pid) {
        one = one->next;
    }
    return one;
}

static void remove_process(struct be_processes *p, int pid) {
    struct be_process **at = &p->chain[(unsigned)pid % CHAINS];
    while (*at && (*at)->pid != pid) {
        at = &(*at)->next;
    }
    struct be_process *one = *at;
    if (one) {
        *at = one->next;
        free(one->map);
        free(one);
        p->processes--;
    }
}

/* Room for a new one: those that have ended are forgotten. */
static void forget_ended(struct be_processes *p) {
    for (size_t i = 0; i < CHAINS; i++) {
        for (struct be_process *one = p->chain[i], *next; one; one = next) {
            char path[64];
            next = one->next;
            snprintf(path, sizeof path, "/proc/%d", one->pid);
            if (access(path, F_OK) != 0) {
                remove_process(p, one->pid);
            }
        }
    }
}

static struct be_process *find_or_add(struct be_processes *p, int pid) {
    struct be_process *one = find(p, pid);
    if (one) {
        return one;
    }
    if (p->processes >= PROCESSES_MAX) {
        forget_ended(p);
    }
    one = p->processes < PROCESSES_MAX ? calloc(1, sizeof *one) : NULL;
    if (one) {
        *one =
            (struct be_process){.next = p->chain[(unsigned)pid % CHAINS], .pid = pid, .memory = -1};
        p->chain[(unsigned)pid % CHAINS] = one;
        p->processes++;
    }
    return one;
}

static bool add_map(struct be_process *one, struct map map) {
    if (one->maps == one->room) {
        const int room = one->room ? 2 * one->room : 32;
        struct map *grown = realloc(one->map, (size_t)room * sizeof *grown);
        if (!grown) {
            return false;
        }
        one->map = grown;
        one->room = room;
    }
    one->map[one->maps++] = map;
    return true;
}

/* Takes from-to out of what was mapped there before. */
static void cut_out(struct be_process *one, uint64_t from, uint64_t to) {
    const int maps = one->maps;
    int kept = 0;
    struct map rest[2];
    int rests = 0;
    for (int i = 0; i < maps; i++) {
        const struct map map = one->map[i];
        if (map.to <= from || map.from >= to) {
            one->map[kept++] = map;
            continue;
        }
        if (map.from < from) {
            one->map[kept] = map;
            one->map[kept++].to = from;
        }
        if (map.to > to && rests < 2) {
            rest[rests] = map;
            rest[rests].offset += to - map.from;
            rest[rests++].from = to;
        }
    }
    one->maps = kept;
    for (int i = 0; i < rests; i++) {
        add_map(one, rest[i]);
    }
}

static void take_map(struct be_processes *p, const struct be_event *event, const char *path) {
    struct be_process *one = find_or_add(p, event->pid);
    if (!one) {
        return;
    }
    const uint64_t to = event->address + event->length;
    const int file = is_file(path) ? find_file(p, path, event->inode) : -1;
    cut_out(one, event->address, to);
    if (file >= 0) {
        add_map(one, (struct map){event->address, to, event->offset, file});
    }
}

static void take_fork(struct be_processes *p, const struct be_event *event) {
    remove_process(p, event->pid); /* an earlier one of that number */
    const struct be_process *parent = find(p, event->parent);
    struct be_process *child = parent ? find_or_add(p, event->pid) : NULL;
    struct map *map = child ? malloc(((size_t)parent->maps + 1) * sizeof *map) : NULL;
    if (map) {
        memcpy(map, parent->map, (size_t)parent->maps * sizeof *map);
        child->map = map;
        child->maps = parent->maps;
        child->room = parent->maps + 1;
        child->memory = parent->memory;
    }
}

void be_processes_take(struct be_processes *p, const struct be_event *event, const char *path) {
    if (event->kind == BE_EVENT_MAP) {
        take_map(p, event, path);
    } else if (event->kind == BE_EVENT_FORK) {
        take_fork(p, event);
    } else if (event->kind == BE_EVENT_EXEC) {
        remove_process(p, event->pid);
    }
}

/* ---- samples -------------------------------------------------------------------------------- */

static bool is_among(const int *list, int count, int value) {
    for (int i = 0; i < count; i++) {
        if (list[i] == value) {
            return true;
        }
    }
    return false;
}

/* A process whose code in memory has the same files beside it shares that. */
static int memory_of(struct be_processes *p, struct be_process *one) {
    int *beside = malloc(((size_t)one->maps + 1) * sizeof *beside);
    int besides = 0, memories = 0, last = -1;
    if (!beside) {
        return -1;
    }
    for (int i = 0; i < one->maps; i++) {
        if (!is_among(beside, besides, one->map[i].file)) {
            beside[besides++] = one->map[i].file;
        }
    }
    for (int i = 1; i < p->files; i++) {
        const struct be_mapped_file *file = &p->file[i];
        if (!file->memory) {
            continue;
        }
        memories++;
        last = i;
        if (file->shown.besides == besides &&
            memcmp(file->shown.beside, beside, (size_t)besides * sizeof *beside) == 0) {
            free(beside);
            return i;
        }
    }
    const int added = memories < MEMORIES_MAX ? add_file(p, "[memory]", 0, true) : last;
    if (added < 0 || added == last) {
        free(beside);
        return added;
    }
    p->file[added].shown.beside = beside;
    p->file[added].shown.besides = besides;
    return added;
}

int be_processes_find(struct be_processes *p, int pid, uint64_t address, uint64_t *offset) {
    struct be_process *one = find_or_add(p, pid);
    *offset = 0;
    if (!one) {
        return -1;
    }
    for (int i = one->maps - 1; i >= 0; i--) {
        const struct map *map = &one->map[i];
        if (address >= map->from && address < map->to) {
            struct be_mapped_file *file = &p->file[map->file];
            *offset = address - map->from + map->offset;
            if (!file->sampled) {
                first_sample(file, pid, map);
            }
            return map->file;
        }
    }
    if (one->memory < 0) {
        one->memory = memory_of(p, one);
    }
    return one->memory;
}

enum be_status be_processes_open(struct be_processes *p, struct be_error *error) {
    *p = (struct be_processes){0};
    p->chain = calloc(CHAINS, sizeof(struct be_process *));
    if (!p->chain || add_file(p, "[kernel]", 0, false) != BE_SAMPLE_KERNEL) {
        be_processes_close(p);
        return be_fail(error, BE_NOMEM, "no host memory for samples");
    }
    return BE_OK;
}

void be_processes_close(struct be_processes *p) {
    for (size_t i = 0; p->chain && i < CHAINS; i++) {
        while (p->chain[i]) {
            remove_process(p, p->chain[i]->pid);
        }
    }
    for (int i = 0; i < p->files; i++) {
        if (p->file[i].descriptor >= 0) {
            close(p->file[i].descriptor);
        }
        free(p->file[i].shown.path);
        free(p->file[i].shown.beside);
    }
    free(p->file);
    free(p->chain);
    *p = (struct be_processes){0};
}
