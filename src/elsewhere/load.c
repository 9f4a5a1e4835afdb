/* A machine by its name: its times, or those foretold for it. */
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/text.h"
#include "elsewhere/elsewhere.h"
#include "elsewhere/files.h"
#include "machine/profile.h"
#include "predict/predict.h"
#include "report/common/shelves.h"
#include "report/store.h"

/* The first readable file of that name; with `name` NULL the first with a GPU. BE_ABSENT: none. */
static enum be_status find_results(const char *name, struct be_results *results,
                                   struct be_text *known, struct be_error *error) {
    struct be_shelf_files found;
    enum be_status status = be_shelves_find(&be_shelf_results, &found, error);
    if (status) {
        return status;
    }
    status = BE_ABSENT;
    for (size_t i = 0; status == BE_ABSENT && i < found.files; i++) {
        struct be_results one = {0};
        struct be_error why = {0};
        if (found.file[i].status || be_results_open(found.file[i].path, &one, &why) != BE_OK) {
            continue; /* `breakeven machines` says why */
        }
        be_text_add(known, "%s%s", known->length ? ", " : "", one.name);
        bool gpu = false;
        for (int k = 0; k < one.machine.devices; k++) {
            gpu |= one.machine.device[k].kind == BE_KIND_GPU;
        }
        if (name ? strcmp(one.name, name) == 0 : gpu) {
            *results = one;
            status = BE_OK;
        } else {
            be_results_free(&one);
        }
    }
    be_shelves_free(&found);
    return status;
}

/* The profile of that name, or the data sheet of it. */
static const struct be_stored *find_profile(const struct be_store *store, const char *name) {
    static const char *const form[] = {"%s", "datasheet-%s"};
    for (size_t i = 0; i < BE_COUNT(form); i++) {
        char full[2 * BE_NAME];
        if (i == 0) {
            be_copy_text(full, sizeof full, name);
        } else {
            snprintf(full, sizeof full, "datasheet-%.40s", name);
        }
        const struct be_stored *stored = be_store_find(store, full);
        if (stored) {
            return stored;
        }
    }
    return NULL;
}

/* The profile of the GPU that was measured: one of the same name. */
static const struct be_stored *find_base(const struct be_store *store,
                                         const struct be_results *base) {
    for (size_t i = 0; i < store->count; i++) {
        const struct be_machine *machine = &store->stored[i].profile.machine;
        for (int d = 0; store->stored[i].status == BE_OK && d < machine->devices; d++) {
            for (int k = 0; k < base->machine.devices; k++) {
                if (base->machine.device[k].kind == BE_KIND_GPU &&
                    strcmp(machine->device[d].name, base->machine.device[k].name) == 0) {
                    return &store->stored[i];
                }
            }
        }
    }
    return NULL;
}

/* A profile of the CPU that was measured: one of the same name, with as many cores. */
static const struct be_stored *find_base_cpu(const struct be_store *store,
                                             const struct be_results *base) {
    for (size_t i = 0; i < store->count; i++) {
        const struct be_profile *profile = &store->stored[i].profile;
        if (store->stored[i].status == BE_OK &&
            strcmp(profile->machine.cpu, base->machine.cpu) == 0 &&
            be_predict_threads(profile) == base->machine.cores_allowed) {
            return &store->stored[i];
        }
    }
    return NULL;
}

static enum be_status scale(const struct be_store *store, const char *name,
                            const struct be_profile *target, struct be_results *results,
                            char from[BE_NAME], struct be_error *error) {
    struct be_results base = {0};
    struct be_text known = {0};
    enum be_status status = find_results(NULL, &base, &known, error);
    be_text_free(&known);
    if (status == BE_ABSENT) {
        return be_fail(error, BE_ABSENT,
                       "%s: nothing was measured on it, and there are no times of another GPU to "
                       "foretell them from: `breakeven compare --save-results` keeps some",
                       name);
    }
    const struct be_stored *sheet = status ? NULL : find_base(store, &base);
    if (!status && !sheet) {
        status = be_fail(error, BE_ABSENT,
                         "%s: times of %s are here, but no profile or data sheet of its GPU, so "
                         "that nothing can be foretold from them",
                         name, base.name);
    }
    status = status ? status : be_results_scale(&base, &sheet->profile, target, results, error);
    if (!status) {
        be_copy_text(results->name, sizeof results->name, name);
        be_copy_text(from, BE_NAME, base.name);
    }
    be_results_free(&base);
    return status;
}

