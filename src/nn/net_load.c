/* A file becomes the weights of a net. Everything is looked at before anything changes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/input.h"
#include "base/read_all.h"
#include "base/text.h"
#include "nn/entries.h"
#include "nn/file.h"

enum { LARGEST_MIB = 1024, LENGTH = 8 };

struct loaded {
    const char *path;
    const struct be_net *net;
    struct be_text text; /* the whole file */
    cJSON *header;
    const cJSON *facts; /* NULL: PyTorch wrote it, without any */
    const char *data;
    size_t bytes; /* of data */
    bool checkpoint;
    uint64_t seed, steps, epochs;
    double rate, momentum, decay;
};

static enum be_status damaged(const struct loaded *file, struct be_error *error) {
    return be_fail(error, BE_IO, "%s: is no safetensors file, or is damaged or cut short",
                   file->path);
}

static enum be_status read_header(struct loaded *file, struct be_error *error) {
    FILE *in = NULL;
    enum be_status status = be_input_open(file->path, &in, error);
    uint64_t length = 0;
    if (status == BE_OK) {
        status = be_whole_read(in, file->path, LARGEST_MIB, "no net here is so large", &file->text,
                               error);
        be_input_close(in);
    }
    if (status != BE_OK) {
        return status;
    }
    for (size_t i = 0; i < LENGTH && file->text.length > LENGTH; i++) {
        length |= (uint64_t)(unsigned char)file->text.data[i] << (8 * i);
    }
    if (length == 0 || length > file->text.length - LENGTH) {
        return damaged(file, error);
    }
    file->header = cJSON_ParseWithLength(file->text.data + LENGTH, (size_t)length);
    file->data = file->text.data + LENGTH + length;
    file->bytes = file->text.length - LENGTH - (size_t)length;
    file->facts = cJSON_GetObjectItemCaseSensitive(file->header, BE_NN_FACTS);
    return cJSON_IsObject(file->header) ? BE_OK : damaged(file, error);
}

/* A fact's text; NULL: there is none. */
static const char *fact(const struct loaded *file, const char *name) {
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(file->facts, name));
}

static bool read_count(const struct loaded *file, const char *name, uint64_t max, uint64_t *to) {
    const char *text = fact(file, name);
    char *end = NULL;
    *to = text && *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
    return end && !*end && *to <= max;
}

static bool read_share(const struct loaded *file, const char *name, double *to) {
    const char *text = fact(file, name);
    char *end = NULL;
    *to = text && *text ? strtod(text, &end) : (double)NAN;
    return end && !*end && *to >= 0 && isfinite(*to);
}

/* A file of PyTorch's says nothing of this. */
static enum be_status read_facts(struct loaded *file, struct be_error *error) {
    const char *schema = fact(file, BE_NN_SCHEMA);
    const char *net = fact(file, "net");
    const char *rule = fact(file, "optimizer");
    if (!schema) {
        return BE_OK;
    }
    if (strcmp(schema, BE_NN_SCHEMA_HERE) != 0) {
        return be_fail(error, BE_USAGE, "%s: is of another version (%.40s; this program reads %s)",
                       file->path, schema, BE_NN_SCHEMA_HERE);
    }
    if (!net || strcmp(net, file->net->kind->name) != 0) {
        return be_fail(error, BE_USAGE, "%s: is of net %.40s, not %s", file->path, net ? net : "?",
                       file->net->kind->name);
    }
    if (!rule) {
        return BE_OK;
    }
    if (strcmp(rule, be_nn_rule_name(&file->net->rule)) != 0) {
        return be_fail(error, BE_USAGE, "%s: is a checkpoint of optimizer %.40s, not %s",
                       file->path, rule, be_nn_rule_name(&file->net->rule));
    }
    file->checkpoint = true;
    return read_count(file, "seed", UINT64_MAX, &file->seed) &&
                   read_count(file, "step", UINT32_MAX, &file->steps) &&
                   read_count(file, "epoch", INT32_MAX, &file->epochs) &&
                   read_share(file, "rate", &file->rate) &&
                   read_share(file, "momentum", &file->momentum) &&
                   read_share(file, "decay", &file->decay)
               ? BE_OK
               : damaged(file, error);
}

/* A whole number of 0 to `max`; SIZE_MAX: anything else. */
static size_t whole(const cJSON *array, int at, size_t max) {
    const cJSON *item = cJSON_GetArrayItem(array, at);
    const double value = cJSON_IsNumber(item) ? item->valuedouble : -1;
    return value >= 0 && value <= (double)max && value == floor(value) ? (size_t)value : SIZE_MAX;
}

