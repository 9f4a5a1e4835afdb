#include "report/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/folder.h"
#include "base/suggest.h"
#include "base/part_file.h"
#include "base/program.h"
#include "build_info.h"

static const double min_free_bytes = 4e6; /* a profile has some 100 kB */

/* ---- folders -------------------------------------------------------------------------------- */

static enum be_status own_folder(char path[BE_PATH], struct be_error *error) {
    const char *data = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");
    int length = -1;
    if (data && *data == '/') { /* a relative one does not count: XDG Base Directory */
        length = snprintf(path, BE_PATH, "%s/breakeven/profiles", data);
    } else if (home && *home) {
        length = snprintf(path, BE_PATH, "%s/.local/share/breakeven/profiles", home);
    }
    return length > 0 && length < BE_PATH
               ? BE_OK
               : be_fail(error, BE_IO,
                         "profiles: neither XDG_DATA_HOME nor HOME names a folder: set one, or "
                         "give --output FILE");
}

/* ---- reading -------------------------------------------------------------------------------- */

static enum be_status read_file(const char *path, struct be_profile *profile,
                                struct be_error *error) {
    struct stat there;
    FILE *file = fopen(path, "re");
    if (!file) {
        return be_fail(error, BE_IO, "%s: cannot be read: %s", path, strerror(errno));
    }
    if (fstat(fileno(file), &there) == 0 && S_ISDIR(there.st_mode)) {
        fclose(file);
        return be_fail(error, BE_IO, "%s: is a folder; name a profile in it", path);
    }
    enum be_status status = be_profile_read(file, path, profile, error);
    fclose(file);
    return status;
}

/* One more of the store, all zero but shelf and path; NULL: no memory. */
static struct be_stored *add(struct be_store *store, enum be_shelf shelf, const char *path,
                             struct be_error *error) {
    struct be_stored *more = realloc(store->stored, (store->count + 1) * sizeof *more);
    if (!more) {
        be_fail(error, BE_NOMEM, "profiles: no host memory");
        return NULL;
    }
    store->stored = more;
    struct be_stored *stored = &more[store->count++];
    memset(stored, 0, sizeof *stored);
    stored->shelf = shelf;
    be_copy_text(stored->path, sizeof stored->path, path);
    return stored;
}

static enum be_status read_folder(struct be_store *store, enum be_shelf shelf, const char *folder,
                                  struct be_error *error) {
    struct be_folder found;
    struct be_error why = {0};
    struct be_stored *stored = NULL;
    enum be_status status = be_folder_find(folder, "*.json", &found, &why);
    if (status != BE_OK) { /* stands among what cannot be read */
        stored = add(store, shelf, folder, error);
        if (stored) {
            stored->status = status;
            stored->error = why;
        }
        return stored ? BE_OK : BE_NOMEM;
    }
    for (size_t i = 0; status == BE_OK && i < found.paths; i++) {
        stored = add(store, shelf, found.path[i], error);
        status = stored ? BE_OK : BE_NOMEM;
        if (stored) {
            stored->status = read_file(stored->path, &stored->profile, &stored->error);
        }
    }
    be_folder_free(&found);
    return status;
}

/* BREAKEVEN_PROFILES: folders with colons between, as PATH. */
static enum be_status read_listed(struct be_store *store, struct be_error *error) {
    const char *listed = getenv("BREAKEVEN_PROFILES");
    enum be_status status = BE_OK;
    for (const char *at = listed ? listed : ""; status == BE_OK && *at;) {
        char folder[BE_PATH];
        size_t length = strcspn(at, ":");
        snprintf(folder, sizeof folder, "%.*s", (int)(length < BE_PATH ? length : 0), at);
        status = *folder ? read_folder(store, BE_SHELF_SITE, folder, error) : BE_OK;
        at += length + (at[length] == ':');
    }
    return status;
}

