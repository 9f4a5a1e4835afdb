/* struct be_cluster -> JSON, a line a record: what be_clusters_read reads. */
#include <math.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "cluster/cluster.h"
#include "cluster/fields.h"

static cJSON *several(const struct be_key *key, const char *record) {
    int many = *(const int *)(const void *)(record + key->many_at);
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; list && i < many; i++) {
        const char *text = record + key->at + (size_t)i * key->capacity;
        const int *number = (const int *)(const void *)(record + key->at) + i;
        cJSON_AddItemToArray(list, key->kind == BE_KEY_TEXTS ? cJSON_CreateString(text)
                                                             : cJSON_CreateNumber(*number));
    }
    return list;
}

/* NULL: it has no value, or there is no memory, which *failed then says. */
static cJSON *value_of(const struct be_key *key, const char *record, bool *failed) {
    const char *place = record + key->at;
    double real = key->kind == BE_KEY_REAL ? *(const double *)(const void *)place : NAN;
    int number = 0;
    cJSON *node = NULL;
    bool there = true;
    switch (key->kind) {
    case BE_KEY_TEXT:
        there = *place != '\0';
        node = there ? cJSON_CreateString(place) : NULL;
        break;
    case BE_KEY_REAL:
        there = !isnan(real);
        node = there ? cJSON_CreateNumber(real) : NULL;
        break;
    case BE_KEY_INT:
        there = *(const int *)(const void *)place != 0;
        node = there ? cJSON_CreateNumber(*(const int *)(const void *)place) : NULL;
        break;
    case BE_KEY_TRUTH:
        there = *(const bool *)(const void *)place;
        node = there ? cJSON_CreateTrue() : NULL;
        break;
    case BE_KEY_WORD:
        memcpy(&number, place, key->capacity);
        node = cJSON_CreateString(key->word(number));
        break;
    default:
        there = *(const int *)(const void *)(record + key->many_at) > 0;
        node = there ? several(key, record) : NULL;
        break;
    }
    *failed |= there && !node;
    return node;
}

/* "name":value, ... without the braces. */
static void add_members(const struct be_keys *keys, const void *record, struct be_text *out) {
    const char *comma = "";
    for (size_t i = 0; i < keys->count; i++) {
        bool failed = false;
        cJSON *node = value_of(&keys->key[i], record, &failed);
        char *printed = node ? cJSON_PrintUnformatted(node) : NULL;
        if (printed) {
            be_text_add(out, "%s\"%s\":%s", comma, keys->key[i].name, printed);
            comma = ",";
        }
        out->failed |= failed || (node && !printed);
        cJSON_free(printed);
        cJSON_Delete(node);
    }
}

static void add_list(const struct be_keys *keys, const struct be_cluster *cluster,
                     struct be_text *out) {
    const char *records = NULL;
    size_t count = *(const size_t *)(const void *)((const char *)cluster + keys->in_at);
    memcpy(&records, (const char *)cluster + keys->list_at, sizeof records);
    for (size_t i = 0; i < count; i++) {
        if (i == 0) {
            be_text_add(out, ",\n\"%s\":[\n{", keys->name);
        } else {
            be_text_add(out, ",\n{");
        }
        add_members(keys, records + i * keys->record, out);
        be_text_add(out, "}%s", i + 1 == count ? "]" : "");
    }
}

static void add_remarks(const struct be_cluster *cluster, struct be_text *out) {
    for (size_t i = 0; i < cluster->remarks; i++) {
        cJSON *node = cJSON_CreateString(cluster->remark[i]);
        char *printed = node ? cJSON_PrintUnformatted(node) : NULL;
        be_text_add(out, "%s%s%s", i ? ",\n" : ",\n\"remarks\":[\n", printed ? printed : "",
                    i + 1 == cluster->remarks ? "]" : "");
        out->failed |= !printed;
        cJSON_free(printed);
        cJSON_Delete(node);
    }
}

void be_clusters_write(const struct be_cluster *const *cluster, size_t count,
                       struct be_text *text) {
    be_text_add(text, "{\"schema\":\"" BE_SCHEMA "\",\n\"command\":\"clusters\",\n"
                      "\"version\":\"" BE_VERSION "\",\n\"clusters\":[");
    for (size_t i = 0; i < count; i++) {
        be_text_add(text, "%s\n{", i ? "," : "");
        add_members(&be_keys_cluster, cluster[i], text);
        for (const struct be_keys *list = be_keys_lists; list->name; list++) {
            add_list(list, cluster[i], text);
        }
        add_remarks(cluster[i], text);
        be_text_add(text, "}");
    }
    be_text_add(text, "]}\n");
}
