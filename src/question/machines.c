#include "question/machines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "elsewhere/files.h"
#include "machine/profile.h"
#include "question/question.h"
#include "report/common/lines.h"
#include "report/common/shelves.h"
#include "report/json/record.h"
#include "report/machines/fields.h"

/* ---- as text --------------------------------------------------------------------------------- */

/* "12 days", "3 hours". */
static void age_text(const struct be_profile *profile, const char *now, char *text,
                     size_t capacity) {
    double days = be_days_between(profile->environment.date, now);
    if (profile->source != BE_SOURCE_MEASURED) {
        be_copy_text(text, capacity, "data sheet");
    } else if (isnan(days)) {
        be_copy_text(text, capacity, "no date");
    } else if (days < 2) {
        snprintf(text, capacity, "%.0f hours", 24 * days);
    } else {
        snprintf(text, capacity, "%.0f days", days);
    }
}

/* "16 cores, 8 x NVIDIA H200": what a reader knows a machine by. */
static void hardware_text(const struct be_machine *machine, struct be_text *text) {
    if (machine->cores > 0) {
        be_text_add(text, "%d cores", machine->cores);
    }
    for (int i = 0; i < machine->devices; i++) {
        const struct be_device_info *info = &machine->device[i];
        int before = 0, alike = 0;
        for (int k = 0; k < machine->devices; k++) {
            const struct be_device_info *other = &machine->device[k];
            bool same = other->kind == BE_KIND_GPU && !other->same_as[0] &&
                        strcmp(other->name, info->name) == 0;
            alike += same;
            before += same && k < i;
        }
        if (info->kind == BE_KIND_GPU && !info->same_as[0] && before == 0) {
            be_text_add(text, "%s", text->length ? ", " : "");
            if (alike > 1) {
                be_text_add(text, "%d x ", alike);
            }
            be_text_add(text, "%s", info->name);
        }
    }
    if (!text->length) {
        be_text_add(text, "-");
    }
}

static const char *const shelf_word[] = {
    [BE_SHELF_OWN] = "own", [BE_SHELF_SITE] = "site", [BE_SHELF_SHIPPED] = "shipped"};

static const char row_format[] = "%-22s %-11s %-8s ";

/* Names are those of files, of which others may have written some. */
static void list_one(const struct be_store *store, const struct be_stored *stored, const char *now,
                     struct be_text *out) {
    char age[BE_NAME], head[2 * BE_NAME + 32];
    struct be_text hardware = {0}, name = {0};
    age_text(&stored->profile, now, age, sizeof age);
    be_lines_ascii(&name, stored->profile.name);
    hardware_text(&stored->profile.machine, &hardware);
    if (be_store_find(store, stored->profile.name) != stored) {
        be_text_add(&hardware, "; not taken: another of this name comes first");
    }
    snprintf(head, sizeof head, row_format, name.data ? name.data : "", age,
             shelf_word[stored->shelf]);
    be_lines_wrap(out, head, hardware.data ? hardware.data : "", 44);
    be_text_free(&name);
    be_text_free(&hardware);
}

/* ---- times ---------------------------------------------------------------------------------- */

static void list_times_of(const struct be_shelf_file *file, struct be_text *out) {
    struct be_results results = {0};
    struct be_error why = file->error;
    enum be_status status = file->status;
    status = status ? status : be_results_open(file->path, &results, &why);
    if (status != BE_OK) {
        be_lines_wrap(out, "cannot be read: ", why.text, 2);
        return;
    }
    char head[2 * BE_NAME + 64], day[11];
    struct be_text hardware = {0}, name = {0};
    be_copy_text(day, sizeof day, results.environment.date);
    be_lines_ascii(&name, results.name);
    hardware_text(&results.machine, &hardware);
    be_text_add(&hardware, "; %zu times", results.results);
    snprintf(head, sizeof head, row_format, name.data ? name.data : "", day,
             shelf_word[file->shelf]);
    be_lines_wrap(out, head, hardware.data ? hardware.data : "", 44);
    be_text_free(&name);
    be_text_free(&hardware);
    be_results_free(&results);
}

/* Below the profiles: what `compare --elsewhere` has measured times of. */
static enum be_status list_times(struct be_text *out, struct be_error *error) {
    struct be_shelf_files found;
    enum be_status status = be_shelves_find(&be_shelf_results, &found, error);
    if (status != BE_OK || !found.files) {
        return status;
    }
    be_text_add(out, "\n");
    be_lines_wrap(
        out, "",
        "Times measured there, for `breakeven compare --elsewhere=NAME`; of the other GPUs "
        "above they are predicted:",
        2);
    for (size_t i = 0; i < found.files; i++) {
        list_times_of(&found.file[i], out);
    }
    be_shelves_free(&found);
    return BE_OK;
}