/* Beside the program: installed, or in the source tree that it was built in. */
static enum be_status read_shipped(struct be_store *store, struct be_error *error) {
    static const char *const beside[] = {"../share/breakeven/profiles", "../share/profiles"};
    char program[BE_PATH];
    size_t before = store->count;
    enum be_status status = BE_OK;
    bool known = be_program_folder(program, sizeof program);
    for (size_t i = 0; known && status == BE_OK && store->count == before && i < BE_COUNT(beside);
         i++) {
        char folder[BE_PATH + 32];
        snprintf(folder, sizeof folder, "%s/%s", program, beside[i]);
        status = read_folder(store, BE_SHELF_SHIPPED, folder, error);
    }
    if (status == BE_OK && store->count == before) {
        status = read_folder(store, BE_SHELF_SHIPPED, BE_BUILD_PROFILES, error);
    }
    return status;
}

enum be_status be_store_open(struct be_store *store, struct be_error *error) {
    char own[BE_PATH];
    *store = (struct be_store){0};
    enum be_status status = BE_OK;
    if (own_folder(own, NULL) == BE_OK) { /* who has no home has no profiles of their own */
        status = read_folder(store, BE_SHELF_OWN, own, error);
    }
    status = status == BE_OK ? read_listed(store, error) : status;
    if (status == BE_OK) {
        status = read_folder(store, BE_SHELF_SITE, "/etc/breakeven/profiles", error);
    }
    status = status == BE_OK ? read_shipped(store, error) : status;
    if (status != BE_OK) {
        be_store_close(store);
    }
    return status;
}

void be_store_close(struct be_store *store) {
    for (size_t i = 0; i < store->count; i++) {
        be_profile_free(&store->stored[i].profile);
    }
    free(store->stored);
    *store = (struct be_store){0};
}

const struct be_stored *be_store_find(const struct be_store *store, const char *name) {
    for (size_t i = 0; i < store->count; i++) {
        const struct be_stored *stored = &store->stored[i];
        if (stored->status == BE_OK && strcmp(stored->profile.name, name) == 0) {
            return stored;
        }
    }
    return NULL;
}

/* ---- one by name ---------------------------------------------------------------------------- */

/* The file NAME.json, which may be read or not. */
static const struct be_stored *file_called(const struct be_store *store, const char *name) {
    for (size_t i = 0; i < store->count; i++) {
        const char *base = strrchr(store->stored[i].path, '/');
        size_t length = strlen(name);
        base = base ? base + 1 : store->stored[i].path;
        if (strncmp(base, name, length) == 0 && strcmp(base + length, ".json") == 0) {
            return &store->stored[i];
        }
    }
    return NULL;
}

/* What the file NAME.json holds, or why it cannot be read, says more than "there is none". */
static enum be_status no_such(const struct be_store *store, const char *name,
                              struct be_error *error) {
    const struct be_stored *file = file_called(store, name);
    char known[BE_NOTE] = "";
    char meant[BE_NAME + 24] = "";
    char others[32] = "";
    size_t min = be_near_limit(strlen(name));
    size_t more = 0;
    if (file && file->status != BE_OK) {
        return be_fail(error, file->status, "%s", file->error.text);
    }
    if (file) {
        return be_fail(error, BE_USAGE,
                       "machine %.60s: no profile of that name: the one in %.200s is called %s, as "
                       "`breakeven probe --name` said",
                       name, file->path, file->profile.name);
    }
    for (size_t i = 0; i < store->count; i++) {
        const struct be_stored *stored = &store->stored[i];
        size_t used = strlen(known);
        if (stored->status != BE_OK || be_store_find(store, stored->profile.name) != stored) {
            continue;
        }
        if (be_is_nearer(name, strlen(name), stored->profile.name, &min)) {
            snprintf(meant, sizeof meant, " (did you mean %s?)", stored->profile.name);
        }
        if (used + BE_NAME < sizeof known) {
            snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                     stored->profile.name);
        } else {
            more++;
        }
    }
    if (more > 0) {
        snprintf(others, sizeof others, " and %zu more", more);
    }
    return be_fail(error, BE_USAGE,
                   "machine %.60s: no profile of that name%s, and no such file; there are: %s%s "
                   "(`breakeven probe` makes one)",
                   name, meant, *known ? known : "none", others);
}

