#include "report/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/input.h"
#include "base/suggest.h"
#include "base/part_file.h"

static const double min_free_bytes = 4e6; /* a profile has some 100 kB */

/* ---- reading -------------------------------------------------------------------------------- */

static enum be_status read_file(const char *path, struct be_profile *profile,
                                struct be_error *error) {
    struct stat there;
    FILE *file;
    enum be_status status = be_input_open(path, &file, error);
    if (status != BE_OK) {
        return status;
    }
    if (fstat(fileno(file), &there) == 0 && S_ISDIR(there.st_mode)) {
        be_input_close(file);
        return be_fail(error, BE_IO, "%s: is a folder; name a profile in it", path);
    }
    status = be_profile_read(file, path, profile, error);
    be_input_close(file);
    return status;
}

static enum be_status read_all(struct be_store *store, const struct be_shelf_files *found,
                               struct be_error *error) {
    store->stored = calloc(found->files + 1, sizeof *store->stored);
    if (!store->stored) {
        return be_fail(error, BE_NOMEM, "profiles: no host memory");
    }
    for (size_t i = 0; i < found->files; i++) {
        const struct be_shelf_file *file = &found->file[i];
        struct be_stored *stored = &store->stored[store->count++];
        stored->shelf = file->shelf;
        be_copy_text(stored->path, sizeof stored->path, file->path);
        stored->status = file->status;
        stored->error = file->error;
        if (file->status == BE_OK) {
            stored->status = read_file(stored->path, &stored->profile, &stored->error);
        }
    }
    return BE_OK;
}

enum be_status be_store_open(struct be_store *store, struct be_error *error) {
    struct be_shelf_files found;
    *store = (struct be_store){0};
    enum be_status status = be_shelves_find(&be_shelf_profiles, &found, error);
    if (status == BE_OK) {
        status = read_all(store, &found, error);
        be_shelves_free(&found);
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

/* The contents of the file NAME.json, or why it cannot be read, say more than "there is none". */
static enum be_status no_such(const struct be_store *store, const char *name,
                              struct be_error *error) {
    const struct be_stored *file = file_called(store, name);
    char known[BE_NOTE] = "";
    char meant[BE_NAME + 24] = "";
    char others[32] = "";
    char within[BE_NOTE / 2] = ""; /* names that it is a part of */
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
        const size_t length = strlen(within);
        if (strlen(name) > 1 && strcasestr(stored->profile.name, name) &&
            length + BE_NAME < sizeof within) {
            snprintf(within + length, sizeof within - length, "%s%s", length ? ", " : "",
                     stored->profile.name);
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
    if (*within) {
        return be_fail(
            error, BE_USAGE,
            "machine %.60s: no profile of that name, and no such file; there are with that "
            "in their name: %s",
            name, within);
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
    if (strcmp(name, "none") == 0) {
        return be_fail(error, BE_USAGE, "profile name \"none\": --machine none takes no profile");
    }
    return be_shelves_path(&be_shelf_profiles, name, path, error);
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
    enum be_status status = be_shelves_make(path, error);
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
