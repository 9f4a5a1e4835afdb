#include "report/common/shelves.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/folder.h"
#include "base/program.h"
#include "build_info.h"

const struct be_shelf_kind be_shelf_profiles = {"profiles", "BREAKEVEN_PROFILES",
                                                BE_BUILD_PROFILES};
const struct be_shelf_kind be_shelf_results = {"results", "BREAKEVEN_RESULTS", BE_BUILD_RESULTS};

enum be_status be_shelves_own(const struct be_shelf_kind *kind, char path[BE_PATH],
                              struct be_error *error) {
    const char *data = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");
    int length = -1;
    if (data && *data == '/') { /* a relative one does not count: XDG Base Directory */
        length = snprintf(path, BE_PATH, "%s/breakeven/%s", data, kind->kind);
    } else if (home && *home) {
        length = snprintf(path, BE_PATH, "%s/.local/share/breakeven/%s", home, kind->kind);
    }
    return length > 0 && length < BE_PATH
               ? BE_OK
               : be_fail(error, BE_IO,
                         "%s: neither XDG_DATA_HOME nor HOME names a folder: set one, or "
                         "give --output FILE",
                         kind->kind);
}

/* NULL: no memory. */
static struct be_shelf_file *add(struct be_shelf_files *found, enum be_shelf shelf,
                                 const char *path, struct be_error *error) {
    struct be_shelf_file *more = realloc(found->file, (found->files + 1) * sizeof *more);
    if (!more) {
        be_fail(error, BE_NOMEM, "%s: no host memory", path);
        return NULL;
    }
    found->file = more;
    struct be_shelf_file *file = &more[found->files++];
    *file = (struct be_shelf_file){.shelf = shelf};
    be_copy_text(file->path, sizeof file->path, path);
    return file;
}

static enum be_status find_in(struct be_shelf_files *found, enum be_shelf shelf, const char *folder,
                              struct be_error *error) {
    struct be_folder there = {0};
    struct be_error why = {0};
    enum be_status status = be_folder_find(folder, "*.json", &there, &why);
    if (status != BE_OK) { /* stands among what cannot be read */
        struct be_shelf_file *file = add(found, shelf, folder, error);
        if (file) {
            file->status = status;
            file->error = why;
        }
        return file ? BE_OK : BE_NOMEM;
    }
    for (size_t i = 0; status == BE_OK && i < there.paths; i++) {
        status = add(found, shelf, there.path[i], error) ? BE_OK : BE_NOMEM;
    }
    be_folder_free(&there);
    return status;
}

static enum be_status find_listed(const struct be_shelf_kind *kind, struct be_shelf_files *found,
                                  struct be_error *error) {
    const char *listed = getenv(kind->environment);
    enum be_status status = BE_OK;
    for (const char *at = listed ? listed : ""; status == BE_OK && *at;) {
        char folder[BE_PATH];
        size_t length = strcspn(at, ":");
        snprintf(folder, sizeof folder, "%.*s", (int)(length < BE_PATH ? length : 0), at);
        status = *folder ? find_in(found, BE_SHELF_SITE, folder, error) : BE_OK;
        at += length + (at[length] == ':');
    }
    return status;
}

/* Beside this library, or beside the program: installed, or in the source tree that it was built in; a build folder
 * elsewhere has a link to that. */
static enum be_status find_shipped(const struct be_shelf_kind *kind, struct be_shelf_files *found,
                                   struct be_error *error) {
    static const char *const beside[] = {"../share/breakeven", "../share", "share"};
    static bool (*const where[])(char *, size_t) = {be_library_folder, be_program_folder};
    const size_t before = found->files;
    enum be_status status = BE_OK;
    for (size_t i = 0; i < BE_COUNT(where) * BE_COUNT(beside); i++) {
        char at[BE_PATH], folder[BE_PATH + 64];
        if (status == BE_OK && found->files == before &&
            where[i / BE_COUNT(beside)](at, sizeof at)) {
            snprintf(folder, sizeof folder, "%s/%s/%s", at, beside[i % BE_COUNT(beside)],
                     kind->kind);
            status = find_in(found, BE_SHELF_SHIPPED, folder, error);
        }
    }
    if (status == BE_OK && found->files == before) {
        status = find_in(found, BE_SHELF_SHIPPED, kind->built, error);
    }
    return status;
}

enum be_status be_shelves_find(const struct be_shelf_kind *kind, struct be_shelf_files *found,
                               struct be_error *error) {
    char folder[BE_PATH];
    *found = (struct be_shelf_files){0};
    enum be_status status = BE_OK;
    if (be_shelves_own(kind, folder, NULL) == BE_OK) { /* who has no home has none of their own */
        status = find_in(found, BE_SHELF_OWN, folder, error);
    }
    status = status == BE_OK ? find_listed(kind, found, error) : status;
    if (status == BE_OK) {
        snprintf(folder, sizeof folder, "/etc/breakeven/%s", kind->kind);
        status = find_in(found, BE_SHELF_SITE, folder, error);
    }
    status = status == BE_OK ? find_shipped(kind, found, error) : status;
    if (status != BE_OK) {
        be_shelves_free(found);
    }
    return status;
}

void be_shelves_free(struct be_shelf_files *found) {
    free(found->file);
    *found = (struct be_shelf_files){0};
}

enum be_status be_shelves_path(const struct be_shelf_kind *kind, const char *name,
                               char path[BE_PATH], struct be_error *error) {
    static const char fit[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    char folder[BE_PATH];
    if (!*name || *name == '.' || strlen(name) >= BE_NAME || name[strspn(name, fit)] != '\0') {
        return be_fail(error, BE_USAGE,
                       "%.*s name \"%.40s\": letters, digits, dots, dashes and underscores, at "
                       "most %d, not beginning with a dot",
                       (int)strlen(kind->kind) - 1, kind->kind, name, BE_NAME - 1);
    }
    enum be_status status = be_shelves_own(kind, folder, error);
    if (status == BE_OK && snprintf(path, BE_PATH, "%s/%s.json", folder, name) >= BE_PATH) {
        status = be_fail(error, BE_IO, "%.80s...: the path is too long", folder);
    }
    return status;
}

enum be_status be_shelves_make(const char *path, struct be_error *error) {
    char part[BE_PATH];
    be_copy_text(part, sizeof part, path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) {
            return be_fail(error, BE_IO, "%s: the folder cannot be made: %s", part,
                           strerror(errno));
        }
        *slash = '/';
    }
    return BE_OK;
}
