/* PBS and LSF lines: sbatch reads both, each letter as one of its own options. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "script/directive.h"
#include "script/lists.h"

/* The meaning of a letter to sbatch 22.05.8. */
struct letter {
    char letter;
    bool value;       /* one follows */
    const char *name; /* sbatch's option; NULL: it is passed over */
};

static const struct letter pbs[] = {
    {'a', true, "begin"},     {'A', true, "account"},  {'c', true, NULL},     {'C', true, NULL},
    {'e', true, "error"},     {'h', false, "hold"},    {'I', false, NULL},    {'j', true, NULL},
    {'J', true, "array"},     {'k', true, NULL},       {'l', true, NULL},     {'m', true, NULL},
    {'M', true, "mail-user"}, {'N', true, "job-name"}, {'o', true, "output"}, {'p', true, "nice"},
    {'q', true, "partition"}, {'r', true, NULL},       {'S', true, NULL},     {'t', true, "array"},
    {'u', true, NULL},        {'v', true, NULL},       {'V', false, NULL},    {'W', true, NULL},
    {'z', false, NULL},       {0, false, NULL}};

static const struct letter lsf[] = {{'c', true, NULL},
                                    {'e', true, "error"},
                                    {'J', true, "job-name"},
                                    {'m', true, "nodelist"},
                                    {'M', true, "mem-per-cpu"},
                                    {'n', true, NULL},
                                    {'o', true, "output"},
                                    {'q', true, "partition"},
                                    {'W', true, "time"},
                                    {'x', false, "exclusive"},
                                    {0, false, NULL}};

struct reader {
    struct be_script *script;
    enum be_line_kind kind;
    const struct be_directive_word *word;
    size_t words, at;
    bool ok;
};

static void add(struct reader *reader, const char *name, struct be_span span, const char *value) {
    const struct be_script_option found = {be_sbatch_named(name), span, span, value, 0,
                                           reader->kind};
    reader->ok = reader->ok && be_script_add_option(reader->script, &found);
}

/* Adds the options that a letter's value makes besides one. */
static void add_value(struct reader *reader, const struct letter *letter, struct be_span span,
                      const char *value) {
    if (reader->kind == BE_LINE_PBS && letter->letter == 'm' && !strpbrk(value, "aben")) {
        reader->ok = reader->ok &&
                     be_script_add_fault(reader->script, BE_FAULT_OTHER_OPTION, span, value, NULL);
    } else if (letter->name) {
        const struct be_sbatch_option *option = be_sbatch_named(letter->name);
        add(reader, letter->name, span, option->takes == BE_TAKES_NOTHING ? NULL : value);
    } else if (reader->kind == BE_LINE_PBS && letter->letter == 'l') {
        reader->ok = reader->ok && be_directive_pbs_list(reader->script, span, value);
    } else if (reader->kind == BE_LINE_PBS && letter->letter == 'W' &&
               strncmp(value, "depend=", 7) == 0) {
        add(reader, "dependency", span, value + 7);
    } else if (reader->kind == BE_LINE_LSF && letter->letter == 'n') {
        const char *max = strchr(value, ','); /* least,most */
        add(reader, "ntasks", span, max ? max + 1 : value);
    }
}

/* The letters of one word; its value may be the next word. */
static void read_letters(struct reader *reader, const struct be_directive_word *word) {
    const struct letter *table = reader->kind == BE_LINE_PBS ? pbs : lsf;
    for (const char *at = word->text + 1; *at && reader->ok; at++) {
        const struct letter *letter = table;
        while (letter->letter && letter->letter != *at) {
            letter++;
        }
        if (!letter->letter) {
            reader->ok = be_script_add_fault(reader->script, BE_FAULT_OTHER_OPTION, word->span,
                                             word->text, NULL);
            /* The next word is most likely its value: one finding is enough. */
            reader->at += reader->at < reader->words && reader->word[reader->at].text[0] != '-';
            return;
        }
        if (!letter->value) {
            add_value(reader, letter, word->span, "");
            continue;
        }
        if (!at[1] && reader->at >= reader->words) {
            reader->ok = be_script_add_fault(reader->script, BE_FAULT_OTHER_OPTION, word->span,
                                             word->text, NULL);
            return;
        }
        const struct be_directive_word *value = at[1] ? word : &reader->word[reader->at++];
        add_value(reader, letter, value->span, at[1] ? at + 1 : value->text);
        return;
    }
}

bool be_directive_other(struct be_script *script, enum be_line_kind kind,
                        const struct be_directive_word *word, size_t words) {
    struct reader reader = {script, kind, word, words, 0, true};
    while (reader.ok && reader.at < words) {
        const struct be_directive_word *at = &word[reader.at++];
        if (at->text[0] == '-' && at->text[1] && at->text[1] != '-') {
            read_letters(&reader, at);
        } else {
            reader.ok =
                be_script_add_fault(script, BE_FAULT_OTHER_OPTION, at->span, at->text, NULL);
        }
    }
    return reader.ok;
}
