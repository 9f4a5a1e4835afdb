#include "cluster/catalogue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/folder.h"
#include "base/suggest.h"
#include "base/program.h"
#include "build_info.h"

enum { PATH_CAPACITY = 1024 };

/* ---- reading --------------------------------------------------------------------------------- */

/* A file, or with `why` a folder that cannot be read. */
static enum be_status keep(struct be_catalogue *catalogue, enum be_catalogue_shelf shelf,
                           const char *path, const struct be_error *why, struct be_error *error) {
    struct be_catalogue_file *more =
        realloc(catalogue->file, (catalogue->files + 1) * sizeof *more);
    char *copy = strdup(path);
    catalogue->file = more ? more : catalogue->file;
    if (!more || !copy) {
        free(copy);
        return be_fail(error, BE_NOMEM, "clusters: no host memory");
    }
    struct be_catalogue_file *file = &more[catalogue->files++];
    *file = (struct be_catalogue_file){.shelf = shelf, .path = copy};
    FILE *in = why ? NULL : fopen(path, "re");
    file->status =
        why  ? be_fail(&file->error, why->status, "%s", why->text)
        : in ? be_clusters_read(in, path, &file->clusters, &file->error)
             : be_fail(&file->error, BE_IO, "%s: cannot be read: %s", path, strerror(errno));
    if (in) {
        fclose(in);
    }
    if (shelf == BE_CATALOGUE_NAMED && file->status != BE_OK) {
        return be_fail(error, file->status, "%s", file->error.text);
    }
    return BE_OK;
}

static enum be_status read_folder(struct be_catalogue *catalogue, enum be_catalogue_shelf shelf,
                                  const char *folder, struct be_error *error) {
    struct be_folder found;
    struct be_error why = {0};
    if (be_folder_find(folder, "*.json", &found, &why) != BE_OK) {
        return keep(catalogue, shelf, folder, &why, error);
    }
    enum be_status status = BE_OK;
    for (size_t i = 0; status == BE_OK && i < found.paths; i++) {
        status = keep(catalogue, shelf, found.path[i], NULL, error);
    }
    be_folder_free(&found);
    return status;
}

/* A folder or a file that somebody named. */
static enum be_status read_place(struct be_catalogue *catalogue, enum be_catalogue_shelf shelf,
                                 const char *place, struct be_error *error) {
    struct stat there;
    bool named = shelf == BE_CATALOGUE_NAMED;
    size_t before = catalogue->files;
    if (stat(place, &there) != 0) {
        return named ? be_fail(error, BE_IO, "--catalogue %s: %s", place, strerror(errno)) : BE_OK;
    }
    if (!S_ISDIR(there.st_mode)) {
        return keep(catalogue, shelf, place, NULL, error);
    }
    enum be_status status = read_folder(catalogue, shelf, place, error);
    return status == BE_OK && named && catalogue->files == before
               ? be_fail(error, BE_USAGE, "--catalogue %s: has no *.json files", place)
               : status;
}

/* Places with colons between, as PATH. */
static enum be_status read_listed(struct be_catalogue *catalogue, enum be_catalogue_shelf shelf,
                                  const char *listed, struct be_error *error) {
    enum be_status status = BE_OK;
    for (const char *at = listed ? listed : ""; status == BE_OK && *at;) {
        char place[PATH_CAPACITY];
        size_t length = strcspn(at, ":");
        if (length >= sizeof place) {
            return be_fail(error, BE_USAGE, "clusters: the path %.60s... is too long", at);
        }
        be_copy_text(place, length + 1, at);
        status = *place ? read_place(catalogue, shelf, place, error) : BE_OK;
        at += length + (at[length] == ':');
    }
    return status;
}

/* Beside this library, which another program may have loaded, or beside the program: installed, or in the source tree
 * that it was built in. */
static enum be_status read_shipped(struct be_catalogue *catalogue, struct be_error *error) {
    static const char *const beside[] = {"../share/breakeven/clusters", "../share/clusters",
                                         "share/clusters"};
    static bool (*const where[])(char *, size_t) = {be_library_folder, be_program_folder};
    size_t before = catalogue->files;
    enum be_status status = BE_OK;
    for (size_t i = 0; i < BE_COUNT(where) * BE_COUNT(beside); i++) {
        char at[PATH_CAPACITY], folder[PATH_CAPACITY + 32];
        if (status == BE_OK && catalogue->files == before &&
            where[i / BE_COUNT(beside)](at, sizeof at)) {
            snprintf(folder, sizeof folder, "%s/%s", at, beside[i % BE_COUNT(beside)]);
            status = read_folder(catalogue, BE_CATALOGUE_SHIPPED, folder, error);
        }
    }
    if (status == BE_OK && catalogue->files == before) {
        status = read_folder(catalogue, BE_CATALOGUE_SHIPPED, BE_BUILD_CLUSTERS, error);
    }
    return status;
}

