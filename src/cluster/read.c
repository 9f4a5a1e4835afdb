/* Catalogue files: JSON -> struct be_cluster, with messages that name the file and the key. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/read_all.h"
#include "cluster/cluster.h"
#include "cluster/check.h"
#include "cluster/fields.h"

enum {
    MAX_MIB = 16,     /* of a file; one cluster has some kB */
    LIST_MAX = 10000, /* records in a list */
    QUOTED = 40,      /* bytes of a foreign text in a message */
    REMARKS_MAX = 100
};

struct reader {
    const char *name; /* of the file */
    struct be_error *error;
    struct be_clusters *clusters; /* takes the remarks */
    char path[BE_NOTE];           /* of the record at hand: "clusters[0].gpus[2]" */
};

/* ---- messages -------------------------------------------------------------------------------- */

static enum be_status bad(const struct reader *reader, const char *key, const char *what) {
    return be_fail(reader->error, BE_USAGE, "%s: %s%s%s: %s", reader->name, reader->path,
                   *reader->path && *key ? "." : "", key, what);
}

static const char *kind_of(const cJSON *node) {
    return !node                  ? "missing"
           : cJSON_IsString(node) ? "a string"
           : cJSON_IsNumber(node) ? "a number"
           : cJSON_IsArray(node)  ? "a list"
           : cJSON_IsObject(node) ? "an object"
           : cJSON_IsBool(node)   ? "true or false"
                                  : "null";
}

static enum be_status wrong_kind(const struct reader *reader, const char *key, const char *want,
                                 const cJSON *node) {
    char what[BE_NOTE];
    snprintf(what, sizeof what, node ? "%s is needed, not %s" : "is missing: %s is needed", want,
             kind_of(node));
    return bad(reader, key, what);
}

/* A foreign text for a message: short, one line, well-formed. */
static void quote(char to[QUOTED + 4], const char *from) {
    size_t length = 0;
    while (length < QUOTED && from[length]) {
        unsigned char byte = (unsigned char)from[length];
        to[length++] = byte < ' ' || byte >= 0x7F ? '?' : (char)byte;
    }
    memcpy(to + length, from[length] ? "..." : "", from[length] ? 4 : 1);
}

