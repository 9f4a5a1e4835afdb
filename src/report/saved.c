/*
 * Saved files: the text as JSON, its head (schema, command), and by its command what kind it is of:
 * results, a profile, a trace. The table of that kind reads the contents.
 */
#include "report/saved.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/input.h"
#include "base/read_all.h"
#include "observe/trace.h"
#include "report/ask/ask.h"
#include "report/comparison/fields.h"
#include "report/json/reader.h"
#include "report/profile/fields.h"
#include "report/results/results.h"
#include "report/trace/fields.h"

enum { MAX_MIB = 64 }; /* of a file; a run of a thousand cases has 2 MB */

/* ---- the file, and its head ----------------------------------------------------------------- */

static enum be_status parse(const struct be_json_reader *reader, FILE *in, cJSON **root) {
    struct be_text text = {0};
    *root = NULL;
    enum be_status status =
        be_whole_read(in, reader->name, MAX_MIB, "not a result of breakeven", &text, reader->error);
    if (status == BE_OK) {
        status = be_whole_json(&text, reader->name, root, reader->error);
        if (status != BE_OK && text.data) {
            be_saved_is_foreign(text.data, reader->name, reader->error);
        }
    }
    be_text_free(&text);
    return status;
}

/* The string `name`, or NULL and a failure. */
static const char *head_word(const struct be_json_reader *reader, const cJSON *root,
                             const char *name) {
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(root, name);
    if (!cJSON_IsString(node)) {
        be_json_wrong_kind(reader, name, "a string", node);
        return NULL;
    }
    return node->valuestring;
}

/* The number of a schema of ours; -1: it is none. */
static long schema_number(const char *schema) {
    static const char ours[] = "breakeven/";
    const size_t length = sizeof ours - 1;
    if (strncmp(schema, ours, length) != 0) {
        return -1;
    }
    const char *digits = schema + length;
    size_t count = strspn(digits, "0123456789");
    return count && count < 10 && !digits[count] ? strtol(digits, NULL, 10) : -1;
}

static enum be_status check_schema(const struct be_json_reader *reader, const cJSON *root) {
    if (!cJSON_IsObject(root)) {
        return be_fail(reader->error, BE_USAGE, "%s: an object is needed, not %s", reader->name,
                       be_json_kind_of(root));
    }
    const char *schema = head_word(reader, root, "schema");
    if (!schema) {
        return BE_USAGE;
    }
    if (strcmp(schema, BE_SCHEMA) == 0) {
        return BE_OK;
    }
    char found[BE_JSON_QUOTED + 4], what[BE_NOTE];
    be_json_quote(found, schema);
    long number = schema_number(schema), ours = schema_number(BE_SCHEMA);
    if (number > ours) {
        snprintf(what, sizeof what,
                 "written by a newer version: \"%s\", and this one reads \"" BE_SCHEMA
                 "\"; update breakeven",
                 found);
    } else if (number >= 0) {
        snprintf(what, sizeof what,
                 "\"%s\" was never published, \"" BE_SCHEMA
                 "\" is the oldest: damaged, or written by hand",
                 found);
    } else {
        snprintf(what, sizeof what, "\"%s\" cannot be read by this version, only \"" BE_SCHEMA "\"",
                 found);
    }
    return be_json_bad(reader, "schema", what);
}

/* Must it be read by `command`? The message says what the file holds instead. */
static enum be_status check_command(const struct be_json_reader *reader, const cJSON *root,
                                    const char *command) {
    static const struct {
        const char *command, *holds;
    } kinds[] = {
        {"compare", "a comparison, which `breakeven report` reads"},
        {"run", "the trace of a run, which `breakeven report` reads"},
        {"probe", "the profile of a machine, which `breakeven report` and --machine read"},
        {"results", "times that travel, which `breakeven compare --elsewhere=FILE` reads"},
        {"ask", "the answer of `ask`, which `breakeven ask --again=FILE` reads"},
        {"clusters", "clusters, which `breakeven clusters --catalogue=FILE` reads"},
    };
    const char *word = head_word(reader, root, "command");
    if (!word) {
        return BE_USAGE;
    }
    if (strcmp(word, command) == 0) {
        return BE_OK;
    }
    char found[BE_JSON_QUOTED + 4], what[BE_NOTE];
    be_json_quote(found, word);
    snprintf(what, sizeof what, "\"%s\" cannot be read by this version, only \"%s\"", found,
             command);
    for (size_t i = 0; i < BE_COUNT(kinds); i++) {
        if (strcmp(word, kinds[i].command) == 0) {
            snprintf(what, sizeof what, "\"%s\" is needed, not \"%s\": the file holds %s", command,
                     found, kinds[i].holds);
        }
    }
    return be_json_bad(reader, "command", what);
}

/* ---- kinds of files ------------------------------------------------------------------------- */

struct kind {
    const char *command;
    const struct be_fields *fields;
};

static const struct kind comparisons = {"compare", &be_fields_comparison};
static const struct kind profiles = {"probe", &be_fields_profile};
static const struct kind traces = {"run", &be_fields_trace};

static enum be_status read_as(const struct kind *kind, struct be_json_reader *reader,
                              const cJSON *root, void *whole) {
    enum be_status status = check_command(reader, root, kind->command);
    return status ? status : be_json_read_record(reader, kind->fields, root, whole);
}

static enum be_status read_file(const struct kind *kind, FILE *in, const char *name, void *whole,
                                struct be_error *error) {
    struct be_json_reader reader = {.name = name, .error = error};
    cJSON *root = NULL;
    enum be_status status = parse(&reader, in, &root);
    status = status ? status : check_schema(&reader, root);
    status = status ? status : read_as(kind, &reader, root, whole);
    cJSON_Delete(root);
    return status;
}