enum be_status be_catalogue_open(const char *named, struct be_catalogue *catalogue,
                                 struct be_error *error) {
    *catalogue = (struct be_catalogue){0};
    enum be_status status = read_listed(catalogue, BE_CATALOGUE_NAMED, named, error);
    if (status == BE_OK) {
        status = read_listed(catalogue, BE_CATALOGUE_LISTED, getenv("BREAKEVEN_CLUSTERS"), error);
    }
    if (status == BE_OK) {
        status = read_folder(catalogue, BE_CATALOGUE_SITE, "/etc/breakeven/clusters", error);
    }
    status = status == BE_OK ? read_shipped(catalogue, error) : status;
    if (status != BE_OK) {
        be_catalogue_close(catalogue);
    }
    return status;
}

void be_catalogue_close(struct be_catalogue *catalogue) {
    for (size_t i = 0; i < catalogue->files; i++) {
        be_clusters_free(&catalogue->file[i].clusters);
        free(catalogue->file[i].path);
    }
    free(catalogue->file);
    *catalogue = (struct be_catalogue){0};
}

/* ---- looking up ------------------------------------------------------------------------------ */

static const struct be_cluster *first_of(const struct be_catalogue *catalogue, const char *name) {
    for (size_t i = 0; i < catalogue->files; i++) {
        const struct be_clusters *clusters = &catalogue->file[i].clusters;
        for (size_t k = 0; k < clusters->count; k++) {
            if (strcasecmp(clusters->cluster[k].name, name) == 0) {
                return &clusters->cluster[k];
            }
        }
    }
    return NULL;
}

const struct be_cluster *be_catalogue_at(const struct be_catalogue *catalogue, size_t index) {
    for (size_t i = 0; i < catalogue->files; i++) {
        const struct be_clusters *clusters = &catalogue->file[i].clusters;
        for (size_t k = 0; k < clusters->count; k++) {
            const struct be_cluster *cluster = &clusters->cluster[k];
            bool counts = first_of(catalogue, cluster->name) == cluster;
            if (counts && index-- == 0) {
                return cluster;
            }
        }
    }
    return NULL;
}

const struct be_catalogue_file *be_catalogue_file_of(const struct be_catalogue *catalogue,
                                                     const struct be_cluster *cluster) {
    for (size_t i = 0; i < catalogue->files; i++) {
        const struct be_clusters *clusters = &catalogue->file[i].clusters;
        for (size_t k = 0; k < clusters->count; k++) {
            if (&clusters->cluster[k] == cluster) {
                return &catalogue->file[i];
            }
        }
    }
    return NULL;
}

/* The file NAME.json that cannot be read says more than "there is none". */
static const struct be_catalogue_file *broken_one(const struct be_catalogue *catalogue,
                                                  const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; i < catalogue->files; i++) {
        const struct be_catalogue_file *file = &catalogue->file[i];
        const char *base = strrchr(file->path, '/');
        base = base ? base + 1 : file->path;
        if (file->status != BE_OK && strncasecmp(base, name, length) == 0 &&
            strcmp(base + length, ".json") == 0) {
            return file;
        }
    }
    return NULL;
}

enum be_status be_catalogue_find(const struct be_catalogue *catalogue, const char *name,
                                 const struct be_cluster **cluster, struct be_error *error) {
    *cluster = first_of(catalogue, name);
    if (*cluster) {
        return BE_OK;
    }
    const struct be_catalogue_file *broken = broken_one(catalogue, name);
    if (broken) {
        return be_fail(error, broken->status, "%s", broken->error.text);
    }
    char known[BE_NOTE] = "", meant[BE_NAME + 24] = "";
    const struct be_cluster *other = NULL;
    size_t min = be_near_limit(strlen(name));
    for (size_t i = 0; (other = be_catalogue_at(catalogue, i)); i++) {
        size_t used = strlen(known);
        if (be_is_nearer(name, strlen(name), other->name, &min)) {
            snprintf(meant, sizeof meant, " (did you mean %s?)", other->name);
        }
        if (used + BE_NAME + 2 < sizeof known) {
            snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", other->name);
        }
    }
    return be_fail(error, BE_USAGE,
                   "cluster %.60s: not in the catalogue%s; there are: %s "
                   "(`breakeven clusters --detect`, on the cluster, makes its entry)",
                   name, meant, *known ? known : "none");
}
