#include "base/program.h"

#include <string.h>
#include <unistd.h>

bool be_program_folder(char *path, size_t capacity) {
    ssize_t length = readlink("/proc/self/exe", path, capacity - 1);
    if (length <= 0 || (size_t)length >= capacity - 1) {
        return false;
    }
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (slash) {
        *slash = '\0';
    }
    return slash != NULL;
}