static enum be_status no_such(const struct be_store *store, const char *name,
                              const struct be_text *known, struct be_error *error) {
    static const char sheet[] = "datasheet-";
    enum { SHOWN = 12 }; /* an error has room for so many */
    struct be_text others = {0};
    size_t sheets = 0;
    for (size_t i = 0; i < store->count; i++) {
        const char *other = store->stored[i].profile.name;
        if (store->stored[i].status == BE_OK && strncmp(other, sheet, sizeof sheet - 1) == 0) {
            sheets++;
            if (sheets <= SHOWN) {
                be_text_add(&others, "%s%s", sheets > 1 ? ", " : "", other + sizeof sheet - 1);
            }
        }
    }
    if (sheets > SHOWN) {
        be_text_add(&others, " and %zu more (`breakeven machines` lists them)", sheets - SHOWN);
    }
    enum be_status status =
        be_fail(error, BE_USAGE,
                "machine %.60s: no times of that name, and no such file; there are times of: %s; "
                "predicted are: %s",
                name, known->length ? known->data : "none", others.length ? others.data : "none");
    be_text_free(&others);
    return status;
}

static bool is_file(const char *name) {
    struct stat there;
    return strchr(name, '/') || (stat(name, &there) == 0 && S_ISREG(there.st_mode));
}

enum be_status be_results_load(const char *name, struct be_results *results,
                               struct be_error *error) {
    struct be_text known = {0};
    struct be_store store;
    char from[BE_NAME];
    *results = (struct be_results){0};
    if (is_file(name)) {
        return be_results_open(name, results, error);
    }
    enum be_status status = find_results(name, results, &known, error);
    if (status == BE_ABSENT) {
        status = be_store_open(&store, error);
        if (status == BE_OK) {
            const struct be_stored *target = find_profile(&store, name);
            status = target ? scale(&store, name, &target->profile, results, from, error)
                            : no_such(&store, name, &known, error);
            be_store_close(&store);
        }
    }
    be_text_free(&known);
    return status;
}

/* ---- all that is known of a machine --------------------------------------------------------- */

static enum be_status take_profile(const char *path, struct be_there *there,
                                   struct be_error *error) {
    enum be_status status = be_profile_load(path, &there->own, error);
    there->profile = status ? NULL : &there->own;
    return status;
}

static void take_scaled_cpu(const struct be_store *store, struct be_there *there) {
    struct be_error why;
    struct be_results base = {0};
    struct be_text known = {0};
    if (find_results(NULL, &base, &known, &why) == BE_OK) {
        const struct be_stored *same = find_base_cpu(store, &base);
        if (same && be_results_scale_cpu(&base, &same->profile, there->profile, &there->times,
                                         &why) == BE_OK) {
            there->has_times = true;
            be_copy_text(there->cpu_scaled_from, sizeof there->cpu_scaled_from, base.name);
        }
    }
    be_text_free(&known);
    be_results_free(&base);
}

/* Times of another machine may lack, and so may a rate of this one: then there are none. */
static void take_scaled(const struct be_store *store, struct be_there *there) {
    struct be_error why;
    if (there->has_times || !there->profile) {
        return;
    }
    if (be_profile_gpu(there->profile)) {
        there->has_times = scale(store, there->profile->name, there->profile, &there->times,
                                 there->scaled_from, &why) == BE_OK;
    }
    if (be_predict_threads(there->profile) > 0) {
        take_scaled_cpu(store, there);
    }
}

static enum be_status take_file(const char *name, struct be_there *there, struct be_error *error) {
    struct be_error why;
    there->has_times = be_results_open(name, &there->times, &why) == BE_OK;
    return there->has_times ? BE_OK : take_profile(name, there, error);
}

static enum be_status take_named(const struct be_store *store, const char *name,
                                 struct be_there *there, struct be_error *error) {
    struct be_text known = {0};
    const struct be_stored *stored = find_profile(store, name);
    enum be_status status = find_results(name, &there->times, &known, error);
    there->has_times = status == BE_OK;
    if (stored && (status == BE_OK || status == BE_ABSENT)) {
        status = take_profile(stored->path, there, error);
    } else if (status == BE_ABSENT) {
        status = no_such(store, name, &known, error);
    }
    be_text_free(&known);
    return status;
}

enum be_status be_there_open(const char *name, struct be_there *there, struct be_error *error) {
    struct be_store store;
    enum be_status status = be_store_open(&store, error);
    if (status) {
        return status;
    }
    status = is_file(name) ? take_file(name, there, error) : take_named(&store, name, there, error);
    const struct be_stored *same =
        !status && !there->profile ? find_base(&store, &there->times) : NULL;
    status = same ? take_profile(same->path, there, error) : status;
    if (!status) {
        take_scaled(&store, there);
    }
    be_store_close(&store);
    return status;
}

enum be_status be_there_of_profile(const struct be_profile *profile, struct be_there *there,
                                   struct be_error *error) {
    struct be_store store;
    enum be_status status = be_store_open(&store, error);
    if (!status) {
        there->profile = profile;
        take_scaled(&store, there);
        be_store_close(&store);
    }
    return status;
}

void be_there_close(struct be_there *there) {
    be_results_free(&there->times);
    be_profile_free(&there->own);
    *there = (struct be_there){0};
}
