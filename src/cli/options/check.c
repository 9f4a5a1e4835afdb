/* A long option that is misspelt: which one is meant? */
#include <stdbool.h>
#include <string.h>

#include "base/suggest.h"
#include "cli/options/options.h"

static bool is_end(const struct argp_option *option) {
    return !option->name && !option->key && !option->doc && !option->group;
}

/* The option of that key; its aliases come behind it. */
static const struct argp_option *find_key(const struct be_option_tables *tables, int key) {
    for (int i = 0; i < tables->tables; i++) {
        for (const struct argp_option *o = tables->table[i]; o && !is_end(o); o++) {
            if (o->key == key && key && !(o->flags & OPTION_ALIAS)) {
                return o;
            }
        }
    }
    return NULL;
}

/* The option whose name is that, else one whose name begins so. */
static const struct argp_option *find_name(const struct be_option_tables *tables, const char *name,
                                           size_t length) {
    const struct argp_option *first = NULL, *base = NULL;
    for (int i = 0; i < tables->tables; i++) {
        for (const struct argp_option *o = tables->table[i]; o && !is_end(o); o++) {
            base = o->flags & OPTION_ALIAS ? base : o;
            if (!o->name || strncmp(o->name, name, length) != 0) {
                continue;
            }
            if (!o->name[length]) {
                return base;
            }
            first = first ? first : base;
        }
    }
    return first;
}

static const char *nearest_name(const struct be_option_tables *tables, const char *name,
                                size_t length) {
    const char *nearest = NULL;
    size_t min = be_near_limit(length);
    for (int i = 0; i < tables->tables; i++) {
        for (const struct argp_option *o = tables->table[i]; o && !is_end(o); o++) {
            bool shown = o->name && !(o->flags & OPTION_HIDDEN);
            bool nearer = shown && be_is_nearer(name, length, o->name, &min);
            nearest = nearer ? o->name : nearest;
        }
    }
    return nearest;
}

static bool takes_next_word(const struct argp_option *option) {
    return option->arg && !(option->flags & OPTION_ARG_OPTIONAL);
}

/* How many words a word of short options takes; 0: one of them is unknown. */
static int short_words(const struct be_option_tables *tables, const char *letters) {
    for (const char *c = letters; *c; c++) {
        const struct argp_option *option = find_key(tables, *c);
        if (!option) {
            return 0;
        }
        if (option->arg) {
            return takes_next_word(option) && !c[1] ? 2 : 1;
        }
    }
    return 1;
}

/* Likewise for a long one, without its dashes. */
static int long_words(const struct be_option_tables *tables, const char *name,
                      const struct argp_state *state) {
    const size_t length = strcspn(name, "=");
    const struct argp_option *option = find_name(tables, name, length);
    const char *near = option ? NULL : nearest_name(tables, name, length);
    if (near) {
        argp_error(state, "--%.*s: no such option; did you mean --%s?", (int)length, name, near);
    }
    return !option ? 0 : takes_next_word(option) && !name[length] ? 2 : 1;
}

void be_options_check(const struct be_option_tables *tables, const struct argp_state *state) {
    int words = 1;
    for (int i = 1; words && i < state->argc; i += words) {
        const char *word = state->argv[i];
        if (word[0] != '-' || !word[1]) {
            words = state->flags & ARGP_IN_ORDER ? 0 : 1;
        } else if (word[1] != '-') {
            words = short_words(tables, word + 1);
        } else {
            words = word[2] ? long_words(tables, word + 2, state) : 0;
        }
    }
}
