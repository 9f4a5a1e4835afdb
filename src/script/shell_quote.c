#include "script/shell_quote.h"

#include <string.h>

#include "base/error.h"

/* Within single quotes everything is itself, but the single quote. A line end is spelt out: sbatch
 * looks for #PBS and #BSUB lines to the end of a script, and refuses one with a CR before it. */
static void add_quoted(const char *word, struct be_text *out) {
    be_text_add_bytes(out, "'", 1);
    while (*word) {
        size_t length = strcspn(word, "'\n");
        be_text_add_bytes(out, word, length);
        word += length;
        if (*word) {
            be_text_add(out, "%s", *word == '\'' ? "'\\''" : "'$'\\n''");
            word++;
        }
    }
    be_text_add_bytes(out, "'", 1);
}

void be_shell_quote(const char *word, struct be_text *out) {
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_@%+=:,./-";
    if (*word && word[strspn(word, safe)] == '\0') {
        be_text_add_bytes(out, word, strlen(word));
    } else {
        add_quoted(word, out);
    }
}

void be_shell_quote_program(const char *word, struct be_text *out) {
    static const char *const words[] = {
        "case",     "coproc", "do", "done",   "elif", "else", "esac",  "fi",    "for",
        "function", "if",     "in", "select", "then", "time", "until", "while",
    };
    bool own = strchr(word, '=') != NULL;
    for (size_t i = 0; i < BE_COUNT(words); i++) {
        own |= strcmp(word, words[i]) == 0;
    }
    if (own) {
        add_quoted(word, out);
    } else {
        be_shell_quote(word, out);
    }
}
