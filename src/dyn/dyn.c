#include "dyn/dyn.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Drivers keep threads and atexit handlers: never unmap them. */
enum { FLAGS = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE };

/* "$CUDA_HOME/lib64" -> the variable's value + "/lib64"; false when it is not set. */
static bool expand_folder(const char *folder, char *path, size_t room) {
    if (folder[0] != '$') {
        be_copy_text(path, room, folder);
        return true;
    }
    char name[BE_NAME];
    size_t length = strcspn(folder + 1, "/");
    be_copy_text(name, length + 1 < sizeof name ? length + 1 : sizeof name, folder + 1);
    const char *value = getenv(name);
    if (!value || !*value) {
        return false;
    }
    snprintf(path, room, "%s%s", value, folder + 1 + length);
    return true;
}

static void *open_any(const struct be_library *library) {
    static const char *const none[] = {NULL};
    for (const char *const *file = library->file; *file; file++) {
        void *handle = dlopen(*file, FLAGS);
        if (handle) {
            return handle;
        }
    }
    for (const char *const *folder = library->folder ? library->folder : none; *folder; folder++) {
        char path[1024];
        if (!expand_folder(*folder, path, sizeof path)) {
            continue;
        }
        for (const char *const *file = library->file; *file; file++) {
            char whole[1280];
            snprintf(whole, sizeof whole, "%s/%s", path, *file);
            void *handle = dlopen(whole, FLAGS);
            if (handle) {
                return handle;
            }
        }
    }
    return NULL;
}

enum be_status be_dyn_open(const struct be_library *library, void *table, void **handle,
                           struct be_error *error) {
    *handle = open_any(library);
    if (!*handle) {
        return be_fail(error, BE_ABSENT, "%s is not here (%s)", library->what, library->file[0]);
    }
    for (size_t i = 0; i < library->symbols; i++) {
        const struct be_symbol *symbol = &library->symbol[i];
        void *function = dlsym(*handle, symbol->name);
        if (!function && symbol->need == BE_NEED_must) {
            be_dyn_close(*handle);
            *handle = NULL;
            return be_fail(error, BE_ABSENT, "%s is too old: it has no %s", library->what,
                           symbol->name);
        }
        memcpy((char *)table + symbol->offset, &function, sizeof function);
    }
    return BE_OK;
}

void be_dyn_close(void *handle) {
    if (handle) {
        dlclose(handle);
    }
}
