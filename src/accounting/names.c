#include "accounting/names.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/name_order.h"

/* FNV-1a (Fowler, Noll, Vo), 32 bits. */
static uint32_t hash_of(struct be_slice name) {
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < name.length; i++) {
        hash = (hash ^ (unsigned char)name.text[i]) * 16777619u;
    }
    return hash;
}

/* The slot that has it, or the free one where it belongs. */
static uint32_t slot_of(const struct be_idents *idents, struct be_slice name, uint32_t hash) {
    uint32_t at = hash & (idents->slots - 1);
    while (idents->slot[at] >= 0) {
        int index = idents->slot[at];
        if (idents->hash[index] == hash && be_slice_is(name, idents->name[index])) {
            break;
        }
        at = (at + 1) & (idents->slots - 1);
    }
    return at;
}

static bool widen(struct be_idents *idents) {
    uint32_t slots = idents->slots ? idents->slots * 2 : 64;
    int capacity = (int)(slots / 2);
    int *slot = malloc(slots * sizeof *slot);
    char **name = realloc(idents->name, (size_t)capacity * sizeof *name);
    idents->name = name ? name : idents->name;
    uint32_t *hash = realloc(idents->hash, (size_t)capacity * sizeof *hash);
    idents->hash = hash ? hash : idents->hash;
    if (!slot || !name || !hash) {
        free(slot);
        return false;
    }
    memset(slot, 0xff, slots * sizeof *slot);
    free(idents->slot);
    idents->slot = slot;
    idents->slots = slots;
    idents->capacity = capacity;
    for (int i = 0; i < idents->count; i++) {
        struct be_slice text = {name[i], (uint32_t)strlen(name[i])};
        slot[slot_of(idents, text, hash[i])] = i;
    }
    return true;
}

int be_idents_find(const struct be_idents *idents, struct be_slice name) {
    if (idents->last < idents->count && be_slice_is(name, idents->name[idents->last])) {
        return idents->last;
    }
    return idents->slots ? idents->slot[slot_of(idents, name, hash_of(name))] : -1;
}

int be_idents_add(struct be_idents *idents, struct be_slice name) {
    int found = be_idents_find(idents, name);
    if (found >= 0) {
        idents->last = found;
        return found;
    }
    if (idents->count == idents->capacity && !widen(idents)) {
        return -1;
    }
    char *copy = malloc((size_t)name.length + 1);
    if (!copy) {
        return -1;
    }
    memcpy(copy, name.text, name.length);
    copy[name.length] = '\0';
    /* A zero byte ends it: what is compared later is what is kept. */
    struct be_slice kept = {copy, (uint32_t)strlen(copy)};
    uint32_t hash = hash_of(kept);
    uint32_t at = slot_of(idents, kept, hash);
    if (idents->slot[at] >= 0) {
        free(copy);
        return idents->slot[at];
    }
    idents->name[idents->count] = copy;
    idents->hash[idents->count] = hash;
    idents->slot[at] = idents->count;
    return idents->last = idents->count++;
}

void be_idents_free(struct be_idents *idents) {
    for (int i = 0; i < idents->count; i++) {
        free(idents->name[i]);
    }
    free(idents->name);
    free(idents->hash);
    free(idents->slot);
    *idents = (struct be_idents){0};
}

enum be_status be_idents_unknown(const struct be_idents *idents, const char *asked,
                                 struct be_error *error) {
    char known[400] = "";
    size_t used = 0;
    int shown = 0;
    char **name = calloc((size_t)idents->count + 1, sizeof *name);
    for (int i = 0; name && i < idents->count; i++) {
        name[i] = idents->name[i];
    }
    if (name) {
        be_names_sort(name, (size_t)idents->count);
    }
    for (; name && shown < idents->count; shown++) {
        size_t length = strlen(name[shown]) + 2;
        if (used + length + sizeof " and 10000 more" > sizeof known) {
            break;
        }
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                                 name[shown]);
    }
    if (shown < idents->count) {
        snprintf(known + used, sizeof known - used, " and %d more", idents->count - shown);
    }
    free(name);
    return be_fail(error, BE_USAGE, "partition %.60s: no job names it; there are: %s", asked,
                   *known ? known : "none");
}
