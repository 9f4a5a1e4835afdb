#include "observe/calls/preload.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

enum { PARTS = 64, SCRIPTS = 4, TEXT = 1 << 16 };

/* ---- finding the file ------------------------------------------------------------------------- */

static bool is_program(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

static bool find_program(const char *command, char path[PATH_MAX]) {
    const char *folders = getenv("PATH");
    if (strchr(command, '/')) {
        be_copy_text(path, PATH_MAX, command);
        return is_program(path);
    }
    for (const char *at = folders ? folders : "/bin:/usr/bin"; at;) {
        size_t length = strcspn(at, ":");
        snprintf(path, PATH_MAX, "%.*s%s%s", (int)length, at, length ? "/" : "./", command);
        if (is_program(path)) {
            return true;
        }
        at = at[length] ? at + length + 1 : NULL;
    }
    return false;
}

/* "#!/usr/bin/python3 -u": the interpreter becomes the path. */
static bool follow_script(int file, char path[PATH_MAX]) {
    char line[PATH_MAX] = "";
    ssize_t got = pread(file, line, sizeof line - 1, 0);
    if (got < 3 || line[0] != '#' || line[1] != '!') {
        return false;
    }
    line[got] = '\0';
    char *from = line + 2 + strspn(line + 2, " \t");
    from[strcspn(from, " \t\r\n")] = '\0';
    be_copy_text(path, PATH_MAX, from);
    return from[0] == '/';
}

/* ---- what the file says ----------------------------------------------------------------------- */

struct program {
    int file;
    Elf64_Phdr part[PARTS];
    int parts;
};

static const Elf64_Phdr *part_of(const struct program *program, uint32_t type) {
    for (int i = 0; i < program->parts; i++) {
        if (program->part[i].p_type == type) {
            return &program->part[i];
        }
    }
    return NULL;
}

/* The place in the file of an address; -1: none. */
static off_t place_of(const struct program *program, uint64_t address) {
    for (int i = 0; i < program->parts; i++) {
        const Elf64_Phdr *part = &program->part[i];
        if (part->p_type == PT_LOAD && address >= part->p_vaddr &&
            address - part->p_vaddr < part->p_filesz) {
            return (off_t)(part->p_offset + (address - part->p_vaddr));
        }
    }
    return -1;
}

/* Sanitizers that live in a library want to be the first that is loaded, and end the program else. */
static bool needs_sanitizer(const struct program *program) {
    const Elf64_Phdr *dynamic = part_of(program, PT_DYNAMIC);
    static Elf64_Dyn entry[256];
    static char names[TEXT];
    size_t bytes = dynamic && dynamic->p_filesz < sizeof entry ? dynamic->p_filesz : sizeof entry;
    ssize_t got = dynamic ? pread(program->file, entry, bytes, (off_t)dynamic->p_offset) : 0;
    size_t entries = got > 0 ? (size_t)got / sizeof *entry : 0;
    off_t at = -1;
    for (size_t i = 0; i < entries; i++) {
        at = entry[i].d_tag == DT_STRTAB ? place_of(program, entry[i].d_un.d_ptr) : at;
    }
    got = at >= 0 ? pread(program->file, names, sizeof names - 1, at) : 0;
    size_t length = got > 0 ? (size_t)got : 0;
    names[length] = '\0';
    for (size_t i = 0; i < entries; i++) {
        if (entry[i].d_tag == DT_NEEDED && entry[i].d_un.d_val < length) {
            const char *name = names + entry[i].d_un.d_val;
            if (strncmp(name, "libasan.", 8) == 0 || strncmp(name, "libtsan.", 8) == 0) {
                return true;
            }
        }
    }
    return false;
}

static enum be_preload say(enum be_preload result, const char *what, char *why, size_t capacity) {
    be_copy_text(why, capacity, what);
    return result;
}

static enum be_preload look(struct program *program, char *why, size_t capacity) {
    Elf64_Ehdr head;
    struct stat status;
    if (pread(program->file, &head, sizeof head, 0) != (ssize_t)sizeof head ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) {
        return BE_PRELOAD_YES;
    }
    if (head.e_ident[EI_CLASS] != ELFCLASS64) {
        return say(BE_PRELOAD_NEVER, "is a 32-bit program", why, capacity);
    }
    program->parts = head.e_phnum < PARTS ? head.e_phnum : PARTS;
    size_t bytes = (size_t)program->parts * sizeof *program->part;
    if (head.e_phentsize != sizeof *program->part ||
        pread(program->file, program->part, bytes, (off_t)head.e_phoff) != (ssize_t)bytes) {
        return BE_PRELOAD_YES;
    }
    if (fstat(program->file, &status) == 0 &&
        (((status.st_mode & S_ISUID) && status.st_uid != geteuid()) ||
         ((status.st_mode & S_ISGID) && status.st_gid != getegid()))) {
        return say(BE_PRELOAD_CHILDREN, "runs as another user (set-user-id)", why, capacity);
    }
    if (!part_of(program, PT_INTERP)) {
        return say(BE_PRELOAD_CHILDREN, "is linked statically", why, capacity);
    }
    return needs_sanitizer(program)
               ? say(BE_PRELOAD_NEVER, "is built with a sanitizer, whose library must come first",
                     why, capacity)
               : BE_PRELOAD_YES;
}

enum be_preload be_preload_reaches(const char *command, char *why, size_t capacity) {
    char path[PATH_MAX];
    struct program program = {.file = -1};
    enum be_preload result = BE_PRELOAD_YES;
    bool script = find_program(command, path);
    be_copy_text(why, capacity, "");
    for (int i = 0; script && i < SCRIPTS; i++) {
        program.file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (program.file < 0) {
            break;
        }
        script = follow_script(program.file, path);
        result = script ? BE_PRELOAD_YES : look(&program, why, capacity);
        close(program.file);
    }
    return result;
}