enum be_status be_profile_load(const char *name, struct be_profile *profile,
                               struct be_error *error) {
    struct stat there;
    *profile = (struct be_profile){0};
    if (!*name) {
        return be_fail(error, BE_USAGE, "an empty name: a profile's name, or its file, is needed");
    }
    /* With a slash it is a path, whatever lies there: <(...) of a shell is a pipe. */
    if (strchr(name, '/') || (stat(name, &there) == 0 && S_ISREG(there.st_mode))) {
        return read_file(name, profile, error);
    }
    struct be_store store;
    enum be_status status = be_store_open(&store, error);
    if (status != BE_OK) {
        return status;
    }
    const struct be_stored *stored = be_store_find(&store, name);
    bool folder = stat(name, &there) == 0 && S_ISDIR(there.st_mode);
    status = stored   ? read_file(stored->path, profile, error)
             : folder ? read_file(name, profile, error)
                      : no_such(&store, name, error);
    be_store_close(&store);
    return status;
}

/* ---- writing -------------------------------------------------------------------------------- */

enum be_status be_store_path(const char *name, char path[BE_PATH], struct be_error *error) {
    static const char fit[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    char folder[BE_PATH];
    if (!*name || *name == '.' || strlen(name) >= BE_NAME || name[strspn(name, fit)] != '\0') {
        return be_fail(error, BE_USAGE,
                       "profile name \"%.40s\": letters, digits, dots, dashes and underscores, at "
                       "most %d, not beginning with a dot",
                       name, BE_NAME - 1);
    }
    if (strcmp(name, "none") == 0) {
        return be_fail(error, BE_USAGE, "profile name \"none\": --machine none takes no profile");
    }
    enum be_status status = own_folder(folder, error);
    if (status == BE_OK && snprintf(path, BE_PATH, "%s/%s.json", folder, name) >= BE_PATH) {
        status = be_fail(error, BE_IO, "%.80s...: the path is too long", folder);
    }
    return status;
}

static enum be_status make_folders(const char *path, struct be_error *error) {
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

static const char elsewhere[] = "--output FILE names another place";

/* Puts it behind the text already there. */
static enum be_status say_elsewhere(enum be_status status, struct be_error *error) {
    if (error) {
        size_t length = strlen(error->text);
        snprintf(error->text + length, sizeof error->text - length, "; %s", elsewhere);
    }
    return status;
}

enum be_status be_store_try(const char *path, struct be_error *error) {
    FILE *file;
    char *beside = NULL;
    struct statvfs capacity;
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        return be_fail(error, BE_IO, "%s: is not a file: name one", path);
    }
    enum be_status status = make_folders(path, error);
    status = status == BE_OK ? be_part_open(path, 0666, &file, &beside, error) : status;
    if (status != BE_OK) {
        return say_elsewhere(status, error);
    }
    bool known = fstatvfs(fileno(file), &capacity) == 0;
    be_part_close(path, file, beside, BE_ABSENT, NULL); /* nothing is written, so it goes again */
    double left = known ? (double)capacity.f_bavail * (double)capacity.f_frsize : min_free_bytes;
    return left >= min_free_bytes
               ? BE_OK
               : be_fail(error, BE_IO, "%s: %.1f MB are free there, a profile needs %.0f MB: %s",
                         path, left / 1e6, min_free_bytes / 1e6, elsewhere);
}

enum be_status be_store_save(const struct be_profile *profile, const char *path,
                             struct be_error *error) {
    FILE *file;
    char *beside = NULL;
    enum be_status status = be_part_open(path, 0666, &file, &beside, error);
    if (status == BE_OK) {
        status = be_profile_write(profile, BE_JSON, file, error);
        status = be_part_close(path, file, beside, status, error);
    }
    return status;
}