static enum be_status out_of_memory(const struct reader *reader) {
    return be_fail(reader->error, BE_NOMEM, "read %s: out of memory", reader->name);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Nothing is cut: a specifier that lost its end would ask for another GPU. */
static enum be_status take_text(const struct reader *reader, const char *key, const cJSON *node,
                                char *place, size_t capacity) {
    if (!cJSON_IsString(node)) {
        return wrong_kind(reader, key, "a string", node);
    }
    const char *from = node->valuestring;
    size_t used = 0;
    while (from[used]) {
        size_t length = be_utf8_length(from + used);
        if (length == 0 || (unsigned char)from[used] < ' ' || from[used] == 0x7F) {
            return bad(reader, key, "has a control character, or is not UTF-8");
        }
        used += length;
    }
    if (used >= capacity) {
        char what[BE_NOTE];
        snprintf(what, sizeof what, "has %zu bytes, and %zu is the most", used, capacity - 1);
        return bad(reader, key, what);
    }
    memcpy(place, from, used + 1);
    return BE_OK;
}

static enum be_status take_number(const struct reader *reader, const struct be_key *key,
                                  const cJSON *node, bool whole, double *value) {
    char what[BE_NOTE];
    snprintf(what, sizeof what, "a %s from %.10g to %.10g", whole ? "whole number" : "number",
             key->min, key->max);
    if (!cJSON_IsNumber(node)) {
        return wrong_kind(reader, key->name, what, node);
    }
    double number = node->valuedouble;
    if (!(number >= key->min && number <= key->max) || (whole && floor(number) < number)) {
        size_t used = strlen(what);
        snprintf(what + used, sizeof what - used, " is needed, not %.10g", number);
        return bad(reader, key->name, what);
    }
    *value = number;
    return BE_OK;
}

static enum be_status take_word(const struct reader *reader, const struct be_key *key,
                                const cJSON *node, int *value) {
    char what[BE_NOTE] = "one of";
    for (int i = 0; i < key->count; i++) {
        if (cJSON_IsString(node) && strcmp(node->valuestring, key->word(i)) == 0) {
            *value = i;
            return BE_OK;
        }
        size_t used = strlen(what);
        snprintf(what + used, sizeof what - used, "%s \"%s\"", i ? "," : "", key->word(i));
    }
    if (!cJSON_IsString(node)) {
        return wrong_kind(reader, key->name, what, node);
    }
    char found[QUOTED + 4];
    quote(found, node->valuestring);
    size_t used = strlen(what);
    snprintf(what + used, sizeof what - used, " is needed, not \"%s\"", found);
    return bad(reader, key->name, what);
}

static enum be_status take_several(const struct reader *reader, const struct be_key *key,
                                   const cJSON *node, char *record) {
    int *many = (int *)(void *)(record + key->many_at);
    if (!cJSON_IsArray(node)) {
        return wrong_kind(reader, key->name, "a list", node);
    }
    *many = 0;
    for (const cJSON *one = node->child; one; one = one->next) {
        enum be_status status = BE_OK;
        double number = 0;
        if (*many == key->count) {
            char what[BE_NOTE];
            snprintf(what, sizeof what, "has more than %d", key->count);
            return bad(reader, key->name, what);
        }
        if (key->kind == BE_KEY_TEXTS) {
            status = take_text(reader, key->name, one,
                               record + key->at + (size_t)*many * key->capacity, key->capacity);
        } else {
            status = take_number(reader, key, one, true, &number);
            ((int *)(void *)(record + key->at))[*many] = (int)number;
        }
        if (status != BE_OK) {
            return status;
        }
        ++*many;
    }
    return BE_OK;
}

static enum be_status take_key(const struct reader *reader, const struct be_key *key,
                               const cJSON *node, char *record) {
    char *place = record + key->at;
    double number = 0;
    int word = 0;
    enum be_status status = BE_OK;
    switch (key->kind) {
    case BE_KEY_TEXT:
        return take_text(reader, key->name, node, place, key->capacity);
    case BE_KEY_REAL:
        return take_number(reader, key, node, false, (double *)(void *)place);
    case BE_KEY_INT:
        status = take_number(reader, key, node, true, &number);
        *(int *)(void *)place = (int)number;
        return status;
    case BE_KEY_TRUTH:
        *(bool *)(void *)place = cJSON_IsTrue(node);
        return cJSON_IsBool(node) ? BE_OK : wrong_kind(reader, key->name, "true or false", node);
    case BE_KEY_WORD:
        status = take_word(reader, key, node, &word);
        memcpy(place, &word, key->capacity);
        return status;
    default:
        return take_several(reader, key, node, record);
    }
}

/* ---- records --------------------------------------------------------------------------------- */

/* Keys may come that this version does not know; one that is misspelt looks the same, so it is
 * said. */
static enum be_status remark(const struct reader *reader, const char *key) {
    struct be_clusters *clusters = reader->clusters;
    if (clusters->remarks >= REMARKS_MAX) {
        return BE_OK;
    }
    void *more = realloc(clusters->remark, (clusters->remarks + 1) * sizeof *clusters->remark);
    if (!more) {
        return out_of_memory(reader);
    }
    char found[QUOTED + 4];
    quote(found, key);
    clusters->remark = more;
    snprintf(clusters->remark[clusters->remarks++], BE_NOTE,
             "%.120s: %.100s%s%s: not a key that this version knows, passed over", reader->name,
             reader->path, *reader->path ? "." : "", found);
    return BE_OK;
}

static bool known(const struct be_keys *keys, const char *name, bool outermost) {
    for (size_t i = 0; i < keys->count; i++) {
        if (strcmp(keys->key[i].name, name) == 0) {
            return true;
        }
    }
    for (const struct be_keys *list = be_keys_lists; outermost && list->name; list++) {
        if (strcmp(list->name, name) == 0) {
            return true;
        }
    }
    return outermost && strcmp(name, "remarks") == 0;
}

/* Zeroed, with every number unknown. */
static void make_empty(const struct be_keys *keys, char *record) {
    memset(record, 0, keys->record);
    for (size_t i = 0; i < keys->count; i++) {
        if (keys->key[i].kind == BE_KEY_REAL) {
            *(double *)(void *)(record + keys->key[i].at) = NAN;
        }
    }
}

static enum be_status read_record(const struct reader *reader, const struct be_keys *keys,
                                  const cJSON *object, void *record) {
    make_empty(keys, record);
    if (!cJSON_IsObject(object)) {
        return wrong_kind(reader, "", "an object", object);
    }
    for (size_t i = 0; i < keys->count; i++) {
        const struct be_key *key = &keys->key[i];
        const cJSON *node = cJSON_GetObjectItemCaseSensitive(object, key->name);
        bool absent = !node || cJSON_IsNull(node);
        if (absent && key->needed) {
            return wrong_kind(reader, key->name, "a string", node);
        }
        enum be_status status = absent ? BE_OK : take_key(reader, key, node, record);
        if (status != BE_OK) {
            return status;
        }
    }
    for (size_t i = 0; i < keys->count; i++) {
        const struct be_key *key = &keys->key[i];
        if (key->needed && !*((const char *)record + key->at)) {
            return bad(reader, key->name, "must not be empty");
        }
    }
    for (const cJSON *node = object->child; node; node = node->next) {
        if (!known(keys, node->string, keys == &be_keys_cluster) &&
            remark(reader, node->string) != BE_OK) {
            return BE_NOMEM;
        }
    }
    return BE_OK;
}

/* Members of the list `node`, NULL and null: none. -1: it is no list, or too long. */
static int list_length(const struct reader *reader, const char *name, const cJSON *node) {
    if (!node || cJSON_IsNull(node)) {
        return 0;
    }
    if (!cJSON_IsArray(node)) {
        wrong_kind(reader, name, "a list", node);
        return -1;
    }
    int length = cJSON_GetArraySize(node);
    if (length > LIST_MAX) {
        bad(reader, name, "has more than 10000 members");
        return -1;
    }
    return length;
}

static enum be_status read_list(struct reader *reader, const struct be_keys *keys,
                                const cJSON *object, struct be_cluster *cluster) {
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(object, keys->name);
    int length = list_length(reader, keys->name, node);
    if (length <= 0) {
        return length < 0 ? BE_USAGE : BE_OK;
    }
    char *records = calloc((size_t)length, keys->record);
    if (!records) {
        return out_of_memory(reader);
    }
    memcpy((char *)cluster + keys->list_at, &records, sizeof records);
    size_t *count = (size_t *)(void *)((char *)cluster + keys->in_at);
    size_t outer = strlen(reader->path);
    enum be_status status = BE_OK;
    for (const cJSON *one = node->child; one && status == BE_OK; one = one->next) {
        snprintf(reader->path + outer, sizeof reader->path - outer, ".%s[%zu]", keys->name, *count);
        status = read_record(reader, keys, one, records + *count * keys->record);
        ++*count;
    }
    reader->path[outer] = '\0';
    return status;
}

static enum be_status read_remarks(struct reader *reader, const cJSON *object,
                                   struct be_cluster *cluster) {
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(object, "remarks");
    int length = list_length(reader, "remarks", node);
    if (length <= 0) {
        return length < 0 ? BE_USAGE : BE_OK;
    }
    cluster->remark = calloc((size_t)length, sizeof *cluster->remark);
    if (!cluster->remark) {
        return out_of_memory(reader);
    }
    enum be_status status = BE_OK;
    for (const cJSON *one = node->child; one && status == BE_OK; one = one->next) {
        status = take_text(reader, "remarks", one, cluster->remark[cluster->remarks++], BE_NOTE);
    }
    return status;
}

static enum be_status read_cluster(struct reader *reader, const cJSON *object,
                                   struct be_cluster *cluster) {
    enum be_status status = read_record(reader, &be_keys_cluster, object, cluster);
    for (const struct be_keys *list = be_keys_lists; list->name && status == BE_OK; list++) {
        status = read_list(reader, list, object, cluster);
    }
    status = status == BE_OK ? read_remarks(reader, object, cluster) : status;
    if (status != BE_OK) {
        return status;
    }
    char key[BE_NAME], what[BE_NOTE];
    return be_cluster_check(cluster, key, what) ? BE_OK : bad(reader, key, what);
}

/* ---- the file -------------------------------------------------------------------------------- */

static enum be_status read_all(struct reader *reader, const cJSON *root) {
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(root, "schema");
    const cJSON *command = cJSON_GetObjectItemCaseSensitive(root, "command");
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "clusters");
    if (!cJSON_IsObject(root)) {
        return be_fail(reader->error, BE_USAGE, "%s: an object is needed, not %s", reader->name,
                       kind_of(root));
    }
    if (!cJSON_IsString(schema) || strcmp(schema->valuestring, BE_SCHEMA) != 0) {
        return bad(reader, "schema", "\"" BE_SCHEMA "\" is needed");
    }
    if (!cJSON_IsString(command) || strcmp(command->valuestring, "clusters") != 0) {
        return bad(reader, "command", "\"clusters\" is needed: is this a file of the catalogue?");
    }
    if (!cJSON_IsArray(list)) {
        return wrong_kind(reader, "clusters", "a list", list);
    }
    int length = list_length(reader, "clusters", list);
    if (length <= 0) {
        return length < 0 ? BE_USAGE : bad(reader, "clusters", "is empty");
    }
    struct be_clusters *clusters = reader->clusters;
    clusters->cluster = calloc((size_t)length, sizeof *clusters->cluster);
    if (!clusters->cluster) {
        return out_of_memory(reader);
    }
    enum be_status status = BE_OK;
    for (const cJSON *one = list->child; one && status == BE_OK; one = one->next) {
        snprintf(reader->path, sizeof reader->path, "clusters[%zu]", clusters->count);
        status = read_cluster(reader, one, &clusters->cluster[clusters->count++]);
    }
    return status;
}

enum be_status be_clusters_read(FILE *in, const char *name, struct be_clusters *clusters,
                                struct be_error *error) {
    struct reader reader = {.name = name, .error = error, .clusters = clusters};
    struct be_text text = {0};
    cJSON *root = NULL;
    *clusters = (struct be_clusters){0};
    enum be_status status = be_whole_read(in, name, MAX_MIB, "not a catalogue file", &text, error);
    status = status == BE_OK ? be_whole_json(&text, name, &root, error) : status;
    status = status == BE_OK ? read_all(&reader, root) : status;
    if (status != BE_OK) {
        be_clusters_free(clusters);
    }
    cJSON_Delete(root);
    be_text_free(&text);
    return status;
}
