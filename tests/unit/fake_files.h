/* A folder that stands in for the root of a machine's /proc and /sys. */
#ifndef TESTS_UNIT_FAKE_FILES_H
#define TESTS_UNIT_FAKE_FILES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static char fake_root[64];

static int make_root(void **state) {
    (void)state;
    snprintf(fake_root, sizeof fake_root, "/tmp/be-files-XXXXXX");
    return mkdtemp(fake_root) ? 0 : -1;
}

static int remove_root(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", fake_root);
    return system(command);
}

static inline void fake_remove(const char *path) {
    char command[512];
    snprintf(command, sizeof command, "rm -r '%s%s'", fake_root, path);
    assert_int_equal(system(command), 0);
}

/* Writes the file, with the folders above it. */
static inline void __attribute__((format(printf, 2, 3)))
fake_file(const char *path, const char *format, ...) {
    char whole[512];
    snprintf(whole, sizeof whole, "%s%s", fake_root, path);
    for (char *slash = whole + strlen(fake_root) + 1; (slash = strchr(slash, '/')) != NULL;
         slash++) {
        *slash = '\0';
        mkdir(whole, 0700);
        *slash = '/';
    }
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    va_list list;
    va_start(list, format);
    vfprintf(file, format, list);
    va_end(list);
    fclose(file);
}

/* A process of one thread, times in ticks of 10 ms. */
struct fake_process {
    int pid, parent;
    const char *name;
    char state;
    int user, system, child_user, child_system, start, pages, threads;
    int inherited; /* so many such processes it has waited for: their faults, reads and writes */
};

static inline void fake_stat(const char *path, const struct fake_process *p) {
    fake_file(path,
              "%d (%s) %c %d 1 1 0 -1 4194304 10 %d 1 %d %d %d %d %d 20 0 %d 0 %d 1000000 %d 0\n",
              p->pid, p->name ? p->name : "prog", p->state ? p->state : 'S', p->parent,
              20 + 30 * p->inherited, 2 + 3 * p->inherited, p->user, p->system, p->child_user,
              p->child_system, p->threads ? p->threads : 1, p->start, p->pages);
}

static inline void fake_process(const struct fake_process *p) {
    char path[128];
    snprintf(path, sizeof path, "/proc/%d/stat", p->pid);
    fake_stat(path, p);
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", p->pid, p->pid);
    fake_stat(path, p);
    snprintf(path, sizeof path, "/proc/%d/io", p->pid);
    fake_file(path,
              "rchar: 500\nwchar: 600\nsyscr: 1\nsyscw: 1\nread_bytes: %d\n"
              "write_bytes: %d\ncancelled_write_bytes: 0\n",
              4096 * (1 + p->inherited), 8192 * (1 + p->inherited));
}

static inline void fake_end(int pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d", pid);
    fake_remove(path);
}

#endif