static void list_text(const struct be_store *store, const char *now, struct be_text *out) {
    bool own = false;
    be_text_add(out, row_format, "machine", "age", "whose");
    be_text_add(out, "hardware\n");
    for (size_t i = 0; i < store->count; i++) {
        if (store->stored[i].status == BE_OK) {
            own |= store->stored[i].shelf == BE_SHELF_OWN;
            list_one(store, &store->stored[i], now, out);
        }
    }
    for (size_t i = 0; i < store->count; i++) {
        if (store->stored[i].status != BE_OK) {
            be_lines_wrap(out, "cannot be read: ", store->stored[i].error.text, 2);
        }
    }
    if (!own) {
        be_text_add(out, "\nNone of your own yet: `breakeven probe` measures this machine.\n");
    }
}

/* ---- as JSON ----------------------------------------------------------------------- */

static struct be_machine_row row_of(const char *name, enum be_shelf shelf,
                                    const struct be_machine *machine,
                                    const struct be_environment *environment) {
    struct be_machine_row row = {0};
    struct be_text hardware = {0};
    hardware_text(machine, &hardware);
    be_copy_text(row.name, sizeof row.name, name);
    be_copy_text(row.whose, sizeof row.whose, shelf_word[shelf]);
    be_copy_text(row.date, sizeof row.date, environment->date);
    be_copy_text(row.hardware, sizeof row.hardware, hardware.data ? hardware.data : "");
    be_text_free(&hardware);
    return row;
}

static enum be_status fill_profiles(const struct be_store *store, struct be_machine_rows *rows,
                                    struct be_error *error) {
    rows->profile = calloc(store->count + 1, sizeof *rows->profile);
    if (!rows->profile) {
        return be_fail(error, BE_NOMEM, "no host memory for a list of machines");
    }
    for (size_t i = 0; i < store->count; i++) {
        const struct be_stored *stored = &store->stored[i];
        const struct be_profile *profile = &stored->profile;
        if (stored->status == BE_OK) {
            struct be_machine_row *row = &rows->profile[rows->profiles++];
            *row = row_of(profile->name, stored->shelf, &profile->machine, &profile->environment);
            row->source = profile->source;
            row->taken = be_store_find(store, profile->name) == stored;
        }
    }
    return BE_OK;
}

static enum be_status fill_times(struct be_machine_rows *rows, struct be_error *error) {
    struct be_shelf_files found;
    enum be_status status = be_shelves_find(&be_shelf_results, &found, error);
    if (status != BE_OK) {
        return status;
    }
    rows->time = calloc(found.files + 1, sizeof *rows->time);
    for (size_t i = 0; rows->time && i < found.files; i++) {
        struct be_results results = {0};
        if (found.file[i].status == BE_OK &&
            be_results_open(found.file[i].path, &results, error) == BE_OK) {
            struct be_machine_row *row = &rows->time[rows->times++];
            *row =
                row_of(results.name, found.file[i].shelf, &results.machine, &results.environment);
            row->times = results.results;
        }
        be_results_free(&results);
    }
    be_shelves_free(&found);
    return rows->time ? BE_OK : be_fail(error, BE_NOMEM, "no host memory for a list of machines");
}

static enum be_status list_json(const struct be_store *store, struct be_text *out,
                                struct be_error *error) {
    struct be_machine_rows rows = {.profiles = 0};
    enum be_status status = fill_profiles(store, &rows, error);
    status = status ? status : fill_times(&rows, error);
    if (!status) {
        be_json_add_head(out, "machines");
        be_json_add_fields(out, &be_fields_machines, &rows);
        be_text_add(out, "}\n");
    }
    free(rows.profile);
    free(rows.time);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

enum be_status be_machine_list_open(struct be_machine_list *list, struct be_error *error) {
    const time_t seconds = time(NULL);
    struct tm utc;
    gmtime_r(&seconds, &utc);
    strftime(list->now, sizeof list->now, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return be_store_open(&list->store, error);
}

void be_machine_list_close(struct be_machine_list *list) {
    be_store_close(&list->store);
}

enum be_status be_machine_list_add(const struct be_machine_list *list, enum be_format format,
                                   struct be_text *out, struct be_error *error) {
    if (format == BE_JSON) {
        return list_json(&list->store, out, error);
    }
    list_text(&list->store, list->now, out);
    return list_times(out, error);
}

/* ---- a question ----------------------------------------------------------------------------- */

static enum be_status answer_list(enum be_format format, struct be_text *text,
                                  struct be_error *error) {
    struct be_machine_list list = {.now = ""};
    enum be_status status = be_machine_list_open(&list, error);
    status = status ? status : be_machine_list_add(&list, format, text, error);
    be_machine_list_close(&list);
    return status;
}

enum be_status be_answer_machines(struct be_asker *asker, const struct be_question *question,
                                  char **string, struct be_error *error) {
    struct be_text text = {0};
    (void)asker;
    const enum be_status status = answer_list(question->format, &text, error);
    return be_answer_text(&text, status, string, error);
}

enum be_status be_answer_machine(struct be_asker *asker, const struct be_question *question,
                                 char **string, struct be_error *error) {
    struct be_profile profile = {.figure = NULL};
    const char *name =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(question->node, "name"));
    (void)asker;
    if (!name) {
        return be_json_bad(question->reader, "name", "the name or the file of a profile is needed");
    }
    enum be_status status = be_profile_load(name, &profile, error);
    status = status ? status : be_profile_string(&profile, question->format, string, error);
    be_profile_free(&profile);
    return status;
}
