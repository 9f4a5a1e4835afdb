/* The options of a command as a list, for the completion of shells. */
#include "cli/options/options.h"

static int is_end(const struct argp_option *option) {
    return !option->name && !option->key && !option->doc && !option->group;
}

/* Its first sentence, or what stands before its first parenthesis: shells have one line for it. */
static int short_length(const char *doc) {
    int length = 0;
    while (doc[length] && doc[length] != '\n' && doc[length] != '(' &&
           !(doc[length] == '.' && (doc[length + 1] == ' ' || !doc[length + 1]))) {
        length++;
    }
    while (length && doc[length - 1] == ' ') {
        length--;
    }
    return length;
}

void be_options_list(const struct be_option_tables *tables, FILE *out) {
    for (int i = 0; i < tables->tables; i++) {
        const char *doc = "", *arg = NULL;
        for (const struct argp_option *o = tables->table[i]; o && !is_end(o); o++) {
            if (!(o->flags & OPTION_ALIAS)) {
                doc = o->doc ? o->doc : "";
                arg = o->flags & OPTION_ARG_OPTIONAL ? NULL : o->arg;
            }
            if (o->name && !(o->flags & OPTION_HIDDEN)) {
                fprintf(out, "--%s%s\t%.*s\n", o->name, arg ? "=" : "", short_length(doc), doc);
            }
        }
    }
}
