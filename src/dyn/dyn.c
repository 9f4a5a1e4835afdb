#include "dyn/dyn.h"

#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/open_files.h"

/* "$CUDA_HOME/lib64" -> the variable's value + "/lib64"; false when it is not set. */
static bool expand_folder(const char *folder, char *path, size_t capacity) {
    if (folder[0] != '$') {
        be_copy_text(path, capacity, folder);
        return true;
    }
    char name[BE_NAME];
    size_t length = strcspn(folder + 1, "/");
    be_copy_text(name, length + 1 < sizeof name ? length + 1 : sizeof name, folder + 1);
    const char *value = getenv(name);
    if (!value || !*value) {
        return false;
    }
    snprintf(path, capacity, "%s%s", value, folder + 1 + length);
    return true;
}

/* A folder with a '*' becomes the first one of those names. */
static bool find_folder(const char *folder, char *path, size_t capacity) {
    glob_t found = {0};
    if (!expand_folder(folder, path, capacity)) {
        return false;
    }
    if (!strchr(folder, '*')) {
        return true;
    }
    const bool any = glob(path, 0, NULL, &found) == 0 && found.gl_pathc > 0;
    if (any) {
        be_copy_text(path, capacity, found.gl_pathv[0]);
    }
    globfree(&found);
    return any;
}

/* *few becomes true where it may be there, and no more files may be open. */
static void *open_file(const char *file, int flags, bool *few) {
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL | flags);
    const char *why = handle ? NULL : dlerror();
    *few |= why && strstr(why, strerror(EMFILE));
    return handle;
}

static void *open_any(const struct be_library *library, int flags, bool *few) {
    static const char *const none[] = {NULL};
    for (const char *const *file = library->file; *file; file++) {
        void *handle = open_file(*file, flags, few);
        if (handle) {
            return handle;
        }
    }
    for (const char *const *folder = library->folder ? library->folder : none; *folder; folder++) {
        char path[1024];
        if (!find_folder(*folder, path, sizeof path)) {
            continue;
        }
        for (const char *const *file = library->file; *file; file++) {
            char whole[1280];
            snprintf(whole, sizeof whole, "%s/%s", path, *file);
            void *handle = open_file(whole, flags, few);
            if (handle) {
                return handle;
            }
        }
    }
    return NULL;
}

static enum be_status fill(const struct be_library *library, int flags, void *table, void **handle,
                           struct be_error *error) {
    bool few = false;
    char limit[BE_NOTE];
    *handle = open_any(library, flags, &few);
    if (!*handle && few) {
        return be_fail(error, BE_ABSENT, "%s cannot be loaded (%s): %s%s", library->what,
                       library->file[0], strerror(EMFILE), be_files_few(limit, sizeof limit));
    }
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

/* Drivers keep threads and atexit handlers: never unmap them. */
enum be_status be_dyn_open(const struct be_library *library, void *table, void **handle,
                           struct be_error *error) {
    return fill(library, RTLD_NODELETE, table, handle, error);
}

enum be_status be_dyn_look(const struct be_library *library, void *table, void **handle,
                           struct be_error *error) {
    return fill(library, 0, table, handle, error);
}

void be_dyn_close(void *handle) {
    if (handle) {
        dlclose(handle);
    }
}
