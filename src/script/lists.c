/* The parts of a script that is being read: adding to it, and finding in it what is there. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "script/lists.h"

/* ---- adding ---------------------------------------------------------------------------------- */

bool be_script_capacity(void **list, size_t count, size_t size) {
    /* Grown when the count is a power of two. */
    if (count & (count - 1)) {
        return true;
    }
    void *grown = realloc(*list, (count ? count * 2 : 1) * size);
    *list = grown ? grown : *list;
    return grown;
}

const char *be_script_keep(struct be_script *script, const char *from, size_t length) {
    void *list = script->kept;
    bool capacity = be_script_capacity(&list, script->kepts, sizeof *script->kept);
    script->kept = list;
    char *copy = capacity ? malloc(length + 1) : NULL;
    if (copy) {
        memcpy(copy, from, length);
        copy[length] = '\0';
        script->kept[script->kepts++] = copy;
    }
    return copy;
}

bool be_script_add_fault(struct be_script *script, enum be_fault_kind kind, struct be_span span,
                         const char *word, const struct be_sbatch_option *option) {
    void *list = script->fault;
    bool capacity = be_script_capacity(&list, script->faults, sizeof *script->fault);
    script->fault = list;
    if (capacity) {
        script->fault[script->faults++] =
            (struct be_script_fault){kind, span, word ? word : "", option};
    }
    return capacity;
}

bool be_script_add_option(struct be_script *script, const struct be_script_option *option) {
    void *list = script->option;
    bool capacity = be_script_capacity(&list, script->options, sizeof *script->option);
    script->option = list;
    if (capacity) {
        script->option[script->options++] = *option;
    }
    return capacity;
}

/* ---- finding --------------------------------------------------------------------------------- */

size_t be_script_line_at(const struct be_script *script, size_t at) {
    size_t low = 0, high = script->lines;
    while (low + 1 < high) {
        size_t middle = (low + high) / 2;
        if (script->line[middle].span.at <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The last of that name from `from` up to `to`. */
static const struct be_script_option *last_option(const struct be_script *script, size_t from,
                                                  size_t to, const char *name) {
    for (size_t i = to; i-- > from;) {
        const struct be_script_option *at = &script->option[i];
        const char *own = at->option->same ? at->option->same : at->option->name;
        if (strcmp(own, name) == 0) {
            return at;
        }
    }
    return NULL;
}

const struct be_script_option *be_script_option(const struct be_script *script, int component,
                                                const char *name) {
    const struct be_script_option *other = NULL;
    if (component < 0 || script->components < 2) {
        return last_option(script, 0, script->options, name);
    }
    if (component == 0) {
        other = last_option(script, script->own, script->options, name);
    }
    const bool last = component + 1 == script->components;
    const size_t end = last ? script->own : script->begin[component + 1];
    return other ? other : last_option(script, script->begin[component], end, name);
}

static bool is_part(char sign) {
    return isalnum((unsigned char)sign) || sign == '_';
}

const char *be_script_mentions(const struct be_script *script, const char *word, bool within) {
    return be_script_mentions_from(script, 0, word, within);
}

const char *be_script_mentions_from(const struct be_script *script, size_t from, const char *word,
                                    bool within) {
    size_t length = strlen(word);
    const char *end = script->code + script->length;
    for (const char *at = script->code + from; at < end; at++) {
        at = memmem(at, (size_t)(end - at), word, length);
        if (!at) {
            return NULL;
        }
        if (within || ((at == script->code || !is_part(at[-1])) && !is_part(at[length]))) {
            return at;
        }
    }
    return NULL;
}

const struct be_script_assignment *be_script_sets(const struct be_script *script,
                                                  const char *name) {
    for (size_t i = script->assignments; i-- > 0;) {
        if (strcmp(script->assignment[i].name, name) == 0) {
            return &script->assignment[i];
        }
    }
    return NULL;
}
