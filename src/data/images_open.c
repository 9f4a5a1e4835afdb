/* Opens a data set: finds its files, and has each of them looked at. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "data/layout.h"

enum { PATH = 1024 };

/* The file of an entry: plain, or else with .gz behind its name. */
static bool find_file(const char *folder, const char *inside, const struct be_images_entry *entry,
                      char path[PATH]) {
    static const char *const ending[] = {"", ".gz"};
    for (size_t i = 0; i < BE_IMAGES_SPELLINGS; i++) {
        for (size_t k = 0; entry->name[i] && k < BE_COUNT(ending); k++) {
            const int length = snprintf(path, PATH, "%s/%s%s%s%s", folder, inside,
                                        *inside ? "/" : "", entry->name[i], ending[k]);
            if (length < PATH && access(path, F_OK) == 0) {
                return true;
            }
        }
    }
    return false;
}

static int files_in(const struct be_images_layout *layout, const char *folder, const char *inside) {
    char path[PATH];
    int found = 0;
    for (int i = 0; i < layout->entries; i++) {
        found += find_file(folder, inside, &layout->entry[i], path);
    }
    return found;
}

/* The folder with most of the files: the one that was named, or where downloads put them inside it. NULL: there is no
 * file of the set in any. */
static const char *fullest(const struct be_images_form *form, const char *folder) {
    const char *best = NULL;
    int most = 0;
    for (const char *const *inside = form->folders; *inside; inside++) {
        const int found = files_in(form->layout, folder, *inside);
        if (found > most) {
            most = found;
            best = *inside;
        }
    }
    return best;
}

static bool is_there(const char *folder, const char *name) {
    char path[PATH];
    return name && snprintf(path, sizeof path, "%s/%s", folder, name) < PATH &&
           access(path, F_OK) == 0;
}

/* There is no file of the set: the reason. */
static enum be_status none(const struct be_images_form *form, const char *folder,
                           struct be_error *error) {
    const struct be_images_layout *layout = form->layout;
    DIR *opened = opendir(folder);
    if (!opened) {
        return be_fail(error, BE_IO, "%s: cannot be read: %s", folder, strerror(errno));
    }
    closedir(opened);
    if (is_there(folder, layout->archive)) {
        return be_fail(error, BE_USAGE, "%s/%s is still packed: unpack it with tar -xzf", folder,
                       layout->archive);
    }
    if (is_there(folder, layout->other)) {
        return be_fail(error, BE_USAGE, "%s/%s %s", folder, layout->other, layout->other_advice);
    }
    return be_fail(error, BE_USAGE, "%s: there is no file of %s, as %s; it can be had at %s",
                   folder, form->title, layout->entry[0].name[0], form->site);
}

static enum be_status missing(const struct be_images_form *form, const char *folder,
                              const char *inside, const struct be_images_entry *entry,
                              const char *advice, struct be_error *error) {
    return be_fail(error, BE_USAGE, "%s%s%s: %s%s is missing%s; it can be had at %s", folder,
                   *inside ? "/" : "", inside, entry->name[0],
                   entry->packed_bytes ? " (or .gz)" : "", advice, form->site);
}

/* Names what is missing before a file is read, which may take seconds. */
static enum be_status check_files(const struct be_images_options *options, const char *inside,
                                  struct be_error *error) {
    const struct be_images_layout *layout = options->form->layout;
    const struct be_images_entry *absent[BE_IMAGES_PARTS][2] = {{NULL}};
    bool present[BE_IMAGES_PARTS][2] = {{false}};
    char path[PATH];
    for (int i = 0; i < layout->entries; i++) {
        const struct be_images_entry *entry = &layout->entry[i];
        if (find_file(options->folder, inside, entry, path)) {
            present[entry->part][entry->labels] = true;
        } else if (!options->incomplete) {
            return missing(options->form, options->folder, inside, entry,
                           layout->archive ? " (--incomplete takes what there is)" : "", error);
        } else if (!absent[entry->part][entry->labels]) {
            absent[entry->part][entry->labels] = entry;
        }
    }
    for (int part = 0; part < BE_IMAGES_PARTS; part++) {
        for (int labels = 0; labels < 2; labels++) {
            if (absent[part][labels] && !present[part][labels]) {
                return missing(options->form, options->folder, inside, absent[part][labels], "",
                               error);
            }
        }
    }
    return BE_OK;
}

static enum be_status take_files(struct be_images *data, const struct be_images_options *options,
                                 const char *inside, struct be_error *error) {
    const struct be_images_layout *layout = data->form->layout;
    enum be_status status = BE_OK;
    char path[PATH];
    for (int i = 0; !status && i < layout->entries; i++) {
        const struct be_images_entry *entry = &layout->entry[i];
        struct be_images_file file;
        if (find_file(options->folder, inside, entry, path)) {
            /* Labels are looked at once, and are in memory from then on. */
            status = be_images_file_open(path, entry->labels ? BE_IMAGES_MEMORY : data->keep, &file,
                                         error);
            status = status ? status : layout->take(data, options, entry, &file, error);
        }
    }
    return status;
}

static enum be_status take_folder(struct be_images *data, const struct be_images_options *options,
                                  struct be_error *error) {
    const char *inside = fullest(options->form, options->folder);
    if (!inside) {
        return none(options->form, options->folder, error);
    }
    enum be_status status = check_files(options, inside, error);
    return status ? status : take_files(data, options, inside, error);
}

enum be_status be_images_open(const struct be_images_options *options, struct be_images **data,
                              struct be_error *error) {
    *data = NULL;
    struct be_images *opened = calloc(1, sizeof *opened);
    if (!opened) {
        return be_fail(error, BE_NOMEM, "%s: no host memory", options->form->title);
    }
    opened->form = options->form;
    opened->keep = options->keep;
    enum be_status status = options->folder ? take_folder(opened, options, error)
                                            : be_images_make_up(opened, options, error);
    if (status) {
        be_images_close(opened);
        return status;
    }
    for (int part = 0; part < BE_IMAGES_PARTS; part++) {
        struct be_images_set *set = &opened->set[part];
        const size_t most = options->images[part];
        set->images = most && most < set->images ? most : set->images;
    }
    *data = opened;
    return BE_OK;
}