enum be_status be_comparison_read(FILE *in, const char *name, struct be_comparison *comparison,
                                  struct be_error *error) {
    *comparison = (struct be_comparison){0};
    enum be_status status = read_file(&comparisons, in, name, comparison, error);
    if (status) {
        be_comparison_free(comparison);
    }
    return status;
}

enum be_status be_profile_read(FILE *in, const char *name, struct be_profile *profile,
                               struct be_error *error) {
    *profile = (struct be_profile){0};
    enum be_status status = read_file(&profiles, in, name, profile, error);
    if (status) {
        be_profile_free(profile);
    }
    return status;
}

enum be_status be_trace_read(FILE *in, const char *name, struct be_trace *trace,
                             struct be_error *error) {
    enum be_status status = be_trace_open(trace, error);
    status = status ? status : read_file(&traces, in, name, trace, error);
    if (status) {
        be_trace_close(trace);
    }
    return status;
}

enum be_status be_results_read(FILE *in, const char *name, struct be_results *results,
                               struct be_error *error) {
    struct be_json_reader reader = {.name = name, .error = error};
    cJSON *root = NULL;
    void *times = NULL;
    *results = (struct be_results){.origin = BE_ORIGIN_ELSEWHERE};
    enum be_status status = parse(&reader, in, &root);
    status = status ? status : check_schema(&reader, root);
    status = status ? status : check_command(&reader, root, "results");
    status = status ? status : be_json_read_record(&reader, &be_fields_results, root, results);
    status = status ? status
                    : be_json_read_rows(&reader, &be_fields_timing, root, sizeof *results->result,
                                        &times, &results->results);
    results->result = times;
    if (status) {
        be_results_free(results);
    }
    cJSON_Delete(root);
    return status;
}

enum be_status be_ask_load(const char *name, struct be_ask *ask, struct be_error *error) {
    struct be_json_reader reader = {.name = name, .error = error};
    cJSON *root = NULL;
    FILE *in;
    *ask = (struct be_ask){0};
    enum be_status status = be_input_open_any(name, &in, error);
    if (status) {
        return status;
    }
    status = parse(&reader, in, &root);
    status = status ? status : check_schema(&reader, root);
    status = status ? status : check_command(&reader, root, "ask");
    status = status ? status : be_ask_read_json(&reader, root, ask);
    cJSON_Delete(root);
    be_input_close(in);
    return status;
}

/* ---- any of them ---------------------------------------------------------------------------- */

static enum be_status read_trace(struct be_json_reader *reader, const cJSON *root,
                                 struct be_saved *saved) {
    saved->trace = calloc(1, sizeof *saved->trace);
    if (!saved->trace) {
        return be_fail(reader->error, BE_NOMEM, "%s: out of memory", reader->name);
    }
    enum be_status status = be_trace_open(saved->trace, reader->error);
    return status ? status : read_as(&traces, reader, root, saved->trace);
}

static enum be_status read_any(struct be_json_reader *reader, const cJSON *root,
                               struct be_saved *saved) {
    const cJSON *command = cJSON_GetObjectItemCaseSensitive(root, "command");
    const char *word = cJSON_IsString(command) ? command->valuestring : comparisons.command;
    if (strcmp(word, traces.command) == 0) {
        return read_trace(reader, root, saved);
    }
    if (strcmp(word, profiles.command) == 0) {
        saved->is_profile = true;
        return read_as(&profiles, reader, root, &saved->profile);
    }
    /* The messages about clusters and times come from reading them as a comparison. */
    if (strcmp(word, comparisons.command) == 0 || strcmp(word, "clusters") == 0 ||
        strcmp(word, "results") == 0) {
        return read_as(&comparisons, reader, root, &saved->comparison);
    }
    if (strcmp(word, "watch") == 0) {
        return be_json_bad(reader, "command",
                           "\"watch\" is a line of `watch --json`, not a whole trace: give the one "
                           "that `watch --output=FILE` kept");
    }
    char found[BE_JSON_QUOTED + 4], what[BE_NOTE];
    be_json_quote(found, word);
    snprintf(what, sizeof what,
             "\"%s\" is none that this version reads again: those of \"compare\", \"run\" and "
             "\"probe\" are",
             found);
    return be_json_bad(reader, "command", what);
}

enum be_status be_saved_read(FILE *in, const char *name, struct be_saved *saved,
                             struct be_error *error) {
    struct be_json_reader reader = {.name = name, .error = error};
    cJSON *root = NULL;
    *saved = (struct be_saved){0};
    enum be_status status = parse(&reader, in, &root);
    status = status ? status : check_schema(&reader, root);
    status = status ? status : read_any(&reader, root, saved);
    if (status) {
        be_saved_free(saved);
    }
    cJSON_Delete(root);
    return status;
}

enum be_status be_saved_load(const char *name, struct be_saved *saved, struct be_error *error) {
    FILE *in;
    enum be_status status = be_input_open_any(name, &in, error);
    if (status == BE_OK) {
        status = be_saved_read(in, name, saved, error);
        be_input_close(in);
    }
    return status;
}

void be_saved_free(struct be_saved *saved) {
    be_comparison_free(&saved->comparison);
    be_profile_free(&saved->profile);
    if (saved->trace) {
        be_trace_close(saved->trace);
        free(saved->trace);
    }
    *saved = (struct be_saved){0};
}
