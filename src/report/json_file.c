/* Saved files as a whole: results, profiles, traces. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "observe/trace.h"
#include "report/json/reader.h"
#include "report/report.h"

enum be_status be_comparison_read(FILE *in, const char *name, struct be_comparison *comparison,
                                  struct be_error *error) {
    struct be_json_reader reader = {.name = name, .error = error};
    cJSON *root = NULL;
    *comparison = (struct be_comparison){0};
    enum be_status status = be_json_parse(&reader, in, &root);
    status = status ? status : be_json_check_schema(&reader, root);
    status = status ? status : be_json_read_comparison(&reader, root, comparison);
    if (status) {
        be_comparison_free(comparison);
    }
    cJSON_Delete(root);
    return status;
}

enum be_status be_profile_read(FILE *in, const char *name, struct be_profile *profile,
                               struct be_error *error) {
    struct be_json_reader reader = {.name = name, .error = error};
    cJSON *root = NULL;
    *profile = (struct be_profile){0};
    enum be_status status = be_json_parse(&reader, in, &root);
    status = status ? status : be_json_check_schema(&reader, root);
    status = status ? status : be_json_read_profile(&reader, root, profile);
    if (status) {
        be_profile_free(profile);
    }
    cJSON_Delete(root);
    return status;
}

static enum be_status read_trace(struct be_json_reader *reader, const cJSON *root,
                                 struct be_saved *saved) {
    saved->trace = calloc(1, sizeof *saved->trace);
    return saved->trace ? be_json_read_trace(reader, root, saved->trace)
                        : be_fail(reader->error, BE_NOMEM, "%s: out of memory", reader->name);
}

static enum be_status read_any(struct be_json_reader *reader, const cJSON *root,
                               struct be_saved *saved) {
    const cJSON *command = cJSON_GetObjectItemCaseSensitive(root, "command");
    const char *word = cJSON_IsString(command) ? command->valuestring : "compare";
    if (strcmp(word, "run") == 0) {
        return read_trace(reader, root, saved);
    }
    if (strcmp(word, "probe") == 0) {
        saved->is_profile = true;
        return be_json_read_profile(reader, root, &saved->profile);
    }
    if (strcmp(word, "compare") == 0 || strcmp(word, "clusters") == 0) { /* that says what it is */
        return be_json_read_comparison(reader, root, &saved->comparison);
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
    enum be_status status = be_json_parse(&reader, in, &root);
    status = status ? status : be_json_check_schema(&reader, root);
    status = status ? status : read_any(&reader, root, saved);
    if (status) {
        be_saved_free(saved);
    }
    cJSON_Delete(root);
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
