#include "base/program.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A path without the file's name. */
static bool cut(char *path) {
    char *slash = strrchr(path, '/');
    if (slash) {
        *slash = '\0';
    }
    return slash != NULL;
}

bool be_program_folder(char *path, size_t capacity) {
    ssize_t length = readlink("/proc/self/exe", path, capacity - 1);
    if (length <= 0 || (size_t)length >= capacity - 1) {
        return false;
    }
    path[length] = '\0';
    return cut(path);
}

/* "7f12a000-7f12b000 r-xp 00000000 08:01 1234    /usr/lib/libbreakeven.so" */
static bool holds(const char *line, uintptr_t address, char *path, size_t capacity) {
    uintptr_t from, to;
    const char *name = strchr(line, '/');
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &from, &to) != 2 || address < from ||
        address >= to || !name || strlen(name) >= capacity) {
        return false;
    }
    memcpy(path, name, strcspn(name, "\n"));
    path[strcspn(name, "\n")] = '\0';
    return true;
}

bool be_library_folder(char *path, size_t capacity) {
    FILE *maps = fopen("/proc/self/maps", "re");
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    while (maps && !found && getline(&line, &room, maps) > 0) {
        found = holds(line, (uintptr_t)be_library_folder, path, capacity);
    }
    free(line);
    if (maps) {
        fclose(maps);
    }
    return found && cut(path);
}
