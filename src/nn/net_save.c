/* A net becomes a file. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/part_file.h"
#include "base/text.h"
#include "nn/entries.h"
#include "nn/file.h"

static void add_text(cJSON *to, const char *name, const char *value) {
    cJSON_AddStringToObject(to, name, value);
}

static void add_exact(cJSON *to, const char *name, double value) {
    char text[BE_WORD];
    add_text(to, name, be_format_exact(text, sizeof text, value, ""));
}

static void add_count(cJSON *to, const char *name, uint64_t value) {
    char text[BE_WORD];
    (void)snprintf(text, sizeof text, "%" PRIu64, value);
    add_text(to, name, text);
}

static void add_facts(cJSON *root, const struct be_net *net, enum be_net_file what,
                      const char *note) {
    cJSON *facts = cJSON_AddObjectToObject(root, BE_NN_FACTS);
    add_text(facts, "format", "pt"); /* as PyTorch's own files say */
    add_text(facts, BE_NN_SCHEMA, BE_NN_SCHEMA_HERE);
    add_text(facts, "net", net->kind->name);
    if (what == BE_NET_CHECKPOINT) {
        add_text(facts, "optimizer", be_nn_rule_name(&net->rule));
        add_count(facts, "seed", net->seed);
        add_count(facts, "step", net->steps);
        add_count(facts, "epoch", (uint64_t)net->epochs);
        add_exact(facts, "rate", net->rate);
        add_exact(facts, "momentum", net->rule.momentum);
        add_exact(facts, "decay", net->rule.decay);
        add_text(facts, "note", note ? note : "");
    }
}

static void add_entry(cJSON *root, const struct be_nn_entry *entry, size_t *at) {
    cJSON *object = cJSON_AddObjectToObject(root, entry->name);
    cJSON *shape;
    cJSON *offsets;
    const size_t end = *at + entry->count * sizeof(float);
    add_text(object, "dtype", "F32");
    shape = cJSON_AddArrayToObject(object, "shape");
    for (int i = 0; i < entry->dimensions; i++) {
        cJSON_AddItemToArray(shape, cJSON_CreateNumber((double)entry->shape[i]));
    }
    offsets = cJSON_AddArrayToObject(object, "data_offsets");
    cJSON_AddItemToArray(offsets, cJSON_CreateNumber((double)*at));
    cJSON_AddItemToArray(offsets, cJSON_CreateNumber((double)end));
    *at = end;
}

/* The header with blanks behind it: numbers begin at a multiple of 8 bytes. */
static enum be_status add_header(const struct be_net *net, enum be_net_file what, const char *note,
                                 const struct be_nn_entry *entry, size_t count,
                                 struct be_text *text) {
    cJSON *root = cJSON_CreateObject();
    size_t at = 0;
    add_facts(root, net, what, note);
    for (size_t i = 0; i < count; i++) {
        add_entry(root, &entry[i], &at);
    }
    char *header = cJSON_PrintUnformatted(root);
    cJSON_Delete(root);
    if (!header) {
        return BE_NOMEM;
    }
    be_text_add(text, "%s", header);
    cJSON_free(header);
    while (text->length % 8 != 0 && !text->failed) {
        be_text_add(text, " ");
    }
    return text->failed ? BE_NOMEM : BE_OK;
}

static bool write_all(FILE *out, const struct be_text *header, const struct be_nn_entry *entry,
                      size_t count) {
    unsigned char length[8];
    for (size_t i = 0; i < sizeof length; i++) {
        length[i] = (unsigned char)((uint64_t)header->length >> (8 * i));
    }
    bool fine = fwrite(length, sizeof length, 1, out) == 1 &&
                fwrite(header->data, header->length, 1, out) == 1;
    for (size_t i = 0; fine && i < count; i++) {
        fine = fwrite(entry[i].numbers, sizeof(float), entry[i].count, out) == entry[i].count;
    }
    return fine;
}

enum be_status be_net_save(struct be_net *net, const char *path, enum be_net_file what,
                           const char *note, struct be_error *error) {
    struct be_nn_entry *entry = calloc(BE_NN_ENTRIES, sizeof *entry);
    struct be_text header = {0};
    FILE *out = NULL;
    char *part = NULL;
    enum be_status status = entry ? be_nn_fetch(net, error) : BE_NOMEM;
    if (status == BE_OK) {
        const size_t count = be_nn_entries(net, what == BE_NET_CHECKPOINT, entry);
        status = add_header(net, what, note, entry, count, &header);
        if (status == BE_OK) {
            status = be_part_open(path, 0666, &out, &part, error);
        }
        if (out) {
            if (!write_all(out, &header, entry, count)) {
                status = be_fail(error, BE_IO, "%s: cannot be written: %s", path, strerror(errno));
            }
            status = be_part_close(path, out, part, status, error);
        }
    }
    if (status == BE_NOMEM) {
        be_fail(error, BE_NOMEM, "%s: no host memory to write a net", path);
    }
    be_text_free(&header);
    free(entry);
    return status;
}
