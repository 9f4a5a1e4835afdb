/* breakeven machines [NAME...] */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/input.h"
#include "cli/command/command.h"
#include "cli/compare/elsewhere.h"
#include "cli/common/fail.h"
#include "cli/common/output.h"
#include "cli/common/parse.h"
#include "cli/common/settings.h"
#include "machine/profile.h"
#include "report/common/lines.h"
#include "report/common/out.h"
#include "elsewhere/files.h"
#include "report/common/shelves.h"
#include "report/json/record.h"
#include "report/machines/fields.h"
#include "report/store.h"

enum key { DIFF = 256, ADD, JSON, CSV };

static const struct argp_option option[] = {
    {"diff", DIFF, NULL, 0, "Show two profiles side by side, as ratios of the second to the first",
     0},
    {"add", ADD, "FILE", 0,
     "Keep the times that `compare --json=FILE` saved, under NAME, for `compare --elsewhere=NAME`",
     0},
    {"json", JSON, "FILE", OPTION_ARG_OPTIONAL,
     "Write the list, or the named profile, as JSON (no FILE: to standard output, instead of the "
     "text)",
     0},
    {"csv", CSV, "FILE", OPTION_ARG_OPTIONAL,
     "Write the named profile as CSV (no FILE: to standard output, instead of the text)", 0},
    {0},
};

struct asked {
    struct be_cli_outputs outputs;
    char **name;
    int names;
    bool diff;
    const char *add; /* the file; NULL: none */
};

static const struct be_setting setting[] = {
    BE_FLAG(DIFF, diff),         BE_TEXT(ADD, add),    BE_OUTPUT(JSON, outputs.json),
    BE_OUTPUT(CSV, outputs.csv), BE_REST(name, names),
};

static error_t parse(int key, char *text, struct argp_state *state) {
    const struct asked *a = state->input;
    if (key != ARGP_KEY_END) {
        return be_cli_set(setting, BE_COUNT(setting), key, text, state, NULL);
    }
    if (a->diff && a->names != 2) {
        argp_error(state, "--diff takes two names or files, not %d", a->names);
    }
    if (a->add && (a->names != 1 || a->diff)) {
        argp_error(state, "--add=FILE takes one name, that the times are kept under");
    }
    if (!a->names && a->outputs.csv.asked) {
        argp_error(state, "--csv: of which machine? name one");
    }
    if (!a->diff && a->names > 1) {
        argp_error(state, "one name, or --diff and two");
    }
    return 0;
}

/* ---- the list ------------------------------------------------------------------------------- */

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

/* ---- the list as JSON ----------------------------------------------------------------------- */

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

struct list {
    struct be_store store;
    char now[BE_NAME];
};

static enum be_status write_list(const void *results, enum be_format format, FILE *out,
                                 struct be_error *error) {
    const struct list *list = results;
    struct be_text text = {0};
    enum be_status status = BE_OK;
    if (format == BE_JSON) {
        status = list_json(&list->store, &text, error);
    } else {
        list_text(&list->store, list->now, &text);
        status = list_times(&text, error);
    }
    if (status != BE_OK) {
        be_text_free(&text);
        return status;
    }
    return be_report_out(&text, out, error);
}

static enum be_status list_machines(struct asked *asked, struct be_error *error) {
    struct list list = {0};
    time_t seconds = time(NULL);
    struct tm utc;
    gmtime_r(&seconds, &utc);
    strftime(list.now, sizeof list.now, "%Y-%m-%dT%H:%M:%SZ", &utc);
    enum be_status status = be_cli_outputs_open(&asked->outputs, error);
    status = status ? status : be_store_open(&list.store, error);
    status = status ? status : be_cli_outputs_write(&asked->outputs, write_list, &list, error);
    be_cli_outputs_close(&asked->outputs);
    be_store_close(&list.store);
    return status;
}

static enum be_status add_times(const char *file, const char *name, struct be_error *error) {
    struct be_comparison comparison = {0};
    FILE *in;
    enum be_status status = be_input_open(file, &in, error);
    if (status == BE_OK) {
        status = be_comparison_read(in, file, &comparison, error);
        be_input_close(in);
    }
    status = status ? status : be_cli_save_results(&comparison, name, error);
    be_comparison_free(&comparison);
    return status;
}

/* ---- one, or two side by side --------------------------------------------------------------- */

struct pair {
    struct be_profile a, b;
};

static enum be_status write_pair(const void *results, enum be_format format, FILE *out,
                                 struct be_error *error) {
    const struct pair *pair = results;
    return be_profile_diff_write(&pair->a, &pair->b, format, out, error);
}

static enum be_status show(struct asked *asked, struct be_error *error) {
    struct pair pair = {0};
    enum be_status status = be_cli_outputs_open(&asked->outputs, error);
    status = status == BE_OK ? be_profile_load(asked->name[0], &pair.a, error) : status;
    if (status == BE_OK && asked->diff) {
        status = be_profile_load(asked->name[1], &pair.b, error);
    }
    if (status == BE_OK) {
        status = asked->diff
                     ? be_cli_outputs_write(&asked->outputs, write_pair, &pair, error)
                     : be_cli_outputs_write(&asked->outputs, be_cli_write_profile, &pair.a, error);
    }
    be_cli_outputs_close(&asked->outputs);
    be_profile_free(&pair.b);
    be_profile_free(&pair.a);
    return status;
}

int be_cli_machines(int argc, char **argv) {
    static const struct argp argp = {
        option,
        parse,
        "[NAME|FILE [NAME|FILE]]",
        "A profile says how fast a machine can be. `breakeven probe` makes one. This command lists "
        "all profiles: your own, those of the site (BREAKEVEN_PROFILES, /etc/breakeven/profiles) "
        "and those that come with breakeven; and the times that were measured on other machines "
        "(BREAKEVEN_RESULTS, /etc/breakeven/results). With a name it shows that "
        "profile.\vExamples:\n  "
        "breakeven machines\n  breakeven machines --diff datasheet-h100-80 h200\n  breakeven "
        "machines --add=RESULT.json node-a",
        NULL,
        NULL,
        NULL};
    struct asked asked = {0};
    struct be_error error;
    if (be_cli_parse(&argp, argc, argv, 0, &asked) != 0) {
        return BE_EXIT_USAGE;
    }
    if (!asked.names) {
        return list_machines(&asked, &error) == BE_OK ? BE_EXIT_OK : be_cli_fail(&error);
    }
    if (asked.add) {
        return add_times(asked.add, asked.name[0], &error) == BE_OK ? BE_EXIT_OK
                                                                    : be_cli_fail(&error);
    }
    return show(&asked, &error) == BE_OK ? BE_EXIT_OK : be_cli_fail(&error);
}