static enum be_status check_shape(const struct loaded *file, const struct be_nn_entry *entry,
                                  const cJSON *shape, struct be_error *error) {
    struct be_text there = {0};
    struct be_text here = {0};
    bool same = cJSON_GetArraySize(shape) == entry->dimensions;
    for (int i = 0; i < cJSON_GetArraySize(shape) && i < 8; i++) {
        const size_t side = whole(shape, i, UINT32_MAX);
        same = same && i < entry->dimensions && side == entry->shape[i];
        be_text_add(&there, "%s%zu", i ? " x " : "", side);
    }
    for (int i = 0; i < entry->dimensions; i++) {
        be_text_add(&here, "%s%zu", i ? " x " : "", entry->shape[i]);
    }
    if (!same) {
        be_fail(error, BE_USAGE, "%s: is of another net: %s is %s there, %s in net %s", file->path,
                entry->name, there.data ? there.data : "a number", here.data ? here.data : "?",
                file->net->kind->name);
    }
    be_text_free(&there);
    be_text_free(&here);
    return same ? BE_OK : BE_USAGE;
}

/* Where the numbers of a tensor begin. */
static enum be_status find_entry(const struct loaded *file, const struct be_nn_entry *entry,
                                 const char **from, struct be_error *error) {
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(file->header, entry->name);
    const char *type = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "dtype"));
    const cJSON *offsets = cJSON_GetObjectItemCaseSensitive(object, "data_offsets");
    if (!object) {
        return be_fail(error, BE_USAGE, "%s: has no tensor %s, so it is not of net %s", file->path,
                       entry->name, file->net->kind->name);
    }
    if (!type || strcmp(type, "F32") != 0) {
        return be_fail(error, BE_USAGE, "%s: %s is of type %.40s; save it in float32 (F32)",
                       file->path, entry->name, type ? type : "?");
    }
    const enum be_status status =
        check_shape(file, entry, cJSON_GetObjectItemCaseSensitive(object, "shape"), error);
    if (status != BE_OK) {
        return status;
    }
    const size_t first = whole(offsets, 0, file->bytes);
    const size_t end = whole(offsets, 1, file->bytes);
    if (first == SIZE_MAX || end == SIZE_MAX || end < first ||
        end - first != entry->count * sizeof(float)) {
        return damaged(file, error);
    }
    *from = file->data + first;
    return BE_OK;
}

static enum be_status find_all(struct loaded *file, struct be_net *net, struct be_nn_entry *entry,
                               const char **from, size_t *count, struct be_error *error) {
    enum be_status status = read_header(file, error);
    if (status == BE_OK) {
        status = read_facts(file, error);
    }
    *count = be_nn_entries(net, file->checkpoint, entry);
    for (size_t i = 0; status == BE_OK && i < *count; i++) {
        status = find_entry(file, &entry[i], &from[i], error);
    }
    return status;
}

static void take(const struct loaded *file, struct be_net *net) {
    if (file->checkpoint) {
        net->seed = file->seed;
        net->steps = file->steps;
        net->epochs = (int)file->epochs;
        net->rate = file->rate;
        net->rule.momentum = file->momentum;
        net->rule.decay = file->decay;
    }
}

enum be_status be_net_load(struct be_net *net, const char *path, bool *resumed, char note[BE_NOTE],
                           struct be_error *error) {
    struct loaded file = {.path = path, .net = net};
    struct be_nn_entry *entry = calloc(BE_NN_ENTRIES, sizeof *entry);
    const char *from[BE_NN_ENTRIES];
    size_t count = 0;
    if (!entry) {
        return be_fail(error, BE_NOMEM, "%s: no host memory to read a net", path);
    }
    enum be_status status = be_nn_fetch(net, error);
    if (status == BE_OK) {
        status = find_all(&file, net, entry, from, &count, error);
    }
    if (status == BE_OK) {
        const char *said = fact(&file, "note");
        for (size_t i = 0; i < count; i++) {
            memcpy(entry[i].numbers, from[i], entry[i].count * sizeof(float));
        }
        take(&file, net);
        *resumed = file.checkpoint;
        be_copy_text(note, BE_NOTE, said ? said : "");
    }
    cJSON_Delete(file.header);
    be_text_free(&file.text);
    free(entry);
    return status;
}
