/* What all saved files have in common: the text as JSON, and its head (schema, command). */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/read_all.h"
#include "report/json/reader.h"

enum { MOST_MIB = 64 }; /* of a file; a run of a thousand cases has 2 MB */

enum be_status be_json_parse(const struct be_json_reader *reader, FILE *in, cJSON **root) {
    struct be_text text = {0};
    *root = NULL;
    enum be_status status = be_whole_read(in, reader->name, MOST_MIB, "not a result of breakeven",
                                          &text, reader->error);
    if (status == BE_OK) {
        status = be_whole_json(&text, reader->name, root, reader->error);
    }
    be_text_free(&text);
    return status;
}

/* ---- the head ------------------------------------------------------------------------------- */

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

enum be_status be_json_check_schema(const struct be_json_reader *reader, const cJSON *root) {
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

enum be_status be_json_check_command(const struct be_json_reader *reader, const cJSON *root,
                                     const char *command) {
    static const struct {
        const char *command, *holds;
    } kinds[] = {
        {"compare", "a comparison, which `breakeven report` reads"},
        {"run", "the trace of a run, which `breakeven report` reads"},
        {"probe", "the profile of a machine, which `breakeven report` and --machine read"},
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

enum be_status be_json_read_truth(const struct be_json_reader *reader, const cJSON *root,
                                  const char *name, bool *value) {
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(root, name);
    *value = cJSON_IsTrue(node);
    return node && !cJSON_IsBool(node) ? be_json_wrong_kind(reader, name, "true or false", node)
                                       : BE_OK;
}
